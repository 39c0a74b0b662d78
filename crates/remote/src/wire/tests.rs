use super::testing::packed_game;
use super::*;

#[test]
fn a_long_report_is_split_into_parts_that_join_to_the_same_report() {
    // Symbols that are escaped, and a symbol of several bytes.
    let record = "\"\\é".repeat(400_000);
    let pack = "p".to_owned();
    let report =
        Report::Game(Box::new(GameReport { pack, record, paused: vec![1], ..GameReport::default() }));
    let parts = report.parts().expect("it is not too long");
    assert!(parts.len() > 1 && parts.iter().all(|part| part.len() <= MAX_BYTES));
    let parts: Vec<ResultPart> =
        parts.iter().map(|part| ResultPart::decode(part).expect("it is a part")).collect();
    assert_eq!(Report::joined(parts.iter()), Ok(report));
    assert!(Report::joined(parts.iter().skip(1)).is_err(), "the digest tells that one is missing");
}

#[test]
fn values_out_of_bounds_are_refused() {
    let pack = |games: &str| format!(r#"{{"v":{VERSION},"id":"p","plan":"x","games":[{games}]}}"#);
    assert_eq!(Pack::decode(pack("").as_bytes()), Err(Unreadable::OutOfBounds("games")));
    // Version 1 has no reports on packs that are given back.
    let other = br#"{"v":1,"id":"p","plan":"x","games":[]}"#;
    assert_eq!(Pack::decode(other), Err(Unreadable::Version(1)));
    assert!(matches!(Pack::decode(b"{"), Err(Unreadable::Malformed(_))));
    let long = vec![b' '; MAX_BYTES + 1];
    assert_eq!(Pack::decode(&long), Err(Unreadable::TooLong(MAX_BYTES + 1)));
    let game = PackedGame { bots: vec![0, 2], ..packed_game(1) };
    assert_eq!(game.assignment(2, 2, 2), Err(Unreadable::OutOfBounds("bots")));
    assert!(game.assignment(3, 2, 2).is_ok() && game.assignment(3, 2, 3).is_err());
}

#[test]
fn each_league_name_gets_a_valid_token_of_its_own() {
    let one = Subjects::league("Tournoi d'été. *", 1);
    assert!(is_token(&one) && one != Subjects::league("Tournoi d'été. *", 2), "{one}");
    assert_eq!((token("a.b > c"), token("")), ("a-b---c".to_owned(), "-".to_owned()));
}

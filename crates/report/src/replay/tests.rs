use super::*;
use linesman_games::scene::MarkKind;

/// Games that the tests of replays share; the id and the faults of each show its purpose.
const GAMES: &str = include_str!("../../../../tests/records/games.jsonl");

fn record(index: usize) -> GameRecord {
    let line = GAMES.lines().nth(index).expect("the file has this many records");
    serde_json::from_str(line).expect("the file holds records")
}

fn replay(index: usize) -> Replay {
    Replay::new(&record(index)).expect("the game can be replayed")
}

/// Returns a record of a game that stops after these moves.
fn after(moves: &[&str]) -> GameRecord {
    let moves = moves.iter().map(|text| (*text).to_owned()).collect();
    GameRecord { moves: Some(moves), reason: None, times_us: None, said: None, ..record(0) }
}

#[test]
fn a_replay_has_each_position_with_its_move() {
    let replay = replay(0);
    assert_eq!(replay.last(), 26);
    assert_eq!((replay.game, replay.title), ("quixo", "Quixo"));
    assert_eq!(replay.options, "size=5,max_plies=200,repetition=3");
    let why = "alphabeta has made a full line of `o`: b1 to b5";
    assert_eq!(replay.verdict, format!("alphabeta won by a line in 26 plies: {why}"));
    assert_eq!(replay.broken, None);
    let symbols: Vec<_> = replay.seats.values().map(|player| (player.name.as_str(), player.symbol)).collect();
    assert_eq!(symbols, [("greedy", Some('x')), ("alphabeta", Some('o'))]);

    let start = &replay.frames[0];
    assert_eq!(start.token, "...../...../...../...../.....:1:0");
    assert_eq!((start.to_move, &start.played), (Some(Seat::FIRST), &None));
    let record = record(0);
    for (index, frame) in replay.frames[1..].iter().enumerate() {
        let played = frame.played.as_ref().expect("a move led here");
        assert_eq!(Some(&played.text), record.moves.as_ref().and_then(|moves| moves.get(index)));
        assert_eq!(played.seat, Seat::from_index(index % 2));
        assert_eq!(
            played.time.map(|time| time.as_micros() as u64),
            record.times_us.as_ref().map(|t| t[index])
        );
        assert_eq!(played.said, record.said.as_ref().and_then(|said| said[index].clone()));
    }
}

#[test]
fn players_have_their_symbols_before_they_have_pieces() {
    for moves in [&[][..], &["c1c5"]] {
        let replay = Replay::new(&after(moves)).expect("the game can be replayed");
        let symbols: Vec<_> = replay.seats.values().map(|player| player.symbol).collect();
        assert_eq!(symbols, [Some('x'), Some('o')]);
    }
}

#[test]
fn the_last_frame_marks_the_deciding_line_once() {
    let replay = replay(0);
    let is_line = |mark: &&Mark| matches!(mark.kind, MarkKind::Line(_));
    let lines = |frame: &Frame| frame.scene.marks.iter().filter(is_line).count();
    assert_eq!(lines(&replay.frames[replay.last()]), 1);
    assert!(replay.frames[..replay.last()].iter().all(|frame| lines(frame) == 0));
    assert_eq!(replay.frames[replay.last()].to_move, None);
}

#[test]
fn an_opening_is_part_of_the_replay() {
    let replay = replay(3);
    let kinds: Vec<_> =
        replay.frames.iter().filter_map(|frame| Some(frame.played.as_ref()?.kind)).take(3).collect();
    assert_eq!(kinds, [PlayedKind::Opening, PlayedKind::Opening, PlayedKind::Move]);

    let mut record = after(&["a1e1"]);
    record.opening = Some(linesman_record::OpeningRecord {
        token: Some("x..../...../...../...../....o:1:2".into()),
        moves: vec![],
    });
    let replay = Replay::new(&record).expect("the opening can be set up");
    assert_eq!(replay.frames[0].token, "x..../...../...../...../....o:1:2");
}

#[test]
fn clocks_run_down_and_gain_their_increment() {
    let replay = replay(3);
    let clocks = |index: usize| replay.frames[index].clocks.clone().expect("the game has clocks");
    assert_eq!(clocks(2).as_slice(), [Duration::from_secs(10); 2]);
    let used = replay.frames[3].played.as_ref().and_then(|played| played.time).expect("the move was timed");
    assert_eq!(clocks(3)[Seat::FIRST], Duration::from_millis(10_100) - used);
    assert_eq!(clocks(3)[Seat::SECOND], Duration::from_secs(10));
}

#[test]
fn a_wrong_move_is_listed_with_the_legal_moves() {
    let replay = replay(2);
    let [fault] = replay.faults.as_slice() else { panic!("one fault: {:?}", replay.faults) };
    assert_eq!(fault.sentence, "honest lost by the illegal move `b2b4`: b2 is not on the border");
    assert!(fault.legal.contains(&"a1a4".to_owned()) && !fault.legal.contains(&"b2b4".to_owned()));
    assert_eq!(fault.stderr_tail[0], "warning: guessing");
}

#[test]
fn text_of_bots_cannot_control_a_terminal() {
    let replay = replay(2);
    let texts =
        replay.frames.iter().filter_map(|frame| frame.played.as_ref()?.said.as_ref()?.text.as_deref());
    let mut seen = 0;
    for text in texts.chain([replay.id.as_str()]) {
        assert!(text.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{text}");
        seen += 1;
    }
    assert_eq!(seen, 7);
}

#[test]
fn a_move_that_cannot_be_played_ends_the_replay_and_is_named() {
    let replay = Replay::new(&after(&["a1a5", "c3c5", "b1b5"])).expect("the game can be set up");
    assert_eq!(replay.last(), 1);
    let broken = replay.broken.expect("c3 is not on the border");
    assert_eq!((broken.number, broken.text.as_str()), (2, "c3c5"));
    let out = Replay::new(&after(&["a1a5", "!2"])).expect("the game can be set up").broken;
    assert_eq!(
        out.map(|broken| broken.to_string()),
        Some(
            "move 2 `!2` can't be played: in a game of two sides no seat is eliminated: the other side wins"
                .to_owned()
        )
    );
}

#[track_caller]
fn check_refused(record: &GameRecord, expected: &str) {
    assert_eq!(Replay::new(record).map(|_| ()).map_err(|error| error.to_string()), Err(expected.to_owned()));
}

#[test]
fn records_that_cannot_be_shown_are_refused_with_the_reason() {
    check_refused(&record(4), "the record has no moves, only the result: A won");
    check_refused(&GameRecord { game: "chess".into(), ..record(0) }, "there is no game `chess`");
    let options = [("size".to_owned(), serde_json::json!(9))].into();
    check_refused(
        &GameRecord { options, ..record(0) },
        "invalid options: option `size` can't be `9`: it must be 3 to 8",
    );
    let mut three = record(0);
    three.seats.push(three.seats[0].clone());
    check_refused(&three, "quixo has 2 seats, but the record has 3");
    let mut opening = record(0);
    opening.opening = Some(linesman_record::OpeningRecord { token: None, moves: vec!["c3c5".into()] });
    let refused = Replay::new(&opening).map(|_| ()).map_err(|error| error.to_string());
    assert!(
        matches!(&refused, Err(text) if text.starts_with("the opening can't be set up: move 1 `c3c5`")),
        "{refused:?}"
    );
}

/// Games of three seats and of teams.
const TABLES: &str = include_str!("../../../../tests/records/tables.jsonl");

fn table(index: usize) -> Replay {
    let line = TABLES.lines().nth(index).expect("the file has this many records");
    Replay::new(&serde_json::from_str(line).expect("the file holds records")).expect("it can be replayed")
}

#[test]
fn an_eliminated_seat_stays_out_and_the_others_play_on() {
    let replay = table(0);
    assert_eq!(replay.broken, None);
    assert_eq!(replay.sides(), ["crash", "random", "greedy"]);
    let seats = || replay.seats.iter().map(|(seat, _)| seat);
    let out = |ply| seats().filter(|seat| replay.is_out(*seat, ply)).collect::<Vec<_>>();
    assert_eq!((out(6), out(7), out(19)), (vec![], vec![Seat::FIRST], vec![Seat::FIRST]));
    let played = replay.frames[7].played.as_ref().expect("something happened");
    assert_eq!((played.text.as_str(), played.kind), ("!1", PlayedKind::Out));
    assert_eq!(replay.frames[7].to_move, Some(Seat::SECOND));
    let movers: Vec<usize> =
        replay.frames[8..].iter().filter_map(|frame| Some(frame.played.as_ref()?.seat.number())).collect();
    assert_eq!(movers, [2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3]);
    assert_eq!(
        replay.verdict,
        "greedy won on points in 18 plies (2nd random, 3rd crash): greedy has scored 3 points; \
         crash went out: it exited with status 3"
    );
    let clocks: Vec<u128> = replay.frames[19]
        .clocks
        .as_ref()
        .map_or_else(Vec::new, |clocks| clocks.values().map(|left| left.as_millis()).collect());
    assert_eq!(clocks, [20_195, 20_788, 20_798]);
}

#[test]
fn teams_have_their_names_and_namesakes_their_seats() {
    let replay = table(1);
    assert_eq!(replay.sides(), ["thinkers", "mixed"]);
    let players: Vec<String> = replay
        .seats
        .values()
        .map(|player| format!("{} {} {}", player.name, player.bot, player.team.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(
        players,
        [
            "greedy greedy thinkers",
            "python-random python-random mixed",
            "alphabeta (seat 3) alphabeta thinkers",
            "alphabeta (seat 4) alphabeta mixed"
        ]
    );
    let why = "alphabeta (seat 3) has made a full line of `x` (a2 to e2) for itself and greedy";
    assert_eq!(replay.verdict, format!("thinkers won by a line in 15 plies: {why}"));
}

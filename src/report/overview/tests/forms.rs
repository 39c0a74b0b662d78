//! What a report looks like.

use super::*;

#[test]
fn a_report_for_a_terminal() {
    insta::assert_snapshot!(spring(NAMES).text(&Part::ALL, None));
}

#[test]
fn a_report_for_a_narrow_terminal() {
    insta::assert_snapshot!(spring(NAMES).text(&Part::ALL, Some(60)));
}

#[test]
fn a_report_in_markdown() {
    insta::assert_snapshot!(spring(NAMES).report(|report| markdown(report, &Part::ALL)));
}

#[test]
fn a_report_as_json() {
    let json = spring(NAMES).report(json);
    assert_eq!(json.matches('\n').count(), 1, "one line");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&value["standings"][0]).unwrap());
    assert_eq!(value["games_with_result"], 48);
    assert_eq!(value["crosstable"].as_array().unwrap().len(), 12);
    assert_eq!(value["notes"][0]["about"], "progress");
    let lengths = value["lengths"].as_array().unwrap();
    let games: u64 = lengths.iter().filter_map(|row| row["games"].as_u64()).sum();
    assert_eq!(games, 48, "the whole distribution");
    let last = value["course"].as_array().unwrap().last().unwrap();
    assert_eq!((last["games"].as_u64(), last["rank"].as_u64()), (Some(48), Some(4)));
    for part in Part::ALL {
        assert!(value[part.word()].is_array(), "{}", part.word());
    }
}

#[test]
fn a_report_as_a_page() {
    let page = spring(NAMES).report(html);
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    // The style is a file of its own, and its digest would change with every colour.
    let policy = head.find("style-src").unwrap();
    let digest = &head[policy..policy + "style-src 'sha256-".len() + 45];
    insta::assert_snapshot!(head.replace(digest, "style-src 'sha256-...'").to_owned() + body);
}

#[test]
fn the_same_records_make_the_same_bytes() {
    let all = || {
        spring(NAMES).report(|report| {
            [html(report), json(report), markdown(report, &Part::ALL), text(report, &Part::ALL, Some(80))]
        })
    };
    assert_eq!(all(), all());
}

#[test]
fn an_empty_league_has_a_report_too() {
    let league = League::new(&["ada", "bob"]);
    insta::assert_snapshot!(league.text(&Part::ALL, Some(80)), @r"
    spring cup: quixo size=4, 2 bots, movetime=1s

    Standings
    #  bot  games  points  score  wins  draws  losses
    1  ada      0     0.0      -     0      0       0
    1  bob      0     0.0      -     0      0       0

    In words
    - all 0 games have been played
    - `ada`: no games
    - `bob`: no games
    - without games: ada, bob

    Score by seat
    No game has a result yet.

    Faults
    No bot failed.

    Crosstable
    No game has a result yet.

    How games ended
    No game has a result yet.

    Length of the games
    No record tells its moves.

    Openings
    All games began from the usual start.

    Ratings over the games
    Too few games, or too many bots, to follow ratings.
    ");
    well_formed(&league.report(html));
    let nobody = League::new(&[]);
    assert!(nobody.text(&Part::ALL, None).contains("In words"));
    well_formed(&nobody.report(html));
    for part in Part::ALL {
        assert!(nobody.csv(part).lines().count() <= 2, "{}", part.word());
    }
}

#[test]
fn nothing_is_wider_than_the_window_and_no_number_is_broken() {
    let long = "a-name-of-forty-letters-that-goes-on-and";
    let league = spring([long, "mcts", "greedy", "shell-random"]);
    let numbers: Vec<String> = league
        .text(&[Part::Standings, Part::Seats, Part::Crosstable], None)
        .split(|symbol: char| !symbol.is_ascii_digit() && !matches!(symbol, '.' | '-' | '(' | ')'))
        .filter(|word| word.contains(|symbol: char| symbol.is_ascii_digit()) && word.contains('.'))
        .map(str::to_owned)
        .collect();
    for width in 50..=200 {
        let text = league.text(&Part::ALL, Some(width));
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{width}: {line:?}");
        }
        let left_out: String = text.lines().filter(|line| line.contains("Left out")).collect();
        for number in numbers.iter().filter(|_| left_out.is_empty()) {
            assert!(text.contains(number.as_str()), "{width}: {number} is broken in\n{text}");
        }
    }
}

#[test]
fn what_a_window_has_no_room_for_is_left_out_in_order_and_told() {
    let league = spring(NAMES);
    let head = |width| {
        let text = league.text(&[Part::Standings], Some(width));
        let titles = text.lines().skip_while(|line| *line != "Standings").nth(1).unwrap();
        let titles = titles.split_whitespace().collect::<Vec<_>>().join(" ");
        let told = text.lines().find(|line| line.starts_with("Left out")).unwrap_or_default().to_owned();
        (titles, told)
    };
    assert_eq!(
        head(120),
        (
            "# bot games points score wins draws losses Elo 95 % faults ms/move depth".to_owned(),
            String::new()
        )
    );
    let (titles, told) = head(84);
    assert_eq!(titles, "# bot games points score wins draws losses Elo 95 % faults");
    assert_eq!(told, "Left out for want of room: depth, ms/move.");
    let (titles, _) = head(60);
    assert_eq!(titles, "# bot games points score Elo 95 %");
    let (titles, _) = head(20);
    assert_eq!(titles, "bot score");
}

#[test]
fn big_tables_are_shown_in_part_and_told_so() {
    let names: Vec<String> = (0..50).map(|number| format!("bot{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut league = League::new(&names);
    for pair in names.windows(2) {
        let mut record = game([pair[0], pair[1]], [1, 2]);
        record.opening = Some(OpeningRecord { token: None, moves: vec![pair[0].to_owned()] });
        league.add(&record);
    }
    let text = league.text(&[Part::Crosstable, Part::Openings], Some(100));
    assert!(text.contains("The first 40 of 50 are shown; CSV and JSON have all."), "{text}");
    assert!(
        text.contains("20 of 49 openings are shown, those of most games; CSV and JSON have all."),
        "{text}"
    );
    assert_eq!(league.csv(Part::Crosstable).lines().count(), 1 + 98);
    assert_eq!(league.csv(Part::Openings).lines().count(), 1 + 49);
}

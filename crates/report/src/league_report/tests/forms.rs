//! The forms of a report.

use super::*;

#[test]
fn a_report_for_a_terminal() {
    insta::assert_snapshot!(spring(NAMES).text(&Part::ALL, None));
}

/// Returns a Swiss led by the bot with the third rating.
fn swiss() -> League {
    let mut league = spring(NAMES);
    league.rules = Rules::Swiss { over: 2, rounds: 3 };
    let standing = |rank, points, buchholz_cut_1| SwissStanding {
        rank,
        points,
        buchholz_cut_1,
        buchholz: buchholz_cut_1 + 1.0,
        sonneborn_berger: 1.25,
    };
    league.swiss = vec![
        ("mcts", standing(2, 1.5, 2.0)),
        ("greedy", standing(1, 2.0, 1.5)),
        ("shell-random", standing(4, 0.0, 1.0)),
        ("alphabeta", standing(2, 1.5, 2.0)),
    ];
    league
}

/// Returns a knockout whose final has not been played.
fn knockout() -> League {
    let mut league = spring(NAMES);
    let side = |seed: usize| Some(Side { seed, name: NAMES[seed - 1].to_owned() });
    let semifinal = |one, other, points, winner| Match {
        sides: [side(one), side(other)],
        points,
        winner: Some(winner),
        by: if points[0] == points[1] { DecidedBy::Seed } else { DecidedBy::Points },
    };
    let last = Match { sides: [side(1), side(3)], points: [0.0, 0.0], winner: None, by: DecidedBy::Points };
    league.rules = Rules::Knockout(vec![
        vec![semifinal(1, 4, [1.0, 1.0], 0), semifinal(2, 3, [0.5, 1.5], 1)],
        vec![last],
    ]);
    league.places = vec![("mcts", 3), ("shell-random", 3)];
    league
}

#[test]
fn a_swiss_begins_with_its_own_ranking() {
    let league = swiss();
    insta::assert_snapshot!(league.text(&[Part::Ranking, Part::Bracket], Some(100)), @r"
    spring cup: quixo size=4, 4 bots, movetime=1s

    Ranking
    #  bot           points  Buchholz cut 1  Buchholz  Sonneborn-Berger
    1  greedy           2.0             1.5       2.5              1.25
    2  alphabeta        1.5             2.0       3.0              1.25
    2  mcts             1.5             2.0       3.0              1.25
    4  shell-random     0.0             1.0       2.0              1.25
    Order by the rules of the Swiss, after 2 of 3 rounds: points, then Buchholz cut 1, Buchholz and
    Sonneborn-Berger. Those that are equal in all of them share a rank.
    ");
    let all = league.text(&Part::ALL, Some(100));
    let note = "This table is ordered by rating. The ranking has the order by the rules of the Swiss.";
    assert!(all.contains(note), "{all}");
    let page = league.report(html);
    well_formed(&page);
    let (ranking, standings) = (page.find("<section id=\"ranking\""), page.find("<section id=\"standings\""));
    assert!(ranking.is_some() && ranking < standings, "the order that counts comes first");
    assert!(!page.contains("id=\"bracket\""));
    let text = league.report(|report| markdown(report, &Part::ALL));
    assert!(text.contains("## Ranking\n\n| # | bot | points | Buchholz cut 1 |"), "{text}");
    assert!(text.contains("| 1 | `greedy` | 2.0 | 1.5 | 2.5 | 1.25 |"), "{text}");
    assert!(league.csv(Part::Ranking).starts_with("rank,bot,points,buchholz_cut_1,buchholz,"));
}

#[test]
fn a_knockout_begins_with_its_places_and_its_bracket() {
    let league = knockout();
    insta::assert_snapshot!(league.text(&[Part::Ranking, Part::Bracket], Some(100)), @r"
    spring cup: quixo size=4, 4 bots, movetime=1s

    Ranking
    #  bot           seed  lost to    in
    -  alphabeta        1  -          -
    -  greedy           3  -          -
    3  mcts             2  greedy     round 1
    3  shell-random     4  alphabeta  round 1
    Order by the rules of the knockout: those that lost in the same round share a place; those without a
    place are still in.

    Bracket
    round    seed  bot        points     seed  bot           winner     by
    round 1     1  alphabeta  1.0 : 1.0     4  shell-random  alphabeta  better seed
    round 1     2  mcts       0.5 : 1.5     3  greedy        greedy     points
    final       1  alphabeta  -             3  greedy        -          -
    ");
    insta::assert_snapshot!(league.csv(Part::Bracket), @r"
    round,match,seed_1,bot_1,points_1,seed_2,bot_2,points_2,winner,by
    1,1,1,alphabeta,1.0,4,shell-random,1.0,alphabeta,seed
    1,2,2,mcts,0.5,3,greedy,1.5,greedy,points
    2,1,1,alphabeta,0.0,3,greedy,0.0,,
    ");
    well_formed(&league.report(html));
    let text = league.report(|report| markdown(report, &Part::ALL));
    assert!(
        text.contains("## Bracket\n\n| round | seed | bot | points | seed | bot | winner | by |"),
        "{text}"
    );
    for width in 50..=120 {
        for line in league.text(&Part::ALL, Some(width)).lines() {
            assert!(line.chars().count() <= width, "{width}: {line:?}");
        }
    }
}

#[test]
fn a_league_without_rules_of_its_own_has_no_ranking_but_the_standings() {
    let league = spring(NAMES);
    let text = league.text(&Part::ALL, None);
    assert!(!text.contains("Ranking") && !text.contains("Bracket"), "{text}");
    let value: serde_json::Value = serde_json::from_str(&league.report(json)).unwrap();
    assert_eq!((&value["ranking"], &value["bracket"]), (&serde_json::json!([]), &serde_json::json!([])));
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
    // The style is in a file of its own, and its digest would change with every colour.
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

    Notes
    - all 0 games have been played
    - no games: ada, bob

    Score by seat
    No game has a result yet.

    Faults
    No bot failed.

    Crosstable
    No game has a result yet.

    How games ended
    No game has a result yet.

    Game lengths
    No record has moves.

    Openings
    All games began from the usual start.

    Ratings over time
    There are too few games or too many bots to show ratings over time.
    ");
    well_formed(&league.report(html));
    let nobody = League::new(&[]);
    assert!(nobody.text(&Part::ALL, None).contains("Notes"));
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
fn columns_without_room_are_left_out_in_order_with_a_note() {
    let league = spring(NAMES);
    let head = |width| {
        let text = league.text(&[Part::Standings], Some(width));
        let titles = text.lines().skip_while(|line| *line != "Standings").nth(1).unwrap();
        let titles = titles.split_whitespace().collect::<Vec<_>>().join(" ");
        let note = text.lines().find(|line| line.starts_with("Left out")).unwrap_or_default().to_owned();
        (titles, note)
    };
    assert_eq!(
        head(120),
        (
            "# bot games points score wins draws losses Elo 95 % faults ms/move depth".to_owned(),
            String::new()
        )
    );
    let (titles, note) = head(84);
    assert_eq!(titles, "# bot games points score wins draws losses Elo 95 % faults");
    assert_eq!(note, "Left out for lack of space: depth, ms/move.");
    let (titles, _) = head(60);
    assert_eq!(titles, "# bot games score Elo 95 % faults");
    let (titles, _) = head(28);
    assert_eq!(titles, "bot score faults", "what decides games in place of play is left out last");
    let (titles, _) = head(20);
    assert_eq!(titles, "bot score");
}

#[test]
fn large_tables_are_shown_in_part_with_a_note() {
    let names: Vec<String> = (0..50).map(|number| format!("bot{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut league = League::new(&names);
    for pair in names.windows(2) {
        let mut record = game([pair[0], pair[1]], [1, 2]);
        record.opening = Some(OpeningRecord { token: None, moves: vec![pair[0].to_owned()] });
        league.add(&record);
    }
    let parts = [Part::Crosstable, Part::Openings];
    let text = league.text(&parts, None);
    assert!(text.contains("The first 40 of 50 are shown; CSV and JSON have all."), "{text}");
    let text = league.text(&parts, Some(100));
    assert!(
        text.contains(
            "Crosstable\nThe crosstable of the first 40 needs 160 columns, but there are 100. Use `--format \
             html --out FILE`"
        ),
        "{text}"
    );
    assert!(text.contains("The 20 most frequent of 49 openings are shown; CSV and JSON have all."), "{text}");
    assert_eq!(league.csv(Part::Crosstable).lines().count(), 1 + 98);
    assert_eq!(league.csv(Part::Openings).lines().count(), 1 + 49);
}

#[test]
fn cells_of_a_large_crosstable_are_narrow_and_the_diagonal_is_marked() {
    let names: Vec<String> = (0..12).map(|number| format!("bot{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut league = League::new(&names);
    let (won, drawn, lost) = ([1, 2], [1, 1], [2, 1]);
    let met: [&[[u8; 2]]; 5] = [&[won], &[drawn], &[lost], &[won, drawn], &[won, won, lost]];
    for (other, games) in names[1..].iter().zip(met) {
        games.iter().for_each(|places| league.add(&game([names[0], other], *places)));
    }
    let cells = |name: &str| {
        let text = league.text(&[Part::Crosstable], Some(100));
        let row = text.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
        let mut cells: Vec<String> = row.split_whitespace().skip(2).map(str::to_owned).collect();
        cells.sort_unstable();
        cells.join(" ")
    };
    assert_eq!(cells("bot00"), "- - - - - - 0 1 1.5/2 2/3 = ×");
    assert_eq!(cells("bot04"), "- - - - - - - - - - 0.5/2 ×");
    let page = league.report(html);
    well_formed(&page);
    for cell in [
        r#"<td class="won">1</td>"#,
        r#"<td class="even">=</td>"#,
        r#"<td class="lost">0</td>"#,
        r#"<td class="ahead">1.5/2</td>"#,
        r#"<td class="behind">0.5/2</td>"#,
        r#"<td class="itself">×</td>"#,
        r#"<td class="unmet">–</td>"#,
    ] {
        assert!(page.contains(cell), "{cell}");
    }
}

#[test]
fn a_page_begins_with_the_standings_and_folds_long_tables() {
    let names: Vec<String> = (0..130).map(|number| format!("bot{number:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let league = League::of(&names, [game([names[0], names[1]], [1, 2])]);
    let page = league.report(html);
    well_formed(&page);
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is missing"));
    assert!(at("id=\"standings\"") < at("id=\"words\"") && at("id=\"words\"") < at("id=\"seats\""));
    assert!(page.contains("<summary>Rows 101 to 130: "));
    let text = league.text(&[Part::Standings], Some(80));
    assert!(text.contains("bot129"), "everyone finds oneself in the standings:\n{text}");
}

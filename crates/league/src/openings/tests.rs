use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::file::{Context, Diagnostic, parse};
use crate::schedule::Schedule;

fn setup(game: &str, options: &[(&str, &str)]) -> Arc<dyn Setup> {
    linesman_games::find(game).unwrap().configure(options).unwrap()
}

#[track_caller]
fn opening(line: &str) -> Opening {
    Opening::parse(line).unwrap()
}

#[test]
fn an_opening_is_moves_or_a_token_and_moves() {
    let moves = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(opening("  c1c5\ta1a5 "), Opening { token: None, moves: moves(&["c1c5", "a1a5"]) });
    let token = "o.x../...../...../...../.....:1:2";
    let from = |moves| Opening { token: Some(token.to_owned()), moves };
    assert_eq!(opening(&format!("token {token} b1b5")), from(moves(&["b1b5"])));
    assert_eq!(opening(&format!("token {token}")), from(Vec::new()));
    assert_eq!(opening(&format!("token {token}  b1b5")).to_string(), format!("token {token} b1b5"));
    for (line, why) in
        [("", "the opening is empty"), ("token", "`token` must be followed by a position token")]
    {
        assert_eq!(Opening::parse(line).unwrap_err().why, why);
    }
}

#[test]
fn an_opening_that_no_game_can_start_from_is_explained() {
    #[track_caller]
    fn check(line: &str, word: usize, why: &str) {
        let error = opening(line).table(&*setup("quixo", &[("size", "3")])).map(drop).unwrap_err();
        assert_eq!(error.word, Some(word), "{error}");
        assert!(error.why.starts_with(why), "{error}");
    }
    check("a1a3 b2b3", 1, "move 2, `b2b3`, can't be played: `b2` is not on the border");
    check("a1a3 hello", 1, "move 2, `hello`, can't be played: a move is two squares");
    check("token ../..:1:0", 1, "invalid position token: ");
    check("token .../.../...:1:0 a1a9", 2, "move 1, `a1a9`, can't be played: ");
    check("c1c3 a2a3 c1c3 a1a3 c1c3 a1a3", 4, "the game is over after move 5: ");
    check("token xxx/oo./...:2:5", 1, "the game is over in this position: ");
}

/// Returns the mistakes of a file, each with its line and column.
fn mistakes(text: &str, for_game: Option<&Arc<dyn Setup>>) -> Vec<String> {
    let mistakes = file::parse(text, for_game).map(drop).unwrap_err();
    let describe = |mistake: &Diagnostic| {
        let start = mistake.annotations[0].span.start;
        let line = text[..start].matches('\n').count() + 1;
        let column = start - text[..start].rfind('\n').map_or(0, |at| at + 1) + 1;
        format!("{line}:{column}: {}", mistake.message)
    };
    mistakes.iter().map(describe).collect()
}

const FILE: &str = "# Two.\r\ngame quixo\noptions size=4 # small\n\n a1a4 b1b4 # the first\n\
                    token .x../..../..../....:2:1 a4a1\n";

#[test]
fn a_file_names_its_game_and_has_one_opening_per_line() {
    let read =
        file::parse(&format!("\u{feff}{FILE}"), None).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    assert_eq!((read.setup.id(), read.setup.options().integer("size")), ("quixo", 4));
    let lines: Vec<(usize, String)> =
        read.openings.iter().map(|placed| (placed.line, placed.opening.to_string())).collect();
    let expected = [(5, "a1a4 b1b4"), (6, "token .x../..../..../....:2:1 a4a1")];
    assert_eq!(lines, expected.map(|(line, text)| (line, text.to_owned())));
    // The limits on endless play don't affect positions.
    let played = setup("quixo", &[("size", "4"), ("max_plies", "30")]);
    let read = file::parse(FILE, Some(&played)).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    assert_eq!(read.setup.options(), played.options());
}

#[test]
fn every_mistake_in_a_file_is_reported_with_its_place() {
    let reported = mistakes("game quixo\n\na1a5 b2b3\na1a5\ntoken x:1\nb1b5 oops\n", None);
    let starts = [
        "3:6: move 2, `b2b3`, can't be played: `b2` is not on the border",
        "5:7: invalid position token: ",
        "6:6: move 2, `oops`, can't be played: a move is two squares",
    ];
    assert_eq!(reported.len(), starts.len(), "{reported:?}");
    assert!(reported.iter().zip(starts).all(|(mistake, start)| mistake.starts_with(start)), "{reported:?}");
    for (text, expected) in [
        ("", "1:1: the file does not name its game"),
        ("a1a5\n", "1:1: the file does not name its game"),
        ("game quixo\n", "1:1: the file contains no openings"),
        ("game quicko\na1a5\n", "1:6: there is no game `quicko`"),
        ("game\na1a5\n", "1:1: `game` must be followed by the name of one game"),
        ("game quixo trexo\na1a5\n", "1:1: `game` must be followed by the name of one game"),
        ("game quixo\ngame quixo\na1a5\n", "2:1: the file names two games"),
        ("game quixo\na1a5\noptions size=5\n", "3:1: `options` must come before the first opening"),
        ("game quixo\noptions size=5 line=4\na1a5\n", "2:1: `options` must be followed by one word"),
        ("game quixo\noptions size=9\na1a5\n", "2:9: option `size` can't be `9`: it must be 3 to 8"),
    ] {
        assert_eq!(mistakes(text, None), [expected], "{text:?}");
    }
}

#[test]
fn a_file_for_another_game_or_other_options_is_refused() {
    let quixo = setup("quixo", &[]);
    assert_eq!(
        mistakes(FILE, Some(&quixo)),
        ["3:9: the openings are for `size=4`, but the game is played with `size=5`"]
    );
    let trexo = setup("trexo", &[]);
    assert_eq!(mistakes(FILE, Some(&trexo)), ["2:6: the openings are for `quixo`, but the game is `trexo`"]);
}

#[test]
fn only_the_first_of_many_mistakes_are_reported() {
    let text = format!("game quixo\n{}", "b2b3\n".repeat(1_000));
    let reported = file::parse(&text, None).map(drop).unwrap_err();
    assert_eq!(reported.len(), 20);
    assert_eq!(reported[19].hint.as_deref(), Some("and 980 more mistakes in this file"));
}

#[test]
fn openings_that_lead_to_symmetric_positions_are_found() {
    let text = "game quixo\na1a5 b1b5\nc1c5\ne1e5 d1d5\nb1b5 a1a5\na5a1 b5b1\n";
    let read = file::parse(text, None).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let alike: Vec<(usize, usize)> = file::alike(&read).iter().map(|pair| (pair.line, pair.first)).collect();
    // One is mirrored, and one is rotated.
    assert_eq!(alike, [(4, 2), (6, 2)]);
}

#[test]
fn a_written_file_can_be_read_again() {
    let tandem = setup("tandem", &[("players", "3"), ("layout", "quick5")]);
    let mut text = file::head(&*tandem, "Made by hand.\nFor three.");
    assert_eq!(
        text,
        "# Made by hand.\n# For three.\ngame tandem\noptions players=3,layout=quick5,line=4,tiles=14,points=3\n\n"
    );
    let mv = linesman_games::legal_moves(&*tandem.start())[0].clone();
    text.push_str(&format!("{mv}\n"));
    let read = file::parse(&text, Some(&tandem)).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    assert_eq!(read.openings[0].opening.moves, [mv]);
    assert_eq!(file::head(&*setup("kengu", &[]), ""), "game kengu\n\n");
}

/// The drawer and the schedule of a tournament with a number of openings.
fn cup(head: &str, bots: &[&str], openings: usize, order: &str) -> (Drawer, Schedule) {
    let list: Vec<String> = ["a1a5", "b1b5", "c1c5", "d1d5", "e1e5", "a2a5", "a3a5"][..openings]
        .iter()
        .map(|text| format!("\"{text}\""))
        .collect();
    let mut text = format!(
        "version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n{head}\nopenings = {{ list = [{}], order = \"{order}\" }}\n",
        list.join(", ")
    );
    for bot in bots {
        text.push_str(&format!("[[bots]]\nname = \"{bot}\"\ncommand = \"./{bot}\"\n"));
    }
    let context = Context::of_file(Path::new("cup.toml"), NonZeroU32::new(2));
    let tournament = parse(&text, &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    (Drawer::of(&tournament).unwrap(), Schedule::of(&tournament).unwrap())
}

/// Returns the id, pair and opening of every game, sorted by id.
fn drawn((drawer, schedule): &(Drawer, Schedule)) -> Vec<(String, String, String)> {
    let mut games: Vec<_> = schedule
        .iter()
        .map(|pairing| {
            let drawn = drawer.draw(&pairing);
            (pairing.id.clone(), drawn.pair.clone(), drawn.opening.to_string())
        })
        .collect();
    games.sort();
    games
}

#[test]
fn both_games_of_an_encounter_start_from_the_same_opening() {
    for order in ["random", "sequential"] {
        let games = drawn(&cup("rounds = 3", &["ada", "bob", "cleo"], 7, order));
        assert_eq!(games.len(), 18);
        let pairs: BTreeSet<&str> = games.iter().map(|(_, pair, _)| pair.as_str()).collect();
        assert_eq!(pairs.len(), 9);
        for pair in pairs {
            let encounter: Vec<_> = games.iter().filter(|(_, key, _)| key == pair).collect();
            let [(one, _, first), (other, _, second)] = encounter.as_slice() else { panic!("{encounter:?}") };
            assert_eq!(first, second);
            let mut seats: Vec<&str> = other.split('~').collect();
            seats[..2].reverse();
            assert_eq!(one.as_str(), seats.join("~"));
        }
    }
}

#[test]
fn the_key_of_an_encounter_has_its_entrants_and_number() {
    let games = drawn(&cup("rounds = 2", &["bob", "ada"], 3, "sequential"));
    let lines: Vec<String> = games.iter().map(|(id, pair, from)| format!("{id} {pair} {from}")).collect();
    assert_eq!(
        lines,
        [
            "ada~bob~1 ada~bob#1 a1a5",
            "ada~bob~2 ada~bob#2 b1b5",
            "bob~ada~1 ada~bob#1 a1a5",
            "bob~ada~2 ada~bob#2 b1b5",
        ]
    );
}

#[test]
fn more_bots_more_rounds_and_another_order_of_bots_change_no_opening() {
    for order in ["random", "sequential"] {
        let before = drawn(&cup("rounds = 2", &["ada", "bob", "cleo"], 5, order));
        let after = drawn(&cup("rounds = 5", &["dan", "cleo", "ada", "eve", "bob"], 5, order));
        assert!(before.iter().all(|game| after.contains(game)));
        let other_seed = drawn(&cup("rounds = 2\nseed = 2", &["ada", "bob", "cleo"], 5, order));
        assert_eq!(before == other_seed, order == "sequential");
    }
}

#[test]
fn appended_openings_change_no_earlier_one_in_sequential_order() {
    let before = drawn(&cup("rounds = 3", &["ada", "bob", "cleo"], 3, "sequential"));
    let after = drawn(&cup("rounds = 3", &["ada", "bob", "cleo"], 7, "sequential"));
    assert_eq!(before, after);
}

#[test]
fn every_opening_is_used_before_any_is_reused() {
    for order in ["random", "sequential"] {
        let games = drawn(&cup("rounds = 14", &["ada", "bob"], 7, order));
        let used_in = |encounters: std::ops::RangeInclusive<usize>| -> BTreeSet<&str> {
            let keys: Vec<String> = encounters.map(|number| format!("ada~bob#{number}")).collect();
            let games = games.iter().filter(|(_, pair, _)| keys.contains(pair));
            games.map(|(_, _, opening)| opening.as_str()).collect()
        };
        assert_eq!((used_in(1..=7).len(), used_in(8..=14).len()), (7, 7));
    }
}

/// The drawer and the schedule of a tournament with one opening: the first legal move of its game.
fn cup_of(game: &str, options: &[(&str, &str)], rounds: u32, bots: &str) -> (Drawer, Schedule) {
    let mv = linesman_games::legal_moves(&*setup(game, options).start())[0].clone();
    let options: Vec<String> = options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let options = options.join(", ");
    let mut text = format!(
        "version = 1\ngame = \"{game}\"\noptions = {{ {options} }}\nmovetime = \"1s\"\nrounds = {rounds}\n\
         openings.list = [\"{mv}\"]\n"
    );
    for bot in bots.chars() {
        text.push_str(&format!("[[bots]]\nname = \"{bot}\"\ncommand = \"./{bot}\"\n"));
    }
    if game == "quixo-teams" {
        text.push_str("[[teams]]\nname = \"reds\"\nbots = [\"a\", \"b\"]\n");
        text.push_str("[[teams]]\nname = \"blues\"\nbots = [\"c\", \"d\"]\n");
    }
    let context = Context::of_file(Path::new("cup.toml"), NonZeroU32::new(2));
    let tournament = parse(&text, &context).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    (Drawer::of(&tournament).unwrap(), Schedule::of(&tournament).unwrap())
}

#[test]
fn in_an_encounter_of_three_or_four_every_entrant_has_every_seat_once() {
    for (players, pairs) in [("3", 2 * 4), ("4", 2)] {
        let (drawer, schedule) = cup_of("tandem", &[("players", players)], 2, "abcd");
        let seats: usize = players.parse().unwrap();
        let mut games: std::collections::BTreeMap<String, Vec<Vec<usize>>> = Default::default();
        for pairing in schedule.iter() {
            let bots = pairing.bots.values().copied().collect();
            games.entry(drawer.draw(&pairing).pair).or_default().push(bots);
        }
        assert_eq!(games.len(), pairs);
        for encounter in games.values() {
            assert_eq!(encounter.len(), seats);
            for seat in 0..seats {
                let bots: BTreeSet<usize> = encounter.iter().map(|bots| bots[seat]).collect();
                assert_eq!(bots.len(), seats, "{encounter:?}");
            }
        }
    }
}

#[test]
fn the_key_of_an_encounter_of_teams_has_their_names() {
    let games = drawn(&cup_of("quixo-teams", &[], 2, "abcd"));
    let pairs: Vec<&str> = games.iter().map(|(_, pair, _)| pair.as_str()).collect();
    assert_eq!(pairs.len(), 4);
    for number in 1..=2 {
        let key = format!("blues~reds#{number}");
        let first: Vec<&str> =
            games.iter().filter(|(_, pair, _)| *pair == key).map(|(id, ..)| &id[..1]).collect();
        assert_eq!(first.len(), 2, "{games:?}");
        assert_ne!("ab".contains(first[0]), "ab".contains(first[1]), "each team begins once: {games:?}");
    }
}

//! The engine that plays from the table of a solved game.

use std::num::NonZero;
use std::sync::OnceLock;

use crate::house::{answers, best_move, bot, play, set_up};
use linesman_engines::solve::{Solved, SolvedTable, solve};
use linesman_engines::{Engine, UgiBot};
use linesman_types::seat::Seat;

fn solved() -> &'static Solved {
    static SOLVED: OnceLock<Solved> = OnceLock::new();
    SOLVED.get_or_init(|| {
        let setup = set_up("quixo", "size=3");
        solve("quixo", setup.options(), NonZero::<usize>::MIN, &mut |_| {}).expect("the game is small")
    })
}

fn perfect() -> UgiBot {
    UgiBot::new(Engine::Perfect, Engine::Perfect.settings().with_table(solved().table.clone()))
}

#[test]
fn a_won_game_is_won_as_quickly_as_the_table_says() {
    let setup = set_up("quixo", "size=3");
    let within = solved().all.and_then(|all| all.start_plies).expect("the start is won");
    for (engine, settings) in
        [(Engine::Random, ""), (Engine::Greedy, ""), (Engine::AlphaBeta, "Nodes=500,Hash=1")]
    {
        let (mut perfect, mut other) = (perfect(), bot(engine, settings));
        for game in 0..5 {
            let id = format!("perfect~other~{game}");
            let (table, moves) = play(&mut [&mut perfect, &mut other], &*setup, &id);
            let ending = table.ending().expect("the game is over");
            assert_eq!(ending.places[Seat::FIRST].number(), 1, "{moves:?}");
            assert!(moves.len() <= within as usize, "{} plies: {moves:?}", moves.len());
        }
    }
}

#[test]
fn a_lost_game_lasts_as_long_as_the_table_says() {
    let setup = set_up("quixo", "size=3");
    let within = solved().all.and_then(|all| all.start_plies).expect("the start is won");
    let (table, moves) = play(&mut [&mut perfect(), &mut perfect()], &*setup, "perfect~perfect~1");
    let ending = table.ending().expect("the game is over");
    assert_eq!((moves.len(), ending.places[Seat::FIRST].number()), (within as usize, 1), "{moves:?}");
}

#[test]
fn a_win_beyond_the_limit_on_plies_is_a_draw() {
    let setup = set_up("quixo", "size=3,max_plies=3");
    let header = format!("game quixo seat 1 seats 2 id test options {}", setup.options());
    let said =
        answers(&mut perfect(), &[&header, "position startpos", "go movetime 1000"]).expect("it follows");
    assert!(said[0].contains("string draw"), "{said:?}");
}

#[test]
fn a_mistake_of_the_first_seat_is_punished() {
    // Almost every first move gives the second seat a win.
    let setup = set_up("quixo", "size=3");
    let mut won = 0;
    for game in 0..20 {
        let (mut perfect, mut other) = (perfect(), bot(Engine::Random, ""));
        let (table, _) = play(&mut [&mut other, &mut perfect], &*setup, &format!("random~perfect~{game}"));
        let ending = table.ending().expect("the game is over");
        won += usize::from(ending.places[Seat::SECOND].number() == 1);
    }
    assert!(won >= 15, "{won} of 20");
}

/// Creates a bot with an empty table of Kengu, so that it has to prove its moves.
fn with_empty_table() -> UgiBot {
    const TABLE: &str = "linesman table 1\ngame kengu\noptions \nversion 1\nkind keyed\nbytes 0\n\
        sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n\n";
    let table = SolvedTable::read(&mut TABLE.as_bytes()).expect("it is a table");
    UgiBot::new(Engine::Perfect, Engine::Perfect.settings().with_table(table))
}

#[test]
fn a_limit_of_work_is_kept_and_gives_the_same_move_again() {
    let quixo = format!("game quixo seat 1 seats 2 id test options {}", set_up("quixo", "size=3").options());
    let best = |go: &str| {
        best_move(&answers(&mut perfect(), &[&quixo, "position startpos", go]).expect("it follows"))
    };
    // Positions in the table need no search.
    for go in ["go nodes 1", "go nodes 5000", "go depth 1", "go depth 9"] {
        assert_eq!(best(go), best("go movetime 1000"), "{go}");
    }
    let kengu = format!("game kengu seat 1 seats 2 id test options {}", set_up("kengu", "").options());
    for go in ["go nodes 1", "go nodes 300", "go nodes 5000", "go depth 1", "go depth 3"] {
        let lines = [&kengu, "position startpos", go];
        let alone = answers(&mut with_empty_table(), &lines).expect("it follows");
        let max = go.strip_prefix("go nodes ").map(|number| number.parse::<u64>().expect("a number"));
        for line in &alone {
            let nodes = line.split_once(" nodes ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
            let visited: Option<u64> = nodes;
            assert!(visited.zip(max).is_none_or(|(visited, max)| visited <= max), "{go}: {line}");
        }
        // The same order gives the same move, whatever was proven before.
        let mut bot = with_empty_table();
        answers(&mut bot, &[&kengu, "position startpos", "go nodes 20000"]).expect("it follows");
        let later = answers(&mut bot, &["position startpos", go]).expect("it follows");
        assert_eq!(later, alone, "{go}");
    }
}

#[track_caller]
fn refused(bot: &mut UgiBot, options: &str, expected: &str) {
    let header = format!("game {options}");
    let error = answers(bot, &[&header, "isready"]).expect_err("the bot can't play this");
    let cause = std::error::Error::source(&error).expect("it says why");
    assert_eq!(cause.to_string(), expected);
}

#[test]
fn a_table_of_another_game_is_refused() {
    refused(
        &mut perfect(),
        "quixo seat 1 seats 2 id test options size=4",
        "the table is for quixo size=3, not for quixo size=4",
    );
    refused(
        &mut perfect(),
        "kengu seat 1 seats 2 id test options",
        "the table is for quixo size=3, not for kengu",
    );
    let mut without = UgiBot::new(Engine::Perfect, Engine::Perfect.settings());
    refused(&mut without, "quixo seat 1 seats 2 id test options size=3", "there is no table to play from");
}

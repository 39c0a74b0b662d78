//! How well the engines play, in small; `strength` prints it at large.

use super::house::{answers, best_move, bot, play, set_up, tally};
use crate::engines::Engine;
use crate::games::Table;
use crate::seat::Seat;

/// The settings of a search that is small and has no clock in it.
const SMALL: &str = "Nodes=20000,Hash=1";

#[test]
fn whole_games_are_legal_whoever_plays() {
    let settings = |engine| if engine == Engine::AlphaBeta { "Nodes=300,Hash=1" } else { "" };
    for (one, other, options, games) in [
        (Engine::Random, Engine::Greedy, "", 20),
        (Engine::Random, Engine::Random, "size=8", 3),
        (Engine::Greedy, Engine::Greedy, "size=3,repetition=2", 3),
        (Engine::AlphaBeta, Engine::Random, "size=3", 3),
        (Engine::AlphaBeta, Engine::AlphaBeta, "size=4,max_plies=30", 2),
        (Engine::AlphaBeta, Engine::Greedy, "max_plies=20,repetition=0", 2),
    ] {
        let (mut one, mut other) = (bot(one, settings(one)), bot(other, settings(other)));
        let setup = set_up("quixo", options);
        assert_eq!(tally(&mut one, &mut other, &*setup, games).iter().sum::<usize>(), games);
    }
}

#[test]
fn the_same_seed_and_game_make_the_same_moves() {
    let setup = set_up("quixo", "");
    let game = |engine, settings: &str, id: &str| {
        let (mut one, mut other) = (bot(engine, settings), bot(Engine::Random, ""));
        // What was played before must not matter.
        if id.ends_with("again") {
            play(&mut [&mut other, &mut one], &*setup, "warm up");
        }
        play(&mut [&mut one, &mut other], &*setup, id.trim_end_matches(" again")).1
    };
    for (engine, settings, reseeded) in [
        (Engine::Random, "", "Seed=1"),
        (Engine::Greedy, "", "Seed=1"),
        (Engine::AlphaBeta, "Nodes=2000,Hash=1", "Nodes=2000,Hash=1,Seed=1"),
    ] {
        let moves = game(engine, settings, "a~b~1");
        assert_eq!(moves, game(engine, settings, "a~b~1 again"), "{engine:?}");
        assert_ne!(moves, game(engine, settings, "a~b~2"), "{engine:?}");
        assert_ne!(moves, game(engine, reseeded, "a~b~1"), "{engine:?}");
    }
}

/// The table after the engine's move in a position.
fn after_move(engine: Engine, settings: &str, token: &str) -> Box<dyn Table> {
    let setup = set_up("quixo", "");
    let header = format!("game quixo seat 1 seats 2 id test options {}", setup.options());
    let position = format!("position fen {token}");
    let mut table = setup.from_token(token).expect("the position can be read");
    let said = answers(&mut bot(engine, settings), &[&header, &position, "go movetime 3600000"]);
    table.play(&best_move(&said.expect("the bot follows"))).expect("the move is legal");
    table
}

fn won_by(table: &dyn Table, seat: Seat) -> bool {
    table.ending().is_some_and(|ending| ending.places[seat].number() == 1)
}

fn replies(table: &dyn Table) -> Vec<Box<dyn Table>> {
    let moves = crate::games::table::legal_moves(table);
    let reply = |text: &String| {
        let mut next = table.fork();
        next.play(text).expect("listed moves are legal");
        next
    };
    moves.iter().map(reply).collect()
}

/// Both engines that look ahead.
const LOOKING: [(Engine, &str); 2] = [(Engine::Greedy, ""), (Engine::AlphaBeta, SMALL)];

#[test]
fn a_win_in_one_is_taken() {
    for token in [
        "...../.o.o./...../..o../xxxx.:1:8",
        "o.o../...../x..../.o.../xx.xx:1:10",
        "x.x../.x.../..x../.x.../oooo.:2:9",
    ] {
        let table = set_up("quixo", "").from_token(token).expect("the position can be read");
        let mover = table.to_move();
        for (engine, settings) in LOOKING {
            assert!(won_by(&*after_move(engine, settings, token), mover), "{engine:?} in {token}");
        }
    }
}

#[test]
fn a_loss_in_one_is_avoided() {
    for token in [
        "...../.x.x./...../..x../oooo.:1:8",
        "x.x../.x.../...../o..../oooo.:1:10",
        "ox.x./xo.../..o.x/.x.ox/.x...:1:14",
    ] {
        let table = set_up("quixo", "").from_token(token).expect("the position can be read");
        let loses = |after: &dyn Table| {
            won_by(after, Seat::SECOND) || replies(after).iter().any(|next| won_by(&**next, Seat::SECOND))
        };
        let losing = replies(&*table).iter().filter(|after| loses(&***after)).count();
        assert!((1..replies(&*table).len()).contains(&losing), "{losing} moves lose in {token}");
        for (engine, settings) in LOOKING {
            assert!(!loses(&*after_move(engine, settings, token)), "{engine:?} in {token}");
        }
    }
}

#[test]
fn search_beats_greed_and_greed_beats_chance() {
    let setup = set_up("quixo", "");
    let check = |one: (Engine, &str), other: (Engine, &str), games, least: f64| {
        let [wins, draws, losses] = tally(&mut bot(one.0, one.1), &mut bot(other.0, other.1), &*setup, games);
        let score = wins as f64 + draws as f64 / 2.0;
        assert!(score >= least, "{one:?} against {other:?}: +{wins} ={draws} -{losses}");
    };
    let (search, greedy, random) = ((Engine::AlphaBeta, SMALL), (Engine::Greedy, ""), (Engine::Random, ""));
    check(search, random, 10, 9.5);
    check(search, greedy, 10, 9.0);
    check(greedy, random, 20, 18.0);
}

/// Prints how the engines fare against each other:
/// `cargo test --release --lib engines::tests::play::strength -- --ignored --nocapture`
#[test]
#[ignore = "measures, proves nothing"]
fn strength() {
    for options in ["size=4", "size=5", "size=6"] {
        let setup = set_up("quixo", options);
        for ((one, one_settings), (other, other_settings), games) in [
            ((Engine::Greedy, ""), (Engine::Random, ""), 100),
            ((Engine::AlphaBeta, "Nodes=100000"), (Engine::Random, ""), 100),
            ((Engine::AlphaBeta, "Nodes=100000"), (Engine::Greedy, ""), 100),
            ((Engine::AlphaBeta, "Nodes=100000"), (Engine::AlphaBeta, "Nodes=10000,Seed=1"), 40),
        ] {
            let stopwatch = crate::engines::time::Stopwatch::start();
            let (mut one_bot, mut other_bot) = (bot(one, one_settings), bot(other, other_settings));
            let [wins, draws, losses] = tally(&mut one_bot, &mut other_bot, &*setup, games);
            println!(
                "{options}: {} {one_settings} - {} {other_settings}: +{wins} ={draws} -{losses} in {:.1?}",
                one.name(),
                other.name(),
                stopwatch.elapsed()
            );
        }
    }
}

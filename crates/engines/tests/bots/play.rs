//! The strength of the engines in a few games. `docs/reference/built-in-bots.md` has measurements.

use crate::house::{answers, best_move, bot, play, set_up, tally};
use linesman_engines::Engine;
use linesman_games::Table;
use linesman_types::seat::Seat;

/// The settings of a small search that does not depend on the clock.
const SMALL: &str = "Nodes=20000,Hash=1";

/// Lets engines with small searches play a game, and checks every move by the rules.
fn play_through(engines: &[Engine], game: &str, options: &str) {
    let settings = |engine| match engine {
        Engine::AlphaBeta | Engine::Mcts => "Nodes=300,Hash=1",
        _ => "",
    };
    let mut bots: Vec<_> = engines.iter().map(|engine| bot(*engine, settings(*engine))).collect();
    let (table, _) = play(&mut bots.iter_mut().collect::<Vec<_>>(), &*set_up(game, options), "a~b~1");
    assert!(table.is_over(), "{game} {options}");
}

#[test]
fn all_engines_play_whole_games_with_legal_moves() {
    use Engine::{AlphaBeta, Greedy, Mcts, Random};
    for (engines, options) in [
        ([Random, Random], "size=8"),
        ([Greedy, Greedy], "size=3,repetition=2"),
        ([AlphaBeta, Random], "size=3"),
        ([AlphaBeta, Mcts], "size=4,max_plies=30"),
        ([Mcts, Greedy], "max_plies=20,repetition=0"),
    ] {
        play_through(&engines, "quixo", options);
    }
    for game in linesman_games::GAMES {
        let seats = set_up(game.id, "").teams().seats();
        for first in 0..4 {
            let engines: Vec<_> =
                (0..seats).map(|seat| [Random, Greedy, AlphaBeta, Mcts][(first + seat) % 4]).collect();
            play_through(&engines, game.id, "");
        }
    }
    play_through(&[Mcts, AlphaBeta, Greedy], "tandem", "players=3,max_plies=60");
    play_through(&[AlphaBeta, Mcts, Mcts, Random], "tandem", "players=4,max_plies=60");
}

/// The number of positions that an engine visits if it has no time.
fn visited_without_time(engine: Engine, game: &str, options: &str, token: &str) -> u64 {
    let setup = set_up(game, options);
    let seats = setup.teams().seats();
    let header = format!("game {game} seat 1 seats {seats} id test options {}", setup.options());
    let lines = [&header, &format!("position fen {token}"), "go movetime 0"];
    let said = answers(&mut bot(engine, ""), &lines.map(|line| line as &str)).expect("the bot follows");
    let mut table = setup.from_token(token).expect("the position can be read");
    table.play(&best_move(&said)).expect("the move is legal");
    let nodes = said.iter().rev().find_map(|line| line.split_once(" nodes "));
    nodes.and_then(|(_, rest)| rest.split(' ').next()?.parse().ok()).expect("engines say what they visited")
}

#[test]
fn thousands_of_moves_do_not_make_an_engine_late() {
    // The stocks are empty, so every tile can slide everywhere.
    let token =
        "12..12/..12../12..12/.1..2./2.1..1/..2.1.|1..2.1/.21.../2..1.2/1.2.1./...2.1/2.1..2:1:60:0,0:0,1:0";
    let options = "players=2,tiles=17";
    let moves = set_up("tandem", options).from_token(token).expect("the position can be read");
    let number = linesman_games::table::legal_moves(&*moves).len();
    assert!(number > 4_500, "{number} moves");
    for (engine, max) in [(Engine::Greedy, 4_200), (Engine::AlphaBeta, 200), (Engine::Mcts, 200)] {
        let visited = visited_without_time(engine, "tandem", options, token);
        assert!(visited <= max, "{engine:?} visited {visited} positions");
    }
}

#[test]
fn the_same_seed_and_game_give_the_same_moves() {
    let setup = set_up("quixo", "");
    let game = |engine, settings: &str, id: &str| {
        let (mut one, mut other) = (bot(engine, settings), bot(Engine::Random, ""));
        // Games that were played before must not matter.
        if id.ends_with("again") {
            play(&mut [&mut other, &mut one], &*setup, "warm up");
        }
        play(&mut [&mut one, &mut other], &*setup, id.trim_end_matches(" again")).1
    };
    for (engine, settings, reseeded) in [
        (Engine::Random, "", "Seed=1"),
        (Engine::Greedy, "", "Seed=1"),
        (Engine::AlphaBeta, "Nodes=2000,Hash=1", "Nodes=2000,Hash=1,Seed=1"),
        (Engine::Mcts, "Nodes=2000,Hash=1", "Nodes=2000,Hash=1,Seed=1"),
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
    let moves = linesman_games::table::legal_moves(table);
    let reply = |text: &String| {
        let mut next = table.fork();
        next.play(text).expect("listed moves are legal");
        next
    };
    moves.iter().map(reply).collect()
}

/// The engines that look ahead, with settings.
const LOOKING_AHEAD: [(Engine, &str); 3] =
    [(Engine::Greedy, ""), (Engine::AlphaBeta, SMALL), (Engine::Mcts, SMALL)];

#[test]
fn a_win_in_one_is_taken() {
    for token in [
        "...../.o.o./...../..o../xxxx.:1:8",
        "o.o../...../x..../.o.../xx.xx:1:10",
        "x.x../.x.../..x../.x.../oooo.:2:9",
    ] {
        let table = set_up("quixo", "").from_token(token).expect("the position can be read");
        let mover = table.to_move();
        for (engine, settings) in LOOKING_AHEAD {
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
        for (engine, settings) in LOOKING_AHEAD {
            assert!(!loses(&*after_move(engine, settings, token)), "{engine:?} in {token}");
        }
    }
}

#[test]
fn searches_beat_greedy_and_greedy_beats_random() {
    let setup = set_up("quixo", "");
    let check = |one: (Engine, &str), other: (Engine, &str), games, min_score: f64| {
        let [wins, draws, losses] = tally(&mut bot(one.0, one.1), &mut bot(other.0, other.1), &*setup, games);
        let score = wins as f64 + draws as f64 / 2.0;
        assert!(score >= min_score, "{one:?} against {other:?}: +{wins} ={draws} -{losses}");
    };
    let (greedy, random) = ((Engine::Greedy, ""), (Engine::Random, ""));
    for (search, min_score) in [(Engine::AlphaBeta, 8.0), (Engine::Mcts, 7.0)] {
        check((search, SMALL), random, 10, 9.5);
        check((search, SMALL), greedy, 10, min_score);
    }
    check(greedy, random, 20, 18.0);
}

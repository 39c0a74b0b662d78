//! Bots with a limited amount of work, or that think until they are stopped.

use crate::house::{answers, best_move, bot, set_up};
use linesman_engines::{Engine, play_ugi};
use linesman_protocol::{FromBot, Said};

/// The engines that need no table.
const ENGINES: [Engine; 4] = [Engine::Random, Engine::Greedy, Engine::AlphaBeta, Engine::Mcts];

/// Games with few moves in a position, and games with many.
const GAMES: [(&str, &str); 5] =
    [("quixo", ""), ("quixo-teams", ""), ("trexo", ""), ("kengu", ""), ("tandem", "players=3")];

fn header(game: &str, options: &str) -> String {
    let setup = set_up(game, options);
    format!("game {game} seat 1 seats {} id a~b~1 options {}", setup.teams().seats(), setup.options())
}

/// Lets a bot move. Returns the reports of its search, and the move.
fn search(engine: Engine, lines: &[&str]) -> (Vec<Said>, String) {
    let said = answers(&mut bot(engine, "Seed=3"), lines).expect("nothing is wrong with the lines");
    let infos = said.iter().filter_map(|line| match FromBot::parse(line.as_bytes()) {
        Ok(FromBot::Info(said)) => Some(said),
        Ok(_) | Err(_) => None,
    });
    (infos.collect(), best_move(&said))
}

#[test]
fn no_more_positions_are_visited_than_the_order_allows() {
    for (game, options) in GAMES {
        let header = header(game, options);
        for engine in ENGINES {
            for nodes in [1, 2, 7, 63, 64, 65, 500] {
                let go = format!("go nodes {nodes}");
                let (said, mv) = search(engine, &[&header, "position startpos", &go]);
                let visited = said.last().and_then(|said| said.nodes).unwrap_or(0);
                assert!(visited <= nodes, "{} in {game} visits {visited} of {nodes}", engine.name());
                set_up(game, options).start().play(&mv).expect("the move is legal");
            }
        }
    }
}

#[test]
fn the_same_order_gives_the_same_move_whatever_was_searched_before() {
    let go = ["position startpos moves c1c5 a1a5", "go nodes 3000"];
    for order in ["go nodes 3000", "go depth 3"] {
        let header = header("quixo", "");
        for engine in ENGINES {
            let alone = search(engine, &[&header, go[0], order]);
            let before = [&header, "position startpos", "go nodes 5000", go[0], go[1], go[0], order];
            let later = search(engine, &before);
            assert_eq!(later.1, alone.1, "{}", engine.name());
            assert!(later.0.ends_with(&alone.0), "{}: {later:?} after {alone:?}", engine.name());
        }
    }
}

#[test]
fn a_search_has_the_depth_of_the_order() {
    let header = header("quixo", "");
    for depth in 1..=3 {
        let go = format!("go depth {depth}");
        for engine in [Engine::AlphaBeta, Engine::Mcts] {
            let (said, _) = search(engine, &[&header, "position startpos moves c1c5", &go]);
            assert_eq!(said.last().and_then(|said| said.depth), Some(depth), "{}", engine.name());
        }
    }
}

/// The output of a bot that is told to think without a limit, with these lines after the order.
fn analysis(engine: Engine, lines: &str) -> Vec<String> {
    let input = format!("{}\nposition startpos\ngo infinite\n{lines}", header("quixo", ""));
    let mut output = Vec::new();
    play_ugi(engine, engine.settings(), input.as_bytes(), &mut output).expect("nothing is wrong");
    String::from_utf8(output).expect("bots write text").lines().map(str::to_owned).collect()
}

#[test]
fn a_bot_thinks_until_it_is_stopped_and_listens_meanwhile() {
    for engine in ENGINES {
        let said = analysis(engine, "isready\ngo movetime 5\nstop\nstop\nisready\n");
        let without_infos = said.iter().filter(|line| !line.starts_with("info "));
        let verbs: Vec<&str> = without_infos.filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(verbs, ["readyok", "bestmove", "readyok"], "{}", engine.name());
    }
}

#[test]
fn a_bot_ponders_until_stop_or_ponderhit() {
    for engine in [Engine::AlphaBeta, Engine::Mcts] {
        for end in ["stop", "ponderhit"] {
            let header = header("quixo", "").replace(" options", " ponder options");
            let input = format!(
                "{header}\nposition startpos moves a1a5 b1b5\ngo ponder movetime 20\nisready\ngo movetime 5\n{end}\nisready\n"
            );
            let mut output = Vec::new();
            play_ugi(engine, engine.settings(), input.as_bytes(), &mut output).expect("nothing is wrong");
            let said = String::from_utf8(output).expect("bots write text");
            let verbs: Vec<&str> = said
                .lines()
                .filter(|line| !line.starts_with("info "))
                .filter_map(|line| line.split(' ').next())
                .collect();
            assert_eq!(verbs, ["readyok", "bestmove", "readyok"], "{} {end}: {said}", engine.name());
        }
        // It names the moves that it expects only if it may ponder.
        let line = |header: &str| {
            let lines = [header, "position startpos", "go nodes 5000"];
            answers(&mut bot(engine, "Seed=3"), &lines).expect("nothing is wrong").pop().expect("it answers")
        };
        let plain = header("quixo", "");
        assert!(
            line(&plain.replace(" options", " ponder options")).contains(" ponder "),
            "{}",
            engine.name()
        );
        assert!(!line(&plain).contains(" ponder "), "{}", engine.name());
    }
}

#[test]
fn quit_and_the_end_of_the_input_stop_a_bot() {
    for lines in ["quit\nisready\n", "", "isready"] {
        let said = analysis(Engine::Mcts, lines);
        assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{said:?}");
    }
}

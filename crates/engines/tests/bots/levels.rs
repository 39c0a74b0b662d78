//! The table of levels, and the play of the levels.

use crate::house::{answers, best_move, bot, play, set_up, tally};
use linesman_engines::Engine;
use linesman_engines::levels::{LEVELS, Level, UNMEASURED};
use linesman_games::{Game, Setup};

/// Every game with each number of seats that it can have, and the options for that number.
fn contests() -> Vec<(&'static Game, String)> {
    let mut contests = Vec::new();
    for game in linesman_games::GAMES {
        let has_players = game.options.iter().any(|option| option.name == "players");
        for seats in game.seats() {
            contests.push((game, if has_players { format!("players={seats}") } else { String::new() }));
        }
    }
    contests
}

#[test]
fn every_game_has_ten_levels_of_increasing_strength() {
    for (game, options) in contests() {
        let seats = set_up(game.id, &options).teams().seats();
        let levels: Vec<Level> = (1..=LEVELS).map(|number| Level::find(game.id, seats, number)).collect();
        // Either all levels of a game were measured together, or none.
        assert!(levels.iter().all(|level| level.game == levels[0].game), "{} {seats}", game.id);
        let elo = |level: &Level| level.measured.map(|measured| measured.elo);
        let rises = levels.is_sorted_by(|lower, upper| match (elo(lower), elo(upper)) {
            (Some(lower), Some(upper)) => lower < upper,
            (lower, upper) => lower == upper,
        });
        assert!(rises, "{} {seats}", game.id);
        assert_eq!(levels[0].strength.random, 1_000);
        assert_eq!(levels[9].strength.random + levels[9].strength.greedy, 0);
    }
}

#[test]
fn engines_accept_every_level_of_the_table() {
    assert!((1..=LEVELS).all(|number| Level::find("chess", 2, number).game == UNMEASURED));
    for level in Level::all() {
        let strength = level.strength;
        assert!(strength.random + strength.greedy <= 1_000, "{level:?}");
        let mut settings = strength.search.settings();
        settings.set("Nodes", &strength.nodes.to_string()).expect("the search takes this number");
        assert!(level.game == UNMEASURED || linesman_games::find(level.game).is_some(), "{level:?}");
    }
}

/// Plays up to `max_moves` moves of a game between bots of a level, with `movetime` milliseconds for each move.
fn first_moves(setup: &dyn Setup, level: u8, max_moves: usize, movetime: u32) -> Vec<String> {
    let seats = setup.teams().seats();
    let mut bots: Vec<_> = (0..seats).map(|_| bot(Engine::Level, &format!("Level={level},Seed=3"))).collect();
    let mut table = setup.start();
    let mut moves: Vec<String> = Vec::new();
    while !table.is_over() && moves.len() < max_moves {
        let seat = table.to_move();
        let header =
            format!("game {} seat {seat} seats {seats} id a~b~1 options {}", setup.id(), setup.options());
        let position = format!("position startpos moves {}", moves.join(" "));
        let go = format!("go movetime {movetime}");
        let said = answers(&mut bots[seat.index()], &[&header, position.trim_end_matches(" moves "), &go]);
        let mv = best_move(&said.expect("bots follow legal games"));
        table.play(&mv).expect("bots play legal moves");
        moves.push(mv);
    }
    moves
}

#[test]
fn the_same_seed_gives_the_same_moves_whatever_the_time_is() {
    for (game, options) in contests() {
        let setup = set_up(game.id, &options);
        for (level, max_moves) in [(2, 400), (10, 3)] {
            let moves = first_moves(&*setup, level, max_moves, 3_600_000);
            assert_eq!(moves, first_moves(&*setup, level, max_moves, 900_000), "{} level {level}", game.id);
            assert!(!moves.is_empty());
        }
    }
}

#[test]
fn too_little_time_ends_the_search_and_is_reported() {
    let said = answers(
        &mut bot(Engine::Level, "Level=10"),
        &["game quixo seat 1 seats 2 id a~b~1 options size=5", "position startpos", "go movetime 1"],
    );
    let said = said.expect("the bot follows");
    best_move(&said);
    let remark = "info string there was too little time for this level: the move may be weaker";
    assert!(said.iter().any(|line| line == remark), "{said:?}");
}

#[test]
fn a_higher_level_wins() {
    let setup = set_up("quixo", "");
    let [wins, draws, losses] =
        tally(&mut bot(Engine::Level, "Level=4"), &mut bot(Engine::Level, "Level=1"), &*setup, 12);
    assert!(wins > losses + 4, "+{wins} ={draws} -{losses}");
}

#[test]
fn games_of_levels_are_legal_to_their_end() {
    for (game, options) in contests() {
        let setup = set_up(game.id, &options);
        let levels = [3, 1, 4, 2];
        let mut bots: Vec<_> = (0..setup.teams().seats())
            .map(|seat| bot(Engine::Level, &format!("Level={}", levels[seat])))
            .collect();
        let (table, _) = play(&mut bots.iter_mut().collect::<Vec<_>>(), &*setup, "a~b~1");
        assert!(table.is_over());
    }
}

//! Records of made-up games, for tests.

use std::time::Duration;

use linesman_games::legal_moves;
use linesman_types::seat::BySeat;
use linesman_types::verdict::{Cause, Verdict};

use crate::{GameRecord, SaidRecord, SeatRecord};

/// The record of a game of Quixo that two bots played at random. The same seed gives the same record.
pub fn played(seed: u64) -> GameRecord {
    played_with(seed, "greedy", "random")
}

/// The same for bots with these names.
pub fn played_with(seed: u64, first: &str, second: &str) -> GameRecord {
    let size = (3 + seed % 4).to_string();
    let game = linesman_games::find("quixo").expect("it is one of ours");
    let setup = game.configure(&[("size", &size), ("max_plies", "60")]).expect("the options are good");
    let mut record = GameRecord {
        v: 1,
        id: format!("{first}~{second}~{}", seed + 1),
        attempt: 1,
        league: Some("demo".to_owned()),
        game: "quixo".to_owned(),
        seats: [first, second]
            .map(|name| SeatRecord { name: name.to_owned(), ..SeatRecord::default() })
            .to_vec(),
        time_control: Some("movetime=1s".to_owned()),
        margin_ms: Some(50),
        moves: Some(Vec::new()),
        seed: Some(seed),
        software: Some("linesman 0.1.0".to_owned()),
        started: Some("2026-11-21T12:00:00Z".to_owned()),
        duration_ms: Some(123),
        ..GameRecord::default()
    };
    record.set_options(setup.options());
    let mut table = setup.start();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while !table.is_over() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves = legal_moves(&*table);
        let text = &moves[(state >> 33) as usize % moves.len()];
        table.play(text).expect("it is legal");
        let depth = (state >> 60 != 0).then_some((state >> 60) as u32);
        record.push_move(
            text,
            Duration::from_micros(state >> 50),
            SaidRecord { depth, ..SaidRecord::default() },
        );
    }
    let ending = table.ending().expect("the game is over");
    let verdict = Verdict::Finished {
        places: BySeat::clone(&ending.places),
        cause: Cause::Rules(ending.reason),
        faults: Vec::new(),
    };
    record.set_verdict(&verdict, &ending.marks, table.teams());
    record
}

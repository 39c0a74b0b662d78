//! Messages for tests, which change the fields that matter to them.

use linesman_record::GameRecord;

use super::{GameReport, PackedGame, SeatReport};

/// Returns a game of two bots.
pub(crate) fn packed_game(index: u64) -> PackedGame {
    PackedGame {
        index,
        id: format!("a~b~{index}"),
        attempt: 1,
        try_of_run: 1,
        bots: vec![0, 1],
        entrants: vec![0, 1],
        times: 1,
        encounter: 1,
        seed: index,
        ..PackedGame::default()
    }
}

/// Returns the report on a game with this record.
pub(crate) fn game_report(record: &GameRecord) -> GameReport {
    let seat = SeatReport { moves: 1, was_ready: true, ..SeatReport::default() };
    let record = record.to_line().expect("it is a record");
    GameReport { record, seats: vec![seat.clone(), seat], ..GameReport::default() }
}

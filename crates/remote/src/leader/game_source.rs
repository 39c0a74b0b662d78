//! Where a leader gets its games, and where it brings what came of them.

use std::time::Duration;

use crate::wire::{GameReport, PackedGame};
use linesman_league::elsewhere::Agreement;
use linesman_record::GameRecord;

/// The games of a league, as its leader asks for them.
pub trait GameSource {
    /// The next game.
    fn next(&mut self, at: Duration) -> NextPacked;
    /// A game begins in a place that is shown, counted from 0.
    fn began(&mut self, number: u64, place: usize);
    /// Takes what came of a game, and says how long it took.
    ///
    /// # Errors
    /// The reason why it can't be true.
    fn take(&mut self, number: u64, record: GameRecord, report: GameReport) -> Result<Duration, String>;
    /// Gives up a game that nobody could play, such as one that kills its workers: after
    /// [`MOST_DELIVERIES`](super::MOST_DELIVERIES).
    fn give_up(&mut self, number: u64);
    /// Maximum number of games that are neither played nor out.
    fn left(&self) -> u64;
    /// True if the choice of each game follows from the results so far: then as many are out as are played, each in a
    /// pack of its own.
    fn follow_each_result(&self) -> bool;
    /// False if a game will not be asked for any more: it has its final record, or it is not one of the league.
    fn may_come(&self, id: &str) -> bool;
    /// The agreement that is expected of a game's repeat; `None` if it is not repeated.
    fn repeat(&self, game: &PackedGame) -> Option<Agreement>;
    /// The games of earlier runs that are to be repeated and were not, each with its record. The leader asks once.
    fn take_unrepeated(&mut self) -> Vec<(PackedGame, GameRecord)> {
        Vec::new()
    }
    /// Checks and keeps the record of a repeat.
    ///
    /// # Errors
    /// The reason why it can't be true.
    fn keep_repeat(&mut self, game: &PackedGame, record: GameRecord) -> Result<(), String>;
}

/// The answer to the question for the next game.
#[derive(Clone, Debug)]
pub enum NextPacked {
    /// This game, by its number.
    Game(u64, PackedGame),
    /// There is none now.
    Wait,
    /// There will be none.
    Done,
}

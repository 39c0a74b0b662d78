//! The source of a leader's games, which also takes their results.

use std::time::Duration;

use crate::wire::{GameReport, PackedGame};
use linesman_league::assigned::NextGame;
use linesman_league::elsewhere::Agreement;
use linesman_record::GameRecord;

pub trait GameSource {
    fn next(&mut self) -> NextGame<PackedGame>;
    /// Notes that a game has started. `place`, counted from 0, is the slot of the display that shows it.
    fn began(&mut self, number: u64, place: usize);
    /// Takes the result of a game. Returns the duration of the game.
    ///
    /// # Errors
    /// The reason why the result is refused.
    fn take(&mut self, number: u64, record: GameRecord, report: GameReport) -> Result<Duration, String>;
    /// Gives up a game that no worker could play, such as one that kills its workers: see
    /// [`MAX_DELIVERIES`](super::MAX_DELIVERIES).
    fn give_up(&mut self, number: u64);
    /// Returns an upper bound on the number of games that are neither played nor out.
    fn left(&self) -> u64;
    /// True if the choice of each game depends on the results so far. Then each game gets a pack of its own, and no
    /// more games are out than workers play at once.
    fn follow_each_result(&self) -> bool;
    /// False if [`next`](Self::next) will no longer return this game: it has its final record, or the league lacks it.
    fn may_come(&self, id: &str) -> bool;
    /// Returns the agreement expected between a game and its repeat; `None` if the game is not repeated.
    fn repeat(&self, game: &PackedGame) -> Option<Agreement>;
    /// Takes the games of earlier runs that should have been repeated and were not, each with its record. The leader
    /// calls this whenever the streams become ready; only the first call returns games.
    fn take_unrepeated(&mut self) -> Vec<(PackedGame, GameRecord)> {
        Vec::new()
    }
    /// Checks and keeps the record of a repeat.
    ///
    /// # Errors
    /// The reason why the record is refused.
    fn keep_repeat(&mut self, game: &PackedGame, record: GameRecord) -> Result<(), String>;
}

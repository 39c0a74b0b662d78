//! Where a leader gets its games, and where it brings what came of them.

use std::time::Duration;

use crate::wire::{GameReport, PackedGame};
use linesman_league::assigned::NextGame;
use linesman_league::elsewhere::Agreement;
use linesman_record::GameRecord;

/// The games of a league, as its leader asks for them.
pub trait GameSource {
    /// The next game.
    fn next(&mut self) -> NextGame<PackedGame>;
    /// A game begins. `place`, counted from 0, is the slot of the display that shows it.
    fn began(&mut self, number: u64, place: usize);
    /// Takes the result of a game. Returns the duration of the game.
    ///
    /// # Errors
    /// The reason why the result can't be true.
    fn take(&mut self, number: u64, record: GameRecord, report: GameReport) -> Result<Duration, String>;
    /// Gives up a game that no worker could play, such as one that kills its workers: see
    /// [`MOST_DELIVERIES`](super::MOST_DELIVERIES).
    fn give_up(&mut self, number: u64);
    /// An upper bound on the number of games that are neither played nor out.
    fn left(&self) -> u64;
    /// True if the choice of each game depends on the results so far. Then no more games are out than workers play at
    /// once, each in a pack of its own.
    fn follow_each_result(&self) -> bool;
    /// False if [`next`](Self::next) will not return this game any more: it has its final record, or it is not a game
    /// of the league.
    fn may_come(&self, id: &str) -> bool;
    /// The agreement expected between a game and its repeat; `None` if the game is not repeated.
    fn repeat(&self, game: &PackedGame) -> Option<Agreement>;
    /// The games of earlier runs that should have been repeated and were not, each with its record. The leader asks
    /// once for each stream of packs; the games are returned only once.
    fn take_unrepeated(&mut self) -> Vec<(PackedGame, GameRecord)> {
        Vec::new()
    }
    /// Checks and keeps the record of a repeat.
    ///
    /// # Errors
    /// The reason why the record can't be true.
    fn keep_repeat(&mut self, game: &PackedGame, record: GameRecord) -> Result<(), String>;
}

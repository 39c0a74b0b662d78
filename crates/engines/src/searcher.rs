//! The interface of a search.

use super::cant_follow::CantFollow;
use super::chance::Chance;
use super::game_state::GameState;
use super::settings::Settings;
use super::time::{Allowance, MoveTimer};
use linesman_games::Rules;
use linesman_protocol::Said;

/// The search of an engine, once the rules are known.
pub(super) trait Searcher<R: Rules>: Send {
    /// A searcher with these settings for games by these rules.
    fn new(settings: &Settings, rules: &R) -> Self
    where
        Self: Sized;

    /// Prepares for games by these rules; some searchers can't play all.
    fn prepare(&mut self, _game: &GameState<R>) -> Result<(), CantFollow> {
        Ok(())
    }

    /// Forgets what it learnt in the last game.
    fn forget(&mut self) {}

    /// One of the legal moves, which are at least one.
    fn choose(&mut self, task: SearchTask<'_, R>) -> R::Move;
}

/// The position in which a searcher chooses a move, and its limits.
pub(super) struct SearchTask<'t, R: Rules> {
    /// The game.
    pub(super) game: &'t GameState<R>,
    /// The legal moves; never empty, in the order of the rules.
    pub(super) moves: Vec<R::Move>,
    /// The random source.
    pub(super) chance: Chance,
    /// The time to think.
    pub(super) allowance: Allowance,
    /// Running since the `go` line.
    pub(super) stopwatch: MoveTimer,
    /// Reports what has been found so far.
    pub(super) say: &'t mut dyn FnMut(Said),
}

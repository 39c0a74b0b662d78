//! The interface of a search.

use super::cant_follow::CantFollow;
use super::chance::Chance;
use super::game_state::GameState;
use super::limit::Limit;
use super::settings::Settings;
use super::time::{Allowance, MoveTimer};
use linesman_games::Rules;
use linesman_protocol::Said;
use linesman_types::time_control::Work;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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

    /// Chooses one of the legal moves, of which there is at least one.
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
    /// The work for this move, in place of a time.
    pub(super) work: Option<Work>,
    /// Set by another thread to end the search.
    pub(super) stop: Option<Arc<AtomicBool>>,
    /// Running since the `go` line.
    pub(super) stopwatch: MoveTimer,
    /// Reports what has been found so far.
    pub(super) say: &'t mut dyn FnMut(Said),
}

impl<R: Rules> SearchTask<'_, R> {
    /// The limit of the search, where the engine's own option allows `option` positions.
    pub(super) fn limit(&self, option: Option<u64>) -> Limit {
        let told = match self.work {
            Some(Work::Nodes(nodes)) => Some(nodes.get()),
            Some(Work::Depth(_)) | None => None,
        };
        let most = match (told, option) {
            (Some(told), Some(option)) => Some(told.min(option)),
            (told, option) => told.or(option),
        };
        let limit = Limit::new(most, self.allowance.hard, self.stopwatch.clone()).until(self.stop.clone());
        // A number of positions set by the referee is obeyed exactly.
        if told.is_some() { limit.at_least(0) } else { limit }
    }

    /// The depth of the search in plies, if the referee set it.
    pub(super) fn depth(&self) -> Option<u32> {
        match self.work {
            Some(Work::Depth(plies)) => Some(plies.get()),
            Some(Work::Nodes(_)) | None => None,
        }
    }
}

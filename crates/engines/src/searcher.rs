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

/// The search of an engine, for a game with known rules.
pub(super) trait Searcher<R: Rules>: Send {
    /// Creates a searcher with these settings for games by these rules.
    fn new(settings: &Settings, rules: &R) -> Self
    where
        Self: Sized;

    /// Prepares for games by the same rules as this one. Some searchers can't play all games.
    fn prepare(&mut self, _game: &GameState<R>) -> Result<(), CantFollow> {
        Ok(())
    }

    /// Forgets what was learned in the last game.
    fn forget(&mut self) {}

    /// Chooses one of the legal moves, of which there is at least one.
    fn choose(&mut self, task: SearchTask<'_, R>) -> R::Move;
}

/// The position in which a searcher chooses a move, and its limits.
pub(super) struct SearchTask<'t, R: Rules> {
    pub(super) game: &'t GameState<R>,
    /// The legal moves in the order of the rules; never empty.
    pub(super) moves: Vec<R::Move>,
    pub(super) chance: Chance,
    pub(super) allowance: Allowance,
    /// The amount of work for this move, if it is limited instead of the time.
    pub(super) work: Option<Work>,
    /// Set by another thread to end the search.
    pub(super) stop: Option<Arc<AtomicBool>>,
    /// A timer that has been running since the `go` line.
    pub(super) stopwatch: MoveTimer,
    /// Reports what has been found so far.
    pub(super) say: &'t mut dyn FnMut(Said),
}

impl<R: Rules> SearchTask<'_, R> {
    /// The limit of the search, if the engine's option allows `option` positions.
    pub(super) fn limit(&self, option: Option<u64>) -> Limit {
        let ordered = match self.work {
            Some(Work::Nodes(nodes)) => Some(nodes.get()),
            Some(Work::Depth(_)) | None => None,
        };
        let max_nodes = match (ordered, option) {
            (Some(ordered), Some(option)) => Some(ordered.min(option)),
            (ordered, option) => ordered.or(option),
        };
        let limit =
            Limit::new(max_nodes, self.allowance.hard, self.stopwatch.clone()).until(self.stop.clone());
        // A number of positions that the referee sets has no minimum.
        if ordered.is_some() { limit.at_least(0) } else { limit }
    }

    /// The depth of the search in plies, if the referee set it.
    pub(super) fn depth(&self) -> Option<u32> {
        match self.work {
            Some(Work::Depth(plies)) => Some(plies.get()),
            Some(Work::Nodes(_)) | None => None,
        }
    }
}

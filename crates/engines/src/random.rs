//! An engine that plays random moves.

use super::chance::SEED;
use super::searcher::{SearchTask, Searcher};
use super::settings::{EngineOption, Settings};
use linesman_games::Rules;

pub(super) const OPTIONS: &[EngineOption] = &[SEED];

/// Plays a random legal move, all equally likely.
pub(super) struct Random;

impl<R: Rules> Searcher<R> for Random {
    fn new(_: &Settings, _: &R) -> Random {
        Random
    }

    fn choose(&mut self, mut task: SearchTask<'_, R>) -> R::Move {
        task.moves[task.chance.below(task.moves.len())]
    }
}

//! The options of each engine.

use super::engine::Engine;
use super::settings::{EngineOption, Settings};
use super::{alphabeta, greedy, levels, mcts, random, solve};

impl Engine {
    /// The engine's options.
    pub fn options(self) -> &'static [EngineOption] {
        match self {
            Engine::Random => random::OPTIONS,
            Engine::Greedy => greedy::OPTIONS,
            Engine::AlphaBeta => alphabeta::OPTIONS,
            Engine::Mcts => mcts::OPTIONS,
            Engine::Perfect => solve::OPTIONS,
            Engine::Level => levels::OPTIONS,
        }
    }

    /// The engine's options at their defaults.
    pub fn settings(self) -> Settings {
        Settings::new(self.options())
    }
}

//! Which engines there are.

use super::settings::{EngineOption, Settings};
use super::{alphabeta, greedy, random};

/// A built-in engine.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Engine {
    /// Plays any legal move.
    Random,
    /// Looks one ply ahead.
    Greedy,
    /// Searches as deep as its time lets it.
    AlphaBeta,
}

impl Engine {
    /// All of them, the weakest first.
    pub const ALL: [Engine; 3] = [Engine::Random, Engine::Greedy, Engine::AlphaBeta];

    /// The engine of this name.
    pub fn find(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// The engine's name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Random => "random",
            Engine::Greedy => "greedy",
            Engine::AlphaBeta => "alphabeta",
        }
    }

    /// How the engine plays, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Engine::Random => "plays any legal move, all alike",
            Engine::Greedy => "plays the move after which the position looks best, and gives no win away",
            Engine::AlphaBeta => "searches as deep as its time lets it",
        }
    }

    /// The engine's options.
    pub fn options(self) -> &'static [EngineOption] {
        match self {
            Engine::Random => random::OPTIONS,
            Engine::Greedy => greedy::OPTIONS,
            Engine::AlphaBeta => alphabeta::OPTIONS,
        }
    }

    /// The engine's options at their defaults.
    pub fn settings(self) -> Settings {
        Settings::new(self.options())
    }
}

//! The engines, their names and their descriptions.

/// A built-in engine.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Engine {
    /// Plays any legal move.
    Random,
    /// Looks one ply ahead.
    Greedy,
    /// Searches as deep as its time allows.
    AlphaBeta,
    /// Grows a tree of the most promising moves.
    Mcts,
    /// Plays by the table of a solved game.
    Perfect,
    /// Plays at one of ten levels.
    Level,
}

impl Engine {
    /// All engines, from weak to strong, with the engine of many strengths last.
    pub const ALL: [Engine; 6] =
        [Engine::Random, Engine::Greedy, Engine::AlphaBeta, Engine::Mcts, Engine::Perfect, Engine::Level];

    /// The engine of this name; `None` if there is none.
    pub fn find(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// The engine's name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Random => "random",
            Engine::Greedy => "greedy",
            Engine::AlphaBeta => "alphabeta",
            Engine::Mcts => "mcts",
            Engine::Perfect => "perfect",
            Engine::Level => "level",
        }
    }

    /// True if the engine uses its opponents' time when it is told to ponder.
    pub fn ponders(self) -> bool {
        match self {
            Engine::AlphaBeta | Engine::Mcts => true,
            Engine::Random | Engine::Greedy | Engine::Perfect | Engine::Level => false,
        }
    }

    /// A description of the engine in one line.
    pub fn about(self) -> &'static str {
        match self {
            Engine::Random => "plays a random legal move, all equally likely",
            Engine::Greedy => "plays the move that leads to the best-looking position, and gives no win away",
            Engine::AlphaBeta => "searches as deep as its time allows",
            Engine::Mcts => {
                "searches the most promising moves longest, each side for itself (Monte Carlo tree search)"
            }
            Engine::Perfect => "plays from the table of a solved game",
            Engine::Level => "plays as well as one of ten levels, whatever the machine",
        }
    }
}

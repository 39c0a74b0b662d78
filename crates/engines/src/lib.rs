//! The built-in bots, which play every game of the registry and speak the protocol like any other bot.
//!
//! ```
//! use linesman_engines::{Engine, play_ugi};
//!
//! let engine = Engine::find("greedy").ok_or("there is no such engine")?;
//! let input = "ugi\ngame quixo seat 1 seats 2 id a~b~1 options size=3\nisready\nposition startpos\ngo movetime 100\n";
//! let mut output = Vec::new();
//! play_ugi(engine, engine.settings(), input.as_bytes(), &mut output)?;
//! let output = String::from_utf8(output)?;
//! assert!(output.lines().any(|line| line.starts_with("bestmove ")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An engine knows a game only through its [`Rules`](linesman_games::Rules), and judges positions by
//! [`Rules::evaluate`](linesman_games::Rules::evaluate). Each engine is written once for all games, with any number of
//! sides and with teams. With the same seed, game and options, and a limit that is not a time, it plays the same moves.
//!
//! # Modules
//!
//! - [`analysis`]: judges the moves of a game by a search.
//! - [`levels`]: opponents of measured strength, and the engine that plays them.
//! - [`openings`]: searches for positions from which games can start.
//! - [`solve`]: the solver of small games, and the engine that plays from its table.
//!
//! The other modules are private, and their types are exported here:
//!
//! - `ugi_adapter`: the protocol, independent of games. `player`: an engine in a game. `game_state`: the game,
//!   followed by its moves. `cant_follow`: the reasons why an engine can't follow a game.
//! - The engines: `random`, `greedy`, `alphabeta`, `mcts`. `engine` and `settings` list them and their options.
//! - Shared by the engines: `view` (a position as one side sees it), `chance`, `random_games`, `limit`, and `time`, the
//!   only module that reads the clock.

mod alphabeta;
pub mod analysis;
mod cant_follow;
mod chance;
mod engine;
mod game_state;
mod greedy;
pub mod levels;
mod limit;
mod mcts;
pub mod openings;
mod player;
mod random;
mod random_games;
mod searcher;
mod settings;
pub mod solve;
#[cfg(test)]
mod tests;
mod time;
mod ugi_adapter;
mod view;

pub use cant_follow::CantFollow;
pub use engine::Engine;
pub use settings::{BadSetting, EngineOption, Settings, Strength};
pub use ugi_adapter::{Attention, CantGoOn, UgiBot, play_ugi};

//! The built-in bots: engines that play any game of the registry and speak the
//! protocol like every other bot.
//!
//! [`mod@speak`] turns lines into calls: it knows the protocol and no game. On a
//! `game` line it seats a [`player`] at the rules of that game; the player
//! [follows](following) the moves and asks its mind: [`random`], [`greedy`],
//! [`alphabeta`] or [`mcts`], each written once for all games. A mind knows a game only by
//! its [`Rules`](linesman_games::Rules), sides beyond two and teams included, and
//! judges positions by [`Rules::evaluate`](linesman_games::Rules::evaluate)
//! through a [`view`].
//!
//! [`openings`] looks for positions that games can start from. [`solve`] solves
//! small games.
//!
//! Same seed, same game, same options and a limit that is no time: same moves.
//! The clock is read in one place, [`time`].

mod alphabeta;
mod catalogue;
mod chance;
mod following;
mod greedy;
mod limit;
mod mcts;
pub mod openings;
mod player;
mod random;
mod settings;
pub mod solve;
mod speak;
#[cfg(test)]
mod tests;
mod time;
mod view;

pub use catalogue::Engine;
pub use following::CantFollow;
pub use settings::{BadSetting, EngineOption, Settings};
pub use speak::{Attention, Bot, CantGoOn, speak};

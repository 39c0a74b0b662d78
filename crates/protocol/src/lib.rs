//! The lines between the referee and a bot, read and printed as text.
//!
//! ```
//! use linesman_protocol::{FromBot, ToBot};
//!
//! // A bot reads what the referee says and prints its answers.
//! assert_eq!(ToBot::parse("isready")?, Some(ToBot::IsReady));
//! assert_eq!(FromBot::ReadyOk.to_string(), "readyok");
//!
//! // The referee reads what the bot says.
//! assert_eq!(FromBot::parse(b"bestmove c1c5")?, FromBot::best_move("c1c5"));
//!
//! // A bot skips a line whose verb it does not know.
//! assert_eq!(ToBot::parse("resumed")?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ToBot`] and [`FromBot`] can both be printed and read, so the referee and the bots share them.
//! `docs/reference/protocol.md` describes every line.
//!
//! # Modules
//!
//! All of them are private, and their types are exported here:
//!
//! - `to_bot`: [`ToBot`], the messages from the referee, and their parts.
//! - `from_bot`: [`FromBot`], the messages from a bot, and their parts.
//! - `position_line`: [`PositionLine`], which grows one move at a time.
//! - `variation`: [`Variation`], the moves that a bot expects.
//! - `text`: the words of a line, and [`printable`] text.
//!
//! This crate does no input or output, and it knows no game.

mod from_bot;
mod position_line;
mod text;
mod to_bot;
mod variation;

#[cfg(test)]
mod tests;

pub use from_bot::{BotOption, FromBot, Malformed, OptionType, Said};
pub use position_line::PositionLine;
pub use text::{WITHOUT_CONTROL_CHARACTERS, printable};
pub use to_bot::{Clocks, GameHeader, GoLimit, Position, ToBot, Unreadable};
pub use variation::Variation;

/// The version of the protocol that this program speaks.
pub const VERSION: u32 = 1;

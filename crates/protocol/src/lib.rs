//! The messages between referee and bot: parsed and printed as text, with no
//! I/O and without knowing any game. `docs/reference/protocol.md` is the contract.
//!
//! Each side prints its own messages and parses the other's: [`ToBot`] and
//! [`FromBot`] do both, so that engines and referee share them.

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
pub use to_bot::{Clocks, GameHeader, Going, Position, ToBot, Unreadable};
pub use variation::Variation;

/// The version of the protocol that this program speaks.
pub const VERSION: u32 = 1;

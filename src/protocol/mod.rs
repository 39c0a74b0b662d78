//! The messages between referee and bot: parsed and printed as text, with no
//! I/O and without knowing any game. `protocol/PROTOCOL.md` is the contract.

mod from_bot;
mod to_bot;

pub use from_bot::{BotOption, FromBot, Malformed, OptionType, Said};
pub use to_bot::{Clocks, GameHeader, Going, Position, ToBot, Unreadable};

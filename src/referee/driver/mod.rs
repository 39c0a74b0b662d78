//! Plays games with real processes: feeds the [core](crate::referee::core)
//! with what bots print and when, and does what it orders.
//!
//! - [`Slot`]: a place where one game at a time is played. It keeps bots alive
//!   from game to game.
//! - [`workers::run`]: several slots on several threads, fed from one source.
//!
//! The shape was settled by measurement (`benches/README.md`): a thread a CPU
//! with a runtime of its own, the bots of its games on the same CPU, pipes read
//! where their readiness is noticed, no task, channel or timer call a move.

mod clock;
mod game;
mod seat;
mod slot;
mod stop;
pub mod workers;

pub use game::{Direction, TranscriptLine};
pub use slot::{BotSpec, Game, GameNote, Played, Slot, SlotSettings};
pub use stop::StopSwitch;

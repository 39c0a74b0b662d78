//! Plays games with real processes: feeds the [core](linesman_referee)
//! with what bots print and when, and does what it orders.
//!
//! - [`Slot`]: a place where one game at a time is played. It keeps bots alive
//!   from game to game.
//! - [`workers::run`]: several slots on several threads, fed from one source.
//!
//! The shape was settled by measurement (`benches/README.md`): a thread a game on
//! the CPU of the game's bots, which blocks in reading the bot that is on move;
//! an [alarm](linesman_sandbox::Alarm) that is set once a beat keeps the deadlines.
//! Two calls to the kernel a move. What happens beside games (stderr, ends of
//! processes) is heard by a thread of its own.

pub mod bell;
mod clock;
mod expenses;
mod game;
mod seat;
pub mod shared;
mod slot;
mod stop;
mod transcript;
mod usage;
mod window;
pub mod workers;
pub mod world;

pub use clock::now;
pub use game::{exit_status, limit_of};
pub use seat::Greeted;
pub use slot::{BotSpec, Game, GameNote, Played, Slot, SlotSettings};
pub use stop::StopSwitch;
pub use transcript::{Direction, Transcript, TranscriptLine};
pub use usage::{Load, Usage};
pub use window::Window;

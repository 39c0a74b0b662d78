//! The driver plays games with real processes: it feeds the [core](linesman_referee) with the output of bots,
//! and carries out the core's actions.
//!
//! ```no_run
//! use linesman_driver::{Game, Played, Slot, SlotSettings, StopSwitch};
//!
//! /// Plays games one after the other. A bot that plays in several of them is started once.
//! fn play(games: Vec<Game>) -> Vec<Played> {
//!     let mut slot = Slot::new(SlotSettings::default(), StopSwitch::new());
//!     let played = games.into_iter().map_while(|game| slot.play(game)).collect();
//!     let leaked = slot.close();
//!     assert_eq!(leaked.processes, 0);
//!     played
//! }
//! ```
//!
//! A [`Slot`] is a place where one game at a time is played. [`workers::run`] plays in several slots on
//! several threads, which take their games from one source.
//!
//! The design follows from measurements (`benches/README.md`). Each game has a thread on the CPU of its bots. The
//! thread blocks while it reads from the bot on move. An [alarm](linesman_sandbox::Alarm) that is set once a beat
//! enforces the deadlines. A move takes two system calls. Another thread receives all other events, such as stderr
//! and the ends of processes.
//!
//! # Modules
//!
//! - [`workers`]: threads and slots. [`event_count`] notifies threads without a game that games have ended.
//! - [`runtime`]: processes and clocks as a trait, so that tests can simulate them. [`shared`] is the runtime
//!   of a thread that plays several games at once. [`guest`] is the runtime of games in which threads of this
//!   program play, such as a person's.
//!
//! The other modules are private, and their types are exported here:
//!
//! - `slot`: bots that wait between games. `game`: one game, from the start of its bots to its verdict.
//!   `seat`: one bot of a game.
//! - `clock` stamps events. `usage` accounts for what bots use.
//! - `speed` measures this machine by a calculation that is the same everywhere.
//! - `transcript` keeps the last lines, `status_probe` shows a running game to other threads, `stop` ends it
//!   early.

// `tests/interleavings` includes `event_count` next to other modules of these names.
use std::sync;
use tokio::{sync as tokio_sync, time as tokio_time};

mod clock;
pub mod event_count;
mod game;
mod game_request;
pub mod guest;
pub mod runtime;
mod seat;
pub mod shared;
mod slot;
mod speed;
mod status_probe;
mod stop;
mod transcript;
mod usage;
pub mod workers;

pub use game::exit_status;
pub use game_request::{
    BotSpec, DialogueListener, Game, GameNote, MoveListener, MoveMade, Played, SlotSettings,
};
pub use runtime::now;
pub use seat::WarmBot;
pub use slot::Slot;
pub use speed::{MeasuredSpeed, measure_speed};
pub use status_probe::StatusProbe;
pub use stop::StopSwitch;
pub use transcript::{Transcript, TranscriptLine};
pub use usage::{Load, Usage};

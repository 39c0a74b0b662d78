//! Processes of bots: started, watched, read, written to and ended with all
//! that they started. Knows nothing of games; Linux's own ways stay in here.
//!
//! ```text
//! referee
//!   `- linesman __cage = supervisor    subreaper; dies with the referee; sweeps
//!        `- bot                        own session, only descriptors 0, 1, 2
//!             `- whatever it starts    falls to the supervisor when orphaned
//! ```
//!
//! A [`Bot`] is started by [`Bot::start`]. One thread that lives as long as the
//! program starts all of them ([`spawner`]), because the signal by which a
//! supervisor learns of the referee's death follows the thread. The referee
//! itself never forks: it executes this same program as a small launcher
//! ([`cage`]), which forks the bot and becomes its supervisor.
//!
//! The supervisor tells the referee over a pipe of its own how the start went
//! and how the bot ended ([`report`]). When the bot ends, when the referee asks
//! for it, and when the referee dies, the supervisor kills every process below
//! itself until none is left.

mod bot;
pub mod cage;
mod command;
mod lines;
mod pipe;
mod report;
mod spawner;
mod tail;
mod tree;

pub use bot::{Bot, Leftovers, State};
pub use command::{Command, Environment};
pub use lines::{Chunked, LineReader};
pub use report::{Ending, StartError, Step};
pub use tail::MOST_STDERR;
pub use tree::{allowed_cpus, pin_this_thread};

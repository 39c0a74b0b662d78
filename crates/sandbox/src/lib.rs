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
//! program starts and ends all of them ([`keeper`]), because the signal by
//! which a supervisor learns of the referee's death follows the thread, and one
//! hears them, so that a thread that plays may block in reading its bot. The referee itself
//! never forks: it executes this same program as a small launcher ([`cage`]),
//! which forks the bot and becomes its supervisor.
//!
//! The supervisor tells the referee over a pipe of its own how the start went
//! and how the bot ended ([`report`]). When the bot ends, when the referee asks
//! for it, and when the referee dies, the supervisor kills every process below
//! itself until none is left.
//!
//! What keeps a bot from everything else is [`isolation`].

mod alarm;
mod bot;
pub mod cage;
mod closing;
mod command;
mod cores;
mod courtesy;
mod evidence;
mod family;
mod folder;
pub mod isolation;
mod keeper;
mod lines;
mod load;
mod pause;
mod pipe;
mod report;
mod suspension;
mod tail;
pub mod terminal;
mod tree;
mod watch;

pub use alarm::Alarm;
pub use bot::{Bot, Departure, Leftovers, MOST_WISHES, REFUSED_CALLS, State, Wish, wait_for};
pub use closing::{Closing, Fate, LOOK_EVERY, Liveness};
pub use command::{Command, Environment};
pub use cores::{cpus_by_core, own_cores};
pub use courtesy::{hurry_again, let_others_go_first};
pub use evidence::{OwnWait, Reading, own_cpu};
pub use lines::{Chunked, LineReader};
pub use load::HostLoad;
pub use report::{Breach, Ending, Resource, StartError, Step};
pub use suspension::{suspend, suspended};
pub use tail::MOST_STDERR;
pub use tree::{allowed_cpus, pin_this_thread};
pub use watch::news_so_far;

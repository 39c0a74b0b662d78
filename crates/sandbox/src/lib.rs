//! The processes of bots: how they are started, confined, watched, read, written to and ended.
//!
//! ```no_run
//! use linesman_sandbox::{Bot, Command, Environment, Process};
//!
//! let environment = Environment { path: "/usr/bin:/bin".into(), home: "/".into(), temporary: "/tmp".into() };
//! let command = Command {
//!     launcher: "/usr/bin/linesman".into(),
//!     program: "python3".into(),
//!     arguments: vec!["my_bot.py".into()],
//!     directory: "/home/ada".into(),
//!     environment: environment.closed([("MODEL", "small")]),
//!     cpus: Vec::new(),
//!     shares_cpus: false,
//!     isolation: None,
//! };
//! let bot = Bot::start_here(command)?;
//! bot.write_now(b"ugi\n")?;
//! let mut buffer = [0; 4096];
//! let count = bot.stdout.read(&mut buffer)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate knows no games, and everything particular to Linux stays inside.
//!
//! ```text
//! referee
//!   `- linesman __cage = supervisor    subreaper; dies with the referee; sweeps
//!        `- bot                        own session, only descriptors 0, 1, 2
//!             `- whatever it starts    falls to the supervisor when orphaned
//! ```
//!
//! [`Bot::start`] starts a [`Bot`]. One thread that lives as long as the program starts and ends all bots
//! (`threads`), because the signal that tells a supervisor of the referee's death follows the thread. Another
//! thread listens to them, so that a thread that plays may block in reading its bot. The referee itself never
//! forks. It executes this same program as a small launcher ([`launcher`]), which forks the bot and becomes
//! its supervisor.
//!
//! The supervisor tells the referee over a pipe of its own how the start went and how the bot ended
//! (`report`). When the bot ends, when the referee asks for it, and when the referee dies, the supervisor
//! kills every process below itself until none is left.
//!
//! # Modules
//!
//! - [`isolation`]: the layers that keep a bot from everything else.
//! - [`launcher`]: the launcher and supervisor, as `main` calls it.
//! - [`terminal`]: the terminal's settings, and their return however the program ends.
//!
//! The other modules are private, and their types are exported here:
//!
//! - A bot's life: `command` (the command and its environment), `bot`, `process` (the bot as a trait),
//!   `spawner` (starts and ends bots), `threads` (the threads for it), `watch` (receives news), `report` (the
//!   supervisor's messages), `os_text` (paths in them), `closing`, `process_tree` (a bot's processes),
//!   `folder` (its scratch folder).
//! - Its streams: `pipe`, `lines`, `stderr_buffer` (the kept part of its stderr).
//! - Fair time: `alarm`, `sampler` (the CPU time of a bot), `cpu_clock`, `procfs` (the files of `/proc`),
//!   `load`, `cores`, `batch_policy`, `stoppable` (pauses and suspensions), `suspension` (of this
//!   program with all bots).

// `tests/interleavings` includes `stoppable` beside another of this name.
use std::sync;

mod alarm;
mod batch_policy;
mod bot;
mod closing;
mod command;
mod cores;
mod cpu_clock;
mod folder;
pub mod isolation;
pub mod launcher;
mod lines;
mod load;
mod os_text;
mod pipe;
mod process;
mod process_tree;
mod procfs;
mod report;
mod sampler;
mod spawner;
mod stderr_buffer;
mod stoppable;
mod suspension;
pub mod terminal;
#[cfg(test)]
mod testing;
mod threads;
mod watch;

pub use linesman_types::reading::Reading;

pub use alarm::Alarm;
pub use bot::{Bot, Interest, MAX_INTERESTS, REFUSED_CALLS, Termination, wait_for};
pub use closing::{Closing, Fate, LIVENESS_INTERVAL, Liveness};
pub use command::{Command, Environment};
pub use cores::{allowed_cpus, cpus_by_core, own_cores, pin_this_thread};
pub use lines::{Chunked, LineReader};
pub use load::HostLoad;
pub use pipe::{Output, wait_for_fds};
pub use process::{Leaked, Process, QuitOverruns, Terminating};
pub use report::{Breach, Ending, StartError, StartStep, State};
pub use sampler::{OwnWait, own_cpu};
pub use stderr_buffer::STDERR_LIMIT;
pub use suspension::{suspend, suspended};

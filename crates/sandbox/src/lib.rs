//! Starts, confines, watches and ends bot processes, and talks to them.
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
//! This crate knows nothing about games. The code that starts and confines bots on Linux is all here.
//!
//! ```text
//! referee
//!   `- linesman __launcher = supervisor    subreaper; dies with the referee; sweeps
//!        `- bot                        own session, only descriptors 0, 1, 2
//!             `- its descendants       adopted by the supervisor when orphaned
//! ```
//!
//! [`Bot::start`] starts a [`Bot`]. One thread starts and ends all bots (`threads`). It lives as long as the
//! program, because a supervisor's parent death signal is tied to the thread that started it. A second thread
//! reads the supervisors' reports and the bots' stderr, so that a thread that plays a game can block while it
//! reads from its bot. The referee itself never forks. It executes this same program as a small launcher
//! ([`launcher`]), which forks the bot and becomes its supervisor.
//!
//! The supervisor reports the outcome of the start and the bot's end to the referee through a separate pipe
//! (`report`). When the bot ends, when the referee requests it, or when the referee dies, the supervisor
//! kills every process below itself until none is left.
//!
//! # Modules
//!
//! - [`isolation`]: the layers that isolate bots from the host and from each other.
//! - [`launcher`]: the launcher and supervisor, called by `main`.
//! - [`procfs`]: the files of `/proc`.
//! - [`terminal`]: the terminal's settings, restored however the program ends.
//!
//! The other modules are private, and their types are exported here:
//!
//! - A bot's life: `command` (the command and its environment), `bot`, `process` (the bot as a trait),
//!   `spawner` (starts and ends supervisors), `threads` (for that and for listening), `watch` (receives
//!   news), `report` (the supervisor's messages), `os_text` (paths in messages), `closing`, `process_tree` (a
//!   bot's processes), `folder` (its scratch folder).
//! - Its streams: `pipe`, `lines`, `stderr_buffer` (the kept part of its stderr).
//! - Timing: `alarm`, `sampler` (the CPU time of a bot), `cpu_clock`,
//!   `load`, `cores`, `batch_policy`, `stoppable` (pauses and suspensions), `suspension` (of this program
//!   with all bots).

// `tests/interleavings` includes `stoppable` with another module of this name.
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
pub mod procfs;
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
pub use lines::{LineEvent, LineReader};
pub use load::HostLoad;
pub use pipe::{Output, wait_for_fds};
pub use process::{Leaked, Process, QuitOverruns, Terminating};
pub use report::{Breach, Ending, StartError, StartStep, State};
pub use sampler::{ThreadWait, own_cpu};
pub use stderr_buffer::STDERR_LIMIT;
pub use suspension::{suspend, suspended};

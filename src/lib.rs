//! linesman: referee and tournament tool for bots that play line-forming board games.
//!
//! ```
//! use linesman::games::{find, legal_moves};
//!
//! let quixo = find("quixo").ok_or("there is no such game")?.configure(&[("size", "4")])?;
//! let mut table = quixo.start();
//! table.play(&legal_moves(&*table)[0])?;
//! assert_eq!(table.ply(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The map
//!
//! Common vocabulary:
//! - [`seat`]: seats, teams and places;
//! - [`direction`]: the direction of a line between the referee and a bot;
//! - [`time_control`]: limits, clocks as pure values, durations as people write them;
//! - [`verdict`]: how a game ended, by its rules or by a fault of a bot.
//!
//! The pure parts, which get time, files and randomness as values:
//! - [`games`]: the rules, a folder for each game, behind one trait;
//! - [`protocol`]: the messages between referee and bot, as text;
//! - [`referee::core`]: one game as a state machine, events in, actions out;
//! - [`rating`]: strengths with their confidence intervals, from counts of results.
//!
//! The parts with side effects:
//! - `process`: starts bots under a supervisor, and ends all of their processes;
//! - `referee::driver`: feeds the core from real processes;
//! - [`record`]: writes, recovers, reads and verifies the records of games;
//! - `league`: the tournament file, the schedule, the run directory, the runner.
//!
//! Other machines:
//! - [`remote`]: leagues whose games are played by workers on other machines.
//!
//! The parts that users see:
//! - `report`: standings, pictures, pages: pure functions of records;
//! - [`engines`]: the built-in bots, which speak the protocol like any other;
//! - `check`: checks of bots and hosts, and of the sandbox with hostile bots;
//! - `cli`: the command line, a file for each subcommand.
//!
//! `ARCHITECTURE.md` has the overview, what never happens, and where each change begins.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "linesman needs Linux 5.13 or newer: on Windows use WSL2, on macOS a Linux virtual machine or container"
);

pub use linesman_check as check;
pub use linesman_engines as engines;
pub use linesman_games as games;
pub use linesman_league as league;
pub use linesman_protocol as protocol;
pub use linesman_rating as rating;
pub use linesman_record as record;
pub use linesman_remote as remote;
pub use linesman_report as report;
pub use linesman_sandbox as process;
pub use linesman_types::{direction, random, seat, time_control, verdict};

pub mod cli;

/// The referee: the course of one game as a state machine, and the driver that feeds it from real processes.
pub mod referee {
    pub use linesman_driver as driver;
    pub use linesman_referee as core;
}

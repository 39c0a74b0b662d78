//! Leagues: the tournament file, the schedule, the run of its games, and the run directory.
//!
//! ```
//! use std::path::Path;
//!
//! use linesman_league::file::{Context, parse};
//! use linesman_league::schedule::Schedule;
//!
//! let text = r#"
//! version = 1
//! game = "quixo"
//! rounds = 2
//! movetime = "200ms"
//!
//! [[bots]]
//! name = "ada"
//! command = "python3 ada.py"
//!
//! [[bots]]
//! name = "bob"
//! command = "python3 bob.py"
//! "#;
//! let tournament = parse(text, &Context::of_file(Path::new("cup.toml"), None))?;
//! let schedule = Schedule::of(&tournament)?;
//! let ids: Vec<String> = schedule.iter().map(|pairing| pairing.id).collect();
//! assert_eq!(ids.len(), 4);
//! assert!(ids.contains(&"ada~bob~1".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! The plan:
//!
//! - [`mod@file`]: reads the tournament file into a [`Tournament`](file::Tournament), and compares it with another by
//!   meaning.
//! - [`schedule`]: the games and their order. [`openings`]: the positions from which they start.
//! - [`stop_rule`]: the end of a sequential test.
//!
//! Before the first game:
//!
//! - [`directory`]: the run directory, where the plan and the results are kept.
//! - [`bots`]: checks that bots can be started, and their identities. [`read_access`]: the files that each may read.
//! - [`content`]: copies of bots' files, by their digest, and the command that prepares them.
//! - [`preflight`]: starts and greets each bot once. [`versions`]: the versions of each bot.
//!
//! The run:
//!
//! - [`session`]: plays a run from its plan to its results, with observers. It needs no terminal.
//! - [`lineup`]: the command of each bot. [`runner`]: hands games to the workers. [`dispatcher`]: chooses the next
//!   game.
//! - [`recorder`]: makes records of games. [`run_progress`]: passes the records on and ensures that they are kept.
//! - [`fair_play`]: the number of games at once, and the bots that are paused. [`withdrawal`]: the bots that no longer
//!   play.
//!
//! On other machines: [`elsewhere`] hands out games and checks the results, [`assigned`] plays them.
//! [`leader_notice`]: notices about the workers. [`repeated_games`]: games that two workers play.
//!
//! In parts: [`shard`] has the games of a run that are played separately, and their records.
//!
//! Resuming a run:
//!
//! - [`progress`]: the missing games. [`compatibility`]: checks that a record belongs to the game that it names.
//! - [`pending_rounds`]: records of games whose rounds have not been paired yet.
//! - [`rerun`]: plays one game again and keeps no record of it. [`mod@dialogue`]: the lines that were sent to the bots
//!   of a recorded game.
//!
//! For debugging: [`dialogue_folder`] keeps the lines to and from the bots of each game.

#![allow(missing_docs, reason = "its items are public for the rest of the program only")]

pub mod assigned;
pub mod bots;
pub mod compatibility;
pub mod content;
pub mod dialogue;
pub mod dialogue_folder;
pub mod directory;
pub mod dispatcher;
pub mod elsewhere;
pub mod fair_play;
pub mod file;
pub mod host;
#[cfg(test)]
#[path = "../../../tests/support/kept.rs"]
mod kept;
pub mod leader_notice;
pub mod league_games;
pub mod lineup;
mod open_games;
pub mod openings;
pub mod pending_rounds;
pub mod preflight;
pub mod progress;
pub mod read_access;
pub mod recorder;
pub mod repeated_games;
pub mod rerun;
pub mod run_progress;
pub mod runner;
pub mod schedule;
#[cfg(test)]
#[path = "../../../tests/support/schema.rs"]
mod schema;
pub mod session;
pub mod shard;
pub mod stop_rule;
pub mod version_name;
pub mod versions;
pub mod withdrawal;
mod words;

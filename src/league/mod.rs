//! Leagues: the tournament file, who meets whom, the bots, the run directory.
//!
//! A [`file::Tournament`] is the plan; [`schedule::Schedule`] says which games
//! it comes to; [`bots`] finds out before the first game what can't be started;
//! [`directory::RunDirectory`] is where the results are kept.

pub mod bots;
pub mod directory;
pub mod dispatcher;
pub mod file;
pub mod recorder;
pub mod runner;
pub mod schedule;
pub mod trial;

//! Leagues whose games are played by workers on other machines, through a broker.
//!
//! A leader publishes packs of games and records their results; workers fetch packs, play them and report. The
//! records of the league stay the only truth: a broker whose store is lost gets the missing games once more.
//!
//! # Modules
//!
//! - [`broker`]: the configuration of a broker, and the rights of its users.
//! - [`bots`]: the files of bots, which travel by their content.

pub mod bots;
pub mod broker;

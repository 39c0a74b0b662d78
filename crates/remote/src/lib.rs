//! Leagues whose games are played by workers on other machines, through a broker.
//!
//! A leader publishes packs of games and records their results; workers fetch packs, play them and report. Only the
//! records of the league count: if the broker loses its store, the leader publishes the missing games again.
//!
//! ```
//! use linesman_remote::wire::{Report, ResultPart, Subjects, WireMessage};
//!
//! let league = Subjects::of(&Subjects::league("autumn cup", 1));
//! assert!(league.result("anna_laptop").ends_with(".result.anna_laptop"));
//!
//! // A worker gives back the rest of a pack, and the leader reads its messages.
//! let report = Report::Returned { pack: "12".to_owned() };
//! let messages = report.parts()?;
//! let parts = messages.iter().map(|message| ResultPart::decode(message)).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(Report::joined(parts.iter())?, report);
//! # Ok::<(), linesman_remote::wire::Unreadable>(())
//! ```
//!
//! # Modules
//!
//! - [`wire`]: the messages and their subjects.
//! - [`leader`] and [`worker`]: both sides as state machines, which take timed events and return actions.
//! - Behind the feature `nats`: `nats`, both sides over NATS with JetStream; `broker`, the configuration of a broker and
//!   the permissions of its users; `bots`, the files of bots, addressed by their content.

#![allow(missing_docs, reason = "its items are public for the rest of the program only")]

#[cfg(feature = "nats")]
pub mod bots;
#[cfg(feature = "nats")]
pub mod broker;
pub mod leader;
#[cfg(feature = "nats")]
pub mod nats;
pub mod wire;
pub mod worker;

#[cfg(test)]
mod simulation;

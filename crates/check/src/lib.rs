//! Checks to make before results count: of a bot, of this host, and of the sandbox with hostile bots.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use linesman_check::{host, hostile};
//! use linesman_sandbox::isolation::{Sandbox, SandboxPlan, SlotUsers};
//!
//! // The findings on the sandbox and the clocks of this host.
//! let (program, temporary) = (Path::new("/usr/bin/linesman"), Path::new("/tmp"));
//! let sandbox = SandboxPlan::find(Sandbox::Auto, program, temporary, SlotUsers::default());
//! for finding in host::inspect(&sandbox.confirm())? {
//!     println!("{}: {} ({})", finding.what, finding.found, finding.grade.word());
//! }
//!
//! // The bots that the suite plays against.
//! for bot in hostile::all() {
//!     println!("{}: {}", bot.name, bot.does);
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Modules
//!
//! - [`bot`]: tries a bot in usual and unusual conditions.
//! - [`host`]: findings on the sandbox and the clocks of a host, with advice.
//! - [`hostile`]: bots that do what no bot should, each with its expected endings.
//! - [`suite`]: plays a league with each hostile bot and examines the host afterwards.

#![allow(missing_docs, reason = "its items are public for the rest of the program only")]

pub mod bot;
pub mod host;
pub mod hostile;
pub mod suite;

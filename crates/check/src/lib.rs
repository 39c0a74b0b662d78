//! Checks before a run counts: what this host offers, and whether hostile bots are held.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use linesman_check::{host, hostile};
//! use linesman_sandbox::isolation::{SandboxStatus, Sandbox};
//!
//! // What the sandbox and the clocks of this host are like.
//! let sandbox = SandboxStatus::find(Sandbox::Auto, Path::new("/usr/bin/linesman"), Path::new("/tmp"));
//! for finding in host::look(&sandbox)? {
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
//! - [`bot`]: tries a bot as a referee would, and as a bad day would.
//! - [`host`]: what a host offers to bots and to the clocks that time them, and what to do about what it lacks.
//! - [`hostile`]: bots that do what no bot should, each with the verdict that is right for it.
//! - [`suite`]: plays a league with each hostile bot and looks at the host afterwards.

pub mod bot;
pub mod host;
pub mod hostile;
pub mod suite;

//! The referee: one game's rules of conduct as a pure state machine
//! ([`core`]), and the driver that feeds it from real processes.

pub mod core;
#[cfg(feature = "cli")]
pub mod driver;

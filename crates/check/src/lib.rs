//! Trying things out before they count: what this host offers, and whether it
//! holds against hostile bots.

pub mod host;
pub mod hostile;
pub mod suite;

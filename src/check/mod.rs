//! Trying things out before they count: this host against hostile bots.

pub mod hostile;
pub mod suite;

//! The broker: NATS with JetStream.

mod address;
mod lead;
mod reconnect;
mod salt;
mod streams;
mod work;

pub use address::{AddressError, BrokerAddress};
pub use lead::NatsLeader;
pub use work::{AssignedPlayers, OpenPlan, OpenedPlan, WorkerSetup, WorkerStopper, work};

/// Reads the time since 1970, UTC; `None` if the clock is set to a time before that.
pub type WallClock = fn() -> Option<std::time::Duration>;

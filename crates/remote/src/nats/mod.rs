//! The broker: NATS with JetStream.

mod address;
mod lead;
mod salt;
mod streams;
mod work;

pub use address::{AddressError, BrokerAddress};
pub use lead::NatsLeader;
pub use work::{AssignedPlayers, OpenPlan, OpenedPlan, WorkerSetup, WorkerStopper, work};

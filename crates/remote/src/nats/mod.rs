//! The broker: NATS with JetStream.

mod address;
mod lead;
mod salt;
mod streams;
mod work;

pub use address::{AddressError, BrokerAddress};
pub use lead::NatsLeader;
pub use work::{OpenPlan, OpenedPlan, WorkerSetup, WorkerStopper, work};

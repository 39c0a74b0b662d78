//! The broker: NATS with JetStream.

mod address;
mod lead;
mod streams;
mod work;

pub use address::{AddressError, BrokerAddress};
pub use lead::NatsLeader;
pub use work::{OpenPlan, OpenedPlan, WorkerSetup, WorkerStopper, work};

use std::time::Duration;

/// Time that the broker has for an answer.
const ANSWER: Duration = Duration::from_secs(5);

/// A number that tells this process from others.
fn salt() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

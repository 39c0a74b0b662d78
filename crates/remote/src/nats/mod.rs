//! The broker: NATS with JetStream.

mod address;
mod lead;
mod reconnect;
mod streams;
mod work;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;

use tokio::runtime::{Builder, Runtime};

pub use address::{AddressError, BrokerAddress};
pub use lead::NatsLeader;
pub use work::{AssignedPlayers, OpenPlan, OpenedPlan, WorkerSetup, WorkerStopper, work};

/// Returns a random number, different at each call and in each process.
fn salt() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Reads the time since 1970, UTC; `None` if the clock is set to a time before that.
pub type WallClock = fn() -> Option<std::time::Duration>;

//! Many random interleavings, the same in each run. A load sees the last store.
//!
//! `SHUTTLE_RANDOM_SEED` selects others.

#[path = "appender.rs"]
mod appender;
#[path = "event_count.rs"]
mod event_count;
#[path = "position_byte.rs"]
mod position_byte;
#[path = "proven.rs"]
mod proven;
#[path = "stoppable.rs"]
mod stoppable;

use shuttle::{sync, thread};

/// The number of interleavings.
const ORDERS: usize = 1_000;

/// The default seed.
const SEED: u64 = 1;

fn check(test: impl Fn() + Send + Sync + 'static) {
    let given = std::env::var("SHUTTLE_RANDOM_SEED").ok();
    let seed = given.map_or(SEED, |given| given.parse().expect("the seed is a number"));
    shuttle::check_random_with_seed(test, seed, ORDERS);
}

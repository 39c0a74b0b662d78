//! Many orders by chance, others in each run. A load sees the last store.
//!
//! A test that fails prints its seed; with `SHUTTLE_RANDOM_SEED` it is repeated.

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

/// Number of orders that are tried.
const ORDERS: usize = 1_000;

fn check(test: impl Fn() + Send + Sync + 'static) {
    shuttle::check_random(test, ORDERS);
}

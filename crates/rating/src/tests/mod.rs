//! The properties that users of ratings rely on.

mod anchors;
mod coverage;
mod dependence;
mod leagues;
mod more_seats;
#[path = "../../../../tests/support/published.rs"]
pub(crate) mod published;
mod references;
mod teams;
mod two_seats;

use linesman_types::random::SplitMix64;

/// A number from 0 up to 1.
pub(crate) fn fraction(random: &mut SplitMix64) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

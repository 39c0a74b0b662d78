//! What users of ratings rely on.

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

//! What users of ratings rely on.

mod anchors;
mod coverage;
mod dependence;
mod leagues;
mod more_seats;
pub(crate) mod published;
mod references;
mod teams;
mod two_seats;

//! What users of ratings rely on.

mod anchors;
mod coverage;
mod dependence;
mod leagues;
mod more_seats;
pub(in crate::rating) mod published;
mod references;
mod teams;
mod two_seats;

//! What users of ratings rely on.

mod anchors;
mod coverage;
mod dependence;
mod leagues;
mod more_seats;
mod references;
mod teams;
mod two_seats;

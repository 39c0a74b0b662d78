//! What users of ratings rely on.

mod coverage;
mod leagues;
mod more_seats;
mod references;
mod two_seats;

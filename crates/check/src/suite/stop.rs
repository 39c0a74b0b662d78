//! The request that a check ends before it is done.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Ends a check, with all that it has started, from another thread.
#[derive(Clone, Debug, Default)]
pub struct StopRequest(Arc<AtomicU32>);

impl StopRequest {
    /// Asks it to end. A second request leaves its leagues no time to end.
    pub fn ask(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of times that it was asked.
    pub(super) fn asked(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once it was asked to end.
    pub(super) fn go_on(&self) -> io::Result<()> {
        if self.asked() > 0 { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

//! The request to stop a suite early.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Stops a suite and all processes that it has started. Clones share the request, which another thread can make.
#[derive(Clone, Debug, Default)]
pub struct StopRequest(Arc<AtomicU32>);

impl StopRequest {
    /// Asks the suite to stop. A second request leaves its leagues no time to end.
    pub fn ask(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn asked(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error if the suite was asked to stop.
    pub(super) fn check(&self) -> io::Result<()> {
        if self.asked() > 0 { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

//! All interleavings, with every store that a load can see under the memory model.
//!
//! Loom 0.7 misses some interleavings where a thread loads a value before it stores to the same location. So the
//! same tests also run [with shuttle](super::by_shuttle), and those of the solver, whose threads do nothing else,
//! only with shuttle. Each of those loads and stores concerns a single location, where the memory model adds
//! nothing to the interleavings.

#[path = "stoppable.rs"]
mod stoppable;

mod sync {
    pub(super) use loom::sync::{Mutex, RwLock, RwLockReadGuard, atomic};
    pub(super) use std::sync::{Arc, PoisonError, Weak};
}

use loom::{model as check, thread};

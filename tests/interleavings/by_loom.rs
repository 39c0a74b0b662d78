//! Every order, and every store that a load may see by the rules of the memory.
//!
//! Not quite every order: loom 0.7 misses some where a thread loads a value before it stores one in the same
//! place. So the same tests are also run [by shuttle](super::by_shuttle), and those of the solver, whose threads
//! do nothing else, only by it. Their stores and loads are of one place each, where the rules of the memory add
//! nothing to the orders.

#[path = "stoppable.rs"]
mod stoppable;

mod sync {
    pub(super) use loom::sync::{Mutex, RwLock, RwLockReadGuard, atomic};
    pub(super) use std::sync::{Arc, PoisonError, Weak};
}

use loom::{model as check, thread};

//! Checks of concurrent code in all interleavings of its threads, or in many random ones.
//!
//! The checked files are those of the crates themselves, included by path. They import locks, atomics and the
//! like from a sibling module `sync` (and others like it), which in the crate re-exports the standard library
//! and tokio, and here a checker. The checker runs each test many times and picks the thread that continues at
//! each step. So the crates need no test code for this, and neither they nor other tests are built with a
//! checker, which is why this is a separate workspace.
//!
//! [Shuttle](by_shuttle) tries many random interleavings. Where it matters which stores a load can see,
//! [loom](by_loom) tries all interleavings and all visible stores. Both report deadlocks.
//!
//! No time passes here. A wait that only its timeout would end is reported as a deadlock.

#![expect(clippy::duplicate_mod, reason = "each checker has its own copy")]

mod by_loom;
mod by_shuttle;

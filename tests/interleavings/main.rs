//! Checks of concurrent code in every order of the threads' steps, or in many random ones.
//!
//! A file that is checked here is the very file of its crate: it is included by its path, and takes what blocks
//! threads, counts and stores for them from a module `sync` beside it (and others like it). In its crate,
//! those are modules of the standard library and of tokio; here they are those of a checker, which runs a test
//! again and again and decides who goes on at each step. So nothing of the program says that it is tested so,
//! and neither it nor any other test is built with a checker: this is a workspace of its own for that reason.
//!
//! [Shuttle](by_shuttle) goes through many orders by chance. Where it matters which store a load may see,
//! [loom](by_loom) goes through all orders and all stores. Both report threads of which none can go on.
//!
//! No time passes here. A wait that only its time limit would end is reported, too.

#![expect(clippy::duplicate_mod, reason = "each checker has its own")]

mod by_loom;
mod by_shuttle;

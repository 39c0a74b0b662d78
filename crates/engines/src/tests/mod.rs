//! Tests of searches in a game that is small enough to solve by hand. `tests/bots` has the other tests of the built-in
//! bots.

mod heap;
pub(crate) mod sides;

//! Searches of a game that is small enough to be solved by hand. `tests/bots` has the other tests of the built-in bots.

mod heap;
pub(crate) mod sides;

//! Tests of the built-in bots, most of them through their protocol.

mod analysis;
mod heap;
pub(crate) mod house;
mod openings;
mod perfect;
mod play;
mod protocol;
mod sides;
mod work;

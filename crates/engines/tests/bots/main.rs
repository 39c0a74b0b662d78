//! Tests of the built-in bots from outside, most of them through the protocol.
//!
//! They are a program of their own, because tests inside the crate would compile every engine for every game again.

mod analysis;
mod house;
mod levels;
mod openings;
mod perfect;
mod play;
mod protocol;
mod work;

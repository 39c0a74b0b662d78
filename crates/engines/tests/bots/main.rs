//! The built-in bots as their users meet them, most of them through their protocol.
//!
//! A program of its own: the tests inside the crate would compile every engine for every game once more.

mod analysis;
mod house;
mod levels;
mod openings;
mod perfect;
mod play;
mod protocol;
mod work;

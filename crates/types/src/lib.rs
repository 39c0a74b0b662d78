//! The vocabulary of linesman: who sits where and with whom, how long they may
//! think, and how a game ended.

pub mod seat;
pub mod time_control;
pub mod verdict;

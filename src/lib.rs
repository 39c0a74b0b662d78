//! linesman: referee and tournament tool for bots that play line-forming board games.

#[cfg(feature = "cli")]
pub mod cli;
pub mod engines;
pub mod games;
#[cfg(feature = "cli")]
pub mod league;
#[cfg(feature = "cli")]
pub mod process;
pub mod protocol;
pub mod rating;
pub mod record;
pub mod referee;
#[cfg(feature = "cli")]
pub mod report;
pub mod seat;
pub mod time_control;
pub mod verdict;

//! linesman: referee and tournament tool for bots that play line-forming board games.

#[cfg(feature = "cli")]
pub mod cli;
pub mod games;
#[cfg(feature = "cli")]
<<<<<<< HEAD
pub mod process;
=======
pub mod league;
>>>>>>> df771b5 (Sketch the tournament file and the schedule)
pub mod protocol;
pub mod record;
pub mod referee;
#[cfg(feature = "cli")]
pub mod report;
pub mod seat;
pub mod time_control;
pub mod verdict;

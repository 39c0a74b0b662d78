//! The messages between a leader and its workers: JSON with a version, and with bounds that readers check.
//!
//! # Messages
//!
//! | message | subject | sent by | kept by the broker |
//! | --- | --- | --- | --- |
//! | [`Announcement`] | `lm.LEAGUE.announce` | leader | no |
//! | [`Pack`] | `lm.LEAGUE.job.EPOCH` | leader | in the stream `LM_JOBS_LEAGUE_EPOCH` |
//! | [`ResultPart`] | `lm.LEAGUE.result.WORKER` | worker | in the stream `LM_RESULTS_LEAGUE` |
//! | [`WorkerStatus`] | `lm.LEAGUE.word.WORKER` | worker | no |
//! | [`Ask`], answered by a piece of the plan | `lm.LEAGUE.ask.WORKER` | worker | no |
//!
//! A worker that will play no more of a pack gives back its delivery if it has reported no game of it. Otherwise it
//! sends the report [`Report::Returned`], and acknowledges the delivery when the broker has kept the report. The leader
//! then publishes the games of the pack that have no result in a new pack.
//!
//! A worker pulls from the consumer `workers` of the streams of packs. Answers arrive at subjects that begin with
//! `_INBOX.WORKER`. `broker::permissions` has the permissions that the users of leaders and workers need.

mod announcement;
mod game_report;
mod message;
mod pack;
mod report;
mod status;
mod subjects;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use announcement::{Announcement, Ask, LeaderOrder};
pub use game_report::{GameReport, NoteReport, SeatReport};
pub use message::{
    MAX_BYTES, MAX_GAMES, MAX_NAME, MAX_PARTS, MAX_REASON, PART, Unreadable, VERSION, WireMessage, digest,
    pieces,
};
pub use pack::{GameKey, Pack, PackedGame};
pub use report::{Report, ResultPart};
pub use status::{MAX_SLOTS, WorkerNews, WorkerStatus};
pub use subjects::{Subjects, is_token, owner, token};

//! Leagues: the tournament file, who meets whom, the bots, the run directory.
//!
//! A [`file::Tournament`] is the plan; [`schedule::Schedule`] says which games
//! it comes to, and an [`openings::Drawer`] what each of them starts from; [`bots`] finds out before the first game what can't be started;
//! [`directory::RunDirectory`] is where the results are kept. Before the first
//! game every bot has its [`trial`]; then [`runner::Run`] plays what the
//! [`dispatcher::Dispatcher`] hands out, and the [`recorder::Recorder`] makes
//! records of it. The [`course::Course`] sees to it that they are kept, and the
//! [`account::Account`] tells from them what is missing when the run goes on, as far as they
//! agree with the plan's [`terms`].
//! What the games so far call for so that time stays fair is
//! [`fair_play::FairPlay`]'s business, and who plays on is that of
//! [`withdrawal::Withdrawals`]. When a test ends is said by its [`stop_rule::StopRule`].
//! [`versions`] tell apart what a bot was and what it is now.
//! One game of a run is played again, and nothing kept of it, by [`rerun::Rerun`].

pub mod account;
pub mod bots;
pub mod course;
pub mod directory;
pub mod dispatcher;
pub mod fair_play;
pub mod file;
pub mod later;
pub mod openings;
pub mod reading;
pub mod recorder;
pub mod rerun;
pub mod runner;
pub mod schedule;
pub mod stop_rule;
pub mod terms;
pub mod trial;
pub mod versions;
pub mod withdrawal;

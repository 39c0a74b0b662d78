//! Events of a run, and their observers.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use super::failing::{Confinement, Failing};
use super::results::{Points, Results};
use super::resume::ResumeScan;
use crate::bots::Identity;
use crate::directory::RunDirectory;
use crate::fair_play::AtOnce;
use crate::file::{Comparison, Tournament};
use crate::host::Host;
use crate::leader_notice::LeaderNotice;
use crate::lineup::Lineup;
use crate::schedule::{Imbalance, Length, Schedule};
use crate::stop_rule;
use crate::withdrawal::Row;
use linesman_driver::{GameNote, MoveMade, StatusProbe};
use linesman_rating::Ratings;
use linesman_record::{GameRecord, OwnedLine};
use linesman_referee::IgnoredLines;
use linesman_sandbox::isolation::SandboxStatus;
use linesman_sandbox::{Leaked, QuitOverruns};
use linesman_types::seat::BySeat;

/// An observer of the events of a run, in order.
///
/// Observers run on the thread that runs the [`Session`](super::Session). A slow observer delays the records of games,
/// so it must hand long work to another thread.
pub trait Observer {
    /// Handles an event.
    fn on(&mut self, event: &RunEvent<'_>);

    /// Returns the costly events that this observer wants. They are reported only if an observer wants them.
    fn wants(&self) -> Wants {
        Wants::default()
    }
}

/// The costly events that an observer wants.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Wants {
    /// True for [`RunEvent::Standing`].
    pub standing: bool,
    /// The minimum interval between two [`RunEvent::Rated`]; `None` for no ratings.
    pub ratings: Option<Duration>,
    /// True for [`RunEvent::Moved`].
    pub moves: bool,
}

/// The observers of a run.
#[derive(Default)]
pub struct Observers<'o>(Vec<&'o mut dyn Observer>);

impl<'o> Observers<'o> {
    /// Adds an observer, which receives each event after the others.
    #[must_use]
    pub fn with(mut self, observer: &'o mut dyn Observer) -> Observers<'o> {
        self.0.push(observer);
        self
    }

    pub(super) fn emit(&mut self, event: &RunEvent<'_>) {
        self.0.iter_mut().for_each(|observer| observer.on(event));
    }

    /// Reports an event before the first game.
    pub(super) fn prepare(&mut self, event: Preparation<'_>) {
        self.emit(&RunEvent::Preparing(event));
    }

    pub(super) fn wants(&self) -> Wants {
        // Ratings are reported at the longest interval.
        self.0.iter().map(|observer| observer.wants()).fold(Wants::default(), |all, wants| Wants {
            standing: all.standing || wants.standing,
            ratings: all.ratings.max(wants.ratings),
            moves: all.moves || wants.moves,
        })
    }
}

/// An event before the first game.
#[derive(Debug)]
pub enum Preparation<'a> {
    /// There are fewer openings than rounds, so openings are used again.
    OpeningsReused { openings: u64, rounds: u64 },
    /// The key `games` requests more games than the rounds have.
    FewerGames {
        rounds: u32,
        /// The number of games in these rounds.
        games: u64,
        /// The requested number of games.
        asked: u64,
    },
    /// All games start from the same position, so the bots with these names repeat their games if they are
    /// deterministic.
    MayRepeat(&'a [&'a str]),
    /// The command that prepares a bot starts; it can take long.
    SetsUp {
        bot: &'a str,
        /// The command.
        setup: &'a str,
    },
    /// A run is resumed with a changed plan.
    Changed(&'a Comparison),
    /// A sentence about a bot that plays as another version than before.
    Version(&'a str),
    /// The last record was incomplete and was removed.
    TornLine {
        /// The length of the incomplete line, in bytes.
        bytes: u64,
        directory: &'a RunDirectory,
    },
    /// The records of an earlier run were read.
    Resumed {
        /// The content of the records.
        read: &'a ResumeScan,
        directory: &'a RunDirectory,
    },
    /// No game remains to be played.
    AlreadyOver {
        directory: &'a RunDirectory,
        outcome: RunOutcome,
        /// The length of the schedule.
        length: Length,
    },
    /// Games are about to be played and recorded in a directory.
    Continues {
        directory: &'a RunDirectory,
        /// The length of the schedule.
        length: Length,
        /// The number of games that were played before.
        done: u64,
        /// The number of games at once.
        at_once: usize,
        /// True if the run is a sequential test.
        is_test: bool,
        /// True if other machines play the games.
        is_elsewhere: bool,
    },
    /// The status of the sandbox is known.
    Sandbox(&'a SandboxStatus),
    /// The clock counts CPU time. Has the maximum wall time of a move, in multiples of its limit.
    CpuClock(NonZeroU32),
    /// The schedule ends in the middle of a round, so the bots have unequal numbers of games or seats.
    Imbalanced(&'a Imbalance),
    /// A bot runs as root, because a user of its own could not read its files.
    RunsAsRoot {
        bot: &'a str,
        /// The file or folder that other users can't read.
        path: &'a Path,
    },
    /// Some bots can read each other's files.
    SharedFolder {
        /// The folder that they share.
        folder: &'a Path,
        bots: &'a BTreeSet<&'a str>,
    },
    /// The preflight check of this number of bots starts.
    PreflightBegins(usize),
    /// The preflight check has taken another second.
    PreflightWaits {
        /// The duration of the preflight check so far, in whole seconds.
        seconds: u64,
        /// The highest `start` limit of any bot.
        limit: Duration,
        /// The number of bots that have been checked.
        tried: usize,
        bots: usize,
    },
    /// All bots have been checked. Has the duration of the preflight check.
    PreflightEnds(Duration),
    /// These bots failed in the preflight check and are withdrawn. The others play.
    PreflightFailed(&'a [Failing]),
}

#[derive(Debug)]
pub enum RunEvent<'a> {
    /// An event before the first game.
    Preparing(Preparation<'a>),
    /// The first games are about to start.
    Started(&'a Started<'a>),
    /// A game starts.
    Began {
        /// The slot, from 0, as in [`Started::windows`].
        slot: usize,
        id: String,
        /// The number of this attempt, from 1.
        attempt: u32,
        bots: BySeat<String>,
        /// For each seat, the name of the bot or team for which it plays.
        entrants: BySeat<String>,
    },
    /// A move was made, or a seat was eliminated. Reported only if an observer wants moves.
    Moved(MoveMade),
    /// A game has been played and recorded.
    Played(&'a EndedGameEvent<'a>),
    /// The host spoiled a game, and it is played again.
    Annulled {
        game: &'a EndedGameEvent<'a>,
        /// The reason, as in the record.
        why: &'a str,
        /// When the game is played again.
        again: Again,
    },
    /// The number of games at once changes with the load of the host.
    AtOnce {
        /// The new number.
        change: AtOnce,
        /// The id of the game whose end changed it.
        id: String,
    },
    /// A notice about a run that is played on other machines.
    Elsewhere(LeaderNotice),
    /// Only games that an overloaded host spoiled remain: the run waits for the load to drop.
    Waiting {
        /// The number of games to be played again.
        games: usize,
        /// The maximum duration of the wait.
        at_most: Duration,
    },
    /// The bot with this name used CPU time out of turn, and is paused out of turn from now on.
    Paused(String),
    /// A bot is withdrawn: no more of its games start.
    Withdrawn {
        bot: String,
        /// The consecutive games in which it crashed or was not ready; `None` if it failed in the preflight check.
        row: Option<Row>,
    },
    /// The game with this id was aborted and left no record.
    BrokenOff(String),
    /// A round was paired, and games of it that were played earlier count. Has their records.
    TakenUp(Vec<OwnedLine>),
    /// A round was paired differently than before, or a match was decided: games that were played earlier, with these
    /// records, don't count.
    DrawnOtherwise(Vec<OwnedLine>),
    /// A match was decided: this number of its games is not played.
    Cancelled(u64),
    /// The game with this id is the first that repeats an earlier one move for move.
    Repeats(&'a str),
    /// Processes or files of a game's bots could not be removed.
    LeftBehind {
        id: &'a str,
        /// The processes and files.
        leaked: Leaked,
    },
    /// The standing has changed. Reported from time to time, and always after the last game.
    Standing {
        /// The number of games played so far.
        done: u64,
        /// The results of these games.
        results: &'a Results,
    },
    /// The bots have been rated. Reported from time to time.
    Rated {
        /// The number of rated games.
        done: u64,
        /// The points of the bots after these games.
        points: &'a [Points],
        /// The ratings; `None` if the results allow none.
        ratings: Option<&'a Ratings>,
    },
    /// The run was asked to stop: no new games start.
    Stopping(Stop),
    /// A record could not be written: no new games start, and the running ones are aborted.
    WriteFailed,
    /// All bots have ended, and no more games are played.
    Over {
        /// Processes and files of bots that could not be removed.
        leaked: Leaked,
        /// For each bot, the number of times that it was killed after `quit`.
        overruns: &'a [(String, QuitOverruns)],
    },
    /// The outcome is known, and all records are on disk. Not reported if a record could not be written.
    Finished(&'a Finished<'a>),
    /// All records are on disk, and the run directory is still locked.
    Recorded {
        directory: &'a RunDirectory,
        /// The tournament; its bots have the names of their versions.
        tournament: &'a Tournament,
        /// The results of the recorded games.
        results: &'a Results,
        /// The schedule, with the games that follow from the results.
        schedule: &'a Schedule,
    },
}

/// A run whose first games are about to start.
#[derive(Debug)]
pub struct Started<'a> {
    /// The tournament; its bots have the names of their versions.
    pub tournament: &'a Tournament,
    /// The identities of the bots, in the tournament's order.
    pub identities: &'a [Identity],
    /// The host on which bots are started.
    pub host: &'a Host,
    pub sandbox: &'a SandboxStatus,
    /// The way in which the bots are started.
    pub lineup: &'a Lineup,
    /// The length of the run; a test can end earlier.
    pub length: Length,
    /// The number of games that were played before.
    pub done: u64,
    /// The results of these games.
    pub results: &'a Results,
    /// A status probe for each slot.
    pub windows: &'a [StatusProbe],
    /// True if the games are recorded.
    pub is_kept: bool,
}

impl Started<'_> {
    /// Returns the confinement of a bot, by its index in the tournament.
    pub fn confinement(&self, bot: usize) -> Confinement {
        Confinement::of(self.host, self.tournament, self.lineup, bot)
    }
}

#[derive(Debug)]
pub struct EndedGameEvent<'a> {
    pub record: &'a GameRecord,
    /// Remarks on its course.
    pub notes: &'a [GameNote],
    /// The lines of each bot that were ignored.
    pub ignored: &'a BySeat<IgnoredLines>,
    /// The number of games played so far; annulled games don't count.
    pub done: u64,
}

/// When an annulled game is played again.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Again {
    /// Immediately.
    Soon,
    /// When the load has dropped.
    Later,
    /// Never: the maximum number of attempts is reached.
    Never,
}

/// A request to stop a run.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Stop {
    /// The running games are played to their end.
    Finish,
    /// The running games are aborted.
    Abort,
}

/// The end of a run.
#[derive(Debug)]
pub struct Finished<'a> {
    /// The outcome; `None` if a game could not be completed.
    pub outcome: Option<RunOutcome>,
    /// The number of missing games.
    pub left: u64,
    /// The number of aborted games.
    pub broken_off: u64,
    /// The number of missing games that an overloaded host spoiled.
    pub open: u64,
    /// The names of the bots that were withdrawn.
    pub withdrawn: &'a [String],
    /// True if the number of games does not depend on results.
    pub is_fixed: bool,
    /// True if the games are recorded.
    pub is_kept: bool,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum RunOutcome {
    /// All games have been played.
    Complete,
    Stopped,
    /// All games have been played, except for some of withdrawn bots.
    Withdrawn,
    /// All games have been played, except for some that an overloaded host spoiled.
    Open,
    /// The test is decided.
    Decided,
    /// The games of the test only repeat earlier ones.
    Repeating,
}

impl RunOutcome {
    /// Returns the word for the outcome in events.
    pub fn word(self) -> &'static str {
        match self {
            RunOutcome::Complete => "complete",
            RunOutcome::Stopped => "stopped",
            RunOutcome::Withdrawn => "withdrawn",
            RunOutcome::Open => "open",
            RunOutcome::Decided => "decided",
            RunOutcome::Repeating => "repeating",
        }
    }

    /// Returns the outcome of a test that needs no more games.
    pub(super) fn of_test(end: stop_rule::End) -> RunOutcome {
        match end {
            stop_rule::End::Decided => RunOutcome::Decided,
            stop_rule::End::Repeating => RunOutcome::Repeating,
        }
    }
}

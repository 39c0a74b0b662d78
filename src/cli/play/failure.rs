//! The failures of a session, of run directories and of shards, for the user.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

use super::super::conditions::generated_file_failure;
use super::super::diagnostics;
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::ui::Ui;
use super::{diagnosis, faults, other_run};
use crate::league::directory::{DirectoryError, PlanError};
use crate::league::dispatcher::MAX_TRIES;
use crate::league::file::Diagnostics;
use crate::league::session::{Failing, NoCpuClock, SessionError};
use crate::league::shard::ShardError;
use crate::process::isolation::SlotUsers;
use crate::rating::RatingError;
use crate::record::{RecordFileError, WriteError};
use crate::report::describe::grouped;
use crate::report::hints;

/// The origin of the plan of a session.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum PlanOrigin {
    /// A tournament file, in which mistakes have a place.
    File,
    /// The options of a command: the user has never seen the text of the plan.
    Options,
}

impl PlanOrigin {
    pub(crate) fn failure(self, ui: &Ui, diagnostics: &Diagnostics) -> Failure {
        match self {
            PlanOrigin::File => diagnostics_failure(ui, diagnostics),
            PlanOrigin::Options => generated_file_failure(diagnostics),
        }
    }
}

/// The failure of a session whose plan is a tournament file.
pub(crate) fn session_failure(ui: &Ui, error: SessionError) -> Failure {
    session_failure_of(ui, error, PlanOrigin::File)
}

/// The failure of a session.
pub(crate) fn session_failure_of(ui: &Ui, error: SessionError, origin: PlanOrigin) -> Failure {
    match error {
        SessionError::Diagnostics(diagnostics) => origin.failure(ui, &diagnostics),
        SessionError::Directory(DirectoryError::Changed { path, mistakes })
            if origin == PlanOrigin::Options =>
        {
            other_run::failure(path, &mistakes)
        }
        SessionError::Schedule(error) => Failure::wrong(error),
        SessionError::Directory(error) => directory_failure(ui, &error),
        SessionError::Shard(error) => shard_failure(ui, &error),
        SessionError::Record(error) => Failure::from(&error),
        SessionError::Write(error) => write_failure(&error),
        SessionError::Sandbox(missing) => {
            let failure = Failure::wrong("this machine can't provide all that the sandbox `strict` requires");
            missing.iter().fold(failure, |failure, missing| {
                failure.cause(missing).hint(format_args!("{}: {}", missing.part, missing.cure))
            })
        }
        SessionError::CpuClock(why) => cpu_clock_failure(&why),
        SessionError::Users { games, needed, at_most, users } => too_few_users(games, needed, at_most, users),
        SessionError::OwnUsers(bots) => {
            let failures = bots.iter().map(|(bot, path)| Failure::wrong(no_own_user(bot, path)));
            all_of(failures).hint(
                "make it readable for others (`chmod -R o+rX`), or run linesman as a user other than root",
            )
        }
        SessionError::Pack { bot, error } => {
            Failure::wrong(format_args!("the files of bot `{bot}` can't be copied")).cause(error)
        }
        SessionError::Needs { bot, error } => {
            Failure::wrong(format_args!("bot `{bot}` can't be set up: {error}")).hint_if(error.hint())
        }
        SessionError::Setup { bot, error } => {
            Failure::wrong(format_args!("bot `{bot}` can't be set up")).cause(error)
        }
        error @ SessionError::Person(_) => {
            Failure::wrong(error).hint("only `linesman play` plays the games of a person")
        }
        SessionError::Preflight(failing) => all_of(preflight_failures(&failing).into_iter()),
        SessionError::Incomplete { left, void } => {
            Failure::new(Exit::Stopped, "a game could not be completed")
                .cause(void.unwrap_or_else(|| format!("{left} games are missing")))
                .hint(format_args!(
                    "fix the cause and run the same command again (a game is tried {MAX_TRIES} times)"
                ))
        }
        SessionError::Rating(error) => rating_failure(&error),
        error @ (SessionError::StartBots(_) | SessionError::Start(_)) => {
            caused(Failure::wrong(&error), &error)
        }
    }
}

/// The failure for more games at once than there are users for their bots.
fn too_few_users(games: usize, needed: u64, at_most: usize, users: SlotUsers) -> Failure {
    /// The first of a range of user ids that systems leave unassigned.
    const FREE: u64 = 70_000;
    Failure::wrong(format_args!(
        "{games} games at once need {} users for bots, but only {} of the users {users} are available \
         (two for each seat, because bots of one game may still be ending while the next one starts)",
        grouped(needed),
        grouped(users.lendable().into()),
    ))
    .hint(format_args!(
        "set `{}={FREE}-{}`, a range of unused user IDs, or play at most {at_most} games at once",
        env::BOT_USERS,
        FREE + needed,
    ))
}

pub(crate) fn rating_failure(error: &RatingError) -> Failure {
    Failure::wrong("the bots can't be rated").cause(error)
}

/// The sentence about a bot that can't have a user of its own.
pub(super) fn no_own_user(bot: &str, path: &Path) -> String {
    format!(
        "bot `{bot}` can't run as a user of its own: `{}` is not readable for other users",
        path.display()
    )
}

fn all_of(mut failures: impl Iterator<Item = Failure>) -> Failure {
    let first = failures.next().unwrap_or_else(|| Failure::new(Exit::Bug, "a failure without a cause"));
    failures.fold(first, Failure::also)
}

pub(super) fn preflight_failures(failing: &[Failing]) -> Vec<Failure> {
    let failure = |failing: &Failing| {
        let (fault, stray_lines) = (&failing.failed.fault, &failing.failed.stray_lines);
        let hint = hints::of_preflight(fault, stray_lines, &failing.bot.command);
        let hint = hint.or_else(|| diagnosis::of_fault(fault, stray_lines, &failing.confinement));
        faults::start_failure(failing).hint_if(hint)
    };
    failing.iter().map(failure).collect()
}

fn cpu_clock_failure(why: &NoCpuClock) -> Failure {
    let failure =
        Failure::wrong(format_args!("`clock = \"cpu\"` is not possible on this machine: {}", why.why()));
    let wall_clock = "or count wall time with `clock = \"wall\"`";
    match why {
        NoCpuClock::Cgroup(Some(missing)) => {
            failure.cause(missing).hint(format_args!("{}; {wall_clock}", missing.cure))
        }
        NoCpuClock::Cgroup(None) => failure.hint(format_args!(
            "set `sandbox = \"auto\"` and run as root or in a delegated cgroup; {wall_clock}"
        )),
        NoCpuClock::Schedstat => {
            failure.hint(format_args!("use a kernel with `CONFIG_SCHED_INFO`; {wall_clock}"))
        }
    }
}

pub(crate) fn write_failure(error: &WriteError) -> Failure {
    let mut seen = BTreeSet::new();
    let causes = causes(error).filter(|cause| seen.insert(cause.clone()));
    let failure = causes.fold(Failure::new(Exit::CantWrite, error), Failure::cause);
    failure.hint(format_args!("{} (earlier records are kept)", error.hint()))
}

pub(crate) fn diagnostics_failure(ui: &Ui, diagnostics: &Diagnostics) -> Failure {
    let colours = if ui.stderr_in_colour() { diagnostics::Colours::On } else { diagnostics::Colours::Off };
    Failure::diagnostics(Exit::Wrong, diagnostics, colours)
}

pub(crate) fn plan_failure(ui: &Ui, error: &PlanError) -> Failure {
    match error {
        PlanError::Diagnostics(diagnostics) => diagnostics_failure(ui, diagnostics),
        other => caused(Failure::wrong(other), other).hint_if(other.hint()),
    }
}

pub(crate) fn directory_failure(ui: &Ui, error: &DirectoryError) -> Failure {
    let failure = match error {
        DirectoryError::Write { .. } | DirectoryError::Records(RecordFileError::Io { .. }) => {
            caused(Failure::new(Exit::CantWrite, error), error)
        }
        DirectoryError::Replaced(replaced) => Failure::wrong(error).cause(replaced.why),
        _ => caused(Failure::wrong(error), error),
    };
    let failure = failure.hint_if(error.hint());
    match error.mistakes() {
        Some(diagnostics) => failure.also(diagnostics_failure(ui, diagnostics)),
        None => failure,
    }
}

pub(crate) fn shard_failure(ui: &Ui, error: &ShardError) -> Failure {
    let wrong = |hint: &str| caused(Failure::wrong(error), error).hint(hint);
    match error {
        ShardError::Directory(error) => directory_failure(ui, error),
        ShardError::Diagnostics(diagnostics) => diagnostics_failure(ui, diagnostics),
        ShardError::Test => wrong("run it on one machine with `linesman league run`"),
        ShardError::NoShard { .. } => {
            wrong("name a file that `linesman league plan` has written, such as `runs/cup/shards/1/1.json`")
        }
        ShardError::InUse(_) => wrong("wait until it ends: a shard is played once"),
    }
}

/// Adds the chain of an error's causes to its failure.
pub(crate) fn caused(failure: Failure, error: &dyn Error) -> Failure {
    causes(error).fold(failure, Failure::cause)
}

fn causes(error: &dyn Error) -> impl Iterator<Item = String> {
    std::iter::successors(error.source(), |&cause| cause.source()).map(ToString::to_string)
}

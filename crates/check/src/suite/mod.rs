//! The hostile suite: every [hostile bot](super::hostile) plays in a league of its own with two good bots, and
//! afterwards the host is examined.
//!
//! This program plays each league in another process, so that the league can be watched from outside. A league has
//! four games: one between the good bots, one with the hostile bot in each seat, and another one between the good
//! bots. It is killed after one minute, or after two if its hostile bot uses up the machine. That is far more than it
//! needs even on a busy host, so only a league that hangs is killed.

mod fixture;
mod host_memory;
mod judge;
pub mod soak;
mod stop;
mod watch;

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use stop::StopRequest;
pub use watch::peak_kib_of;

use linesman_sandbox::isolation::Sandbox;

use super::hostile::{Behaviour, HostileBot, SETTINGS, WITNESS, Weight, all};

/// Maximum memory of a referee with this number of concurrent games, in KiB without pages of files: 8 MiB, and 128 KiB
/// for each game after the first.
pub const fn max_kib(games: u64) -> u64 {
    (8 << 10) + games.saturating_sub(1) * 128
}

/// Number of concurrent leagues with light bots.
const LIGHT_AT_ONCE: usize = 10;

/// Number of concurrent leagues with heavy bots.
const HEAVY_AT_ONCE: usize = 3;

const LIGHT_LEAGUE_LIMIT: Duration = Duration::from_secs(60);

/// The time limit of a league with a heavy bot: its games are voided and played again while others keep the host busy.
const HEAVY_LEAGUE_LIMIT: Duration = Duration::from_secs(120);

/// The bots to try with each sandbox setting.
#[derive(Clone, Debug)]
pub struct SuitePlan {
    /// The program that plays the leagues.
    pub binary: PathBuf,
    /// The folder in which the leagues have their folders.
    pub folder: PathBuf,
    /// The sandbox settings, each with its bots.
    pub layers: Vec<(Sandbox, Vec<&'static HostileBot>)>,
    /// Number of concurrent leagues with light bots.
    pub at_once: usize,
    /// Stops the suite early, with an error of the kind `Interrupted`.
    pub stop: StopRequest,
}

impl SuitePlan {
    /// Plans all these bots with each of these settings. Without settings, all are planned with the strongest one, and
    /// those that make attempts with the others.
    pub fn new(
        binary: PathBuf,
        folder: PathBuf,
        bots: &[&'static HostileBot],
        settings: Option<&[Sandbox]>,
    ) -> SuitePlan {
        let bots_in = |setting: Sandbox| match setting {
            Sandbox::Off | Sandbox::Portable if settings.is_none() => {
                bots.iter().copied().filter(|bot| !bot.attempted().is_empty()).collect()
            }
            Sandbox::Off | Sandbox::Portable | Sandbox::Auto | Sandbox::Strict => bots.to_vec(),
        };
        let layers =
            settings.unwrap_or(&SETTINGS).iter().map(|setting| (*setting, bots_in(*setting))).collect();
        SuitePlan { binary, folder, layers, at_once: LIGHT_AT_ONCE, stop: StopRequest::default() }
    }
}

/// A check after a league.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Check {
    /// No process is left.
    Processes,
    /// The referee has no more descriptors open than with good bots only.
    Descriptors,
    /// No file was changed or left behind in the league's folder and in shared folders.
    Files,
    /// The referee's memory stayed small.
    Memory,
    /// The host has lost no shared memory.
    HostMemory,
    /// Every game has a complete record, with the evidence for the verdict.
    Record,
    /// The games between good bots are normal, and one of them is the last game.
    NextGame,
}

impl Check {
    pub const ALL: [Check; 7] = [
        Check::Processes,
        Check::Descriptors,
        Check::Files,
        Check::Memory,
        Check::HostMemory,
        Check::Record,
        Check::NextGame,
    ];

    /// The word for the check in tables.
    pub fn word(self) -> &'static str {
        match self {
            Check::Processes => "processes",
            Check::Descriptors => "descriptors",
            Check::Files => "files",
            Check::Memory => "memory",
            Check::HostMemory => "host memory",
            Check::Record => "record",
            Check::NextGame => "next game",
        }
    }
}

/// The result of a bot with a sandbox setting.
#[derive(Clone, Debug)]
pub struct Trial {
    pub bot: &'static HostileBot,
    /// The sandbox setting.
    pub layer: Sandbox,
    /// The different endings of its games, in words.
    pub verdicts: Vec<String>,
    /// The duration of the longest game.
    pub time: Duration,
    /// The attempts that succeeded.
    pub done: Vec<Done>,
    /// Peak memory of the referee in KiB, without pages of files.
    pub peak_kib: u64,
    /// The problems; empty if everything was as expected.
    pub problems: Vec<Problem>,
}

/// An attempt of a bot that succeeded.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Done {
    /// The name of the attempt.
    pub name: String,
    /// The expectation of this success with the sandbox setting.
    pub expected: Expected,
}

/// The expectation of the success of an attempt.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Expected {
    /// The sandbox setting does not block the attempt.
    Yes,
    /// The sandbox lets the bot do it in a place of its own, where it harms nobody and nothing stays.
    Harmless,
    /// The sandbox should have blocked the attempt.
    No,
}

/// A problem that the suite found.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Problem {
    /// The check; `None` for the verdict itself.
    pub check: Option<Check>,
    pub what: String,
}

impl Trial {
    /// True if a check found no problem.
    pub fn passed(&self, check: Check) -> bool {
        self.problems.iter().all(|problem| problem.check != Some(check))
    }
}

/// Tries all bots, and calls `on_trial` with each trial when it has ended. Returns the trials in the order of
/// [`HOSTILE`](super::hostile::HOSTILE), those of one bot in the order of the settings.
///
/// # Errors
/// The folder can't be written to, or the program can't be started.
pub fn run(plan: &SuitePlan, on_trial: impl Fn(&Trial) + Sync) -> io::Result<Vec<Trial>> {
    // Processes that a league loses become children of this process, so that they are found and ended.
    rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1))?;
    let wanted: Vec<_> = plan.layers.iter().filter(|(_, bots)| !bots.is_empty()).collect();
    // All trials share the host, so the trial that finds lost memory reports it for all.
    let memory = host_memory::unowned_kib().map(AtomicU64::new);
    let memory = memory.as_ref();
    let baselines = at_once(&wanted, wanted.len(), |(setting, _)| {
        Ok(Baseline { setting: *setting, descriptors: normal_descriptors(plan, *setting)?, memory })
    })?;
    let of_weight = |weight| {
        let all = baselines.iter().flat_map(|baseline| {
            let same = wanted.iter().filter(|(setting, _)| *setting == baseline.setting);
            let bots = same.flat_map(|(_, bots)| bots).filter(|bot| bot.weight == weight);
            bots.map(|bot| (*bot, *baseline)).collect::<Vec<_>>()
        });
        let mut all: Vec<(&'static HostileBot, Baseline<'_>)> = all.collect();
        // Trials that may take long start early, so that none of them runs alone at the end.
        all.sort_by_key(|(bot, _)| Reverse(bot.movetime));
        all
    };
    let try_one = |(bot, baseline): &(&'static HostileBot, Baseline<'_>)| {
        let trial = try_one(plan, bot, baseline)?;
        on_trial(&trial);
        Ok(trial)
    };
    // Heavy bots play last, so that they make no light bots late.
    let mut trials = at_once(&of_weight(Weight::Light), plan.at_once, try_one)?;
    trials.extend(at_once(&of_weight(Weight::Heavy), HEAVY_AT_ONCE, try_one)?);
    let place = |trial: &Trial| {
        let bot = all().position(|bot| bot.name == trial.bot.name);
        (bot, trial.layer)
    };
    trials.sort_by_key(place);
    Ok(trials)
}

/// The state of the host before anything was tried with a sandbox setting.
#[derive(Copy, Clone, Debug)]
struct Baseline<'h> {
    setting: Sandbox,
    /// Number of descriptors that a referee has open with good bots.
    descriptors: usize,
    /// The host's memory that belonged to no process at the last sample, in KiB, if known.
    memory: Option<&'h AtomicU64>,
}

/// Performs the action on each item, with `at_once` threads.
fn at_once<I: Sync, T: Send>(
    items: &[I],
    at_once: usize,
    action: impl Fn(&I) -> io::Result<T> + Sync,
) -> io::Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || -> io::Result<()> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = action(item)?;
            done.lock().unwrap_or_else(PoisonError::into_inner).push(result);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once.clamp(1, items.len().max(1))).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn try_one(plan: &SuitePlan, bot: &'static HostileBot, baseline: &Baseline<'_>) -> io::Result<Trial> {
    plan.stop.check()?;
    let fixture = fixture::Fixture::create(plan, baseline.setting, bot)?;
    let limit = match bot.weight {
        Weight::Light => LIGHT_LEAGUE_LIMIT,
        Weight::Heavy => HEAVY_LEAGUE_LIMIT,
    };
    let watched = watch::play(plan, &fixture.folder, baseline.setting, limit)?;
    let trial = judge::judge(bot, &fixture, &watched, baseline);
    if trial.problems.is_empty() {
        fs::remove_dir_all(&fixture.folder)?;
    }
    Ok(trial)
}

/// Plays a league of good bots, and returns the number of descriptors that its referee has open in the last game.
fn normal_descriptors(plan: &SuitePlan, setting: Sandbox) -> io::Result<usize> {
    let good = HostileBot::new(WITNESS, "", Behaviour::Missing, &[]).within(5_000);
    let fixture = fixture::Fixture::create(plan, setting, &good)?;
    let watched = watch::play(plan, &fixture.folder, setting, LIGHT_LEAGUE_LIMIT)?;
    let open = watched.usual_descriptors().ok_or_else(|| {
        io::Error::other(format!("a league of good bots could not be played: {}", watched.stderr.trim()))
    })?;
    fs::remove_dir_all(&fixture.folder)?;
    Ok(open)
}

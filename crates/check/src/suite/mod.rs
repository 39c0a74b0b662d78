//! The hostile suite: every [hostile bot](super::hostile) plays in a league of
//! its own beside two good ones, and afterwards the host is examined.
//!
//! A league is played by this very program in a process of its own, as any
//! league is, so that it can be watched from outside. Its four games are: good
//! against good, hostile on either seat, good against good again. Each is ended
//! after a minute, whatever it does, or after two with a bot that uses up the machine:
//! far more than it needs on a busy host, so that only what hangs is ended.

mod fixture;
mod host_memory;
mod judge;
pub mod soak;
mod stop;
mod watch;

use std::cmp::Reverse;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use stop::StopRequest;
pub use watch::peak_kib_of;

use linesman_sandbox::isolation::Sandbox;

use super::hostile::{Behaviour, HostileBot, LAYERS, WITNESS, Weight, all};

/// Maximum memory of a referee in KiB with this number of games at once, without pages of files: 8 MiB with one
/// game, and 128 KiB for each further one.
pub const fn most_kib(games: u64) -> u64 {
    (8 << 10) + games.saturating_sub(1) * 128
}

/// The number of leagues of light bots that are played at once.
const LIGHT_AT_ONCE: usize = 10;

/// The number of leagues of heavy bots that are played at once.
const HEAVY_AT_ONCE: usize = 3;

/// The time limit of a league of four games.
const MOST: Duration = Duration::from_secs(60);

/// The time limit with a heavy bot: on a host that is busy with others its games are annulled and played
/// again.
const MOST_HEAVY: Duration = Duration::from_secs(120);

/// The bots to try, in their layers.
#[derive(Clone, Debug)]
pub struct SuitePlan {
    /// The program that plays the leagues.
    pub binary: PathBuf,
    /// The folder below which the leagues are played.
    pub folder: PathBuf,
    /// The layers, with the bots that are tried in each.
    pub layers: Vec<(Sandbox, Vec<&'static HostileBot>)>,
    /// The number of leagues of light bots that are played at once.
    pub at_once: usize,
    /// Ends the suite before it is done, with an error of the kind `Interrupted`.
    pub stop: StopRequest,
}

impl SuitePlan {
    /// All these bots in the strongest layer; in the others those that make attempts.
    pub fn quick(binary: PathBuf, folder: PathBuf, bots: &[&'static HostileBot]) -> SuitePlan {
        let telling = |bot: &&HostileBot| !bot.attempted().is_empty();
        let layers = LAYERS.map(|layer| match layer {
            Sandbox::Auto | Sandbox::Strict => (layer, bots.to_vec()),
            Sandbox::Off | Sandbox::Portable => (layer, bots.iter().copied().filter(telling).collect()),
        });
        SuitePlan::with(binary, folder, layers.to_vec())
    }

    /// All these bots in each of these layers.
    pub fn of(
        binary: PathBuf,
        folder: PathBuf,
        bots: &[&'static HostileBot],
        layers: &[Sandbox],
    ) -> SuitePlan {
        let layers = layers.iter().map(|layer| (*layer, bots.to_vec()));
        SuitePlan::with(binary, folder, layers.collect())
    }

    fn with(binary: PathBuf, folder: PathBuf, layers: Vec<(Sandbox, Vec<&'static HostileBot>)>) -> SuitePlan {
        SuitePlan { binary, folder, layers, at_once: LIGHT_AT_ONCE, stop: StopRequest::default() }
    }
}

/// A check after a league.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Check {
    /// No process is left.
    Processes,
    /// The referee has no more descriptors open than with good bots alone.
    Descriptors,
    /// No new file lies anywhere.
    Files,
    /// The referee's memory stayed small.
    Memory,
    /// The host has as much memory as before.
    HostMemory,
    /// Every game has one whole record, with the verdict's evidence.
    Record,
    /// The next game between good bots is normal.
    NextGame,
}

impl Check {
    /// All of them.
    pub const ALL: [Check; 7] = [
        Check::Processes,
        Check::Descriptors,
        Check::Files,
        Check::Memory,
        Check::HostMemory,
        Check::Record,
        Check::NextGame,
    ];

    /// Its word in tables.
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

/// The result of a bot in a layer.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The bot.
    pub bot: &'static HostileBot,
    /// The layer.
    pub layer: Sandbox,
    /// The endings of its games, in words, without repetition.
    pub verdicts: Vec<String>,
    /// The longest time from a game's start to its end.
    pub time: Duration,
    /// The attempts that succeeded, with what was expected of them.
    pub done: Vec<Done>,
    /// Peak memory of the referee in KiB, without pages of files.
    pub peak_kib: u64,
    /// The problems: empty if the host held.
    pub problems: Vec<Problem>,
}

/// Something that a bot tried and could do.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Done {
    /// Its name.
    pub name: String,
    /// The expectation in this layer.
    pub expected: Expected,
}

/// The expectation of an attempt that succeeded.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Expected {
    /// This layer does not hold it.
    Yes,
    /// This layer lets the bot do it where it harms nobody, and where nothing stays.
    Harmless,
    /// It should have been refused.
    No,
}

/// A problem that the suite found.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Problem {
    /// The check; `None` for the verdict itself.
    pub check: Option<Check>,
    /// The problem.
    pub what: String,
}

impl Trial {
    /// True if a check found nothing.
    pub fn passed(&self, check: Check) -> bool {
        self.problems.iter().all(|problem| problem.check != Some(check))
    }
}

/// Tries all bots, and calls `told` with each trial as it ends. The trials come back
/// in the order of the table of bots.
///
/// # Errors
/// The folder can't be written to, or the program can't be started.
pub fn run(plan: &SuitePlan, told: impl Fn(&Trial) + Sync) -> io::Result<Vec<Trial>> {
    // Processes that a league loses become our children, so that they are found and ended.
    rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1))?;
    let wanted: Vec<_> = plan.layers.iter().filter(|(_, bots)| !bots.is_empty()).collect();
    // All trials share the host, so memory that it lost is reported once, by the trial that finds it.
    let memory = host_memory::unowned_kib().map(AtomicU64::new);
    let memory = memory.as_ref();
    let before = at_once(&wanted, wanted.len(), |(layer, _)| {
        Ok(Before { layer: *layer, descriptors: normal_descriptors(plan, *layer)?, memory })
    })?;
    let of = |weight| {
        let all = before.iter().flat_map(|before| {
            let bots = wanted.iter().filter(|(layer, _)| *layer == before.layer).flat_map(|(_, bots)| bots);
            bots.filter(|bot| bot.weight == weight).map(|bot| (*bot, *before)).collect::<Vec<_>>()
        });
        let mut all: Vec<(&'static HostileBot, Before<'_>)> = all.collect();
        // Trials that may take long begin early, so that none of them runs alone at the end.
        all.sort_by_key(|(bot, _)| Reverse(bot.movetime));
        all
    };
    let try_one = |(bot, before): &(&'static HostileBot, Before<'_>)| {
        let trial = try_one(plan, bot, before)?;
        told(&trial);
        Ok(trial)
    };
    // Bots that take much of the machine must not make others late.
    let mut trials = at_once(&of(Weight::Light), plan.at_once, try_one)?;
    trials.extend(at_once(&of(Weight::Heavy), HEAVY_AT_ONCE, try_one)?);
    let place = |trial: &Trial| {
        let bot = all().position(|bot| bot.name == trial.bot.name);
        (bot, trial.layer)
    };
    trials.sort_by_key(place);
    Ok(trials)
}

/// The state of the host before anything was tried in a layer.
#[derive(Copy, Clone, Debug)]
struct Before<'h> {
    layer: Sandbox,
    /// The number of descriptors that a referee has open among good bots.
    descriptors: usize,
    /// The host's memory that belonged to no process at the last sample, in KiB, if known.
    memory: Option<&'h AtomicU64>,
}

/// Performs the action on each item, on `at_once` of them at a time.
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

fn try_one(plan: &SuitePlan, bot: &'static HostileBot, before: &Before<'_>) -> io::Result<Trial> {
    plan.stop.go_on()?;
    let fixture = fixture::Fixture::set(plan, before.layer, bot)?;
    let most = match bot.weight {
        Weight::Light => MOST,
        Weight::Heavy => MOST_HEAVY,
    };
    let watched = watch::play(plan, fixture.folder(), before.layer, most)?;
    let trial = judge::judge(bot, &fixture, &watched, before);
    if trial.problems.is_empty() {
        fixture.strike()?;
    }
    Ok(trial)
}

/// The number of descriptors that a referee has open in the last game of a league of good bots.
fn normal_descriptors(plan: &SuitePlan, layer: Sandbox) -> io::Result<usize> {
    let good = HostileBot::new(WITNESS, "", Behaviour::Missing, &[]).within(5_000);
    let fixture = fixture::Fixture::set(plan, layer, &good)?;
    let watched = watch::play(plan, fixture.folder(), layer, MOST)?;
    let known = watched.usual_descriptors();
    let known = known.ok_or_else(|| {
        io::Error::other(format!("a league of good bots could not be played: {}", watched.said.trim()))
    })?;
    fixture.strike()?;
    Ok(known)
}

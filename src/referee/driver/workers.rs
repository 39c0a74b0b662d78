//! Several slots, each on a thread of its own, fed from one source of games.
//!
//! A thread and the bots of its games share a CPU, or as many as a bot needs,
//! since only one side of a game thinks at a time, and a message across CPUs
//! costs a wake-up.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::process::{Leftovers, cpus_by_core, pin_this_thread};
use crate::referee::driver::slot::{Game, Played, Slot, SlotSettings};
use crate::referee::driver::stop::StopSwitch;

/// How often a slot that waits for a game looks at the stop switch.
const LOOK: Duration = Duration::from_millis(100);

/// Whether workers and bots are bound to CPUs.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Affinity {
    /// Each slot and its bots to CPUs of its own as far as there are enough,
    /// the CPUs in turn, first one of each core.
    #[default]
    Auto,
    /// Wherever the system puts them.
    Off,
}

/// How many games are played at once, and where.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// How many games are played at once; at least 1.
    pub slots: usize,
    /// Whether they are bound to CPUs.
    pub affinity: Affinity,
    /// To how many CPUs each of them, then; at least 1.
    pub cpus_a_slot: usize,
    /// How many bots may wait in a slot for their next game.
    pub idle_bots: usize,
}

/// A game, and the number by which its giver knows it again.
pub struct Job {
    /// The number.
    pub number: u64,
    /// The game.
    pub game: Game,
}

/// What a source of games says when it is asked for the next.
pub enum Next {
    /// This game is to be played.
    Play(Box<Job>),
    /// There is none now, but there may be when another one has ended.
    Wait,
    /// There will be none.
    Done,
}

/// A source of games that takes back what came of them. Called from the
/// workers' threads, between games: what takes long (writing files) belongs to
/// another thread.
pub trait Jobs: Send + Sync + 'static {
    /// The next game for a slot, numbered from 0.
    fn next(&self, slot: usize) -> Next;
    /// A game has ended; without a result if it was broken off.
    fn done(&self, slot: usize, number: u64, played: Option<Played>);
}

/// Workers that are playing.
#[derive(Debug)]
pub struct Workers {
    threads: Vec<JoinHandle<Leftovers>>,
}

impl Workers {
    /// Waits until the source is done or the switch was thrown, and all bots
    /// have ended. Says what could not be ended.
    ///
    /// # Panics
    /// If a worker did.
    pub fn join(self) -> Leftovers {
        let mut sum = Leftovers::default();
        for thread in self.threads {
            match thread.join() {
                Ok(left) => sum.processes += left.processes,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        sum
    }
}

/// Starts playing.
///
/// # Errors
/// Threads that the system refuses; those that were started finish nothing.
pub fn run(settings: &WorkerSettings, jobs: Arc<dyn Jobs>, stop: &StopSwitch) -> io::Result<Workers> {
    // Before anything is bound: a bound thread would see its own CPU only.
    let cpus = cpus_by_core();
    let bell = Arc::new(Bell::default());
    let mut threads = Vec::new();
    for number in 0..settings.slots.max(1) {
        let own = match settings.affinity {
            Affinity::Auto => cpus_of_slot(&cpus, number, settings.cpus_a_slot),
            Affinity::Off => Vec::new(),
        };
        let worker = Worker {
            number,
            settings: SlotSettings { cpus: own, idle_bots: settings.idle_bots },
            jobs: Arc::clone(&jobs),
            stop: stop.clone(),
            bell: Arc::clone(&bell),
        };
        let thread = std::thread::Builder::new().name(format!("slot {}", number + 1));
        match thread.spawn(move || worker.play_all()) {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                stop.abort_running();
                return Err(error);
            }
        }
    }
    Ok(Workers { threads })
}

/// The CPUs of a slot; slots share some where there are not enough for all.
fn cpus_of_slot(cpus: &[usize], slot: usize, how_many: usize) -> Vec<usize> {
    let how_many = how_many.max(1).min(cpus.len());
    cpus.iter().cycle().skip((slot * how_many) % cpus.len().max(1)).take(how_many).copied().collect()
}

struct Worker {
    number: usize,
    settings: SlotSettings,
    jobs: Arc<dyn Jobs>,
    stop: StopSwitch,
    bell: Arc<Bell>,
}

impl Worker {
    fn play_all(mut self) -> Leftovers {
        if !self.settings.cpus.is_empty() && pin_this_thread(&self.settings.cpus).is_err() {
            // Slower, but no reason not to play.
            self.settings.cpus.clear();
        }
        let panicked = StopOnPanic(self.stop.clone());
        let mut slot = Slot::new(self.settings.clone(), self.stop.clone());
        while self.stop.may_begin() {
            // Before asking, so that no end is missed in between.
            let ended = self.bell.rung();
            match self.jobs.next(self.number) {
                Next::Play(job) => {
                    let played = slot.play(job.game);
                    self.jobs.done(self.number, job.number, played);
                    self.bell.ring();
                }
                Next::Wait => self.bell.wait(ended),
                Next::Done => break,
            }
        }
        let leftovers = slot.close();
        drop(panicked);
        leftovers
    }
}

/// A worker that panics must not leave the others playing for nobody.
struct StopOnPanic(StopSwitch);

impl Drop for StopOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abort_running();
        }
    }
}

/// Rung when a game has ended.
#[derive(Default)]
struct Bell {
    times: Mutex<u64>,
    heard: Condvar,
}

impl Bell {
    fn rung(&self) -> u64 {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self) {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.heard.notify_all();
    }

    /// Waits until it has been rung since, or for a while.
    fn wait(&self, since: u64) {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        // In vain if it takes longer: then the switch is looked at, and the source asked again.
        let waited = self.heard.wait_timeout_while(times, LOOK, |times| *times == since);
        drop(waited);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_have_cpus_of_their_own_as_far_as_there_are_enough() {
        let cpus = [0, 2, 4, 6, 1, 3, 5, 7];
        let of_slots = |how_many| (0..3).map(|slot| cpus_of_slot(&cpus, slot, how_many)).collect::<Vec<_>>();
        assert_eq!(of_slots(1), [[0], [2], [4]]);
        assert_eq!(of_slots(2), [[0, 2], [4, 6], [1, 3]]);
        assert_eq!(of_slots(3), [[0, 2, 4], [6, 1, 3], [5, 7, 0]]);
        assert_eq!(cpus_of_slot(&cpus, 9, 1), [2]);
        // Who wants more than there are has them all.
        assert_eq!(cpus_of_slot(&cpus, 1, 64), cpus);
        assert!(cpus_of_slot(&[], 1, 2).is_empty());
    }
}

//! Several slots, fed from one source of games.
//!
//! Each slot has a thread of its own if there are enough CPUs. Otherwise there is a thread for each CPU, which several
//! slots share. A thread and the bots of its games share a CPU, or as many as a bot needs, because only one side of a
//! game thinks at a time, and a message across CPUs costs a wake-up.

use std::io;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::runtime::Builder;
use tokio::task::{JoinSet, LocalSet};

use crate::event_count::EventCount;
use crate::game_request::{Game, Played, SlotSettings};
use crate::runtime::{Runtime, ThreadRuntime};
use crate::seat::WarmBot;
use crate::shared::SharedRuntime;
use crate::slot::{Slot, in_place};
use crate::status_probe::StatusProbe;
use crate::stop::StopSwitch;
use linesman_sandbox::{Bot, Leaked, cpus_by_core, pin_this_thread};

/// The binding of workers and bots to CPUs.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Affinity {
    /// Each slot and its bots are bound to CPUs of their own while there are enough. The CPUs are assigned in turn,
    /// first one of each core.
    #[default]
    Auto,
    /// No binding.
    Off,
}

/// Number of concurrent games, and their CPUs.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Number of concurrent games; at least 1.
    pub slots: usize,
    /// The binding to CPUs.
    pub affinity: Affinity,
    /// Number of CPUs for each slot, if they are bound; at least 1.
    pub cpus_per_slot: usize,
    /// Maximum number of bots that wait in a slot for their next game.
    pub idle_bots: usize,
}

/// A game, and the number by which the source recognizes it.
pub struct Job {
    /// The number by which the source recognizes the game.
    pub number: u64,
    /// The game with its players and conditions.
    pub game: Game,
}

/// The answer of a source of games that is asked for the next one.
pub enum Next {
    /// This game is to be played.
    Play(Box<Job>),
    /// There is none now, but there may be one when another game has ended.
    Wait,
    /// There will be no more.
    Done,
}

/// A source of games that receives their results. It is called from the workers' threads between games, so slow work
/// such as writing files belongs in another thread.
pub trait Jobs: Send + Sync + 'static {
    /// The next game for a slot. Slots are numbered from 0.
    fn next(&self, slot: usize) -> Next;
    /// Receives the result of a game that has ended; `None` if it was aborted.
    fn done(&self, slot: usize, number: u64, played: Option<Played>);
    /// The count of events after which waiting slots ask again, if the source has one of its own.
    fn events(&self) -> Option<Arc<EventCount>> {
        None
    }
}

/// Running workers.
#[derive(Debug)]
pub struct Workers {
    threads: Vec<JoinHandle<Leaked>>,
    status_probes: Vec<StatusProbe>,
}

impl Workers {
    /// Starts one thread of this name, which plays games by this function or has them played elsewhere. At most `shown`
    /// of them are shown at the same time.
    ///
    /// # Errors
    /// The system refuses the thread.
    pub fn on_one_thread(
        name: &str,
        shown: usize,
        play: impl FnOnce() -> Leaked + Send + 'static,
    ) -> io::Result<Workers> {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(play)?;
        let status_probes = (0..shown).map(|_| StatusProbe::default()).collect();
        Ok(Workers { threads: vec![thread], status_probes })
    }

    /// The status probe of each slot, by the slot's number.
    pub fn status_probes(&self) -> &[StatusProbe] {
        &self.status_probes
    }

    /// Waits until the source is done or stopped, and all bots have ended. Returns what could not be ended.
    ///
    /// # Panics
    /// If a worker panicked.
    pub fn join(self) -> Leaked {
        let ends = self.threads.into_iter().map(JoinHandle::join);
        let left = ends.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        left.fold(Leaked::default(), Leaked::and)
    }
}

/// Starts workers. `warm` are bots for the first game of the first slot, started on [`cpus_of_first_slot`].
///
/// # Errors
/// The system refuses a thread. The threads that were started abort their games.
pub fn run(
    settings: &WorkerSettings,
    jobs: Arc<dyn Jobs>,
    stop: &StopSwitch,
    mut warm: Vec<WarmBot<Bot>>,
) -> io::Result<Workers> {
    // Read before anything is bound, because a bound thread would see only its own CPU.
    let cpus = cpus_by_core();
    let events = jobs.events().unwrap_or_default();
    let slots = settings.slots.max(1);
    let status_probes = (0..slots).map(|_| StatusProbe::default()).collect::<Vec<_>>();
    let mut threads = Vec::new();
    for number in 0..slots.min(cpus.len().max(1)) {
        let numbers: Vec<usize> = (number..slots).step_by(cpus.len().max(1)).collect();
        let games_at_once = u32::try_from(numbers.len()).ok().and_then(NonZeroU32::new);
        let worker = Worker {
            numbers,
            status_probes: status_probes.clone(),
            settings: SlotSettings {
                cpus: cpus_of_slot(settings.affinity, &cpus, number, settings.cpus_per_slot),
                idle_bots: settings.idle_bots,
                games_at_once: games_at_once.unwrap_or(NonZeroU32::MIN),
            },
            jobs: Arc::clone(&jobs),
            stop: stop.clone(),
            events: Arc::clone(&events),
        };
        match worker.start(std::mem::take(&mut warm)) {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                stop.abort_running();
                return Err(error);
            }
        }
    }
    Ok(Workers { threads, status_probes })
}

/// Returns true if each of this number of slots gets a thread of its own.
pub fn have_threads_of_their_own(slots: usize) -> bool {
    slots <= cpus_by_core().len().max(1)
}

/// The CPUs to which a bot in the first slot is bound that may use `count` CPUs.
pub fn cpus_of_first_slot(affinity: Affinity, cpus_per_slot: usize, count: NonZeroU32) -> Vec<usize> {
    if affinity == Affinity::Off {
        return Vec::new();
    }
    let mut cpus = cpus_of_slot(affinity, &cpus_by_core(), 0, cpus_per_slot);
    cpus.truncate(usize::try_from(count.get()).unwrap_or(usize::MAX));
    cpus
}

/// The CPUs to which a slot is bound. Slots share some if there are not enough for all.
fn cpus_of_slot(affinity: Affinity, cpus: &[usize], slot: usize, count: usize) -> Vec<usize> {
    if affinity == Affinity::Off {
        return Vec::new();
    }
    let count = count.max(1).min(cpus.len());
    cpus.iter().cycle().skip((slot * count) % cpus.len().max(1)).take(count).copied().collect()
}

/// A thread and the slots whose games it plays.
#[derive(Clone)]
struct Worker {
    numbers: Vec<usize>,
    /// The status probe of each slot, including those of other threads.
    status_probes: Vec<StatusProbe>,
    settings: SlotSettings,
    jobs: Arc<dyn Jobs>,
    stop: StopSwitch,
    events: Arc<EventCount>,
}

impl Worker {
    fn start(self, warm: Vec<WarmBot<Bot>>) -> io::Result<JoinHandle<Leaked>> {
        let thread = std::thread::Builder::new().name(format!("slot {}", self.numbers[0] + 1));
        if let [number] = self.numbers[..] {
            return thread.spawn(move || {
                in_place(self.pinned().play_in(ThreadRuntime::for_this_thread(), number, warm))
            });
        }
        // A shared runtime waits for output in another way, for which these bots were not prepared.
        drop(warm);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        thread.spawn(move || runtime.block_on(LocalSet::new().run_until(self.pinned().play_at_once())))
    }

    fn pinned(mut self) -> Worker {
        if !self.settings.cpus.is_empty() && pin_this_thread(&self.settings.cpus).is_err() {
            // Games are slower without binding, but can be played.
            self.settings.cpus.clear();
        }
        self
    }

    /// Plays the games of all its slots at once.
    async fn play_at_once(self) -> Leaked {
        let mut slots = JoinSet::new();
        for (number, runtime) in self.numbers.iter().zip(SharedRuntime::for_this_thread(self.numbers.len())) {
            let (worker, number) = (self.clone(), *number);
            slots.spawn_local(async move { worker.play_in(runtime, number, Vec::new()).await });
        }
        let mut sum = Leaked::default();
        while let Some(slot) = slots.join_next().await {
            // No task is ever cancelled.
            sum = sum.and(slot.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())));
        }
        sum
    }

    async fn play_in<W: Runtime>(&self, runtime: W, number: usize, warm: Vec<WarmBot<W::Bot>>) -> Leaked {
        let panicked = StopOnPanic(self.stop.clone());
        let slot = Slot::in_runtime(runtime, self.settings.clone(), self.stop.clone());
        let mut slot = slot.with_warm_bots(warm);
        slot.status_probe = self.status_probes[number].clone();
        while self.stop.may_begin() {
            // Read before the source is asked, so that no event is missed in between.
            let ended = self.events.value();
            match self.jobs.next(number) {
                Next::Play(job) => {
                    let played = slot.play_among_others(job.game).await;
                    self.jobs.done(number, job.number, played);
                    self.events.increment();
                }
                Next::Wait => slot.runtime.listen(&self.events, ended).await,
                Next::Done => break,
            }
        }
        let leaked = slot.close_among_others().await;
        drop(panicked);
        leaked
    }
}

/// Stops the other workers if one panics.
struct StopOnPanic(StopSwitch);

impl Drop for StopOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abort_running();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_have_cpus_of_their_own_while_there_are_enough() {
        let cpus = [0, 2, 4, 6, 1, 3, 5, 7];
        let bound = |slot, count| cpus_of_slot(Affinity::Auto, &cpus, slot, count);
        let of_slots = |count| (0..3).map(|slot| bound(slot, count)).collect::<Vec<_>>();
        assert_eq!(of_slots(1), [[0], [2], [4]]);
        assert_eq!(of_slots(2), [[0, 2], [4, 6], [1, 3]]);
        assert_eq!(of_slots(3), [[0, 2, 4], [6, 1, 3], [5, 7, 0]]);
        assert_eq!(bound(9, 1), [2]);
        // A slot that wants more CPUs than exist gets all of them.
        assert_eq!(bound(1, 64), cpus);
        assert!(cpus_of_slot(Affinity::Auto, &[], 1, 2).is_empty());
    }
}

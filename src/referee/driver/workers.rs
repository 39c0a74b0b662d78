//! Several slots on several threads, fed from one source of games.
//!
//! A worker is a thread with a runtime of its own on a CPU of its own; the
//! bots of its games run on the same CPU, since only one side of a game thinks
//! at a time, and a message across CPUs costs a wake-up.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::process::{Leftovers, allowed_cpus, pin_this_thread};
use crate::referee::driver::slot::{Game, Played, Slot, SlotSettings};
use crate::referee::driver::stop::StopSwitch;

/// How often a slot that waits for a game looks at the stop switch.
const LOOK: Duration = Duration::from_millis(100);

/// Whether workers and bots are bound to CPUs.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Affinity {
    /// Each worker and its bots to one CPU, if there are enough for all.
    #[default]
    Auto,
    /// Wherever the system puts them: for bots that use several threads.
    Off,
}

/// How many games are played at once, and where.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// How many games are played at once; at least 1.
    pub slots: usize,
    /// Whether they are bound to CPUs.
    pub affinity: Affinity,
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
/// Threads or runtimes that the system refuses.
pub fn run(settings: &WorkerSettings, jobs: Arc<dyn Jobs>, stop: &StopSwitch) -> io::Result<Workers> {
    // Before anything is bound: a bound thread would see its own CPU only.
    let cpus = allowed_cpus();
    let slots = settings.slots.max(1);
    let count = slots.min(cpus.len().max(1));
    let woken = Arc::new(Notify::new());
    let mut threads = Vec::with_capacity(count);
    for worker in 0..count {
        let cpu = match settings.affinity {
            Affinity::Auto => cpus.get(worker).copied(),
            Affinity::Off => None,
        };
        let task = Worker {
            // Slots are dealt round: the first workers get those that are left over.
            slots: (worker..slots).step_by(count).collect(),
            settings: SlotSettings { cpu, idle_bots: settings.idle_bots },
            jobs: Arc::clone(&jobs),
            stop: stop.clone(),
            woken: Arc::clone(&woken),
        };
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new().name(format!("worker {}", worker + 1));
        threads.push(thread.spawn(move || task.work(&runtime))?);
    }
    Ok(Workers { threads })
}

struct Worker {
    slots: Vec<usize>,
    settings: SlotSettings,
    jobs: Arc<dyn Jobs>,
    stop: StopSwitch,
    woken: Arc<Notify>,
}

impl Worker {
    fn work(self, runtime: &Runtime) -> Leftovers {
        let mut settings = self.settings;
        if settings.cpu.is_some_and(|cpu| pin_this_thread(cpu).is_err()) {
            // Slower, but no reason not to play.
            settings.cpu = None;
        }
        runtime.block_on(async {
            let mut slots = JoinSet::new();
            for number in self.slots {
                slots.spawn(play_all(
                    number,
                    Slot::new(settings.clone(), self.stop.clone()),
                    Arc::clone(&self.jobs),
                    self.stop.clone(),
                    Arc::clone(&self.woken),
                ));
            }
            let mut sum = Leftovers::default();
            while let Some(slot) = slots.join_next().await {
                match slot {
                    Ok(left) => sum.processes += left.processes,
                    Err(error) => {
                        // The other slots find the switch thrown.
                        self.stop.abort_running();
                        if let Ok(panic) = error.try_into_panic() {
                            std::panic::resume_unwind(panic);
                        }
                    }
                }
            }
            sum
        })
    }
}

async fn play_all(
    number: usize,
    mut slot: Slot,
    jobs: Arc<dyn Jobs>,
    stop: StopSwitch,
    woken: Arc<Notify>,
) -> Leftovers {
    while stop.may_begin() {
        let mut waking = std::pin::pin!(woken.notified());
        // Before asking, so that nothing is missed in between.
        waking.as_mut().enable();
        match jobs.next(number) {
            Next::Play(job) => {
                let played = slot.play(job.game).await;
                jobs.done(number, job.number, played);
                woken.notify_waiters();
            }
            Next::Wait => {
                // In vain if it takes longer: then the switch is looked at, and the source asked again.
                let _ = timeout(LOOK, waking).await;
            }
            Next::Done => break,
        }
    }
    slot.close().await
}

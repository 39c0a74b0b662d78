//! What playing takes from the machine: processes, their pipes, the clock.
//! Games are driven in any [`Runtime`]; people's games in the [`ThreadRuntime`].

use std::cell::Cell;
use std::io;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use crate::event_count::EventCount;
use linesman_sandbox::{
    self, Alarm, Bot, Command, HostLoad, Interest, Leaked, OwnWait, Process, StartError, Termination,
    TimeSlice,
};

/// Where games are played. It belongs to one thread. It may block it where that
/// plays one game only, and then its futures are ready at once; else it lets go
/// of the thread while a game waits.
pub trait Runtime {
    /// A bot that was started.
    type Bot: Process;

    /// The time by a clock that never goes back.
    fn now(&self) -> Instant;

    /// Starts a bot.
    ///
    /// # Errors
    /// It could not even be tried; that the program can't be executed shows later.
    fn start(&self, command: Command) -> impl Future<Output = Result<Self::Bot, StartError>>;

    /// Waits until one of these may have come true, the alarm rings, or the time is over.
    ///
    /// # Errors
    /// What the system says of the pipes.
    fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, Self::Bot>>,
        at_most: Duration,
    ) -> impl Future<Output = io::Result<()>>
    where
        Self::Bot: 'a;

    /// Waits for a bot's output and reads it; nothing when the alarm rang
    /// first, 0 at its end.
    ///
    /// # Errors
    /// What the system says of the pipe.
    fn hear(&self, bot: &Self::Bot, buffer: &mut [u8]) -> impl Future<Output = io::Result<Option<usize>>>;

    /// Returns true if a look at a bot's output may find some; where that is not known
    /// without the look, it may.
    fn may_have_output(&self, _bot: &Self::Bot) -> bool {
        true
    }

    /// Waits for a bot's end.
    fn wait_for_end(&self, termination: <Self::Bot as Process>::Terminating) -> impl Future<Output = Leaked>;

    /// Waits until the events has been rung since, or for a while.
    fn listen(&self, events: &EventCount, since: u64) -> impl Future<Output = ()> {
        async move { events.wait(since) }
    }

    /// True if there is an alarm, which ends [`Runtime::hear`]; without one
    /// nothing may wait in it.
    fn has_alarm(&self) -> bool;

    /// Lets the alarm ring after this time, and on until it is set anew.
    fn set_alarm(&self, after: Duration);

    /// Lets the alarm ring no more.
    fn silence_alarm(&self);

    /// How long all bots and this program have been stopped together, in all.
    fn suspended(&self) -> Duration {
        Duration::ZERO
    }

    /// How long this thread was ready to run and had to wait, if the host says so.
    fn own_wait(&self) -> Option<Duration> {
        None
    }

    /// How much CPU time this thread has used, as far as it is known.
    fn own_cpu(&self) -> Duration {
        Duration::ZERO
    }

    /// Sets the length of this thread's time slices. Long ones are good where bots answer in a moment and pause
    /// then: a bot runs as soon as it is written to, and this thread reads its answer without a wait. Where bots
    /// think on, this thread has to have the CPU when it wakes up.
    fn set_time_slice(&self, _slice: TimeSlice) {}

    /// What the host has counted of its load until now.
    fn load(&self) -> HostLoad {
        HostLoad::default()
    }

    /// Number of CPUs that a bot may use that is not bound to one.
    fn cpus(&self) -> NonZeroU32 {
        NonZeroU32::MIN
    }
}

/// The driver's clock, on which the moments of all its games lie.
#[expect(clippy::disallowed_methods, reason = "the driver's only look at the clock")]
pub fn now() -> Instant {
    Instant::now()
}

/// This machine, as a thread of this program sees it that plays one game.
#[derive(Debug)]
pub struct ThreadRuntime {
    alarm: Option<Alarm>,
    own_wait: Option<OwnWait>,
    slice: Cell<TimeSlice>,
}

impl ThreadRuntime {
    /// The machine for this thread.
    pub fn for_this_thread() -> ThreadRuntime {
        // Without an alarm games are slower.
        ThreadRuntime {
            alarm: Alarm::for_this_thread().ok(),
            own_wait: OwnWait::of_this_thread(),
            slice: Cell::new(TimeSlice::Usual),
        }
    }
}

impl Runtime for ThreadRuntime {
    type Bot = Bot;

    fn now(&self) -> Instant {
        now()
    }

    async fn start(&self, command: Command) -> Result<Bot, StartError> {
        Bot::start_here(command)
    }

    async fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, Bot>>,
        at_most: Duration,
    ) -> io::Result<()> {
        linesman_sandbox::wait_for(interests, at_most)
    }

    async fn hear(&self, bot: &Bot, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        bot.read(buffer)
    }

    async fn wait_for_end(&self, termination: Termination) -> Leaked {
        termination.wait()
    }

    fn has_alarm(&self) -> bool {
        self.alarm.is_some()
    }

    fn set_alarm(&self, after: Duration) {
        if let Some(alarm) = &self.alarm {
            alarm.set(after);
        }
    }

    fn silence_alarm(&self) {
        if let Some(alarm) = &self.alarm {
            alarm.silence();
        }
    }

    fn suspended(&self) -> Duration {
        linesman_sandbox::suspended()
    }

    fn own_wait(&self) -> Option<Duration> {
        self.own_wait.as_ref().and_then(OwnWait::read)
    }

    fn own_cpu(&self) -> Duration {
        linesman_sandbox::own_cpu()
    }

    fn set_time_slice(&self, slice: TimeSlice) {
        if self.slice.replace(slice) != slice {
            // Slower where it is refused, but no reason not to play.
            let _ = linesman_sandbox::set_time_slice(slice);
        }
    }

    fn load(&self) -> HostLoad {
        HostLoad::read()
    }

    fn cpus(&self) -> NonZeroU32 {
        allowed_cpus()
    }
}

pub(super) fn allowed_cpus() -> NonZeroU32 {
    let cpus = linesman_sandbox::allowed_cpus().len();
    u32::try_from(cpus).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN)
}

//! The services of the machine that games need: processes, their pipes, and the clock. Games run in any [`Runtime`].
//! A thread that plays one game at a time has a [`ThreadRuntime`].

use std::io;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use crate::event_count::EventCount;
use linesman_sandbox::{
    self, Alarm, Bot, Command, HostLoad, Interest, Leaked, Process, StartError, Termination, ThreadWait,
};

/// A place where games are played. It belongs to one thread. If the thread plays only one game, the runtime may block
/// it, and its futures are ready at once. Otherwise it releases the thread while a game waits.
pub trait Runtime {
    /// A bot that was started.
    type Bot: Process;

    /// The thread's runtime that this one wraps, if any. By default it provides the alarm and the host's figures.
    fn thread(&self) -> Option<&ThreadRuntime> {
        None
    }

    /// The time by a monotonic clock.
    fn now(&self) -> Instant {
        now()
    }

    /// Starts a bot.
    ///
    /// # Errors
    /// The start could not even be attempted. A program that can't be executed shows up later.
    fn start(&self, command: Command) -> impl Future<Output = Result<Self::Bot, StartError>>;

    /// Waits until one of these events may have happened, the alarm goes off, or the time is over.
    ///
    /// # Errors
    /// The system's error for the pipes.
    fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, Self::Bot>>,
        at_most: Duration,
    ) -> impl Future<Output = io::Result<()>>
    where
        Self::Bot: 'a;

    /// Waits for a bot's output and reads it: 0 bytes at its end, and `None` if the alarm went off first.
    ///
    /// # Errors
    /// The system's error for the pipe.
    fn hear(&self, bot: &Self::Bot, buffer: &mut [u8]) -> impl Future<Output = io::Result<Option<usize>>>;

    /// Returns true if reading a bot's output may find some, and also if that is unknown without reading.
    fn may_have_output(&self, _bot: &Self::Bot) -> bool {
        true
    }

    /// Waits for a bot's end.
    fn wait_for_end(&self, termination: <Self::Bot as Process>::Terminating) -> impl Future<Output = Leaked>;

    /// Waits until the event count differs from `since`, or for a short time.
    fn listen(&self, events: &EventCount, since: u64) -> impl Future<Output = ()> {
        async move { events.wait(since) }
    }

    /// True if there is an alarm, which ends [`Runtime::hear`]. Without one, that call must not be used for waiting.
    fn has_alarm(&self) -> bool {
        self.thread().is_some_and(Runtime::has_alarm)
    }

    /// Makes the alarm go off after this time, and repeatedly until it is set anew.
    fn set_alarm(&self, after: Duration) {
        self.thread().into_iter().for_each(|thread| thread.set_alarm(after));
    }

    /// Disarms the alarm.
    fn silence_alarm(&self) {
        self.thread().into_iter().for_each(Runtime::silence_alarm);
    }

    /// Total time for which this program and all bots have been stopped together.
    fn suspended(&self) -> Duration {
        self.thread().map_or(Duration::ZERO, Runtime::suspended)
    }

    /// Time for which this thread was ready to run and waited for a CPU, if the host reports it.
    fn own_wait(&self) -> Option<Duration> {
        self.thread()?.own_wait()
    }

    /// The host's load counters up to now.
    fn load(&self) -> HostLoad {
        self.thread().map_or_else(HostLoad::default, Runtime::load)
    }

    /// Number of CPUs that a bot may use if it is not bound.
    fn cpus(&self) -> NonZeroU32 {
        self.thread().map_or(NonZeroU32::MIN, Runtime::cpus)
    }
}

/// The driver's clock, which all its games share.
#[expect(clippy::disallowed_methods, reason = "the driver reads the clock only here")]
pub fn now() -> Instant {
    Instant::now()
}

/// This machine for a thread that plays one game.
#[derive(Debug)]
pub struct ThreadRuntime {
    alarm: Option<Alarm>,
    own_wait: Option<ThreadWait>,
}

impl ThreadRuntime {
    /// Creates the runtime of this thread.
    pub fn for_this_thread() -> ThreadRuntime {
        // Without an alarm, games are slower.
        ThreadRuntime { alarm: Alarm::for_this_thread().ok(), ..ThreadRuntime::without_alarm() }
    }

    /// Creates the runtime of this thread for waits that are for several bots at once.
    pub(crate) fn without_alarm() -> ThreadRuntime {
        ThreadRuntime { alarm: None, own_wait: ThreadWait::of_this_thread() }
    }
}

impl Runtime for ThreadRuntime {
    type Bot = Bot;

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
        bot.stdout.read(buffer)
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
        self.own_wait.as_ref().and_then(ThreadWait::read)
    }

    fn load(&self) -> HostLoad {
        HostLoad::read()
    }

    fn cpus(&self) -> NonZeroU32 {
        let cpus = linesman_sandbox::allowed_cpus().len();
        u32::try_from(cpus).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN)
    }
}

//! A running bot: its streams, its state, and its end.

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use arrayvec::ArrayVec;
use linesman_types::reading::Reading;
use rustix::event::PollFlags;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::unix::AsyncFd;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::closing::Liveness;
use super::command::Command;
use super::isolation::{BotResources, Guard, Leaf};
use super::pipe::{AsyncReader, Output, Writer, register, wait_for_fds};
use super::process::{Leaked, Process, QuitOverruns, Terminating};
use super::process_tree::{self, ProcessTree};
use super::report::{Breach, StartError, StartStep, State};
use super::sampler::{Sampler, sample_starter};
use super::spawner::{Spawned, Supervisor, launch};
use super::stoppable::Stoppable;
use super::threads::{listener, spawner};
use super::watch::{Watch, listen_to_report, listen_to_stderr};

/// Maximum time for a supervisor to end all processes of its bot, before this process does so.
const SWEEP_LIMIT: Duration = Duration::from_secs(2);
/// Beginning of the line about refused system calls.
pub const REFUSED_CALLS: &str = "[system calls that the sandbox refused: ";
/// Number of sweeps by this process, and the interval between them: 5 s in all. A killed process needs a CPU
/// to end, and counts as leaked if it still exists after that.
const OWN_SWEEPS: u32 = 500;
const OWN_SWEEP_EVERY: Duration = Duration::from_millis(10);

/// A bot that has been started, with everything that it starts itself.
///
/// Dropping it also ends the bot, without waiting for the end.
pub struct Bot {
    supervisor: Supervisor,
    pidfd: Arc<AsyncFd<OwnedFd>>,
    token: String,
    stdin: Option<Writer>,
    /// Its output.
    pub stdout: Output,
    stderr: Arc<AsyncReader>,
    report: Arc<AsyncReader>,
    watch: Arc<Watch>,
    tasks: [AbortHandle; 2],
    leaked: Leaked,
    resources: BotResources,
    stoppable: Arc<Stoppable<ProcessTree>>,
    sampler: Sampler,
}

impl Bot {
    /// Starts a bot. A program that can't be executed is reported later, by [`Bot::state`].
    ///
    /// # Errors
    /// The launcher could not be started: always [`StartError::Host`].
    pub async fn start(command: Command) -> Result<Bot, StartError> {
        let gone = |error: tokio::task::JoinError| host_error(&error);
        spawner()?.spawn(async move { Bot::launch(&command) }).await.map_err(gone)?
    }

    /// Does the same as [`Bot::start`], but blocks the thread.
    ///
    /// # Errors
    /// The launcher could not be started: always [`StartError::Host`].
    pub fn start_here(command: Command) -> Result<Bot, StartError> {
        let (sender, receiver) = mpsc::channel();
        // If the caller no longer waits for the bot, it is dropped and ends.
        spawner()?.spawn(async move { drop(sender.send(Bot::launch(&command))) });
        receiver.recv().map_err(|error| host_error(&error))?
    }

    /// Starts a bot. Must run on the spawner's thread.
    fn launch(command: &Command) -> Result<Bot, StartError> {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let token = format!("{}.{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let spawned = launch(command, &token)?;
        let guard = command.isolation.as_ref().map_or(Guard::Nothing, |isolation| isolation.layers.guard());
        Bot::adopt(spawned, token, guard).map_err(|error| host_error(&error))
    }

    fn adopt(spawned: Spawned, token: String, guard: Guard) -> io::Result<Bot> {
        // From here on, the supervisor ends if anything fails.
        let Spawned { supervisor, pidfd, report, stdin, stdout, stderr, resources } = spawned;
        let counts = resources.leaf.as_ref().map(|leaf| leaf.counts().clone());
        let watch = Arc::new(Watch::new(counts, guard));
        let stderr = Arc::new(AsyncReader::new(stderr)?);
        let report = Arc::new(AsyncReader::new(report)?);
        let pidfd = Arc::new(register(pidfd)?);
        let stdin = Writer::new(stdin)?;
        let listener = listener().map_err(io::Error::other)?;
        let tasks = [
            listener
                .spawn(listen_to_report(Arc::clone(&report), Arc::clone(&watch), Arc::clone(&pidfd)))
                .abort_handle(),
            listener.spawn(listen_to_stderr(Arc::clone(&stderr), Arc::clone(&watch))).abort_handle(),
        ];
        let stoppable = Stoppable::of(ProcessTree::below(supervisor.pid(), supervisor.depth()));
        Ok(Bot {
            supervisor,
            pidfd,
            token,
            stdin: Some(stdin),
            stdout: Output::new(stdout),
            stderr,
            report,
            watch,
            tasks,
            leaked: Leaked::default(),
            resources,
            stoppable,
            sampler: Sampler::default(),
        })
    }

    pub(super) fn tree(&self) -> &ProcessTree {
        &self.stoppable.processes
    }

    /// Returns the bot's cgroup, if it has one.
    pub fn cgroup(&self) -> Option<&Leaf> {
        self.resources.leaf.as_ref()
    }

    /// Sets the waker that is woken when there is news of the bot.
    pub fn wake_on_news(&self, waker: &Waker) {
        self.watch.inbox().waker = Some(waker.clone());
    }

    /// Returns the bot's input, for callers that wait for room in it among others; `None` once it has been closed.
    pub fn input_fd(&self) -> Option<BorrowedFd<'_>> {
        self.stdin.as_ref().map(AsFd::as_fd)
    }

    /// Waits for output on a runtime and reads it. Returns 0 at the end of the output, or once the bot has
    /// ended and all its output has been read: a child of the bot may keep the output open.
    ///
    /// # Errors
    /// The system's error for the pipe.
    pub async fn next_output(&self, buffer: &mut [u8]) -> io::Result<usize> {
        poll_fn(|context| {
            self.wake_on_news(context.waker());
            // Checked before the read: the bot may print its last lines and end in between.
            let is_running = self.state() == State::Running;
            match self.stdout.poll_read(context, buffer) {
                // The runtime may not have seen the last lines yet.
                Poll::Pending if !is_running => Poll::Ready(Ok(self.stdout.read_now(buffer)?.unwrap_or(0))),
                other => other,
            }
        })
        .await
    }

    /// Waits on this thread's runtime until there may be room in the bot's input, or until the bot has closed it.
    ///
    /// # Errors
    /// The system's error for the pipe.
    pub fn poll_room(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stdin.as_ref().map_or(Poll::Ready(Ok(())), |stdin| stdin.poll_room(context))
    }

    /// Lets a bot end by itself: writes these words, closes its input, waits up to `limit`, and [kills](Bot::kill)
    /// what is left.
    pub async fn quit(&mut self, words: &[u8], limit: Duration, overruns: &QuitOverruns) -> Leaked {
        self.resume();
        if let Some(stdin) = self.stdin.take() {
            // If the bot does not read, waiting for room would only add a second wait.
            let _ = stdin.write_now(words);
        }
        let ended = poll_fn(|context| {
            self.wake_on_news(context.waker());
            if self.state() != State::Running {
                return Poll::Ready(());
            }
            // The output is discarded, so that hundreds of bots that quit at once need no memory for it.
            let mut buffer = [0; 4 * 1024];
            // Otherwise the bot might wait for room in its output. The time limit bounds how much it can print.
            while let Poll::Ready(Ok(count)) = self.stdout.poll_read(context, &mut buffer) {
                if count == 0 {
                    break;
                }
            }
            Poll::Pending
        });
        if timeout(limit, ended).await.is_err() {
            overruns.count();
        }
        self.kill().await
    }

    /// Ends a bot with everything that it started, and returns what could not be ended. Takes 14 s at worst,
    /// if processes do not end. A second call does nothing.
    pub async fn kill(&mut self) -> Leaked {
        if self.supervisor.is_reaped() {
            return self.leaked;
        }
        self.stdin = None;
        self.supervisor.ask_to_end();
        self.resources.leaf.iter().for_each(Leaf::kill);
        let ended = timeout(SWEEP_LIMIT, self.pidfd.readable()).await.is_ok();
        if !ended {
            self.sweep_ourselves(|bot| process_tree::descendants(bot.supervisor.pid())).await;
            let _ = kill_process(self.supervisor.pid(), Signal::KILL);
            let _ = timeout(SWEEP_LIMIT, self.pidfd.readable()).await;
        }
        // The resources are needed until this process's own sweep, if any, is over.
        self.supervisor.reap_now_or_later(BotResources::default());
        while let Ok(Some(1..)) = self.watch.read_report(&self.report) {}
        if !self.watch.inbox().swept {
            // The supervisor was killed, so this process has to sweep instead.
            self.leaked.processes = self.sweep_ourselves(|bot| process_tree::with_token(&bot.token)).await;
        }
        self.tasks.iter().for_each(AbortHandle::abort);
        let mut resources = std::mem::take(&mut self.resources);
        // Removing a folder with many files takes long, and this thread also starts and ends other bots.
        let is_gone = match resources.scratch.is_some() {
            true => tokio::task::spawn_blocking(move || resources.release()).await.unwrap_or(false),
            false => resources.release(),
        };
        self.leaked.folders = usize::from(!is_gone);
        self.leaked
    }

    fn read_stderr_now(&self) {
        // A full pipe takes fewer reads.
        for _ in 0..256 {
            match self.watch.read_stderr(&self.stderr) {
                Ok(Some((1.., _))) => {}
                _ => break,
            }
        }
    }

    /// Kills the processes that `find` finds until it finds none. Returns the number of processes found last.
    async fn sweep_ourselves(&self, find: impl Fn(&Bot) -> Vec<Pid>) -> usize {
        let mut again = tokio::time::interval(OWN_SWEEP_EVERY);
        let mut left = 0;
        for _ in 0..OWN_SWEEPS {
            let found = find(self);
            left = found.len();
            if left == 0 {
                break;
            }
            process_tree::kill_all(&found);
            again.tick().await;
        }
        left
    }
}

impl Process for Bot {
    type Terminating = Termination;
    type Inner = Bot;

    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        self.stdout.read_now(buffer)
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        self.stdin.as_ref().map_or(Err(io::ErrorKind::BrokenPipe.into()), |stdin| stdin.write_now(bytes))
    }

    fn stderr_text(&self) -> String {
        self.read_stderr_now();
        let _ = self.watch.read_report(&self.report);
        let inbox = self.watch.inbox();
        let mut text = inbox.stderr.text();
        if !inbox.refused_calls.is_empty() {
            let line_break = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            text.push_str(&format!("{line_break}{REFUSED_CALLS}{}]\n", inbox.refused_calls.join(", ")));
        }
        text
    }

    fn stderr_since(&self, bytes: u64) -> Vec<u8> {
        self.read_stderr_now();
        self.watch.inbox().stderr.since(bytes)
    }

    fn stderr_bytes(&self) -> u64 {
        self.watch.inbox().stderr.total()
    }

    fn forget_stderr(&self) {
        self.watch.inbox().stderr.clear();
    }

    fn liveness(&self) -> Liveness {
        let is_over = loop {
            match self.watch.read_report(&self.report) {
                Ok(Some(1..)) => {}
                // The supervisor is gone, and its exit status is about to be collected.
                Ok(Some(0)) => break true,
                Ok(None) | Err(_) => break false,
            }
        };
        if is_over || self.state() != State::Running || self.tree().is_ending() {
            return Liveness::Ending;
        }
        self.reading().map_or(Liveness::Unknown, Liveness::Alive)
    }

    fn take_news(&self) -> bool {
        self.watch.take_news()
    }

    fn state(&self) -> State {
        self.watch.inbox().state.clone()
    }

    fn breach(&self) -> Option<Breach> {
        self.watch.inbox().breach
    }

    fn reading(&self) -> Option<Reading> {
        self.sampler.sample(self.tree(), self.cgroup())
    }

    fn reading_of_starter(&self) -> Option<Reading> {
        sample_starter(self.tree())
    }

    fn peak_kib(&self) -> Option<u64> {
        self.sampler.peak_kib(self.tree(), self.cgroup())
    }

    fn pause(&self) {
        self.stoppable.pause(self.cgroup());
    }

    fn resume(&self) {
        self.stoppable.resume(self.cgroup());
    }

    fn quit_later(mut self, words: Vec<u8>, limit: Duration, overruns: QuitOverruns) -> Termination {
        Termination::of(async move { self.quit(&words, limit, &overruns).await })
    }

    fn kill_later(mut self) -> Termination {
        // The request is sent at once; the spawner does the rest later.
        self.supervisor.ask_to_end();
        Termination::of(async move { self.kill().await })
    }
}

/// The end of a bot, in progress.
#[derive(Debug)]
pub struct Termination(oneshot::Receiver<Leaked>);

impl Termination {
    fn of(end: impl Future<Output = Leaked> + Send + 'static) -> Termination {
        let (sender, receiver) = oneshot::channel();
        if let Ok(spawner) = spawner() {
            // The bot is ended even if no caller waits for the result.
            spawner.spawn(async move {
                let _ = sender.send(end.await);
            });
        }
        Termination(receiver)
    }

    /// Blocks until the bot has ended, and returns what could not be ended.
    ///
    /// # Panics
    /// On a runtime.
    pub fn wait(self) -> Leaked {
        self.0.blocking_recv().unwrap_or_default()
    }

    /// Waits on any runtime until the bot has ended, and returns what could not be ended.
    pub async fn over(self) -> Leaked {
        self.0.await.unwrap_or_default()
    }
}

impl Terminating for Termination {
    fn poll(&mut self) -> Option<Leaked> {
        match self.0.try_recv() {
            Ok(leaked) => Some(leaked),
            Err(oneshot::error::TryRecvError::Empty) => None,
            Err(oneshot::error::TryRecvError::Closed) => Some(Leaked::default()),
        }
    }
}

/// An event of one of several bots that a caller waits for.
#[derive(Copy, Clone, Debug)]
pub enum Interest<'a, B = Bot> {
    /// Output, or its end.
    Output(&'a B),
    /// Room in its input.
    Room(&'a B),
}

/// Maximum number of interests in one wait.
pub const MAX_INTERESTS: usize = 8;

/// Blocks until one of these events may have happened, an [`Alarm`](super::Alarm) goes off, or the time is up.
///
/// # Errors
/// The system's error for the pipes.
///
/// # Panics
/// If there are more than [`MAX_INTERESTS`] interests.
pub fn wait_for<'a>(interests: impl IntoIterator<Item = Interest<'a>>, at_most: Duration) -> io::Result<()> {
    let fds: ArrayVec<_, MAX_INTERESTS> = interests
        .into_iter()
        .filter_map(|interest| match interest {
            Interest::Output(bot) => Some((bot.stdout.as_fd(), PollFlags::IN)),
            Interest::Room(bot) => bot.stdin.as_ref().map(|stdin| (stdin.as_fd(), PollFlags::OUT)),
        })
        .collect();
    wait_for_fds(&fds, at_most)
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        self.supervisor.ask_to_end();
        self.resources.leaf.iter().for_each(Leaf::kill);
        self.supervisor.reap_now_or_later(std::mem::take(&mut self.resources));
    }
}

impl fmt::Debug for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pid = self.supervisor.pid();
        f.debug_struct("Bot").field("pid", &pid).field("state", &self.state()).finish_non_exhaustive()
    }
}

fn host_error(error: &dyn fmt::Display) -> StartError {
    StartError::Host { step: StartStep::Launch, error: error.to_string() }
}

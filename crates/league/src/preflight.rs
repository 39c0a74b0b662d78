//! The preflight check: starts and greets each bot once, to find bots that can't play before they cost games.
//! Afterwards the bots are dismissed, or kept for the first game.

use std::future::poll_fn;
use std::io;
use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use linesman_driver::{BotSpec, WarmBot, exit_status};
use linesman_protocol::{FromBot, ToBot};
use linesman_record::MAX_STRAY_LINES;
use linesman_referee::{GameTime, HandshakeStep, Introduction, ReadyExtension, SeatLimits, ended_before};
use linesman_sandbox::{
    Bot, Breach, Closing, Fate, LIVENESS_INTERVAL, LineEvent, LineReader, Process, StartError, State,
    allowed_cpus,
};
use linesman_types::reading::Reading;
use linesman_types::time_control::Work;
use linesman_types::verdict::{Evidence, Fault, Limit, Stage};

/// A bot that failed in the check.
#[derive(Clone, PartialEq, Debug)]
pub struct Failed {
    /// Its index among the bots that were checked.
    pub bot: usize,
    pub fault: Fault,
    /// The last meaningless lines that it printed.
    pub stray_lines: Vec<String>,
}

/// A bot that is to be checked.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The specification from which it is started; its command has the CPUs.
    pub spec: BotSpec,
    pub limits: SeatLimits,
    /// The work per move, if its time control is an amount of work.
    pub work: Option<Work>,
    /// True for a person, for whom nothing is started.
    pub is_person: bool,
}

/// The treatment of the bots that pass.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Afterwards {
    /// They are dismissed.
    Dismissed,
    /// They wait for their first game, if all of them pass.
    Kept,
}

/// The result of a preflight check.
#[derive(Default)]
pub struct PreflightResult {
    /// The bots that failed, in their order.
    pub failed: Vec<Failed>,
    /// The bots that are kept.
    pub warm: WarmBots,
}

/// Bots that were checked and wait for their first game. Dropping them kills them.
#[derive(Default)]
pub struct WarmBots(Vec<WarmBot<Bot>>);

impl WarmBots {
    /// Takes the bots, which are then no longer killed on drop.
    pub fn take(mut self) -> Vec<WarmBot<Bot>> {
        std::mem::take(&mut self.0)
    }
}

impl Drop for WarmBots {
    fn drop(&mut self) {
        let terminations: Vec<_> = self.0.drain(..).map(|warm| warm.bot.kill_later()).collect();
        for termination in terminations {
            // If this fails, they are killed with all bots of the run when this program ends.
            let _ = termination.wait();
        }
    }
}

/// A preflight check in progress.
pub struct PreflightCheck {
    thread: JoinHandle<io::Result<PreflightResult>>,
    checked: Arc<AtomicUsize>,
    /// A channel that is closed when the thread ends.
    alive: mpsc::Receiver<()>,
}

impl PreflightCheck {
    /// Starts checking all bots, `at_once` at a time.
    ///
    /// # Errors
    /// The system refuses the thread.
    pub fn begin(
        candidates: Vec<Candidate>,
        at_once: usize,
        afterwards: Afterwards,
    ) -> io::Result<PreflightCheck> {
        let thread = std::thread::Builder::new().name("preflight".to_owned());
        let checked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&checked);
        let (alive_guard, alive) = mpsc::channel::<()>();
        let thread = thread.spawn(move || {
            let _guard = alive_guard;
            check_all(candidates, at_once, afterwards, &counter)
        })?;
        Ok(PreflightCheck { thread, checked, alive })
    }

    /// Returns the number of bots that have been checked.
    pub fn checked(&self) -> usize {
        self.checked.load(Ordering::Relaxed)
    }

    /// Waits for the end of the check, for a maximum time. Returns true if it has ended.
    pub fn has_ended_within(&self, time: Duration) -> bool {
        self.alive.recv_timeout(time) != Err(mpsc::RecvTimeoutError::Timeout)
    }

    /// Waits for the end of the check.
    ///
    /// # Errors
    /// The host can't start any process.
    pub fn end(self) -> io::Result<PreflightResult> {
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn check_all(
    candidates: Vec<Candidate>,
    at_once: usize,
    afterwards: Afterwards,
    checked: &AtomicUsize,
) -> io::Result<PreflightResult> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut failed, mut warm) = (Vec::new(), Vec::new());
    let result = runtime.block_on(async {
        let permits = Arc::new(Semaphore::new(at_once.max(1)));
        let mut checks = JoinSet::new();
        for (index, candidate) in candidates.into_iter().enumerate() {
            let permits = Arc::clone(&permits);
            checks.spawn(async move {
                let _permit = permits.acquire().await;
                (index, check(candidate, afterwards).await)
            });
        }
        while let Some(check) = checks.join_next().await {
            let (bot, outcome) = check.map_err(io::Error::other)?;
            checked.fetch_add(1, Ordering::Relaxed);
            match outcome {
                Ok(kept) => warm.extend(kept),
                Err(Trouble::Bot(fault, stray_lines)) => failed.push(Failed { bot, fault, stray_lines }),
                Err(Trouble::Host(error)) => return Err(io::Error::other(error)),
            }
        }
        if !failed.is_empty() {
            for WarmBot { mut bot, quit, overruns, .. } in std::mem::take(&mut warm) {
                // If this fails, it is killed with all bots of the run when this program ends.
                let _ = bot.quit(format!("{}\n", ToBot::Quit).as_bytes(), quit, &overruns).await;
            }
        }
        Ok(())
    });
    // Outside of the runtime, where dropping them may block until they have ended.
    let warm = WarmBots(warm);
    result?;
    failed.sort_by_key(|failed| failed.bot);
    Ok(PreflightResult { failed, warm })
}

enum Trouble {
    Bot(Fault, Vec<String>),
    Host(StartError),
}

impl From<StartError> for Trouble {
    fn from(error: StartError) -> Trouble {
        match error {
            StartError::Host { .. } => Trouble::Host(error),
            StartError::NotFound { .. }
            | StartError::IsDirectory { .. }
            | StartError::NotExecutable { .. }
            | StartError::BadInterpreter { .. }
            | StartError::Directory { .. }
            | StartError::Refused { .. }
            | StartError::Outside { .. } => {
                let fault =
                    Fault::NotStarted { error: error.to_string(), status: None, stderr_tail: String::new() };
                Trouble::Bot(fault, Vec::new())
            }
        }
    }
}

async fn check(candidate: Candidate, afterwards: Afterwards) -> Result<Option<WarmBot<Bot>>, Trouble> {
    let Candidate { spec, limits, work, is_person } = candidate;
    if is_person {
        return Ok(None);
    }
    let mut bot = Bot::start(spec.command.clone()).await?;
    // A bot that can't take the line at once does not read its input, and will not answer.
    let _ = bot.write_now(format!("{}\n", ToBot::Ugi).as_bytes());
    let max_line = usize::try_from(limits.line).unwrap_or(usize::MAX);
    let mut output = CheckOutput {
        all: Vec::new(),
        lines: LineReader::new(max_line),
        stray: Vec::new(),
        introduction: Introduction::default(),
        work,
    };
    let cpus = cpus_of(&spec.command.cpus);
    let greeting = greeting(&bot, &limits, &mut output);
    let outcome = match in_time(greeting, limits.start, cpus, || bot.reading()).await {
        Ok(Greeting::Answered) => Ok(()),
        Ok(Greeting::Failed(fault)) => Err(fault),
        // No time limit is needed: the bot can no longer answer, and it ends or is found to live on.
        Ok(Greeting::Ended) => Err(ended(&bot).await),
        Err(granted) => Err(Fault::NotReady { stage: Stage::Handshake, limit: limits.start, granted }),
    };
    // A bot whose pipe can't be used in games is not kept.
    if outcome.is_ok() && afterwards == Afterwards::Kept && bot.stdout.leave_runtimes().is_ok() {
        let BotSpec { identity, command, quit, overruns, .. } = spec;
        return Ok(Some(WarmBot { identity, command, quit, overruns, bot, said: output.all }));
    }
    let leaked = match &outcome {
        Ok(()) => bot.quit(format!("{}\n", ToBot::Quit).as_bytes(), spec.quit, &spec.overruns).await,
        Err(_) => bot.kill().await,
    };
    // Leaked processes are killed with all bots of the run when this program ends.
    let _ = leaked;
    if let State::Failed(error) = bot.state() {
        return Err(error.into());
    }
    outcome.map(|()| None).map_err(|fault| {
        // After a limit is exceeded, the rest of the line is cut off and not worth showing.
        let is_cut_off = matches!(fault, Fault::Limit { .. });
        Trouble::Bot(fault, if is_cut_off { output.stray } else { output.stray_lines() })
    })
}

/// Returns the number of CPUs on which a bot may run if it is bound to these; an empty list means all allowed CPUs.
fn cpus_of(bound: &[usize]) -> NonZeroU32 {
    let count = if bound.is_empty() { allowed_cpus().len() } else { bound.len() };
    u32::try_from(count).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN)
}

/// Waits for the answer of a bot that has started: for `limit`, plus the time for which the host kept the bot from its
/// CPUs, up to another `limit`. Games grant the same time.
///
/// # Errors
/// The additional time that was granted, if it was not enough.
async fn in_time<T>(
    answer: impl Future<Output = T>,
    limit: Duration,
    cpus: NonZeroU32,
    reading: impl Fn() -> Option<Reading>,
) -> Result<T, Duration> {
    let begun = tokio::time::Instant::now();
    let mut extension = ReadyExtension::default();
    let mut answer = pin!(answer);
    let mut wait = limit;
    loop {
        if let Ok(answer) = timeout(wait, &mut answer).await {
            return Ok(answer);
        }
        let more = reading().and_then(|reading| {
            let (cpu, wait) = reading.since(&Reading::default());
            let evidence = Evidence { cpu, wait, lag: Duration::ZERO };
            extension.extend(GameTime(begun.elapsed()), &reading, evidence, cpus, limit)
        });
        match more {
            Some(more) => wait = more,
            None => return Err(extension.granted()),
        }
    }
}

struct CheckOutput {
    /// The output so far. The limit on output while not on move bounds it.
    all: Vec<u8>,
    lines: LineReader,
    stray: Vec<String>,
    introduction: Introduction,
    /// The work limit by which the bot must play, if its time control is one.
    work: Option<Work>,
}

impl CheckOutput {
    /// Returns the last meaningless lines, including an unfinished one.
    fn stray_lines(mut self) -> Vec<String> {
        let unfinished = self.lines.take_partial();
        if !unfinished.trim_ascii().is_empty() {
            keep_stray(&mut self.stray, &unfinished);
        }
        self.stray
    }
}

fn keep_stray(stray: &mut Vec<String>, line: &[u8]) {
    stray.push(String::from_utf8_lossy(line).into_owned());
    if stray.len() > MAX_STRAY_LINES {
        stray.remove(0);
    }
}

enum Greeting {
    Answered,
    Failed(Fault),
    /// Its output has ended.
    Ended,
}

/// Waits for `ugiok`.
async fn greeting(bot: &Bot, limits: &SeatLimits, output: &mut CheckOutput) -> Greeting {
    let mut buffer = vec![0; 4096];
    let mut printed = 0;
    loop {
        let count = bot.next_output(&mut buffer).await.unwrap_or(0);
        if count == 0 {
            return Greeting::Ended;
        }
        printed += count as u64;
        let CheckOutput { all, lines, stray, introduction, work } = &mut *output;
        all.extend_from_slice(&buffer[..count]);
        let mut answer = None;
        lines.feed(&buffer[..count], |piece| {
            let line = match piece {
                LineEvent::Line(line) => line,
                LineEvent::TooLong { bytes } => {
                    let fault = Fault::Limit { which: Limit::Line, limit: limits.line, used: bytes };
                    answer = answer.take().or(Some(Greeting::Failed(fault)));
                    return;
                }
            };
            let step = match FromBot::parse(line) {
                Ok(message) => introduction.take(message, *work),
                Err(_) => return keep_stray(stray, line),
            };
            match step {
                HandshakeStep::Introduced => answer = answer.take().or(Some(Greeting::Answered)),
                HandshakeStep::Failed(fault) => answer = answer.take().or(Some(Greeting::Failed(fault))),
                HandshakeStep::Ignored(FromBot::Unknown) => keep_stray(stray, line),
                // Other problems are found in the first game.
                HandshakeStep::Continues | HandshakeStep::Unasked | HandshakeStep::Ignored(_) => {}
            }
        });
        if let Some(answer) = answer {
            return answer;
        }
        if printed > limits.output_off_move {
            return Greeting::Failed(Fault::Limit {
                which: Limit::OutputOffMove,
                limit: limits.output_off_move,
                used: printed,
            });
        }
    }
}

/// Returns the fault of a bot whose output ended.
async fn ended(bot: &Bot) -> Fault {
    let mut end = poll_fn(|context| {
        bot.wake_on_news(context.waker());
        match bot.state() {
            State::Running => Poll::Pending,
            State::Failed(_) => Poll::Ready(None),
            State::Ended(ending) => Poll::Ready(ending),
        }
    });
    let mut closing = Closing::default();
    // `None` if the bot lives on without its output.
    let ending = loop {
        match timeout(LIVENESS_INTERVAL, &mut end).await {
            Ok(ending) => break Some(ending),
            Err(_) => match closing.observe(bot.liveness()) {
                None => {}
                Some(Fate::Ended) => break Some(None),
                Some(Fate::LivesOn) => break None,
            },
        }
    };
    if let Some(Breach { resource, limit, used }) = bot.breach() {
        return Fault::Limit { which: resource, limit, used };
    }
    match ending {
        Some(ending) => {
            ended_before("ugiok", ending.map(|ending| exit_status(ending.status)), bot.stderr_text())
        }
        None => Fault::ClosedOutput { stderr_tail: bot.stderr_text() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(1);

    /// Waits for a bot that answers after a time in which it has used and waited for the CPU for these times.
    fn answered(after: Duration, cpu: Duration, wait: Duration) -> Result<(), Duration> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime can be built").block_on(async {
            let deadline = tokio::time::Instant::now() + after;
            let answer = async { tokio::time::sleep_until(deadline).await };
            let reading = || Some(Reading { cpu, waits: vec![(1, wait)], is_ready: false });
            in_time(answer, LIMIT, NonZeroU32::MIN, reading).await
        })
    }

    #[test]
    fn the_limit_is_extended_by_the_time_without_a_cpu() {
        let (short, long) = (LIMIT * 9 / 10, LIMIT * 3 / 2);
        assert_eq!(answered(short, short, Duration::ZERO), Ok(()));
        assert_eq!(answered(long, long, Duration::ZERO), Err(Duration::ZERO));
        assert_eq!(answered(long, LIMIT / 10, LIMIT * 6 / 10), Ok(()));
        let granted = answered(long, LIMIT / 10, LIMIT / 5).unwrap_err();
        assert!((LIMIT / 5..LIMIT / 4).contains(&granted), "{granted:?}");
        // The extension is at most the limit.
        assert!(answered(LIMIT * 4, LIMIT / 10, LIMIT * 4).is_err());
    }
}

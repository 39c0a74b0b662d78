//! The runtime of a check: the bot's process is real and monitored, and its partners have no process.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use linesman_driver::guest::{Guest, Occupant};
use linesman_driver::runtime::{Runtime, ThreadRuntime};
use linesman_sandbox::{
    Bot, Command, Interest, Leaked, Process, QuitOverruns, Reading, StartError, Termination, wait_for,
};

use super::arena_state::{ArenaState, Sample};
use super::manner::Manner;
use super::partner::Partner;

/// The verb of a bot's answer.
const ANSWER: &[u8] = b"bestmove";

/// This thread's runtime for games of the bot with partners.
#[derive(Debug)]
pub(super) struct CheckRuntime {
    thread: ThreadRuntime,
    shared: Rc<ArenaState>,
}

impl CheckRuntime {
    pub(super) fn for_this_thread(shared: Rc<ArenaState>) -> CheckRuntime {
        CheckRuntime { thread: ThreadRuntime::for_this_thread(), shared }
    }
}

impl Runtime for CheckRuntime {
    type Bot = Occupant<Partner, MonitoredBot>;

    fn thread(&self) -> Option<&ThreadRuntime> {
        Some(&self.thread)
    }

    async fn start(&self, command: Command) -> Result<Self::Bot, StartError> {
        if command.program.is_empty() {
            return Ok(Occupant::Guest(Partner::new(Rc::clone(&self.shared))));
        }
        let bot = Bot::start_here(command)?;
        let (pending, idle_since) = (RefCell::default(), RefCell::default());
        let shared = Rc::clone(&self.shared);
        Ok(Occupant::Bot(Box::new(MonitoredBot { bot, pending, idle_since, shared })))
    }

    async fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, Self::Bot>>,
        at_most: Duration,
    ) -> io::Result<()> {
        let mut wait = at_most;
        let mut processes = Vec::new();
        for interest in interests {
            match interest {
                Interest::Output(Occupant::Bot(monitored)) => {
                    monitored.flush();
                    processes.push(Interest::Output(&monitored.bot));
                }
                Interest::Room(Occupant::Bot(monitored)) => processes.push(Interest::Room(&monitored.bot)),
                Interest::Output(Occupant::Guest(partner)) => {
                    wait = partner.answers_in().map_or(wait, |time| time.min(wait));
                }
                Interest::Room(Occupant::Guest(_)) => wait = Duration::ZERO,
            }
        }
        wait_for(processes, wait)
    }

    async fn hear(&self, bot: &Self::Bot, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match bot {
            Occupant::Bot(monitored) => monitored.hear(buffer, |bot, buffer| bot.stdout.read(buffer)),
            Occupant::Guest(partner) => {
                if let Some(wait) = partner.answers_in().filter(|wait| !wait.is_zero()) {
                    wait_for([], wait)?;
                }
                partner.read_now(buffer)
            }
        }
    }

    async fn wait_for_end(&self, termination: Option<Termination>) -> Leaked {
        termination.map(Termination::wait).unwrap_or_default()
    }
}

/// The bot's process. Lines to it are written in a manner, and its resources are measured.
#[derive(Debug)]
pub(super) struct MonitoredBot {
    bot: Bot,
    /// The bytes for the bot that have not been written yet.
    pending: RefCell<Vec<u8>>,
    /// The CPU times of the bot when its last answer was read; `None` while it is on move.
    idle_since: RefCell<Option<Reading>>,
    shared: Rc<ArenaState>,
}

impl MonitoredBot {
    /// Reads the bot's output. After an answer the bot is not on move.
    fn hear(
        &self,
        buffer: &mut [u8],
        read: impl Fn(&Bot, &mut [u8]) -> io::Result<Option<usize>>,
    ) -> io::Result<Option<usize>> {
        self.flush();
        let count = read(&self.bot, buffer)?;
        let has_answered = |count| buffer[..count].windows(ANSWER.len()).any(|part| part == ANSWER);
        if self.shared.off_move.get().is_some() && count.is_some_and(has_answered) {
            *self.idle_since.borrow_mut() = self.bot.reading();
        }
        Ok(count)
    }

    /// Ends an idle phase of the bot, and adds the time for which it was busy in that phase.
    fn end_idleness(&self) {
        let Some(before) = self.shared.off_move.get() else { return };
        let Some(since) = self.idle_since.take() else { return };
        // On a busy host, a bot that wants to run has to wait for a CPU.
        let busy = self.bot.reading().map(|reading| {
            let (cpu, wait) = reading.since(&since);
            cpu + wait
        });
        self.shared.off_move.set(busy.map(|busy| before + busy));
    }

    /// Writes as many of the pending bytes as possible.
    fn flush(&self) {
        let mut pending = self.pending.borrow_mut();
        if pending.is_empty() {
            return;
        }
        match self.bot.write_now(&pending) {
            Ok(count) => drop(pending.drain(..count.unwrap_or(0))),
            // The bot closed its input: it exits, or plays on without input.
            Err(_) => pending.clear(),
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let manner = self.shared.manner.get();
        self.flush();
        if manner == Manner::Plain && self.pending.borrow().is_empty() {
            return self.bot.write_now(bytes);
        }
        let text = manner.apply(&String::from_utf8_lossy(bytes));
        self.pending.borrow_mut().extend_from_slice(text.as_bytes());
        self.flush();
        Ok(Some(bytes.len()))
    }

    fn take_sample(&self) {
        let cpu = self.bot.reading().map_or(Duration::ZERO, |reading| reading.cpu);
        let peak_kib = self.bot.peak_kib().unwrap_or(0);
        self.shared.samples.borrow_mut().push(Sample { cpu, peak_kib });
    }
}

impl Process for MonitoredBot {
    type Terminating = Termination;
    type Inner = Bot;

    fn inner(&self) -> Option<&Bot> {
        Some(&self.bot)
    }

    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        self.hear(buffer, Bot::read_now)
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        if bytes.starts_with(b"gameover") {
            self.take_sample();
        }
        self.end_idleness();
        self.write(bytes)
    }

    fn kill_later(self) -> Termination {
        self.bot.kill_later()
    }

    fn quit_later(self, words: Vec<u8>, limit: Duration, overruns: QuitOverruns) -> Termination {
        self.bot.quit_later(words, limit, overruns)
    }
}

//! The machine on which a bot is checked: its process is real and watched, and its partners need none.

use std::cell::RefCell;
use std::io;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::{Duration, Instant};

use linesman_driver::runtime::{Runtime, ThreadRuntime};
use linesman_sandbox::{
    Bot, Command, HostLoad, Interest, Leaked, Process, QuitOverruns, Reading, StartError, Termination,
    wait_for,
};

use super::arena_settings::{ArenaSettings, Sample};
use super::manner::Manner;
use super::partner::Partner;

/// The verb of an answer.
const ANSWER: &[u8] = b"bestmove";

/// This machine with a bot that is checked.
#[derive(Debug)]
pub(super) struct Machine {
    thread: ThreadRuntime,
    shared: Rc<ArenaSettings>,
}

impl Machine {
    pub(super) fn for_this_thread(shared: Rc<ArenaSettings>) -> Machine {
        Machine { thread: ThreadRuntime::for_this_thread(), shared }
    }

    /// Reads what a participant says before the alarm rings.
    fn hear_now(participant: &Participant, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match participant {
            Participant::Bot(watched) => {
                watched.flush();
                let read = watched.bot.read(buffer);
                watched.note_answer(&read, buffer);
                read
            }
            Participant::Partner(partner) => {
                if let Some(wait) = partner.speaks_in().filter(|wait| !wait.is_zero()) {
                    wait_for([], wait)?;
                }
                Ok(partner.read_now(buffer))
            }
        }
    }
}

impl Runtime for Machine {
    type Bot = Participant;

    fn now(&self) -> Instant {
        self.thread.now()
    }

    async fn start(&self, command: Command) -> Result<Participant, StartError> {
        if command.program.is_empty() {
            return Ok(Participant::Partner(Partner::new(Rc::clone(&self.shared))));
        }
        let bot = Bot::start_here(command)?;
        let (pending, idle_since) = (RefCell::default(), RefCell::default());
        let shared = Rc::clone(&self.shared);
        Ok(Participant::Bot(Box::new(Watched { bot, pending, idle_since, shared })))
    }

    async fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, Participant>>,
        at_most: Duration,
    ) -> io::Result<()> {
        let mut wait = at_most;
        let mut processes = Vec::new();
        for interest in interests {
            match interest {
                Interest::Output(Participant::Bot(watched)) => {
                    watched.flush();
                    processes.push(Interest::Output(&watched.bot));
                }
                Interest::Room(Participant::Bot(watched)) => processes.push(Interest::Room(&watched.bot)),
                Interest::Output(Participant::Partner(partner)) => {
                    wait = partner.speaks_in().map_or(wait, |own| own.min(wait));
                }
                Interest::Room(Participant::Partner(_)) => wait = Duration::ZERO,
            }
        }
        wait_for(processes, wait)
    }

    async fn hear(&self, bot: &Participant, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        Machine::hear_now(bot, buffer)
    }

    async fn wait_for_end(&self, leaving: Option<Termination>) -> Leaked {
        match leaving {
            Some(termination) => termination.wait(),
            None => Leaked::default(),
        }
    }

    fn has_alarm(&self) -> bool {
        self.thread.has_alarm()
    }

    fn set_alarm(&self, after: Duration) {
        self.thread.set_alarm(after);
    }

    fn silence_alarm(&self) {
        self.thread.silence_alarm();
    }

    fn suspended(&self) -> Duration {
        self.thread.suspended()
    }

    fn own_wait(&self) -> Option<Duration> {
        self.thread.own_wait()
    }

    fn own_cpu(&self) -> Duration {
        self.thread.own_cpu()
    }

    fn load(&self) -> HostLoad {
        self.thread.load()
    }

    fn cpus(&self) -> NonZeroU32 {
        self.thread.cpus()
    }
}

/// Somebody in a seat.
#[derive(Debug)]
pub(super) enum Participant {
    /// The bot that is checked.
    Bot(Box<Watched>),
    /// A partner.
    Partner(Partner),
}

/// The bot, written to in a manner.
#[derive(Debug)]
pub(super) struct Watched {
    bot: Bot,
    /// The bytes in the bot's manner that it has not taken yet.
    pending: RefCell<Vec<u8>>,
    /// The reading of it when its last answer was read, as long as it is not on move.
    idle_since: RefCell<Option<Reading>>,
    shared: Rc<ArenaSettings>,
}

impl Watched {
    /// Takes note that the bot is not on move from now on, if it has answered.
    fn note_answer(&self, read: &io::Result<Option<usize>>, buffer: &[u8]) {
        let Ok(Some(count)) = read else { return };
        let has_answered = || buffer[..*count].windows(ANSWER.len()).any(|part| part == ANSWER);
        if self.shared.off_move.get().is_some() && has_answered() {
            *self.idle_since.borrow_mut() = self.bot.reading();
        }
    }

    /// Takes note that the bot is not idle any more.
    fn end_idleness(&self) {
        let Some(before) = self.shared.off_move.get() else { return };
        let Some(since) = self.idle_since.take() else { return };
        // On a busy host, one that wants a CPU has to wait for it.
        let busy = self.bot.reading().map(|reading| {
            let (cpu, wait) = reading.since(&since);
            cpu + wait
        });
        self.shared.off_move.set(busy.map(|busy| before + busy));
    }

    /// Writes what the bot has not taken yet.
    fn flush(&self) {
        let mut pending = self.pending.borrow_mut();
        if pending.is_empty() {
            return;
        }
        match self.bot.write_now(&pending) {
            Ok(count) => drop(pending.drain(..count.unwrap_or(0))),
            // It closed its input: its end follows, or it goes on without.
            Err(_) => pending.clear(),
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let manner = self.shared.manner.get();
        self.flush();
        if manner == Manner::Plain && self.pending.borrow().is_empty() {
            return self.bot.write_now(bytes);
        }
        let text = manner.of(&String::from_utf8_lossy(bytes));
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

impl Process for Participant {
    /// Nothing for a partner.
    type Terminating = Option<Termination>;
    type Inner = Bot;

    fn inner(&self) -> Option<&Bot> {
        match self {
            Participant::Bot(watched) => Some(&watched.bot),
            Participant::Partner(_) => None,
        }
    }

    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self {
            Participant::Bot(watched) => {
                watched.flush();
                let read = watched.bot.read_now(buffer);
                watched.note_answer(&read, buffer);
                read
            }
            Participant::Partner(partner) => Ok(partner.read_now(buffer)),
        }
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        match self {
            Participant::Bot(watched) => {
                if bytes.starts_with(b"gameover") {
                    watched.take_sample();
                }
                watched.end_idleness();
                watched.write(bytes)
            }
            Participant::Partner(partner) => {
                partner.hear(&String::from_utf8_lossy(bytes));
                Ok(Some(bytes.len()))
            }
        }
    }

    fn kill_later(self) -> Option<Termination> {
        match self {
            Participant::Bot(watched) => Some(watched.bot.kill_later()),
            Participant::Partner(_) => None,
        }
    }

    fn quit_later(self, words: Vec<u8>, limit: Duration, overruns: QuitOverruns) -> Option<Termination> {
        match self {
            Participant::Bot(watched) => Some(watched.bot.quit_later(words, limit, overruns)),
            Participant::Partner(_) => None,
        }
    }
}

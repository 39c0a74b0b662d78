//! A simulated bot that shares a CPU with others while it thinks.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use linesman::process::{Leaked, Process, QuitOverruns, Reading, Terminating};
use linesman::protocol::{GoLimit, ToBot};

use crate::chance::Chance;
use crate::fair_time::cpu::Thread;
use crate::fair_time::field::Kind;
use crate::fair_time::host::Shared;

/// A time after the end of every league.
const NEVER: Duration = Duration::from_secs(1 << 29);

pub struct FairBot {
    kind: Kind,
    shared: Rc<Shared>,
    inner: RefCell<Inner>,
}

struct Inner {
    input: Vec<u8>,
    output: VecDeque<(Duration, Vec<u8>)>,
    legal: Vec<String>,
    turn: u32,
    chance: Chance,
    thinking: Option<Thinking>,
    /// The CPU time of past turns, and that out of turn.
    cpu: Duration,
    waited: Duration,
    /// If it burns CPU out of turn: since when, and the number of other burners.
    burns: Option<(Duration, u32)>,
}

/// A turn in progress.
struct Thinking {
    thread: Thread,
    threads: u32,
    need: Option<Duration>,
}

impl FairBot {
    pub fn start(shared: Rc<Shared>, name: &str) -> FairBot {
        let chance = Chance::of(shared.chance.borrow_mut().next(), name);
        let inner = Inner {
            input: Vec::new(),
            output: VecDeque::new(),
            legal: Vec::new(),
            turn: 0,
            chance,
            thinking: None,
            cpu: Duration::ZERO,
            waited: Duration::ZERO,
            burns: None,
        };
        FairBot { kind: Kind::of(name), shared, inner: RefCell::new(inner) }
    }

    pub fn next_output(&self) -> Option<Duration> {
        self.inner.borrow().output.front().map(|(at, _)| *at)
    }

    pub fn take_output(&self, buffer: &mut [u8]) -> Option<usize> {
        let now = self.shared.now.get();
        let mut inner = self.inner.borrow_mut();
        let (at, bytes) = inner.output.front()?;
        if *at > now {
            return None;
        }
        let count = bytes.len();
        buffer[..count].copy_from_slice(bytes);
        inner.output.pop_front();
        Some(count)
    }

    fn hear(&self, line: &str) {
        let now = self.shared.now.get();
        match ToBot::parse(line).expect("the referee speaks the protocol") {
            Some(ToBot::Ugi) => self.say(now, "feature legal\nugiok\n"),
            Some(ToBot::IsReady) => self.say(now, "readyok\n"),
            Some(ToBot::NewGame) => self.inner.borrow_mut().turn = 0,
            Some(ToBot::Legal(moves)) => self.inner.borrow_mut().legal = moves,
            Some(ToBot::Go(GoLimit::MoveTime(limit))) => self.think(now, limit),
            // The other lines don't matter to it.
            Some(
                ToBot::SetOption { .. }
                | ToBot::Game(_)
                | ToBot::Position(_)
                | ToBot::State(_)
                | ToBot::Go(GoLimit::Clocks(_) | GoLimit::Work(_) | GoLimit::Infinite)
                | ToBot::GoPonder(_)
                | ToBot::PonderHit
                | ToBot::Stop
                | ToBot::Told { .. }
                | ToBot::GameOver { .. }
                | ToBot::Quit,
            )
            | None => {}
        }
    }

    fn say(&self, at: Duration, text: &str) {
        self.inner.borrow_mut().output.push_back((at, text.as_bytes().to_vec()));
    }

    fn think(&self, now: Duration, limit: Duration) {
        self.stop_burning(now);
        self.end_turn(now);
        let mut inner = self.inner.borrow_mut();
        inner.turn += 1;
        let (turn, seed) = (inner.turn, inner.chance.next());
        let mut chance = Chance::of(seed, "turn");
        let need = self.kind.need(turn, limit, self.shared.margin);
        let threads = self.kind.threads(turn);
        if threads == 0 {
            return;
        }
        let beside = threads - 1 + self.shared.burners.get();
        let thread = Thread::wakes(now, self.shared.spinners, beside, chance.clone());
        if let Some(need) = need {
            let answered = thread.clone().advance(NEVER, Some(need)).expect("it answers some day");
            let answer = format!("bestmove {}\n", chance.pick(&inner.legal));
            inner.output.push_back((answered, answer.into_bytes()));
        }
        inner.thinking = Some(Thinking { thread, threads, need });
    }

    /// Adds up the account of an answered turn.
    fn end_turn(&self, now: Duration) {
        let mut inner = self.inner.borrow_mut();
        let Some(mut thinking) = inner.thinking.take() else { return };
        match thinking.thread.advance(now, thinking.need) {
            Some(at) => {
                inner.cpu += thinking.thread.cpu * thinking.threads;
                inner.waited += thinking.thread.waited;
                if self.kind == Kind::BurnsOutOfTurn {
                    let others = self.shared.spinners.at(at) + 1;
                    inner.burns = Some((at, others));
                    self.shared.burners.set(1);
                }
            }
            None => inner.thinking = Some(thinking),
        }
    }

    fn stop_burning(&self, now: Duration) {
        let mut inner = self.inner.borrow_mut();
        if let Some((since, others)) = inner.burns.take() {
            inner.cpu += now.saturating_sub(since) / (others + 1);
            self.shared.burners.set(0);
        }
    }
}

impl Process for FairBot {
    type Terminating = Left;
    type Inner = FairBot;

    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        Ok(self.take_output(buffer))
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let lines = {
            let mut inner = self.inner.borrow_mut();
            inner.input.extend_from_slice(bytes);
            let end = inner.input.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let lines: Vec<u8> = inner.input.drain(..end).collect();
            String::from_utf8(lines).expect("the referee sends text")
        };
        lines.lines().for_each(|line| self.hear(line));
        Ok(Some(bytes.len()))
    }

    fn reading(&self) -> Option<Reading> {
        let now = self.shared.now.get();
        self.end_turn(now);
        let inner = self.inner.borrow();
        let (mut cpu, mut waited, mut threads) = (inner.cpu, inner.waited, 1);
        if let Some(thinking) = &inner.thinking {
            threads = thinking.threads;
            cpu += thinking.thread.cpu * threads;
            waited += thinking.thread.waited;
        }
        if let Some((since, others)) = inner.burns {
            cpu += now.saturating_sub(since) / (others + 1);
        }
        let is_ready = inner.thinking.is_some() || inner.burns.is_some();
        Some(Reading { cpu, waits: (0..threads).map(|thread| (thread, waited)).collect(), is_ready })
    }

    fn pause(&self) {
        let now = self.shared.now.get();
        self.end_turn(now);
        self.stop_burning(now);
    }

    fn kill_later(self) -> Left {
        self.stop_burning(self.shared.now.get());
        Left
    }

    fn quit_later(self, _words: Vec<u8>, _limit: Duration, _overruns: QuitOverruns) -> Left {
        self.kill_later()
    }
}

/// A bot that has ended.
pub struct Left;

impl Terminating for Left {
    fn poll(&mut self) -> Option<Leaked> {
        Some(Leaked::default())
    }
}

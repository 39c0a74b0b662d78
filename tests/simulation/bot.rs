//! A simulated bot: what it prints and when, in reply to what it reads.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::rc::Rc;
use std::time::Duration;

use linesman::games::{Table, eliminated};
use linesman::process::{Ending, STDERR_LIMIT, StartError, State};
use linesman::protocol::{GameHeader, ToBot};
use linesman::seat::Seat;
use memchr::memchr;

use crate::behaviours::{Behaviour, Character, Guilt, Proof};
use crate::chance::Chance;
use crate::ponder::Ponder;
use crate::runtime::{Left, Shared};

pub const MS: Duration = Duration::from_millis(1);

/// The maximum length of a line in every simulated tournament.
pub const LINE: usize = 2 << 10;
pub const OUTPUT_ON_MOVE: usize = 80 << 10;
pub const OUTPUT_OFF_MOVE: usize = 8 << 10;

/// A simulated process.
pub struct SimBot {
    pub shared: Rc<Shared>,
    pub inner: RefCell<Inner>,
}

pub struct Inner {
    pub name: String,
    pub character: Character,
    /// The start of an incomplete line.
    pub input: Vec<u8>,
    /// The time from which there is room for more input.
    pub room_at: Duration,
    /// Its future output, with times.
    pub output: VecDeque<(Duration, Vec<u8>)>,
    pub last_output: Duration,
    pub closes: Option<Duration>,
    pub ends: Option<(Duration, i32)>,
    /// True if a child of it holds its output open.
    pub is_held_open: bool,
    pub refused: Option<Duration>,
    pub stderr: Option<Duration>,
    pub told_of_end: bool,
    pub told_of_stderr: bool,
    pub game: Option<Playing>,
    /// Starts and durations of times when it was ready and had no CPU.
    pub waits: Vec<(Duration, Duration)>,
}

pub struct Playing {
    pub id: String,
    pub seat: Seat,
    pub table: Box<dyn Table>,
    /// The number of words of the list of moves that are applied to the table.
    pub applied: usize,
    pub turns: u32,
    pub behaviour: Behaviour,
    pub was_ready: bool,
    /// True if it can name moves to ponder on.
    pub ponders: bool,
    pub ponder: Ponder,
}

impl SimBot {
    pub fn start(shared: Rc<Shared>, name: String) -> SimBot {
        let character = Character::of(shared.seed, &name);
        let now = shared.bots_now();
        shared.alive.set(shared.alive.get() + 1);
        let bot = SimBot {
            inner: RefCell::new(Inner {
                refused: (character == Character::NeverStarts).then_some(now + MS),
                name,
                character,
                input: Vec::new(),
                room_at: Duration::ZERO,
                output: VecDeque::new(),
                last_output: Duration::ZERO,
                closes: None,
                ends: None,
                is_held_open: false,
                stderr: None,
                told_of_end: false,
                told_of_stderr: false,
                game: None,
                waits: Vec::new(),
            }),
            shared,
        };
        match character {
            Character::NeverStarts => bot.confess(None, &["not_started"], Proof::Sure),
            Character::EndsAtOnce => bot.confess(None, &["not_started", "not_ready"], Proof::Sure),
            Character::NeverAnswers => bot.confess(None, &["not_ready"], Proof::Sure),
            Character::Usual | Character::SlowReader => {}
        }
        bot
    }

    pub fn confess(&self, seat: Option<Seat>, words: &'static [&'static str], proof: Proof) {
        let guilt =
            Guilt { bot: self.inner.borrow().name.clone(), seat: seat.map(Seat::number), words, proof };
        self.shared.witness.borrow_mut().guilt.push(guilt);
    }

    pub fn end(self) -> Left {
        self.shared.alive.set(self.shared.alive.get() - 1);
        Left
    }

    /// Returns the time of the next output, the end included.
    pub fn next_output(&self) -> Option<Duration> {
        let inner = self.inner.borrow();
        match inner.output.front() {
            Some((at, _)) => Some(*at),
            None => inner.closes_at(),
        }
    }

    pub fn next_room(&self) -> Duration {
        self.inner.borrow().room_at
    }

    /// Reads the available output; 0 at the end.
    pub fn take_output(&self, buffer: &mut [u8]) -> Option<usize> {
        let now = self.shared.bots_now();
        let mut inner = self.inner.borrow_mut();
        let mut filled = 0;
        while let Some((at, bytes)) = inner.output.front_mut()
            && *at <= now
            && filled < buffer.len()
        {
            let count = bytes.len().min(buffer.len() - filled);
            buffer[filled..filled + count].copy_from_slice(&bytes[..count]);
            filled += count;
            if count == bytes.len() {
                inner.output.pop_front();
            } else {
                bytes.drain(..count);
            }
        }
        let is_at_its_end = inner.output.is_empty() && inner.closes_at().is_some_and(|at| at <= now);
        (filled > 0 || is_at_its_end).then_some(filled)
    }

    /// Takes all or some of the input.
    pub fn take_input(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let now = self.shared.bots_now();
        let count = {
            let mut inner = self.inner.borrow_mut();
            let has_ended = inner.ends.is_some_and(|(at, _)| at <= now);
            if has_ended || inner.refused.is_some_and(|at| at <= now) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            let mut count = bytes.len();
            // Slow reading is only the bot's fault as long as the machine is not late itself.
            if inner.character == Character::SlowReader && self.shared.trouble.keeps_time() {
                if inner.room_at > now {
                    return Ok(None);
                }
                count = (1 + self.shared.up_to(600)).min(count);
                inner.room_at = now + MS;
            }
            inner.input.extend_from_slice(&bytes[..count]);
            count
        };
        loop {
            let line = {
                let mut inner = self.inner.borrow_mut();
                let Some(end) = memchr(b'\n', &inner.input) else { break };
                let line: Vec<u8> = inner.input.drain(..=end).collect();
                String::from_utf8(line).expect("the referee sends text")
            };
            self.hear(line.trim_end_matches('\n'), now);
        }
        Ok(Some(count))
    }

    pub fn has_news(&self) -> bool {
        let now = self.shared.bots_now();
        let mut inner = self.inner.borrow_mut();
        let is_over = inner.stderr.is_some_and(|at| at <= now);
        if is_over && !inner.told_of_stderr {
            inner.told_of_stderr = true;
            return true;
        }
        let ended = inner.refused.or(inner.reported_end().map(|(at, _)| at));
        if ended.is_some_and(|at| at <= now) && !inner.told_of_end {
            inner.told_of_end = true;
            return true;
        }
        false
    }

    pub fn state_now(&self) -> State {
        let now = self.shared.bots_now();
        let inner = self.inner.borrow();
        if inner.refused.is_some_and(|at| at <= now) {
            return State::Failed(StartError::NotFound { program: PathBuf::from(&inner.name) });
        }
        match inner.reported_end() {
            Some((at, code)) if at <= now => State::Ended(Some(Ending {
                status: ExitStatus::from_raw(code << 8),
                cpu: MS,
                peak_kib: 1_000,
            })),
            _ => State::Running,
        }
    }

    /// True if it has ended, even if that was not reported yet.
    pub fn has_ended(&self) -> bool {
        let now = self.shared.bots_now();
        self.inner.borrow().ends.is_some_and(|(at, _)| at <= now)
    }

    /// Returns how long it was ready and had no CPU, without a wait that still goes on
    /// (as in the kernel's accounts), and whether one goes on.
    pub fn waited(&self) -> (Duration, bool) {
        let now = self.shared.bots_now();
        let waits = &self.inner.borrow().waits;
        let over = waits.iter().filter(|(from, time)| *from + *time <= now);
        let goes_on = waits.iter().any(|(from, time)| (*from..*from + *time).contains(&now));
        (over.map(|(_, time)| *time).sum(), goes_on)
    }

    pub fn stderr_now(&self) -> u64 {
        let now = self.shared.bots_now();
        if self.inner.borrow().stderr.is_some_and(|at| at <= now) { STDERR_LIMIT + 1 } else { 17 }
    }

    /// Handles a line from the referee.
    fn hear(&self, line: &str, now: Duration) {
        if let Some(words) = line.strip_prefix("position startpos") {
            return self.follow(None, words);
        }
        if let Some(words) = line.strip_prefix("position fen ") {
            let end = words.find(' ').unwrap_or(words.len());
            return self.follow(Some(&words[..end]), &words[end..]);
        }
        let message = ToBot::parse(line).expect("the referee speaks well").expect("and says nothing unknown");
        match message {
            ToBot::Ugi => self.greet(now),
            ToBot::Game(header) => self.sit_down(header),
            ToBot::IsReady => self.get_ready(now),
            ToBot::Go(going) => self.think(&going, now),
            ToBot::GoPonder(going) => self.begin_pondering(going, now),
            ToBot::PonderHit => self.hit(now),
            ToBot::Stop => self.stop_pondering(now),
            ToBot::GameOver { .. } => self.inner.borrow_mut().game = None,
            _ => {}
        }
    }

    fn greet(&self, now: Duration) {
        let mut inner = self.inner.borrow_mut();
        let mut chance = Chance::of(self.shared.seed, ("greeting", &inner.name));
        match inner.character {
            Character::EndsAtOnce => inner.ends = Some((now + MS, 1)),
            Character::NeverAnswers | Character::NeverStarts => {}
            Character::Usual | Character::SlowReader => {
                let mut text = format!("id name {} 1.0\r\nid author nobody\nhello?\n\n", inner.name);
                for feature in ["state", "legal"] {
                    if chance.hits(100) {
                        text.push_str(&format!("feature {feature}\n"));
                    }
                }
                // A separate generator, so that other leagues stay the same.
                let mut ponder = Chance::of(self.shared.seed, ("ponders", &inner.name));
                if self.shared.ponders && ponder.hits(700) {
                    text.push_str("feature ponder\n");
                }
                text.push_str("option name Depth type spin default 3 min 1 max 9\nugiok\n");
                let last = now + chance.within(Duration::from_secs(5));
                inner.say_in_pieces(&mut chance, text.as_bytes(), now, last);
            }
        }
    }

    fn sit_down(&self, header: GameHeader) {
        let behaviour = Behaviour::of(self.shared.seed, &header.id, header.seat.number());
        let mut inner = self.inner.borrow_mut();
        let is_leaving = inner.ends.is_some() || inner.closes.is_some();
        inner.game = Some(Playing {
            id: header.id,
            seat: header.seat,
            table: self.shared.setup.start(),
            applied: 0,
            turns: 0,
            behaviour,
            was_ready: false,
            ponders: header.ponders,
            ponder: Ponder::default(),
        });
        let now = self.shared.bots_now();
        let is_starved = inner.waits.iter().any(|(from, time)| *from + *time > now);
        drop(inner);
        if is_starved {
            // The machine's disturbance of the last game goes on in this one.
            self.shared.witness.borrow_mut().host_stood_still = true;
            self.excuse(header.seat);
        }
        if is_leaving {
            // Its fault of the last game shows in this one.
            self.shared.witness.borrow_mut().is_a_race = true;
            let words = &["crash", "closed_output", "not_started", "not_ready", "time"];
            self.confess(Some(header.seat), words, Proof::Maybe);
        }
    }

    fn get_ready(&self, now: Duration) {
        let mut inner = self.inner.borrow_mut();
        let behaviour = match &mut inner.game {
            Some(game) if !game.was_ready => {
                game.was_ready = true;
                Some((game.behaviour, game.seat))
            }
            _ => None,
        };
        match behaviour {
            Some((Behaviour::NoReadyOk, seat)) => {
                drop(inner);
                self.confess(Some(seat), &["not_ready"], Proof::Sure);
            }
            Some((Behaviour::EndsBeforeReady, seat)) => {
                inner.ends = Some((now + MS, 3));
                drop(inner);
                self.confess(Some(seat), &["not_started", "crash", "not_ready"], Proof::Sure);
            }
            Some((Behaviour::ClosesBeforeReady, seat)) => {
                inner.closes = Some(now + MS);
                drop(inner);
                self.confess(Some(seat), &["closed_output", "not_ready"], Proof::Sure);
            }
            _ => inner.say(now + MS, b"readyok\n".to_vec()),
        }
    }

    /// Takes the CPU from a bot for a random time, or not, and returns the time.
    pub fn starve(&self, inner: &mut Inner, seat: Seat, now: Duration) -> Duration {
        if !self.shared.hits(self.shared.trouble.starved) {
            return Duration::ZERO;
        }
        let wait = MS * self.shared.up_to(4_000) as u32;
        inner.waits.push((now, wait));
        self.shared.witness.borrow_mut().host_stood_still = true;
        self.excuse(seat);
        wait
    }

    /// Notes that the machine can make a seat late, by which it can lose if that happens often.
    pub fn excuse(&self, seat: Seat) {
        let mut witness = self.shared.witness.borrow_mut();
        witness.excused.push(seat.number());
        witness.is_a_race = true;
    }

    /// Plays the new moves of a `position` line.
    fn follow(&self, token: Option<&str>, words: &str) {
        let mut inner = self.inner.borrow_mut();
        let Some(game) = &mut inner.game else { return };
        if let (Some(token), 0) = (token, game.turns) {
            game.table = self.shared.setup.from_token(token).expect("the referee knows its tokens");
        }
        game.ponder.before = Some((game.table.fork(), game.applied));
        let moves = words.split(' ').skip(2);
        for mv in moves.skip(game.applied) {
            game.applied += 1;
            match eliminated(mv) {
                Some(seat) => game.table.eliminate(seat),
                None => game.table.play(mv).expect("the referee lists legal moves"),
            }
        }
    }
}

impl Inner {
    /// Returns the time when its end is reported, and its status. Half of the ends are
    /// reported up to seconds after the output has ended, as on a busy machine.
    fn reported_end(&self) -> Option<(Duration, i32)> {
        let (at, code) = self.ends?;
        let micros = at.as_micros() as u32;
        let is_late = !self.is_held_open && micros % 2 == 1;
        Some((at + MS * if is_late { micros % 5_000 } else { 0 }, code))
    }

    fn closes_at(&self) -> Option<Duration> {
        let ends = self.ends.filter(|_| !self.is_held_open).map(|(at, _)| at);
        [ends, self.closes, self.refused].into_iter().flatten().min()
    }

    /// True if it prints nothing more, since it has ended or is about to.
    pub fn is_silent(&self) -> bool {
        self.ends.is_some() || self.closes.is_some()
    }

    /// Prints `bytes` at a time, or after the output before, if that is later.
    pub fn say(&mut self, at: Duration, bytes: Vec<u8>) {
        if self.is_silent() {
            return;
        }
        self.last_output = self.last_output.max(at);
        self.output.push_back((self.last_output, bytes));
    }

    /// Prints `bytes` in several pieces.
    pub fn say_in_pieces(&mut self, chance: &mut Chance, bytes: &[u8], first: Duration, last: Duration) {
        let pieces = 1 + chance.up_to(3);
        let mut cuts: Vec<usize> = (1..pieces).map(|_| chance.up_to(bytes.len())).collect();
        cuts.push(bytes.len());
        cuts.sort_unstable();
        let mut from = 0;
        for (index, cut) in cuts.into_iter().enumerate() {
            let at = first + (last - first) * (index as u32 + 1) / pieces as u32;
            if cut > from {
                self.say(at, bytes[from..cut].to_vec());
            }
            from = cut;
        }
    }
}

//! A bot: what it prints and when, in reply to what it reads.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::rc::Rc;
use std::time::Duration;

use linesman::games::Table;
use linesman::process::{Ending, MOST_STDERR, StartError, State};
use linesman::protocol::{GameHeader, Going, ToBot};
use linesman::seat::Seat;

use crate::chance::Chance;
use crate::deeds::{Aftermath, Character, Crime, Deed, Guilt, Proof};
use crate::world::{Left, Shared};

const MS: Duration = Duration::from_millis(1);

/// The limits of every simulated tournament.
pub const LINE: usize = 2 << 10;
pub const OUTPUT_ON_MOVE: usize = 80 << 10;
pub const OUTPUT_OFF_MOVE: usize = 8 << 10;

/// A process that is none.
pub struct SimBot {
    shared: Rc<Shared>,
    inner: RefCell<Inner>,
}

struct Inner {
    name: String,
    character: Character,
    /// What it has not read to the end of the line.
    input: Vec<u8>,
    /// When there is room for more.
    room_at: Duration,
    /// What it prints, and when.
    output: VecDeque<(Duration, Vec<u8>)>,
    last_output: Duration,
    closes: Option<Duration>,
    ends: Option<(Duration, i32)>,
    /// A child of it holds its output open.
    is_held_open: bool,
    refused: Option<Duration>,
    stderr: Option<Duration>,
    told_of_end: bool,
    told_of_stderr: bool,
    game: Option<Playing>,
}

struct Playing {
    id: String,
    seat: Seat,
    table: Box<dyn Table>,
    /// How many words of the list of moves are on the table.
    applied: usize,
    turns: u32,
    deed: Deed,
    was_ready: bool,
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

    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    fn confess(&self, seat: Option<Seat>, words: &'static [&'static str], proof: Proof) {
        let guilt =
            Guilt { bot: self.inner.borrow().name.clone(), seat: seat.map(Seat::number), words, proof };
        self.shared.witness.borrow_mut().guilt.push(guilt);
    }

    pub fn end(self) -> Left {
        self.shared.alive.set(self.shared.alive.get() - 1);
        Left
    }

    /// When there is next something to read, its end included.
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

    /// Reads what is there; 0 at the end.
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

    /// Takes what it is sent, or some of it.
    pub fn take_input(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let now = self.shared.bots_now();
        let count = {
            let mut inner = self.inner.borrow_mut();
            let has_ended = inner.ends.is_some_and(|(at, _)| at <= now);
            if has_ended || inner.refused.is_some_and(|at| at <= now) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            let mut count = bytes.len();
            // A turn that is stuck on its way is the bot's own matter only while nobody else is late.
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
                let Some(end) = inner.input.iter().position(|byte| *byte == b'\n') else { break };
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
        let ended = inner.refused.or(inner.ends.map(|(at, _)| at));
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
        match inner.ends {
            Some((at, code)) if at <= now => State::Ended(Some(Ending {
                status: ExitStatus::from_raw(code << 8),
                cpu: MS,
                peak_kib: 1_000,
            })),
            _ => State::Running,
        }
    }

    pub fn stderr_now(&self) -> u64 {
        let now = self.shared.bots_now();
        if self.inner.borrow().stderr.is_some_and(|at| at <= now) { MOST_STDERR + 1 } else { 17 }
    }

    /// Takes a line of the referee in.
    fn hear(&self, line: &str, now: Duration) {
        if let Some(words) = line.strip_prefix("position startpos") {
            return self.follow(words);
        }
        let message = ToBot::parse(line).expect("the referee speaks well").expect("and says nothing unknown");
        match message {
            ToBot::Ugi => self.greet(now),
            ToBot::Game(header) => self.sit_down(header),
            ToBot::IsReady => self.get_ready(now),
            ToBot::Go(going) => self.think(&going, now),
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
                text.push_str("option name Depth type spin default 3 min 1 max 9\nugiok\n");
                let last = now + chance.within(Duration::from_secs(5));
                inner.say_in_pieces(&mut chance, text.as_bytes(), now, last);
            }
        }
    }

    fn sit_down(&self, header: GameHeader) {
        let deed = Deed::of(self.shared.seed, &header.id, header.seat.number());
        let mut inner = self.inner.borrow_mut();
        let is_leaving = inner.ends.is_some() || inner.closes.is_some();
        inner.game = Some(Playing {
            id: header.id,
            seat: header.seat,
            table: self.shared.setup.start(),
            applied: 0,
            turns: 0,
            deed,
            was_ready: false,
        });
        drop(inner);
        if is_leaving {
            // What it did in the last game shows in this one.
            self.shared.witness.borrow_mut().is_a_race = true;
            let words = &["crash", "closed_output", "not_started", "not_ready", "time"];
            self.confess(Some(header.seat), words, Proof::Maybe);
        }
    }

    fn get_ready(&self, now: Duration) {
        let mut inner = self.inner.borrow_mut();
        let deed = match &mut inner.game {
            Some(game) if !game.was_ready => {
                game.was_ready = true;
                Some((game.deed, game.seat))
            }
            _ => None,
        };
        match deed {
            Some((Deed::NoReadyOk, seat)) => {
                drop(inner);
                self.confess(Some(seat), &["not_ready"], Proof::Sure);
            }
            Some((Deed::EndsBeforeReady, seat)) => {
                inner.ends = Some((now + MS, 3));
                drop(inner);
                self.confess(Some(seat), &["not_started", "crash", "not_ready"], Proof::Sure);
            }
            Some((Deed::ClosesBeforeReady, seat)) => {
                inner.closes = Some(now + MS);
                drop(inner);
                self.confess(Some(seat), &["closed_output", "not_ready"], Proof::Sure);
            }
            _ => inner.say(now + MS, b"readyok\n".to_vec()),
        }
    }

    /// Plays the moves of a `position` line that are new.
    fn follow(&self, words: &str) {
        let mut inner = self.inner.borrow_mut();
        let Some(game) = &mut inner.game else { return };
        let moves = words.split(' ').skip(2);
        for mv in moves.skip(game.applied) {
            game.applied += 1;
            match mv.strip_prefix('!') {
                Some(number) => {
                    let seat = number.parse().ok().and_then(Seat::new);
                    game.table.withdraw(seat.expect("a seat that went out is a seat"));
                }
                None => game.table.play(mv).expect("the referee lists legal moves"),
            }
        }
    }

    fn think(&self, going: &Going, now: Duration) {
        self.shared.turn_begins();
        let mut inner = self.inner.borrow_mut();
        let is_slow = inner.character == Character::SlowReader;
        let Some(game) = &mut inner.game else { return };
        game.turns += 1;
        let (seat, turn, deed) = (game.seat, game.turns, game.deed);
        assert_eq!(game.table.to_move(), seat, "who is asked is on move");
        let limit = match going {
            Going::MoveTime(limit) => *limit,
            Going::Clocks(clocks) => clocks.times[seat],
        };
        let most = match going {
            // What the machine sleeps through is charged in part, and reading takes its time.
            Going::MoveTime(limit) if is_slow || self.shared.trouble.jumps > 0 => *limit * 2 / 5,
            Going::MoveTime(limit) => *limit * 19 / 20,
            Going::Clocks(_) => limit.min(90 * MS),
        };
        let mut chance = Chance::of(self.shared.seed, ("turn", &game.id, seat.number(), turn));
        let answer = format!("bestmove {}\n", chosen(&*game.table, &mut chance));
        let at = now + chance.within(most);
        match deed {
            Deed::InTurn(when, crime) if when == turn => {
                drop(inner);
                self.sin(crime, seat, now, at, now + limit + self.shared.margin, answer, &mut chance);
            }
            Deed::AfterTurn(when, after) if when == turn => {
                let at = now + chance.within(most);
                if after == Aftermath::AnotherMove {
                    inner.say(at, [answer.as_bytes(), b"bestmove 1\n"].concat());
                } else {
                    inner.say(at, answer.into_bytes());
                }
                drop(inner);
                // At once, or a while later.
                let delay = if chance.hits(500) { MS / 50 } else { 300 * MS };
                self.sin_afterwards(after, seat, at + chance.within(delay));
            }
            _ => {
                let mut text = Vec::new();
                if chance.hits(20) {
                    // Much to say, which fits into a pipe all the same.
                    while text.len() < 60_000 {
                        text.extend_from_slice(b"info string ");
                        text.resize(text.len() + chance.up_to(LINE - 100), b'x');
                        text.push(b'\n');
                    }
                }
                for _ in 0..chance.below(3) {
                    let words: &[&[u8]] = &[
                        b"info depth 3 score cp 12 nodes 100 pv a b c string hm\n",
                        b"what is this\n",
                        b"tell hello\n",
                        b"\n",
                        b"readyok\n",
                        b"\xc3\xa4\r\n",
                    ];
                    let words: &[u8] = chance.pick::<&[u8]>(words);
                    text.extend_from_slice(words);
                }
                text.extend_from_slice(answer.as_bytes());
                inner.say_in_pieces(&mut chance, &text, now, at);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "it is the rest of a long function")]
    fn sin(
        &self,
        crime: Crime,
        seat: Seat,
        now: Duration,
        at: Duration,
        too_late: Duration,
        answer: String,
        chance: &mut Chance,
    ) {
        let mut inner = self.inner.borrow_mut();
        let mut proof = Proof::Sure;
        let words: &[&str] = match crime {
            Crime::Nonsense => {
                inner.say(at, b"bestmove xyzzy\n".to_vec());
                &["not_a_move", "illegal_move"]
            }
            Crime::Illegal => {
                let text = self.forbidden(&inner).unwrap_or_else(|| "a9".to_owned());
                inner.say(at, format!("bestmove {text}\n").into_bytes());
                &["illegal_move", "not_a_move"]
            }
            Crime::Malformed => {
                inner.say(at, b"bestmove\n".to_vec());
                &["protocol"]
            }
            Crime::NotText => {
                inner.say(at, b"bestmove \xff\xfe\n".to_vec());
                &["protocol"]
            }
            Crime::Ends => {
                inner.ends = Some((at, 42));
                inner.is_held_open = chance.hits(300);
                &["crash", "time"]
            }
            Crime::EndsInMidLine => {
                inner.say(at, answer.trim_end().as_bytes().to_vec());
                inner.ends = Some((at, 0));
                &["crash", "time"]
            }
            Crime::Closes => {
                inner.closes = Some(at);
                &["closed_output", "time"]
            }
            Crime::Silent => &["time"],
            Crime::Late => {
                inner.say(too_late + MS + chance.within(MS * 500), answer.into_bytes());
                if !self.shared.trouble.keeps_time() {
                    // A referee that was late itself can't tell.
                    proof = Proof::Maybe;
                }
                &["time"]
            }
            Crime::LongLine => {
                inner.say_in_pieces(chance, &[b'x'; LINE + 1], now, at);
                &["limit"]
            }
            Crime::Flood => {
                let line = [&[b'y'; LINE - 1][..], b"\n"].concat();
                inner.say_in_pieces(chance, &line.repeat(OUTPUT_ON_MOVE / LINE + 1), now, at);
                &["limit", "time"]
            }
            Crime::Stderr => {
                inner.stderr = Some(at);
                &["limit", "time"]
            }
            Crime::Resigns => {
                inner.say(at, b"bestmove resign\n".to_vec());
                return;
            }
        };
        drop(inner);
        if proof == Proof::Maybe {
            self.shared.witness.borrow_mut().is_a_race = true;
        }
        self.confess(Some(seat), words, proof);
    }

    /// A move that would be good on the empty board, and is not here.
    fn forbidden(&self, inner: &Inner) -> Option<String> {
        let game = inner.game.as_ref()?;
        let is_forbidden =
            |text: &String| matches!(game.table.fork().play(text), Err(linesman::games::Refusal::Illegal(_)));
        linesman::games::legal_moves(&*self.shared.setup.start()).into_iter().find(is_forbidden)
    }

    fn sin_afterwards(&self, after: Aftermath, seat: Seat, at: Duration) {
        let mut inner = self.inner.borrow_mut();
        let words: &[&str] = match after {
            Aftermath::Ends => {
                inner.ends = Some((at, 7));
                &["crash", "time"]
            }
            Aftermath::Closes => {
                inner.closes = Some(at);
                &["closed_output", "time"]
            }
            Aftermath::AnotherMove => &["protocol"],
            Aftermath::AnotherMoveLater => {
                inner.say(at, b"bestmove 1\n".to_vec());
                // Its next turn may have begun by then.
                &["protocol", "not_a_move", "illegal_move"]
            }
            Aftermath::Flood => {
                inner.say(at, b"words\n".repeat(OUTPUT_OFF_MOVE / 6 + 1));
                &["limit"]
            }
        };
        drop(inner);
        if matches!(after, Aftermath::AnotherMoveLater | Aftermath::Flood) {
            self.shared.witness.borrow_mut().is_a_race = true;
        }
        self.confess(Some(seat), words, Proof::Maybe);
    }
}

impl Inner {
    fn closes_at(&self) -> Option<Duration> {
        let ends = self.ends.filter(|_| !self.is_held_open).map(|(at, _)| at);
        [ends, self.closes, self.refused].into_iter().flatten().min()
    }

    /// Prints something then, or when it has printed what came before.
    fn say(&mut self, at: Duration, bytes: Vec<u8>) {
        if self.ends.is_some() || self.closes.is_some() {
            return;
        }
        self.last_output = self.last_output.max(at);
        self.output.push_back((self.last_output, bytes));
    }

    /// Prints something piece by piece.
    fn say_in_pieces(&mut self, chance: &mut Chance, bytes: &[u8], first: Duration, last: Duration) {
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

/// The move that a bot plays here: a legal one.
fn chosen(table: &dyn Table, chance: &mut Chance) -> String {
    let mut chosen = String::new();
    let mut seen = 0;
    table.legal(&mut |mv| {
        seen += 1;
        if chance.below(seen) == 0 {
            chosen.clear();
            chosen.push_str(mv);
        }
    });
    chosen
}

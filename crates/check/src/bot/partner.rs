//! The bot's opponents and teammates: they play random moves by a seed, and resign on a given turn.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use linesman_driver::guest::Guest;
use linesman_driver::now;
use linesman_protocol::ToBot;
use linesman_types::random::SplitMix64;

use super::arena_state::{ArenaState, Conduct};

/// An opponent or teammate of the bot, without a process.
#[derive(Debug)]
pub(super) struct Partner {
    shared: Rc<ArenaState>,
    state: RefCell<PartnerState>,
    /// The time from which the answers can be read.
    answers_at: Cell<Option<Instant>>,
}

#[derive(Debug)]
struct PartnerState {
    answers: Vec<u8>,
    legal: Vec<String>,
    turns: u32,
    /// True if it resigns on turn [`EARLY_TURN`].
    resigns_early: bool,
    random: SplitMix64,
}

/// The turn on which the early resigner resigns.
const EARLY_TURN: u32 = 2;

impl Partner {
    pub(super) fn new(shared: Rc<ArenaState>) -> Partner {
        let (answers, legal, random) = (Vec::new(), Vec::new(), SplitMix64(0));
        let state = PartnerState { answers, legal, turns: 0, resigns_early: false, random };
        Partner { shared, state: RefCell::new(state), answers_at: Cell::new(None) }
    }

    /// Handles whole lines of the referee.
    fn hear(&self, text: &str) {
        let mut state = self.state.borrow_mut();
        for message in text.lines().filter_map(|line| ToBot::parse(line).ok().flatten()) {
            match message {
                ToBot::Ugi => state.answers.extend_from_slice(b"feature legal\nugiok\n"),
                ToBot::IsReady => state.answers.extend_from_slice(b"readyok\n"),
                ToBot::Game(header) => {
                    state.turns = 0;
                    let conduct = self.shared.conduct.get();
                    state.resigns_early = conduct.early_resigner == Some(header.seat);
                    let seat = header.seat.number() as u64;
                    state.random = SplitMix64(conduct.seed.wrapping_mul(8).wrapping_add(seat));
                }
                ToBot::Legal(moves) => state.legal = moves,
                ToBot::Go(_) => {
                    let answer = state.answer(self.shared.conduct.get());
                    state.answers.extend_from_slice(answer.as_bytes());
                    self.answers_at.set(Some(now() + self.shared.conduct.get().delay));
                }
                ToBot::SetOption { .. }
                | ToBot::NewGame
                | ToBot::Position(_)
                | ToBot::State(_)
                | ToBot::Told { .. }
                | ToBot::GameOver { .. }
                | ToBot::GoPonder(_)
                | ToBot::PonderHit
                | ToBot::Stop
                | ToBot::Quit => {}
            }
        }
    }

    /// The time until its answer can be read; `None` if it has no answer.
    pub(super) fn answers_in(&self) -> Option<Duration> {
        let has_answer = !self.state.borrow().answers.is_empty();
        let wait = self.answers_at.get().map_or(Duration::ZERO, |at| at.saturating_duration_since(now()));
        has_answer.then_some(wait)
    }
}

impl Guest for Partner {
    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        if self.answers_in().is_none_or(|wait| !wait.is_zero()) {
            return Ok(None);
        }
        let answers = &mut self.state.borrow_mut().answers;
        let count = answers.len().min(buffer.len());
        buffer[..count].copy_from_slice(&answers[..count]);
        answers.drain(..count);
        Ok(Some(count))
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        self.hear(&String::from_utf8_lossy(bytes));
        Ok(Some(bytes.len()))
    }
}

impl PartnerState {
    fn answer(&mut self, conduct: Conduct) -> String {
        self.turns += 1;
        let last = if self.resigns_early {
            conduct.resignation_turn.min(EARLY_TURN)
        } else {
            conduct.resignation_turn
        };
        let chosen = self.random.below(self.legal.len() as u64);
        let chosen = usize::try_from(chosen).ok().and_then(|index| self.legal.get(index));
        match chosen {
            Some(chosen) if self.turns < last => format!("bestmove {chosen}\n"),
            Some(_) | None => "bestmove resign\n".to_owned(),
        }
    }
}

//! Asking for moves and accepting them.

use std::time::Duration;

use smol_str::SmolStr;

use crate::handshake::STRAY_CHARACTERS;
use crate::seat_state::SeatProgress;
use crate::state_machine::Core;
use crate::turn_state::{Answer, CpuTurn, Turn};
use crate::{Action, PlayedMove, SendKind};
use linesman_games::{Consultation, Refusal, Table};
use linesman_protocol::{Clocks, FromBot, GoLimit, PositionLine, Said, ToBot, Variation, printable};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{Charge, TimeControl};
use linesman_types::verdict::adjudication::Decision;
use linesman_types::verdict::{Cause, Fault, Void};

/// Minimum capacity in bytes for a turn's text. It is needed only briefly: if all texts have the same size,
/// the allocator reuses the memory of the last one, which is still in the CPU's cache.
const TEXT_CAPACITY: usize = 1000;

/// Limits of the kept part of a report on a move: moves of a `pv`, bytes of each, characters of text.
const PV_MOVES: usize = 64;
const PV_MOVE_BYTES: usize = 64;
const SAID_CHARACTERS: usize = 500;
/// Number of bytes of both that are kept for a game, in equal shares for its seats.
const SAID_BYTES: usize = 64 * 1024;

/// Maximum number of bytes that a bot may send its team mates in a move: what waits for a mate remains small.
const TOLD_BYTES: u64 = 64 << 10;

impl Core {
    /// Determines the next step in the position: the end, or a seat's move.
    pub(super) fn next_turn(&mut self) {
        self.turn = None;
        if let Some(ending) = self.ending_by_rules() {
            return self.finish_by_rules(ending);
        }
        let seat = self.table.to_move();
        match self.seats.get_mut(seat) {
            Some(state) if state.out.is_none() => match state.ended.take() {
                None => self.begin_turn(seat),
                Some(fault) => self.fail(seat, fault),
            },
            _ => {
                let why = format!("the rules gave the turn to seat {seat}, which is not in the game");
                self.finish_void(Void::Host(why));
            }
        }
    }

    /// Asks a seat for its move: all lines of the turn in one text.
    pub(super) fn ask(&mut self, seat: Seat) {
        let mut text = self.position_text(seat, &self.position, &*self.table);
        self.going(seat, self.limit(seat)).print(&mut text);
        text.push('\n');
        self.ask_with(seat, text);
    }

    /// Returns the lines with the position for a seat.
    pub(super) fn position_text(&self, seat: Seat, position: &PositionLine, table: &dyn Table) -> String {
        let introduction = &self.seats[seat].introduction;
        let mut text = String::with_capacity((position.as_str().len() + 128).max(TEXT_CAPACITY));
        text.push_str(position.as_str());
        text.push('\n');
        if introduction.wants_state {
            text.push_str("state ");
            text.push_str(&table.token());
            text.push('\n');
        }
        if introduction.wants_legal {
            text.push_str("legal");
            table.legal(&mut |mv| {
                text.push(' ');
                text.push_str(mv);
            });
            text.push('\n');
        }
        text
    }

    /// Returns the time that a seat may use for its next move, without the margin.
    pub(super) fn limit(&self, seat: Seat) -> Duration {
        let left = self.clock.limit(seat);
        self.setup.seats[seat].limits.max_move_time.map_or(left, |cap| cap.min(left))
    }

    /// Asks a seat for its move with this text.
    pub(super) fn ask_with(&mut self, seat: Seat, text: String) {
        let limit = self.limit(seat);
        let allowed = limit.saturating_add(self.setup.margin);
        let cpu = CpuTurn::new(self.setup.clock, allowed, self.setup.seats[seat].fairness.cpus);
        self.turn = Some(Turn::new(self.now, seat, limit, cpu));
        self.pause_all_but(seat);
        self.measure_turn(seat);
        self.actions.push(Action::Send { seat, text, kind: SendKind::Turn });
    }

    /// Returns the time for a seat's next move, in the form that its bot receives.
    pub(super) fn going(&self, seat: Seat, limit: Duration) -> GoLimit {
        // A seat with a limit for each move always has that on its clock.
        let increment = |seat: Seat| match self.clock.control(seat) {
            TimeControl::MoveTime(_) | TimeControl::Work(_) => Duration::ZERO,
            TimeControl::Clock { increment, .. } => increment,
        };
        match self.clock.control(seat) {
            TimeControl::MoveTime(_) => GoLimit::MoveTime(at_least_a_millisecond(limit)),
            TimeControl::Work(work) => GoLimit::Work(work),
            TimeControl::Clock { .. } => GoLimit::Clocks(Clocks {
                times: BySeat::from_fn(self.teams.seats(), |seat| {
                    at_least_a_millisecond(self.clock.limit(seat))
                }),
                increments: BySeat::from_fn(self.teams.seats(), increment),
                moves_to_go: self.clock.moves_to_go(seat),
                max_move_time: (limit < self.clock.limit(seat)).then(|| at_least_a_millisecond(limit)),
            }),
        }
    }

    /// Handles a message of the seat on move.
    pub(super) fn answer(&mut self, seat: Seat, message: FromBot, line: &[u8]) {
        match message {
            FromBot::BestMove { mv, ponder } => self.play(seat, (mv, &ponder)),
            FromBot::Resign => self.resigned(seat),
            FromBot::Info(said) => {
                if let Some(turn) = &mut self.turn {
                    turn.said.update(bounded(said));
                }
            }
            FromBot::Tell(ref text) => {
                if let Err(why) = self.pass_on(seat, text) {
                    self.ignore(seat, &message, line, why);
                }
            }
            FromBot::Unknown => self.ignore(seat, &message, line, "unknown"),
            FromBot::IdName(_)
            | FromBot::IdAuthor(_)
            | FromBot::Protocol(_)
            | FromBot::Option(_)
            | FromBot::Feature(_)
            | FromBot::UgiOk
            | FromBot::ReadyOk => self.ignore(seat, &message, line, "not now"),
        }
    }

    /// Passes a bot's words to its team mates, or returns the reason why not.
    fn pass_on(&mut self, seat: Seat, text: &str) -> Result<(), &'static str> {
        if self.setup.consultation == Consultation::Off {
            return Err("no consultation in this game");
        }
        let Some(turn) = &mut self.turn else { return Ok(()) };
        let bytes = text.len() as u64;
        if turn.told + bytes > TOLD_BYTES {
            return Err("more than a bot may send its teammates in one move");
        }
        turn.told += bytes;
        let text = format!("{}\n", ToBot::Told { seat, text: text.to_owned() });
        let mates = self.teams.members(self.teams.side(seat)).filter(|mate| *mate != seat);
        for mate in mates {
            let state = &self.seats[mate];
            if state.out.is_none() && state.is_heard() {
                self.actions.push(Action::Send { seat: mate, text: text.clone(), kind: SendKind::Other });
            }
        }
        Ok(())
    }

    /// Returns the part of a bot's reports in its turn that is kept: always the figures, and the words until
    /// the seat has used its share of the bytes that are kept for a game.
    fn kept_report(&mut self, seat: Seat, said: Said) -> Option<Box<Said>> {
        if said.is_empty() {
            return None;
        }
        let bytes = said.pv.bytes() + said.text.as_ref().map_or(0, String::len);
        if bytes == 0 {
            return Some(Box::new(said));
        }
        let share = SAID_BYTES / self.teams.seats();
        let state = &mut self.seats[seat];
        let before = state.words_kept;
        state.words_kept = before.saturating_add(bytes);
        if state.words_kept <= share {
            return Some(Box::new(said));
        }
        if before <= share {
            let why = format!("the limit is {share} bytes per game");
            self.note(seat, format!("its `pv` and `string` are no longer kept: {why}"));
        }
        Some(Box::new(Said { pv: Variation::default(), text: None, ..said }))
    }

    fn play(&mut self, seat: Seat, (text, ponder): (SmolStr, &Variation)) {
        let margin = self.setup.margin;
        let Some(turn) = &self.turn else { return };
        // In whole microseconds, as in records: the record must lead to the same times on the clocks.
        let wall = whole_microseconds(turn.used(self.now).unwrap_or_default());
        let used = turn.cpu.as_ref().map_or(wall, |cpu| cpu.evidence.cpu);
        let cpus = self.setup.seats[seat].fairness.cpus;
        if let Some(fault) = turn.cpu.as_ref().and_then(|cpu| cpu.fault(wall, turn.limit, margin, cpus)) {
            // The move is checked first.
            let refusal = self.table.fork().play(&text).err();
            let fault = refusal.map_or(fault, |refusal| refused(&text, refusal));
            return self.fail(seat, fault);
        }
        let is_late = used > turn.limit.saturating_add(margin);
        if is_late || self.clock.charge(seat, used, margin) == Charge::Late {
            return self.late(seat, Some(Answer::Move(text)));
        }
        let Some(turn) = self.turn.take() else { return };
        if let Err(refusal) = self.table.play(&text) {
            return self.fail(seat, refused(&text, refusal));
        }
        self.position.push(&text);
        self.compare_with_expected(&text);
        let score = turn.said.score_cp;
        let said = self.kept_report(seat, turn.said);
        let evidence = turn.cpu.as_ref().map(|cpu| cpu.evidence);
        let wall = turn.cpu.map(|_| wall);
        let (index, is_elimination) = (self.moves.len(), false);
        self.moves.push(PlayedMove { seat, is_elimination, text, used, wall, said, evidence, ponder: None });
        self.measure_move(seat, used);
        match self.decision(seat, score) {
            Some(Decision { places, why }) => self.finish_with(places, Cause::Adjudication(why), Vec::new()),
            None => {
                self.next_turn();
                self.ponder(seat, index, ponder);
            }
        }
    }

    pub(super) fn resigned(&mut self, seat: Seat) {
        self.turn = None;
        self.eliminate(seat, Cause::Resignation);
    }

    /// Handles a message of a seat that plays and is not on move, or that has been eliminated.
    pub(super) fn off_move(&mut self, seat: Seat, message: FromBot, line: &[u8]) {
        let is_move = matches!(message, FromBot::BestMove { .. } | FromBot::Resign);
        if is_move && self.seats[seat].progress == SeatProgress::Playing {
            self.answered_unasked(seat, line);
        } else {
            self.ignore(seat, &message, line, "not on move");
        }
    }

    /// Handles a `bestmove` without a request, or before it.
    pub(super) fn answered_unasked(&mut self, seat: Seat, line: &[u8]) {
        self.answered_early(seat, line, "one `bestmove` after each `go`");
    }

    /// Handles a `bestmove` that arrived before it was due.
    pub(super) fn answered_early(&mut self, seat: Seat, line: &[u8], expected: &str) {
        let line = printable(line, STRAY_CHARACTERS);
        self.fail(seat, Fault::Protocol { line, expected: expected.to_owned() });
    }
}

/// Returns the fault of an answer that the table refuses.
pub(super) fn refused(text: &str, refusal: Refusal) -> Fault {
    let text = printable(text.as_bytes(), STRAY_CHARACTERS);
    match refusal {
        Refusal::Illegal(illegal) => Fault::IllegalMove { text, why: illegal.why },
        Refusal::NotAMove(error) => Fault::NotAMove { text, why: error.why },
    }
}

pub(super) fn whole_microseconds(duration: Duration) -> Duration {
    Duration::from_micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}

/// Raises a time to a millisecond, since no bot receives a time of zero, however short its limit is.
fn at_least_a_millisecond(time: Duration) -> Duration {
    time.max(Duration::from_millis(1))
}

/// Cuts a bot's report to what a record can hold for every move.
pub(super) fn bounded(mut said: Said) -> Said {
    if said.pv.bytes() > PV_MOVE_BYTES {
        said.pv = said.pv.moves().take(PV_MOVES).take_while(|mv| mv.len() <= PV_MOVE_BYTES).collect();
    }
    if let Some(text) = &mut said.text
        && let Some((end, _)) = text.char_indices().nth(SAID_CHARACTERS)
    {
        *text = text[..end].to_owned();
    }
    said
}

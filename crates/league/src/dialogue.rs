//! The dialogue of a recorded game: the lines that were sent to each seat, and the moves that the bots answered.
//!
//! The referee's [`Core`] produces the lines. It plays the game again, with the record's moves and times instead of
//! the bots.

mod recorded;
mod transcript;

use std::time::Duration;

use linesman_games::{Consultation, NotAPosition, OptionError, Refusal, Setup, eliminated};
use linesman_protocol::{GoLimit, ToBot};
use linesman_record::{GameRecord, NoSetup, Playthrough, TranscriptRecord, set_up, time_controls};
use linesman_referee::{
    About, Action, Adjudication, BotAfter, BotState, Core, Event, Fairness, GameSetup, GameTime, Input,
    Pondering, Reading, SeatLimits, SeatSetup, SendKind,
};
use linesman_types::direction::Direction;
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{Clock, TimeControl, Work};
use linesman_types::verdict::{CauseKind, Fault, Limit};

use recorded::{
    adjudication, clock_of, fault_of, has_started, is_early, is_to_bot, is_turn_line, seat_of, was_asked,
    was_introduced, was_stopped,
};
pub use transcript::{push_transcript_line, transcript_head};

/// The facts about a seat that are missing from the record of a game.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct SeatTerms {
    /// True if the bot asked for the `state` line.
    pub wants_state: bool,
    /// True if the bot asked for the `legal` line.
    pub wants_legal: bool,
    /// The options that the tournament file sets for the bot.
    pub options: Vec<(String, String)>,
    /// Maximum time of a single move, in addition to its clock.
    pub max_move_time: Option<Duration>,
}

/// A line between the referee and a bot.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct DialogueLine {
    /// The time since the first turn, counting only the times of the bots.
    pub at: GameTime,
    pub seat: Seat,
    pub direction: Direction,
    /// The line without its `\n`.
    pub text: String,
    /// The ply that the line asks for, counted from 1 including the opening, if it is a `go`.
    pub asks_for: Option<usize>,
}

/// A dialogue and the head of its transcript.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Dialogue {
    /// The lines that describe the game.
    pub head: String,
    pub lines: Vec<DialogueLine>,
}

/// The reason why the dialogue of a game can't be reconstructed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum NoDialogue {
    /// The record lacks something that was sent to the bots.
    #[error("the record has no {0}")]
    Lacks(&'static str),
    #[error("there is no game `{0}`")]
    UnknownGame(String),
    /// The game does not accept these options.
    #[error("invalid options: {0}")]
    Options(OptionError),
    /// The record has more or fewer seats than the game.
    #[error("the game has {expected} seats, but the record has {found}")]
    Seats {
        /// Number of seats of the game.
        expected: usize,
        /// Number of seats of the record.
        found: usize,
    },
    /// The position from which the game starts can't be parsed.
    #[error("the opening can't be set up: {0}")]
    Position(NotAPosition),
    /// A move can't be played.
    #[error("move `{text}` can't be played: {why}")]
    Move {
        /// The move.
        text: String,
        why: Refusal,
    },
    /// A move took longer than its limit.
    #[error("move {ply} `{text}` took longer than the record or the plan allows")]
    Late {
        /// The ply, counted from 1 including the opening.
        ply: usize,
        /// The move.
        text: String,
    },
    /// The record does not determine how the game ended.
    #[error("the record does not determine how the game ended")]
    End,
}

/// Reconstructs the dialogue of a recorded game, from the start of the bots to their `quit`.
///
/// # Errors
/// A record that is incomplete or incorrect.
pub fn dialogue(record: &GameRecord, terms: &BySeat<SeatTerms>) -> Result<Dialogue, NoDialogue> {
    let setup = set_up(record).map_err(|error| match error {
        NoSetup::UnknownGame => NoDialogue::UnknownGame(record.game.clone()),
        NoSetup::Options(error) => NoDialogue::Options(error),
    })?;
    let (expected, found) = (setup.teams().seats(), record.seats.len());
    if (found, terms.seats()) != (expected, expected) {
        return Err(NoDialogue::Seats { expected, found });
    }
    let mut replay = DialogueReplay::new(record, &*setup, terms)?;
    replay.prepare(terms);
    replay.play()?;
    replay.end()?;
    Ok(Dialogue { head: std::mem::take(&mut replay.head), lines: replay.lines() })
}

/// A game that is played again with the answers of its record.
struct DialogueReplay<'r> {
    record: &'r GameRecord,
    core: Core,
    /// The clocks, equal to those of the core.
    clock: Clock,
    margin: Duration,
    actions: Vec<Action>,
    at: GameTime,
    head: String,
    lines: Vec<DialogueLine>,
    /// The index in `lines` of each seat's last turn, while it has no answer.
    open_turns: BySeat<Option<usize>>,
    /// The index in `lines` of the last `stop` for each seat, until its turn begins.
    stops: BySeat<Option<usize>>,
    /// The CPU time that the seats have used.
    cpu: BySeat<Duration>,
    /// True for the seats whose bots were killed. They receive no more lines.
    gone: BySeat<bool>,
    opening_plies: usize,
    /// The states of the bots after the game, once it is over.
    after: Option<BySeat<BotAfter>>,
}

impl<'r> DialogueReplay<'r> {
    fn new(
        record: &'r GameRecord,
        setup: &dyn Setup,
        terms: &BySeat<SeatTerms>,
    ) -> Result<DialogueReplay<'r>, NoDialogue> {
        let controls = time_controls(record).ok().flatten().ok_or(NoDialogue::Lacks("time control"))?;
        let has_own_control = |seat: Seat| record.seats[seat.index()].time_control.is_some();
        let common = record.time_control.as_deref().and_then(|text| text.parse().ok());
        let refused = |(text, why): (&str, Refusal)| NoDialogue::Move { text: text.to_owned(), why };
        let mut game = Playthrough::new(setup, record).map_err(NoDialogue::Position)?;
        game.play_opening(record, |_, _, _| {}).map_err(|(_, text, why)| refused((text, why)))?;
        let table = game.table.fork();
        let moves = record.moves.as_ref().ok_or(NoDialogue::Lacks("moves"))?;
        for text in moves {
            game.play(text, None).map_err(|why| refused((text, why)))?;
        }
        let opening = record.opening.clone().unwrap_or_default();
        let opening_plies = opening.moves.len();
        let seat = |seat: Seat| SeatSetup {
            bot: BotState::Cold,
            options: terms[seat].options.clone(),
            limits: SeatLimits { max_move_time: terms[seat].max_move_time, ..SeatLimits::default() },
            fairness: Fairness::default(),
            time_control: Some(controls[seat]).filter(|_| has_own_control(seat)),
        };
        let seats = record.seats.len();
        let setup = GameSetup {
            game: setup.id().to_owned(),
            options: setup.options().to_string(),
            consultation: Consultation::of(setup.options()),
            id: record.id.clone(),
            opening_token: opening.token,
            opening_moves: opening.moves,
            time_control: common.unwrap_or(controls[Seat::FIRST]),
            clock: clock_of(record)?,
            margin: Duration::from_millis(record.margin_ms.ok_or(NoDialogue::Lacks("margin"))?),
            pondering: match record.seats.iter().any(|seat| seat.ponders) {
                true => Pondering::On,
                false => Pondering::Off,
            },
            adjudication: Adjudication { table: adjudication(record, &game), ..Adjudication::default() },
            seats: BySeat::from_fn(seats, seat),
        };
        Ok(DialogueReplay {
            record,
            head: transcript_head(&setup, Seat::all(seats)),
            clock: Clock::by_seat(controls),
            margin: setup.margin,
            core: Core::new(setup, table),
            actions: Vec::new(),
            at: GameTime::default(),
            lines: Vec::new(),
            open_turns: BySeat::from_fn(seats, |_| None),
            stops: BySeat::from_fn(seats, |_| None),
            cpu: BySeat::from_fn(seats, |_| Duration::ZERO),
            gone: BySeat::from_fn(seats, |_| false),
            opening_plies,
            after: None,
        })
    }

    /// Plays the handshakes. Bots that were never ready fail here.
    fn prepare(&mut self, terms: &BySeat<SeatTerms>) {
        self.core.start(&mut self.actions);
        self.act();
        let has_started = has_started(self.record);
        let seats = || Seat::all(terms.seats());
        for seat in seats() {
            let SeatTerms { wants_state, wants_legal, .. } = terms[seat];
            // A bot with a work limit has announced that it can count the work.
            let counts = |word: &str| match self.clock.control(seat) {
                TimeControl::Work(work) => work.word() == word,
                TimeControl::MoveTime(_) | TimeControl::Clock { .. } => false,
            };
            let [nodes, depth] = Work::WORDS;
            let features = [
                ("state", wants_state),
                ("legal", wants_legal),
                (nodes, counts(nodes)),
                (depth, counts(depth)),
                ("ponder", self.record.seats[seat.index()].ponders),
            ];
            for (feature, _) in features.into_iter().filter(|(_, is_wanted)| *is_wanted) {
                self.hear(seat, &format!("feature {feature}"));
            }
            let fault = fault_of(self.record, seat).filter(|fault| is_early(self.record, fault));
            if fault.is_none_or(|fault| was_introduced(self.record, fault)) {
                self.hear(seat, "ugiok");
            }
        }
        for seat in seats() {
            match fault_of(self.record, seat) {
                Some(fault) if is_early(self.record, fault) => self.fail(seat),
                Some(_) | None if has_started => self.hear(seat, "readyok"),
                Some(_) | None => {}
            }
        }
    }

    /// Plays the moves of the record, and the eliminations of seats in between.
    fn play(&mut self) -> Result<(), NoDialogue> {
        let moves = self.record.moves.iter().flatten();
        for (index, text) in moves.enumerate() {
            // The core may have played this move: it eliminates a whole side at once, and bots that were never ready.
            if self.core.moves().get(index).is_some_and(|played| played.text == *text) {
                continue;
            }
            let eliminated = eliminated(text);
            let seat = eliminated.or(self.core.on_move()).ok_or(NoDialogue::End)?;
            match eliminated {
                Some(seat) if fault_of(self.record, seat).is_some() => self.fail(seat),
                Some(seat) => self.answer(seat, "bestmove resign"),
                None => {
                    // The time counts from the beginning of the turn, which follows the answer to `stop`.
                    self.answer_stop(seat);
                    self.pass_time(index, seat);
                    let ponder = self.record.ponder.as_ref().and_then(|ponder| ponder.get(index)?.as_deref());
                    let ponder = ponder.map(|moves| format!(" ponder {}", moves.join(" ")));
                    self.answer(seat, &format!("bestmove {text}{}", ponder.unwrap_or_default()));
                }
            }
            let is_last = index + 1 == self.record.moves.as_ref().map_or(0, Vec::len);
            if !(self.after.is_some() && is_last) && self.core.moves().len() <= index {
                let ply = self.opening_plies + index + 1;
                return Err(NoDialogue::Late { ply, text: text.clone() });
            }
        }
        Ok(())
    }

    /// Ends the game if no move did, and sends `quit` to the bots.
    fn end(&mut self) -> Result<(), NoDialogue> {
        if let Some(seat) = self.core.on_move().filter(|seat| was_asked(self.record, *seat)) {
            self.answer_stop(seat);
        }
        if let Some(void) = &self.record.void
            && self.after.is_none()
        {
            let why = void.why.clone().unwrap_or_default();
            self.handle(Event::Stop(why));
        }
        for fault in &self.record.faults {
            let seat = Seat::new(usize::from(fault.seat)).ok_or(NoDialogue::End)?;
            if self.after.is_none() && !self.gone.get(seat).is_none_or(|gone| *gone) {
                self.fail(seat);
            }
        }
        if self.after.is_none() && self.record.cause() == Some(CauseKind::Resignation) {
            let seat = self.core.on_move().ok_or(NoDialogue::End)?;
            self.answer(seat, "bestmove resign");
        }
        let after = self.after.take().ok_or(NoDialogue::End)?;
        for (seat, after) in after.iter() {
            match after {
                BotAfter::Gone => continue,
                BotAfter::Busy => {}
                // The bot must finish this game before the next one.
                BotAfter::Waiting => self.add_sent_line(seat, &ToBot::IsReady.to_string(), None),
            }
            self.add_sent_line(seat, &ToBot::Quit.to_string(), None);
        }
        Ok(())
    }

    /// Returns the lines that the referee sent. If a bot failed immediately before its turn, the referee did not ask it
    /// for a move, and if the bot had ended by then, it did not send `stop` either.
    fn lines(mut self) -> Vec<DialogueLine> {
        let unsent_turn = |(seat, turn): (Seat, &Option<usize>)| {
            turn.filter(|_| !was_asked(self.record, seat)).map(|turn| (seat, turn))
        };
        let turns: Vec<(Seat, usize)> = self.open_turns.iter().filter_map(unsent_turn).collect();
        let unsent_stop = |(seat, stop): (Seat, &Option<usize>)| {
            stop.filter(|_| self.gone[seat] && !was_stopped(self.record, seat))
        };
        let stops: Vec<usize> = self.stops.iter().filter_map(unsent_stop).collect();
        let mut indices = 0..;
        self.lines.retain(|line| {
            let index = indices.next().unwrap_or(usize::MAX);
            let is_of_turn = |(seat, turn): &(Seat, usize)| {
                index >= *turn && line.seat == *seat && line.direction == Direction::ToBot
            };
            !(stops.contains(&index) || (turns.iter().any(is_of_turn) && is_turn_line(&line.text)))
        });
        self.lines
    }

    fn handle(&mut self, event: Event) {
        self.core.handle(Input { at: self.at, event }, &mut self.actions);
        self.act();
    }

    /// Passes a line to the core without adding it to the dialogue.
    fn hear(&mut self, seat: Seat, text: &str) {
        self.core.line(self.at, seat, text.as_bytes(), &mut self.actions);
        self.act();
    }

    /// Passes an answer to `stop` to the core, so that the turn begins. Records don't have this answer.
    fn answer_stop(&mut self, seat: Seat) {
        self.stops[seat] = None;
        if self.core.is_stopping(seat) {
            self.hear(seat, "bestmove resign");
        }
    }

    /// Passes an answer to the core and adds it to the dialogue.
    fn answer(&mut self, seat: Seat, text: &str) {
        self.answer_stop(seat);
        let (at, direction) = (self.at, Direction::FromBot);
        self.lines.push(DialogueLine { at, seat, direction, text: text.to_owned(), asks_for: None });
        self.open_turns[seat] = None;
        self.hear(seat, text);
    }

    /// Makes a bot fail. Of its fault, the lines show only the time of a refused answer, which is charged.
    fn fail(&mut self, seat: Seat) {
        let fault = fault_of(self.record, seat).and_then(|fault| fault.fault.as_ref().ok());
        if let Some(text) = fault.and_then(Fault::refused_move)
            && self.core.on_move() == Some(seat)
        {
            let text = format!("bestmove {text}");
            self.answer_stop(seat);
            self.at = GameTime(self.at.0.saturating_add(self.time_of_refused_answer(seat)));
            self.answer(seat, &text);
            if self.gone[seat] {
                return;
            }
        }
        if self.core.on_move() == Some(seat) && was_asked(self.record, seat) {
            self.answer_stop(seat);
        }
        self.handle(Event::LimitExceeded { seat, which: Limit::Hidden, limit: 0, used: 0 });
    }

    /// Returns the time of a refused answer. Records don't have it, but the last lines show the seat's clock after it.
    fn time_of_refused_answer(&self, seat: Seat) -> Duration {
        let to_others = |line: &&TranscriptRecord| is_to_bot(line) && seat_of(line) != Some(seat);
        let lines = self.record.transcript.iter().rev().filter(to_others);
        let shown =
            lines.filter_map(|line| ToBot::parse(&line.text).ok().flatten()).find_map(|line| match line {
                ToBot::Go(GoLimit::Clocks(clocks)) => clocks.times.get(seat).copied(),
                ToBot::Go(GoLimit::MoveTime(_) | GoLimit::Work(_) | GoLimit::Infinite)
                | ToBot::GoPonder(_)
                | ToBot::PonderHit
                | ToBot::Stop
                | ToBot::Ugi
                | ToBot::SetOption { .. }
                | ToBot::NewGame
                | ToBot::Game(_)
                | ToBot::IsReady
                | ToBot::Position(_)
                | ToBot::State(_)
                | ToBot::Legal(_)
                | ToBot::Told { .. }
                | ToBot::GameOver { .. }
                | ToBot::Quit => None,
            });
        let mut clock = self.clock.clone();
        clock.charge(seat, Duration::ZERO, Duration::ZERO);
        shown.map_or(Duration::ZERO, |shown| clock.limit(seat).saturating_sub(shown))
    }

    fn pass_time(&mut self, index: usize, seat: Seat) {
        let column = |times: &Option<Vec<u64>>| times.as_ref().and_then(|times| times.get(index).copied());
        let used = Duration::from_micros(column(&self.record.times_us).unwrap_or_default());
        let wall = column(&self.record.walls_us).map_or(used, Duration::from_micros);
        self.at = GameTime(self.at.0.saturating_add(wall));
        self.clock.charge(seat, used, self.margin);
        if self.core.counts_cpu() {
            self.cpu[seat] += used;
            self.handle_reading(seat, About::Answer);
        }
    }

    /// Passes the CPU time that a seat has used to the core.
    fn handle_reading(&mut self, seat: Seat, about: About) {
        let reading = Some(Reading { cpu: self.cpu[seat], ..Reading::default() });
        self.handle(Event::Evidence { seat, about, reading, lag: Duration::ZERO });
    }

    fn act(&mut self) {
        for action in std::mem::take(&mut self.actions) {
            match action {
                Action::Send { seat, text, kind: SendKind::Stop } => {
                    self.stops[seat] = Some(self.lines.len());
                    self.add_sent_lines(seat, &text);
                }
                Action::Send {
                    seat,
                    text,
                    kind: SendKind::GetReady | SendKind::Ponder | SendKind::Other,
                } => self.add_sent_lines(seat, &text),
                Action::Send { seat, text, kind: SendKind::Turn } => {
                    self.open_turns[seat] = Some(self.lines.len());
                    let ply = self.opening_plies + self.core.moves().len() + 1;
                    let last = text.lines().count();
                    for (index, line) in text.lines().enumerate() {
                        self.add_sent_line(seat, line, (index + 1 == last).then_some(ply));
                    }
                    self.handle(Event::Sent { seat });
                }
                Action::AskEvidence { seat, about: About::Turn } => self.handle_reading(seat, About::Turn),
                Action::Kill { seat } => self.gone[seat] = true,
                Action::Finish(finished) => self.after = Some(finished.bots),
                Action::AskEvidence { .. }
                | Action::Start { .. }
                | Action::Pause { .. }
                | Action::Resume { .. }
                | Action::Note { .. } => {}
            }
        }
    }

    fn add_sent_lines(&mut self, seat: Seat, text: &str) {
        text.lines().for_each(|line| self.add_sent_line(seat, line, None));
    }

    fn add_sent_line(&mut self, seat: Seat, text: &str, asks_for: Option<usize>) {
        let (at, direction) = (self.at, Direction::ToBot);
        self.lines.push(DialogueLine { at, seat, direction, text: text.to_owned(), asks_for });
    }
}

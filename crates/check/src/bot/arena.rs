//! Games of the bot with partners, driven as the games of a tournament are.

use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use linesman_driver::{BotSpec, DialogueListener, Direction, Game, GameNote, Played, Slot, SlotSettings};
use linesman_games::{Consultation, Setup};
use linesman_protocol::FromBot;
use linesman_record::text::printable;
use linesman_record::{GameRecord, OpeningRecord, SeatRecord, TranscriptRecord, UsageRecord};
use linesman_referee::{
    Action, Adjudication, BotState, DEFAULT_MARGIN, Event, Fairness, GameSetup, GameTime, Introduction,
    PlayedMove, Pondering, SeatLimits, SeatSetup, SendKind,
};
use linesman_sandbox::Command;
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{ClockKind, TimeControl};
use linesman_types::verdict::{Verdict, Void};

use super::arena_settings::{ArenaSettings, Conduct, Sample};
use super::item::{ItemFailure, ItemOutcome, ItemProblem, SkipReason};
use super::machine::Machine;
use super::manner::Manner;
use super::plan::{BotCheck, Stopped};
use super::positions::StartPosition;

/// Number of tries of a game that the host spoiled.
const MOST_TRIES: usize = 6;

/// The limits of a move that are doubled with each new try: from the first one to below the second.
const LEAST_EXTENDED: Duration = Duration::from_millis(100);
const MOST_EXTENDED: Duration = Duration::from_secs(1);

/// Number of characters of a line that are kept.
const MOST_LINE: usize = 400;

/// Number of stray lines that are kept.
const MOST_STRAY: usize = 5;

/// Number of bytes of stderr that are kept.
const KEPT_STDERR: usize = 4 * 1024;

/// A game that is to be played.
#[derive(Clone)]
pub(super) struct Order<'o> {
    pub(super) setup: &'o dyn Setup,
    pub(super) start: &'o StartPosition,
    pub(super) control: TimeControl,
    /// The time control of the partners, if it is another.
    pub(super) partners_control: Option<TimeControl>,
    /// The limit of each of the bot's moves, whatever the clock says.
    pub(super) most_a_move: Option<Duration>,
    pub(super) conduct: Conduct,
    pub(super) manner: Manner,
    /// The id of the game; without it, a new one.
    pub(super) id: Option<&'o str>,
}

impl<'o> Order<'o> {
    /// A game with a limit for each move, in which partners resign after this number of turns.
    pub(super) fn new(
        setup: &'o dyn Setup,
        start: &'o StartPosition,
        limit: Duration,
        turns: u32,
    ) -> Order<'o> {
        Order {
            setup,
            start,
            control: TimeControl::MoveTime(limit),
            partners_control: None,
            most_a_move: None,
            conduct: Conduct { turns, ..Conduct::default() },
            manner: Manner::Plain,
            id: None,
        }
    }
}

/// A game that was played, as far as the bot is concerned.
pub(super) struct Bout {
    pub(super) seat: Seat,
    pub(super) end: BoutEnd,
    pub(super) record: Box<GameRecord>,
    /// The moves of the bot.
    pub(super) moves: Vec<PlayedMove>,
    pub(super) introduction: Option<Introduction>,
    /// The end of what the bot wrote to stderr in this game.
    pub(super) stderr: String,
    /// The lines of the bot's last turn, up to `go`.
    pub(super) turn: String,
    /// The reason why a process that had played was replaced.
    pub(super) restarted: Option<String>,
    pub(super) heard: HeardTimes,
}

/// The end of a game for the bot.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum BoutEnd {
    /// It did nothing wrong.
    Good,
    /// It resigned.
    Resigned,
    /// It failed: the record has the fault.
    Fault,
    /// The host spoiled every try.
    HostBusy(String),
}

/// The times at which a new process answered.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct HeardTimes {
    /// The time from its start to `ugiok`.
    pub(super) start: Option<Duration>,
    /// The time from `isready` to `readyok`.
    pub(super) ready: Option<Duration>,
}

impl Bout {
    /// The bot's failure in this game.
    pub(super) fn failure(self, problem: ItemProblem) -> ItemFailure {
        let own = u8::try_from(self.seat.number()).unwrap_or(u8::MAX);
        let mut dialogue: Vec<TranscriptRecord> =
            self.record.transcript.iter().filter(|line| line.seat == own).cloned().collect();
        let is_go = |line: &TranscriptRecord| {
            line.direction == Direction::ToBot.word() && line.text.starts_with("go ")
        };
        // Records leave out what stands before `go`, because it follows from the moves.
        if let Some(at) = dialogue.iter().rposition(is_go) {
            let go = dialogue[at].clone();
            let before = self.turn.lines().filter(|line| !line.starts_with("go "));
            let before: Vec<TranscriptRecord> = before
                .map(|line| TranscriptRecord { text: printable(line, usize::MAX), ..go.clone() })
                .collect();
            dialogue.splice(at..at, before);
        }
        let Bout { seat, record, stderr, .. } = self;
        let game = Some((record, seat));
        ItemFailure { game, dialogue, stderr, ..ItemFailure::outside_games(problem) }
    }

    /// The outcome if nothing but the game itself is judged.
    pub(super) fn outcome(self) -> ItemOutcome {
        match &self.end {
            BoutEnd::Good | BoutEnd::Resigned => ItemOutcome::Passed,
            BoutEnd::Fault => ItemOutcome::of(self.failure(ItemProblem::Fault)),
            BoutEnd::HostBusy(why) => ItemOutcome::Skipped(SkipReason::HostBusy(why.clone())),
        }
    }

    /// True if the bot failed, or the host spoiled every try.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self.end, BoutEnd::Fault | BoutEnd::HostBusy(_))
    }

    /// The longest time of a move.
    pub(super) fn longest(&self) -> Duration {
        self.moves.iter().map(|played| played.used).max().unwrap_or_default()
    }
}

/// A place where games of the bot are played one after the other, by one process as long as it is good.
pub(super) struct Arena<'c> {
    check: &'c BotCheck,
    spec: Arc<BotSpec>,
    partner: Arc<BotSpec>,
    slot: Slot<Machine>,
    shared: Rc<ArenaSettings>,
    heard: Arc<Mutex<Heard>>,
    number: usize,
}

impl<'c> Arena<'c> {
    /// A place for games of a bot; its stray lines are added to those in `heard`.
    pub(super) fn new(check: &'c BotCheck, spec: &Arc<BotSpec>, heard: &Arc<Mutex<Heard>>) -> Arena<'c> {
        let shared = Rc::<ArenaSettings>::default();
        let machine = Machine::for_this_thread(Rc::clone(&shared));
        // The machine recognizes partners by their empty program.
        let command = Command { program: "".into(), isolation: None, ..spec.command.clone() };
        let partner = BotSpec { identity: "partner".to_owned(), command, ..BotSpec::clone(spec) };
        Arena {
            check,
            spec: Arc::clone(spec),
            partner: Arc::new(partner),
            slot: Slot::in_runtime(machine, SlotSettings::default(), check.stop.clone()),
            shared,
            heard: Arc::clone(heard),
            number: 0,
        }
    }

    /// Plays a game. One that the host spoils is played again.
    pub(super) fn play(&mut self, order: &Order<'_>) -> Result<Bout, Stopped> {
        let mut bout = self.play_once(order)?;
        let mut order = order.clone();
        for _ in 1..MOST_TRIES {
            if !matches!(bout.end, BoutEnd::HostBusy(_)) {
                break;
            }
            // A limit that is not itself on trial is extended on a busy machine.
            if let TimeControl::MoveTime(limit) = order.control
                && (LEAST_EXTENDED..MOST_EXTENDED).contains(&limit)
            {
                order.control = TimeControl::MoveTime(limit * 2);
            }
            bout = self.play_once(&order)?;
        }
        Ok(bout)
    }

    /// The figures after each game.
    pub(super) fn samples(&self) -> Vec<Sample> {
        self.shared.samples.borrow().clone()
    }

    /// Measures from now on the time that the bot is busy while it is not on move.
    pub(super) fn watch_idleness(&self) {
        self.shared.off_move.set(Some(Duration::ZERO));
    }

    /// The time that the bot was busy since then while it was not on move, if the host reports it.
    pub(super) fn off_move(&self) -> Option<Duration> {
        self.shared.off_move.get()
    }

    /// Plays the last game here.
    pub(super) fn play_last(mut self, order: &Order<'_>) -> Result<Bout, Stopped> {
        let bout = self.play(order)?;
        self.close();
        Ok(bout)
    }

    /// Ends the bot.
    pub(super) fn close(self) {
        let _ = self.slot.close();
    }

    fn play_once(&mut self, order: &Order<'_>) -> Result<Bout, Stopped> {
        self.number += 1;
        self.shared.manner.set(order.manner);
        let seed = order.conduct.seed.wrapping_add(self.check.seed);
        self.shared.conduct.set(Conduct { seed, ..order.conduct });
        heard(&self.heard).begin();
        let seat = order.start.to_move;
        let setup = self.setup_of(order);
        let bots = setup.seats.map(|own, _| Arc::clone(if own == seat { &self.spec } else { &self.partner }));
        let mut record = self.record_of(order, &setup);
        let game = Game {
            setup,
            table: order.start.table(order.setup),
            bots,
            on_move: None,
            dialogue: Some(Box::new(Listener { seat, heard: Arc::clone(&self.heard) })),
        };
        let played = self.slot.play(game).ok_or(Stopped)?;
        let (stderr, turn, has_resigned, times) = {
            let mut heard = heard(&self.heard);
            (heard.stderr_text(), std::mem::take(&mut heard.turn), heard.has_resigned, heard.times)
        };
        complete(&mut record, &played, order.setup);
        let restarted = played.notes.iter().find_map(|note| match note {
            GameNote::Restarted { seat: of, why } => (*of == seat).then(|| why.clone()),
            GameNote::Remark(_) => None,
        });
        let Played { mut finished, .. } = played;
        let is_own = |played: &PlayedMove| played.seat == seat && !played.is_elimination;
        let end = match &finished.verdict {
            verdict if verdict.faults().iter().any(|fault| fault.seat == seat) => BoutEnd::Fault,
            verdict if !verdict.faults().is_empty() => {
                BoutEnd::HostBusy("an opponent of the bot was late".to_owned())
            }
            Verdict::Void { void: Void::Host(why), .. } => BoutEnd::HostBusy(why.clone()),
            Verdict::Void { void: Void::Overload(late), .. } => BoutEnd::HostBusy(late.to_string()),
            Verdict::Void { void: Void::NoBotPlayed | Void::Assisted(_), .. } | Verdict::Finished { .. }
                if has_resigned =>
            {
                BoutEnd::Resigned
            }
            Verdict::Void { void: Void::NoBotPlayed | Void::Assisted(_), .. } | Verdict::Finished { .. } => {
                BoutEnd::Good
            }
        };
        Ok(Bout {
            seat,
            end,
            record,
            moves: finished.moves.iter().filter(|played| is_own(played)).cloned().collect(),
            introduction: finished.introductions[seat].take(),
            stderr,
            turn,
            restarted,
            heard: times,
        })
    }

    fn setup_of(&self, order: &Order<'_>) -> GameSetup {
        let Order { setup, start, .. } = order;
        let seat = |seat: Seat| {
            let most_a_move = order.most_a_move.or(self.check.limits.most_a_move);
            let own = SeatLimits { most_a_move, ..self.check.limits.clone() };
            let (limits, time_control) = match seat == start.to_move {
                true => (own, None),
                false => (SeatLimits::default(), order.partners_control),
            };
            SeatSetup {
                bot: BotState::Cold,
                options: Vec::new(),
                limits,
                fairness: Fairness::default(),
                time_control,
            }
        };
        GameSetup {
            game: setup.id().to_owned(),
            options: setup.options().to_string(),
            consultation: Consultation::of(setup.options()),
            id: order.id.map_or_else(|| format!("check~{}", self.number), str::to_owned),
            opening_token: start.token.clone(),
            opening_moves: start.moves.clone(),
            time_control: order.control,
            clock: ClockKind::Wall,
            margin: DEFAULT_MARGIN,
            pondering: Pondering::Off,
            adjudication: Adjudication::default(),
            seats: BySeat::from_fn(setup.teams().seats(), seat),
        }
    }

    /// The beginning of the record of a game.
    fn record_of(&self, order: &Order<'_>, setup: &GameSetup) -> Box<GameRecord> {
        let seat = |seat: Seat, _: &SeatSetup| match seat == order.start.to_move {
            true => SeatRecord {
                name: "the bot".to_owned(),
                command: Some(self.check.command.clone()),
                ..SeatRecord::default()
            },
            false => SeatRecord {
                name: format!("partner {seat}"),
                time_control: order.partners_control.map(|control| control.to_string()),
                ..SeatRecord::default()
            },
        };
        let mut record = GameRecord {
            v: 1,
            id: setup.id.clone(),
            attempt: 1,
            game: setup.game.clone(),
            seats: setup.seats.map(seat).into_iter().collect(),
            time_control: Some(setup.time_control.to_string()),
            margin_ms: u64::try_from(setup.margin.as_millis()).ok(),
            opening: Some(OpeningRecord {
                token: setup.opening_token.clone(),
                moves: setup.opening_moves.clone(),
            }),
            ..GameRecord::default()
        };
        record.set_options(order.setup.options());
        Box::new(record)
    }
}

/// Adds the course of a game to its record.
fn complete(record: &mut GameRecord, played: &Played, setup: &dyn Setup) {
    for made in &played.finished.moves {
        record.push_move(&made.text, made.used, Default::default());
    }
    record.moves.get_or_insert_default();
    for (own, usage) in record.seats.iter_mut().zip(played.usage.values()) {
        own.usage = Some(UsageRecord { moves: usage.moves, ..UsageRecord::default() });
    }
    record.set_verdict(&played.finished.verdict, &played.finished.marks, &setup.teams());
    record.transcript = (played.transcript.lines())
        .flat_map(|sent| TranscriptRecord::of_bytes(sent.at.0, sent.seat, sent.direction.word(), sent.bytes))
        .collect();
}

/// The output of a bot besides its moves.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Number of lines that are not of the protocol, in all games.
    pub(super) stray: u64,
    /// The first of them.
    pub(super) first_stray: Vec<String>,
    stderr: Vec<u8>,
    /// The lines of its last turn, up to `go`.
    turn: String,
    has_resigned: bool,
    asked: Option<GameTime>,
    times: HeardTimes,
}

/// Locks the output, which is consistent at every moment.
pub(super) fn heard(heard: &Mutex<Heard>) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Heard {
    fn begin(&mut self) {
        self.stderr.clear();
        self.turn.clear();
        self.has_resigned = false;
        self.asked = None;
        self.times = HeardTimes::default();
    }

    fn stderr_text(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.stderr)).into_owned()
    }

    fn take(&mut self, at: GameTime, line: &[u8]) {
        let since = |asked: Option<GameTime>| asked.map(|asked| at.0.saturating_sub(asked.0));
        match FromBot::parse(line) {
            Ok(FromBot::Unknown) if line.trim_ascii().is_empty() => {}
            Ok(FromBot::Unknown) => {
                self.stray += 1;
                if self.first_stray.len() < MOST_STRAY {
                    self.first_stray.push(printable(&String::from_utf8_lossy(line), MOST_LINE));
                }
            }
            Ok(FromBot::Resign) => self.has_resigned = true,
            Ok(FromBot::UgiOk) => self.times.start = since(self.asked),
            Ok(FromBot::ReadyOk) => self.times.ready = since(self.asked),
            Ok(
                FromBot::IdName(_)
                | FromBot::IdAuthor(_)
                | FromBot::Protocol(_)
                | FromBot::Option(_)
                | FromBot::Feature(_)
                | FromBot::Info(_)
                | FromBot::BestMove { .. }
                | FromBot::Tell(_),
            )
            | Err(_) => {}
        }
    }
}

struct Listener {
    seat: Seat,
    heard: Arc<Mutex<Heard>>,
}

impl DialogueListener for Listener {
    fn begins(&mut self, _: &GameSetup) {}

    fn heard(&mut self, at: GameTime, seat: Seat, line: &[u8]) {
        if seat == self.seat {
            heard(&self.heard).take(at, line);
        }
    }

    fn stderr(&mut self, _: GameTime, seat: Seat, bytes: &[u8]) {
        if seat == self.seat {
            let stderr = &mut heard(&self.heard).stderr;
            stderr.extend_from_slice(bytes);
            let excess = stderr.len().saturating_sub(KEPT_STDERR);
            stderr.drain(..excess);
        }
    }

    fn happened(&mut self, _: GameTime, _: &Event) {}

    fn ordered(&mut self, at: GameTime, action: &Action) {
        match action {
            Action::Start { seat } if *seat == self.seat => heard(&self.heard).asked = Some(at),
            Action::Send { seat, text, kind } if *seat == self.seat => match kind {
                SendKind::GetReady => heard(&self.heard).asked = Some(at),
                SendKind::Turn => heard(&self.heard).turn.clone_from(text),
                SendKind::Ponder | SendKind::Stop | SendKind::Other => {}
            },
            Action::Start { .. }
            | Action::Send { .. }
            | Action::AskEvidence { .. }
            | Action::Pause { .. }
            | Action::Resume { .. }
            | Action::Kill { .. }
            | Action::Note { .. }
            | Action::Finish(_) => {}
        }
    }
}

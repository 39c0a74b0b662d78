//! Games of the bot with partners, driven as the games of a tournament are.

use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use linesman_driver::{BotSpec, DialogueListener, Game, GameNote, Played, Slot, SlotSettings};
use linesman_games::{Consultation, Setup};
use linesman_protocol::{FromBot, ToBot};
use linesman_record::text::printable;
use linesman_record::{GameRecord, OpeningRecord, SeatRecord, TranscriptRecord, UsageRecord};
use linesman_referee::{
    Action, Adjudication, BotState, DEFAULT_MARGIN, Event, Fairness, GameSetup, GameTime, Introduction,
    PlayedMove, Pondering, SeatLimits, SeatSetup, SendKind,
};
use linesman_sandbox::Command;
use linesman_types::direction::Direction;
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{ClockKind, TimeControl};
use linesman_types::verdict::{Verdict, Void};

use super::arena_state::{ArenaState, Conduct, Sample};
use super::item::{ItemFailure, ItemOutcome, ItemProblem, SkipReason};
use super::manner::Manner;
use super::plan::{BotCheck, Stopped};
use super::positions::StartPosition;
use super::runtime::CheckRuntime;

/// Maximum number of times that a game is played while the host spoils it.
const MAX_ATTEMPTS: usize = 6;

/// A limit of a move from the first up to the second is doubled with each attempt.
const MIN_EXTENDED: Duration = Duration::from_millis(100);
const MAX_EXTENDED: Duration = Duration::from_secs(1);

/// Maximum number of characters that are kept of a stray line.
const MAX_LINE: usize = 400;

/// Maximum number of stray lines that are kept.
const MAX_STRAY: usize = 5;

/// Maximum number of bytes that are kept of stderr.
const KEPT_STDERR: usize = 4 * 1024;

#[derive(Clone)]
pub(super) struct Order<'o> {
    pub(super) setup: &'o dyn Setup,
    pub(super) start: &'o StartPosition,
    pub(super) control: TimeControl,
    /// The time control of the partners, if it differs.
    pub(super) partners_control: Option<TimeControl>,
    /// The limit of each of the bot's moves, in addition to its clock.
    pub(super) max_move_time: Option<Duration>,
    pub(super) conduct: Conduct,
    pub(super) manner: Manner,
    /// The id of the game; `None` for a new one.
    pub(super) id: Option<&'o str>,
}

impl<'o> Order<'o> {
    /// Creates an order for a game with a limit for each move, in which the partners resign on turn `resignation_turn`.
    pub(super) fn new(
        setup: &'o dyn Setup,
        start: &'o StartPosition,
        limit: Duration,
        resignation_turn: u32,
    ) -> Order<'o> {
        Order {
            setup,
            start,
            control: TimeControl::MoveTime(limit),
            partners_control: None,
            max_move_time: None,
            conduct: Conduct { resignation_turn, ..Conduct::default() },
            manner: Manner::Plain,
            id: None,
        }
    }
}

/// A game that was played, as it concerns the bot.
pub(super) struct Bout {
    pub(super) seat: Seat,
    pub(super) end: BoutEnd,
    pub(super) record: Box<GameRecord>,
    pub(super) moves: Vec<PlayedMove>,
    pub(super) introduction: Option<Introduction>,
    /// The last part of the bot's stderr in this game.
    pub(super) stderr: String,
    /// The lines of the bot's last turn, up to `go`.
    pub(super) turn: String,
    /// The reason why a process from an earlier game was replaced.
    pub(super) restarted: Option<String>,
    pub(super) times: AnswerTimes,
}

/// The end of a game for the bot.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum BoutEnd {
    /// The bot did nothing wrong.
    Good,
    Resigned,
    /// The bot committed the fault in the record.
    Fault,
    /// The host spoiled every attempt.
    HostBusy(String),
}

/// The times in which a new process answered.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct AnswerTimes {
    /// The time from the start of the process to `ugiok`.
    pub(super) start: Option<Duration>,
    /// The time from `isready` to `readyok`.
    pub(super) ready: Option<Duration>,
}

impl Bout {
    pub(super) fn failure(self, problem: ItemProblem) -> ItemFailure {
        let seat = u8::try_from(self.seat.number()).unwrap_or(u8::MAX);
        let mut dialogue: Vec<TranscriptRecord> =
            self.record.transcript.iter().filter(|line| line.seat == seat).cloned().collect();
        let is_go = |text: &str| matches!(ToBot::parse(text), Ok(Some(ToBot::Go(_) | ToBot::GoPonder(_))));
        let starts_turn =
            |line: &TranscriptRecord| line.direction == Ok(Direction::ToBot) && is_go(&line.text);
        // Records omit the lines of a turn before `go`, because they follow from the moves.
        if let Some(at) = dialogue.iter().rposition(starts_turn) {
            let go = dialogue[at].clone();
            let before = self.turn.lines().filter(|line| !is_go(line));
            let before: Vec<TranscriptRecord> = before
                .map(|line| TranscriptRecord { text: printable(line, usize::MAX), ..go.clone() })
                .collect();
            dialogue.splice(at..at, before);
        }
        let Bout { seat, record, stderr, .. } = self;
        let game = Some((record, seat));
        ItemFailure { game, dialogue, stderr, ..ItemFailure::outside_games(problem) }
    }

    /// The outcome if only the game itself is judged.
    pub(super) fn outcome(self) -> ItemOutcome {
        match &self.end {
            BoutEnd::Good | BoutEnd::Resigned => ItemOutcome::Passed,
            BoutEnd::Fault => ItemOutcome::of(self.failure(ItemProblem::Fault)),
            BoutEnd::HostBusy(why) => ItemOutcome::Skipped(SkipReason::HostBusy(why.clone())),
        }
    }

    /// True if the bot failed, or the host spoiled every attempt.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self.end, BoutEnd::Fault | BoutEnd::HostBusy(_))
    }

    pub(super) fn longest(&self) -> Duration {
        self.moves.iter().map(|played| played.used).max().unwrap_or_default()
    }
}

/// Plays games of the bot one after the other, with the same process until it fails.
pub(super) struct Arena<'c> {
    check: &'c BotCheck,
    spec: Arc<BotSpec>,
    partner: Arc<BotSpec>,
    slot: Slot<CheckRuntime>,
    shared: Rc<ArenaState>,
    output: Arc<Mutex<BotOutput>>,
    number: usize,
}

impl<'c> Arena<'c> {
    /// Creates an arena for a bot, whose output is added to `output`.
    pub(super) fn new(check: &'c BotCheck, spec: &Arc<BotSpec>, output: &Arc<Mutex<BotOutput>>) -> Arena<'c> {
        let shared = Rc::<ArenaState>::default();
        let runtime = CheckRuntime::for_this_thread(Rc::clone(&shared));
        // The runtime recognizes partners by their empty program.
        let command = Command { program: "".into(), isolation: None, ..spec.command.clone() };
        let partner = BotSpec { identity: "partner".to_owned(), command, ..BotSpec::clone(spec) };
        Arena {
            check,
            spec: Arc::clone(spec),
            partner: Arc::new(partner),
            slot: Slot::in_runtime(runtime, SlotSettings::default(), check.stop.clone()),
            shared,
            output: Arc::clone(output),
            number: 0,
        }
    }

    /// Plays a game. A game that the host spoils is played again.
    pub(super) fn play(&mut self, order: &Order<'_>) -> Result<Bout, Stopped> {
        let mut bout = self.play_once(order)?;
        let mut order = order.clone();
        for _ in 1..MAX_ATTEMPTS {
            if !matches!(bout.end, BoutEnd::HostBusy(_)) {
                break;
            }
            // A limit that is not itself the object of an item is extended on a busy host.
            if let TimeControl::MoveTime(limit) = order.control
                && (MIN_EXTENDED..MAX_EXTENDED).contains(&limit)
            {
                order.control = TimeControl::MoveTime(limit * 2);
            }
            bout = self.play_once(&order)?;
        }
        Ok(bout)
    }

    pub(super) fn samples(&self) -> Vec<Sample> {
        self.shared.samples.borrow().clone()
    }

    /// Starts to measure the time for which the bot is busy while it is not on move.
    pub(super) fn watch_idleness(&self) {
        self.shared.off_move.set(Some(Duration::ZERO));
    }

    /// The measured time for which the bot was busy while it was not on move, if the host reports it.
    pub(super) fn off_move(&self) -> Option<Duration> {
        self.shared.off_move.get()
    }

    /// Plays the last game, and ends the bot.
    pub(super) fn play_last(mut self, order: &Order<'_>) -> Result<Bout, Stopped> {
        let bout = self.play(order)?;
        self.close();
        Ok(bout)
    }

    pub(super) fn close(self) {
        let _ = self.slot.close();
    }

    fn play_once(&mut self, order: &Order<'_>) -> Result<Bout, Stopped> {
        self.number += 1;
        self.shared.manner.set(order.manner);
        let seed = order.conduct.seed.wrapping_add(self.check.seed);
        self.shared.conduct.set(Conduct { seed, ..order.conduct });
        lock(&self.output).begin_game();
        let seat = order.start.to_move;
        let setup = self.setup_of(order);
        let spec_of = |of| if of == seat { &self.spec } else { &self.partner };
        let bots = setup.seats.map(|of, _| Arc::clone(spec_of(of)));
        let mut record = self.record_of(order, &setup);
        let game = Game {
            setup,
            table: order.start.table(order.setup),
            bots,
            on_move: None,
            dialogue: Some(Box::new(Listener { seat, output: Arc::clone(&self.output) })),
        };
        let played = self.slot.play(game).ok_or(Stopped)?;
        let (stderr, turn, has_resigned, times) = {
            let mut output = lock(&self.output);
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            (stderr, std::mem::take(&mut output.turn), output.has_resigned, output.times)
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
            Verdict::Void { void: Void::NoBotPlayed | Void::Assisted(_), .. } | Verdict::Finished { .. } => {
                if has_resigned {
                    BoutEnd::Resigned
                } else {
                    BoutEnd::Good
                }
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
            times,
        })
    }

    fn setup_of(&self, order: &Order<'_>) -> GameSetup {
        let Order { setup, start, .. } = order;
        let seat = |seat: Seat| {
            let max_move_time = order.max_move_time.or(self.check.limits.max_move_time);
            let of_bot = SeatLimits { max_move_time, ..self.check.limits.clone() };
            let (limits, time_control) = match seat == start.to_move {
                true => (of_bot, None),
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

/// Adds the moves, the verdict and the transcript of a game to its record.
fn complete(record: &mut GameRecord, played: &Played, setup: &dyn Setup) {
    for made in &played.finished.moves {
        record.push_move(&made.text, made.used, Default::default());
    }
    record.moves.get_or_insert_default();
    for (seat, usage) in record.seats.iter_mut().zip(played.usage.values()) {
        seat.usage = Some(UsageRecord { moves: usage.moves, ..UsageRecord::default() });
    }
    record.set_verdict(&played.finished.verdict, &played.finished.marks, &setup.teams());
    record.transcript = (played.transcript.lines())
        .flat_map(|sent| TranscriptRecord::of_bytes(sent.at.0, sent.seat, sent.direction, sent.bytes))
        .collect();
}

/// The output of the bot other than its moves, of the current game unless it says otherwise.
#[derive(Debug, Default)]
pub(super) struct BotOutput {
    /// Number of lines that are not part of the protocol, in all games.
    pub(super) stray: u64,
    /// The first of these lines.
    pub(super) first_stray: Vec<String>,
    stderr: Vec<u8>,
    /// The lines of the bot's last turn, up to `go`.
    turn: String,
    has_resigned: bool,
    /// The time of the start of the process or of `isready`.
    asked: Option<GameTime>,
    times: AnswerTimes,
}

/// Locks the output. It is consistent even if a thread that held the lock panicked.
pub(super) fn lock(output: &Mutex<BotOutput>) -> MutexGuard<'_, BotOutput> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BotOutput {
    fn begin_game(&mut self) {
        self.stderr.clear();
        self.turn.clear();
        self.has_resigned = false;
        self.asked = None;
        self.times = AnswerTimes::default();
    }

    fn take_line(&mut self, at: GameTime, line: &[u8]) {
        let since = |asked: Option<GameTime>| asked.map(|asked| at.0.saturating_sub(asked.0));
        match FromBot::parse(line) {
            Ok(FromBot::Unknown) if line.trim_ascii().is_empty() => {}
            Ok(FromBot::Unknown) => {
                self.stray += 1;
                if self.first_stray.len() < MAX_STRAY {
                    self.first_stray.push(printable(&String::from_utf8_lossy(line), MAX_LINE));
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
    output: Arc<Mutex<BotOutput>>,
}

impl DialogueListener for Listener {
    fn begins(&mut self, _: &GameSetup) {}

    fn heard(&mut self, at: GameTime, seat: Seat, line: &[u8]) {
        if seat == self.seat {
            lock(&self.output).take_line(at, line);
        }
    }

    fn stderr(&mut self, _: GameTime, seat: Seat, bytes: &[u8]) {
        if seat == self.seat {
            let stderr = &mut lock(&self.output).stderr;
            stderr.extend_from_slice(bytes);
            let excess = stderr.len().saturating_sub(KEPT_STDERR);
            stderr.drain(..excess);
        }
    }

    fn happened(&mut self, _: GameTime, _: &Event) {}

    fn ordered(&mut self, at: GameTime, action: &Action) {
        match action {
            Action::Start { seat } if *seat == self.seat => lock(&self.output).asked = Some(at),
            Action::Send { seat, text, kind } if *seat == self.seat => match kind {
                SendKind::GetReady => lock(&self.output).asked = Some(at),
                SendKind::Turn => lock(&self.output).turn.clone_from(text),
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

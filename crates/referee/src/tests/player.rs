//! Plays events into a core and shows the results.

use std::fmt::Write;
use std::time::Duration;

use crate::seat_state::SeatProgress;
use crate::tests::count::Count;
use crate::{
    About, Action, Adjudication, BotState, Core, Event, Fairness, Finished, GameSetup, GameTime, Input,
    Introduction, Pondering, Reading, SeatLimits, SeatSetup, SendKind,
};
use linesman_games::{Consultation, Table};
use linesman_types::seat::{BySeat, Seat, Teams};
use linesman_types::time_control::{ClockKind, TimeControl};
use linesman_types::verdict::{ExitStatus, Fault, Verdict, Void};

pub(super) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

pub(super) fn at(milliseconds: u64) -> GameTime {
    GameTime(ms(milliseconds))
}

pub(super) fn seat(number: usize) -> Seat {
    Seat::new(number).expect("a seat from 1 to 4")
}

pub(super) fn limits() -> SeatLimits {
    SeatLimits {
        start: ms(10_000),
        ready: ms(5_000),
        max_move_time: None,
        line: 1_000,
        output_on_move: 3_000,
        output_off_move: 2_000,
    }
}

/// Returns a setup of cold bots with a second per move and a margin of 50 ms.
pub(super) fn setup(seats: usize) -> GameSetup {
    GameSetup {
        game: "count".to_owned(),
        options: "goal=9".to_owned(),
        consultation: Consultation::Off,
        id: "a~b~1".to_owned(),
        opening_token: None,
        opening_moves: Vec::new(),
        time_control: TimeControl::MoveTime(ms(1_000)),
        clock: ClockKind::Wall,
        margin: ms(50),
        pondering: Pondering::Off,
        adjudication: Adjudication::default(),
        seats: BySeat::from_fn(seats, |_| SeatSetup {
            bot: BotState::Cold,
            options: Vec::new(),
            limits: limits(),
            fairness: Fairness::default(),
            time_control: None,
        }),
    }
}

pub(super) fn warm() -> BotState {
    BotState::Warm(Introduction { protocol: 1, ..Introduction::default() })
}

/// A core and its actions so far. Each turn counts as sent at once.
pub(super) struct Player {
    pub(super) core: Core,
    pub(super) finished: Option<Finished>,
    /// The core's actions, a line each, since they were last taken.
    pub(super) said: Vec<String>,
    /// True if turns are reported as sent.
    pub(super) sends: bool,
    /// The host's answers: the bot's usage, and the referee's lag.
    pub(super) host: (Option<Reading>, Duration),
    /// The questions to the host since they were last taken.
    pub(super) asked: Vec<(usize, About)>,
}

impl Player {
    pub(super) fn new(setup: GameSetup, table: impl Table + 'static) -> Player {
        Player::boxed(setup, Box::new(table))
    }

    pub(super) fn boxed(setup: GameSetup, table: Box<dyn Table>) -> Player {
        Player {
            core: Core::new(setup, table),
            finished: None,
            said: Vec::new(),
            sends: true,
            host: (None, Duration::ZERO),
            asked: Vec::new(),
        }
    }

    /// Creates a game of counting to 9 without teams.
    pub(super) fn count(setup: GameSetup) -> Player {
        let teams = Teams::singles(setup.seats.seats());
        Player::new(setup, Count::new(teams, 9))
    }

    /// Creates the same game, with all bots ready at 0 ms and seat 1 on move.
    pub(super) fn playing(setup: GameSetup) -> Player {
        Player::count(setup).ready()
    }

    pub(super) fn ready(mut self) -> Player {
        self.start();
        for number in 1..=self.core.seats.seats() {
            if matches!(self.core.seats[seat(number)].progress, SeatProgress::Handshake { .. }) {
                self.line(0, number, "ugiok");
            }
            self.line(0, number, "readyok");
        }
        self.said.clear();
        self
    }

    pub(super) fn start(&mut self) {
        let mut actions = Vec::new();
        self.core.start(&mut actions);
        self.perform(GameTime::default(), actions);
    }

    pub(super) fn event(&mut self, at: GameTime, event: Event) {
        let mut actions = Vec::new();
        self.core.handle(Input { at, event }, &mut actions);
        self.perform(at, actions);
    }

    pub(super) fn line(&mut self, milliseconds: u64, number: usize, line: &str) {
        self.event(at(milliseconds), Event::Line { seat: seat(number), line: line.as_bytes().to_vec() });
    }

    pub(super) fn lines(&mut self, milliseconds: u64, number: usize, lines: &[&str]) {
        lines.iter().for_each(|line| self.line(milliseconds, number, line));
    }

    pub(super) fn tick(&mut self, milliseconds: u64) {
        self.event(at(milliseconds), Event::Tick);
    }

    pub(super) fn exited(&mut self, milliseconds: u64, number: usize, code: i32) {
        let status = ExitStatus::Code(code);
        let event = Event::Exited { seat: seat(number), status, stderr_tail: "oh no".to_owned() };
        self.event(at(milliseconds), event);
    }

    pub(super) fn closed(&mut self, milliseconds: u64, number: usize) {
        let event = Event::OutputClosed { seat: seat(number), stderr_tail: "bye".to_owned() };
        self.event(at(milliseconds), event);
    }

    pub(super) fn stop(&mut self, milliseconds: u64) {
        self.event(at(milliseconds), Event::Stop("disk full".to_owned()));
    }

    fn perform(&mut self, at: GameTime, actions: Vec<Action>) {
        for action in actions {
            self.said.extend(shown(&action));
            match action {
                Action::Finish(finished) => {
                    assert!(self.finished.is_none(), "there is one finish");
                    self.finished = Some(*finished);
                }
                Action::Send { seat, kind: SendKind::Turn, .. } if self.sends => {
                    let mut more = Vec::new();
                    self.core.handle(Input { at, event: Event::Sent { seat } }, &mut more);
                    self.perform(at, more);
                }
                Action::AskEvidence { seat, about } => {
                    self.asked.push((seat.number(), about));
                    let (reading, lag) = self.host.clone();
                    let mut more = Vec::new();
                    let event = Event::Evidence { seat, about, reading, lag };
                    self.core.handle(Input { at, event }, &mut more);
                    self.perform(at, more);
                }
                _ => {}
            }
        }
    }

    /// Returns the core's actions since the last call.
    pub(super) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Returns the verdict and its faults in short.
    #[track_caller]
    pub(super) fn outcome(&self) -> String {
        let finished = self.finished.as_ref().expect("the game is over");
        describe(&finished.verdict).join("; ")
    }

    pub(super) fn moves(&self) -> String {
        let moves = self.finished.as_ref().map_or(self.core.moves(), |finished| &finished.moves);
        moves.iter().map(|played| played.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Returns an action in lines as transcripts show them, without the time.
pub(super) fn shown(action: &Action) -> Vec<String> {
    match action {
        Action::Start { seat } => vec![format!("{seat} * start")],
        Action::Kill { seat } => vec![format!("{seat} * kill")],
        Action::Pause { seat } => vec![format!("{seat} * pause")],
        Action::Resume { seat } => vec![format!("{seat} * resume")],
        // Only the host receives it.
        Action::AskEvidence { .. } => Vec::new(),
        Action::Send { seat, text, .. } => text.lines().map(|line| format!("{seat} > {line}")).collect(),
        Action::Note { seat: Some(seat), text } => vec![format!("{seat} ~ {text}")],
        Action::Note { seat: None, text } => vec![format!("~ {text}")],
        Action::Finish(_) => Vec::new(),
    }
}

/// Returns a verdict in lines: the result, then the faults with their evidence.
pub(super) fn describe(verdict: &Verdict) -> Vec<String> {
    let result = match verdict {
        Verdict::Finished { places, cause, .. } => {
            let places: Vec<String> = places.values().map(ToString::to_string).collect();
            format!("places {} reason {}", places.join(","), cause.kind().word())
        }
        Verdict::Void { void: Void::Overload(overload), .. } => {
            format!("void host: seat {} used {:?} excuse {:?}", overload.seat, overload.used, overload.excuse)
        }
        Verdict::Void { void, .. } => format!("void {}", void.word()),
    };
    let faults = verdict.faults().iter().map(|failed| {
        let mut line = format!("seat {} {}", failed.seat, failed.fault.word());
        let evidence = match &failed.fault {
            Fault::NotStarted { error, status: _, stderr_tail } => {
                format!("error `{error}` stderr `{stderr_tail}`")
            }
            Fault::NotReady { stage, limit, .. } => format!("no {} in {limit:?}", stage.answer()),
            Fault::Time { limit, used, margin, excuse, .. } => {
                let mark = if failed.fault.is_overload() {
                    format!(" excuse {excuse:?} overload")
                } else {
                    String::new()
                };
                format!("limit {limit:?} used {used:?} margin {margin:?}{mark}")
            }
            Fault::CpuClock { limit, margin, evidence, wall, wall_bound } => {
                let used = evidence.cpu;
                format!("limit {limit:?} cpu {used:?} margin {margin:?} wall {wall:?} of {wall_bound:?}")
            }
            Fault::Crash { status, stderr_tail } => format!("{status} stderr `{stderr_tail}`"),
            Fault::ClosedOutput { stderr_tail } => format!("stderr `{stderr_tail}`"),
            Fault::IllegalMove { text, why } | Fault::NotAMove { text, why } => format!("`{text}`: {why}"),
            Fault::Protocol { line, expected } => format!("`{line}` expected {expected}"),
            Fault::Limit { which, limit, used } => format!("{} {used} of {limit}", which.word()),
        };
        let _ = write!(line, " {evidence}");
        if !failed.stray_lines.is_empty() {
            let _ = write!(line, " stray {:?}", failed.stray_lines);
        }
        line
    });
    std::iter::once(result).chain(faults).collect()
}

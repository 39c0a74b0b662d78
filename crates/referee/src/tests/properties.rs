//! Properties that hold with any events, in any order, at any time.

use std::num::NonZeroU32;

use proptest::prelude::*;

use crate::seat_state::SeatProgress;
use crate::tests::count::Count;
use crate::tests::player::{ms, setup};
use crate::{
    About, Action, BotAfter, BotState, Core, Event, GameSetup, GameTime, Input, Introduction, LateMoves,
    Pausing, Pondering, Reading, SendKind,
};
use linesman_types::seat::{Seat, Teams};
use linesman_types::time_control::{ClockKind, TimeControl};
use linesman_types::verdict::{ExitStatus, Limit, Verdict};

/// The next event; times are counted from the last event or from the deadline.
#[derive(Clone, Debug)]
struct Step {
    when: When,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// The awaited bot gives the awaited answer.
    Answer,
    /// Any event.
    Event(Event),
}

impl What {
    fn event(&self, core: &Core) -> Event {
        match self {
            What::Answer => answer(core),
            What::Event(event) => event.clone(),
        }
    }
}

#[derive(Copy, Clone, Debug)]
enum When {
    /// This number of milliseconds after the last event.
    After(u64),
    /// This number of nanoseconds before the deadline.
    BeforeDeadline(u64),
    AtDeadline,
    AfterDeadline(u64),
    /// Before the last event.
    Earlier(u64),
    /// At a time so large that additions overflow.
    EndOfTime,
}

fn seat() -> impl Strategy<Value = Seat> {
    (0..4usize).prop_map(Seat::from_index)
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let said = |line: &'static str| Just(line.as_bytes().to_vec());
    prop_oneof![
        2 => said("ugiok"),
        2 => said("readyok"),
        2 => said("bestmove 1"),
        1 => said("bestmove 9"),
        2 => said("bestmove 1 ponder 1"),
        1 => said("bestmove 1 ponder 2 1 1"),
        1 => said("bestmove e2e4"),
        1 => said("bestmove"),
        1 => said("bestmove resign"),
        9 => said("info depth 3 pv 1 2"),
        1 => said("feature state legal"),
        1 => said("feature ponder"),
        1 => said("id name Bot"),
        1 => said("tell hello"),
        1 => said("Traceback (most recent call last):"),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
        1 => (900..1_100usize).prop_map(|length| vec![b'x'; length]),
    ]
}

fn about() -> impl Strategy<Value = About> {
    prop_oneof![
        1 => Just(About::Turn),
        1 => (0..5usize).prop_map(About::Move),
        3 => Just(About::Late),
        2 => Just(About::Clock),
        1 => Just(About::Answer),
        1 => Just(About::PonderBegins),
        1 => Just(About::PonderEnds),
    ]
}

fn reading() -> impl Strategy<Value = Reading> {
    let waits = proptest::collection::vec((0..3u32, (0..500u64).prop_map(ms)), 0..3);
    ((0..500u64).prop_map(ms), waits, any::<bool>()).prop_map(|(cpu, waits, is_ready)| Reading {
        cpu,
        waits,
        is_ready,
    })
}

fn event() -> impl Strategy<Value = Event> {
    let status = prop_oneof![
        any::<i32>().prop_map(ExitStatus::Code),
        (1..64).prop_map(ExitStatus::Signal),
        Just(ExitStatus::Unknown)
    ];
    let text = || Just("some text".to_owned());
    prop_oneof![
        10 => (seat(), line()).prop_map(|(seat, line)| Event::Line { seat, line }),
        4 => seat().prop_map(|seat| Event::Sent { seat }),
        4 => Just(Event::Tick),
        1 => (seat(), any::<u64>()).prop_map(|(seat, bytes)| Event::LineTooLong { seat, bytes }),
        1 => (seat(), line()).prop_map(|(seat, text)| Event::Unfinished { seat, text }),
        1 => (seat(), text()).prop_map(|(seat, stderr_tail)| Event::OutputClosed { seat, stderr_tail }),
        1 => (seat(), status, text())
            .prop_map(|(seat, status, stderr_tail)| Event::Exited { seat, status, stderr_tail }),
        1 => (seat(), text()).prop_map(|(seat, error)| Event::StartFailed { seat, error }),
        1 => seat().prop_map(|seat| Event::LimitExceeded {
            seat,
            which: Limit::Stderr,
            limit: 1,
            used: 2
        }),
        1 => text().prop_map(Event::Stop),
        2 => (seat(), about(), proptest::option::of(reading()), 0..50u64).prop_map(
            |(seat, about, reading, lag)| Event::Evidence { seat, about, reading, lag: ms(lag) }
        ),
    ]
}

fn what() -> impl Strategy<Value = What> {
    prop_oneof![3 => Just(What::Answer), 1 => event().prop_map(What::Event)]
}

fn step() -> impl Strategy<Value = Step> {
    let when = prop_oneof![
        90 => (0..20u64).prop_map(When::After),
        1 => (0..2_000u64).prop_map(When::After),
        1 => (0..3u64).prop_map(When::BeforeDeadline),
        1 => Just(When::AtDeadline),
        1 => (0..2_000u64).prop_map(When::AfterDeadline),
        1 => (0..50u64).prop_map(When::Earlier),
        1 => prop_oneof![9 => Just(When::After(0)), 1 => Just(When::EndOfTime)],
    ];
    (when, what()).prop_map(|(when, what)| Step { when, what })
}

/// Generates a game: its seats, its teams, the time control, the warm bots.
fn game() -> impl Strategy<Value = (GameSetup, Teams)> {
    let control = prop_oneof![
        Just(TimeControl::MoveTime(ms(100))),
        (1..500u64, 0..50u64, 0..4u32).prop_map(|(base, gain, session)| TimeControl::Clock {
            base: ms(base),
            increment: ms(gain),
            session: NonZeroU32::new(session),
        })
    ];
    let clock = prop_oneof![
        3 => Just(ClockKind::Wall),
        1 => (1..20u32).prop_map(|bound| {
            let wall_bound = NonZeroU32::new(bound).expect("it is not 0");
            ClockKind::Cpu { wall_bound }
        }),
    ];
    let teams = prop_oneof![
        3 => (2..=4usize).prop_map(Teams::singles),
        1 => Just(Teams::opposite_pairs()),
    ];
    (
        teams,
        (control, clock),
        any::<[bool; 4]>(),
        proptest::option::of(1..200u64),
        any::<bool>(),
        any::<[bool; 4]>(),
        any::<bool>(),
        (any::<bool>(), any::<[bool; 4]>()),
    )
        .prop_map(
            |(teams, (control, clock), warms, cap, is_ready, pausing, are_lost, (may_ponder, ponders))| {
                let mut setup = setup(teams.seats());
                setup.time_control = control;
                setup.clock = clock;
                setup.pondering = if may_ponder { Pondering::On } else { Pondering::Off };
                for (seat, own) in setup.seats.iter_mut() {
                    own.limits.max_move_time = cap.map(ms);
                    if is_ready || warms[seat.index()] {
                        let ponders = ponders[seat.index()];
                        own.bot =
                            BotState::Warm(Introduction { protocol: 1, ponders, ..Introduction::default() });
                    }
                    if pausing[seat.index()] {
                        own.fairness.pausing = Pausing::On;
                    }
                    own.fairness.late = if are_lost { LateMoves::Lost } else { LateMoves::Void };
                }
                (setup, teams)
            },
        )
}

/// Plays a game and checks the properties.
struct Watch {
    core: Core,
    setup: GameSetup,
    killed: [bool; 4],
    paused: [bool; 4],
    started: [bool; 4],
    turns: Vec<Seat>,
    finished: Option<Verdict>,
}

impl Watch {
    fn new(setup: GameSetup, teams: Teams) -> Watch {
        let warm = |seat: Seat| setup.seats.get(seat).is_some_and(|own| own.bot != crate::BotState::Cold);
        let started = std::array::from_fn(|index| warm(Seat::from_index(index)));
        let core = Core::new(setup.clone(), Box::new(Count::new(teams, 12)));
        let nobody = [false; 4];
        Watch { core, setup, killed: nobody, paused: nobody, started, turns: Vec::new(), finished: None }
    }

    fn take(&mut self, actions: Vec<Action>) -> Result<(), TestCaseError> {
        for action in actions {
            prop_assert!(self.finished.is_none(), "{action:?} comes after the finish");
            match action {
                Action::Start { seat } => {
                    prop_assert!(!self.started[seat.index()], "{seat} is started twice");
                    self.started[seat.index()] = true;
                }
                Action::Send { seat, text, kind } => {
                    prop_assert!(self.started[seat.index()], "{seat} does not run and is sent {text}");
                    prop_assert!(!self.killed[seat.index()], "{seat} is dead and is sent {text}");
                    prop_assert!(text.ends_with('\n'));
                    if self.setup.pondering == Pondering::Off {
                        prop_assert_eq!(kind == SendKind::Turn, text.contains("\ngo "));
                    }
                    let is_turn =
                        (text.contains("\ngo ") && !text.contains("\ngo ponder ")) || text == "ponderhit\n";
                    prop_assert_eq!(kind == SendKind::Turn, is_turn);
                    prop_assert_eq!(kind == SendKind::Ponder, text.contains("\ngo ponder "));
                    prop_assert_eq!(kind == SendKind::Stop, text.starts_with("stop\n"));
                    prop_assert_eq!(kind == SendKind::GetReady, text.ends_with("isready\n"));
                    prop_assert!(!self.paused[seat.index()] || text.starts_with("told"));
                    if kind == SendKind::Turn {
                        let others = Seat::all(self.setup.seats.seats()).filter(|other| *other != seat);
                        for other in others {
                            let must_pause = self.setup.seats[other].fairness.pausing == Pausing::On
                                && !self.killed[other.index()]
                                && self.core.seats[other].is_heard()
                                && !self.core.seats[other].ponder.is_active();
                            prop_assert!(!must_pause || self.paused[other.index()], "{other} is not paused");
                        }
                        self.turns.push(seat);
                    }
                }
                Action::Kill { seat } => {
                    prop_assert!(!self.killed[seat.index()], "{seat} is killed twice");
                    self.killed[seat.index()] = true;
                }
                Action::Note { .. } => {}
                Action::AskEvidence { seat, .. } => {
                    prop_assert!(self.started[seat.index()] && !self.killed[seat.index()]);
                }
                Action::Pause { seat } => {
                    prop_assert!(self.setup.seats[seat].fairness.pausing == Pausing::On);
                    prop_assert!(!self.killed[seat.index()] && !self.paused[seat.index()]);
                    self.paused[seat.index()] = true;
                }
                Action::Resume { seat } => {
                    prop_assert!(self.paused[seat.index()], "{seat} is not paused");
                    self.paused[seat.index()] = false;
                }
                Action::Finish(finished) => {
                    for failed in finished.verdict.faults() {
                        prop_assert!(self.killed[failed.seat.index()], "{failed:?} lives on");
                    }
                    for (seat, after) in finished.bots.iter() {
                        prop_assert!(self.killed[seat.index()] || !self.paused[seat.index()]);
                        prop_assert_eq!(self.killed[seat.index()], *after == BotAfter::Gone);
                    }
                    if let Verdict::Finished { places, .. } = &finished.verdict {
                        prop_assert!(places.values().any(|place| place.number() == 1));
                    }
                    self.finished = Some(finished.verdict);
                }
            }
        }
        prop_assert_eq!(self.core.deadline().is_none(), self.finished.is_some());
        Ok(())
    }

    fn event(&mut self, at: GameTime, event: Event) -> Result<(), TestCaseError> {
        let mut actions = Vec::new();
        self.core.handle(Input { at, event }, &mut actions);
        self.take(actions)
    }
}

/// Returns an awaited line.
fn answer(core: &Core) -> Event {
    let waits = |seat: &Seat| core.seats[*seat].until().is_some();
    let Some(seat) = core.on_move().or_else(|| Seat::all(core.seats.seats()).find(waits)) else {
        return Event::Tick;
    };
    let line: &[u8] = match core.seats[seat].progress {
        SeatProgress::Handshake { .. } => b"ugiok",
        SeatProgress::GettingReady { .. } => b"readyok",
        _ if core.is_stopping(seat) => b"bestmove 3",
        _ => match (core.moves().len() + seat.number()) % 3 {
            0 => b"bestmove 1",
            1 => b"bestmove 1 ponder 1 1 1",
            _ => b"bestmove 1 ponder 2 1 1",
        },
    };
    Event::Line { seat, line: line.to_vec() }
}

fn nanoseconds(count: u64) -> std::time::Duration {
    std::time::Duration::from_nanos(count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_game_ends_once_whatever_happens(
        (setup, teams) in game(),
        steps in proptest::collection::vec(step(), 0..60),
        are_sent in proptest::bool::weighted(0.9),
    ) {
        let mut watch = Watch::new(setup, teams);
        let mut actions = Vec::new();
        watch.core.start(&mut actions);
        watch.take(actions)?;
        let mut now = GameTime::default();
        for Step { when, what } in steps {
            let event = what.event(&watch.core);
            let deadline = watch.core.deadline().unwrap_or(now).0;
            let at = GameTime(match when {
                When::After(later) => now.0.saturating_add(ms(later)),
                When::BeforeDeadline(before) => deadline.saturating_sub(nanoseconds(before)),
                When::AtDeadline => deadline,
                When::AfterDeadline(later) => deadline.saturating_add(ms(later)),
                When::Earlier(before) => now.0.saturating_sub(ms(before)),
                When::EndOfTime => std::time::Duration::MAX,
            });
            now = at.max(now);
            let turns = watch.turns.len();
            watch.event(at, event)?;
            if are_sent && watch.turns.len() > turns && let Some(&seat) = watch.turns.last() {
                watch.event(at, Event::Sent { seat })?;
            }
        }
        // From here on no bot prints anything, and only time passes.
        for _ in 0..60 {
            let Some(deadline) = watch.core.deadline() else { break };
            watch.event(deadline, Event::Tick)?;
        }
        prop_assert!(watch.finished.is_some(), "the game does not end");
        watch.event(now, Event::Tick)?;
    }

    #[test]
    fn the_same_events_lead_to_the_same_verdict(
        (setup, teams) in game(),
        whats in proptest::collection::vec((0..50u64, what()), 0..60),
    ) {
        let run = || {
            let mut core = Core::new(setup.clone(), Box::new(Count::new(teams.clone(), 12)));
            let mut actions = Vec::new();
            let mut now = 0;
            for (later, what) in &whats {
                now += later;
                let event = what.event(&core);
                core.handle(Input { at: GameTime(ms(now)), event }, &mut actions);
            }
            actions
        };
        prop_assert_eq!(run(), run());
    }

    /// A tick between the events changes nothing if it is not due.
    #[test]
    fn ticks_that_are_not_due_change_nothing(
        (setup, teams) in game(),
        whats in proptest::collection::vec((0..60u64, what()), 0..60),
    ) {
        let run = |ticks: bool| {
            let mut core = Core::new(setup.clone(), Box::new(Count::new(teams.clone(), 12)));
            let mut actions = Vec::new();
            let mut now = GameTime::default();
            core.start(&mut actions);
            for (later, what) in &whats {
                let turn = core.moves().len();
                now = now.after(ms(*later));
                if ticks && core.deadline().is_some_and(|deadline| now < deadline) {
                    core.handle(Input { at: now, event: Event::Tick }, &mut actions);
                }
                let event = what.event(&core);
                core.handle(Input { at: now, event }, &mut actions);
                if let Some(seat) = core.on_move().filter(|_| turn != core.moves().len()) {
                    core.handle(Input { at: now, event: Event::Sent { seat } }, &mut actions);
                }
            }
            actions
        };
        prop_assert_eq!(run(true), run(false));
    }
}

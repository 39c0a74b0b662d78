//! Time controls, their clocks, and durations as people write them.

mod duration;
mod error;
mod scale;

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;
use std::time::Duration;

use crate::seat::{BySeat, Seat};
use duration::{DIGIT, unanchored_pattern};

pub use duration::{Span, ZERO_PATTERN, duration_pattern, parse_duration};
pub use error::{DURATION_EXAMPLES, TimeError};
pub use scale::TimeScale;

/// The time that a bot has for its moves.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum TimeControl {
    /// The same limit for every move: `movetime=1s`.
    MoveTime(Duration),
    /// A clock with an increment: `tc=60s+500ms`, or `tc=40/60s+500ms` with sessions.
    Clock {
        /// The time on the clock at the start.
        base: Duration,
        /// The time added after each move made in time.
        increment: Duration,
        /// The number of moves in a session, after which a seat gets the base time again.
        /// Without sessions, the base time is for the whole game.
        session: Option<NonZeroU32>,
    },
    /// The same amount of work for every move, however long it takes: `nodes=1000`, `depth=5`. A move that
    /// exceeds [`SAFETY_NET`] is still late.
    Work(Work),
}

/// Maximum time for a move that has no other time limit.
pub const SAFETY_NET: Duration = Duration::from_secs(600);

/// An amount of work for a move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Work {
    /// Maximum number of positions to visit.
    Nodes(NonZeroU64),
    /// The depth of the search, in plies.
    Depth(NonZeroU32),
}

impl Work {
    /// The words for both kinds of work in files, records, options and protocol lines.
    pub const WORDS: [&'static str; 2] = ["nodes", "depth"];

    /// The word for this kind of work.
    pub fn word(self) -> &'static str {
        match self {
            Work::Nodes(_) => Work::WORDS[0],
            Work::Depth(_) => Work::WORDS[1],
        }
    }

    /// The number of nodes or plies.
    pub fn amount(self) -> u64 {
        match self {
            Work::Nodes(nodes) => nodes.get(),
            Work::Depth(plies) => plies.get().into(),
        }
    }

    /// Reads a number of positions.
    ///
    /// # Errors
    /// If the text is not a whole number of at least 1.
    pub fn nodes(text: &str) -> Result<Work, TimeError> {
        whole_number(text).map(Work::Nodes)
    }

    /// Reads a number of plies.
    ///
    /// # Errors
    /// If the text is not a whole number of at least 1.
    pub fn depth(text: &str) -> Result<Work, TimeError> {
        whole_number(text).map(Work::Depth)
    }
}

/// Reads a number of plain digits.
fn whole_number<N: FromStr>(text: &str) -> Result<N, TimeError> {
    let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| TimeError::NoAmount(text.to_owned()))
}

/// The time that a time control counts.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum ClockKind {
    /// Wall time.
    #[default]
    Wall,
    /// The CPU time of all processes of the bot.
    Cpu {
        /// Maximum wall time of a move, as a multiple of its limit and margin.
        wall_bound: NonZeroU32,
    },
}

impl ClockKind {
    /// The words for both kinds in files and records.
    pub const WORDS: [&'static str; 2] = ["wall", "cpu"];

    /// Default maximum wall time of a move, as a multiple of its limit and margin.
    pub const DEFAULT_WALL_BOUND: NonZeroU32 = NonZeroU32::new(10).expect("it is not 0");

    /// The word for this kind in files and records.
    pub fn word(self) -> &'static str {
        match self {
            ClockKind::Wall => ClockKind::WORDS[0],
            ClockKind::Cpu { .. } => ClockKind::WORDS[1],
        }
    }

    /// Appends `of CPU time` to a time control if CPU time counts.
    pub fn in_words(self, control: &str) -> String {
        match self {
            ClockKind::Wall => control.to_owned(),
            ClockKind::Cpu { .. } => format!("{control} of CPU time"),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key(), self.value())
    }
}

impl FromStr for TimeControl {
    type Err = TimeError;

    /// Reads `movetime=1s`, `tc=60s+500ms`, `tc=40/60s+500ms`, `nodes=1000` or `depth=5`, as [`TimeControl`]
    /// prints it.
    fn from_str(text: &str) -> Result<TimeControl, TimeError> {
        match text.split_once('=') {
            Some(("movetime", limit)) => TimeControl::move_time(limit),
            Some(("tc", clock)) => TimeControl::clock(clock),
            Some(("nodes", nodes)) => Work::nodes(nodes).map(TimeControl::Work),
            Some(("depth", plies)) => Work::depth(plies).map(TimeControl::Work),
            _ => Err(TimeError::Unreadable(text.to_owned())),
        }
    }
}

impl TimeControl {
    /// The word for this kind of time control in files, records and options: `movetime`, `tc`, `nodes` or
    /// `depth`.
    pub fn key(&self) -> &'static str {
        match self {
            TimeControl::MoveTime(_) => "movetime",
            TimeControl::Clock { .. } => "tc",
            TimeControl::Work(work) => work.word(),
        }
    }

    /// Returns the time control without its [key](TimeControl::key): `1s`, `60s+500ms`, `40/60s+500ms`, `1000`.
    pub fn value(&self) -> String {
        match self {
            TimeControl::MoveTime(limit) => Span(*limit).to_string(),
            TimeControl::Clock { base, increment, session } => {
                let session = session.map_or_else(String::new, |moves| format!("{moves}/"));
                format!("{session}{}+{}", Span(*base), Span(*increment))
            }
            TimeControl::Work(work) => work.amount().to_string(),
        }
    }

    /// Returns the time that a game of `plies` moves takes if each of `seats` seats uses all of its time. Fixed
    /// work takes `work` for each move.
    pub fn whole_game(&self, plies: u32, seats: u32, work: Duration) -> Duration {
        match *self {
            TimeControl::MoveTime(limit) => limit.saturating_mul(plies),
            TimeControl::Work(_) => work.saturating_mul(plies),
            TimeControl::Clock { base, increment, session } => {
                let sessions =
                    session.map_or(1, |moves| plies.div_ceil(moves.get().saturating_mul(seats.max(1))));
                let bases = base.saturating_mul(sessions.saturating_mul(seats));
                bases.saturating_add(increment.saturating_mul(plies))
            }
        }
    }

    /// Reads the limit of a move: `1s`, `200ms`; at least a millisecond.
    pub fn move_time(text: &str) -> Result<TimeControl, TimeError> {
        Ok(TimeControl::MoveTime(whole_milliseconds(text)?))
    }

    /// Reads a clock: `60s`, `60s+500ms`, `40/60s+500ms`; the base is at least a millisecond.
    pub fn clock(text: &str) -> Result<TimeControl, TimeError> {
        let (session, clock) = match text.split_once('/') {
            Some((moves, clock)) => (Some(moves_of_session(moves)?), clock),
            None => (None, text),
        };
        let (base, increment) = clock.split_once('+').unwrap_or((clock, "0ms"));
        let (base, increment) = (whole_milliseconds(base)?, parse_duration(increment)?);
        Ok(TimeControl::Clock { base, increment, session })
    }

    /// Returns a regular expression (ECMA 262) for the texts that [`TimeControl::clock`] reads. It also matches a base
    /// time of zero, which [`ZERO_PATTERN`] finds, and checks no maximum.
    pub fn clock_pattern() -> String {
        let more_digits = MAX_SESSION_DIGITS - 1;
        let duration = unanchored_pattern();
        format!("^([1-9]{DIGIT}{{0,{more_digits}}}/)?{duration}(\\+{duration})?$")
    }
}

/// Maximum number of digits in the number of moves of a session.
const MAX_SESSION_DIGITS: usize = 4;

/// Reads a number of moves from 1 to 9999, in plain digits.
fn moves_of_session(text: &str) -> Result<NonZeroU32, TimeError> {
    let is_plain = matches!(text.as_bytes(), [b'1'..=b'9', rest @ ..] if rest.len() < MAX_SESSION_DIGITS && rest.iter().all(u8::is_ascii_digit));
    let moves = text.parse().ok().filter(|_| is_plain);
    moves.ok_or_else(|| TimeError::NoSession(text.to_owned()))
}

fn whole_milliseconds(text: &str) -> Result<Duration, TimeError> {
    let duration = parse_duration(text)?;
    if duration < Duration::from_millis(1) {
        return Err(TimeError::TooShort(text.to_owned()));
    }
    Ok(duration)
}

/// The clocks of a game as a value: the time that each seat has left.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Clock {
    controls: BySeat<TimeControl>,
    remaining: BySeat<Duration>,
    /// Number of moves that each seat has made in its current session.
    moves: BySeat<u32>,
}

/// The result of charging a move to a clock.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Charge {
    /// The move was made within its limit plus the margin.
    InTime,
    /// The move was late.
    Late,
}

impl Clock {
    /// Makes fresh clocks for `seats` seats, all with the same time control.
    pub fn new(control: TimeControl, seats: usize) -> Clock {
        Clock::by_seat(BySeat::from_fn(seats, |_| control))
    }

    /// Makes fresh clocks, each with the time control of its seat.
    pub fn by_seat(controls: BySeat<TimeControl>) -> Clock {
        let start = |control: &TimeControl| match *control {
            TimeControl::MoveTime(limit) => limit,
            TimeControl::Clock { base, .. } => base,
            TimeControl::Work(_) => SAFETY_NET,
        };
        let (remaining, moves) = (controls.map(|_, control| start(control)), controls.map(|_, _| 0));
        Clock { controls, remaining, moves }
    }

    /// The time control of a seat's clock.
    pub fn control(&self, seat: Seat) -> TimeControl {
        self.controls[seat]
    }

    /// The time that a seat may use for its next move, without the margin.
    pub fn limit(&self, seat: Seat) -> Duration {
        self.remaining[seat]
    }

    /// Number of moves until a seat gets the base time again, including its next move;
    /// none without sessions.
    pub fn moves_to_go(&self, seat: Seat) -> Option<NonZeroU32> {
        match self.controls[seat] {
            TimeControl::MoveTime(_) | TimeControl::Work(_) => None,
            TimeControl::Clock { session, .. } => {
                NonZeroU32::new(session?.get().saturating_sub(self.moves[seat]))
            }
        }
    }

    /// Charges a move. An excess over the limit within the margin is forgiven. A clock
    /// never falls below a millisecond, so no bot is sent a time of zero.
    pub fn charge(&mut self, seat: Seat, used: Duration, margin: Duration) -> Charge {
        let limit = self.remaining[seat];
        if used > limit + margin {
            return Charge::Late;
        }
        if let TimeControl::Clock { base, increment, session } = self.controls[seat] {
            let mut left = limit.saturating_sub(used).saturating_add(increment);
            self.moves[seat] = self.moves[seat].saturating_add(1);
            if session.is_some_and(|session| self.moves[seat] >= session.get()) {
                self.moves[seat] = 0;
                left = left.saturating_add(base);
            }
            self.remaining[seat] = left.max(Duration::from_millis(1));
        }
        Charge::InTime
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1_500)));
        assert_eq!(parse_duration("3min"), Ok(Duration::from_secs(180)));
        assert!(matches!(parse_duration("500"), Err(TimeError::NoUnit { .. })));
        for text in ["", "s", "1.s", ".5s", "-1s", "1 s", "1S", "0.5ms", "1.2.3s", "99999999h"] {
            assert!(matches!(parse_duration(text), Err(TimeError::Unreadable { .. })), "{text}");
        }
    }

    #[test]
    fn time_controls_print_as_they_are_read() {
        for text in [
            "movetime=1s",
            "movetime=200ms",
            "tc=60s+500ms",
            "tc=3min+0ms",
            "tc=1h+2s",
            "tc=40/60s+0ms",
            "tc=1/500ms+1s",
            "nodes=1",
            "nodes=1000000000000",
            "depth=12",
        ] {
            assert_eq!(text.parse::<TimeControl>().map(|control| control.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(
            TimeControl::clock("40/60s").map(|clock| clock.to_string()),
            Ok("tc=40/60s+0ms".to_owned())
        );
        for moves in ["0", "", "-1", "+4", "04", "4.5", "10000", "x"] {
            let wrong = TimeControl::clock(&format!("{moves}/60s"));
            assert_eq!(wrong, Err(TimeError::NoSession(moves.to_owned())));
        }
        assert!(TimeControl::clock("40/20/60s").is_err() && TimeControl::move_time("40/60s").is_err());
        assert!("movetime=0ms".parse::<TimeControl>().is_err());
        for bad in ["nodes=0", "nodes=", "depth=-1", "depth=5000000000", "nodes=1e3", "nodes=+5"] {
            let amount = bad.split_once('=').expect("it has a value").1.to_owned();
            assert_eq!(bad.parse::<TimeControl>(), Err(TimeError::NoAmount(amount)), "{bad}");
        }
        assert!("1s".parse::<TimeControl>().is_err());
    }

    #[test]
    fn a_whole_game_includes_its_sessions_and_increments() {
        let seconds = |text: &str, seats| {
            let control: TimeControl = text.parse().expect("it is a time control");
            control.whole_game(40, seats, Duration::from_secs(3)).as_secs_f64()
        };
        assert_eq!(seconds("movetime=200ms", 2), 8.0);
        assert_eq!(seconds("nodes=1000", 2), 120.0);
        assert_eq!(seconds("tc=60s+500ms", 2), 140.0);
        // 13 or 14 moves for each of three seats are three sessions of five.
        assert_eq!(seconds("tc=5/1s+0ms", 3), 9.0);
        assert_eq!(seconds("tc=20/1s+0ms", 2), 2.0);
    }

    #[test]
    fn a_clock_gains_its_increment_and_forgives_only_the_margin() {
        let milliseconds = Duration::from_millis;
        let control =
            TimeControl::Clock { base: milliseconds(100), increment: milliseconds(10), session: None };
        let mut clock = Clock::new(control, 2);
        assert_eq!(clock.charge(Seat::FIRST, milliseconds(40), milliseconds(50)), Charge::InTime);
        assert_eq!(clock.limit(Seat::FIRST), milliseconds(70));
        assert_eq!(clock.charge(Seat::FIRST, milliseconds(120), milliseconds(50)), Charge::InTime);
        assert_eq!(clock.limit(Seat::FIRST), milliseconds(10));
        assert_eq!(clock.charge(Seat::FIRST, milliseconds(61), milliseconds(50)), Charge::Late);
        assert_eq!(clock.limit(Seat::SECOND), milliseconds(100));
    }

    #[test]
    fn a_new_session_adds_the_base_time_to_the_time_left() {
        let milliseconds = Duration::from_millis;
        let control: TimeControl = "tc=2/100ms+10ms".parse().expect("it is a clock");
        let mut clock = Clock::new(control, 2);
        let to_go = |clock: &Clock| clock.moves_to_go(Seat::FIRST).map(NonZeroU32::get);
        assert_eq!(to_go(&clock), Some(2));
        assert_eq!(clock.charge(Seat::FIRST, milliseconds(40), Duration::ZERO), Charge::InTime);
        assert_eq!((to_go(&clock), clock.limit(Seat::FIRST)), (Some(1), milliseconds(70)));
        assert_eq!(clock.charge(Seat::FIRST, milliseconds(71), Duration::ZERO), Charge::Late);
        assert_eq!(clock.charge(Seat::FIRST, milliseconds(65), Duration::ZERO), Charge::InTime);
        assert_eq!((to_go(&clock), clock.limit(Seat::FIRST)), (Some(2), milliseconds(115)));
        // Each seat has its own sessions.
        assert_eq!(clock.moves_to_go(Seat::SECOND), NonZeroU32::new(2));
        assert_eq!(clock.limit(Seat::SECOND), milliseconds(100));
    }

    #[test]
    fn each_seat_can_have_its_own_time_control() {
        let milliseconds = Duration::from_millis;
        let read = |text: &str| text.parse::<TimeControl>().expect("it is a time control");
        let controls = BySeat::from_values([read("movetime=1s"), read("tc=2/100ms+10ms")]);
        let mut clock = Clock::by_seat(controls.expect("there are two seats"));
        for _ in 0..3 {
            assert_eq!(clock.charge(Seat::FIRST, milliseconds(900), Duration::ZERO), Charge::InTime);
            assert_eq!(
                (clock.limit(Seat::FIRST), clock.moves_to_go(Seat::FIRST)),
                (milliseconds(1_000), None)
            );
        }
        assert_eq!(clock.charge(Seat::SECOND, milliseconds(40), Duration::ZERO), Charge::InTime);
        assert_eq!(clock.limit(Seat::SECOND), milliseconds(70));
        assert_eq!(clock.moves_to_go(Seat::SECOND), NonZeroU32::new(1));
        assert_eq!(clock.charge(Seat::SECOND, milliseconds(71), Duration::ZERO), Charge::Late);
    }

    #[test]
    fn a_clock_never_falls_below_a_millisecond() {
        let control =
            TimeControl::Clock { base: Duration::from_millis(5), increment: Duration::ZERO, session: None };
        let mut clock = Clock::new(control, 2);
        assert_eq!(
            clock.charge(Seat::FIRST, Duration::from_millis(20), Duration::from_millis(50)),
            Charge::InTime
        );
        assert_eq!(clock.limit(Seat::FIRST), Duration::from_millis(1));
    }
}

//! The time to think, and the one clock that engines read.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::settings::EngineOption;
use linesman_protocol::GoLimit;
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;

/// The option for the time that the transmission of a move takes.
pub(super) const OVERHEAD: EngineOption = EngineOption {
    name: "Overhead",
    about: "milliseconds per move reserved for the way to the referee and back",
    default: 10,
    min: 0,
    max: 10_000,
};

/// The time since the bot was told to move, of the kind that the game's clock counts.
#[derive(Clone, Debug)]
pub(super) enum MoveTimer {
    Wall(Instant),
    /// The CPU time of this process, by its value at the start.
    Cpu(Duration),
    /// No time while the bot ponders. After a hit, the time of the timer that is set then.
    Pondering(Arc<OnceLock<MoveTimer>>),
}

impl MoveTimer {
    #[expect(clippy::disallowed_methods, reason = "an engine has to know how much time is left")]
    pub(super) fn start(clock: ClockKind) -> MoveTimer {
        match clock {
            ClockKind::Cpu { .. } => MoveTimer::Cpu(own_cpu()),
            ClockKind::Wall => MoveTimer::Wall(Instant::now()),
        }
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        match self {
            MoveTimer::Wall(start) => start.elapsed(),
            MoveTimer::Cpu(before) => own_cpu().saturating_sub(*before),
            MoveTimer::Pondering(hit) => hit.get().map_or(Duration::ZERO, MoveTimer::elapsed),
        }
    }
}

fn own_cpu() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(used).unwrap_or_default()
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Allowance {
    /// The time after which no deeper search is started.
    pub(super) soft: Duration,
    /// The time after which the move is sent.
    pub(super) hard: Duration,
}

impl Allowance {
    /// The allowance of a seat for its next move.
    ///
    /// Nearly all of a limit for the move is used, because unused time is lost. The time on a clock is spread over the
    /// moves that the game may still have.
    pub(super) fn new(going: &GoLimit, seat: Seat, overhead: Duration) -> Allowance {
        match going {
            GoLimit::Work(_) | GoLimit::Infinite => Allowance { soft: Duration::MAX, hard: Duration::MAX },
            GoLimit::MoveTime(limit) => Allowance::for_this_move(*limit, overhead),
            GoLimit::Clocks(clocks) => {
                let left = clocks.times.get(seat).copied().unwrap_or_default();
                let increment = clocks.increments.get(seat).copied().unwrap_or_default();
                let usable = left.saturating_sub(overhead).max(left / 4);
                let moves = clocks.moves_to_go.map_or(MAX_MOVES, |moves| moves.get().min(MAX_MOVES));
                let share = usable / moves + increment * 4 / 5;
                // Time left at the end of a session is not lost, so even its last move leaves half of it.
                let max = usable / moves.clamp(2, 4);
                // The last and deepest search takes longest. If it starts at half the share, it ends after the share
                // about as often as before.
                let clock = Allowance { soft: share / 2, hard: (share * 3).min(max) };
                let limit = clocks.max_move_time.map(|limit| Allowance::for_this_move(limit, overhead).hard);
                let hard = limit.map_or(clock.hard, |limit| clock.hard.min(limit));
                Allowance { soft: clock.soft.min(hard), hard }
            }
        }
    }

    /// The allowance under a limit for the move, of which unused time is lost.
    fn for_this_move(limit: Duration, overhead: Duration) -> Allowance {
        // At least a quarter of the time is for thinking, however large the overhead is. A twentieth is reserved for a
        // busy machine.
        let hard = limit.saturating_sub((limit / 20).max(overhead)).max(limit / 4);
        Allowance { soft: hard, hard }
    }
}

/// The maximum number of its own moves over which an engine spreads the time on its clock.
const MAX_MOVES: u32 = 30;

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_protocol::Clocks;
    use linesman_types::seat::BySeat;
    use linesman_types::time_control::{Charge, Clock};

    fn milliseconds(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn a_limit_for_the_move_is_nearly_used_up() {
        for (limit, expected) in [(1_000, 950), (200, 190), (100, 90), (30, 20), (10, 2), (1, 0)] {
            let going = GoLimit::MoveTime(milliseconds(limit));
            let hard = Allowance::new(&going, Seat::FIRST, milliseconds(10)).hard;
            assert_eq!(hard.as_millis(), expected, "{limit} ms");
        }
    }

    #[test]
    fn a_clock_never_runs_out_however_long_the_game_is() {
        let increment = milliseconds(20);
        let mut left = milliseconds(2_000);
        for ply in 0..500 {
            let clocks = Clocks {
                times: BySeat::from_fn(2, |seat| if seat == Seat::SECOND { left } else { milliseconds(1) }),
                increments: BySeat::from_fn(2, |_| increment),
                moves_to_go: None,
                max_move_time: None,
            };
            let allowance = Allowance::new(&GoLimit::Clocks(clocks), Seat::SECOND, milliseconds(10));
            assert!(allowance.soft <= allowance.hard);
            assert!(allowance.hard + milliseconds(10) < left, "{left:?} left at ply {ply}");
            left = left - allowance.hard - milliseconds(10) + increment;
        }
    }

    #[test]
    fn the_time_of_a_session_is_spread_over_its_moves_and_never_runs_out() {
        let mut clock = Clock::new("tc=5/1s+0ms".parse().expect("it is a clock"), 2);
        for move_number in 0..50 {
            let left = clock.limit(Seat::FIRST);
            let clocks = Clocks {
                times: BySeat::from_fn(2, |seat| clock.limit(seat)),
                increments: BySeat::from_fn(2, |_| Duration::ZERO),
                moves_to_go: clock.moves_to_go(Seat::FIRST),
                max_move_time: None,
            };
            let allowance = Allowance::new(&GoLimit::Clocks(clocks), Seat::FIRST, milliseconds(10));
            assert!(allowance.hard + milliseconds(10) < left, "{left:?} left at move {move_number}");
            // The first of five moves gets more time than in a game that may last thirty moves.
            assert!(move_number > 0 || allowance.soft >= milliseconds(90), "{allowance:?}");
            assert_eq!(clock.charge(Seat::FIRST, allowance.hard, Duration::ZERO), Charge::InTime);
        }
    }

    #[test]
    fn a_limit_in_addition_to_the_clock_is_kept() {
        let clocks = Clocks {
            times: BySeat::from_fn(2, |_| milliseconds(600_000)),
            increments: BySeat::from_fn(2, |_| milliseconds(0)),
            moves_to_go: None,
            max_move_time: Some(milliseconds(100)),
        };
        let allowance = Allowance::new(&GoLimit::Clocks(clocks), Seat::FIRST, milliseconds(10));
        assert_eq!(allowance, Allowance { soft: milliseconds(90), hard: milliseconds(90) });
    }
}

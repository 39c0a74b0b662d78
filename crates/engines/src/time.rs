//! The time to think, and the one clock that engines read.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::settings::EngineOption;
use linesman_protocol::Going;
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;

/// The option for the time that a move loses on its way.
pub(super) const OVERHEAD: EngineOption = EngineOption {
    name: "Overhead",
    about: "milliseconds per move reserved for the way to the referee and back",
    default: 10,
    min: 0,
    max: 10_000,
};

/// The time since the bot was told to move, of the kind that its clock counts.
#[derive(Clone, Debug)]
pub(super) enum MoveTimer {
    /// Wall time.
    Wall(Instant),
    /// The CPU time of this process; this is its reading at the start.
    Cpu(Duration),
    /// None yet, because the bot ponders. After a hit, the time of the timer that is set then.
    Pondering(Arc<OnceLock<MoveTimer>>),
}

impl MoveTimer {
    /// A stopwatch that runs from now on.
    #[expect(clippy::disallowed_methods, reason = "an engine that searches within its time has to know it")]
    pub(super) fn start(clock: ClockKind) -> MoveTimer {
        match clock {
            ClockKind::Cpu { .. } => MoveTimer::Cpu(own_cpu()),
            ClockKind::Wall => MoveTimer::Wall(Instant::now()),
        }
    }

    /// The time since it was started.
    pub(super) fn elapsed(&self) -> Duration {
        match self {
            MoveTimer::Wall(start) => start.elapsed(),
            MoveTimer::Cpu(before) => own_cpu().saturating_sub(*before),
            MoveTimer::Pondering(hit) => hit.get().map_or(Duration::ZERO, MoveTimer::elapsed),
        }
    }
}

/// The CPU time of this process.
fn own_cpu() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(used).unwrap_or_default()
}

/// The time to think about a move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Allowance {
    /// The time after which no deeper search is begun.
    pub(super) soft: Duration,
    /// The time after which the move is sent.
    pub(super) hard: Duration,
}

impl Allowance {
    /// The allowance of a seat for its next move.
    ///
    /// Nearly all of a limit for the move is used, because unused time is lost. A clock is spread over the
    /// moves that a game may still have.
    pub(super) fn new(going: &Going, seat: Seat, overhead: Duration) -> Allowance {
        match going {
            Going::Work(_) | Going::Infinite => Allowance { soft: Duration::MAX, hard: Duration::MAX },
            Going::MoveTime(limit) => Allowance::for_this_move(*limit, overhead),
            Going::Clocks(clocks) => {
                let left = clocks.times.get(seat).copied().unwrap_or_default();
                let increment = clocks.increments.get(seat).copied().unwrap_or_default();
                let usable = left.saturating_sub(overhead).max(left / 4);
                let moves = clocks.moves_to_go.map_or(MOVES_TO_COME, |moves| moves.get().min(MOVES_TO_COME));
                let share = usable / moves + increment * 4 / 5;
                // Time left at the end of a session is not lost, so its last move leaves a half, too.
                let most = usable / moves.clamp(2, 4);
                // The last and deepest search takes longest: begun at half the
                // share, it ends beyond the share about as often as within it.
                let clock = Allowance { soft: share / 2, hard: (share * 3).min(most) };
                let most = clocks.most_a_move.map(|limit| Allowance::for_this_move(limit, overhead).hard);
                let hard = most.map_or(clock.hard, |most| clock.hard.min(most));
                Allowance { soft: clock.soft.min(hard), hard }
            }
        }
    }

    /// The allowance where time that is left over is lost.
    fn for_this_move(limit: Duration, overhead: Duration) -> Allowance {
        // However large the overhead, a quarter of the time is for thinking; a
        // twentieth is reserved for a busy machine.
        let hard = limit.saturating_sub((limit / 20).max(overhead)).max(limit / 4);
        Allowance { soft: hard, hard }
    }
}

/// The number of moves of its own for which an engine makes its clock last.
const MOVES_TO_COME: u32 = 30;

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
            let going = Going::MoveTime(milliseconds(limit));
            let hard = Allowance::new(&going, Seat::FIRST, milliseconds(10)).hard;
            assert_eq!(hard.as_millis(), expected, "{limit} ms");
        }
    }

    #[test]
    fn a_clock_never_runs_out_however_long_the_game() {
        let increment = milliseconds(20);
        let mut left = milliseconds(2_000);
        for ply in 0..500 {
            let clocks = Clocks {
                times: BySeat::from_fn(2, |seat| if seat == Seat::SECOND { left } else { milliseconds(1) }),
                increments: BySeat::from_fn(2, |_| increment),
                moves_to_go: None,
                most_a_move: None,
            };
            let allowance = Allowance::new(&Going::Clocks(clocks), Seat::SECOND, milliseconds(10));
            assert!(allowance.soft <= allowance.hard);
            assert!(allowance.hard + milliseconds(10) < left, "{left:?} left at ply {ply}");
            left = left - allowance.hard - milliseconds(10) + increment;
        }
    }

    #[test]
    fn a_session_is_spread_over_its_own_moves_and_never_runs_out() {
        let mut clock = Clock::new("tc=5/1s+0ms".parse().expect("it is a clock"), 2);
        for move_number in 0..50 {
            let left = clock.limit(Seat::FIRST);
            let clocks = Clocks {
                times: BySeat::from_fn(2, |seat| clock.limit(seat)),
                increments: BySeat::from_fn(2, |_| Duration::ZERO),
                moves_to_go: clock.moves_to_go(Seat::FIRST),
                most_a_move: None,
            };
            let allowance = Allowance::new(&Going::Clocks(clocks), Seat::FIRST, milliseconds(10));
            assert!(allowance.hard + milliseconds(10) < left, "{left:?} left at move {move_number}");
            // Of a fifth of the session more is used than of a game that may last thirty moves.
            assert!(move_number > 0 || allowance.soft >= milliseconds(90), "{allowance:?}");
            assert_eq!(clock.charge(Seat::FIRST, allowance.hard, Duration::ZERO), Charge::InTime);
        }
    }

    #[test]
    fn a_limit_beside_the_clock_counts_too() {
        let clocks = Clocks {
            times: BySeat::from_fn(2, |_| milliseconds(600_000)),
            increments: BySeat::from_fn(2, |_| milliseconds(0)),
            moves_to_go: None,
            most_a_move: Some(milliseconds(100)),
        };
        let allowance = Allowance::new(&Going::Clocks(clocks), Seat::FIRST, milliseconds(10));
        assert_eq!(allowance, Allowance { soft: milliseconds(90), hard: milliseconds(90) });
    }
}

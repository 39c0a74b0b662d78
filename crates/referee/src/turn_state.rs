//! The state of a turn: its clock, and the evidence of a late answer.

use std::num::NonZeroU32;
use std::time::Duration;

use smol_str::SmolStr;

use crate::GameTime;
use crate::fairness::MAX_EVIDENCE_WAIT;
use linesman_protocol::Said;
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;
use linesman_types::verdict::{Evidence, Fault};

/// Maximum time that the driver may take to report that a turn was sent.
const SEND_LIMIT: Duration = Duration::from_secs(10);
/// The finest step of time: an event this much after the last timely moment is late.
const STEP: Duration = Duration::from_nanos(1);

/// A seat that is being asked for its move.
#[derive(Debug)]
pub(super) struct Turn {
    pub seat: Seat,
    pub asked: GameTime,
    /// The deadline of its answer to `stop`, before it is asked; `None` once it is asked.
    pub stopping: Option<GameTime>,
    /// The start of its clock.
    pub sent: Option<GameTime>,
    /// The time that it may use, without the margin.
    pub limit: Duration,
    /// Number of bytes that it has printed in its turn.
    pub bytes: u64,
    /// Number of bytes that it has sent its team mates.
    pub told: u64,
    pub said: Said,
    /// The extension of the wait beyond its time and margin.
    pub grace: Duration,
    /// Its late move, if the referee waits for evidence on that.
    pub late: Option<Late>,
    /// The last sample, if it was late and was found ready to run.
    pub ready: Option<Ready>,
    /// Its CPU time, if that is counted.
    pub cpu: Option<CpuTurn>,
}

impl Turn {
    /// Creates the turn of a seat that may use `limit` and has not been sent anything yet.
    pub(super) fn new(asked: GameTime, seat: Seat, limit: Duration, cpu: Option<CpuTurn>) -> Turn {
        Turn {
            seat,
            asked,
            stopping: None,
            sent: None,
            limit,
            bytes: 0,
            told: 0,
            said: Said::default(),
            grace: Duration::ZERO,
            late: None,
            ready: None,
            cpu,
        }
    }

    /// Returns true if the seat had been asked at that time.
    pub(super) fn is_asked(&self, seat: Seat, at: GameTime) -> bool {
        self.seat == seat && self.sent.is_some_and(|sent| at >= sent)
    }

    /// Returns the time charged for an answer at this time, if its clock runs.
    pub(super) fn used(&self, at: GameTime) -> Option<Duration> {
        self.sent.map(|sent| at.0.saturating_sub(sent.0))
    }

    /// Returns the first moment that is too late for an answer, or for evidence on a late one.
    pub(super) fn due(&self, margin: Duration) -> GameTime {
        if let Some(until) = self.stopping {
            return until;
        }
        if let (Some(cpu), Some(sent)) = (&self.cpu, self.sent) {
            return cpu.due(sent);
        }
        match (&self.late, self.sent) {
            (Some(late), _) => late.asked.after(MAX_EVIDENCE_WAIT),
            (None, Some(sent)) => sent.after(self.limit).after(margin).after(self.grace).after(STEP),
            (None, None) => self.asked.after(SEND_LIMIT),
        }
    }
}

/// The end of a late bot's turn.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Answer {
    Move(SmolStr),
    Resignation,
    /// It failed in another way.
    Failure(Fault),
}

/// A move that is late and waits for its evidence.
#[derive(Debug)]
pub(super) struct Late {
    /// The time of the question.
    pub asked: GameTime,
    /// The time since its clock started.
    pub used: Duration,
    /// The end of the turn, if the bot has already ended it.
    pub answer: Option<Answer>,
}

/// A late bot that was found ready to run.
#[derive(Debug)]
pub(super) struct Ready {
    pub sampled: GameTime,
    /// CPU time and waits since its turn began, in the host's accounts.
    pub evidence: Evidence,
    /// The longest time for which it can have been waiting for a CPU at that moment.
    pub open_wait: Duration,
}

/// The CPU time of a seat that is being asked for its move.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CpuTurn {
    /// The host's figures at the last sample; zeros before the first.
    pub evidence: Evidence,
    /// Maximum wall time for the move, without the host's share.
    pub wall_bound: Duration,
    /// The time of the last sample, with the state of the answer; `None` before the first.
    pub sampled: Option<(GameTime, CpuAnswer)>,
    /// Time from the last sample, or from the start of the turn, to the next sample.
    pub wait: Duration,
}

/// State of the host's answer to the request for a sample.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum CpuAnswer {
    Awaited,
    Received,
}

impl CpuTurn {
    /// Creates the turn of a bot that may use `allowed` on `cpus` CPUs; `None` if wall time is counted.
    pub(super) fn new(clock: ClockKind, allowed: Duration, cpus: NonZeroU32) -> Option<CpuTurn> {
        match clock {
            ClockKind::Wall => None,
            ClockKind::Cpu { wall_bound } => Some(CpuTurn {
                evidence: Evidence::default(),
                wall_bound: allowed.saturating_mul(wall_bound.get()),
                sampled: None,
                wait: allowed / cpus.get(),
            }),
        }
    }

    /// Returns the moment of the next sample, or the deadline of the answer about one, in a turn that began at `sent`.
    pub(super) fn due(&self, sent: GameTime) -> GameTime {
        match self.sampled {
            None => sent.after(self.wait),
            Some((at, CpuAnswer::Received)) => at.after(self.wait),
            Some((at, CpuAnswer::Awaited)) => at.after(MAX_EVIDENCE_WAIT),
        }
    }

    /// Returns the fault of a bot that has used too much of either kind of time, `wall` after its turn began.
    pub(super) fn fault(
        &self,
        wall: Duration,
        limit: Duration,
        margin: Duration,
        cpus: NonZeroU32,
    ) -> Option<Fault> {
        let CpuTurn { evidence, wall_bound, .. } = *self;
        let is_spent = evidence.cpu > limit.saturating_add(margin);
        let is_past_bound = wall.saturating_sub(evidence.excuse(wall, cpus)) > wall_bound;
        let fault = Fault::CpuClock { limit, margin, evidence, wall, wall_bound };
        (is_spent || is_past_bound).then_some(fault)
    }
}

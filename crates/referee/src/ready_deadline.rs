//! How long is waited for a bot that is to get ready: as long as it may take,
//! and for what the host keeps from it of that time.
//!
//! Nobody's clock runs then, so a bot that the host lets wait is given that time
//! once more, where a late move makes the game void.

use std::time::Duration;

use crate::evidence::MOST_WAITING;
use crate::machine::Core;
use crate::seat_state::SeatProgress;
use crate::{About, Action, GameTime};
use linesman_types::reading::Reading;
use linesman_types::seat::Seat;
use linesman_types::verdict::{Evidence, Fault, Stage};

/// After so long a bot that was ready to run is looked at once more: whether it ran.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// What is known of a bot that is not ready in its time.
#[derive(Debug, Default)]
pub(super) struct ReadyDeadline {
    /// How much more time it was given, in all.
    granted: Duration,
    /// Whether the host is being asked what became of its time.
    is_asked: bool,
    /// When it was last found ready to run, and what it had used then.
    seen: Option<(GameTime, Reading)>,
}

impl ReadyDeadline {
    /// The time that the bot was given beyond its limit.
    pub(super) fn granted(&self) -> Duration {
        self.granted
    }

    /// How much more time a bot gets that has not been ready until now.
    fn more(&mut self, at: GameTime, reading: &Reading, evidence: Evidence, excuse: Duration) -> Duration {
        let left = excuse.saturating_sub(self.granted);
        if !left.is_zero() {
            self.seen = None;
            return left.saturating_add(LOOK_AGAIN);
        }
        // The kernel adds a wait to the account when it is over.
        let seen = self.seen.take().filter(|_| reading.is_ready);
        self.seen = reading.is_ready.then(|| (at, reading.clone()));
        match seen {
            None if reading.is_ready => LOOK_AGAIN,
            None => Duration::ZERO,
            Some((then, earlier)) => {
                let passed = Duration::saturating_sub(at.0, then.0);
                let (cpu, wait) = reading.since(&earlier);
                let waits = wait.is_zero() && cpu <= passed / 2 && evidence.cpu <= at.0 / 2;
                if waits { passed.saturating_mul(2) } else { Duration::ZERO }
            }
        }
    }
}

impl Core {
    /// A bot was not ready in its time: the host is asked why.
    pub(super) fn unready(&mut self, at: GameTime, seat: Seat, actions: &mut Vec<Action>) {
        let own = &mut self.seats[seat];
        if std::mem::replace(&mut own.ready_deadline.is_asked, true) {
            // It did not say.
            return self.never_ready(at, seat, actions);
        }
        own.wait_until(at.after(MOST_WAITING));
        actions.push(Action::AskEvidence { seat, about: About::Readiness });
    }

    /// What the host says of a bot that was not ready in its time.
    pub(super) fn judge_readiness(
        &mut self,
        at: GameTime,
        seat: Seat,
        reading: Option<&Reading>,
        lag: Duration,
        actions: &mut Vec<Action>,
    ) {
        let setup = &self.setup.seats[seat];
        let own = &mut self.seats[seat];
        if own.until().is_none() || !std::mem::take(&mut own.ready_deadline.is_asked) {
            return;
        }
        let before = own.measured.last.as_ref().or(setup.fairness.earlier.as_ref());
        let more = reading.map_or(Duration::ZERO, |reading| {
            // A bot without a look before it has used all of it for this game.
            let (cpu, wait) = reading.since(before.unwrap_or(&Reading::default()));
            let evidence = Evidence { cpu, wait, lag };
            own.ready_deadline.more(at, reading, evidence, evidence.excuse(at.0, setup.fairness.cpus))
        });
        let limits = &setup.limits;
        let most = match own.progress {
            SeatProgress::Handshake { .. } => limits.start,
            _ => limits.start.saturating_add(limits.ready),
        };
        let granted = own.ready_deadline.granted.saturating_add(more);
        if more.is_zero() || granted > most {
            return self.never_ready(at, seat, actions);
        }
        own.ready_deadline.granted = granted;
        own.wait_until(at.after(more));
    }

    fn never_ready(&mut self, at: GameTime, seat: Seat, actions: &mut Vec<Action>) {
        let limits = &self.setup.seats[seat].limits;
        let (stage, limit) = match self.seats[seat].progress {
            SeatProgress::Handshake { .. } => (Stage::Handshake, limits.start),
            _ => (Stage::Ready, limits.ready),
        };
        let granted = self.seats[seat].ready_deadline.granted;
        self.fail(at, seat, Fault::NotReady { stage, limit, granted }, actions);
    }
}

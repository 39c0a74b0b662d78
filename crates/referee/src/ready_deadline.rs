//! The deadline of a bot that is to get ready: its limit, and the time that the host kept from it.
//!
//! No clock runs before a game, so a bot that had to wait for the host gets that time
//! in addition. A late move makes the game void instead.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::late_moves::MOST_WAITING;
use crate::seat_state::SeatProgress;
use crate::state_machine::Core;
use crate::{About, Action, GameTime};
use linesman_types::reading::Reading;
use linesman_types::seat::Seat;
use linesman_types::verdict::{Evidence, Fault, Stage};

/// After so long a bot that was ready to run is looked at once more: whether it ran.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// The extensions of the time that a bot has to get ready.
#[derive(Debug, Default)]
pub struct ReadyDeadline {
    granted: Duration,
    /// The time of the last reading that found the bot ready to run, and the reading.
    seen: Option<(GameTime, Reading)>,
}

impl ReadyDeadline {
    /// The time that the bot was given beyond its limit.
    pub fn granted(&self) -> Duration {
        self.granted
    }

    /// Gives more time to a bot that is not ready at this time after its start, and returns it; none if the
    /// host did not keep the bot from its CPUs, or if the bot would get more than `most` in all.
    ///
    /// `evidence` is what the bot used and waited for since its start, on `cpus` CPUs.
    pub fn extend(
        &mut self,
        at: GameTime,
        reading: &Reading,
        evidence: Evidence,
        cpus: NonZeroU32,
        most: Duration,
    ) -> Option<Duration> {
        let more = self.more(at, reading, evidence, evidence.excuse(at.0, cpus));
        let granted = self.granted.saturating_add(more);
        if more.is_zero() || granted > most {
            return None;
        }
        self.granted = granted;
        Some(more)
    }

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
        if std::mem::replace(&mut own.is_readiness_asked, true) {
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
        if own.until().is_none() || !std::mem::take(&mut own.is_readiness_asked) {
            return;
        }
        let before = own.measured.last.as_ref().or(setup.fairness.earlier.as_ref());
        let limits = &setup.limits;
        let most = match own.progress {
            SeatProgress::Handshake { .. } => limits.start,
            SeatProgress::GettingReady { .. }
            | SeatProgress::Playing
            | SeatProgress::Out
            | SeatProgress::Failed => limits.start.saturating_add(limits.ready),
        };
        let more = reading.and_then(|reading| {
            // A bot without a reading before the game has used all of it for this game.
            let (cpu, wait) = reading.since(before.unwrap_or(&Reading::default()));
            let evidence = Evidence { cpu, wait, lag };
            own.ready_deadline.extend(at, reading, evidence, setup.fairness.cpus, most)
        });
        match more {
            Some(more) => own.wait_until(at.after(more)),
            None => self.never_ready(at, seat, actions),
        }
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

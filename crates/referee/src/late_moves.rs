//! The judgement of late moves: either the bot or the host took the time.
//!
//! A late move is judged by the host's figures. Earlier long moves are measured too, so that there is
//! something to compare with.

use std::time::Duration;

use crate::Action;
use crate::fairness::{About, LateMoves, Pausing};
use crate::state_machine::Core;
use crate::turn::refused;
use crate::turn_state::{Answer, Late, Ready};
use linesman_types::reading::Reading;
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;
use linesman_types::verdict::{Evidence, Fault, Overload, Void};

/// Moves that take longer are measured.
const LONG: Duration = Duration::from_millis(5);
/// Maximum wait for a late bot that the host keeps from its CPU, in multiples of its time and margin;
/// [`FIXED_GRACE`] is added.
const MAX_GRACE_FACTOR: u32 = 30;
/// The part of that bound that does not depend on the time control.
const FIXED_GRACE: Duration = Duration::from_secs(30);
/// Minimum time until a bot that may be excused is sampled again.
const RESAMPLE_AFTER: Duration = Duration::from_millis(1);

/// The wait for a CPU that may be in progress when a late bot is sampled.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum OpenWait {
    None,
    /// It takes another sample to find out.
    Unclear,
    /// There may be one that has lasted this long.
    AtMost(Duration),
}

impl Core {
    /// Returns the host's figures on the move that ended the game, for its [`Finished`](crate::Finished):
    /// this evidence arrives after [`Action::Finish`].
    pub fn evidence_after_end(&self, seat: Seat, reading: &Reading, lag: Duration) -> Option<Evidence> {
        let own = self.seats.get(seat)?;
        Some(own.measured.evidence(Some(reading), lag))
    }

    /// Returns true if a late move has not arrived yet.
    pub fn is_awaited(&self) -> bool {
        let late = self.turn.as_ref().and_then(|turn| turn.late.as_ref());
        late.is_some_and(|late| late.answer.is_none())
    }

    /// Samples a bot before its turn, if the turn may take long.
    pub(super) fn measure_turn(&mut self, seat: Seat) {
        let pondered = self.seats[seat].ponder.is_active();
        let own = &mut self.seats[seat].measured;
        if own.last.is_none() {
            own.last = self.setup.seats[seat].fairness.earlier.take();
        }
        // CPU time that it has used out of turn is not charged.
        let is_wanted = own.takes_long || own.last.is_none() || pondered;
        let is_known = !own.is_unknown;
        let is_suspected = || {
            let others = self.moves.iter().rev().take_while(|played| played.seat != seat);
            self.setup.seats[seat].fairness.pausing == Pausing::OnSuspicion
                && others.into_iter().any(|played| played.used > LONG)
        };
        if self.setup.clock != ClockKind::Wall || (is_known && (is_wanted || is_suspected())) {
            self.actions.push(Action::AskEvidence { seat, about: About::Turn });
        }
    }

    /// Samples a bot after a move that was played, if the move took long.
    pub(super) fn measure_move(&mut self, seat: Seat, used: Duration) {
        let own = &mut self.seats[seat].measured;
        own.takes_long = used > LONG;
        if self.setup.clock == ClockKind::Wall && own.takes_long && !own.is_unknown {
            let about = About::Move(self.moves.len().saturating_sub(1));
            self.actions.push(Action::AskEvidence { seat, about });
        }
        let cpus = self.setup.seats[seat].fairness.cpus.get();
        own.unmeasured = own.unmeasured.saturating_add(used.saturating_mul(cpus));
    }

    /// Handles a late move: one that has not arrived yet, or one with this answer.
    pub(super) fn late(&mut self, seat: Seat, answer: Option<Answer>) {
        let Some(turn) = &mut self.turn else { return };
        if let Some(late) = &mut turn.late {
            late.answer = late.answer.take().or(answer);
            return;
        }
        let Some(used) = turn.used(self.now) else {
            let why = format!("seat {seat} could not be asked for its move");
            return self.finish_void(Void::Host(why));
        };
        turn.late = Some(Late { asked: self.now, used, answer });
        self.actions.push(Action::AskEvidence { seat, about: About::Late });
    }

    /// Handles the host's figures on a bot.
    pub(super) fn evidence(&mut self, seat: Seat, about: About, reading: Option<Reading>, lag: Duration) {
        if about == About::Readiness && self.seats.get(seat).is_some() {
            return self.judge_readiness(seat, reading.as_ref(), lag);
        }
        if matches!(about, About::Clock | About::Answer) && self.seats.get(seat).is_some() {
            return self.cpu_used(seat, about, reading.as_ref(), lag);
        }
        let Some(state) = self.seats.get_mut(seat) else { return };
        // CPU time of a ponder search is no ground for suspicion.
        let has_pondered = state.ponder.is_active();
        let own = &mut state.measured;
        let mut evidence = own.evidence(reading.as_ref(), lag);
        match about {
            About::Turn | About::PonderBegins => {
                own.is_unknown = reading.is_none();
                let pausing = &mut self.setup.seats[seat].fairness.pausing;
                let is_observed =
                    *pausing == Pausing::OnSuspicion && (about == About::PonderBegins || !has_pondered);
                if is_observed && reading.as_ref().is_some_and(|now| own.note_turn(now)) {
                    *pausing = Pausing::On;
                }
            }
            About::PonderEnds => {}
            About::Move(index) => {
                if let Some(played) = self.moves.get_mut(index).filter(|played| played.seat == seat) {
                    played.evidence = reading.is_some().then_some(evidence);
                }
            }
            About::Readiness | About::Clock | About::Answer => return,
            // Another sample may follow, and it counts from the same moment.
            About::Late => {
                let threads = reading.as_ref().map_or(0, |reading| reading.waits.len());
                let is_ready = reading.is_some_and(|reading| reading.is_ready);
                match self.open_wait(seat, evidence, is_ready, threads) {
                    OpenWait::None => {}
                    OpenWait::Unclear => return,
                    OpenWait::AtMost(wait) => evidence.wait = evidence.wait.saturating_add(wait),
                }
                return self.judge(seat, Some(evidence));
            }
        }
        // Without a sample at its beginning a turn is charged nothing, rather than too much.
        if reading.is_some() || self.counts_cpu() {
            let own = &mut self.seats[seat].measured;
            (own.last, own.is_last_of_game, own.unmeasured) = (reading, true, Duration::ZERO);
        }
    }

    /// Determines the wait for a CPU that a late bot may be in at this moment. The kernel adds a wait to a
    /// thread's account only when it is over, so without this a bot would be blamed for a wait in progress.
    fn open_wait(&mut self, seat: Seat, evidence: Evidence, is_ready: bool, threads: usize) -> OpenWait {
        let (cpus, margin) = (self.setup.seats[seat].fairness.cpus, self.setup.margin);
        let Some(turn) = self.turn.as_mut().filter(|turn| turn.seat == seat) else { return OpenWait::None };
        let before = turn.ready.take();
        let Some(late) = turn.late.take_if(|_| is_ready) else { return OpenWait::None };
        let (sampled, used) = (late.asked, late.used);
        // Time that neither its CPU time nor a counted wait explains.
        let unexplained = used.saturating_sub(evidence.cpu / cpus.get()).saturating_sub(evidence.wait);
        let open_wait = before.as_ref().map_or(unexplained, |before| {
            let passed = sampled.0.saturating_sub(before.sampled.0);
            let cpu = evidence.cpu.saturating_sub(before.evidence.cpu);
            let wait = evidence.wait.saturating_sub(before.evidence.wait);
            // With several threads one may wait while others run a little.
            let max_cpu = if threads > 1 { passed / 2 } else { Duration::ZERO };
            let without_cpu = passed.saturating_sub(cpu / cpus.get());
            if wait.is_zero() && cpu <= max_cpu {
                before.open_wait.saturating_add(without_cpu).min(unexplained)
            } else {
                // It has run since, so the earlier wait has been counted now. It may have begun before the last sample.
                without_cpu.saturating_sub(wait.saturating_sub(before.open_wait)).min(unexplained)
            }
        });
        turn.ready = Some(Ready { sampled, evidence, open_wait });
        if before.is_none() && late.answer.is_none() {
            let allowed = turn.limit.saturating_add(margin);
            turn.grace = used.saturating_sub(allowed).saturating_add(RESAMPLE_AFTER);
            return OpenWait::Unclear;
        }
        turn.late = Some(late);
        // For a bot that has answered at the first sample only the counted wait is evidence.
        if before.is_none() { OpenWait::None } else { OpenWait::AtMost(open_wait) }
    }

    /// Judges whether a late move is the bot's own delay or the host's.
    pub(super) fn judge(&mut self, seat: Seat, evidence: Option<Evidence>) {
        let margin = self.setup.margin;
        let fairness = &self.setup.seats[seat].fairness;
        let Some(turn) = self.turn.as_mut().filter(|turn| turn.seat == seat) else { return };
        let Some(Late { used, answer, .. }) = turn.late.take() else { return };
        let limit = turn.limit;
        let allowed = limit.saturating_add(margin);
        let excuse = evidence.map_or(Duration::ZERO, |evidence| evidence.excuse(used, fairness.cpus));
        let moved = matches!(answer, Some(Answer::Move(_)));
        let overload = excuse > Duration::ZERO && used.saturating_sub(excuse) <= allowed;
        let fault = Fault::Time { limit, used, margin, evidence, excuse, overload, moved: Some(moved) };
        let Some(evidence) = evidence.filter(|_| overload) else {
            return self.fail(seat, fault);
        };
        match answer {
            // The bot has not had its time yet, but it may still waste it. The longer it is kept waiting, the
            // less often it is sampled.
            None => {
                let over = used.saturating_sub(allowed);
                let grace = excuse.max(over.saturating_add(over / 4)).saturating_add(RESAMPLE_AFTER);
                if grace <= allowed.saturating_mul(MAX_GRACE_FACTOR).saturating_add(FIXED_GRACE) {
                    turn.grace = grace;
                    return;
                }
            }
            // The host alone explains the delay.
            Some(Answer::Move(text)) => {
                if let Err(refusal) = self.table.fork().play(&text) {
                    return self.fail(seat, refused(&text, refusal));
                }
            }
            Some(Answer::Resignation) => return self.resigned(seat),
            Some(Answer::Failure(fault)) => return self.fail(seat, fault),
        }
        match fairness.late {
            LateMoves::Lost => self.fail(seat, fault),
            LateMoves::Void => {
                let stray_lines = self.seats[seat].take_stray_lines();
                let overload = Overload { seat, limit, used, margin, evidence, excuse, moved, stray_lines };
                self.finish_void(Void::Overload(Box::new(overload)));
            }
        }
    }

    /// Resumes a bot that is asked for its move, and pauses the others if they have to be paused.
    pub(super) fn pause_all_but(&mut self, seat: Seat) {
        for other in Seat::all(self.teams.seats()) {
            let state = &mut self.seats[other];
            let pausing = self.setup.seats[other].fairness.pausing;
            let must_pause = pausing == Pausing::On && other != seat && !state.ponder.is_active();
            if state.is_paused == must_pause || !state.is_heard() {
                continue;
            }
            state.is_paused = must_pause;
            self.actions.push(if must_pause {
                Action::Pause { seat: other }
            } else {
                Action::Resume { seat: other }
            });
        }
    }
}

//! The evidence for which the core asks: what a bot has used, and how late this thread was.

use std::time::Duration;

use super::Driving;
use crate::runtime::Runtime;
use linesman_referee::{About, Action, Event};
use linesman_types::seat::Seat;

impl<W: Runtime> Driving<'_, W> {
    /// Determines what a bot has used, and how late this thread was.
    pub(super) fn find_evidence(&mut self, seat: Seat, about: About) {
        if about == About::Late && self.core.is_awaited() {
            // Output that has not been read yet may contain the answer.
            self.read_all_now(seat);
        }
        let state = &mut self.seats[seat];
        let reading = if about == About::Readiness { state.early_reading() } else { state.reading() };
        if let Some(reading) = &reading {
            match about {
                About::Turn => state.samples.begin(reading),
                About::Move(_) | About::Late | About::Clock | About::Answer => state.samples.note(reading),
                About::PonderBegins => state.samples.begin_pondering(reading),
                About::PonderEnds => state.samples.end_pondering(reading),
                // The bot has had no turn yet.
                About::Readiness => {}
            }
        }
        let (is_awaited, waits_for_referee) = (self.core.is_awaited(), state.may_have_waited_for_referee());
        let lag = match about {
            About::Turn => {
                self.is_measured = true;
                if self.load_at_first.is_none() {
                    self.load_at_first = Some((self.clock.last_stamp(), self.runtime.load()));
                }
                Duration::ZERO
            }
            About::PonderBegins | About::PonderEnds => Duration::ZERO,
            About::Readiness | About::Move(_) | About::Late | About::Clock | About::Answer => {
                self.lag(counts_lag(about, is_awaited, waits_for_referee))
            }
        };
        self.clock.stamp();
        // After the move that ended the game, the evidence can only be added to the result.
        let finish = self.actions.iter_mut().find_map(|action| match action {
            Action::Finish(finished) => Some(finished),
            _ => None,
        });
        if let (Some(finished), About::Move(index), Some(reading)) = (finish, about, &reading) {
            let evidence = self.core.evidence_after_end(seat, reading, lag);
            finished.moves.get_mut(index).into_iter().for_each(|played| played.evidence = evidence);
            return;
        }
        self.handle(Event::Evidence { seat, about, reading, lag });
    }

    /// The referee's delay in the turn, including its wait for a CPU only if that counts.
    pub(super) fn lag(&self, counts_wait: bool) -> Duration {
        let then = self.wait_at_turn.filter(|_| counts_wait);
        let waited = then.and_then(|then| Some(self.runtime.own_wait()?.saturating_sub(then)));
        waited.unwrap_or_default() + self.clock.doubtful()
    }
}

/// Returns true if this thread's wait for a CPU counts. It does not excuse a bot whose answer is still missing after
/// the wait, unless the bot waits for the referee.
fn counts_lag(about: About, is_awaited: bool, waits_for_referee: bool) -> bool {
    match about {
        About::Turn | About::PonderBegins | About::PonderEnds | About::Readiness => false,
        About::Move(_) | About::Answer => true,
        About::Clock => waits_for_referee,
        About::Late => !is_awaited || waits_for_referee,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_referees_wait_excuses_no_bot_that_could_have_answered() {
        // The answer may have been read late.
        assert!(counts_lag(About::Late, false, false));
        assert!(!counts_lag(About::Late, true, false));
        // The bot could not write on, or had not received everything, before this thread got to run.
        assert!(counts_lag(About::Late, true, true));
        assert!(counts_lag(About::Move(3), false, false));
        assert!(!counts_lag(About::Turn, false, false) && !counts_lag(About::Readiness, false, true));
    }
}

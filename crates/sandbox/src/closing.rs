//! A bot whose output has ended: it may have ended too, or live on.
//!
//! News of the end passes through three processes, and each needs CPU time on a busy host: the bot itself,
//! which may close its output long before it exits, its supervisor, and the listener of this program. So
//! silence proves nothing. A bot counts as living on once it is seen alive with nothing to do.

use std::time::Duration;

use linesman_types::reading::Reading;

/// Minimum time between two samples of a bot. Everything else is counted in samples, so that a referee that
/// gets no CPU time itself, or is stopped, reaches no hasty verdict.
pub const LIVENESS_INTERVAL: Duration = Duration::from_millis(20);

/// Number of idle samples in a row after which the bot counts as living on: 0.3 s.
const IDLE_LOOKS: u32 = 15;

/// CPU time after which a bot that is never idle counts as living on: more than cleaning up takes.
const MOST_TIDYING: Duration = Duration::from_secs(1);

/// Number of samples after which there is a verdict in any case: 30 s.
const MOST_LOOKS: u32 = 1_500;

/// A bot's life as the kernel sees it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Liveness {
    /// It has ended or is about to, although [`Process::state`](super::Process::state) may not say so yet.
    Ending,
    /// It is alive and has used this much.
    Alive(Reading),
    /// It may be alive; this system can't tell.
    Unknown,
}

/// The fate of a bot.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Fate {
    /// It closed its output and lives on.
    LivesOn,
    /// It has ended, and no exit status arrived in all that time.
    Ended,
}

/// The samples of a bot since its output ended.
#[derive(Debug, Default)]
pub struct Closing {
    looks: u32,
    idle_looks: u32,
    first_cpu: Option<Duration>,
    last: Option<Reading>,
}

impl Closing {
    /// Adds a sample, at least [`LIVENESS_INTERVAL`] after the last one. Returns `None` as long as the bot
    /// may yet end by itself. The bot must not be paused.
    pub fn observe(&mut self, liveness: Liveness) -> Option<Fate> {
        self.looks += 1;
        let is_last = self.looks >= MOST_LOOKS;
        let reading = match liveness {
            Liveness::Ending => return is_last.then_some(Fate::Ended),
            Liveness::Unknown => return is_last.then_some(Fate::LivesOn),
            Liveness::Alive(reading) => reading,
        };
        let is_idle = !reading.is_ready && self.last.as_ref() == Some(&reading);
        self.idle_looks = if is_idle { self.idle_looks + 1 } else { 0 };
        let first_cpu = *self.first_cpu.get_or_insert(reading.cpu);
        let has_tidied_up = reading.cpu.saturating_sub(first_cpu) >= MOST_TIDYING;
        self.last = Some(reading);
        (is_last || has_tidied_up || self.idle_looks >= IDLE_LOOKS).then_some(Fate::LivesOn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples until there is a verdict. Returns the number of samples and the verdict.
    fn verdict(mut liveness: impl FnMut(u32) -> Liveness) -> (u32, Fate) {
        let mut closing = Closing::default();
        let fate = |look| Some((look, closing.observe(liveness(look))?));
        (1..=MOST_LOOKS).find_map(fate).expect("the last look decides")
    }

    fn alive(cpu: Duration, is_ready: bool) -> Liveness {
        Liveness::Alive(Reading { cpu, waits: vec![(7, Duration::ZERO)], is_ready })
    }

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn an_idle_bot_lives_on() {
        assert_eq!(verdict(|_| alive(MS, false)), (1 + IDLE_LOOKS, Fate::LivesOn));
        // The bot cleaned up first, or another process had the CPU.
        assert_eq!(verdict(|look| alive(MS * look.min(10), false)), (10 + IDLE_LOOKS, Fate::LivesOn));
        assert_eq!(verdict(|look| alive(MS, look <= 400)), (401 + IDLE_LOOKS, Fate::LivesOn));
    }

    #[test]
    fn a_bot_that_works_lives_on_after_more_work_than_tidying_up_takes() {
        assert_eq!(verdict(|look| alive(MS * 20 * look, true)), (51, Fate::LivesOn));
        assert_eq!(verdict(|_| alive(MS, true)), (MOST_LOOKS, Fate::LivesOn), "it never got the CPU");
    }

    #[test]
    fn a_bot_that_is_ending_is_never_taken_for_one_that_lives_on() {
        assert_eq!(verdict(|_| Liveness::Ending), (MOST_LOOKS, Fate::Ended));
        let late = |look| if look < IDLE_LOOKS { alive(MS, false) } else { Liveness::Ending };
        assert_eq!(verdict(late), (MOST_LOOKS, Fate::Ended));
    }

    #[test]
    fn where_the_system_says_nothing_there_is_a_bound() {
        assert_eq!(verdict(|_| Liveness::Unknown), (MOST_LOOKS, Fate::LivesOn));
    }
}

//! A bot whose output has ended: the bot may have ended too, or live on.
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
const IDLE_SAMPLES: u32 = 15;

/// CPU time after which a bot that is never idle counts as living on: more than a cleanup takes.
const MAX_CLEANUP: Duration = Duration::from_secs(1);

/// Number of samples after which there is a verdict in any case: 30 s.
const MAX_SAMPLES: u32 = 1_500;

/// The liveness of a bot, according to the kernel.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Liveness {
    /// It has ended or is about to, although [`Process::state`](super::Process::state) may not show that yet.
    Ending,
    /// It is alive and has used this much time.
    Alive(Reading),
    /// It may be alive; this system can't determine that.
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
    samples: u32,
    idle_samples: u32,
    first_cpu: Option<Duration>,
    last: Option<Reading>,
}

impl Closing {
    /// Adds a sample, at least [`LIVENESS_INTERVAL`] after the last one. Returns `None` as long as the bot
    /// may still end by itself. The bot must not be paused.
    pub fn observe(&mut self, liveness: Liveness) -> Option<Fate> {
        self.samples += 1;
        let is_last = self.samples >= MAX_SAMPLES;
        let reading = match liveness {
            Liveness::Ending => return is_last.then_some(Fate::Ended),
            Liveness::Unknown => return is_last.then_some(Fate::LivesOn),
            Liveness::Alive(reading) => reading,
        };
        let is_idle = !reading.is_ready && self.last.as_ref() == Some(&reading);
        self.idle_samples = if is_idle { self.idle_samples + 1 } else { 0 };
        let first_cpu = *self.first_cpu.get_or_insert(reading.cpu);
        let has_cleaned_up = reading.cpu.saturating_sub(first_cpu) >= MAX_CLEANUP;
        self.last = Some(reading);
        (is_last || has_cleaned_up || self.idle_samples >= IDLE_SAMPLES).then_some(Fate::LivesOn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes samples until there is a verdict. Returns the number of samples and the verdict.
    fn verdict(mut liveness: impl FnMut(u32) -> Liveness) -> (u32, Fate) {
        let mut closing = Closing::default();
        let fate = |sample| Some((sample, closing.observe(liveness(sample))?));
        (1..=MAX_SAMPLES).find_map(fate).expect("the last look decides")
    }

    fn alive(cpu: Duration, is_ready: bool) -> Liveness {
        Liveness::Alive(Reading { cpu, waits: vec![(7, Duration::ZERO)], is_ready })
    }

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn an_idle_bot_lives_on() {
        assert_eq!(verdict(|_| alive(MS, false)), (1 + IDLE_SAMPLES, Fate::LivesOn));
        // The bot cleaned up first, or another process had the CPU.
        assert_eq!(verdict(|sample| alive(MS * sample.min(10), false)), (10 + IDLE_SAMPLES, Fate::LivesOn));
        assert_eq!(verdict(|sample| alive(MS, sample <= 400)), (401 + IDLE_SAMPLES, Fate::LivesOn));
    }

    #[test]
    fn a_busy_bot_lives_on_after_more_work_than_a_cleanup_takes() {
        assert_eq!(verdict(|sample| alive(MS * 20 * sample, true)), (51, Fate::LivesOn));
        assert_eq!(verdict(|_| alive(MS, true)), (MAX_SAMPLES, Fate::LivesOn), "it never got the CPU");
    }

    #[test]
    fn a_bot_that_is_ending_is_never_taken_for_one_that_lives_on() {
        assert_eq!(verdict(|_| Liveness::Ending), (MAX_SAMPLES, Fate::Ended));
        let late = |sample| if sample < IDLE_SAMPLES { alive(MS, false) } else { Liveness::Ending };
        assert_eq!(verdict(late), (MAX_SAMPLES, Fate::Ended));
    }

    #[test]
    fn an_unknown_liveness_has_a_bound() {
        assert_eq!(verdict(|_| Liveness::Unknown), (MAX_SAMPLES, Fate::LivesOn));
    }
}

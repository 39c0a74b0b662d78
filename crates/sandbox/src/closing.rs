//! A bot whose output has ended: has it ended too, or does it live on?
//!
//! The word of its end takes a way of three processes, and each needs CPU time on a
//! busy host: the bot itself, which may close its output long before it exits, its
//! supervisor, and the listener of this program. So silence proves nothing. A bot
//! lives on when it is seen alive with nothing to do.

use std::time::Duration;

use linesman_types::reading::Reading;

/// Minimum time between two samples of a bot. All the rest is counted in samples, so that
/// a referee that gets no CPU itself, or is stopped, comes to no hasty end.
pub const LIVENESS_INTERVAL: Duration = Duration::from_millis(20);

/// Number of samples in a row at which a bot that lives on is idle: 0.3 s.
const IDLE_LOOKS: u32 = 15;

/// CPU time after which a bot lives on that is never idle: more than tidying up takes.
const MOST_TIDYING: Duration = Duration::from_secs(1);

/// Number of samples after which a verdict falls in any case: 30 s.
const MOST_LOOKS: u32 = 1_500;

/// A bot's life as the kernel sees it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Liveness {
    /// It has ended or is about to, although [`Process::state`](super::Process::state) may not say so yet.
    Ending,
    /// It lives, and has used this.
    Alive(Reading),
    /// It may live: this system does not say.
    Unknown,
}

/// The fate of a bot.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Fate {
    /// It closed its output and lives on.
    LivesOn,
    /// It has ended, and nobody said how in all that time.
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
    /// Takes in a sample that comes [`LIVENESS_INTERVAL`] after the last one or later; nothing as
    /// long as the bot may yet end by itself. It must not be paused.
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

    /// Looks until there is a verdict; after how many, and which.
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
        // It tidied up first, or somebody else had the CPU.
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

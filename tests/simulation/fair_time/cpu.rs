//! A simulated CPU that bots and other programs share in time slices.

use std::time::Duration;

use crate::chance::Chance;

/// The time for which a thread runs before the next one.
const SLICE: Duration = Duration::from_millis(3);

/// Programs that never sleep and run on each CPU besides the bots.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Spinners {
    /// A constant number.
    Steady(u32),
    /// A number for ten seconds, then none for ten seconds.
    Bursts(u32),
}

const BURST: Duration = Duration::from_secs(10);

impl Spinners {
    pub fn at(self, time: Duration) -> u32 {
        match self {
            Spinners::Steady(spinners) => spinners,
            Spinners::Bursts(spinners) => {
                if self.is_burst(time) {
                    spinners
                } else {
                    0
                }
            }
        }
    }

    fn is_burst(self, time: Duration) -> bool {
        (time.as_nanos() / BURST.as_nanos()).is_multiple_of(2)
    }

    /// Returns the next time at which the number changes.
    fn next_change(self, time: Duration) -> Option<Duration> {
        match self {
            Spinners::Steady(_) => None,
            Spinners::Bursts(_) => {
                let past = (time.as_nanos() / BURST.as_nanos()) as u32;
                Some(BURST * (past + 1))
            }
        }
    }

    /// Returns the total time up to `time` in which a program waited for a CPU.
    pub fn pressure(self, time: Duration) -> Duration {
        match self {
            Spinners::Steady(0) | Spinners::Bursts(0) => Duration::ZERO,
            Spinners::Steady(_) => time,
            Spinners::Bursts(_) => {
                let past = (time.as_nanos() / BURST.as_nanos()) as u32;
                let whole = BURST * past.div_ceil(2);
                let rest = if self.is_burst(time) { time - BURST * past } else { Duration::ZERO };
                whole + rest
            }
        }
    }
}

/// A runnable thread with the kernel's counters.
#[derive(Clone, Debug)]
pub struct Thread {
    at: Duration,
    runs: bool,
    /// The start of its current run or wait.
    since: Duration,
    until: Duration,
    pub cpu: Duration,
    /// The total of past waits.
    pub waited: Duration,
    chance: Chance,
    spinners: Spinners,
    /// The number of other threads of bots on the same CPU.
    beside: u32,
}

impl Thread {
    /// Creates a thread that wakes up.
    pub fn wakes(now: Duration, spinners: Spinners, beside: u32, mut chance: Chance) -> Thread {
        // A thread that has slept runs soon.
        let wait = if spinners.at(now) + beside > 0 { chance.within(2 * SLICE) } else { Duration::ZERO };
        Thread {
            at: now,
            runs: false,
            since: now,
            until: now + wait,
            cpu: Duration::ZERO,
            waited: Duration::ZERO,
            chance,
            spinners,
            beside,
        }
    }

    /// Lets time pass until `to`, or until it has used the CPU time `need`, and then returns when.
    pub fn advance(&mut self, to: Duration, need: Option<Duration>) -> Option<Duration> {
        while self.at < to {
            let end = self.until.min(to);
            if self.runs {
                if let Some(need) = need
                    && self.cpu + (end - self.at) >= need
                {
                    self.at += need - self.cpu;
                    self.cpu = need;
                    return Some(self.at);
                }
                self.cpu += end - self.at;
            }
            self.at = end;
            if end == self.until {
                self.switch();
            }
        }
        None
    }

    /// Switches between running and waiting.
    fn switch(&mut self) {
        let others = self.spinners.at(self.at) + self.beside;
        if !self.runs {
            self.waited += self.at - self.since;
        }
        self.runs = !self.runs || others == 0;
        self.since = self.at;
        let slice = SLICE / 2 + self.chance.within(SLICE);
        self.until = match (self.runs, others) {
            (true, 0) => self.spinners.next_change(self.at).unwrap_or(Duration::from_secs(1 << 30)),
            (true, _) => self.at + slice,
            (false, _) => self.at + slice * others,
        };
    }
}

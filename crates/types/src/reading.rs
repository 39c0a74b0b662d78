//! CPU time of a bot, and its waits for a CPU, at one moment.

use std::time::Duration;

/// The CPU time that a bot has used since it was started, at one moment.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Reading {
    /// The CPU time of all its processes. Ended processes count always if the bot has a cgroup,
    /// otherwise once their parents have waited for them.
    pub cpu: Duration,
    /// Each of its threads, and the time for which it was ready to run and had to wait.
    /// A wait in progress is not included: the kernel adds it when the thread runs.
    pub waits: Vec<(u32, Duration)>,
    /// True if one of its threads runs, or waits for a CPU, at that moment.
    pub is_ready: bool,
}

impl Reading {
    /// The CPU time since an earlier reading, and the longest that any one thread had to wait.
    pub fn since(&self, earlier: &Reading) -> (Duration, Duration) {
        let before = |thread: u32| {
            let own = earlier.waits.iter().find(|(other, _)| *other == thread);
            own.map_or(Duration::ZERO, |(_, wait)| *wait)
        };
        let waits = self.waits.iter().map(|(thread, wait)| wait.saturating_sub(before(*thread)));
        (self.cpu.saturating_sub(earlier.cpu), waits.max().unwrap_or_default())
    }
}

//! A bot's CPU time, and its threads' waits for a CPU, at one moment.

use std::time::Duration;

/// The CPU time that a bot has used since it was started, at one moment.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Reading {
    /// The CPU time of all its processes. Ended processes always count if the bot has a cgroup,
    /// otherwise only once their parents have waited for them.
    pub cpu: Duration,
    /// The id of each of its threads, and the time that it waited for a CPU while ready to run.
    /// A wait in progress is not included: the kernel adds it when the thread runs.
    pub waits: Vec<(u32, Duration)>,
    /// True if one of its threads is running, or waiting for a CPU, at that moment.
    pub is_ready: bool,
}

impl Reading {
    /// Returns the CPU time since an earlier reading, and the longest wait of any one thread.
    pub fn since(&self, earlier: &Reading) -> (Duration, Duration) {
        let before = |thread: u32| {
            let earlier_wait = earlier.waits.iter().find(|(other, _)| *other == thread);
            earlier_wait.map_or(Duration::ZERO, |(_, wait)| *wait)
        };
        let waits = self.waits.iter().map(|(thread, wait)| wait.saturating_sub(before(*thread)));
        (self.cpu.saturating_sub(earlier.cpu), waits.max().unwrap_or_default())
    }
}

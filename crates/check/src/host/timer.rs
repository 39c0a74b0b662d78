//! The lateness of timers.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{Timespec, poll};

use super::HostFinding;

const INTERVAL: Duration = Duration::from_millis(5);
const TIMERS: usize = 100;

/// Minimum lateness for the grades fair and bad: a late timer may make a move look late.
const FAIR: Duration = Duration::from_millis(1);
const BAD: Duration = Duration::from_millis(10);

/// The distribution of the lateness of timers.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Lateness {
    median: Duration,
    percentile_95: Duration,
    worst: Duration,
}

impl Lateness {
    /// Measures timers for half a second.
    #[expect(clippy::disallowed_methods, reason = "the clock is what is measured")]
    pub(super) fn measure() -> io::Result<Lateness> {
        let time = Timespec { tv_sec: 0, tv_nsec: i64::from(INTERVAL.subsec_nanos()) };
        let mut late = Vec::with_capacity(TIMERS);
        for _ in 0..TIMERS {
            let start = Instant::now();
            // Waits only for the time to pass, as the referee does for a deadline.
            poll(&mut [], Some(&time))?;
            late.push(start.elapsed().saturating_sub(INTERVAL));
        }
        Ok(Lateness::of(late))
    }

    fn of(mut late: Vec<Duration>) -> Lateness {
        late.sort_unstable();
        let at = |percent: usize| late.get(late.len() * percent / 100).copied().unwrap_or_default();
        let worst = late.last().copied().unwrap_or_default();
        Lateness { median: at(50), percentile_95: at(95), worst }
    }

    pub(super) fn finding(self) -> HostFinding {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let found = format!(
            "late by {:.2} ms (median), {:.2} ms (95th percentile), {:.2} ms (maximum)",
            milliseconds(self.median),
            milliseconds(self.percentile_95),
            milliseconds(self.worst),
        );
        let advice = "close other programs, and play fewer games at once";
        match self.percentile_95 {
            late if late < FAIR => HostFinding::good("timers", found),
            late if late < BAD => HostFinding::fair("timers", found, advice),
            _ => HostFinding::bad("timers", found, advice),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Grade;
    use super::*;

    #[test]
    fn the_grade_depends_on_the_95th_percentile() {
        #[track_caller]
        fn check(late: impl Fn(u64) -> u64, expected: Grade) {
            let late = (0..100).map(|number| Duration::from_micros(late(number))).collect();
            assert_eq!(Lateness::of(late).finding().grade, expected);
        }
        check(|_| 60, Grade::Good);
        check(|number| if number == 7 { 90_000 } else { 60 }, Grade::Good);
        check(|number| if number % 10 == 0 { 4_000 } else { 60 }, Grade::Fair);
        check(|number| number * 1_000, Grade::Bad);
    }

    #[test]
    fn timers_of_this_host_can_be_measured() {
        let late = Lateness::measure().expect("this system has timers");
        assert!(late.median <= late.percentile_95 && late.percentile_95 <= late.worst);
    }
}

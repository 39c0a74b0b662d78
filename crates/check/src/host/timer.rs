//! The lateness of timers.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{Timespec, poll};

use super::HostFinding;

const EVERY: Duration = Duration::from_millis(5);
const TIMES: usize = 100;

/// Minimum lateness of the grades fair and bad: a move that came in time may be judged late.
const FAIR: Duration = Duration::from_millis(1);
const BAD: Duration = Duration::from_millis(10);

/// The lateness of some timers.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Lateness {
    /// Maximum lateness of the better half.
    pub median: Duration,
    /// Maximum lateness of 95 % of them.
    pub most: Duration,
    /// Maximum lateness of all.
    pub worst: Duration,
}

impl Lateness {
    /// Measures it for half a second.
    #[expect(clippy::disallowed_methods, reason = "the clock is what is measured")]
    pub(super) fn measure() -> io::Result<Lateness> {
        let time = Timespec { tv_sec: 0, tv_nsec: i64::from(EVERY.subsec_nanos()) };
        let mut late = Vec::with_capacity(TIMES);
        for _ in 0..TIMES {
            let start = Instant::now();
            // Nothing is waited for but the time, as the referee does at a deadline.
            poll(&mut [], Some(&time))?;
            late.push(start.elapsed().saturating_sub(EVERY));
        }
        Ok(Lateness::of(late))
    }

    fn of(mut late: Vec<Duration>) -> Lateness {
        late.sort_unstable();
        let at = |percent: usize| late.get(late.len() * percent / 100).copied().unwrap_or_default();
        Lateness { median: at(50), most: at(95), worst: late.last().copied().unwrap_or_default() }
    }

    pub(super) fn finding(self) -> HostFinding {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let found = format!(
            "late by {:.2} ms (median), {:.2} ms (95th percentile), {:.2} ms (maximum)",
            milliseconds(self.median),
            milliseconds(self.most),
            milliseconds(self.worst),
        );
        let cure = "close other programs, and play fewer games at once";
        match self.most {
            late if late < FAIR => HostFinding::good("timers", found),
            late if late < BAD => HostFinding::fair("timers", found, cure),
            _ => HostFinding::bad("timers", found, cure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Grade;
    use super::*;

    #[test]
    fn what_counts_is_how_late_one_in_twenty_is() {
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
    fn timers_of_this_host_ring() {
        let late = Lateness::measure().expect("this system has timers");
        assert!(late.median <= late.most && late.most <= late.worst);
    }
}

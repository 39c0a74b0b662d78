//! How busy the host was while a game was played: what its kernel has counted
//! for all processes together.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::time::Duration;

/// What a kernel has counted since it was started; nothing where it does not.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct HostLoad {
    /// How long somebody, whoever it was, was ready to run and had to wait for a CPU.
    pub pressure: Option<Duration>,
    /// How much CPU time the host of this virtual machine took from it, over all CPUs.
    pub steal: Option<Duration>,
}

impl HostLoad {
    /// What is counted until now.
    pub fn read() -> HostLoad {
        static PRESSURE: OnceLock<Option<File>> = OnceLock::new();
        static STAT: OnceLock<Option<File>> = OnceLock::new();
        let tick = super::evidence::tick();
        HostLoad {
            pressure: head(&PRESSURE, "/proc/pressure/cpu").as_deref().and_then(pressure),
            steal: head(&STAT, "/proc/stat").as_deref().and_then(|text| steal(text, tick)),
        }
    }

    /// What was counted since an earlier look.
    #[must_use]
    pub fn since(self, earlier: HostLoad) -> HostLoad {
        let since = |now: Option<Duration>, then: Option<Duration>| Some(now?.saturating_sub(then?));
        HostLoad { pressure: since(self.pressure, earlier.pressure), steal: since(self.steal, earlier.steal) }
    }
}

/// The first lines of a file of the kernel, which is opened once.
fn head(file: &OnceLock<Option<File>>, path: &str) -> Option<String> {
    let file = file.get_or_init(|| File::open(path).ok()).as_ref()?;
    let mut buffer = [0; 512];
    let count = file.read_at(&mut buffer, 0).ok()?;
    Some(String::from_utf8_lossy(&buffer[..count]).into_owned())
}

/// Of `some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS` the last.
fn pressure(text: &str) -> Option<Duration> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = line.split_ascii_whitespace().find_map(|field| field.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

/// Of `cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ...`, in ticks, the eighth.
fn steal(text: &str, tick: Duration) -> Option<Duration> {
    let fields = text.lines().next()?.strip_prefix("cpu ")?;
    let ticks: u64 = fields.split_ascii_whitespace().nth(7)?.parse().ok()?;
    let nanoseconds = u64::try_from(tick.as_nanos()).ok()?.checked_mul(ticks)?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_the_kernel_are_understood() {
        let text = "some avg10=1.53 avg60=0.87 avg300=0.73 total=1157622151\nfull avg10=0.00 total=7\n";
        assert_eq!(pressure(text), Some(Duration::from_micros(1_157_622_151)));
        assert_eq!(pressure("full avg10=0.00 total=7\n"), None);
        let tick = Duration::from_millis(10);
        let text = "cpu  100 0 100 800 0 0 0 25 0 0\ncpu0 1 2 3 4 5 6 7 8\n";
        assert_eq!(steal(text, tick), Some(Duration::from_millis(250)));
        assert_eq!(steal("cpu  100 0 100 800\n", tick), None);
        assert_eq!(steal("cpu0 1 2 3 4 5 6 7 8\n", tick), None);
    }

    #[test]
    fn a_difference_is_of_what_was_counted_both_times() {
        let counted = |pressure, steal| HostLoad {
            pressure: Some(Duration::from_micros(pressure)),
            steal: Some(Duration::from_micros(steal)),
        };
        assert_eq!(counted(90, 30).since(counted(20, 30)), counted(70, 0));
        let without = HostLoad { pressure: None, ..counted(0, 1) };
        assert_eq!(counted(90, 3).since(without), HostLoad { pressure: None, ..counted(0, 2) });
    }

    #[test]
    fn a_kernel_counts_upwards() {
        let before = HostLoad::read();
        let after = HostLoad::read();
        assert!(after.pressure >= before.pressure && after.steal >= before.steal, "{before:?} {after:?}");
    }
}

//! Load of the host during a game, from the kernel's counters for all processes together.

use std::time::Duration;

use super::procfs;

/// Counters of the kernel since the system's start; `None` where it keeps none.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct HostLoad {
    /// Time during which at least one process was ready to run and waited for a CPU.
    pub pressure: Option<Duration>,
    /// CPU time that the host of this virtual machine took from it, over all CPUs.
    pub steal: Option<Duration>,
}

impl HostLoad {
    /// Reads the counters.
    pub fn read() -> HostLoad {
        HostLoad { pressure: procfs::cpu_pressure(), steal: procfs::steal() }
    }

    /// Returns the difference from an earlier sample.
    #[must_use]
    pub fn since(self, earlier: HostLoad) -> HostLoad {
        let since = |now: Option<Duration>, then: Option<Duration>| Some(now?.saturating_sub(then?));
        HostLoad { pressure: since(self.pressure, earlier.pressure), steal: since(self.steal, earlier.steal) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_needs_both_samples_of_a_counter() {
        let counted = |pressure, steal| HostLoad {
            pressure: Some(Duration::from_micros(pressure)),
            steal: Some(Duration::from_micros(steal)),
        };
        assert_eq!(counted(90, 30).since(counted(20, 30)), counted(70, 0));
        let without = HostLoad { pressure: None, ..counted(0, 1) };
        assert_eq!(counted(90, 3).since(without), HostLoad { pressure: None, ..counted(0, 2) });
    }

    #[test]
    fn counters_never_decrease() {
        let before = HostLoad::read();
        let after = HostLoad::read();
        assert!(after.pressure >= before.pressure && after.steal >= before.steal, "{before:?} {after:?}");
    }
}

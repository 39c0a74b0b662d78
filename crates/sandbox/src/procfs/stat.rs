//! `/proc/PID/stat`.

use std::time::Duration;

use rustix::process::Pid;

/// State, parent, time and memory of a process, or of one of its threads.
#[derive(Copy, Clone, Debug)]
pub struct Stat {
    state: u8,
    /// Its parent; `None` for the first process of a namespace.
    pub parent: Option<Pid>,
    flags: u32,
    /// Number of page faults so far that needed no disk.
    pub(crate) faults: u64,
    /// CPU time of all its threads, in ticks.
    pub(crate) ticks: u64,
    /// CPU time of the children that it has waited for, in ticks.
    children_ticks: u64,
    pub(crate) threads: u64,
    /// Bytes of its address space.
    pub(crate) mapped: u64,
    /// Bytes of its resident memory.
    pub(crate) resident: u64,
}

impl Stat {
    /// Parses the text of the file: `PID (NAME) STATE PARENT ...`, where the name may contain any bytes.
    pub(crate) fn parse(text: &[u8]) -> Option<Stat> {
        let name_end = text.iter().rposition(|byte| *byte == b')')?;
        let mut fields = std::str::from_utf8(&text[name_end + 1..]).ok()?.split_ascii_whitespace();
        let state = *fields.next()?.as_bytes().first()?;
        let parent = Pid::from_raw(fields.next()?.parse().ok()?);
        // Process group, session, terminal and its group.
        let flags = fields.nth(4)?.parse().ok()?;
        let mut number = |skipped| fields.nth(skipped)?.parse::<u64>().ok();
        let faults = number(0)?;
        // Faults of children, and those of both that needed a disk.
        let ticks = number(3)?.saturating_add(number(0)?);
        let children_ticks = number(0)?.saturating_add(number(0)?);
        // Priority and niceness.
        let threads = number(2)?;
        // An obsolete field, and the time of its start.
        let mapped = number(2)?;
        let resident = number(0)?.saturating_mul(page_size());
        Some(Stat { state, parent, flags, faults, ticks, children_ticks, threads, mapped, resident })
    }

    /// Returns true if it has ended, even if its parent has not waited for it.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, b'Z' | b'X')
    }

    /// Returns true if it has ended or is ending. Its streams are closed some time before it leaves the process table.
    pub(crate) fn is_exiting(&self) -> bool {
        const PF_EXITING: u32 = 0x4;
        self.has_ended() || self.flags & PF_EXITING != 0
    }

    /// Returns true if it runs or waits for a CPU: the system does not distinguish the two.
    pub(crate) fn is_ready(&self) -> bool {
        self.state == b'R'
    }

    /// Returns true if a signal has stopped it.
    #[cfg(test)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.state == b'T'
    }

    /// Returns the CPU time of the children that it has waited for, accurate to a tick.
    pub(crate) fn cpu_of_children(&self) -> Duration {
        duration_of(self.children_ticks)
    }
}

/// Returns the duration of a number of ticks, the kernel's unit.
pub(super) fn duration_of(ticks: u64) -> Duration {
    let nanoseconds_per_tick = 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1);
    Duration::from_nanos(ticks.saturating_mul(nanoseconds_per_tick))
}

/// Returns the size of a memory page in bytes.
pub(crate) fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(text: &str) -> Stat {
        Stat::parse(text.as_bytes()).expect("it is whole")
    }

    #[test]
    fn the_fields_are_found_after_any_name() {
        let stat = stat("7 (a) b) S 1 7 7 0 -1 4194560 10 20 0 0 5 6 70 30 20 0 3 0 123 8192 2 0");
        assert_eq!(stat.parent, Pid::from_raw(1));
        assert_eq!(stat.cpu_of_children(), duration_of(100));
        assert_eq!((stat.faults, stat.ticks, stat.threads), (10, 11, 3));
        assert_eq!((stat.mapped, stat.resident), (8192, 2 * page_size()));
        assert!(!stat.is_ready());
        assert!(Stat::parse(b"7 (a) S 1 7").is_none() && Stat::parse(b"").is_none());
    }

    #[test]
    fn a_process_is_exiting_before_it_has_ended() {
        let rest = "10 20 0 0 5 6 70 30 20 0 3 0 123 8192 2 0";
        assert!(!stat(&format!("7 (a) S 1 7 7 0 -1 4194560 {rest}")).is_exiting());
        let begun = stat(&format!("7 (a) R 1 7 7 0 -1 4194564 {rest}"));
        assert!(begun.is_exiting() && begun.is_ready() && !begun.has_ended(), "it has begun to exit");
        let ended = stat(&format!("7 (a) Z 1 7 7 0 -1 4227084 {rest}"));
        assert!(ended.is_exiting() && ended.has_ended());
    }

    #[test]
    fn ticks_are_converted_to_durations() {
        assert_eq!(duration_of(rustix::param::clock_ticks_per_second()), Duration::from_secs(1));
    }
}

//! Files of `/proc` about the whole system.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::time::Duration;

use super::stat::duration_of;

/// Returns the time during which at least one process was ready to run and waited for a CPU, since the system's start.
pub(crate) fn cpu_pressure() -> Option<Duration> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    pressure(&head(&FILE, "/proc/pressure/cpu")?)
}

/// Returns the CPU time that the host of this virtual machine took from it, over all CPUs, since the system's start.
pub(crate) fn steal() -> Option<Duration> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    stolen_ticks(&head(&FILE, "/proc/stat")?).map(duration_of)
}

/// Returns the maximum size in bytes that a program may set for a socket's buffer.
pub(crate) fn largest_socket_buffer() -> Option<u64> {
    std::fs::read_to_string("/proc/sys/net/core/wmem_max").ok()?.trim().parse().ok()
}

/// Reads the first lines of a file that is opened once.
fn head(file: &OnceLock<Option<File>>, path: &str) -> Option<String> {
    let file = file.get_or_init(|| File::open(path).ok()).as_ref()?;
    let mut buffer = [0; 512];
    let count = file.read_at(&mut buffer, 0).ok()?;
    Some(String::from_utf8_lossy(&buffer[..count]).into_owned())
}

/// Returns the total of `some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS`.
fn pressure(text: &str) -> Option<Duration> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = line.split_ascii_whitespace().find_map(|field| field.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

/// Returns the eighth number of `cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ...`, in ticks.
fn stolen_ticks(text: &str) -> Option<u64> {
    let fields = text.lines().next()?.strip_prefix("cpu ")?;
    fields.split_ascii_whitespace().nth(7)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_counters_are_parsed() {
        let text = "some avg10=1.53 avg60=0.87 avg300=0.73 total=1157622151\nfull avg10=0.00 total=7\n";
        assert_eq!(pressure(text), Some(Duration::from_micros(1_157_622_151)));
        assert_eq!(pressure("full avg10=0.00 total=7\n"), None);
        let text = "cpu  100 0 100 800 0 0 0 25 0 0\ncpu0 1 2 3 4 5 6 7 8\n";
        assert_eq!(stolen_ticks(text), Some(25));
        assert_eq!(stolen_ticks("cpu  100 0 100 800\n"), None);
        assert_eq!(stolen_ticks("cpu0 1 2 3 4 5 6 7 8\n"), None);
    }
}

//! Files of `/proc` about the whole system.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::time::Duration;

use super::bytes_of;
use super::stat::duration_of;

/// Returns the time during which at least one process was ready to run and waited for a CPU, since the system's start.
pub(crate) fn cpu_pressure() -> Option<Duration> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    pressure(&head(&FILE, "/proc/pressure/cpu")?)
}

/// Returns the CPU time that the host of this virtual machine took from it, over all CPUs, since the system's start.
pub(crate) fn steal() -> Option<Duration> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    CpuTicks::parse(&head(&FILE, "/proc/stat")?).map(|cpu| duration_of(cpu.stolen))
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
    some_pressure(text, "total=")?.parse().ok().map(Duration::from_micros)
}

/// Returns the share of the last minute in which some process waited for a CPU, in percent, from the text of
/// `/proc/pressure/cpu`.
pub fn pressure_of_last_minute(text: &str) -> Option<f64> {
    some_pressure(text, "avg60=")?.parse().ok()
}

fn some_pressure<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split_ascii_whitespace().find_map(|field| field.strip_prefix(key))
}

/// The time of all CPUs since the system's start, in ticks.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct CpuTicks {
    /// All of it.
    pub all: u64,
    /// The part that the host of this virtual machine took from it.
    pub stolen: u64,
}

impl CpuTicks {
    /// Parses the text of `/proc/stat`.
    pub fn parse(text: &str) -> Option<CpuTicks> {
        let fields = text.lines().next()?.strip_prefix("cpu ")?;
        // USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL. The times of guests are included in the first two.
        let ticks: Vec<u64> =
            fields.split_ascii_whitespace().take(8).filter_map(|number| number.parse().ok()).collect();
        Some(CpuTicks { all: ticks.iter().sum(), stolen: *ticks.get(7)? })
    }
}

/// Returns the size of the host's shared memory in bytes, from the text of `/proc/meminfo`.
pub fn shared_memory(meminfo: &str) -> Option<u64> {
    bytes_of(meminfo, "Shmem:")
}

/// Returns the folders of the file systems in memory, from the text of `/proc/self/mounts`.
pub fn memory_folders(mounts: &str) -> impl Iterator<Item = &str> {
    mounts.lines().filter_map(|line| {
        // SOURCE FOLDER TYPE OPTIONS
        let mut words = line.split(' ');
        let (folder, kind) = (words.nth(1)?, words.next()?);
        matches!(kind, "tmpfs" | "devtmpfs").then_some(folder)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_counters_are_parsed() {
        let text = "some avg10=1.53 avg60=0.87 avg300=0.73 total=1157622151\nfull avg10=0.00 total=7\n";
        assert_eq!(pressure(text), Some(Duration::from_micros(1_157_622_151)));
        assert_eq!(pressure("full avg10=0.00 total=7\n"), None);
        assert_eq!(pressure_of_last_minute(text), Some(0.87));
        let text = "cpu  100 0 100 800 0 0 0 25 7 0\ncpu0 1 2 3 4 5 6 7 8\n";
        assert_eq!(CpuTicks::parse(text), Some(CpuTicks { all: 1025, stolen: 25 }));
        assert_eq!(CpuTicks::parse("cpu  100 0 100 800\n"), None);
        assert_eq!(CpuTicks::parse("cpu0 1 2 3 4 5 6 7 8\n"), None);
    }

    #[test]
    fn file_systems_in_memory_are_found() {
        let mounts = "tmpfs /tmp tmpfs rw 0 0\n/dev/vda / ext4 rw 0 0\ndev /dev devtmpfs rw 0 0\n";
        assert_eq!(memory_folders(mounts).collect::<Vec<_>>(), ["/tmp", "/dev"]);
    }
}

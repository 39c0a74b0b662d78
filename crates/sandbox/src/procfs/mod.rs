//! The files of `/proc`: their paths, fields and units. No other module knows the number of a field.
//!
//! A process that has ended has no files, so everything read from it is `None`.
//!
//! The public part serves the checks of a host and of the referee.

mod cgroups;
mod maps;
mod single;
mod stat;
mod system;

pub(crate) use cgroups::{Hierarchy, OwnCgroup, own_cgroup};
pub(crate) use maps::{Mapping, Object, deleted_mappings};
pub(crate) use single::SingleProcess;
pub use stat::Stat;
pub(crate) use stat::page_size;
pub use system::{CpuTicks, memory_folders, pressure_of_last_minute, shared_memory};
pub(crate) use system::{cpu_pressure, largest_socket_buffer, steal};

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::{Pid, getpid};

/// A process, seen through its files.
#[derive(Copy, Clone, Debug)]
pub struct Process {
    pub(crate) pid: Pid,
    /// The thread whose files are read instead of the process's own.
    thread: Option<Pid>,
}

impl Process {
    /// Makes the view of a process.
    pub fn of(pid: Pid) -> Process {
        Process { pid, thread: None }
    }

    /// Returns the same process, seen through the files of one of its threads.
    pub(crate) fn by_thread(self, thread: Pid) -> Process {
        Process { thread: Some(thread), ..self }
    }

    pub(crate) fn path(self, name: &str) -> String {
        let pid = self.pid.as_raw_pid();
        match self.thread {
            None => format!("/proc/{pid}/{name}"),
            Some(thread) => format!("/proc/{pid}/task/{}/{name}", thread.as_raw_pid()),
        }
    }

    /// Reads its `maps`, unless it has ended or may not be inspected.
    pub(crate) fn maps(self) -> io::Result<String> {
        // Read to the end: the kernel ends a read before a line that does not fit into its page, so more may
        // follow a short read, and the bot chooses the paths in these lines.
        Ok(String::from_utf8_lossy(&std::fs::read(self.path("maps"))?).into_owned())
    }

    /// Reads one of its files that the kernel makes in one piece, unless it has ended or may not be inspected.
    pub(crate) fn text(self, name: &str) -> io::Result<String> {
        let mut file = File::open(self.path(name))?;
        let mut buffer = [0; 2048];
        // One read is enough for most of them.
        let count = file.read(&mut buffer)?;
        let mut bytes = buffer[..count].to_vec();
        if count > buffer.len() / 2 {
            file.read_to_end(&mut bytes)?;
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Reads its `stat`.
    pub fn stat(self) -> Option<Stat> {
        let mut buffer = [0; 2048];
        let count = File::open(self.path("stat")).ok()?.read(&mut buffer).ok()?;
        Stat::parse(&buffer[..count])
    }

    /// Returns the time for which its thread was ready to run and waited for a CPU, without a wait in progress.
    pub(crate) fn run_delay(self) -> Option<Duration> {
        run_delay(&self.text("schedstat").ok()?)
    }

    /// Returns its peak resident memory so far, in bytes.
    pub(crate) fn peak_resident(self) -> Option<u64> {
        bytes_of(&self.text("status").ok()?, "VmHWM:")
    }

    /// Returns its peak resident memory so far without pages of files, in bytes: too low by the pages of files that
    /// became resident after the peak.
    pub fn peak_without_files(self) -> Option<u64> {
        let status = self.text("status").ok()?;
        Some(bytes_of(&status, "VmHWM:")?.saturating_sub(bytes_of(&status, "RssFile:")?))
    }

    /// Returns the size of its page tables in bytes.
    pub(crate) fn page_tables(self) -> Option<u64> {
        bytes_of(&self.text("status").ok()?, "VmPTE:")
    }

    /// Returns its resident memory in bytes, with its proportional share of shared memory.
    pub(crate) fn proportional(self) -> Option<u64> {
        bytes_of(&self.text("smaps_rollup").ok()?, "Pss:")
    }

    /// Returns its proportional share of shared memory alone, in bytes.
    pub(crate) fn proportional_shared(self) -> Option<u64> {
        bytes_of(&self.text("smaps_rollup").ok()?, "Pss_Shmem:")
    }

    pub(crate) fn threads(self) -> Vec<Pid> {
        let folder = self.path("task");
        // Each thread adds a link to this folder's own two, so a single thread is known without the list.
        if std::fs::metadata(&folder).is_ok_and(|folder| folder.nlink() == 3) {
            return vec![self.pid];
        }
        numbered(&folder).collect()
    }

    /// Returns the children of all its threads; `None` if this kernel does not list children.
    pub(crate) fn children(self) -> Option<Vec<Pid>> {
        static LISTED: OnceLock<bool> = OnceLock::new();
        let own = Process::of(getpid()).by_thread(getpid());
        if !*LISTED.get_or_init(|| File::open(own.path("children")).is_ok()) {
            return None;
        }
        let lists =
            self.threads().into_iter().filter_map(|thread| self.by_thread(thread).text("children").ok());
        Some(lists.flat_map(|list| pids(&list).collect::<Vec<_>>()).collect())
    }

    /// Returns the number of its open descriptors.
    pub fn open_descriptors(self) -> Option<usize> {
        Some(std::fs::read_dir(self.path("fd")).ok()?.count())
    }

    /// Returns its command, with a blank after each word.
    pub fn command_line(self) -> String {
        let line = std::fs::read(self.path("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ")
    }

    /// Returns true if it was started with such a value of this variable in its environment, where a name may occur
    /// several times.
    pub fn has_variable(self, name: &str, is_wanted: impl Fn(&[u8]) -> bool) -> bool {
        let prefix = format!("{name}=");
        let environment = std::fs::read(self.path("environ")).unwrap_or_default();
        let mut entries = environment.split(|byte| *byte == 0);
        entries.any(|entry| entry.strip_prefix(prefix.as_bytes()).is_some_and(&is_wanted))
    }
}

/// Returns every visible process.
pub fn processes() -> impl Iterator<Item = Pid> {
    numbered("/proc")
}

/// Returns the entries of a folder whose names are process ids.
fn numbered(folder: &str) -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| pid(entry.file_name().to_str()?))
}

fn pid(word: &str) -> Option<Pid> {
    Pid::from_raw(word.parse().ok()?)
}

fn pids(list: &str) -> impl Iterator<Item = Pid> {
    list.split_ascii_whitespace().filter_map(pid)
}

/// Returns the second number of `CPU WAIT SLICES`, the text of a `schedstat` in nanoseconds.
pub(crate) fn run_delay(schedstat: &str) -> Option<Duration> {
    let nanoseconds = schedstat.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Returns a value in bytes from a file of lines like `Pss:  120 kB`.
fn bytes_of(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib.saturating_mul(1024))
}

/// Returns the number of a thread in readings.
pub(crate) fn thread_number(thread: Pid) -> u32 {
    thread.as_raw_pid().unsigned_abs()
}

/// Reads an open file from its beginning, as far as it fits into the buffer.
pub(crate) fn text_of<'a>(file: &File, buffer: &'a mut [u8]) -> Option<&'a str> {
    let count = file.read_at(buffer, 0).ok()?;
    // A name may contain any bytes, and the wanted text follows it.
    let text = &buffer[..count];
    let start = text.iter().rposition(|byte| !byte.is_ascii()).map_or(0, |last| last + 1);
    std::str::from_utf8(&text[start..]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::shell;
    use rustix::fs::{Mode, OFlags, mkdirat, openat};
    use std::os::fd::{AsRawFd, OwnedFd};

    #[test]
    fn kernel_files_are_parsed() {
        assert_eq!(run_delay("100 2000 3\n"), Some(Duration::from_micros(2)));
        assert_eq!(run_delay(""), None);
        let rollup = "55d0-7fff ---p 00000000 00:00 0    [rollup]\nRss:     99 kB\nPss:     12 kB\n";
        assert_eq!(bytes_of(rollup, "Pss:"), Some(12 << 10));
        assert_eq!(bytes_of(rollup, "Pss_Shmem:"), None);
    }

    #[test]
    fn this_very_process_has_memory_and_an_environment() {
        let own = Process::of(getpid());
        assert!(own.proportional().is_some_and(|bytes| bytes > 0));
        assert!(own.peak_resident().is_some_and(|bytes| bytes > 100_000));
        assert!(!own.has_variable("LINESMAN_NO_SUCH_VARIABLE", |_| true));
    }

    /// Maps a page of this file, or of none, at an address that nothing else uses.
    #[expect(unsafe_code, reason = "mapping memory has no safe wrapper")]
    fn map_at(address: usize, file: Option<&File>) {
        let nowhere = if file.is_some() { 0 } else { libc::MAP_ANONYMOUS };
        let flags = libc::MAP_PRIVATE | libc::MAP_FIXED_NOREPLACE | nowhere;
        let fd = file.map_or(-1, AsRawFd::as_raw_fd);
        // SAFETY: the mapping is new, replaces nothing and is never touched.
        let start = unsafe {
            libc::mmap(std::ptr::without_provenance_mut(address), 4096, libc::PROT_READ, flags, fd, 0)
        };
        assert_ne!(start, libc::MAP_FAILED, "{}", io::Error::last_os_error());
    }

    #[test]
    fn mappings_with_very_long_paths_are_read() {
        let scratch = tempfile::tempdir().expect("there is a folder");
        let mut folder = OwnedFd::from(File::open(scratch.path()).expect("it is there"));
        for _ in 0..16 {
            let name = "x".repeat(250);
            mkdirat(&folder, &name, Mode::RWXU).expect("a folder can be made");
            folder = openat(&folder, &name, OFlags::RDONLY, Mode::empty()).expect("it is there");
        }
        let flags = OFlags::RDWR | OFlags::CREATE;
        let file = File::from(openat(&folder, "file", flags, Mode::RWXU).expect("a file can be made"));
        file.set_len(4096).expect("it can grow");
        // The kernel's first page of text contains only the first mapping.
        map_at(0x20_0000, None);
        map_at(0x30_0000, Some(&file));
        let maps = Process::of(getpid()).maps().expect("it is this process");
        assert!(maps.contains("/file\n") && maps.contains("[stack]"), "{} bytes", maps.len());
    }

    #[test]
    fn threads_are_counted_and_listed() {
        let (started, end) = (std::sync::mpsc::channel::<()>(), std::sync::mpsc::channel::<()>());
        let own = Process::of(getpid());
        let thread = std::thread::spawn(move || {
            started.0.send(()).expect("it is waited for");
            // Until the other end is dropped.
            let _ = end.1.recv();
        });
        started.1.recv().expect("it says that it runs");
        assert!(own.threads().len() > 1 && own.threads().contains(&getpid()));
        drop(end.0);
        thread.join().expect("it only waits");
        let mut child = shell("echo; read x");
        let process = Process::of(Pid::from_child(&child));
        assert_eq!(process.threads(), [process.pid]);
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
        assert!(process.threads().is_empty());
    }
}

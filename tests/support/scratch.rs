//! A test's own folder, in which the binary runs and by which the processes it
//! started are found.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::running::Running;
use super::waiting::{PATIENCE, holds_within, wait_until};
use super::{Run, command};

/// The time for a run's last processes to vanish after its end: killed processes need the CPU to
/// end, one after another. Forgotten processes stay for ever.
const TO_VANISH: Duration = Duration::from_secs(60);

/// A folder with `work`, where the binary runs, and `tmp`, its `TMPDIR`. Bots
/// inherit that variable, by which their processes are found. When the test
/// succeeds, none may be left.
pub struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    pub fn new() -> Scratch {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let scratch = Scratch { folder };
        fs::create_dir(scratch.folder.path().join("work")).expect("a folder can be made");
        fs::create_dir(scratch.temporary()).expect("a folder can be made");
        scratch
    }

    /// Returns the path of a file in the folder where the binary runs.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// Returns the binary's folder for temporary files.
    pub fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// Writes a file and creates its folders.
    #[track_caller]
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).expect("the folder is ours");
    }

    /// Writes an executable file.
    #[track_caller]
    pub fn program(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the folder is ours");
        write_program(&path, text);
    }

    /// Reads a file.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Waits until a file exists.
    #[track_caller]
    pub fn wait_for_file(&self, name: &str) {
        wait_until(&format!("there is a file `{name}`"), || self.path(name).exists());
    }

    /// Lists a folder below the one where the binary runs, sorted.
    #[track_caller]
    pub fn list(&self, name: &str) -> Vec<String> {
        names_in(&self.path(name))
    }

    /// Returns a command for the binary.
    pub fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = command(&self.path(""));
        command.args(arguments).env("TMPDIR", self.temporary());
        command
    }

    /// Starts the binary.
    #[track_caller]
    pub fn start<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Running {
        Running::start(&mut self.command(arguments))
    }

    /// Runs the binary to its end.
    #[track_caller]
    pub fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.start(arguments).end_within(PATIENCE)
    }

    /// Returns the living processes that were started in this folder.
    pub fn processes(&self) -> Vec<u32> {
        let wanted = [b"TMPDIR=", self.temporary().as_os_str().as_bytes()].concat();
        let all = fs::read_dir("/proc").expect("there is a `/proc`").flatten();
        all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|pid: &u32| {
                let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environment.split(|byte| *byte == 0).any(|variable| variable == wanted)
            })
            .collect()
    }

    /// Asserts that every process of this folder ends within a time.
    #[track_caller]
    pub fn is_left_within(&self, limit: Duration) {
        if !holds_within(limit, || self.processes().is_empty()) {
            let command = |pid: u32| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let left: Vec<String> = self
                .processes()
                .into_iter()
                .map(|pid| format!("{pid} {}", String::from_utf8_lossy(&command(pid)).replace('\0', " ")))
                .collect();
            panic!("after {limit:?} there are still {left:#?}");
        }
    }
}

/// Writes a program by another process. If this process wrote it, a child that another test starts at that moment could
/// inherit the open file, and the program could not be executed ("text file busy") until that child closes it.
#[track_caller]
pub fn write_program(path: &Path, text: &str) {
    let mut writer = Command::new("sh");
    writer.args(["-c", "cat >\"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut writer = writer.spawn().expect("there is a shell");
    let mut input = writer.stdin.take().expect("its input is ours");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    assert!(writer.wait().expect("it can be waited for").success(), "{}", path.display());
}

/// Returns the names in a folder, sorted.
#[track_caller]
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.is_left_within(TO_VANISH);
        }
    }
}

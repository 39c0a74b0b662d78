//! Tests of interrupted checks.

use std::os::unix::ffi::OsStrExt;

use rustix::process::Signal;

use crate::support::scratch::{Scratch, names_in};
use crate::support::waiting::wait_until;

/// Returns the processes with the folder's temporary files in their environment.
fn of_leagues(scratch: &Scratch) -> Vec<String> {
    let temporary = [scratch.temporary().as_os_str().as_bytes(), b"/linesman-check-"].concat();
    let all = std::fs::read_dir("/proc").expect("there is a `/proc`").flatten();
    let read = |entry: &std::fs::DirEntry, name| std::fs::read(entry.path().join(name)).unwrap_or_default();
    all.filter(|entry| read(entry, "environ").windows(temporary.len()).any(|part| part == temporary))
        .map(|entry| String::from_utf8_lossy(&read(&entry, "cmdline")).replace('\0', " "))
        .collect()
}

#[test]
fn a_stopped_check_ends_its_processes() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        let scratch = Scratch::new();
        let check = scratch.start(["check", "--hostile", "--bot", "sleeps", "--sandbox", "portable"]);
        wait_until("a league has started its bots", || {
            let all = of_leagues(&scratch);
            all.iter().any(|line| line.contains("league run")) && all.len() > 1
        });
        check.signal(signal);
        check.end().said(status, "stopped: the unfinished games were aborted");
        assert_eq!(of_leagues(&scratch), [""; 0]);
        assert_eq!(names_in(&scratch.temporary()), [""; 0]);
    }
}

#[test]
fn a_stopped_check_of_many_games_ends_them() {
    let scratch = Scratch::new();
    let check = scratch.start(["check", "--hostile", "--soak", "10000", "--sandbox", "portable"]);
    wait_until("it has started its bots", || of_leagues(&scratch).len() > 1);
    check.signal(Signal::TERM);
    check.end().said(143, "stopped: the unfinished games were aborted");
    assert_eq!(of_leagues(&scratch), [""; 0]);
    assert_eq!(names_in(&scratch.temporary()), [""; 0]);
}

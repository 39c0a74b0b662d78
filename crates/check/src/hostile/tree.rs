//! Bots that leave processes behind.

use std::io;

use rustix::process::setsid;

use super::harness::{HANG_TIME, Stopwatch, pause};
use super::kernel;
use super::{ExpectedEnding, HostileBot, PLAYS};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "grandchild-stays",
        "Plays well and leaves a grandchild that holds its streams open.",
        PLAYS,
        |harness| {
            leave_behind(|| pause(HANG_TIME))?;
            harness.play_on()
        },
    ),
    HostileBot::program(
        "daemon",
        "Leaves a daemon that has its own session, closed streams and another name, and that tries to change \
         its cgroup.",
        PLAYS,
        |harness| {
            leave_behind(become_daemon)?;
            harness.play_on()
        },
    ),
    HostileBot::program("nameless-daemon", "Leaves a daemon with an empty environment.", PLAYS, |harness| {
        leave_behind(become_another_program)?;
        harness.play_on()
    }),
    HostileBot::program(
        "forty-daemons",
        "Leaves 40 daemons and crashes.",
        &[ExpectedEnding::Exits(9)],
        |harness| {
            harness.on_first_turn(|_| {
                (0..40).try_for_each(|_| leave_behind(become_daemon))?;
                Ok(9)
            })
        },
    )
    .within(5_000)
    .heavy(),
    HostileBot::program(
        "runner",
        "Crashes and leaves a process that forks and exits repeatedly.",
        &[ExpectedEnding::Exits(9)],
        |harness| {
            harness.on_first_turn(|_| {
                leave_behind(fork_repeatedly)?;
                Ok(9)
            })
        },
    )
    .within(5_000)
    .heavy(),
];

/// Leaves an orphan process behind.
fn leave_behind(behaviour: fn()) -> io::Result<()> {
    if let Some(child) = kernel::fork()? {
        rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty())?;
        return Ok(());
    }
    let _ = setsid();
    if let Ok(None) = kernel::fork() {
        behaviour();
    }
    kernel::exit(0);
}

fn become_daemon() {
    close_streams();
    kernel::ignore_all_signals();
    let _ = rustix::thread::set_name(c"kworker/0:1");
    let pid = std::process::id().to_string();
    let _ = std::fs::write("/sys/fs/cgroup/unified/cgroup.procs", &pid);
    let _ = std::fs::write("/sys/fs/cgroup/cgroup.procs", pid);
    pause(HANG_TIME);
}

fn become_another_program() {
    use std::os::unix::process::CommandExt;
    close_streams();
    let _ = std::process::Command::new("/bin/sleep").arg("8").env_clear().exec();
}

fn close_streams() {
    for stream in 0..3 {
        let _ = kernel::close_stream(stream);
    }
}

/// Forks again and again. There is one process at a time, each the parent of the next.
fn fork_repeatedly() {
    let stopwatch = Stopwatch::start();
    let mut generations = 0;
    while stopwatch.is_within_hang_time() && generations < 20_000 {
        match kernel::fork() {
            Ok(None) => generations += 1,
            Ok(Some(_)) => kernel::exit(0),
            Err(_) => pause(std::time::Duration::from_millis(1)),
        }
    }
}

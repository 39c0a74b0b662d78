//! Bots that send signals to themselves and their parent, and to all other processes only if none can be reached.

use std::io;
use std::time::Duration;

use rustix::process::{Pid, getpid, getppid};

use super::environment::all_processes;
use super::harness::{Harness, hang, pause};
use super::kernel;
use super::{ExpectedEnding, FaultKind, HostileBot, PLAYS, Sandbox};

/// The exit status of a bot that does not perform its action, because the action would work.
const WOULD_HAVE_WORKED: u8 = 99;

const NOT_PERFORMED: &[ExpectedEnding] = &[ExpectedEnding::Exits(WOULD_HAVE_WORKED as i32)];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "kills-everyone",
        "Sends SIGKILL to every process at once (only where it can reach none).",
        NOT_PERFORMED,
        |harness| act_if_none_is_reachable(harness, || kernel::kill(-1, libc::SIGKILL)),
    )
    .sandboxed(Sandbox::Portable, &[ExpectedEnding::Plays, ExpectedEnding::Dies(libc::SIGKILL)])
    .within(2_000),
    HostileBot::program(
        "kills-one-by-one",
        "Sends SIGKILL to every process by its ID (only where it can reach none).",
        NOT_PERFORMED,
        |harness| act_if_none_is_reachable(harness, || to_each(libc::SIGKILL)),
    )
    .sandboxed(Sandbox::Portable, &[ExpectedEnding::Plays])
    .within(2_000),
    HostileBot::program(
        "stops-everyone",
        "Sends SIGSTOP to every process at once (only where it can reach none).",
        NOT_PERFORMED,
        |harness| act_if_none_is_reachable(harness, || kernel::kill(-1, libc::SIGSTOP)),
    )
    .sandboxed(Sandbox::Portable, &[ExpectedEnding::Plays, ExpectedEnding::Fails(FaultKind::Time)])
    .within(2_000),
    HostileBot::program(
        "kills-its-group",
        "Sends SIGKILL to its process group.",
        &[ExpectedEnding::Dies(libc::SIGKILL)],
        |harness| {
            harness.on_first_turn(|_| {
                kernel::kill(0, libc::SIGKILL)?;
                hang()
            })
        },
    )
    // A bot that may signal only itself lives on.
    .sandboxed(
        Sandbox::Portable,
        &[
            ExpectedEnding::Dies(libc::SIGKILL),
            ExpectedEnding::Exits(1),
            ExpectedEnding::Fails(FaultKind::Time),
        ],
    ),
    HostileBot::program(
        "kills-its-supervisor",
        "Sends SIGKILL to its parent and plays on if it can.",
        // The bot dies with its supervisor, so that no process is left to report how.
        &[ExpectedEnding::Fails(FaultKind::Crash)],
        |harness| signal_parent(harness, libc::SIGKILL),
    )
    .sandboxed(Sandbox::Portable, &[ExpectedEnding::Plays, ExpectedEnding::Fails(FaultKind::Crash)]),
    HostileBot::program(
        "stops-its-supervisor",
        "Sends SIGSTOP to its parent and plays on.",
        PLAYS,
        |harness| signal_parent(harness, libc::SIGSTOP),
    ),
];

/// The time for a killed process to end, with the processes that depend on it.
const KILL_TIME: Duration = Duration::from_millis(500);

fn signal_parent(harness: &mut Harness, signal: i32) -> io::Result<u8> {
    harness.on_first_turn(|harness| {
        if let Some(parent) = getppid().map(number).filter(|parent| *parent > 1) {
            // If the signal is blocked, the bot plays on. If not, a busy machine may take a while to end it.
            let is_sent = kernel::kill(parent, signal).is_ok();
            if is_sent && signal == libc::SIGKILL {
                pause(KILL_TIME);
            }
        }
        harness.play_from_here()
    })
}

fn act_if_none_is_reachable(harness: &mut Harness, action: fn() -> io::Result<()>) -> io::Result<u8> {
    harness.on_first_turn(|harness| {
        // The sandbox does not distinguish between other processes, so one within reach means that all are.
        let this = getpid();
        let mut others = all_processes();
        others.extend(getppid());
        others.extend(Pid::from_raw(1));
        if others.into_iter().any(|pid| pid != this && kernel::kill(number(pid), 0).is_ok()) {
            return Ok(WOULD_HAVE_WORKED);
        }
        let _ = action();
        harness.play_from_here()
    })
}

fn to_each(signal: i32) -> io::Result<()> {
    let this = number(getpid());
    let seen = all_processes().into_iter().map(number);
    for pid in seen.chain(1..5_000).filter(|pid| *pid != this) {
        let _ = kernel::kill(pid, signal);
    }
    Ok(())
}

fn number(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

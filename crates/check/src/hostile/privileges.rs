//! Bots that try to gain privileges.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use super::HostileBot;
use super::attempt::{always, portable};
use super::kernel;

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::attempts(
        "seeks-privileges",
        "Asks privileged programs and services to do what it may not do itself.",
        &[
            portable("sudo", |_| run("sudo", &["-n", "true"])),
            portable("su", |_| run("su", &["-c", "true"])),
            portable("at", |_| run("at", &["-l"])),
            portable("crontab", |_| run("crontab", &["-l"])),
            portable("systemd", |_| run("systemd-run", &["--user", "--scope", "true"])),
            portable("system-bus", |_| UnixStream::connect("/run/dbus/system_bus_socket").map(drop)),
            portable("docker", |_| UnixStream::connect("/var/run/docker.sock").map(drop)),
        ],
    ),
    HostileBot::attempts(
        "changes-its-world",
        "Creates namespaces and mounts, and changes its root directory.",
        &[
            portable("user-namespace", |_| kernel::unshare(libc::CLONE_NEWUSER)),
            portable("network-namespace", |_| kernel::unshare(libc::CLONE_NEWNET)),
            portable("mount", |_| kernel::mount()),
            portable("chroot", |_| Ok(rustix::process::chroot(".")?)),
            portable("pivot-root", |_| kernel::swap_root()),
            portable("handle", |_| kernel::open_by_handle()),
            portable("key", |_| kernel::add_key()),
            portable("shared-segment", |_| kernel::shared_segment()),
        ],
    ),
    HostileBot::attempts(
        "reaches-terminal",
        "Writes to the terminal, changes its mode and injects input into it.",
        &[
            always("open", |_| std::fs::OpenOptions::new().write(true).open("/dev/tty").map(drop)),
            always("mode", |_| change_terminal()),
            always("type", |_| kernel::type_into_terminal()),
        ],
    ),
    HostileBot::attempts(
        "foreign-calls",
        "Makes system calls in ways that a filter might miss.",
        &[
            portable("x32", |_| kernel::call_as_x32()),
            portable("32-bit", |_| kernel::call_as_32_bit()),
            portable("io-context", |_| kernel::io_context()),
            portable("lend-pages", |_| kernel::lend_pages()),
        ],
    ),
];

/// Sets the mode of any terminal within reach to its current value.
fn change_terminal() -> io::Result<()> {
    let set = |terminal: BorrowedFd<'_>| {
        let mode = tcgetattr(terminal)?;
        tcsetattr(terminal, OptionalActions::Now, &mode)
    };
    let (input, output, errors) = (io::stdin(), io::stdout(), io::stderr());
    for stream in [input.as_fd(), output.as_fd(), errors.as_fd()] {
        if set(stream).is_ok() {
            return Ok(());
        }
    }
    Ok(set(std::fs::File::open("/dev/tty")?.as_fd())?)
}

fn run(program: &str, arguments: &[&str]) -> io::Result<()> {
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if status.success() { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

//! The launcher, which becomes a bot's supervisor: the implementation of `linesman __launcher`.
//!
//! The referee executes it, so everything here runs in a small single-threaded program. It forks the bot and
//! stays as its parent, a child subreaper, so it inherits every process that the bot starts and abandons. It
//! ends when no process is left below it, and it makes sure that this happens soon after the bot's main
//! process ended, the referee requested it (SIGTERM), or the referee died (SIGUSR2).
//!
//! As the supervisor it samples the bot's resources, every 20 ms while the bot is active ([`watchdog`]).
//! Before the child becomes the bot, it gives up what a bot may not have, in this order: resources and
//! privileges ([`restrict`]), files ([`files`]), system calls ([`system_calls`]). If one of these steps fails
//! the bot is not started.

mod child;
mod files;
mod kernel;
mod memory;
mod restrict;
mod seccomp_listener;
mod spawn_request;
mod supervisor;
mod system_calls;
mod watchdog;

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use rustix::process::{Pid, set_child_subreaper, set_parent_process_death_signal};

use crate::batch_policy::set_batch_policy;
use crate::cores;
use crate::report::{Message, ReportPipe, StartError, StartStep};
use seccomp_listener::Refusals;
pub use spawn_request::ARGUMENT;
pub(crate) use spawn_request::SpawnRequest;

/// Starts a bot and supervises it until no process of it is left.
///
/// `arguments` are those after [`ARGUMENT`]. Only the referee calls this. It learns the outcome from the report pipe.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let Some(request) = SpawnRequest::parse(arguments) else {
        return ExitCode::from(2);
    };
    let Some(report) = kernel::inherited(request.report) else {
        return ExitCode::from(2);
    };
    let mut report = ReportPipe(File::from(report));
    // Blocked first: a signal that arrives early stays pending until it is waited for.
    kernel::block_all_signals();
    let inherited = |fd: Option<RawFd>| fd.and_then(kernel::inherited);
    let [cgroup, procs_fd] = [request.cgroup, request.cgroup_procs].map(inherited);
    let [memory_procs, oom_control] =
        request.memory_cgroup.map_or([None, None], |both| both.map(|fd| inherited(Some(fd))));
    let give_up = |report: &mut ReportPipe, step, error: std::io::Error| {
        report.send(&Message::Failed(StartError::Host { step, error: error.to_string() }));
        report.send(&Message::Swept);
        ExitCode::from(2)
    };
    if let Err(error) = take_place(&request) {
        return give_up(&mut report, StartStep::Place, error);
    }
    if !request.is_child_of_referee() {
        // The referee died before its death could be signalled, and before it could remove the folder that it had made.
        if let Some(scratch) = &request.scratch {
            let _ = std::fs::remove_dir(scratch);
        }
        return ExitCode::SUCCESS;
    }
    // The child passes the listener of its filter through this socket. Without it refused calls are not reported.
    let (ours, of_child) = request.launcher.and_then(|_| UnixStream::pair().ok()).unzip();
    match fork_bot(cgroup, procs_fd) {
        Ok((None, procs_fd)) => {
            drop(ours);
            child::become_bot(&request, [procs_fd, memory_procs], of_child, &mut report)
        }
        Ok((Some(bot), procs_fd)) => {
            // The supervisor keeps no descriptor of the bot's cgroups.
            drop((of_child, procs_fd, memory_procs));
            let refusals = Refusals::of(bot, ours);
            supervisor::supervise(bot, &request, oom_control.map(File::from), refusals, &mut report);
            ExitCode::SUCCESS
        }
        Err(error) => give_up(&mut report, StartStep::Fork, error),
    }
}

/// Forks the bot into its cgroup. Where that is refused (by an old kernel, or by a filter of the host's),
/// forks it outside. Returns the bot, `None` in the bot itself, and the `cgroup.procs` through which the bot has
/// yet to join its cgroup.
fn fork_bot(
    cgroup: Option<OwnedFd>,
    procs_fd: Option<OwnedFd>,
) -> std::io::Result<(Option<Pid>, Option<OwnedFd>)> {
    Ok(match cgroup.and_then(|cgroup| kernel::fork_into(cgroup.as_fd()).ok()) {
        Some(bot) => (bot, None),
        None => (kernel::fork()?, procs_fd),
    })
}

fn take_place(request: &SpawnRequest) -> std::io::Result<()> {
    if let Some([stdin, stdout]) = request.streams {
        let gone = || std::io::Error::other("the launcher did not inherit the bot's streams");
        rustix::stdio::dup2_stdin(kernel::inherited(stdin).ok_or_else(gone)?)?;
        rustix::stdio::dup2_stdout(kernel::inherited(stdout).ok_or_else(gone)?)?;
    }
    set_parent_process_death_signal(Some(kernel::PARENT_DEATH_SIGNAL))?;
    set_child_subreaper(Pid::from_raw(1))?;
    if !request.cpus.is_empty() {
        cores::pin_this_thread(&request.cpus)?;
    }
    if request.shares_cpus {
        // Without it, games are slower but can be played.
        let _ = set_batch_policy();
    }
    Ok(())
}

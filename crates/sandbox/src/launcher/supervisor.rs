//! The bot's parent: waits, reaps, and sweeps.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use linesman_types::verdict::Limit;
use nix::sys::signalfd::SignalFd;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, getpid};

use super::kernel::{Reaped, Woken};
use super::seccomp_listener::Refusals;
use super::watchdog::Watchdog;
use super::{SpawnRequest, kernel};
use crate::report::{Breach, Ending, Message, ReportPipe};
use crate::{folder, process_tree};

/// Maximum number of passes of one sweep.
const MAX_PASSES: u32 = 10;

/// Minimum and maximum time that the sweep waits for killed processes to end before it searches again.
const SWEEP_WAIT: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

/// Waits for the bot's end or for a request to end it, and reports the end. Then ends every process below this one.
pub(super) fn supervise(
    bot: Pid,
    request: &SpawnRequest,
    oom_control: Option<File>,
    mut refusals: Refusals,
    report: &mut ReportPipe,
) {
    // Not before the fork: the child would no longer own its files in `/proc`, which it writes to.
    kernel::hide_from_others();
    // Otherwise the referee would not see the bot close its output. This may fail for lack of descriptors or of `/dev`;
    // the referee still sees the end of the bot.
    let _ = drop_streams();
    // The supervisor's working directory must not keep a folder in use.
    let _ = rustix::process::chdir("/");
    let mut watchdog = Watchdog::new(request, oom_control);
    let signals = kernel::signals_to_poll().ok();
    if signals.is_none() {
        // Without them the supervisor can't answer.
        refusals = Refusals::none();
    }
    let (mut ended, mut is_orphaned) = (false, false);
    loop {
        match kernel::reap() {
            Reaped::Child { pid, status, cpu, peak_kib } if pid == bot => {
                report_cpu_limit(request, report, status, cpu);
                // It may have exceeded a limit between two samples.
                if let Some(breach) = watchdog.peak(peak_kib).or_else(|| watchdog.measure_folders()) {
                    report.send(&Message::Breach(breach));
                }
                report_end(report, status, cpu, peak_kib);
                ended = true;
                break;
            }
            Reaped::Child { .. } => {}
            Reaped::NoneLeft => break,
            Reaped::NoneYet => {
                match wait(watchdog.interval(), signals.as_ref(), &mut refusals, report) {
                    Woken::Due => {}
                    Woken::Terminate => break,
                    Woken::Orphaned => {
                        is_orphaned = true;
                        break;
                    }
                }
                if let Some(breach) = watchdog.sample() {
                    report.send(&Message::Breach(breach));
                    break;
                }
            }
        }
    }
    is_orphaned |= sweep((!ended).then_some(bot), report);
    is_orphaned |= !request.is_child_of_referee();
    if let Some(scratch) = request.scratch.as_ref().filter(|_| is_orphaned && request.referee.is_some()) {
        // The referee would have removed it, and no other process knows of the folder.
        let _ = folder::remove(scratch);
    }
    report.send(&Message::Swept);
}

/// Replaces the bot's streams with `/dev/null`, so that the bot alone holds them.
fn drop_streams() -> std::io::Result<()> {
    let null: OwnedFd = File::options().read(true).write(true).open("/dev/null")?.into();
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// Waits for a signal, and answers refused calls meanwhile.
fn wait(
    at_most: Option<Duration>,
    signals: Option<&SignalFd>,
    refusals: &mut Refusals,
    report: &mut ReportPipe,
) -> Woken {
    let until = at_most.map(|time| kernel::now() + time);
    while let Some((signals, calls)) = signals.zip(refusals.fd()) {
        let left = until.map(|until| until.saturating_sub(kernel::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let mut fds = [PollFd::new(signals, PollFlags::IN), PollFd::from_borrowed_fd(calls, PollFlags::IN)];
        match poll(&mut fds, left.as_ref()) {
            Ok(0) | Err(_) => return Woken::Due,
            Ok(_) if !fds[0].revents().is_empty() => return kernel::wait_for_signal(Some(Duration::ZERO)),
            Ok(_) => refusals.take(report),
        }
    }
    kernel::wait_for_signal(until.map(|until| until.saturating_sub(kernel::now())))
}

fn report_end(report: &mut ReportPipe, status: i32, cpu: Duration, peak_kib: u64) {
    report.send(&Message::Ended(Ending { status: ExitStatus::from_raw(status), cpu, peak_kib }));
}

/// Kills the processes below us until none is found: one that forks and ends has a new id by the end of a slow search.
fn kill_below() {
    for _ in 0..MAX_PASSES {
        let found = process_tree::descendants(getpid());
        if found.is_empty() {
            return;
        }
        process_tree::kill_all(&found);
    }
}

/// Reports a breach if the kernel ended the bot because of its CPU time.
fn report_cpu_limit(request: &SpawnRequest, report: &mut ReportPipe, status: i32, cpu: Duration) {
    let limit = request.policy.as_ref().and_then(|policy| policy.cpu_seconds).map(Duration::from_secs);
    let signal = ExitStatus::from_raw(status).signal();
    // The kernel sends the first signal by counting ticks, and afterwards reports the time actually used,
    // which may be a little less. The second signal may come from any process.
    let is_ended = |limit: &Duration| match signal {
        Some(libc::SIGXCPU) => true,
        Some(libc::SIGKILL) => cpu >= *limit,
        _ => false,
    };
    if let Some(limit) = limit.filter(is_ended) {
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let (limit, used) = (microseconds(limit), microseconds(cpu.max(limit)));
        report.send(&Message::Breach(Breach { resource: Limit::CpuTime, limit, used }));
    }
}

/// Kills until no process is left below this one. Orphans become our children, so each is found sooner or
/// later, whatever it did to hide. Returns true if the referee died meanwhile.
fn sweep(mut bot: Option<Pid>, report: &mut ReportPipe) -> bool {
    process_tree::kill_all(bot.as_slice());
    let mut wait_for = SWEEP_WAIT[0];
    let mut is_orphaned = false;
    loop {
        loop {
            match kernel::reap() {
                Reaped::Child { pid, status, cpu, peak_kib } => {
                    if bot == Some(pid) {
                        report_end(report, status, cpu, peak_kib);
                        bot = None;
                    }
                }
                Reaped::NoneLeft => return is_orphaned,
                Reaped::NoneYet => break,
            }
        }
        // Most bots are a single process, which has been killed. Others are searched for only after it had time to end.
        if wait_for > SWEEP_WAIT[0] || bot.is_none() {
            kill_below();
        }
        is_orphaned |= kernel::wait_for_signal(Some(wait_for)) == Woken::Orphaned;
        wait_for = (wait_for * 2).min(SWEEP_WAIT[1]);
    }
}

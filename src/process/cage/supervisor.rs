//! The bot's parent: waits, reaps, and sweeps.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, getpid};

use super::kernel::{Reaped, Woken};
use super::{Report, drop_streams, kernel};
use crate::process::report::{Ending, Message};
use crate::process::tree;

/// How long the sweep waits for the killed to end before it looks again.
const SWEEP_PATIENCE: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

/// Waits for the bot's end or for the wish to end it, then leaves nothing below
/// this process. Tells the referee of the bot's end before it sweeps.
pub(super) fn supervise(bot: Pid, report: &mut Report) {
    // Without this the referee would not see the bot close its output. It can
    // fail for want of descriptors or of `/dev`; the bot's end is seen all the same.
    let _ = drop_streams();
    // Nothing of ours keeps a folder from being removed.
    let _ = rustix::process::chdir("/");
    let mut ended = false;
    loop {
        match kernel::reap() {
            Reaped::Child { pid, status, cpu, peak_kib } if pid == bot => {
                tell_end(report, status, cpu, peak_kib);
                ended = true;
                break;
            }
            Reaped::Child { .. } => {}
            Reaped::NoneLeft => break,
            Reaped::NoneYet => {
                if kernel::wait_for_signal(None) == Woken::ToEnd {
                    break;
                }
            }
        }
    }
    sweep((!ended).then_some(bot), report);
    report.tell(&Message::Swept);
}

fn tell_end(report: &mut Report, status: i32, cpu: Duration, peak_kib: u64) {
    report.tell(&Message::Ended(Ending { status: ExitStatus::from_raw(status), cpu, peak_kib }));
}

/// Kills until no process is left below this one. What loses its parent falls
/// to us, so it is found sooner or later, whatever it did to hide.
fn sweep(mut bot: Option<Pid>, report: &mut Report) {
    tree::kill_all(bot.as_slice());
    let mut patience = SWEEP_PATIENCE[0];
    loop {
        loop {
            match kernel::reap() {
                Reaped::Child { pid, status, cpu, peak_kib } => {
                    if bot == Some(pid) {
                        tell_end(report, status, cpu, peak_kib);
                        bot = None;
                    }
                }
                Reaped::NoneLeft => return,
                Reaped::NoneYet => break,
            }
        }
        // The commonest bot is one process, just killed: look no further until it had time to end.
        if patience > SWEEP_PATIENCE[0] || bot.is_none() {
            tree::kill_all(&tree::descendants(getpid()));
        }
        kernel::wait_for_signal(Some(patience));
        patience = (patience * 2).min(SWEEP_PATIENCE[1]);
    }
}

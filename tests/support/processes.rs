//! Waiting for bots that a test has started directly.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::task::Poll;

use linesman::process::isolation::{Sandbox, SandboxPlan, SandboxStatus, SlotUsers, Unavailable};
use linesman::process::{Bot, Process as _, State};

use super::LINESMAN;
use super::waiting::PATIENCE;

/// A text that no shell prints: reading until it reads to the end.
pub const TO_ITS_END: &str = "\u{0}";

/// Runs a future to its end.
pub fn on_runtime<T>(work: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    // Only a hanging test reaches this timeout.
    runtime.block_on(async { tokio::time::timeout(2 * PATIENCE, work).await.expect("no hang") })
}

/// Returns the status of a sandbox on this host.
pub fn sandbox_status(sandbox: Sandbox) -> Result<SandboxStatus, Vec<Unavailable>> {
    let (launcher, temporary) = (Path::new(LINESMAN), Path::new("/tmp"));
    SandboxPlan::find(sandbox, launcher, temporary, SlotUsers::default()).confirm()
}

/// Reads the bot's output until it contains a text or ends.
pub async fn read_until(bot: &Bot, text: &str) -> String {
    let (mut all, mut buffer) = (Vec::new(), [0; 1024]);
    while !String::from_utf8_lossy(&all).contains(text) {
        let count =
            poll_fn(|context| bot.stdout.poll_read(context, &mut buffer)).await.expect("a pipe can be read");
        if count == 0 {
            break;
        }
        all.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8(all).expect("shells print UTF-8")
}

/// Waits until the bot's main process has ended, and returns its state.
pub async fn end(bot: &Bot) -> State {
    poll_fn(|context| {
        bot.wake_on_news(context.waker());
        match bot.state() {
            State::Running => Poll::Pending,
            state => Poll::Ready(state),
        }
    })
    .await
}

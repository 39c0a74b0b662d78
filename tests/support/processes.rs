//! Waiting for bots that a test has started itself.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::task::Poll;

use linesman::process::isolation::{Sandbox, SandboxPlan, SandboxStatus, SlotUsers, Unavailable};
use linesman::process::{Bot, Process as _, State};

use super::LINESMAN;
use super::waiting::PATIENCE;

/// What no shell prints: reading until it comes is reading to the end.
pub const TO_ITS_END: &str = "\u{0}";

/// Runs a test's work to its end.
pub fn on_runtime<T>(work: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    // Only a test that would hang for ever gets there.
    runtime.block_on(async { tokio::time::timeout(2 * PATIENCE, work).await.expect("no hang") })
}

/// What holds of a sandbox on this host.
pub fn sandbox_status(sandbox: Sandbox) -> Result<SandboxStatus, Vec<Unavailable>> {
    let (launcher, temporary) = (Path::new(LINESMAN), Path::new("/tmp"));
    SandboxPlan::find(sandbox, launcher, temporary, SlotUsers::default()).confirm()
}

/// Reads the bot's output until a text stands in it or it ends.
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

/// Waits until the bot's main process has ended, and says how.
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

//! This machine for a thread that plays several games.
//!
//! Such a thread waits for the bots of all its games at once: one system call returns many answers, and the thread
//! switches between its games without the kernel's help. `benches/README.md` has the measurements.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use arrayvec::ArrayVec;
use tokio::time::{Sleep, sleep_until, timeout};

use crate::event_count::EventCount;
use crate::runtime::{Runtime, ThreadRuntime, now};
use linesman_sandbox::{Bot, Command, Interest, Leaked, MAX_INTERESTS, StartError, StartStep, Termination};

/// This machine for one of the games of a thread. Its futures need a single-threaded runtime.
#[derive(Debug)]
pub struct SharedRuntime {
    thread: Rc<ThreadRuntime>,
    alarm: RefCell<Pin<Box<Sleep>>>,
    is_armed: Cell<bool>,
}

impl SharedRuntime {
    /// Creates a runtime for each of this thread's games; `games` is their number.
    ///
    /// # Panics
    /// If it is called outside a tokio runtime.
    pub fn for_this_thread(games: usize) -> Vec<SharedRuntime> {
        let thread = Rc::new(ThreadRuntime::without_alarm());
        let runtime = |_| SharedRuntime {
            thread: Rc::clone(&thread),
            alarm: RefCell::new(Box::pin(sleep_until(now().into()))),
            is_armed: Cell::new(false),
        };
        (0..games).map(runtime).collect()
    }

    fn poll_alarm(&self, context: &mut Context<'_>) -> Poll<()> {
        // Polled each time, because a task that has used up its budget is put off before the alarm is registered.
        if self.is_armed.get() { self.alarm.borrow_mut().as_mut().poll(context) } else { Poll::Pending }
    }
}

impl Runtime for SharedRuntime {
    type Bot = Bot;

    fn thread(&self) -> Option<&ThreadRuntime> {
        Some(&self.thread)
    }

    async fn start(&self, command: Command) -> Result<Bot, StartError> {
        let bot = Bot::start(command).await?;
        match bot.stdout.hand_to_this_runtime() {
            Ok(()) => Ok(bot),
            Err(error) => Err(StartError::Host { step: StartStep::Launch, error: error.to_string() }),
        }
    }

    async fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, Bot>>,
        at_most: Duration,
    ) -> io::Result<()> {
        let interests: ArrayVec<Interest<'a, Bot>, MAX_INTERESTS> = interests.collect();
        let ready = poll_fn(|context| {
            for interest in &interests {
                let ready = match interest {
                    Interest::Output(bot) => bot.stdout.poll_ready(context),
                    Interest::Room(bot) => bot.poll_room(context),
                };
                if ready.is_ready() {
                    return ready;
                }
            }
            self.poll_alarm(context).map(Ok)
        });
        timeout(at_most, ready).await.unwrap_or(Ok(()))
    }

    async fn hear(&self, bot: &Bot, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        poll_fn(|context| match bot.stdout.poll_read(context, buffer) {
            Poll::Ready(count) => Poll::Ready(count.map(Some)),
            Poll::Pending => self.poll_alarm(context).map(|()| Ok(None)),
        })
        .await
    }

    fn may_have_output(&self, bot: &Bot) -> bool {
        bot.stdout.was_ready()
    }

    async fn wait_for_end(&self, termination: Termination) -> Leaked {
        termination.over().await
    }

    async fn listen(&self, events: &EventCount, since: u64) {
        events.heard(since).await;
    }

    fn has_alarm(&self) -> bool {
        true
    }

    fn set_alarm(&self, after: Duration) {
        let moment = now() + after;
        self.alarm.borrow_mut().as_mut().reset(moment.into());
        self.is_armed.set(true);
    }

    fn silence_alarm(&self) {
        self.is_armed.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::runtime::Builder;
    use tokio::sync::mpsc::unbounded_channel;
    use tokio::task::{LocalSet, coop};

    #[test]
    fn an_alarm_goes_off_for_a_task_that_had_used_up_its_budget() {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let local = LocalSet::new();
        let game = local.run_until(async {
            let shared = SharedRuntime::for_this_thread(1).pop().expect("there is one");
            shared.set_alarm(Duration::from_millis(20));
            let (sender, mut flood) = unbounded_channel();
            (0..10_000).for_each(|line| sender.send(line).expect("it is heard"));
            let mut has_heard = false;
            let game = tokio::task::spawn_local(poll_fn(move |context| {
                while !has_heard && coop::has_budget_remaining() {
                    assert!(flood.poll_recv(context).is_ready());
                }
                has_heard = true;
                shared.poll_alarm(context)
            }));
            timeout(Duration::from_secs(60), game).await
        });
        runtime.block_on(game).expect("it goes off long before").expect("nobody panics");
        drop(local);
    }
}

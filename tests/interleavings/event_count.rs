//! Checks of threads and tasks that wait for ended games.

#[path = "../../crates/driver/src/event_count.rs"]
mod checked;

mod sync {
    pub(super) use shuttle::sync::{Condvar, Mutex};
    pub(super) use std::sync::PoisonError;
}

mod tokio_sync {
    use shuttle::thread::yield_now;

    /// Tokio's `Notify`. Its methods are single steps, before which other threads can run.
    #[derive(Debug, Default)]
    pub(super) struct Notify(tokio::sync::Notify);

    impl Notify {
        pub(super) fn notified(&self) -> tokio::sync::futures::Notified<'_> {
            yield_now();
            self.0.notified()
        }

        pub(super) fn notify_waiters(&self) {
            yield_now();
            self.0.notify_waiters();
        }
    }
}

mod tokio_time {
    use std::convert::Infallible;
    use std::time::Duration;

    /// No time passes.
    pub(super) async fn timeout<F: Future>(_: Duration, future: F) -> Result<F::Output, Infallible> {
        Ok(future.await)
    }
}

use std::sync::Arc;

use checked::EventCount;
use shuttle::future::block_on;

use super::{check, thread};

/// Waits with `wait` until all increments made by two other threads were noticed.
fn no_increment_is_lost(wait: fn(&EventCount, u64)) {
    let count = Arc::new(EventCount::default());
    let waiting: Vec<_> = (0..2)
        .map(|_| {
            let count = Arc::clone(&count);
            thread::spawn(move || {
                let mut seen = 0;
                while seen < 4 {
                    wait(&count, seen);
                    seen = count.value();
                }
            })
        })
        .collect();
    let counting: Vec<_> = (0..2)
        .map(|_| {
            let count = Arc::clone(&count);
            thread::spawn(move || (0..2).for_each(|_| count.increment()))
        })
        .collect();
    for thread in waiting.into_iter().chain(counting) {
        thread.join().expect("no thread panics");
    }
}

#[test]
fn no_increment_is_lost_by_a_thread() {
    check(|| no_increment_is_lost(EventCount::wait));
}

#[test]
fn no_increment_is_lost_on_a_runtime() {
    check(|| no_increment_is_lost(|count, since| block_on(count.heard(since))));
}

//! Events for programs: a line of JSON for each event, on stdout.
//!
//! A separate thread writes them, so the thread that emits them never waits. If the reader is slow, the number of
//! queued bytes is bounded, and further events are dropped and counted. A reader that closes the pipe does not stop
//! the run.

mod format;
mod stream;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::Serialize;

use super::env;
use super::error::{Exit, Failure};
pub(crate) use format::{Event, Length, Test};
use format::{Gap, RunFinished, Warning};
pub(crate) use stream::{EventStream, standings};

/// Maximum number of bytes in the queue.
const MAX_QUEUED: usize = 16 << 20;

/// Maximum number of bytes in one write.
const CHUNK: usize = 16 << 10;

/// Maximum time at the end between two writes to a slow reader.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// The event stream. Clones share one reader.
#[derive(Clone, Debug)]
pub(crate) struct Events(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    writer: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Queue {
    lines: VecDeque<String>,
    bytes: usize,
    /// Number of events dropped since the last one in the queue.
    lost: u64,
    writes: u64,
    /// True if no more events follow.
    is_closed: bool,
    /// True if the reader has closed the pipe.
    is_gone: bool,
    /// True if everything is written.
    is_done: bool,
    /// The status of the run that the last event reports, if known.
    status: Option<&'static str>,
}

impl Events {
    pub(crate) fn on_stdout() -> io::Result<Events> {
        Events::to(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }

    /// Starts the event stream to a reader.
    fn to(mut reader: impl Write + Send + 'static) -> io::Result<Events> {
        let shared =
            Arc::new(Shared { queue: Mutex::default(), changed: Condvar::new(), writer: Mutex::new(None) });
        let writers = Arc::clone(&shared);
        let writer = std::thread::Builder::new()
            .name("events".to_owned())
            .spawn(move || writers.write_all(&mut reader))?;
        *shared.writer.lock().unwrap_or_else(PoisonError::into_inner) = Some(writer);
        Ok(Events(shared))
    }

    pub(crate) fn emit(&self, event: &Event) {
        let mut queue = self.0.queue();
        if queue.is_closed || queue.is_gone {
            return;
        }
        if queue.bytes < MAX_QUEUED / 2 {
            queue.push_gap();
        }
        if queue.lost > 0 || queue.bytes >= MAX_QUEUED {
            queue.lost += 1;
            return;
        }
        queue.push(event);
        drop(queue);
        self.0.changed.notify_all();
    }

    pub(crate) fn warning(&self, text: String) {
        self.emit(&Event::Warning(Warning { text }));
    }

    /// Sets the status of the run that the last event reports.
    pub(crate) fn set_status(&self, status: &'static str) {
        self.0.queue().status = Some(status);
    }

    /// Emits the end of the command and waits until everything is written, with a timeout for a reader that does
    /// not read. Returns true if everything was written.
    pub(crate) fn finish(&self, exit: Exit, failure: Option<&Failure>) -> bool {
        let mut queue = self.0.queue();
        if !queue.is_closed && !queue.is_gone {
            let error = failure.map(|failure| failure.parts().what.clone());
            let status = match (failure, queue.status) {
                (None, Some(status)) => status,
                (None, None) if exit != Exit::Bug => "complete",
                _ => "failed",
            };
            queue.push_gap();
            let end = RunFinished { status: status.to_owned(), exit: exit.code(), error };
            queue.push(&Event::RunFinished(end));
        }
        queue.is_closed = true;
        self.0.changed.notify_all();
        loop {
            let before = queue.writes;
            let (now, waited) = self
                .0
                .changed
                .wait_timeout_while(queue, WRITE_TIMEOUT, |queue| !queue.is_done && queue.writes == before)
                .unwrap_or_else(PoisonError::into_inner);
            queue = now;
            if queue.is_done || waited.timed_out() {
                break;
            }
        }
        let (is_done, is_gone) = (queue.is_done, queue.is_gone);
        drop(queue);
        if is_done {
            let writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
            // The thread does nothing that could panic.
            let _ = writer.map(JoinHandle::join);
        }
        is_done && !is_gone
    }
}

impl Queue {
    fn push(&mut self, event: &Event) {
        let line = line(event);
        self.bytes += line.len();
        self.lines.push_back(line);
    }

    /// Queues the number of dropped events, if there are any.
    fn push_gap(&mut self) {
        if self.lost > 0 {
            let lost = std::mem::take(&mut self.lost);
            self.push(&Event::Gap(Gap { lost }));
        }
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // The queue is consistent even after a panic.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_all(&self, reader: &mut impl Write) {
        let mut queue = self.queue();
        loop {
            queue = self
                .changed
                .wait_while(queue, |queue| queue.lines.is_empty() && !queue.is_closed)
                .unwrap_or_else(PoisonError::into_inner);
            let mut chunk = String::new();
            while chunk.len() < CHUNK
                && let Some(line) = queue.lines.pop_front()
            {
                chunk.push_str(&line);
            }
            if chunk.is_empty() {
                break;
            }
            drop(queue);
            let written = reader.write_all(chunk.as_bytes()).and_then(|()| reader.flush());
            queue = self.queue();
            queue.bytes -= chunk.len();
            queue.writes += 1;
            self.changed.notify_all();
            if written.is_err() {
                queue.is_gone = true;
                queue.lines.clear();
                break;
            }
        }
        queue.is_done = true;
        drop(queue);
        self.changed.notify_all();
    }
}

/// The line of an event, with the time.
fn line(event: &Event) -> String {
    #[derive(Serialize)]
    struct Line<'e> {
        at: String,
        #[serde(flatten)]
        event: &'e Event,
    }
    let line = Line { at: env::now_text(), event };
    serde_json::to_string(&line).expect("what is told has only text for keys") + "\n"
}

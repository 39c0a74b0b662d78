//! The status of a slot's game for other threads. No game ever waits for it.
//!
//! A viewer [asks](StatusProbe::ask), and the thread that plays answers at the game's next beat at the latest, within a
//! tenth of a second. While nobody asks, the cost is one check of a flag for each event of the game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use linesman_referee::Status;

/// A probe of a slot's game. Clones share the question and the answer.
#[derive(Clone, Debug, Default)]
pub struct StatusProbe(Arc<ProbeState>);

#[derive(Debug, Default)]
struct ProbeState {
    is_asked: AtomicBool,
    seen: Mutex<Option<Status>>,
}

impl StatusProbe {
    /// Asks for the status of the slot's game.
    pub fn ask(&self) {
        self.0.is_asked.store(true, Ordering::Relaxed);
    }

    /// Returns true if the last question was answered, which happens only during games.
    pub fn is_answered(&self) -> bool {
        !self.0.is_asked.load(Ordering::Acquire)
    }

    /// The last answer, which may be about an earlier game.
    pub fn seen(&self) -> Option<Status> {
        self.0.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Answers if there is a question, unless a thread is reading the last answer. That thread gets the next answer.
    pub(super) fn answer(&self, status: impl FnOnce() -> Status) {
        if !self.0.is_asked.load(Ordering::Relaxed) {
            return;
        }
        if let Ok(mut seen) = self.0.seen.try_lock() {
            *seen = Some(status());
            self.0.is_asked.store(false, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_referee::{Doing, GameTime};

    fn status() -> Status {
        Status { id: "a~b~1".to_owned(), at: GameTime::default(), plies: 3, doing: Doing::Over }
    }

    #[test]
    fn a_question_is_answered_once_and_nobody_waits() {
        let status_probe = StatusProbe::default();
        status_probe.answer(|| panic!("nobody has asked"));
        status_probe.ask();
        assert!(!status_probe.is_answered());
        {
            let _looking = status_probe.0.seen.lock().expect("nobody panicked");
            status_probe.answer(|| panic!("somebody is looking"));
        }
        assert!(!status_probe.is_answered() && status_probe.seen().is_none());
        status_probe.answer(status);
        assert!(status_probe.is_answered());
        assert_eq!(status_probe.seen(), Some(status()));
        status_probe.answer(|| panic!("it was answered"));
    }
}

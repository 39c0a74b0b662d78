//! Aborts a simulation that hangs.

use std::io::Write;
use std::process::abort;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use linesman::league::file::Ponder;

/// The number of looks after which a league, which takes milliseconds, is hanging.
/// Looks are counted, not time, because the process itself can be stopped.
const MAX_LOOKS: u32 = 30;

const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// Watches the leagues that another thread plays, until it is dropped.
pub struct Watchdog(Sender<u64>);

impl Watchdog {
    pub fn start(ponder: Ponder) -> Watchdog {
        let (sender, seeds) = channel();
        std::thread::spawn(move || watch(&seeds, ponder));
        Watchdog(sender)
    }

    /// Notes that the league of a seed starts.
    pub fn look_at(&self, seed: u64) {
        self.0.send(seed).expect("it ends when nobody sends any more");
    }
}

fn watch(seeds: &Receiver<u64>, ponder: Ponder) {
    let (mut seed, mut looks) = (None, 0);
    loop {
        match seeds.recv_timeout(BETWEEN_LOOKS) {
            Ok(next) => (seed, looks) = (Some(next), 0),
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => looks += 1,
        }
        if let Some(seed) = seed.filter(|_| looks >= MAX_LOOKS) {
            // Not `eprintln!`, which a test only shows after its end.
            let again = crate::again(seed, ponder);
            let _ = writeln!(std::io::stderr(), "seed {seed} fails: it does not end; again: {again}");
            // A panic of this thread would not end the other.
            abort();
        }
    }
}

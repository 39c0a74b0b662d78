//! The signals by which people stop a run, or ask for its state.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio::signal::unix::{SignalKind, signal};

use crate::cli::error::{Exit, Failure};
use crate::cli::live::messages;
use crate::process::suspend;

/// The messages when a user stops a run, once and again.
pub(crate) const FINISHING: &str = "stopping after the running games; press Ctrl-C again to abort them";
pub(crate) const ABORTING: &str = "stopping: the running games are aborted";

/// A signal that came.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// A request that the program end.
    Terminate,
    /// The program's terminal is gone.
    HangUp,
}

impl Signal {
    /// Its number, as exit statuses tell it.
    pub(crate) fn number(self) -> u8 {
        match self {
            Signal::HangUp => 1,
            Signal::Interrupt => 2,
            Signal::Terminate => 15,
        }
    }
}

/// The exit of work that was stopped, perhaps by this signal.
pub(crate) fn exit_after(signal: Option<&Signal>) -> Exit {
    signal.map_or(Exit::Stopped, |signal| Exit::Signal(signal.number()))
}

/// Ensures that SIGUSR1, a request for the state of the games, never ends the program, even before the first game.
pub(crate) fn heed() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    // If that is not possible, no game can be played either, which is reported then.
    let _ = runtime.map(|runtime| {
        let _entered = runtime.enter();
        signal(SignalKind::user_defined1())
    });
}

/// Calls `ask` at each signal that asks for an end. Returns the place in which the first signal is stored.
pub(crate) fn listen_for_end(ask: impl Fn() + Send + 'static) -> Result<Arc<OnceLock<Signal>>, Failure> {
    let first = Arc::new(OnceLock::new());
    let by = Arc::clone(&first);
    let listening = listen(move |signal| {
        let _ = by.set(signal);
        ask();
    });
    match listening {
        Ok(()) => Ok(first),
        Err(error) => Err(Failure::wrong("can't set up signal handling").cause(error)),
    }
}

/// Calls `tell` for each signal, in a thread of its own, as long as the program lives.
pub(crate) fn listen(tell: impl Fn(Signal) + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let (mut interrupt, mut terminate, mut hang_up, mut stop, mut what_now) = {
        let _entered = runtime.enter();
        (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
            signal(SignalKind::from_raw(libc::SIGTSTP))?,
            signal(SignalKind::user_defined1())?,
        )
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            loop {
                let came = tokio::select! {
                    Some(()) = stop.recv() => {
                        // Ctrl-Z: bots that went on thinking meanwhile would have more time than others.
                        messages::pause();
                        suspend();
                        messages::go_on();
                        continue;
                    }
                    Some(()) = what_now.recv() => {
                        messages::what_now();
                        continue;
                    }
                    came = interrupt.recv() => came.map(|()| Signal::Interrupt),
                    came = terminate.recv() => came.map(|()| Signal::Terminate),
                    came = hang_up.recv() => came.map(|()| Signal::HangUp),
                };
                match came {
                    Some(signal) => tell(signal),
                    None => return,
                }
            }
        });
    })?;
    Ok(())
}

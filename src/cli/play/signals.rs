//! The signals with which people stop a run or ask for its status.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio::signal::unix::{SignalKind, signal};

use crate::cli::env;
use crate::cli::error::{Exit, Failure};
use crate::cli::live::messages;
use crate::cli::ui::Ui;
use crate::process::suspend;

/// The messages when a user stops a run for the first and for the second time.
pub(crate) const FINISHING: &str = "stopping after the running games; press Ctrl-C again to abort them";
pub(crate) const ABORTING: &str = "stopping: the running games are aborted";

/// A signal that asks the program to end.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Signal {
    /// The program's terminal is gone.
    HangUp = 1,
    /// Ctrl-C.
    Interrupt = 2,
    Terminate = 15,
}

impl Signal {
    /// Its number, which is part of exit statuses.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }
}

/// The exit of work that was stopped, perhaps by this signal.
pub(crate) fn exit_after(signal: Option<&Signal>) -> Exit {
    signal.map_or(Exit::Stopped, |signal| Exit::Signal(signal.number()))
}

/// Says how to go on with a run that was stopped, and returns the exit status.
pub(crate) fn stopped(ui: &Ui) -> Exit {
    ui.note(format_args!("stopped; to continue, run: {}", env::command_line()));
    Exit::Stopped
}

/// Ensures that SIGUSR1, a request for the status of the games, never ends the program, even before the first game.
pub(crate) fn catch_status_signal() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    // If this fails, so does the first game, and that failure is reported.
    let _ = runtime.map(|runtime| {
        let _entered = runtime.enter();
        signal(SignalKind::user_defined1())
    });
}

/// Calls `stop` for each signal. Returns the cell that stores the first signal.
pub(crate) fn listen_for_end(stop: impl Fn() + Send + 'static) -> Result<Arc<OnceLock<Signal>>, Failure> {
    let first = Arc::new(OnceLock::new());
    let stopped_by = Arc::clone(&first);
    let listening = listen(move |signal| {
        let _ = stopped_by.set(signal);
        stop();
    });
    listening.map_err(|error| Failure::wrong("can't set up signal handling").cause(error))?;
    Ok(first)
}

/// Calls `on_signal` for each signal, in a separate thread, until the program ends.
pub(crate) fn listen(on_signal: impl Fn(Signal) + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let (mut interrupt, mut terminate, mut hang_up, mut suspend_request, mut status_request) = {
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
                let signal = tokio::select! {
                    Some(()) = suspend_request.recv() => {
                        // Ctrl-Z also suspends the bots: thinking on would give them more time than others.
                        messages::pause();
                        suspend();
                        messages::resume();
                        continue;
                    }
                    Some(()) = status_request.recv() => {
                        messages::print_status();
                        continue;
                    }
                    received = interrupt.recv() => received.map(|()| Signal::Interrupt),
                    received = terminate.recv() => received.map(|()| Signal::Terminate),
                    received = hang_up.recv() => received.map(|()| Signal::HangUp),
                };
                match signal {
                    Some(signal) => on_signal(signal),
                    None => return,
                }
            }
        });
    })?;
    Ok(())
}

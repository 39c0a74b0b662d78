//! The full-screen terminal: its keys and signals, and its restoration however the program ends.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use ratatui::{DefaultTerminal, Frame};
use rustix::process::{Signal, kill_current_process_group};
use tokio::signal::unix::{SignalKind, signal};

use super::library::Library;
use super::look::Look;
use super::screen::{Effect, Screen};
use super::{analysis, draw};
use crate::cli::error::{Exit, Failure};
use crate::report::replay::Replay;

pub(in crate::cli) enum Message {
    Key(KeyEvent),
    /// The size of the terminal has changed, or it sent something that is not a key.
    Changed,
    /// A signal asks the program to end.
    Signal(u8),
    Gone,
}

/// Shows games until the user leaves. If `nodes` is given, games are analyzed with this number of positions per search.
pub(super) fn run(
    library: &Library,
    number: usize,
    replay: Replay,
    (look, nodes): (Look, Option<u64>),
) -> Result<Exit, Failure> {
    let (sender, messages) = mpsc::channel();
    listen_for_signals(sender.clone()).map_err(cant)?;
    let mut terminal = FullScreen::with_keys(sender)?;
    let mut screen = Screen::new(replay, number, library.games());
    loop {
        terminal.draw(|frame| draw::draw(frame, &screen, look))?;
        let message = match screen.interval() {
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(interval) => messages.recv_timeout(interval),
        };
        let effect = match message {
            Ok(Message::Key(key)) => screen.press(key),
            Ok(Message::Changed) => Effect::Redraw,
            Ok(Message::Signal(signal)) => return Ok(Exit::Signal(signal)),
            Err(RecvTimeoutError::Timeout) => {
                screen.tick();
                Effect::Redraw
            }
            Ok(Message::Gone) | Err(RecvTimeoutError::Disconnected) => Effect::Leave,
        };
        match effect {
            Effect::Redraw => {}
            Effect::Leave => return Ok(Exit::Done),
            Effect::Interrupt => return Ok(Exit::Signal(2)),
            Effect::Suspend => {
                drop(terminal);
                // Returns when the shell continues this program, or at once if there is no shell to stop it.
                let _ = kill_current_process_group(Signal::TSTP);
                terminal = FullScreen::take()?;
            }
            Effect::Open(number) => screen.open(load(library, number, nodes), number),
        }
    }
}

/// Loads a game of the file, or returns the reason why it can't be shown.
fn load(library: &Library, number: usize, nodes: Option<u64>) -> Result<Replay, String> {
    let in_words = |failure: Failure| failure.parts().what.clone();
    let found = library.by_number(number).map_err(in_words)?;
    let mut replay = Replay::new(&found.record).map_err(|error| error.to_string())?;
    if let Some(nodes) = nodes {
        analysis::mark(&mut replay, &found.record, nodes).map_err(in_words)?;
    }
    Ok(replay)
}

/// The terminal in full-screen mode. Dropping it restores the terminal; so does a panic, before its message is printed.
pub(in crate::cli) struct FullScreen(DefaultTerminal);

impl FullScreen {
    pub(in crate::cli) fn take() -> Result<FullScreen, Failure> {
        ratatui::try_init().map(FullScreen).map_err(|error| {
            // The terminal may be half taken over. An error of restoring it matters less than the first one.
            let _ = ratatui::try_restore();
            cant(error)
        })
    }

    /// Takes the terminal, and sends its keys from now on.
    pub(in crate::cli) fn with_keys(
        messages: Sender<impl From<Message> + Send + 'static>,
    ) -> Result<FullScreen, Failure> {
        let terminal = FullScreen::take()?;
        // Polling once ensures that no key and no change of size is missed from the first drawing on.
        event::poll(Duration::ZERO).map_err(cant)?;
        thread::spawn(move || listen_for_keys(&messages));
        Ok(terminal)
    }

    pub(in crate::cli) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), Failure> {
        self.0.draw(draw).map(drop).map_err(cant)
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        // A terminal that is gone can't be restored.
        let _ = self.0.show_cursor();
        let _ = ratatui::try_restore();
    }
}

fn cant(error: io::Error) -> Failure {
    Failure::new(Exit::Wrong, "can't use the terminal").cause(error)
}

/// Sends keys and changes of the terminal until the receiver or the terminal is gone.
fn listen_for_keys(messages: &Sender<impl From<Message>>) {
    loop {
        let message = match event::read() {
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Message::Key(key),
            Ok(_) => Message::Changed,
            Err(_) => Message::Gone,
        };
        let gone = matches!(message, Message::Gone);
        if messages.send(message.into()).is_err() || gone {
            return;
        }
    }
}

/// Turns signals that would end the program into messages from now on.
pub(in crate::cli) fn listen_for_signals(
    messages: Sender<impl From<Message> + Send + 'static>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let _context = runtime.enter();
    let [mut interrupt, mut terminate, mut hangup] =
        [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?];
    drop(_context);
    thread::spawn(move || {
        runtime.block_on(async {
            loop {
                let number = tokio::select! {
                    _ = interrupt.recv() => 2,
                    _ = terminate.recv() => 15,
                    _ = hangup.recv() => 1,
                };
                if messages.send(Message::Signal(number).into()).is_err() {
                    return;
                }
            }
        });
    });
    Ok(())
}

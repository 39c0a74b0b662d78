//! The terminal while a game fills it: taken over, listened to, and restored, however the program ends.

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

/// An event at the terminal.
pub(in crate::cli) enum Message {
    Key(KeyEvent),
    /// The size of the terminal has changed, or it sent something that is not a key.
    Changed,
    /// The program is to end: a signal.
    Signal(u8),
    /// The terminal is gone.
    Gone,
}

/// Shows games until the viewer leaves. If `nodes` is given, each is analyzed with this number of positions a search.
pub(super) fn run(
    library: &Library,
    number: usize,
    replay: Replay,
    (look, nodes): (Look, Option<u64>),
) -> Result<Exit, Failure> {
    let (sender, messages) = mpsc::channel();
    let cant = |error: io::Error| Failure::new(Exit::Wrong, "can't use the terminal").cause(error);
    listen_for_signals(sender.clone()).map_err(cant)?;
    let mut held = Held::take().map_err(cant)?;
    // From the first picture on, no key and no change of size is missed.
    event::poll(Duration::ZERO).map_err(cant)?;
    thread::spawn(move || listen_for_keys(&sender));

    let mut screen = Screen::new(replay, number, library.games());
    loop {
        held.draw(|frame| draw::draw(frame, &screen, look)).map_err(cant)?;
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
                drop(held);
                // Returns when the shell continues this program, or at once if there is no shell to stop it.
                let _ = kill_current_process_group(Signal::TSTP);
                held = Held::take().map_err(cant)?;
            }
            Effect::Open(number) => screen.open(load(library, number, nodes), number),
        }
    }
}

/// A game of the file, or in words why it can't be shown.
fn load(library: &Library, number: usize, nodes: Option<u64>) -> Result<Replay, String> {
    let in_words = |failure: Failure| failure.parts().what.clone();
    let found = library.by_number(number).map_err(in_words)?;
    let mut replay = Replay::new(&found.record).map_err(|error| error.to_string())?;
    if let Some(nodes) = nodes {
        analysis::mark(&mut replay, &found.record, nodes).map_err(in_words)?;
    }
    Ok(replay)
}

/// The terminal, under this program's control until this is dropped. A panic also restores it, before its
/// message is printed.
pub(in crate::cli) struct Held(DefaultTerminal);

impl Held {
    pub(in crate::cli) fn take() -> io::Result<Held> {
        ratatui::try_init().map(Held).inspect_err(|_| {
            // A terminal that was only half taken over is restored too; the first error is the one that
            // counts.
            let _ = ratatui::try_restore();
        })
    }

    pub(in crate::cli) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.0.draw(draw).map(|_| ())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // A terminal that is gone can't be restored.
        let _ = self.0.show_cursor();
        let _ = ratatui::try_restore();
    }
}

/// Reports keys and changes of the terminal, until the receiver or the terminal is gone.
pub(in crate::cli) fn listen_for_keys(messages: &Sender<impl From<Message>>) {
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

/// After this returns, signals that would end the program become messages.
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

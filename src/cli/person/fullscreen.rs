//! Playing in full screen.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event;

use super::draw;
use super::events::{Leaving, PersonEvent};
use super::game::Terms;
use super::screen::{KeyEffect, PlayScreen};
use super::suggest;
use super::table::Controls;
use crate::cli::error::{Exit, Failure};
use crate::cli::replay::look::Look;
use crate::cli::replay::terminal::{FullScreen, Message, listen_for_keys};
use crate::process::suspend;
use crate::referee::driver::now;

/// The interval at which clocks are redrawn.
const TICK: Duration = Duration::from_millis(500);

/// Plays until the person leaves.
pub(super) fn play(
    terms: &Terms,
    controls: &Arc<Controls>,
    (sender, events): (Sender<PersonEvent>, &Receiver<PersonEvent>),
    look: Look,
) -> Result<Leaving, Failure> {
    let cant = |error: io::Error| Failure::new(Exit::Wrong, "can't use the terminal").cause(error);
    let mut terminal = FullScreen::take().map_err(cant)?;
    // Polling once ensures that no key and no change of size is missed from the first drawing on.
    event::poll(Duration::ZERO).map_err(cant)?;
    let keys = sender.clone();
    thread::spawn(move || listen_for_keys(&keys));
    let mut screen = PlayScreen::new(terms);
    loop {
        terminal.draw(|frame| draw::draw(frame, &screen, now(), look)).map_err(cant)?;
        let event = if screen.has_clock() {
            events.recv_timeout(TICK)
        } else {
            events.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        match effect_of(&mut screen, event) {
            KeyEffect::Redraw => {}
            KeyEffect::Play(mv) => controls.answer(&format!("bestmove {mv}")),
            KeyEffect::TakeBack(left) => controls.take_back(left),
            KeyEffect::Resign => controls.answer("bestmove resign"),
            KeyEffect::Suggest => start_hint(&mut screen, controls, sender.clone()),
            KeyEffect::NextGame => controls.start_next_game(),
            KeyEffect::Leave if screen.is_closed => return Ok(Leaving::Played),
            KeyEffect::Leave => return Ok(Leaving::Left),
            KeyEffect::Interrupt(signal) => return Ok(Leaving::Signal(signal)),
            KeyEffect::Suspend => {
                drop(terminal);
                // This also stops the bots, and returns when the shell continues the program.
                suspend();
                terminal = FullScreen::take().map_err(cant)?;
            }
        }
    }
}

/// Handles an event. Returns its effect.
fn effect_of(screen: &mut PlayScreen<'_>, event: Result<PersonEvent, RecvTimeoutError>) -> KeyEffect {
    match event {
        Ok(PersonEvent::Terminal(Message::Key(key))) => screen.press(key),
        Ok(PersonEvent::Terminal(Message::Signal(signal))) => KeyEffect::Interrupt(signal),
        Ok(PersonEvent::Terminal(Message::Gone)) | Err(RecvTimeoutError::Disconnected) => KeyEffect::Leave,
        Ok(PersonEvent::Table(event)) => {
            screen.handle(event);
            KeyEffect::Redraw
        }
        Ok(PersonEvent::Suggested { moves, suggestion }) => {
            screen.suggested(moves, &suggestion);
            KeyEffect::Redraw
        }
        Ok(PersonEvent::Closed) => {
            screen.is_closed = true;
            // Without a finished game, there is nothing to show.
            if screen.game.as_ref().is_none_or(|game| game.record.is_none()) {
                KeyEffect::Leave
            } else {
                KeyEffect::Redraw
            }
        }
        // In full screen, keys are read instead of lines.
        Ok(PersonEvent::Terminal(Message::Changed) | PersonEvent::Typed(_) | PersonEvent::InputOver)
        | Err(RecvTimeoutError::Timeout) => KeyEffect::Redraw,
    }
}

/// Starts the search for a hint.
fn start_hint(screen: &mut PlayScreen<'_>, controls: &Controls, events: Sender<PersonEvent>) {
    match screen.game.as_ref().map(|game| suggest::begin(game, screen.terms, events)) {
        Some(Ok(())) => controls.count_hint(),
        Some(Err(error)) => screen.message = format!("no hint is available: {error}"),
        None => {}
    }
}

//! Playing in full screen.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use super::draw;
use super::events::{Leaving, PersonEvent};
use super::game::Terms;
use super::screen::{KeyEffect, PlayScreen};
use super::suggest;
use super::table::Controls;
use crate::cli::error::Failure;
use crate::cli::replay::look::Look;
use crate::cli::replay::terminal::{FullScreen, Message};
use crate::process::suspend;
use crate::referee::driver::now;

/// The interval at which clocks are redrawn.
const TICK: Duration = Duration::from_millis(500);

pub(super) fn play(
    terms: &Terms,
    controls: &Arc<Controls>,
    (sender, events): (Sender<PersonEvent>, &Receiver<PersonEvent>),
    look: Look,
) -> Result<Leaving, Failure> {
    let mut terminal = FullScreen::with_keys(sender.clone())?;
    let mut screen = PlayScreen::new(terms);
    loop {
        terminal.draw(|frame| draw::draw(frame, &screen, now(), look))?;
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
            KeyEffect::Suggest => {
                match screen.game.as_ref().map(|game| suggest::begin(game, terms, sender.clone())) {
                    Some(Ok(())) => controls.count_hint(),
                    Some(Err(error)) => screen.message = format!("no hint is available: {error}"),
                    None => {}
                }
            }
            KeyEffect::NextGame => controls.start_next_game(),
            KeyEffect::Leave if screen.is_closed => return Ok(Leaving::Played),
            KeyEffect::Leave => return Ok(Leaving::Left),
            KeyEffect::Interrupt(signal) => return Ok(Leaving::Signal(signal)),
            KeyEffect::Suspend => {
                drop(terminal);
                // This also stops the bots, and returns when the shell continues the program.
                suspend();
                terminal = FullScreen::take()?;
            }
        }
    }
}

fn effect_of(screen: &mut PlayScreen<'_>, event: Result<PersonEvent, RecvTimeoutError>) -> KeyEffect {
    match event {
        Ok(PersonEvent::Terminal(Message::Key(key))) => return screen.press(key),
        Ok(PersonEvent::Terminal(Message::Signal(signal))) => return KeyEffect::Interrupt(signal),
        Ok(PersonEvent::Terminal(Message::Gone)) | Err(RecvTimeoutError::Disconnected) => {
            return KeyEffect::Leave;
        }
        Ok(PersonEvent::Table(event)) => screen.handle(event),
        Ok(PersonEvent::Suggested { moves, suggestion }) => screen.suggested(moves, &suggestion),
        Ok(PersonEvent::Closed) => {
            screen.is_closed = true;
            // Without a finished game, there is nothing to show.
            if screen.game.as_ref().is_none_or(|game| game.record.is_none()) {
                return KeyEffect::Leave;
            }
        }
        // In full screen, keys are read instead of lines.
        Ok(PersonEvent::Terminal(Message::Changed) | PersonEvent::Typed(_) | PersonEvent::InputOver)
        | Err(RecvTimeoutError::Timeout) => {}
    }
    KeyEffect::Redraw
}

//! A person who plays in full screen.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event;

use super::draw;
use super::game::Terms;
use super::news::{Happening, Leaving};
use super::screen::{KeyEffect, PlayScreen};
use super::suggest;
use super::table::Hand;
use crate::cli::error::{Exit, Failure};
use crate::cli::replay::look::Look;
use crate::cli::replay::terminal::{Held, Message, listen_for_keys};
use crate::process::suspend;
use crate::referee::driver::now;

/// The interval at which clocks are redrawn.
const TICK: Duration = Duration::from_millis(500);

/// Plays until the person leaves.
pub(super) fn play(
    terms: &Terms,
    hand: &Arc<Hand>,
    (sender, happenings): (Sender<Happening>, &Receiver<Happening>),
    look: Look,
) -> Result<Leaving, Failure> {
    let cant = |error: io::Error| Failure::new(Exit::Wrong, "can't use the terminal").cause(error);
    let mut held = Held::take().map_err(cant)?;
    // From the first picture on no key and no change of size is missed.
    event::poll(Duration::ZERO).map_err(cant)?;
    let keys = sender.clone();
    thread::spawn(move || listen_for_keys(&keys));
    let mut screen = PlayScreen::new(terms);
    loop {
        held.draw(|frame| draw::draw(frame, &screen, now(), look)).map_err(cant)?;
        let happening = if screen.has_clock() {
            happenings.recv_timeout(TICK)
        } else {
            happenings.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        match deed(&mut screen, happening) {
            KeyEffect::Redraw => {}
            KeyEffect::Play(mv) => hand.answer(&format!("bestmove {mv}")),
            KeyEffect::TakeBack(left) => hand.take_back(left),
            KeyEffect::Resign => hand.answer("bestmove resign"),
            KeyEffect::Suggest => look_for_hint(&mut screen, hand, sender.clone()),
            KeyEffect::GoOn => hand.go_on(),
            KeyEffect::Leave if screen.is_closed => return Ok(Leaving::Played),
            KeyEffect::Leave => return Ok(Leaving::Left),
            KeyEffect::Interrupt(signal) => return Ok(Leaving::Signal(signal)),
            KeyEffect::Suspend => {
                drop(held);
                // The bots stop with us. Returns when the shell continues us.
                suspend();
                held = Held::take().map_err(cant)?;
            }
        }
    }
}

/// The reaction to an event.
fn deed(screen: &mut PlayScreen<'_>, happening: Result<Happening, RecvTimeoutError>) -> KeyEffect {
    match happening {
        Ok(Happening::Terminal(Message::Key(key))) => screen.press(key),
        Ok(Happening::Terminal(Message::Signal(signal))) => KeyEffect::Interrupt(signal),
        Ok(Happening::Terminal(Message::Gone)) | Err(RecvTimeoutError::Disconnected) => KeyEffect::Leave,
        Ok(Happening::Table(news)) => {
            screen.take(news);
            KeyEffect::Redraw
        }
        Ok(Happening::Suggested { moves, suggestion }) => {
            screen.suggested(moves, &suggestion);
            KeyEffect::Redraw
        }
        Ok(Happening::Closed) => {
            screen.is_closed = true;
            // Without a finished game there is nothing to look at.
            if screen.game.as_ref().is_none_or(|game| game.record.is_none()) {
                KeyEffect::Leave
            } else {
                KeyEffect::Redraw
            }
        }
        // No lines are typed where keys are read.
        Ok(Happening::Terminal(Message::Changed) | Happening::Typed(_) | Happening::InputOver)
        | Err(RecvTimeoutError::Timeout) => KeyEffect::Redraw,
    }
}

/// Starts the search for a hint.
fn look_for_hint(screen: &mut PlayScreen<'_>, hand: &Hand, news: Sender<Happening>) {
    match screen.game.as_ref().map(|game| suggest::begin(game, screen.terms, news)) {
        Some(Ok(())) => hand.had_hint(),
        Some(Err(error)) => screen.message = format!("no hint can be had: {error}"),
        None => {}
    }
}

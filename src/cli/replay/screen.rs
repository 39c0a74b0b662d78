//! The state of the viewer, which keys change.

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::PAGE;
use crate::report::picture::Facing;
use crate::report::replay::Replay;

/// The time for a position during playback at normal speed.
const INTERVAL: Duration = Duration::from_millis(1_000);
/// The factors by which playback can be sped up.
const SPEEDS: [u32; 4] = [1, 2, 5, 10];

pub(super) struct Screen {
    /// The game, or the reason why it can't be shown.
    pub(super) replay: Result<Replay, String>,
    /// The number of the game in the file, from 1.
    pub(super) number: usize,
    pub(super) games: usize,
    /// The frame that is shown.
    pub(super) ply: usize,
    pub(super) facing: Facing,
    pub(super) is_playing: bool,
    pub(super) popup: Option<Popup>,
    pub(super) typed: Option<String>,
    speed: usize,
}

/// A window over the screen.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Popup {
    Keys,
    /// The faults, with their evidence.
    Faults,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Effect {
    Redraw,
    Leave,
    Interrupt,
    /// Suspend the program until the shell continues it.
    Suspend,
    /// Show the game with this number.
    Open(usize),
}

impl Screen {
    pub(super) fn new(replay: Replay, number: usize, games: usize) -> Screen {
        Screen {
            replay: Ok(replay),
            number,
            games,
            ply: 0,
            facing: Facing::default(),
            is_playing: false,
            popup: None,
            typed: None,
            speed: 0,
        }
    }

    /// Shows another game from its start.
    pub(super) fn open(&mut self, replay: Result<Replay, String>, number: usize) {
        self.replay = replay;
        self.number = number;
        self.ply = 0;
        self.is_playing = false;
        self.popup = None;
    }

    pub(super) fn last(&self) -> usize {
        self.replay.as_ref().map_or(0, Replay::last)
    }

    /// The factor by which playback is sped up.
    pub(super) fn speed(&self) -> u32 {
        SPEEDS[self.speed]
    }

    /// The time between two positions; `None` unless playback runs.
    pub(super) fn interval(&self) -> Option<Duration> {
        self.is_playing.then(|| INTERVAL / self.speed())
    }

    /// Shows the next position during playback.
    pub(super) fn tick(&mut self) {
        if self.is_playing {
            self.show(self.ply + 1);
        }
    }

    /// Shows a frame, or the last one if there are fewer. The last frame ends playback.
    fn show(&mut self, ply: usize) {
        self.ply = ply.min(self.last());
        if self.ply == self.last() {
            self.is_playing = false;
        }
    }

    /// Shows a frame and stops playback.
    fn step(&mut self, ply: usize) {
        self.is_playing = false;
        self.show(ply);
    }

    pub(super) fn press(&mut self, key: KeyEvent) -> Effect {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Effect::Interrupt,
                KeyCode::Char('z') => Effect::Suspend,
                _ => Effect::Redraw,
            };
        }
        if self.typed.is_some() {
            self.type_ply(key.code);
            return Effect::Redraw;
        }
        if self.popup.take().is_some() {
            // Any key only closes the window, even `q`.
            return Effect::Redraw;
        }
        match key.code {
            KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k' | ',') => {
                self.step(self.ply.saturating_sub(1))
            }
            KeyCode::Right | KeyCode::Down | KeyCode::Char('l' | 'j' | '.') => self.step(self.ply + 1),
            KeyCode::PageUp => self.step(self.ply.saturating_sub(PAGE)),
            KeyCode::PageDown => self.step(self.ply + PAGE),
            KeyCode::Home => self.step(0),
            KeyCode::End => self.step(self.last()),
            KeyCode::Char(' ') => self.toggle_playback(),
            KeyCode::Char('s' | '+') => self.speed = (self.speed + 1) % SPEEDS.len(),
            KeyCode::Char('-') => self.speed = (self.speed + SPEEDS.len() - 1) % SPEEDS.len(),
            KeyCode::Char('g') => self.start_typing(String::new()),
            KeyCode::Char(digit @ '0'..='9') => self.start_typing(digit.to_string()),
            KeyCode::Char('f') => self.facing = self.facing.turned(),
            KeyCode::Char('n') if self.number < self.games => return Effect::Open(self.number + 1),
            KeyCode::Char('p') if self.number > 1 => return Effect::Open(self.number - 1),
            KeyCode::Char('?') => self.open_popup(Popup::Keys),
            KeyCode::Char('e') if self.has_faults() => self.open_popup(Popup::Faults),
            KeyCode::Char('q') | KeyCode::Esc => return Effect::Leave,
            _ => {}
        }
        Effect::Redraw
    }

    pub(super) fn has_faults(&self) -> bool {
        self.replay.as_ref().is_ok_and(|replay| !replay.faults.is_empty())
    }

    fn open_popup(&mut self, popup: Popup) {
        self.popup = Some(popup);
        self.is_playing = false;
    }

    fn toggle_playback(&mut self) {
        self.is_playing = !self.is_playing && self.last() > 0;
        if self.is_playing && self.ply == self.last() {
            self.ply = 0;
        }
    }

    fn start_typing(&mut self, text: String) {
        self.is_playing = false;
        self.typed = Some(text);
    }

    fn type_ply(&mut self, code: KeyCode) {
        let Some(typed) = &mut self.typed else { return };
        match code {
            KeyCode::Char(digit @ '0'..='9') if typed.len() < 6 => typed.push(digit),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Enter => {
                let wanted = typed.parse().ok();
                self.typed = None;
                if let Some(ply) = wanted {
                    self.show(ply);
                }
            }
            KeyCode::Esc | KeyCode::Char('q') => self.typed = None,
            _ => {}
        }
    }
}

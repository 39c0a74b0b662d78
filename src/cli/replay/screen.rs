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

/// The state of the viewer.
pub(super) struct Screen {
    /// The game, or the reason why it can't be shown.
    pub(super) replay: Result<Replay, String>,
    /// The number of the game in the file, from 1.
    pub(super) number: usize,
    /// Number of games in the file.
    pub(super) games: usize,
    /// The frame that is shown.
    pub(super) ply: usize,
    pub(super) facing: Facing,
    pub(super) playback: Playback,
    pub(super) popup: Option<Popup>,
    pub(super) typed: Option<String>,
    speed: usize,
}

/// The state of playback.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Playback {
    Stopped,
    Playing,
}

/// A window over the screen.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Popup {
    Keys,
    /// The faults, with their evidence.
    Faults,
}

/// The effect of a key on the program.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Effect {
    /// Draw the screen again.
    Redraw,
    Leave,
    /// Leave as after an interrupt.
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
            playback: Playback::Stopped,
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
        self.playback = Playback::Stopped;
        self.popup = None;
    }

    /// The number of the last frame.
    pub(super) fn last(&self) -> usize {
        self.replay.as_ref().map_or(0, Replay::last)
    }

    /// The factor by which playback is sped up.
    pub(super) fn speed(&self) -> u32 {
        SPEEDS[self.speed]
    }

    /// The time between two positions; `None` unless playback runs.
    pub(super) fn interval(&self) -> Option<Duration> {
        (self.playback == Playback::Playing).then(|| INTERVAL / self.speed())
    }

    /// Shows the next position during playback.
    pub(super) fn tick(&mut self) {
        if self.playback == Playback::Playing {
            self.show(self.ply + 1);
        }
    }

    /// Shows a frame, or the last one if there are fewer. The last frame ends playback.
    fn show(&mut self, ply: usize) {
        self.ply = ply.min(self.last());
        if self.ply == self.last() {
            self.playback = Playback::Stopped;
        }
    }

    /// Shows a frame and stops playback.
    fn step(&mut self, ply: usize) -> Effect {
        self.playback = Playback::Stopped;
        self.show(ply);
        Effect::Redraw
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
            return self.type_ply(key.code);
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
            KeyCode::Char('s' | '+') => self.change_speed(1),
            KeyCode::Char('-') => self.change_speed(SPEEDS.len() - 1),
            KeyCode::Char('g') => self.start_typing(String::new()),
            KeyCode::Char(digit @ '0'..='9') => self.start_typing(digit.to_string()),
            KeyCode::Char('f') => {
                self.facing = self.facing.turned();
                Effect::Redraw
            }
            KeyCode::Char('n') if self.number < self.games => Effect::Open(self.number + 1),
            KeyCode::Char('p') if self.number > 1 => Effect::Open(self.number - 1),
            KeyCode::Char('?') => self.open_popup(Popup::Keys),
            KeyCode::Char('e') if self.has_faults() => self.open_popup(Popup::Faults),
            KeyCode::Char('q') | KeyCode::Esc => Effect::Leave,
            _ => Effect::Redraw,
        }
    }

    /// Returns true if the game has faults.
    pub(super) fn has_faults(&self) -> bool {
        self.replay.as_ref().is_ok_and(|replay| !replay.faults.is_empty())
    }

    fn open_popup(&mut self, popup: Popup) -> Effect {
        self.popup = Some(popup);
        self.playback = Playback::Stopped;
        Effect::Redraw
    }

    fn toggle_playback(&mut self) -> Effect {
        self.playback = match self.playback {
            Playback::Playing => Playback::Stopped,
            Playback::Stopped if self.last() == 0 => Playback::Stopped,
            Playback::Stopped => {
                if self.ply == self.last() {
                    self.ply = 0;
                }
                Playback::Playing
            }
        };
        Effect::Redraw
    }

    fn change_speed(&mut self, by: usize) -> Effect {
        self.speed = (self.speed + by) % SPEEDS.len();
        Effect::Redraw
    }

    fn start_typing(&mut self, text: String) -> Effect {
        self.playback = Playback::Stopped;
        self.typed = Some(text);
        Effect::Redraw
    }

    /// Handles a key while a ply is being typed.
    fn type_ply(&mut self, code: KeyCode) -> Effect {
        let Some(typed) = &mut self.typed else { return Effect::Redraw };
        match code {
            KeyCode::Char(digit @ '0'..='9') if typed.len() < 6 => typed.push(digit),
            KeyCode::Backspace => {
                typed.pop();
            }
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
        Effect::Redraw
    }
}

//! The thread that prints everything while something is watched.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};

use super::draw;
use super::keys::Keys;
use super::lines::in_lines_of_terminal;
use super::messages::ViewMessage;
use super::model::{Last, LiveStep, Model, Running};
use super::screen::Screen;
use crate::cli::env::Stopwatch;
use crate::process::suspended;
use crate::process::terminal::{Typing, is_in_background, is_in_foreground, never_stop_for_terminal};
use crate::referee::driver::StatusProbe;

/// Minimum time between two drawings.
const DRAWN_FOR: Duration = Duration::from_millis(100);

/// Maximum time between two drawings, which show running times.
const REDRAW: Duration = Duration::from_millis(500);

/// Maximum wait for the status of the games.
const FOR_ANSWERS: Duration = Duration::from_millis(400);

/// Minimum and maximum time between two lines if there is no view: at first, and after hours.
const BETWEEN_LINES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];

/// Divisor of the run's time that gives the time between two lines.
const LINES: u32 = 20;

/// Maximum number of messages that are handled before a drawing.
const AT_ONCE: usize = 1_000;

/// The form in which progress is shown.
pub(super) enum TalkForm {
    /// As a view, for which this program takes over the terminal if it can.
    View(Screen, Option<PathBuf>),
    /// As a line now and then.
    Lines,
    /// Not at all.
    Nothing,
}

/// The subject of the view.
pub(super) enum Subject {
    /// Games, with a probe of each slot.
    Games(Box<Model>, Vec<StatusProbe>),
    /// Steps of other work, once there are any.
    Steps(Option<LiveStep>),
}

pub(super) struct Talker {
    subject: Subject,
    form: TalkForm,
    colour: ColorChoice,
    /// The sender for threads that read keys.
    own: Sender<ViewMessage>,
    keys: Option<Keys>,
    /// The text that is to be printed.
    texts: Vec<u8>,
    watch: Stopwatch,
    suspended_before: Duration,
    last_line: Option<Duration>,
    last_drawing: Option<Duration>,
    has_news: bool,
    /// Time since which answers are awaited, if the status of the games was requested.
    asked: Option<Duration>,
    is_paused: bool,
    is_in_foreground: bool,
    is_over: bool,
}

impl Talker {
    pub(super) fn new(
        subject: Subject,
        form: TalkForm,
        colour: ColorChoice,
        own: Sender<ViewMessage>,
    ) -> Talker {
        Talker {
            subject,
            form,
            colour,
            own,
            keys: None,
            texts: Vec::new(),
            watch: Stopwatch::start(),
            suspended_before: suspended(),
            last_line: None,
            last_drawing: None,
            has_news: true,
            asked: None,
            is_paused: false,
            is_in_foreground: false,
            is_over: false,
        }
    }

    /// Runs until everything is over.
    pub(super) fn run(mut self, heard: &Receiver<ViewMessage>) {
        never_stop_for_terminal();
        self.beat();
        while !self.is_over {
            match heard.recv_timeout(self.patience()) {
                Ok(told) => self.take(told),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            for told in heard.try_iter().take(AT_ONCE) {
                self.take(told);
            }
            self.beat();
        }
    }

    /// The time since the start, without the time for which the program was suspended.
    fn now(&self) -> Duration {
        let stopped = suspended().saturating_sub(self.suspended_before);
        self.watch.elapsed().saturating_sub(stopped)
    }

    /// The time until the next drawing is due if nothing happens.
    fn patience(&self) -> Duration {
        match (&self.form, self.asked) {
            (_, Some(_)) => DRAWN_FOR / 4,
            (TalkForm::View(..), None) if self.has_news => {
                let since = self.last_drawing.map_or(DRAWN_FOR, |last| self.now().saturating_sub(last));
                DRAWN_FOR.saturating_sub(since).max(Duration::from_millis(1))
            }
            (TalkForm::View(..), None) => REDRAW,
            (TalkForm::Lines | TalkForm::Nothing, None) => Duration::from_secs(3_600),
        }
    }

    fn take(&mut self, told: ViewMessage) {
        match told {
            ViewMessage::Text(text) => self.print(&text),
            ViewMessage::Change(change) => {
                if let Subject::Games(model, _) = &mut self.subject {
                    change(model);
                }
                self.has_news = true;
            }
            ViewMessage::Standing(standing) => {
                if let Subject::Games(model, _) = &mut self.subject {
                    model.standing = standing;
                }
                self.has_news = true;
                self.line_if_due();
            }
            ViewMessage::Step(step) => {
                self.subject = Subject::Steps(Some(step));
                self.has_news = true;
                self.line_if_due();
            }
            ViewMessage::WhatNow => {
                if let (Subject::Games(..), None) = (&self.subject, self.asked) {
                    self.ask();
                    self.asked = Some(self.now());
                }
            }
            ViewMessage::Pause(given_back) => {
                self.is_paused = true;
                self.beat();
                self.keys.iter().for_each(Keys::lend);
                // A sender that no longer waits needs no answer.
                let _ = given_back.send(());
            }
            ViewMessage::GoOn => {
                self.is_paused = false;
                // The keys are taken again if they are ours.
                self.is_in_foreground = false;
            }
            ViewMessage::End => self.is_over = true,
        }
    }

    fn print(&mut self, text: &str) {
        let mut stream = AutoStream::new(std::mem::take(&mut self.texts), self.colour);
        // Writing to memory never fails.
        let _ = writeln!(stream, "{text}");
        self.texts = stream.into_inner();
    }

    fn line_if_due(&mut self) {
        if !matches!(self.form, TalkForm::Lines) {
            return;
        }
        let now = self.now();
        let [least, most] = BETWEEN_LINES;
        let between = (now / LINES).clamp(least, most);
        let is_time = self.last_line.is_none_or(|last| now >= last + between);
        let line = match &mut self.subject {
            Subject::Games(model, _) => {
                model.elapsed = now;
                let is_due = model.has_standing().is_some_and(|last| last == Last::Yes || is_time);
                is_due.then(|| model.line())
            }
            Subject::Steps(step) => step.as_ref().filter(|_| is_time).map(|step| step.words.clone()),
        };
        if let Some(line) = line {
            self.last_line = Some(now);
            self.print(&in_lines_of_terminal(&line));
        }
    }

    /// The status probes of the slots with a running game.
    fn playing(&self) -> Vec<&StatusProbe> {
        match &self.subject {
            Subject::Games(model, windows) => windows
                .iter()
                .zip(&model.running)
                .filter_map(|(own, game)| game.as_ref().map(|_| own))
                .collect(),
            Subject::Steps(_) => Vec::new(),
        }
    }

    fn ask(&self) {
        self.playing().into_iter().for_each(StatusProbe::ask);
    }

    fn look(&mut self) {
        if let Subject::Games(model, windows) = &mut self.subject {
            for (slot, window) in windows.iter().enumerate() {
                window.seen().into_iter().for_each(|status| model.look(slot, status));
            }
        }
    }

    /// Prints and draws what is due.
    fn beat(&mut self) {
        let now = self.now();
        if let Some(asked) = self.asked {
            let all_have_said = self.playing().into_iter().all(StatusProbe::is_answered);
            if all_have_said || now >= asked + FOR_ANSWERS {
                self.asked = None;
                self.look();
                self.print_running();
            }
        }
        self.look_who_is_in_front();
        let texts = std::mem::take(&mut self.texts);
        let is_view = matches!(self.form, TalkForm::View(..));
        if is_view && self.is_over && self.has_news && self.is_in_foreground && !self.is_paused {
            // A recording of the terminal then shows the final progress.
            self.draw(&texts, now);
            return;
        }
        let is_shown = self.is_in_foreground && !self.is_paused && !self.is_over;
        let since = self.last_drawing.map(|last| now.saturating_sub(last));
        let is_due = since.is_none_or(|since| since >= if self.has_news { DRAWN_FOR } else { REDRAW });
        match &mut self.form {
            TalkForm::View(screen, _) if !is_shown => screen.show(&texts, None, Screen::size()),
            TalkForm::View(..) if texts.is_empty() && !is_due => {}
            TalkForm::View(..) => self.draw(&texts, now),
            TalkForm::Lines | TalkForm::Nothing if texts.is_empty() => {}
            TalkForm::Lines | TalkForm::Nothing => {
                // If stderr can't be written, there is no place for an error message.
                let _ = io::stderr().write_all(&texts);
            }
        }
    }

    fn draw(&mut self, texts: &[u8], now: Duration) {
        self.look();
        let are_heard = self.keys.as_ref().is_some_and(Keys::are_heard);
        let keys = if are_heard { draw::Keys::Heard } else { draw::Keys::Unheard };
        let size = Screen::size();
        let view = match &mut self.subject {
            Subject::Games(model, _) => {
                model.elapsed = now;
                Some(draw::draw(model, size, keys))
            }
            Subject::Steps(step) => step.as_ref().map(|step| draw::draw_step(step, now, size)),
        };
        if let TalkForm::View(screen, _) = &mut self.form {
            screen.show(texts, view.as_ref(), size);
        }
        self.last_drawing = Some(now);
        self.has_news = false;
        // The next drawing shows the answers.
        self.ask();
    }

    /// Checks if the program is in the foreground of its terminal, and takes the keys when it gets there. In the
    /// background nothing is drawn.
    fn look_who_is_in_front(&mut self) {
        let TalkForm::View(screen, program) = &mut self.form else { return };
        let before = std::mem::replace(&mut self.is_in_foreground, !is_in_background(io::stderr()));
        if before && !self.is_in_foreground {
            // The program in the foreground has the cursor now.
            screen.forget();
        }
        if before || !self.is_in_foreground || self.is_paused || self.is_over {
            return;
        }
        self.has_news = true;
        match (&self.keys, program) {
            (Some(keys), _) => keys.again(),
            (None, Some(program)) if is_in_foreground(io::stderr()) => {
                let own = self.own.clone();
                let typing = match &self.subject {
                    Subject::Games(..) if io::stdin().is_terminal() => Typing::Keys,
                    Subject::Games(..) | Subject::Steps(_) => Typing::Untouched,
                };
                // Without the terminal the view still works.
                self.keys = Keys::take(program, typing, move |key| {
                    if key == b't' {
                        let _ = own.send(ViewMessage::WhatNow);
                    }
                })
                .ok();
                if self.keys.is_none()
                    && let TalkForm::View(_, program) = &mut self.form
                {
                    *program = None;
                }
            }
            (None, _) => {}
        }
    }

    fn print_running(&mut self) {
        let games: Vec<String> = match &self.subject {
            Subject::Games(model, _) => model.running.iter().flatten().map(Running::in_full).collect(),
            Subject::Steps(_) => Vec::new(),
        };
        match games.len() {
            0 => self.print("no game is running"),
            1 => self.print("1 game is running:"),
            many => self.print(&format!("{many} games are running:")),
        }
        for game in games {
            self.print(&format!("  {game}"));
        }
    }
}

impl Drop for Talker {
    fn drop(&mut self) {
        if let TalkForm::View(screen, _) = &mut self.form {
            let texts = std::mem::take(&mut self.texts);
            screen.show(&texts, None, Screen::size());
        }
    }
}

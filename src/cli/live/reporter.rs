//! The thread that does all printing while progress is shown.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};

use super::draw::{self, KeyInput};
use super::keys::Keys;
use super::lines::in_lines_of_terminal;
use super::messages::ViewMessage;
use super::model::{LiveStep, Model, Running};
use super::screen::Screen;
use crate::cli::env::Stopwatch;
use crate::process::suspended;
use crate::process::terminal::{Typing, is_in_background, is_in_foreground, never_stop_for_terminal};
use crate::referee::driver::StatusProbe;

/// Minimum time between two drawings.
const MIN_REDRAW: Duration = Duration::from_millis(100);

/// Maximum time between two drawings, which show running times.
const MAX_REDRAW: Duration = Duration::from_millis(500);

const STATUS_TIMEOUT: Duration = Duration::from_millis(400);

/// Minimum and maximum time between two lines without a view.
const LINE_INTERVALS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];

/// Divisor of the elapsed time that gives the time between two lines.
const LINE_DIVISOR: u32 = 20;

/// Maximum number of messages that are handled between two drawings.
const MAX_MESSAGES: usize = 1_000;

/// The form in which progress is shown.
pub(super) enum ProgressForm {
    /// As a view. This program, at this path, tries once to take over the terminal.
    View(Screen, Option<PathBuf>),
    /// As a line now and then.
    Lines,
    Nothing,
}

/// The output of the reporter.
pub(super) enum Subject {
    /// Games, with a probe of each slot.
    Games(Box<Model>, Vec<StatusProbe>),
    /// The latest step of other work, if any.
    Steps(Option<LiveStep>),
}

pub(super) struct Reporter {
    subject: Subject,
    form: ProgressForm,
    colour: ColorChoice,
    /// The sender for the thread that reads keys.
    sender: Sender<ViewMessage>,
    keys: Option<Keys>,
    texts: Vec<u8>,
    watch: Stopwatch,
    suspended_before: Duration,
    last_line: Option<Duration>,
    last_drawing: Option<Duration>,
    has_news: bool,
    /// The time at which the status of the games was requested, while answers are awaited.
    requested_at: Option<Duration>,
    is_paused: bool,
    is_in_foreground: bool,
    is_over: bool,
}

impl Reporter {
    pub(super) fn new(
        subject: Subject,
        form: ProgressForm,
        colour: ColorChoice,
        sender: Sender<ViewMessage>,
    ) -> Reporter {
        Reporter {
            subject,
            form,
            colour,
            sender,
            keys: None,
            texts: Vec::new(),
            watch: Stopwatch::start(),
            suspended_before: suspended(),
            last_line: None,
            last_drawing: None,
            has_news: true,
            requested_at: None,
            is_paused: false,
            is_in_foreground: false,
            is_over: false,
        }
    }

    pub(super) fn run(mut self, messages: &Receiver<ViewMessage>) {
        never_stop_for_terminal();
        self.refresh();
        while !self.is_over {
            match messages.recv_timeout(self.until_refresh()) {
                Ok(message) => self.handle(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            for message in messages.try_iter().take(MAX_MESSAGES) {
                self.handle(message);
            }
            self.refresh();
        }
    }

    /// The time since the start, without the time during which the program was suspended.
    fn now(&self) -> Duration {
        let suspended = suspended().saturating_sub(self.suspended_before);
        self.watch.elapsed().saturating_sub(suspended)
    }

    fn until_refresh(&self) -> Duration {
        match (&self.form, self.requested_at) {
            (_, Some(_)) => MIN_REDRAW / 4,
            (ProgressForm::View(..), None) if self.has_news => {
                let since = self.last_drawing.map_or(MIN_REDRAW, |last| self.now().saturating_sub(last));
                MIN_REDRAW.saturating_sub(since).max(Duration::from_millis(1))
            }
            (ProgressForm::View(..), None) => MAX_REDRAW,
            (ProgressForm::Lines | ProgressForm::Nothing, None) => Duration::from_secs(3_600),
        }
    }

    fn handle(&mut self, message: ViewMessage) {
        match message {
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
            ViewMessage::StatusRequest => {
                if let (Subject::Games(..), None) = (&self.subject, self.requested_at) {
                    self.request_statuses();
                    self.requested_at = Some(self.now());
                }
            }
            ViewMessage::Pause(released) => {
                self.is_paused = true;
                self.refresh();
                self.keys.iter().for_each(Keys::lend);
                // The other thread may have stopped waiting.
                let _ = released.send(());
            }
            ViewMessage::Resume => {
                self.is_paused = false;
                // The next refresh checks for the foreground and takes the keys again.
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
        if !matches!(self.form, ProgressForm::Lines) {
            return;
        }
        let now = self.now();
        let [min, max] = LINE_INTERVALS;
        let interval = (now / LINE_DIVISOR).clamp(min, max);
        let is_time = self.last_line.is_none_or(|last| now >= last + interval);
        let line = match &mut self.subject {
            Subject::Games(model, _) => {
                model.elapsed = now;
                model.is_line_due(is_time).then(|| model.line())
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
        let Subject::Games(model, probes) = &self.subject else { return Vec::new() };
        let slots = probes.iter().zip(&model.running);
        slots.filter(|(_, game)| game.is_some()).map(|(probe, _)| probe).collect()
    }

    fn request_statuses(&self) {
        self.playing().into_iter().for_each(StatusProbe::ask);
    }

    fn take_statuses(&mut self) {
        if let Subject::Games(model, probes) = &mut self.subject {
            for (slot, probe) in probes.iter().enumerate() {
                probe.seen().into_iter().for_each(|status| model.set_status(slot, status));
            }
        }
    }

    /// Prints and draws what is due.
    fn refresh(&mut self) {
        let now = self.now();
        if let Some(requested_at) = self.requested_at {
            let all_answered = self.playing().into_iter().all(StatusProbe::is_answered);
            if all_answered || now >= requested_at + STATUS_TIMEOUT {
                self.requested_at = None;
                self.take_statuses();
                self.print_running();
            }
        }
        self.check_foreground();
        let texts = std::mem::take(&mut self.texts);
        let is_view = matches!(self.form, ProgressForm::View(..));
        if is_view && self.is_over && self.has_news && self.is_in_foreground && !self.is_paused {
            // The last drawing shows the final progress, for recordings of the terminal.
            self.draw(&texts, now);
            return;
        }
        let is_shown = self.is_in_foreground && !self.is_paused && !self.is_over;
        let since = self.last_drawing.map(|last| now.saturating_sub(last));
        let is_due = since.is_none_or(|since| since >= if self.has_news { MIN_REDRAW } else { MAX_REDRAW });
        match &mut self.form {
            ProgressForm::View(screen, _) if !is_shown => screen.show(&texts, None, Screen::size()),
            ProgressForm::View(..) if texts.is_empty() && !is_due => {}
            ProgressForm::View(..) => self.draw(&texts, now),
            ProgressForm::Lines | ProgressForm::Nothing if texts.is_empty() => {}
            ProgressForm::Lines | ProgressForm::Nothing => {
                // If stderr can't be written, there is no place for an error message.
                let _ = io::stderr().write_all(&texts);
            }
        }
    }

    fn draw(&mut self, texts: &[u8], now: Duration) {
        self.take_statuses();
        let are_read = self.keys.as_ref().is_some_and(Keys::are_read);
        let keys = if are_read { KeyInput::Read } else { KeyInput::Ignored };
        let size = Screen::size();
        let view = match &mut self.subject {
            Subject::Games(model, _) => {
                model.elapsed = now;
                Some(draw::draw(model, size, keys))
            }
            Subject::Steps(step) => step.as_ref().map(|step| draw::draw_step(step, now, size)),
        };
        if let ProgressForm::View(screen, _) = &mut self.form {
            screen.show(texts, view.as_ref(), size);
        }
        self.last_drawing = Some(now);
        self.has_news = false;
        // The next drawing shows the answers.
        self.request_statuses();
    }

    /// Takes the keys when the program gets to the foreground of its terminal. Nothing is drawn in the background.
    fn check_foreground(&mut self) {
        let ProgressForm::View(screen, program) = &mut self.form else { return };
        let before = std::mem::replace(&mut self.is_in_foreground, !is_in_background(io::stderr()));
        if before && !self.is_in_foreground {
            // The cursor now belongs to the program in the foreground.
            screen.forget();
        }
        if before || !self.is_in_foreground || self.is_paused || self.is_over {
            return;
        }
        self.has_news = true;
        match &self.keys {
            Some(keys) => keys.again(),
            None if is_in_foreground(io::stderr()) => {
                // If the terminal can't be taken over, the view still works.
                let Some(program) = program.take() else { return };
                let sender = self.sender.clone();
                let typing = match &self.subject {
                    Subject::Games(..) if io::stdin().is_terminal() => Typing::Keys,
                    Subject::Games(..) | Subject::Steps(_) => Typing::Untouched,
                };
                let keys = Keys::take(&program, typing, move |key| {
                    if key == b't' {
                        let _ = sender.send(ViewMessage::StatusRequest);
                    }
                });
                self.keys = keys.ok();
            }
            None => {}
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
        games.iter().for_each(|game| self.print(&format!("  {game}")));
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        if let ProgressForm::View(screen, _) = &mut self.form {
            let texts = std::mem::take(&mut self.texts);
            screen.show(&texts, None, Screen::size());
        }
    }
}

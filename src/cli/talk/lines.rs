//! The lines of the person, typed with history and completion or read from a script.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Editor, ExternalPrinter, Helper};

use crate::cli::error::Failure;
use crate::cli::ui::Ui;

/// Prints a text above the line that is being typed.
type Printer = Box<dyn FnMut(&str) + Send>;

pub(super) struct LineSource {
    pub(super) lines: Receiver<String>,
    words: Completions,
    print: Printer,
    pub(super) is_script: bool,
    /// The terminal's settings before the first line was typed.
    before: Option<Termios>,
}

impl Drop for LineSource {
    fn drop(&mut self) {
        // The bot may end while a line is being typed, so the editor does not restore them.
        if let Some(before) = &self.before {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}

/// The words that Tab completes, which change with the position.
#[derive(Clone)]
struct Completions(Arc<Mutex<Vec<String>>>);

impl LineSource {
    /// Starts to read lines from the keyboard if stdin and stdout are a terminal, otherwise from stdin.
    pub(super) fn new(words: Vec<String>, ui: &Ui) -> Result<LineSource, Failure> {
        let completions = Completions(Arc::new(Mutex::new(words)));
        let is_script = !(io::stdin().is_terminal() && io::stdout().is_terminal());
        let (sender, lines) = mpsc::channel();
        let cant = |error: &dyn std::fmt::Display| Failure::wrong("can't read what is typed").cause(error);
        if is_script {
            let read = move || {
                // Without a receiver, the talk has ended.
                let mut lines = io::stdin().lock().lines().map_while(Result::ok);
                let _ = lines.try_for_each(|line| sender.send(line));
            };
            let thread = std::thread::Builder::new().name("script".to_owned());
            thread.spawn(read).map_err(|error| cant(&error))?;
            let mut data = ui.data_for_thread();
            let print = Box::new(move |text: &str| {
                // If stdout is closed, the talk still continues until the bot has ended.
                let _ = data.write_all(text.as_bytes()).and_then(|()| data.flush());
            });
            return Ok(LineSource { lines, words: completions, print, is_script, before: None });
        }
        let before = tcgetattr(io::stdin()).ok();
        let mut editor: Editor<Completions, DefaultHistory> = Editor::new().map_err(|error| cant(&error))?;
        editor.set_helper(Some(completions.clone()));
        let mut printer = editor.create_external_printer().map_err(|error| cant(&error))?;
        let is_coloured = ui.data_in_colour();
        let print = Box::new(move |text: &str| {
            let plain = || anstream::adapter::strip_str(text).to_string();
            // The talk continues even if nothing can be printed.
            let _ = printer.print(if is_coloured { text.to_owned() } else { plain() });
        });
        let read = move || {
            // Ctrl-C and Ctrl-D end the talk.
            while let Ok(line) = editor.readline("") {
                let _ = editor.add_history_entry(&line);
                if sender.send(line).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("keyboard".to_owned());
        thread.spawn(read).map_err(|error| cant(&error))?;
        Ok(LineSource { lines, words: completions, print, is_script, before })
    }

    pub(super) fn print(&mut self, text: &str) {
        (self.print)(text);
    }

    pub(super) fn set_words(&self, words: Vec<String>) {
        *self.words.0.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..position];
        let words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let from = |start: usize| -> Vec<String> {
            words.iter().filter(|word| word.starts_with(&before[start..])).cloned().collect()
        };
        // Completions of the whole line come first, since some verbs have blanks.
        let last = before.rfind(' ').map_or(0, |blank| blank + 1);
        Ok(match from(0) {
            verbs if last == 0 || !verbs.is_empty() => (0, verbs),
            _ => (last, from(last)),
        })
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}

//! Messages to people: notes, warnings, failures, and their colours. They go to stderr; stdout is for data.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::env;
use super::error::{Exit, Failure};
use super::events::Events;
use super::live::lines::in_lines_of_terminal;
use super::live::messages;
use crate::record::TornLine;

/// Options that every subcommand has.
#[derive(Args, Clone, Debug)]
pub(crate) struct GlobalArgs {
    /// When to use color
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output",
        hide_short_help = true
    )]
    color: When,
    /// How to show progress on stderr
    #[arg(
        long,
        global = true,
        value_name = "HOW",
        default_value = "auto",
        help_heading = "Output",
        hide_short_help = true
    )]
    progress: Progress,
    /// Print warnings and errors only; `-qq` prints errors only
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Output")]
    quiet: u8,
    /// Also print details, such as annulled games and the parts of the sandbox
    #[arg(short, long, global = true, help_heading = "Output", conflicts_with = "quiet")]
    verbose: bool,
    /// Exit with status 2 if there was any warning or a bot failed in a game
    #[arg(long, global = true, help_heading = "Output", hide_short_help = true)]
    strict: bool,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
pub(crate) enum Progress {
    /// Live view on a terminal, lines elsewhere
    Auto,
    /// Live view; needs a terminal
    Bar,
    /// A line from time to time
    Lines,
    /// No progress
    None,
}

/// The output of data and messages, with the options that control it.
pub(crate) struct Ui {
    progress: Progress,
    /// Positive for details, negative for quiet.
    verbosity: i16,
    strict: bool,
    warnings: Vec<String>,
    faults: u64,
    /// The event stream, if stdout is for events instead of data.
    events: Option<Events>,
    /// Number of warnings that are not repeated at the end.
    unrepeated_warnings: usize,
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const BOLD: Style = Style::new().bold();

impl Ui {
    pub(crate) fn new(args: &GlobalArgs) -> Ui {
        let choice = match args.color {
            When::Auto => anstream::ColorChoice::Auto,
            When::Always => anstream::ColorChoice::Always,
            When::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        Ui {
            progress: args.progress,
            verbosity: i16::from(args.verbose) - i16::from(args.quiet),
            strict: args.strict,
            warnings: Vec::new(),
            faults: 0,
            events: None,
            unrepeated_warnings: 0,
        }
    }

    /// The stream for data: stdout, with colour only if it is wanted. If events go to stdout, data is only for
    /// people and goes to stderr, or nowhere with `--quiet`.
    pub(crate) fn data(&self) -> Box<dyn Write> {
        match &self.events {
            None => Box::new(anstream::AutoStream::auto(io::stdout().lock())),
            Some(_) if self.verbosity < 0 => Box::new(io::sink()),
            Some(_) => Box::new(self.stderr()),
        }
    }

    /// Prints a value to [`Ui::data`], as one line of JSON.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_string(value).expect("what is printed has only text for keys");
        text.push('\n');
        Ok(self.data().write_all(text.as_bytes())?)
    }

    /// Stdout for data that another thread prints. It stays stdout even if events go there.
    pub(crate) fn data_for_thread(&self) -> impl Write + Send + use<> {
        anstream::AutoStream::auto(io::stdout())
    }

    pub(crate) fn start_events(&mut self) -> Result<(), Failure> {
        let cant = |error| Failure::new(Exit::Wrong, "can't write events").cause(error);
        self.events = Some(Events::on_stdout().map_err(cant)?);
        Ok(())
    }

    pub(crate) fn events(&self) -> Option<&Events> {
        self.events.as_ref()
    }

    /// The stream for messages: stderr, with colour only if it is wanted.
    pub(crate) fn stderr(&self) -> impl Write + use<> {
        anstream::AutoStream::auto(io::stderr().lock())
    }

    pub(crate) fn stderr_colour(&self) -> anstream::ColorChoice {
        anstream::AutoStream::choice(&io::stderr())
    }

    pub(crate) fn data_in_colour(&self) -> bool {
        anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
    }

    pub(crate) fn stderr_in_colour(&self) -> bool {
        self.stderr_colour() != anstream::ColorChoice::Never
    }

    /// Maximum width of a table on stdout; `None` if stdout is not a terminal.
    pub(crate) fn data_width(&self) -> Option<usize> {
        let stdout = io::stdout();
        let size = stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(&stdout).ok()).flatten()?;
        Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
    }

    /// The form in which progress is shown: `Auto` is resolved, and quiet means none.
    pub(crate) fn progress(&self) -> Progress {
        match self.progress {
            _ if self.verbosity < 0 => Progress::None,
            Progress::Auto if io::stderr().is_terminal() && !env::terminal_is_dumb() => Progress::Bar,
            Progress::Auto => Progress::Lines,
            chosen => chosen,
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.verbosity < 0
    }

    pub(crate) fn note(&self, text: impl fmt::Display) {
        if self.verbosity >= 0 {
            self.print_line(format_args!("{text}"));
        }
    }

    pub(crate) fn detail(&self, text: impl fmt::Display) {
        if self.verbosity > 0 {
            self.print_line(format_args!("{text}"));
        }
    }

    /// Prints a warning; with `--strict` the command then ends with status 2.
    pub(crate) fn warn(&mut self, text: impl fmt::Display) {
        self.show_warning(&text);
        self.warnings.push(text.to_string());
    }

    /// Prints a warning that is not repeated at the end.
    pub(crate) fn warn_once(&mut self, text: impl fmt::Display) {
        self.show_warning(&text);
        self.unrepeated_warnings += 1;
    }

    pub(crate) fn warn_of_torn_lines(&mut self, lines: &[TornLine]) {
        for TornLine { place, bytes } in lines {
            self.warn(format_args!("{place}: the last line is incomplete ({bytes} bytes) and was ignored"));
        }
    }

    /// Prints a failure that does not end the command as a warning.
    pub(crate) fn warn_of(&mut self, failure: &Failure) {
        if self.verbosity >= -1 {
            self.show_failure(failure, format_args!("{WARNING}warning{WARNING:#}"));
        }
        if let Some(events) = &self.events {
            events.warning(failure.parts().what.clone());
        }
        self.unrepeated_warnings += 1;
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    /// Counts faults of bots; with `--strict` the command then ends with status 2.
    pub(crate) fn count_faults(&mut self, faults: u64) {
        self.faults += faults;
    }

    /// The warnings that may be repeated at the end of a long command.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Reports a failure and returns the exit status.
    pub(crate) fn fail(&mut self, failure: &Failure) -> Exit {
        if failure.exit() != Exit::Done {
            self.show_failure(failure, format_args!("{ERROR}error{ERROR:#}"));
        }
        failure.exit()
    }

    fn show_failure(&self, failure: &Failure, label: fmt::Arguments<'_>) {
        let parts = failure.parts();
        match &parts.snippet {
            // Wrapped lines would move the carets of a snippet away from their text.
            Some(rendered) => print(rendered.clone(), self.stderr_colour()),
            None => self.print_line(format_args!("{label}{BOLD}:{BOLD:#} {}", parts.what)),
        }
        if let Some(place) = &parts.place {
            self.print_line(format_args!("  --> {place}"));
        }
        for cause in &parts.causes {
            self.print_line(format_args!("{BOLD}caused by:{BOLD:#} {cause}"));
        }
        for line in &parts.details {
            self.print_line(format_args!("    {line}"));
        }
        for hint in &parts.hints {
            self.print_line(format_args!("{HINT}hint{HINT:#}{BOLD}:{BOLD:#} {hint}"));
        }
        for other in &parts.others {
            self.show_failure(other, label);
        }
    }

    pub(crate) fn note_printer(&self) -> impl Fn(String) + Send + use<> {
        let prints_notes = self.verbosity >= 0;
        let choice = self.stderr_colour();
        move |text| {
            if prints_notes {
                print(in_lines_of_terminal(&text).into_owned(), choice);
            }
        }
    }

    /// The exit status, which depends on warnings and faults with `--strict`.
    pub(crate) fn finish(&self, exit: Exit) -> Exit {
        let what = match (self.warnings.len() + self.unrepeated_warnings, self.faults) {
            (0, 0) => return exit,
            (0, 1) => "a fault of a bot counts as an error".to_owned(),
            (0, faults) => format!("{faults} faults of bots count as errors"),
            _ => "warnings count as errors".to_owned(),
        };
        if !self.strict || exit != Exit::Done {
            return exit;
        }
        self.print_line(format_args!("{ERROR}error{ERROR:#}{BOLD}:{BOLD:#} {what} (--strict)"));
        Exit::Wrong
    }

    /// Prints a warning and sends it to the event stream.
    fn show_warning(&self, text: &impl fmt::Display) {
        self.print_warning(text);
        if let Some(events) = &self.events {
            events.warning(text.to_string());
        }
    }

    /// Prints a warning without counting it.
    pub(crate) fn print_warning(&self, text: &impl fmt::Display) {
        if self.verbosity >= -1 {
            self.print_line(format_args!("{WARNING}warning{WARNING:#}{BOLD}:{BOLD:#} {text}"));
        }
    }

    fn print_line(&self, line: fmt::Arguments<'_>) {
        print(in_lines_of_terminal(&line.to_string()).into_owned(), self.stderr_colour());
    }
}

/// Prints a line on stderr, above the live view if there is one.
fn print(line: String, choice: anstream::ColorChoice) {
    if let Some(line) = messages::print(line) {
        // A failure to write to stderr can't be reported anywhere.
        let _ = writeln!(anstream::AutoStream::new(io::stderr().lock(), choice), "{line}");
    }
}

/// Reports a panic as a bug of this program, with its location and without a backtrace.
pub(crate) fn set_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        messages::pause();
        let _ = writeln!(
            io::stderr(),
            "error: this is a bug in linesman {}: {panic}\nhint: please report it with the command that you ran",
            env::VERSION
        );
    }));
}

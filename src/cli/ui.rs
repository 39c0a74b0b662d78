//! Messages to people: colours, notes, warnings, failures. All of them go to stderr; stdout is for data
//! alone.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};

use super::env;
use super::error::{Exit, Failure};
use super::events::Events;
use super::live::lines::in_lines_of_terminal;
use super::live::messages;
use crate::record::TornLine;

/// Options that every subcommand has.
#[derive(Args, Clone, Debug)]
pub(crate) struct TalkArgs {
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

/// When to use color.
#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How to show progress.
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

/// The output of messages, and the choices that govern it.
pub(crate) struct Ui {
    progress: Progress,
    loudness: i16,
    strict: bool,
    warnings: Vec<String>,
    /// Number of faults of bots.
    faults: u64,
    /// The event stream, in place of data on stdout.
    events: Option<Events>,
    /// Number of warnings that are not repeated at the end.
    once_warned: usize,
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const BOLD: Style = Style::new().bold();

impl Ui {
    pub(crate) fn new(args: &TalkArgs) -> Ui {
        choice(args.color).write_global();
        Ui {
            progress: args.progress,
            loudness: i16::from(args.verbose) - i16::from(args.quiet),
            strict: args.strict,
            warnings: Vec::new(),
            faults: 0,
            events: None,
            once_warned: 0,
        }
    }

    /// The stream for data: stdout, with colour only if it is wanted. If events go to stdout, data is for
    /// people alone and goes to stderr, or nowhere with `--quiet`.
    pub(crate) fn data(&self) -> Box<dyn Write> {
        match &self.events {
            None => Box::new(anstream::AutoStream::auto(io::stdout().lock())),
            Some(_) if self.loudness < 0 => Box::new(io::sink()),
            Some(_) => Box::new(self.talk()),
        }
    }

    /// The same as [`Ui::data`] for another thread; it ignores events.
    pub(crate) fn data_later(&self) -> impl Write + Send + use<> {
        anstream::AutoStream::auto(io::stdout())
    }

    /// Begins to print events for programs on stdout.
    pub(crate) fn tell_events(&mut self) -> Result<(), Failure> {
        let cant = |error| Failure::new(Exit::Wrong, "can't write events").cause(error);
        self.events = Some(Events::on_stdout().map_err(cant)?);
        Ok(())
    }

    /// The event stream, if there is one.
    pub(crate) fn events(&self) -> Option<&Events> {
        self.events.as_ref()
    }

    /// The stream for messages: stderr, with colour only if it is wanted.
    pub(crate) fn talk(&self) -> impl Write + use<> {
        anstream::AutoStream::auto(io::stderr().lock())
    }

    /// The choice of colour on stderr.
    pub(crate) fn talk_choice(&self) -> anstream::ColorChoice {
        anstream::AutoStream::choice(&io::stderr())
    }

    /// Returns true if data on stdout is shown in colour.
    pub(crate) fn data_in_colour(&self) -> bool {
        anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
    }

    /// Returns true if messages on stderr are in colour.
    pub(crate) fn talk_in_colour(&self) -> bool {
        self.talk_choice() != anstream::ColorChoice::Never
    }

    /// Maximum width of a table on stdout; none if it does not go to a terminal.
    pub(crate) fn data_width(&self) -> Option<usize> {
        let stdout = io::stdout();
        stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(&stdout).ok()).flatten().and_then(|size| {
            let columns = usize::from(size.ws_col);
            (columns > 0).then_some(columns)
        })
    }

    /// The form of the progress, `Auto` decided; quiet means none.
    pub(crate) fn progress(&self) -> Progress {
        match self.progress {
            _ if self.loudness < 0 => Progress::None,
            Progress::Auto if io::stderr().is_terminal() && !env::terminal_is_dumb() => Progress::Bar,
            Progress::Auto => Progress::Lines,
            chosen => chosen,
        }
    }

    /// Returns true if details are wanted.
    pub(crate) fn is_verbose(&self) -> bool {
        self.loudness > 0
    }

    /// True if notes are not printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.loudness < 0
    }

    /// Prints a note.
    pub(crate) fn note(&self, text: impl fmt::Display) {
        if self.loudness >= 0 {
            self.say(format_args!("{text}"));
        }
    }

    /// Prints a note if details are wanted.
    pub(crate) fn detail(&self, text: impl fmt::Display) {
        if self.is_verbose() {
            self.say(format_args!("{text}"));
        }
    }

    /// Warns; with `--strict` the command then ends with status 2.
    pub(crate) fn warn(&mut self, text: impl fmt::Display) {
        self.show_warning(&text);
        self.warnings.push(text.to_string());
    }

    /// Warns; the warning is not repeated at the end.
    pub(crate) fn warn_once(&mut self, text: impl fmt::Display) {
        self.show_warning(&text);
        self.once_warned += 1;
    }

    /// Warns of last lines of records that were cut off.
    pub(crate) fn warn_of_torn(&mut self, lines: &[TornLine]) {
        for TornLine { place, bytes } in lines {
            self.warn(format_args!("{place}: the last line is incomplete ({bytes} bytes) and was ignored"));
        }
    }

    /// Warns of a failure that stops nothing, in the words for one that does.
    pub(crate) fn warn_of(&mut self, failure: &Failure) {
        if self.loudness >= -1 {
            self.show_failure(failure, format_args!("{WARNING}warning{WARNING:#}"));
        }
        if let Some(events) = &self.events {
            events.warning(failure.parts().what.clone());
        }
        self.once_warned += 1;
    }

    /// True if warnings count as errors.
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

    /// Repeats a warning.
    pub(crate) fn warn_again(&self, text: &str) {
        self.say_warning(&text);
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
            // The carets of a snippet are below the text that they point at.
            Some(rendered) => print(rendered.clone(), self.talk_choice()),
            None => self.say(format_args!("{label}{BOLD}:{BOLD:#} {}", parts.what)),
        }
        if let Some(place) = &parts.place {
            self.say(format_args!("  --> {place}"));
        }
        for cause in &parts.causes {
            self.say(format_args!("{BOLD}caused by:{BOLD:#} {cause}"));
        }
        for line in &parts.details {
            self.say(format_args!("    {line}"));
        }
        for hint in &parts.hints {
            self.say(format_args!("{HINT}hint{HINT:#}{BOLD}:{BOLD:#} {hint}"));
        }
        for other in &parts.others {
            self.show_failure(other, label);
        }
    }

    /// A function that prints notes from another thread.
    pub(crate) fn note_later(&self) -> impl Fn(String) + Send + use<> {
        let talks = self.loudness >= 0;
        let choice = self.talk_choice();
        move |text| {
            if talks {
                print(in_lines_of_terminal(&text).into_owned(), choice);
            }
        }
    }

    /// The exit status, with regard to warnings.
    pub(crate) fn finish(&self, exit: Exit) -> Exit {
        let what = match (self.warnings.len() + self.once_warned, self.faults) {
            (0, 0) => return exit,
            (0, 1) => "a fault of a bot counts as an error".to_owned(),
            (0, faults) => format!("{faults} faults of bots count as errors"),
            _ => "warnings count as errors".to_owned(),
        };
        if !self.strict || exit != Exit::Done {
            return exit;
        }
        self.say(format_args!("{ERROR}error{ERROR:#}{BOLD}:{BOLD:#} {what} (--strict)"));
        Exit::Wrong
    }

    /// Says a warning, and tells programs of it.
    fn show_warning(&self, text: &impl fmt::Display) {
        self.say_warning(text);
        if let Some(events) = &self.events {
            events.warning(text.to_string());
        }
    }

    fn say_warning(&self, text: &impl fmt::Display) {
        if self.loudness >= -1 {
            self.say(format_args!("{WARNING}warning{WARNING:#}{BOLD}:{BOLD:#} {text}"));
        }
    }

    fn say(&self, line: fmt::Arguments<'_>) {
        print(in_lines_of_terminal(&line.to_string()).into_owned(), self.talk_choice());
    }
}

/// Prints a line on stderr, between its other lines.
fn print(line: String, choice: anstream::ColorChoice) {
    if let Some(line) = messages::say(line) {
        // A failure to write to stderr can't be reported anywhere.
        let _ = writeln!(anstream::AutoStream::new(io::stderr().lock(), choice), "{line}");
    }
}

fn choice(when: When) -> anstream::ColorChoice {
    match when {
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::Always,
        When::Never => anstream::ColorChoice::Never,
    }
}

/// A panic is a bug of this program: reports that, and its place, without a backtrace.
pub(crate) fn set_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        messages::pause();
        let _ = writeln!(
            io::stderr(),
            "error: this is a bug in linesman {}: {panic}\nhint: please report it with the command that you ran",
            super::env::VERSION
        );
    }));
}

//! The outcome of a command: its exit status, or its failure.

use std::path::Path;
use std::process::ExitCode;
use std::{fmt, io};

use super::diagnostics::{Colours, render};
use crate::league::file::Diagnostics;
use crate::record::{ReadError, ReadProblem, write_hint};

#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Exit {
    /// The command did what was asked for.
    Done,
    /// The answer is no: a record is inconsistent, a move is illegal, a test is rejected.
    No,
    /// Wrong usage, bad input, a bot that can't be started, a directory in use.
    Wrong,
    /// Stopped before the end; the same command continues.
    Stopped,
    /// A test ended undecided.
    Undecided,
    /// A bug in linesman.
    Bug,
    /// Results could not be written.
    CantWrite,
    /// Stopped by a signal, with nothing to continue.
    Signal(u8),
    /// Any other status, chosen by a bot that misbehaves on purpose.
    Other(u8),
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::No => 1,
            Exit::Wrong => 2,
            Exit::Stopped => 3,
            Exit::Undecided => 4,
            Exit::Bug => 70,
            Exit::CantWrite => 74,
            Exit::Signal(signal) => 128 + signal,
            Exit::Other(status) => status,
        }
    }

    /// The exit status of a command line that clap answered itself: help is not an error.
    pub fn from_usage(error: &clap::Error) -> Exit {
        if error.use_stderr() { Exit::Wrong } else { Exit::Done }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// The reason why a command failed, for the user.
#[derive(Debug)]
pub struct Failure(Box<FailureParts>);

/// The parts of a failure. They are boxed to keep every `Result` small.
#[derive(Debug)]
pub(crate) struct FailureParts {
    exit: Exit,
    pub(crate) what: String,
    pub(crate) snippet: Option<String>,
    pub(crate) place: Option<String>,
    pub(crate) causes: Vec<String>,
    pub(crate) details: Vec<String>,
    pub(crate) hints: Vec<String>,
    pub(crate) others: Vec<Failure>,
}

impl Failure {
    pub fn new(exit: Exit, what: impl fmt::Display) -> Failure {
        Failure(Box::new(FailureParts {
            exit,
            what: what.to_string(),
            snippet: None,
            place: None,
            causes: Vec::new(),
            details: Vec::new(),
            hints: Vec::new(),
            others: Vec::new(),
        }))
    }

    /// Wrong usage or bad input.
    pub fn wrong(what: impl fmt::Display) -> Failure {
        Failure::new(Exit::Wrong, what)
    }

    /// A negative answer, such as an illegal move.
    pub fn no(what: impl fmt::Display) -> Failure {
        Failure::new(Exit::No, what)
    }

    /// Diagnostics of a file, which are shown with their places instead of `error: ...`.
    pub fn diagnostics(exit: Exit, diagnostics: &Diagnostics, colours: Colours) -> Failure {
        let messages = diagnostics.list.iter().map(|diagnostic| diagnostic.message.as_str());
        let mut failure = Failure::new(exit, messages.collect::<Vec<_>>().join("; "));
        failure.0.snippet = Some(render(diagnostics, colours));
        failure
    }

    /// Reading or writing a file failed.
    pub fn file(exit: Exit, doing: &str, path: &Path, error: &io::Error) -> Failure {
        let failure = Failure::new(exit, format_args!("can't {doing} `{}`", path.display())).cause(error);
        failure.hint_if((exit == Exit::CantWrite).then(|| write_hint(error)))
    }

    #[must_use]
    pub fn cause(mut self, cause: impl fmt::Display) -> Failure {
        self.0.causes.push(cause.to_string());
        self
    }

    /// Adds the place, in the form of compilers: `games.jsonl:12:7`.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Failure {
        self.0.place = Some(place.to_string());
        self
    }

    /// Adds a line of evidence, shown unchanged.
    #[must_use]
    pub fn detail(mut self, line: impl fmt::Display) -> Failure {
        self.0.details.push(line.to_string());
        self
    }

    /// Adds another failure that occurred with this one.
    #[must_use]
    pub fn also(mut self, other: Failure) -> Failure {
        self.0.others.push(other);
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> Failure {
        self.0.hints.push(hint.to_string());
        self
    }

    #[must_use]
    pub fn hint_if(self, hint: Option<impl fmt::Display>) -> Failure {
        hint.into_iter().fold(self, Failure::hint)
    }

    pub fn exit(&self) -> Exit {
        self.0.exit
    }

    /// Returns what failed and why, on one line.
    #[cfg(feature = "nats")]
    pub(crate) fn on_one_line(&self) -> String {
        let causes = self.0.causes.iter().map(String::as_str);
        std::iter::once(self.0.what.as_str()).chain(causes).collect::<Vec<_>>().join(": ")
    }

    pub(crate) fn parts(&self) -> &FailureParts {
        &self.0
    }
}

/// Writing data to stdout failed. A closed pipe is not a failure.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::new(Exit::Done, "");
        }
        Failure::new(Exit::CantWrite, "can't write the output").cause(error)
    }
}

/// Unreadable records are bad input.
impl From<&ReadError> for Failure {
    fn from(error: &ReadError) -> Failure {
        let failure = match &error.problem {
            ReadProblem::Io(cause) => {
                Failure::file(Exit::Wrong, "read", Path::new(&*error.place.file), cause)
            }
            problem => Failure::wrong(problem).at(error.location()),
        };
        failure.hint_if(error.hint())
    }
}

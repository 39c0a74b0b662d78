//! The supervisor's messages to the referee through their pipe: the outcome of the start and the bot's end.
//! Each is a line of JSON.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::os_text;
use linesman_types::shell::without_carriage_returns;
use linesman_types::verdict::Limit;

/// The state of a bot's main process.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub enum State {
    /// It runs or is about to.
    #[default]
    Running,
    /// Its program could not be executed.
    Failed(StartError),
    /// It ended. The ending is unknown if its supervisor was killed.
    Ended(Option<Ending>),
}

/// The reason why a bot could not be started.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartError {
    /// No such program exists.
    #[error("`{}`: no such program{}", .program.display(), searched(.program))]
    NotFound {
        /// The program as the command names it.
        #[serde(with = "os_text")]
        program: PathBuf,
    },
    /// The program is a folder.
    #[error("`{}` is a folder, not a program", .path.display())]
    IsDirectory {
        /// The folder.
        #[serde(with = "os_text")]
        path: PathBuf,
    },
    /// The program's file is not executable.
    #[error("`{}` is not executable", .path.display())]
    NotExecutable {
        /// The file.
        #[serde(with = "os_text")]
        path: PathBuf,
    },
    /// A script names an interpreter that does not exist.
    #[error(
        "the first line of `{}` names the interpreter `{interpreter}`, which can't be found{}",
        .path.display(), windows_line_end(.path, .interpreter)
    )]
    BadInterpreter {
        /// The script.
        #[serde(with = "os_text")]
        path: PathBuf,
        /// The interpreter after its `#!`, made printable.
        interpreter: String,
    },
    /// The working directory can't be entered.
    #[error("can't enter `{}`, the folder to run in: {error}", .path.display())]
    Directory {
        /// The folder.
        #[serde(with = "os_text")]
        path: PathBuf,
        /// The system's message.
        error: String,
    },
    /// The system refused to execute the program for another reason.
    #[error("can't execute `{}`: {error}", .path.display())]
    Refused {
        /// The program as the command names it.
        #[serde(with = "os_text")]
        path: PathBuf,
        /// The system's message.
        error: String,
    },
    /// A file without which the bot can't be executed is outside what it may read.
    #[error("`{}`: {}", .program.display(), outside(.path))]
    Outside {
        /// The program as the command names it.
        #[serde(with = "os_text")]
        program: PathBuf,
        /// The path that it may not read.
        #[serde(with = "os_text")]
        path: PathBuf,
    },
    /// This host or program is at fault, and not the bot.
    #[error("{step}: {error}")]
    Host {
        /// The step that failed.
        step: StartStep,
        /// The system's message.
        error: String,
    },
}

impl StartError {
    /// Returns true if this host or program is at fault, and not the bot.
    pub fn is_of_host(&self) -> bool {
        match self {
            StartError::Host { .. } => true,
            StartError::NotFound { .. }
            | StartError::IsDirectory { .. }
            | StartError::NotExecutable { .. }
            | StartError::BadInterpreter { .. }
            | StartError::Directory { .. }
            | StartError::Refused { .. }
            | StartError::Outside { .. } => false,
        }
    }
}

/// Returns the message that a bot may not read a path, with a hint.
fn outside(path: &std::path::Path) -> String {
    let path = path.display();
    format!("`{path}` is outside what bots may read in the sandbox; add `read = [\"{path}\"]` to the bot")
}

/// Returns the hint for a script with Windows line endings: the interpreter's name ends with the carriage return.
fn windows_line_end(path: &std::path::Path, interpreter: &str) -> String {
    let hint = || format!("; {}", without_carriage_returns(&path.display().to_string()));
    interpreter.ends_with("\\r").then(hint).unwrap_or_default()
}

fn searched(program: &std::path::Path) -> &'static str {
    if program.as_os_str().as_bytes().contains(&b'/') { "" } else { " in `PATH`" }
}

/// A step in starting a bot.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartStep {
    /// Starting the launcher.
    Launch,
    /// Placing the launcher in the process tree and on its CPUs.
    Place,
    /// Forking the bot's process.
    Fork,
    /// Restricting that process.
    Restrict,
    /// Watching over it while it runs.
    Supervise,
}

impl fmt::Display for StartStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StartStep::Launch => "can't start the launcher",
            StartStep::Place => "can't prepare the supervisor",
            StartStep::Fork => "can't fork the bot's process",
            StartStep::Restrict => "can't restrict the bot's process",
            StartStep::Supervise => "can't supervise the bot",
        })
    }
}

/// The end of a bot's main process, and the resources that it and its children used.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// Its exit status or signal.
    #[serde(serialize_with = "status_as_number", deserialize_with = "number_as_status")]
    pub status: ExitStatus,
    /// CPU time in user and system mode.
    pub cpu: Duration,
    /// Peak resident memory in KiB.
    pub peak_kib: u64,
}

/// A bot's excessive use of a resource, for which it was ended.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Breach {
    /// The resource.
    #[serde(serialize_with = "limit_as_word", deserialize_with = "word_as_limit")]
    pub resource: Limit,
    /// The limit, in the resource's [unit](Limit::unit).
    pub limit: u64,
    /// The amount that the bot used.
    pub used: u64,
}

#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    /// The bot was not started.
    Failed(StartError),
    /// The bot used too much and is being ended.
    Breach(Breach),
    /// The filter refused a system call of this name.
    RefusedCall(String),
    /// The bot's main process ended.
    Ended(Ending),
    /// No process is left below the supervisor; nothing follows.
    Swept,
}

impl Message {
    /// Returns the message as a line. Never fails: JSON can represent every value.
    pub(crate) fn encode(&self) -> io::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }
}

fn status_as_number<S: Serializer>(status: &ExitStatus, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(status.into_raw())
}

fn number_as_status<'de, D: Deserializer<'de>>(from: D) -> Result<ExitStatus, D::Error> {
    i32::deserialize(from).map(ExitStatus::from_raw)
}

fn limit_as_word<S: Serializer>(limit: &Limit, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(limit.word())
}

fn word_as_limit<'de, D: Deserializer<'de>>(from: D) -> Result<Limit, D::Error> {
    let word = String::deserialize(from)?;
    let limit = Limit::ALL.into_iter().find(|limit| limit.word() == word);
    limit.ok_or_else(|| D::Error::custom("there is no such limit"))
}

/// Parses the supervisor's messages from a stream of bytes.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    bytes: Vec<u8>,
}

impl Parser {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next complete message. Skips unreadable lines.
    pub(crate) fn next(&mut self) -> Option<Message> {
        loop {
            let end = self.bytes.iter().position(|byte| *byte == b'\n')?;
            let message = serde_json::from_slice(&self.bytes[..end]).ok();
            self.bytes.drain(..=end);
            if message.is_some() {
                return message;
            }
        }
    }
}

/// The supervisor's end of the pipe to the referee.
#[derive(Debug)]
pub(crate) struct ReportPipe(pub(crate) File);

impl ReportPipe {
    pub(crate) fn send(&mut self, message: &Message) {
        // A referee that is gone needs no report.
        let _ = message.encode().and_then(|line| self.0.write_all(&line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_parsed_as_written_in_any_chunks() {
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"/a\nb\xff"));
        let text = || "why".to_owned();
        let mut messages = vec![
            Message::Failed(StartError::NotFound { program: path.clone() }),
            Message::Failed(StartError::IsDirectory { path: path.clone() }),
            Message::Failed(StartError::NotExecutable { path: path.clone() }),
            Message::Failed(StartError::BadInterpreter { path: path.clone(), interpreter: text() }),
            Message::Failed(StartError::Directory { path: path.clone(), error: text() }),
            Message::Failed(StartError::Outside { program: path.clone(), path: "/opt/python".into() }),
            Message::Failed(StartError::Refused { path, error: text() }),
            Message::Ended(Ending {
                status: ExitStatus::from_raw(11),
                cpu: Duration::from_micros(1_500),
                peak_kib: 9_000,
            }),
        ];
        for step in
            [StartStep::Launch, StartStep::Place, StartStep::Fork, StartStep::Restrict, StartStep::Supervise]
        {
            messages.push(Message::Failed(StartError::Host { step, error: text() }));
        }
        for resource in Limit::ALL {
            messages.push(Message::Breach(Breach { resource, limit: 7, used: u64::MAX }));
        }
        messages.push(Message::RefusedCall("bind".to_owned()));
        messages.push(Message::Swept);
        let bytes: Vec<u8> =
            messages.iter().flat_map(|message| message.encode().expect("it has a form")).collect();
        for size in [1, 2, 7, bytes.len()] {
            let mut parser = Parser::default();
            let mut read = Vec::new();
            for chunk in bytes.chunks(size) {
                parser.feed(chunk);
                read.extend(std::iter::from_fn(|| parser.next()));
            }
            assert_eq!(read, messages);
        }
    }

    #[test]
    fn unreadable_lines_are_skipped() {
        let mut parser = Parser::default();
        parser.feed(b"garbage\n{\"ended\":{\"status\":\"x\"}}\n\"swept\"\n");
        assert_eq!(parser.next(), Some(Message::Swept));
        assert_eq!(parser.next(), None);
    }
}

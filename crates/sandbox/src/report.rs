//! The supervisor's messages to the referee over their pipe: how the start went
//! and how the bot ended. Each is a line of JSON.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::os_text;
use linesman_types::shell::without_carriage_returns;

/// The state of a bot's main process.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum State {
    /// It runs, or is about to.
    Running,
    /// Its program could not be executed.
    Failed(StartError),
    /// It ended; nobody knows how if its supervisor was killed.
    Ended(Option<Ending>),
}

/// The reason why a bot could not be started.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartError {
    /// There is no such program.
    #[error("`{}`: no such program{}", .program.display(), searched(.program))]
    NotFound {
        /// The program as it was named.
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
    /// The program's file may not be executed.
    #[error("`{}` is not executable", .path.display())]
    NotExecutable {
        /// The file.
        #[serde(with = "os_text")]
        path: PathBuf,
    },
    /// A script names an interpreter that there is not.
    #[error(
        "the first line of `{}` names the interpreter `{interpreter}`, which can't be found{}",
        .path.display(), windows_line_end(.path, .interpreter)
    )]
    BadInterpreter {
        /// The script.
        #[serde(with = "os_text")]
        path: PathBuf,
        /// What stands after its `#!`, made printable.
        interpreter: String,
    },
    /// The folder to run in can't be entered.
    #[error("can't enter `{}`, the folder to run in: {error}", .path.display())]
    Directory {
        /// The folder.
        #[serde(with = "os_text")]
        path: PathBuf,
        /// The system's words.
        error: String,
    },
    /// The system refused to execute the program for another reason.
    #[error("can't execute `{}`: {error}", .path.display())]
    Refused {
        /// The program as it was named.
        #[serde(with = "os_text")]
        path: PathBuf,
        /// The system's words.
        error: String,
    },
    /// Something without which it can't be executed is not for it to read.
    #[error("`{}`: {}", .program.display(), outside(.path))]
    Outside {
        /// The program as it was named.
        #[serde(with = "os_text")]
        program: PathBuf,
        /// What it may not read.
        #[serde(with = "os_text")]
        path: PathBuf,
    },
    /// It is not the bot's fault: this host or program could not do it.
    #[error("{step}: {error}")]
    Host {
        /// What was being done.
        step: StartStep,
        /// The system's words.
        error: String,
    },
}

/// Says that a path is not for a bot to read, and what makes it so.
fn outside(path: &std::path::Path) -> String {
    let path = path.display();
    format!("`{path}` is outside what bots may read in the sandbox; add `read = [\"{path}\"]` to the bot")
}

/// The cure for a first line whose end is that of another system, a part of the interpreter's name here.
fn windows_line_end(path: &std::path::Path, interpreter: &str) -> String {
    match interpreter.ends_with("\\r") {
        true => format!("; {}", without_carriage_returns(&path.display().to_string())),
        false => String::new(),
    }
}

fn searched(program: &std::path::Path) -> &'static str {
    if program.as_os_str().as_bytes().contains(&b'/') { "" } else { " in `PATH`" }
}

/// A step of a start that is ours.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartStep {
    /// Starting the launcher.
    Launch,
    /// Getting the launcher's place in the process tree and on the CPU.
    Place,
    /// Forking the bot's process.
    Fork,
    /// Taking from it what it may not have.
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
            StartStep::Supervise => "can't watch over the bot",
        })
    }
}

/// How a bot's main process ended, and what it and its children had used.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// Its exit status or signal.
    #[serde(serialize_with = "status_as_number", deserialize_with = "number_as_status")]
    pub status: ExitStatus,
    /// CPU time in user and system mode.
    pub cpu: Duration,
    /// The largest resident set, in KiB.
    pub peak_kib: u64,
}

/// What a bot may use only so much of.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Memory of all its processes, in bytes.
    Memory,
    /// Processes and threads.
    Processes,
    /// What lies in its folder to write in, in bytes.
    Scratch,
    /// Depth of the folders in that folder.
    ScratchDepth,
    /// Number of folders and files of its own that can't be looked into.
    Hidden,
    /// CPU time, in microseconds.
    CpuTime,
}

/// A bot used too much of something, and was ended for it.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Breach {
    /// Of what.
    pub resource: Resource,
    /// How much it might have used.
    pub limit: u64,
    /// How much it used.
    pub used: u64,
}

/// One message of the supervisor.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    /// The bot was not started.
    Failed(StartError),
    /// The bot used too much and is being ended.
    Breach(Breach),
    /// A system call of this name was refused to the bot.
    RefusedCall(String),
    /// The bot's main process ended.
    Ended(Ending),
    /// No process is left below the supervisor; nothing follows.
    Swept,
}

impl Message {
    /// The message as a line.
    ///
    /// # Errors
    /// None that can happen: every value has a form in JSON.
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

/// Takes the supervisor's messages from a stream of bytes.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    bytes: Vec<u8>,
}

impl Parser {
    /// Adds bytes as they come.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole message. What can't be read is skipped.
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
    /// Sends a message.
    pub(crate) fn tell(&mut self, message: &Message) {
        // A referee that is gone needs no report.
        let _ = message.encode().and_then(|line| self.0.write_all(&line));
    }
}

impl AsFd for ReportPipe {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_out_as_they_went_in_however_they_are_cut() {
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
        for resource in [
            Resource::Memory,
            Resource::Processes,
            Resource::Scratch,
            Resource::ScratchDepth,
            Resource::Hidden,
            Resource::CpuTime,
        ] {
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
    fn a_bots_bytes_on_the_pipe_are_no_message() {
        let mut parser = Parser::default();
        parser.feed(b"garbage\n{\"ended\":{\"status\":\"x\"}}\n\"swept\"\n");
        assert_eq!(parser.next(), Some(Message::Swept));
        assert_eq!(parser.next(), None);
    }
}

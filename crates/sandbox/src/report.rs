//! What the supervisor tells the referee over their pipe: how the start went
//! and how the bot ended. Fields end with a NUL, so that any path can be told.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a bot could not be started.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such program.
    #[error("`{}`: no such program{}", .program.display(), searched(.program))]
    NotFound {
        /// The program as it was named.
        program: PathBuf,
    },
    /// The program is a folder.
    #[error("`{}` is a folder, not a program", .path.display())]
    IsDirectory {
        /// The folder.
        path: PathBuf,
    },
    /// The program's file may not be executed.
    #[error("`{}` is not executable", .path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// A script names an interpreter that there is not.
    #[error("the first line of `{}` names the interpreter `{interpreter}`, which can't be found", .path.display())]
    BadInterpreter {
        /// The script.
        path: PathBuf,
        /// What stands after its `#!`, made printable.
        interpreter: String,
    },
    /// The folder to run in can't be entered.
    #[error("can't enter `{}`, the folder to run in: {error}", .path.display())]
    Directory {
        /// The folder.
        path: PathBuf,
        /// The system's words.
        error: String,
    },
    /// The system refused to execute the program for another reason.
    #[error("can't execute `{}`: {error}", .path.display())]
    Refused {
        /// The program as it was named.
        path: PathBuf,
        /// The system's words.
        error: String,
    },
    /// Something without which it can't be executed is not for it to read.
    #[error("`{}`: {}", .program.display(), outside(.path))]
    Outside {
        /// The program as it was named.
        program: PathBuf,
        /// What it may not read.
        path: PathBuf,
    },
    /// It is not the bot's fault: this host or program could not do it.
    #[error("{step}: {error}")]
    Host {
        /// What was being done.
        step: Step,
        /// The system's words.
        error: String,
    },
}

/// Says that a path is not for a bot to read, and what makes it so.
fn outside(path: &std::path::Path) -> String {
    let path = path.display();
    format!("`{path}` is outside what bots may read in the sandbox; add `read = [\"{path}\"]` to the bot")
}

fn searched(program: &std::path::Path) -> &'static str {
    if program.as_os_str().as_bytes().contains(&b'/') { "" } else { " in `PATH`" }
}

/// A step of a start that is ours.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Step {
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

impl Step {
    const ALL: [Step; 5] = [Step::Launch, Step::Place, Step::Fork, Step::Restrict, Step::Supervise];

    fn word(self) -> &'static str {
        match self {
            Step::Launch => "launch",
            Step::Place => "place",
            Step::Fork => "fork",
            Step::Restrict => "restrict",
            Step::Supervise => "supervise",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::Launch => "can't start the launcher",
            Step::Place => "can't prepare the supervisor",
            Step::Fork => "can't fork the bot's process",
            Step::Restrict => "can't restrict the bot's process",
            Step::Supervise => "can't watch over the bot",
        })
    }
}

/// How a bot's main process ended, and what it and its children had used.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Ending {
    /// Its exit status or signal.
    pub status: ExitStatus,
    /// CPU time in user and system mode.
    pub cpu: Duration,
    /// The largest resident set, in KiB.
    pub peak_kib: u64,
}

/// What a bot may use only so much of.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
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

impl Resource {
    const ALL: [Resource; 6] = [
        Resource::Memory,
        Resource::Processes,
        Resource::Scratch,
        Resource::ScratchDepth,
        Resource::Hidden,
        Resource::CpuTime,
    ];

    fn word(self) -> &'static str {
        match self {
            Resource::Memory => "memory",
            Resource::Processes => "processes",
            Resource::Scratch => "scratch",
            Resource::ScratchDepth => "scratch_depth",
            Resource::Hidden => "hidden",
            Resource::CpuTime => "cpu",
        }
    }
}

/// A bot used too much of something, and was ended for it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Breach {
    /// Of what.
    pub resource: Resource,
    /// How much it might have used.
    pub limit: u64,
    /// How much it used.
    pub used: u64,
}

/// One message of the supervisor.
#[derive(Clone, Eq, PartialEq, Debug)]
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
    /// The message as bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut field = |value: &[u8]| {
            bytes.extend(value.iter().filter(|byte| **byte != 0));
            bytes.push(0);
        };
        match self {
            Message::Failed(error) => {
                let (kind, path, detail): (&str, &OsStr, String) = match error {
                    StartError::NotFound { program } => ("not-found", program.as_os_str(), String::new()),
                    StartError::IsDirectory { path } => ("directory", path.as_os_str(), String::new()),
                    StartError::NotExecutable { path } => ("permission", path.as_os_str(), String::new()),
                    StartError::BadInterpreter { path, interpreter } => {
                        ("interpreter", path.as_os_str(), interpreter.clone())
                    }
                    StartError::Directory { path, error } => ("enter", path.as_os_str(), error.clone()),
                    StartError::Refused { path, error } => ("refused", path.as_os_str(), error.clone()),
                    StartError::Outside { program, path } => {
                        ("outside", program.as_os_str(), path.to_string_lossy().into_owned())
                    }
                    StartError::Host { step, error } => (step.word(), OsStr::new(""), error.clone()),
                };
                field(b"failed");
                field(kind.as_bytes());
                field(path.as_bytes());
                field(detail.as_bytes());
            }
            Message::Breach(breach) => {
                field(b"breach");
                field(breach.resource.word().as_bytes());
                field(breach.limit.to_string().as_bytes());
                field(breach.used.to_string().as_bytes());
            }
            Message::RefusedCall(name) => {
                field(b"call");
                field(name.as_bytes());
            }
            Message::Ended(ending) => {
                field(b"ended");
                field(ending.status.into_raw().to_string().as_bytes());
                field(ending.cpu.as_micros().to_string().as_bytes());
                field(ending.peak_kib.to_string().as_bytes());
            }
            Message::Swept => field(b"swept"),
        }
        bytes
    }
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
            let ends: Vec<usize> = self
                .bytes
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == 0)
                .map(|(at, _)| at)
                .take(4)
                .collect();
            let field = |index: usize| {
                let start = if index == 0 { 0 } else { ends[index - 1] + 1 };
                &self.bytes[start..ends[index]]
            };
            let first = *ends.first()?;
            let needed = match &self.bytes[..first] {
                b"failed" | b"breach" | b"ended" => 4,
                b"call" => 2,
                _ => 1,
            };
            if ends.len() < needed {
                return None;
            }
            let message = match field(0) {
                b"failed" => Some(Message::Failed(failed(field(1), field(2), field(3)))),
                b"breach" => breach(field(1), field(2), field(3)).map(Message::Breach),
                b"call" => Some(Message::RefusedCall(String::from_utf8_lossy(field(1)).into_owned())),
                b"ended" => ended(field(1), field(2), field(3)).map(Message::Ended),
                b"swept" => Some(Message::Swept),
                _ => None,
            };
            let end = ends[needed - 1];
            self.bytes.drain(..=end);
            if message.is_some() {
                return message;
            }
        }
    }
}

fn failed(kind: &[u8], path: &[u8], detail: &[u8]) -> StartError {
    let path = PathBuf::from(OsString::from_vec(path.to_owned()));
    let error = String::from_utf8_lossy(detail).into_owned();
    if let Some(step) = Step::ALL.into_iter().find(|step| step.word().as_bytes() == kind) {
        return StartError::Host { step, error };
    }
    match kind {
        b"not-found" => StartError::NotFound { program: path },
        b"directory" => StartError::IsDirectory { path },
        b"permission" => StartError::NotExecutable { path },
        b"interpreter" => StartError::BadInterpreter { path, interpreter: error },
        b"outside" => StartError::Outside { program: path, path: error.into() },
        b"enter" => StartError::Directory { path, error },
        _ => StartError::Refused { path, error },
    }
}

fn number<T: std::str::FromStr>(field: &[u8]) -> Option<T> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

fn breach(resource: &[u8], limit: &[u8], used: &[u8]) -> Option<Breach> {
    let resource = Resource::ALL.into_iter().find(|known| known.word().as_bytes() == resource)?;
    Some(Breach { resource, limit: number(limit)?, used: number(used)? })
}

fn ended(status: &[u8], cpu: &[u8], peak: &[u8]) -> Option<Ending> {
    Some(Ending {
        status: ExitStatus::from_raw(number(status)?),
        cpu: Duration::from_micros(number(cpu)?),
        peak_kib: number(peak)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_out_as_they_went_in_however_they_are_cut() {
        let path = PathBuf::from(OsString::from_vec(b"/a\nb\xff".to_vec()));
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
        for step in Step::ALL {
            messages.push(Message::Failed(StartError::Host { step, error: text() }));
        }
        for resource in Resource::ALL {
            messages.push(Message::Breach(Breach { resource, limit: 7, used: u64::MAX }));
        }
        messages.push(Message::RefusedCall("bind".to_owned()));
        messages.push(Message::Swept);
        let bytes: Vec<u8> = messages.iter().flat_map(Message::encode).collect();
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
        parser.feed(b"garbage\0ended\0x\0y\0z\0swept\0");
        assert_eq!(parser.next(), Some(Message::Swept));
        assert_eq!(parser.next(), None);
    }
}

//! Checks of a bot's command without starting it.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::file::{Need, ProgramVersion, suggestion, suggestion_of_many};
use linesman_types::shell;

/// The first word of a command that means this program itself.
pub const THIS_BINARY: &str = "linesman";

/// The subcommand that runs a file written for another framework: `linesman adapt FILE:NAME`.
pub(crate) const ADAPT: &str = "adapt";

/// The subcommand with which a person plays. As a bot's command it marks the person's seat and starts nothing.
const PLAY: &str = "play";

/// The command of a person's seat.
pub fn command_of_person() -> String {
    format!("{THIS_BINARY} {PLAY}")
}

/// Returns true for the command of a person's seat.
pub fn is_person(command: &[String]) -> bool {
    command == [THIS_BINARY, PLAY]
}

/// The program that a bot's command starts.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Program {
    /// This program itself, with the words after the first as its arguments.
    ThisBinary,
    File(PathBuf),
}

/// The reason why a bot can't be started. Paths are relative to the folder in which linesman runs.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// Its working directory does not exist.
    #[error("there is no folder `{}`", folder.display())]
    NoFolder {
        folder: PathBuf,
        /// A folder with a similar name.
        near: Option<PathBuf>,
    },
    /// This path, its working directory, is not a folder.
    #[error("`{}` is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The file that its command names does not exist.
    #[error("there is no file `{}`", path.display())]
    NoFile {
        path: PathBuf,
        /// A file with a similar name.
        near: Option<PathBuf>,
    },
    /// None of the folders of the `PATH` has its program.
    #[error("there is no program `{program}` on the PATH")]
    NotOnPath {
        program: String,
        /// True if a file with this name is in the bot's folder.
        lies_here: bool,
        /// A program with a similar name.
        near: Option<String>,
    },
    /// This path, its program, is a folder.
    #[error("`{}` is a folder", .0.display())]
    Folder(PathBuf),
    #[error("`{}` is not executable", path.display())]
    NotExecutable {
        path: PathBuf,
        /// The interpreter of files of its kind.
        interpreter: Option<&'static str>,
    },
    /// The first line of a script names an interpreter that does not exist.
    #[error("`{}` needs `{}`, which does not exist", path.display(), interpreter.escape_debug())]
    NoInterpreter {
        /// The script.
        path: PathBuf,
        /// The interpreter that its first line names.
        interpreter: String,
    },
    /// A file can't be read.
    #[error("can't read `{}`: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// This program, which it needs, is missing.
    #[error("it needs `{0}`, which is not on the PATH")]
    NeedMissing(String),
    /// A program that it needs is too old, or does not print its version.
    #[error("it needs `{need}`, but `{}` {}", program.display(), version_clause(found.as_ref()))]
    NeedTooOld {
        /// The program and its minimum version.
        need: Need,
        /// The program on this machine.
        program: PathBuf,
        /// Its version, if it printed one.
        found: Option<ProgramVersion>,
    },
}

fn version_clause(found: Option<&ProgramVersion>) -> String {
    found.map_or_else(|| "does not report its version".to_owned(), |found| format!("is version {found}"))
}

impl BotError {
    /// The key of the bot that is wrong.
    pub(super) fn key(&self) -> &'static str {
        match self {
            BotError::NoFolder { .. } | BotError::NotAFolder(_) => "dir",
            BotError::NeedMissing(_) | BotError::NeedTooOld { .. } => "needs",
            BotError::NoFile { .. }
            | BotError::NotOnPath { .. }
            | BotError::Folder(_)
            | BotError::NotExecutable { .. }
            | BotError::NoInterpreter { .. }
            | BotError::Unreadable { .. } => "command",
        }
    }

    pub(super) fn label(&self) -> &'static str {
        match self {
            BotError::NoFolder { .. } | BotError::NoFile { .. } => "not found",
            BotError::NotAFolder(_) => "not a folder",
            BotError::NotOnPath { .. } => "the first word must be a program",
            BotError::Folder(_) => "a folder can't be executed",
            BotError::NotExecutable { .. } => "not executable",
            BotError::NoInterpreter { .. } => "its first line names a missing interpreter",
            BotError::Unreadable { .. } => "not readable",
            BotError::NeedMissing(_) => "not found on this machine",
            BotError::NeedTooOld { .. } => "not met on this machine",
        }
    }

    /// The remedy.
    pub fn hint(&self) -> Option<String> {
        match self {
            BotError::NoFolder { near: Some(near), .. } | BotError::NoFile { near: Some(near), .. } => {
                Some(format!("did you mean `{}`?", near.display()))
            }
            BotError::NoFile { path, .. } if path.components().any(|part| part.as_os_str() == "~") => {
                Some("write the path in full: without a shell, `~` is not expanded".to_owned())
            }
            BotError::NoFile { path, .. } | BotError::NoFolder { folder: path, .. } if path.is_relative() => {
                Some("a bot runs in the tournament file's folder unless `dir` is set".to_owned())
            }
            BotError::NotOnPath { program, lies_here: true, .. } => {
                Some(format!("write `./{program}`: the program is in the bot's folder"))
            }
            BotError::NotOnPath { near: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            BotError::NotExecutable { path, interpreter: Some(interpreter) } => {
                let path = path.display();
                Some(format!("put `{interpreter}` before it, or make it executable: `chmod +x {path}`"))
            }
            BotError::NotExecutable { path, interpreter: None } => {
                Some(format!("make it executable: `chmod +x {}`", path.display()))
            }
            BotError::Folder(_) => Some("name the program inside the folder".to_owned()),
            BotError::NoInterpreter { path, interpreter } if has_windows_line_end(interpreter) => {
                let path = path.to_string_lossy();
                Some(shell::without_carriage_returns(&shell_words::quote(&path)))
            }
            BotError::NoInterpreter { .. } => {
                Some("install the interpreter, or correct the line that begins with `#!`".to_owned())
            }
            BotError::NeedMissing(program) => Some(format!("install `{program}` on this machine")),
            BotError::NeedTooOld { need, .. } => Some(format!(
                "install a newer `{}`, or put it before the other one on the PATH",
                need.program
            )),
            _ => None,
        }
    }
}

/// Finds the program of a command; `path` is the value of `PATH`.
pub(super) fn find(command: &[String], folder: &Path, path: &OsStr) -> Result<Program, BotError> {
    check_folder(folder)?;
    let word = command.first().map_or("", String::as_str);
    if word == THIS_BINARY {
        return Ok(Program::ThisBinary);
    }
    let program = if word.contains('/') {
        let program = folder.join(word);
        check_executable(&program)?;
        program
    } else {
        on_path(word, folder, path).ok_or_else(|| BotError::NotOnPath {
            program: word.to_owned(),
            lies_here: folder.join(word).is_file(),
            near: near_program(word, folder, path),
        })?
    };
    check_script(&program, command, folder, path)?;
    Ok(Program::File(program))
}

fn check_folder(folder: &Path) -> Result<(), BotError> {
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(BotError::NotAFolder(tidy(folder))),
        Err(error) if is_missing(&error) => {
            Err(BotError::NoFolder { folder: tidy(folder), near: near_path(folder) })
        }
        Err(error) => Err(BotError::Unreadable { path: tidy(folder), error }),
    }
}

fn check_executable(path: &Path) -> Result<(), BotError> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_missing(&error) => {
            return Err(BotError::NoFile { path: tidy(path), near: near_path(path) });
        }
        Err(error) => return Err(BotError::Unreadable { path: tidy(path), error }),
    };
    if metadata.is_dir() {
        return Err(BotError::Folder(tidy(path)));
    }
    if !is_executable(path) {
        let interpreter = match path.extension().and_then(OsStr::to_str) {
            Some("py") => Some("python3"),
            Some("sh") => Some("sh"),
            Some("js" | "mjs") => Some("node"),
            Some("rb") => Some("ruby"),
            Some("pl") => Some("perl"),
            Some("lua") => Some("lua"),
            _ => None,
        };
        return Err(BotError::NotExecutable { path: tidy(path), interpreter });
    }
    // The kernel would report only that the script itself does not exist.
    match missing_interpreter(path) {
        Some(interpreter) => Err(BotError::NoInterpreter { path: tidy(path), interpreter }),
        None => Ok(()),
    }
}

fn missing_interpreter(path: &Path) -> Option<String> {
    let mut start = Vec::new();
    fs::File::open(path).ok()?.take(256).read_to_end(&mut start).ok()?;
    let first = start.split(|byte| *byte == b'\n').next()?.strip_prefix(b"#!")?;
    let first = String::from_utf8_lossy(first);
    let first = first.trim_start_matches([' ', '\t']);
    let (interpreter, argument) = first.split_once([' ', '\t']).unwrap_or((first, ""));
    // A carriage return at the end makes it the name of another file, which does not exist.
    let is_missing = interpreter.starts_with('/') && !Path::new(interpreter).exists();
    // `env` looks for a program whose name includes the carriage return.
    let is_missing_for_env =
        interpreter.ends_with("/env") && argument.ends_with('\r') && !argument.starts_with('-');
    match (is_missing, is_missing_for_env) {
        (true, _) => Some(interpreter.to_owned()),
        (false, true) => Some(argument.trim_start_matches([' ', '\t']).to_owned()),
        (false, false) => None,
    }
}

/// Returns true if the carriage return at the end of an interpreter's name is why it does not exist.
fn has_windows_line_end(interpreter: &str) -> bool {
    interpreter.strip_suffix('\r').is_some_and(|name| !name.starts_with('/') || Path::new(name).exists())
}

/// Checks that the script of an interpreter exists: without it, `python3 bot.py` would start and exit immediately.
fn check_script(program: &Path, command: &[String], folder: &Path, path: &OsStr) -> Result<(), BotError> {
    let interpreter = program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_shell = ["sh", "bash", "dash", "ksh", "zsh"].contains(&interpreter);
    let is_other = ["python", "perl", "ruby", "lua", "node"].iter().any(|name| interpreter.starts_with(name));
    let Some(script) = command.get(1).filter(|word| !word.starts_with('-')) else { return Ok(()) };
    let file = folder.join(script);
    if !(is_shell || is_other) || file.exists() {
        return Ok(());
    }
    // A shell also looks for scripts on the `PATH`.
    if is_shell && !script.contains('/') && on_path(script, folder, path).is_some() {
        return Ok(());
    }
    Err(BotError::NoFile { path: tidy(&file), near: near_path(&file) })
}

pub(super) fn on_path(program: &str, folder: &Path, path: &OsStr) -> Option<PathBuf> {
    path_folders(folder, path)
        .map(|entry| entry.join(program))
        .find(|file| file.is_file() && is_executable(file))
}

/// The folders of the `PATH`. Relative ones are relative to the bot's folder.
fn path_folders(folder: &Path, path: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(path).map(|entry| folder.join(entry)).collect::<Vec<_>>().into_iter()
}

fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Finds a path with a similar name in the same folder, for messages.
fn near_path(path: &Path) -> Option<PathBuf> {
    similar_path(path).map(|near| tidy(&near))
}

/// Finds a path with a similar name in the same folder.
pub(crate) fn similar_path(path: &Path) -> Option<PathBuf> {
    let names = names_in(path.parent()?);
    let near = suggestion(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near))
}

fn near_program(program: &str, folder: &Path, path: &OsStr) -> Option<String> {
    let mut names: Vec<String> = path_folders(folder, path).flat_map(|entry| names_in(&entry)).collect();
    names.push(THIS_BINARY.to_owned());
    names.sort_unstable();
    suggestion_of_many(program, names.iter().map(String::as_str)).map(str::to_owned)
}

/// Lists the names in a folder, sorted; empty if the folder can't be read.
fn names_in(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names
}

/// Returns a path for messages: without `.`, and without folders that are followed by `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            part => tidy.push(part),
        }
    }
    if tidy.as_os_str().is_empty() { PathBuf::from(".") } else { tidy }
}

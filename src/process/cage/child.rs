//! The forked child, until it is the bot.

use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rustix::process::{Signal, set_parent_process_death_signal, setsid};

use super::{Orders, Report, kernel};
use crate::process::report::{Message, StartError, Step};

/// Executes the bot's program; returns only if that fails.
pub(super) fn become_bot(orders: &Orders, report: &mut Report) -> ExitCode {
    let error = match prepare(orders) {
        Ok(()) => {
            kernel::unblock_all_signals();
            let error = std::process::Command::new(&orders.program).args(&orders.arguments).exec();
            explain(&orders.program, &error)
        }
        Err(error) => error,
    };
    report.tell(&Message::Failed(error));
    ExitCode::from(127)
}

fn prepare(orders: &Orders) -> Result<(), StartError> {
    let place = |error: io::Error| StartError::Host { step: Step::Place, error: error.to_string() };
    // A bot that kills its supervisor goes with it.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| place(error.into()))?;
    setsid().map_err(|error| place(error.into()))?;
    kernel::close_on_exec_from_3().map_err(place)?;
    rustix::process::chdir(&orders.directory).map_err(|error| StartError::Directory {
        path: orders.directory.clone(),
        error: io::Error::from(error).to_string(),
    })
}

/// Finds out what the kernel's refusal means: it says "not found" of a script
/// whose interpreter is missing, and "permission denied" of a folder.
fn explain(program: &std::ffi::OsStr, error: &io::Error) -> StartError {
    let path = PathBuf::from(program);
    let refused = StartError::Refused { path: path.clone(), error: error.to_string() };
    let Some(file) = locate(program) else {
        return match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory => {
                StartError::NotFound { program: path }
            }
            _ => refused,
        };
    };
    match error.kind() {
        io::ErrorKind::PermissionDenied if file.is_dir() => StartError::IsDirectory { path: file },
        io::ErrorKind::PermissionDenied => match interpreter(&file) {
            Some(interpreter) if is_executable(&file) => {
                StartError::BadInterpreter { path: file, interpreter }
            }
            _ => StartError::NotExecutable { path: file },
        },
        io::ErrorKind::NotFound => match interpreter(&file) {
            Some(interpreter) => StartError::BadInterpreter { path: file, interpreter },
            None => StartError::Refused {
                path: file,
                error: "the loader or interpreter that it needs is not there".to_owned(),
            },
        },
        _ => refused,
    }
}

/// The file that was meant, if there is one.
fn locate(program: &std::ffi::OsStr) -> Option<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(program)).filter(|path| path.exists());
    }
    #[expect(clippy::disallowed_methods, reason = "the launcher's environment is the bot's")]
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn is_executable(file: &Path) -> bool {
    rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}

fn interpreter(file: &Path) -> Option<String> {
    let mut start = [0; 256];
    let count = std::fs::File::open(file).ok()?.read(&mut start).ok()?;
    let line = start[..count].strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    // A carriage return before the line's end is part of the name, and shows as `\r`.
    Some(String::from_utf8_lossy(line).trim_matches(' ').escape_debug().to_string())
}

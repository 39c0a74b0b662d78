//! The forked child, until it becomes the bot.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rustix::process::{Signal, getpid, set_parent_process_death_signal, setsid};

use super::{SpawnRequest, files, kernel, restrict, seccomp_listener, system_calls};
use crate::isolation::{View, become_user, interpreter, interpreter_line, is_within};
use crate::report::{Message, ReportPipe, StartError, StartStep};

/// Executes the bot's program. Returns only if that fails.
pub(super) fn become_bot(
    request: &SpawnRequest,
    procs_fds: [Option<OwnedFd>; 2],
    supervisor: Option<UnixStream>,
    report: &mut ReportPipe,
) -> ExitCode {
    let error = match procs_fds
        .into_iter()
        .flatten()
        .try_for_each(join)
        .and_then(|()| prepare(request, supervisor))
    {
        Ok(()) => {
            kernel::unblock_all_signals();
            let mut bot = std::process::Command::new(&request.program);
            bot.args(&request.arguments);
            if request.referee.is_none() {
                // `bwrap` sets `PWD` to the folder that it was started in, which means nothing to the bot.
                bot.env_remove("PWD");
            }
            let error = bot.exec();
            explain(request, &error)
        }
        Err(error) => error,
    };
    report.send(&Message::Failed(error));
    ExitCode::from(127)
}

/// Joins one of the bot's cgroups, which everything that the bot starts inherits. The supervisor stays
/// outside, so that it can report how the bot ended.
fn join(procs_fd: OwnedFd) -> Result<(), StartError> {
    // `0` means the writing process.
    File::from(procs_fd).write_all(b"0\n").map_err(|error| StartError::Host {
        step: StartStep::Place,
        error: format!("joining the cgroup: {error}"),
    })
}

fn prepare(request: &SpawnRequest, supervisor: Option<UnixStream>) -> Result<(), StartError> {
    let place = |error: io::Error| StartError::Host { step: StartStep::Place, error: error.to_string() };
    let dies_with_its_parent =
        || set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| place(error.into()));
    // A bot that kills its supervisor dies with it.
    dies_with_its_parent()?;
    setsid().map_err(|error| place(error.into()))?;
    kernel::close_on_exec_from_3().map_err(place)?;
    limit(request)?;
    // The parent death signal is cleared when a process changes its user.
    dies_with_its_parent()?;
    rustix::process::chdir(&request.directory).map_err(|error| StartError::Directory {
        path: request.directory.clone(),
        error: io::Error::from(error).to_string(),
    })?;
    shut_in(request, supervisor)
}

/// Sets the limits and the bot's user.
fn limit(request: &SpawnRequest) -> Result<(), StartError> {
    let failed = |what: &str, error: io::Error| restricting(format!("{what}: {error}"));
    let is_alone = request.user.is_some() || request.referee.is_none();
    if let Some(policy) = &request.policy {
        restrict::prefer_as_oom_victim();
        restrict::limit(policy, is_alone).map_err(|error| failed("limits", error))?;
    }
    if let Some(user) = request.user {
        become_user(user).map_err(|error| failed("user", error))?;
    }
    if request.launcher.is_some() {
        restrict::drop_privileges().map_err(|error| failed("privileges", error))?;
    }
    Ok(())
}

/// Cuts off access: to files first, then to system calls, some of which the former step needs.
fn shut_in(request: &SpawnRequest, supervisor: Option<UnixStream>) -> Result<(), StartError> {
    let (Some(launcher), Some(policy)) = (&request.launcher, &request.policy) else { return Ok(()) };
    rustix::thread::set_no_new_privs(true).map_err(|error| restricting(error.to_string()))?;
    let view = if request.referee.is_none() { View::Mounts } else { View::Host };
    if launcher.landlock > 0 {
        files::shut(policy, launcher.landlock, request.scratch.as_deref(), view).map_err(restricting)?;
    }
    let listener = system_calls::refuse(launcher, getpid(), view).map_err(restricting)?;
    if let Some((listener, mut supervisor)) = listener.zip(supervisor) {
        seccomp_listener::hand_over(&listener, &mut supervisor)
            .map_err(|error| restricting(format!("system calls: {error}")))?;
    }
    Ok(())
}

fn restricting(error: String) -> StartError {
    StartError::Host { step: StartStep::Restrict, error }
}

/// Returns the cause of the kernel's refusal. The kernel itself reports "not found" for a script whose
/// interpreter is missing, and "permission denied" for a folder.
fn explain(request: &SpawnRequest, error: &io::Error) -> StartError {
    let program = request.program.as_os_str();
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
    let interpreter = || shown_interpreter(&file);
    match error.kind() {
        io::ErrorKind::PermissionDenied if file.is_dir() => StartError::IsDirectory { path: file },
        io::ErrorKind::PermissionDenied => match interpreter() {
            _ if let Some(outside) = out_of_reach(request, &file) => {
                StartError::Outside { program: path, path: outside }
            }
            Some(interpreter) if is_executable(&file) => {
                StartError::BadInterpreter { path: file, interpreter }
            }
            _ => StartError::NotExecutable { path: file },
        },
        io::ErrorKind::NotFound => match interpreter() {
            Some(interpreter) => StartError::BadInterpreter { path: file, interpreter },
            None => StartError::Refused {
                path: file,
                error: "the loader or interpreter that it needs does not exist".to_owned(),
            },
        },
        _ => refused,
    }
}

/// Returns the file that the program's name means, if it exists.
fn locate(program: &std::ffi::OsStr) -> Option<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(program)).filter(|path| path.exists());
    }
    #[expect(clippy::disallowed_methods, reason = "the launcher's environment is the bot's")]
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Returns the program or the interpreter that it names if bots may not read it, which keeps it from being executed.
fn out_of_reach(request: &SpawnRequest, file: &Path) -> Option<PathBuf> {
    request.launcher.filter(|launcher| launcher.landlock > 0)?;
    let read = &request.policy.as_ref()?.read;
    let is_outside = |path: &PathBuf| is_executable(path) && !is_within(path, read);
    Some(file.to_owned()).filter(is_outside).or_else(|| interpreter(file).filter(is_outside))
}

fn is_executable(file: &Path) -> bool {
    rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Returns the interpreter that a script names, with its arguments, for messages.
fn shown_interpreter(file: &Path) -> Option<String> {
    let line = interpreter_line(file)?;
    // A carriage return before the line's end is part of the name, and is shown as `\r`.
    Some(String::from_utf8_lossy(&line).trim_matches(' ').escape_debug().to_string())
}

//! The command that prepares a bot: `setup = "make"`.
//!
//! It runs in the sandbox like the bot, without network, in a writable folder with a copy of the content. The result
//! leaves the sandbox as an archive on stdout, which is trusted no more than an archive from another machine.

use std::ffi::OsString;
use std::future::poll_fn;
use std::io::{self, Write};
use std::path::{Component, Path};
use std::process::{Command, ExitCode, Stdio};
use std::task::Poll;
use std::time::Duration;

use tokio::time::timeout;

use super::archive::{pack, unpack};
use super::cache::{CacheError, ContentCache};
use super::files;
use super::{BotContent, MAX_BYTES};
use crate::bots::presume;
use crate::file::{Bot, Tournament};
use crate::host::Host;
use crate::lineup::Lineup;
use linesman_driver::exit_status;
use linesman_sandbox::isolation::Policy;
use linesman_sandbox::{Bot as RunningBot, Breach, Process, StartError, State};
use linesman_types::verdict::ExitStatus;

/// The first argument that makes this program run a `setup` inside the sandbox.
pub const ARGUMENT: &str = "__setup";

const TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// Maximum total size of the files in its folder, in bytes: the copy, temporary files, and the result.
const MAX_WRITTEN: u64 = 8 * MAX_BYTES;

/// Memory limit of a `setup` in bytes, unless the bot's own limit is higher.
const MEMORY_LIMIT: u64 = 4 << 30;

/// The reason why a bot can't be prepared.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The content is not in the cache.
    #[error("its files are not here")]
    NoContent,
    /// The sandbox can't be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The machine can't run it.
    #[error("can't run its `setup` on this machine: {0}")]
    Host(#[from] io::Error),
    /// The command took too long.
    #[error("its `setup` did not end within {} minutes", TIMEOUT.as_secs() / 60)]
    TooLong,
    /// The command exceeded a limit.
    #[error("its `setup` broke the {which} limit: it used {used}, and the limit is {limit}")]
    Limit {
        /// The word for the limit.
        which: &'static str,
        limit: u64,
        /// The amount that it used.
        used: u64,
    },
    /// The command failed.
    #[error("its `setup` ended with {status}{}", stderr_suffix(stderr))]
    Failed {
        /// The exit status, in words.
        status: String,
        /// The end of its stderr.
        stderr: String,
    },
    /// Its output can't be kept.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// The end of a command's stderr after a colon; empty if it is blank.
fn stderr_suffix(stderr: &str) -> String {
    if stderr.trim().is_empty() { String::new() } else { format!(":\n{}", stderr.trim_end()) }
}

/// Sets the bot's folder to the cached copy of its content. Runs its `setup` first if it has one, unless the cache has
/// the result. Blocks, so it must not be called from async code.
///
/// # Errors
/// A content that is missing from the cache, or a `setup` that fails.
pub fn place(
    bot: &mut Bot,
    content: &BotContent,
    cache: &ContentCache,
    (tournament, host): (&Tournament, &Host),
) -> Result<(), SetupError> {
    // The path may come from another machine.
    if !content.within.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(SetupError::NoContent);
    }
    let copy = || cache.content(content.digest).ok_or(SetupError::NoContent);
    let Some(setup) = bot.setup.clone() else {
        bot.folder = copy()?.join(&content.within);
        return Ok(());
    };
    let ready = content.digest.after(&setup);
    let root = match cache.ready(ready) {
        Some(root) => root,
        None => {
            let root = copy()?;
            bot.folder = root.join(&content.within);
            let archive = run(bot, &setup, (&root, &content.within), (tournament, host))?;
            cache.keep_ready(ready, &archive)?
        }
    };
    bot.folder = root.join(&content.within);
    bot.made_of = Some(format!("sha256:{ready}"));
    Ok(())
}

/// Runs the command in the sandbox and returns the result as an archive.
fn run(
    bot: &Bot,
    setup: &str,
    (root, within): (&Path, &Path),
    (tournament, host): (&Tournament, &Host),
) -> Result<Vec<u8>, SetupError> {
    let alone = Tournament { bots: vec![bot.clone()], ..tournament.clone() };
    let lineup = Lineup::of(&alone, &[presume(bot, &host.environment.path)], host);
    let mut command =
        lineup.specs.into_iter().next().map(|spec| spec.command).ok_or(SetupError::NoContent)?;
    command.program = host.binary.clone().into();
    command.arguments = [ARGUMENT.into(), root.into(), within.into(), setup.into()].to_vec();
    if let Some(isolation) = &mut command.isolation {
        let policy = std::mem::take(&mut isolation.policy);
        // No `..`, so that a new limit can't be forgotten.
        isolation.policy = Policy {
            memory: policy.memory.max(MEMORY_LIMIT),
            processes: policy.processes.max(512),
            open_files: policy.open_files.max(1024),
            file_size: MAX_WRITTEN,
            scratch: Some(MAX_WRITTEN),
            cpu_seconds: None,
            read: [policy.read, vec![root.to_owned(), host.binary.clone()]].concat(),
            list: policy.list,
        };
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut process = RunningBot::start(command).await?;
        let output = timeout(TIMEOUT, output_of(&process)).await;
        let state = process.state();
        let (breach, stderr) = (process.breach(), process.stderr_text());
        // If this fails, the process is killed with the run's bots when this program ends.
        let _ = process.kill().await;
        let output = output.map_err(|_| SetupError::TooLong)?;
        if let Some(Breach { resource, limit, used }) = breach {
            return Err(SetupError::Limit { which: resource.word(), limit, used });
        }
        let status = match state {
            State::Failed(error) => return Err(error.into()),
            State::Running | State::Ended(None) => "an unknown status".to_owned(),
            State::Ended(Some(ending)) => match exit_status(ending.status) {
                ExitStatus::Code(0) => return Ok(output?),
                status => status.to_string(),
            },
        };
        Err(SetupError::Failed { status, stderr })
    })
}

/// Waits until a process ends, and returns all that it printed to stdout.
async fn output_of(process: &RunningBot) -> io::Result<Vec<u8>> {
    let (mut output, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    // An archive is a little larger than its files.
    let max_bytes = usize::try_from(2 * MAX_BYTES).unwrap_or(usize::MAX);
    loop {
        let count = process.next_output(&mut buffer).await?;
        if count == 0 {
            break;
        }
        output.extend_from_slice(&buffer[..count]);
        if output.len() > max_bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
    }
    poll_fn(|context| {
        process.wake_on_news(context.waker());
        if process.state() == State::Running { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    Ok(output)
}

/// Runs a `setup` inside the sandbox, with the arguments after [`ARGUMENT`]: copies the content, runs the command in
/// the copy, and prints an archive of the copy to stdout.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    prepare(arguments).unwrap_or_else(|error| {
        // If stderr can't be written to either, the error is lost.
        let _ = writeln!(io::stderr(), "{error}");
        ExitCode::FAILURE
    })
}

fn prepare(mut arguments: impl Iterator<Item = OsString>) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let (Some(root), Some(within), Some(setup)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("the arguments come from another version of linesman".into());
    };
    let copy = std::env::temp_dir().join("content");
    std::fs::create_dir(&copy)?;
    unpack(&*pack(&files::below(Path::new(&root))?)?, &copy)?;
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(setup).current_dir(copy.join(within)).stdin(Stdio::null());
    // Stdout is reserved for the archive.
    command.stdout(io::stderr());
    let status = command.status()?;
    if !status.success() {
        return Ok(status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .map_or(ExitCode::FAILURE, ExitCode::from));
    }
    let archive = pack(&files::below(&copy)?)?;
    let mut stdout = io::stdout();
    stdout.write_all(&archive)?;
    stdout.flush()?;
    Ok(ExitCode::SUCCESS)
}

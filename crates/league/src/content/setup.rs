//! The command that prepares a bot: `setup = "make"`.
//!
//! It runs in the sandbox as the bot does, without network. There it has a folder to write in, with a copy of the
//! content. What it makes of that leaves the sandbox as an archive on the standard output, and is unpacked like one
//! that came from elsewhere.

use std::ffi::OsString;
use std::future::poll_fn;
use std::io::{self, Write};
use std::path::{Component, Path};
use std::process::{Command, ExitCode, Stdio};
use std::task::Poll;
use std::time::Duration;

use tokio::time::timeout;

use super::archive::{PackError, UnpackError, pack, unpack};
use super::cache::{CacheError, ContentCache};
use super::files::{self, ContentError};
use super::{BotContent, MOST_BYTES};
use crate::bots::presume;
use crate::file::{Bot, Tournament};
use crate::host::Host;
use crate::lineup::Lineup;
use linesman_driver::{exit_status, limit_of};
use linesman_sandbox::{Bot as RunningBot, Breach, Process, StartError, State};
use linesman_types::verdict::ExitStatus;

/// The first argument that makes this program run a `setup` in the sandbox.
pub const ARGUMENT: &str = "__setup";

/// Maximum time that a `setup` takes.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// Maximum number of bytes that it may write in all: the copy, what it makes on the way, and what stays.
const MOST_WRITTEN: u64 = 8 * MOST_BYTES;

/// Bytes of memory that it may use, unless the bot may use more.
const LEAST_MEMORY: u64 = 4 << 30;

/// The reason why a bot is not prepared.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The content is not in the cache.
    #[error("its files are not here")]
    NoContent,
    /// The sandbox can't be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The machine can't do it.
    #[error("can't run its `setup` on this machine: {0}")]
    Host(#[from] io::Error),
    /// The command took too long.
    #[error("its `setup` did not end within {} minutes", LONGEST.as_secs() / 60)]
    TooLong,
    /// The command used more than it may.
    #[error("its `setup` broke the {which} limit: it used {used}, and the limit is {limit}")]
    Limit {
        /// The word for the limit.
        which: &'static str,
        /// The limit.
        limit: u64,
        /// The amount that it used.
        used: u64,
    },
    /// The command failed.
    #[error("its `setup` ended with {status}{}", told(stderr))]
    Failed {
        /// Its end, in words.
        status: String,
        /// The end of what it printed.
        stderr: String,
    },
    /// Its output can't be kept.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// The end of what a command printed, after a colon.
fn told(stderr: &str) -> String {
    if stderr.trim().is_empty() { String::new() } else { format!(":\n{}", stderr.trim_end()) }
}

/// Has a bot run in the copy of its content that is in the cache. If it has a `setup`, that is run first, unless it
/// has been for this content. Waits for it: not to be called from tasks.
///
/// # Errors
/// A content that is not in the cache, or a `setup` that fails.
pub fn place(
    bot: &mut Bot,
    content: &BotContent,
    cache: &ContentCache,
    (tournament, host): (&Tournament, &Host),
) -> Result<(), SetupError> {
    // It may have been told by another machine.
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
            let made = run(bot, &setup, (&root, &content.within), (tournament, host))?;
            cache.keep_ready(ready, &made)?
        }
    };
    bot.folder = root.join(&content.within);
    bot.made_of = Some(format!("sha256:{ready}"));
    Ok(())
}

/// Runs the command in the sandbox; returns what it made, as an archive.
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
        let policy = &mut isolation.policy;
        policy.read.extend([root.to_owned(), host.binary.clone()]);
        policy.scratch = Some(MOST_WRITTEN);
        policy.file_size = MOST_WRITTEN;
        policy.memory = policy.memory.max(LEAST_MEMORY);
        policy.processes = policy.processes.max(512);
        policy.open_files = policy.open_files.max(1024);
        policy.cpu_seconds = None;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut process = RunningBot::start(command).await?;
        let output = timeout(LONGEST, output_of(&process)).await;
        let state = process.state();
        let (breach, stderr) = (process.breach(), process.stderr_text());
        // Killed with the run's own bots at the latest, when we end.
        let _ = process.kill().await;
        let output = output.map_err(|_| SetupError::TooLong)?;
        if let Some(Breach { resource, limit, used }) = breach {
            return Err(SetupError::Limit { which: limit_of(resource).word(), limit, used });
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

/// All that a process prints, until it has ended.
async fn output_of(process: &RunningBot) -> io::Result<Vec<u8>> {
    let (mut output, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    // The archive has a little more than its files.
    let most = usize::try_from(2 * MOST_BYTES).unwrap_or(usize::MAX);
    loop {
        let count = poll_fn(|context| {
            process.wake_on_news(context.waker());
            match process.poll_read(context, &mut buffer) {
                Poll::Ready(count) => Poll::Ready(count),
                // A child of it may hold its output open.
                Poll::Pending if process.state() != State::Running => Poll::Ready(Ok(0)),
                Poll::Pending => Poll::Pending,
            }
        })
        .await?;
        if count == 0 {
            break;
        }
        output.extend_from_slice(&buffer[..count]);
        if output.len() > most {
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

/// Runs a `setup` in the sandbox, with the arguments after [`ARGUMENT`]: copies the content, runs the command in the
/// copy, and prints an archive of what is there then.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    prepare(arguments).unwrap_or_else(|error| {
        // Nobody is left to be told that it can't be told.
        let _ = writeln!(io::stderr(), "{error}");
        ExitCode::FAILURE
    })
}

/// The reason why a content is not prepared, seen from within the sandbox.
#[derive(Debug, thiserror::Error)]
enum PrepareError {
    #[error("the arguments are those of another version of linesman")]
    Arguments,
    #[error(transparent)]
    Files(#[from] ContentError),
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    #[error(transparent)]
    System(#[from] io::Error),
}

fn prepare(mut arguments: impl Iterator<Item = OsString>) -> Result<ExitCode, PrepareError> {
    let (Some(root), Some(within), Some(setup)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err(PrepareError::Arguments);
    };
    let copy = std::env::temp_dir().join("content");
    std::fs::create_dir(&copy)?;
    unpack(&*pack(&files::below(Path::new(&root))?)?, &copy)?;
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(setup).current_dir(copy.join(within)).stdin(Stdio::null());
    // The archive alone is printed on the standard output.
    command.stdout(io::stderr());
    let status = command.status()?;
    if !status.success() {
        return Ok(status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .map_or(ExitCode::FAILURE, ExitCode::from));
    }
    let made = pack(&files::below(&copy)?)?;
    let mut stdout = io::stdout();
    stdout.write_all(&made)?;
    stdout.flush()?;
    Ok(ExitCode::SUCCESS)
}

//! Attempts of bots, which the sandbox must block.

use std::io;
use std::path::Path;

use rustix::process::{WaitOptions, waitpid};

use super::Sandbox;
use super::environment::Environment;
use super::harness::Harness;
use super::kernel;

/// One action to try. If it succeeds, it is undone at once.
#[derive(Copy, Clone, Debug)]
pub struct Attempt {
    /// The name in the report.
    pub name: &'static str,
    /// The weakest sandbox setting that blocks the attempt.
    pub(crate) blocked_from: Sandbox,
    pub(crate) reach: Reach,
    /// Performs the action. The error is the reason why it is not possible.
    pub(super) action: fn(&Environment) -> io::Result<()>,
}

/// The target of an attempt.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Reach {
    /// The host, or something that all bots share.
    Host,
    /// A folder for temporary files. With namespaces, every bot has one of its own, whose size is limited and which is
    /// removed with the bot.
    Temporary,
    /// The user's home folder, which may be inside a folder for temporary files.
    Home,
    /// The folder in which the bot runs, which may be inside a folder for temporary files.
    OwnFolder,
    /// The bot's supervisor, which is in the bot's pid namespace. There, only Landlock of Linux 6.12 or later, or a
    /// user for each bot, keeps the bot from signalling it.
    OwnSupervisor,
}

impl Reach {
    /// True if namespaces give every bot a place of its own. `own` is the folder in which the bot runs.
    pub fn is_own_in_namespaces(self, own: &Path) -> bool {
        let is_temporary = |path: &Path| ["/tmp", "/dev/shm"].iter().any(|folder| path.starts_with(folder));
        match self {
            Reach::Host | Reach::OwnSupervisor => false,
            Reach::Temporary => true,
            Reach::Home => std::env::home_dir().is_some_and(|home| is_temporary(&home)),
            Reach::OwnFolder => is_temporary(own),
        }
    }
}

impl Attempt {
    pub(super) const fn reaching(self, reach: Reach) -> Attempt {
        Attempt { reach, ..self }
    }
}

/// Creates an attempt that the supervisor blocks with every sandbox setting.
pub(super) const fn always(name: &'static str, action: fn(&Environment) -> io::Result<()>) -> Attempt {
    Attempt { name, blocked_from: Sandbox::Off, reach: Reach::Host, action }
}

/// Creates an attempt that the sandbox blocks from the setting `portable` on.
pub(super) const fn portable(name: &'static str, action: fn(&Environment) -> io::Result<()>) -> Attempt {
    Attempt { name, blocked_from: Sandbox::Portable, reach: Reach::Host, action }
}

/// The word before the names of the attempts that succeeded.
pub(crate) const SUCCEEDED: &str = "done:";

/// Plays a bot that makes these attempts in its first turn, reports in an `info string` which succeeded, and plays on.
pub(super) fn perform(harness: &mut Harness, attempts: &[Attempt]) -> io::Result<u8> {
    let environment = Environment::find();
    harness.on_first_turn(|harness| {
        let succeeded = attempts.iter().filter(|attempt| succeeds(attempt, &environment));
        let names: Vec<_> = succeeded.map(|attempt| attempt.name).collect();
        let (all, refused) = (attempts.len(), attempts.len() - names.len());
        harness.say(&format!("info string refused: {refused} of {all}; {SUCCEEDED} {}", names.join(" ")))?;
        harness.play_from_here()
    })
}

/// Makes an attempt in a new process, so that the effects end with it even if the sandbox kills the process.
fn succeeds(attempt: &Attempt, environment: &Environment) -> bool {
    match kernel::fork() {
        Ok(None) => {
            let is_refused = (attempt.action)(environment).is_err();
            kernel::exit(i32::from(is_refused));
        }
        Ok(Some(child)) => {
            let ended = waitpid(Some(child), WaitOptions::empty()).ok().flatten();
            ended.is_some_and(|(_, status)| status.exit_status() == Some(0))
        }
        Err(_) => (attempt.action)(environment).is_ok(),
    }
}

//! Things that a bot tries and that a layer is to refuse.

use std::io;
use std::path::Path;

use rustix::process::Pid;

use super::Sandbox;
use super::environment::Environment;
use super::harness::Harness;
use super::kernel;

/// One thing to try. What succeeds is undone at once.
#[derive(Copy, Clone, Debug)]
pub struct Attempt {
    /// Its name in the report.
    pub name: &'static str,
    /// The weakest layer that holds it.
    pub held_from: Sandbox,
    /// The reach of the attempt.
    pub reach: Reach,
    /// Tries it. The error is the reason why it can't be done.
    pub(super) attempt: fn(&Environment) -> io::Result<()>,
}

/// The reach of an attempt.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Reach {
    /// On the host, or on what all bots share.
    Host,
    /// In a folder for temporary files: namespaces give every bot one of its
    /// own, of bounded size, that is gone with it. There it may do as it likes.
    Temporary,
    /// In the user's home folder, which may itself lie in a folder for temporary files.
    Home,
    /// In the folder that the bot runs in, which may lie there too.
    OwnFolder,
    /// At the bot's own supervisor, which is in the bot's pid namespace. Landlock from Linux 6.12 on, or a user
    /// of the bot's own, keeps a bot there from signalling it.
    OwnSupervisor,
}

impl Reach {
    /// True if namespaces give every bot one of its own. `own` is the folder that the bot runs in.
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
    /// The same with another reach.
    pub(super) const fn reaching(self, reach: Reach) -> Attempt {
        Attempt { reach, ..self }
    }
}

/// Something that the supervisor alone holds.
pub(super) const fn always(name: &'static str, attempt: fn(&Environment) -> io::Result<()>) -> Attempt {
    Attempt { name, held_from: Sandbox::Off, reach: Reach::Host, attempt }
}

/// Something that the portable layer holds.
pub(super) const fn portable(name: &'static str, attempt: fn(&Environment) -> io::Result<()>) -> Attempt {
    Attempt { name, held_from: Sandbox::Portable, reach: Reach::Host, attempt }
}

/// The word before the names of the attempts that succeeded.
pub const DONE: &str = "done:";

/// Plays a bot that tries all of these in its first turn, reports in an
/// `info string` which succeeded, and plays on.
pub(super) fn perform(harness: &mut Harness, attempts: &[Attempt]) -> io::Result<u8> {
    let environment = Environment::look();
    harness.in_turn(|harness| {
        let done = attempts.iter().filter(|attempt| succeeds(attempt, &environment));
        let done: Vec<_> = done.map(|attempt| attempt.name).collect();
        let (all, refused) = (attempts.len(), attempts.len() - done.len());
        harness.say(&format!("info string refused: {refused} of {all}; {DONE} {}", done.join(" ")))?;
        harness.play_from_here()
    })
}

/// Tries it in a process of its own, so that neither success nor a deadly refusal lasts.
fn succeeds(attempt: &Attempt, environment: &Environment) -> bool {
    match kernel::fork() {
        Ok(None) => {
            let status = (attempt.attempt)(environment).is_err();
            kernel::exit(i32::from(status));
        }
        Ok(Some(child)) => waited_for(child) == Some(0),
        Err(_) => (attempt.attempt)(environment).is_ok(),
    }
}

fn waited_for(child: Pid) -> Option<i32> {
    let ended = rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty()).ok()??;
    ended.1.exit_status()
}

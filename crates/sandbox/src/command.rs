//! What is to be started, and in which surroundings.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::isolation::Isolation;

/// A bot's command, ready to be started.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Command {
    /// The program whose hidden first argument makes it launcher and
    /// supervisor: the `linesman` binary. `/proc/self/exe` survives being replaced on disk.
    pub launcher: PathBuf,
    /// The bot's program, looked up in the environment's `PATH` if it has no slash.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder that it runs in; a program with a slash is found from there.
    pub directory: PathBuf,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The CPUs that it may use; none = those of the referee.
    pub cpus: Vec<usize>,
    /// True if bots of other games run on the same CPUs: then it waits until whoever
    /// runs there pauses or has had a turn, and nobody is interrupted by it (`SCHED_BATCH`).
    pub shares_cpus: bool,
    /// What it is kept in; none = it is supervised, and nothing more.
    pub isolation: Option<Isolation>,
}

/// What a bot is told of its surroundings: nothing else of our own environment
/// reaches it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Environment {
    /// Where programs are looked up.
    pub path: OsString,
    /// The home folder.
    pub home: OsString,
    /// The folder for temporary files.
    pub temporary: OsString,
}

impl Environment {
    /// The closed environment of a bot; what `more` names is added or replaces.
    pub fn closed<K: AsRef<OsStr>, V: AsRef<OsStr>>(
        &self,
        more: impl IntoIterator<Item = (K, V)>,
    ) -> Vec<(OsString, OsString)> {
        let mut all: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), self.path.clone()),
            ("HOME".into(), self.home.clone()),
            ("LANG".into(), "C.UTF-8".into()),
            ("TMPDIR".into(), self.temporary.clone()),
            ("PYTHONUNBUFFERED".into(), "1".into()),
        ];
        for (name, value) in more {
            let (name, value) = (name.as_ref(), value.as_ref().to_owned());
            match all.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known = value,
                None => all.push((name.to_owned(), value)),
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_is_closed_and_what_a_file_names_goes_first() {
        let base = Environment { path: "/bin".into(), home: "/home/a".into(), temporary: "/tmp".into() };
        let all = base.closed([("HOME", "/else"), ("MODEL", "small")]);
        let text: Vec<String> = all
            .iter()
            .map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
            .collect();
        assert_eq!(
            text,
            ["PATH=/bin", "HOME=/else", "LANG=C.UTF-8", "TMPDIR=/tmp", "PYTHONUNBUFFERED=1", "MODEL=small"]
        );
    }
}

//! The command that starts a bot, and its environment.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::isolation::Isolation;

/// A bot's command, ready to be started.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Command {
    /// The `linesman` binary, which becomes launcher and supervisor through a hidden first argument.
    /// `/proc/self/exe` survives a replacement of the file on disk.
    pub launcher: PathBuf,
    /// The bot's program, looked up in the environment's `PATH` if it has no slash.
    pub program: OsString,
    /// The words after the program.
    pub arguments: Vec<OsString>,
    /// The working directory of the bot. The path of a program with a slash is relative to it.
    pub directory: PathBuf,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The CPUs that it may use; empty = those of the referee.
    pub cpus: Vec<usize>,
    /// True if the thread that plays its game also plays others. Then the bot preempts no other process: it
    /// waits until the running one pauses or has used its time slice (`SCHED_BATCH`).
    pub shares_cpus: bool,
    /// The isolation of the bot; `None` = it is only supervised.
    pub isolation: Option<Isolation>,
}

/// The host's part of a bot's environment. Nothing else of this process's environment reaches the bot.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Environment {
    /// Search path of programs.
    pub path: OsString,
    /// The home folder.
    pub home: OsString,
    /// The folder for temporary files.
    pub temporary: OsString,
}

impl Environment {
    /// The closed environment of a bot. The variables in `more` are added or replace others.
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
    fn an_environment_is_closed_and_given_variables_replace_others() {
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

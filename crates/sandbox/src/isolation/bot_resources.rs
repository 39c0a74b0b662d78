//! The resources that a bot holds as long as it lives.

use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::bubblewrap::Prefix;
use super::folder_lock::lock;
use super::{Isolation, Layers, Leaf, SlotUser};
use crate::command::Command;
use crate::folder;

/// Resources of one running bot, which are released once all its processes have ended.
#[derive(Debug, Default)]
pub(crate) struct BotResources {
    pub(crate) leaf: Option<Leaf>,
    pub(crate) user: Option<SlotUser>,
    pub(crate) scratch: Option<Scratch>,
}

/// A bot's own folder, removed with its content.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) folder: PathBuf,
    /// Held as long as the folder is in use.
    _lock: OwnedFd,
}

/// Prefix of the names of these folders.
const PREFIX: &str = "linesman-";

/// Prefix of the names of the folders that probes target.
pub(super) const PROBE_PREFIX: &str = "linesman-probe-";

/// Removes folders that referees left behind when they were killed. Only this user's folders can be removed.
pub(crate) fn sweep(temporary: &Path) {
    for entry in std::fs::read_dir(temporary).into_iter().flatten().flatten() {
        let folder = entry.path();
        let is_left = entry.file_name().to_str().and_then(referee_of).is_some_and(|referee| {
            // The id may be another process's by now, or unknown in this pid namespace, so the lock decides.
            !Path::new("/proc").join(referee.to_string()).exists()
        });
        if is_left && let Ok(_lock) = lock(&folder) {
            let _ = folder::remove(&folder);
        }
    }
}

/// Returns the process id of the folder's referee, from its name: `linesman-REFEREE.BOT-NUMBER`, or
/// `linesman-probe-REFEREE-NUMBER` for a probe.
fn referee_of(name: &str) -> Option<u32> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(of_probe) = name.strip_prefix(PROBE_PREFIX) {
        let (referee, number) = of_probe.split_once('-')?;
        return (is_number(referee) && is_number(number)).then(|| referee.parse().ok())?;
    }
    let (referee, rest) = name.strip_prefix(PREFIX)?.split_once('.')?;
    let (bot, number) = rest.split_once('-')?;
    (is_number(bot) && is_number(number)).then(|| referee.parse().ok())?
}

impl Scratch {
    /// Makes a folder in the one for temporary files, for the user `owner` if there is one.
    fn make(temporary: &Path, token: &str, owner: Option<u32>) -> io::Result<Scratch> {
        // An earlier run with our process id may have left a folder behind.
        for number in 0..100 {
            let folder = temporary.join(format!("{PREFIX}{token}-{number}"));
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => {
                    let lock = lock(&folder).inspect_err(|_| drop(std::fs::remove_dir(&folder)))?;
                    let scratch = Scratch { folder, _lock: lock };
                    if let Some(id) = owner {
                        std::os::unix::fs::chown(&scratch.folder, Some(id), Some(id))?;
                    }
                    return Ok(scratch);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let message = format!("{}: {error}", folder.display());
                    return Err(io::Error::new(error.kind(), message));
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl BotResources {
    pub(crate) fn acquire(command: &Command, token: &str) -> io::Result<BotResources> {
        let Some(isolation) = &command.isolation else { return Ok(BotResources::default()) };
        let layers = &isolation.layers;
        let leaf = layers
            .cgroup
            .as_ref()
            .map(|tree| tree.leaf(token, &isolation.policy, &command.cpus))
            .transpose()?;
        let are_taken = || {
            io::Error::other(
                "all users for bots are taken; set `LINESMAN_BOT_USERS=70000-70999` to give this run its own range",
            )
        };
        let user = layers.slot_users.map(|users| users.take().ok_or_else(are_taken)).transpose()?;
        let owner = user.as_ref().map(SlotUser::id);
        let temporary = variable(command, "TMPDIR").map_or(Path::new("/tmp"), Path::new);
        let scratch = isolation.policy.scratch.map(|_| Scratch::make(temporary, token, owner)).transpose()?;
        Ok(BotResources { leaf, user, scratch })
    }

    pub(crate) fn prefix(&self, command: &Command) -> Prefix {
        match &command.isolation {
            Some(Isolation { policy, layers: Layers { bubblewrap: Some(bubblewrap), .. } }) => {
                bubblewrap.prefix(command, policy, self.scratch.as_ref().map(|scratch| &*scratch.folder))
            }
            _ => Prefix::default(),
        }
    }

    /// Returns the environment variables that these resources replace.
    pub(crate) fn environment(&self, command: &Command) -> Vec<(OsString, OsString)> {
        let is_wrapped =
            command.isolation.as_ref().is_some_and(|isolation| isolation.layers.bubblewrap.is_some());
        let Some(scratch) = &self.scratch else {
            // The host's folder for temporary files is not visible, but the bot has its own.
            return is_wrapped.then(|| ("TMPDIR".into(), "/tmp".into())).into_iter().collect();
        };
        let mut all = vec![
            ("HOME".into(), scratch.folder.clone().into_os_string()),
            ("TMPDIR".into(), scratch.folder.clone().into_os_string()),
        ];
        // This user's Python packages stay where they are.
        if variable(command, "PYTHONUSERBASE").is_none()
            && let Some(home) = variable(command, "HOME")
        {
            all.push(("PYTHONUSERBASE".into(), Path::new(home).join(".local").into_os_string()));
        }
        all
    }

    /// Returns the descriptors through which the bot enters its cgroup: the cgroup and its `cgroup.procs`.
    pub(crate) fn cgroup_fds(&self) -> Option<[BorrowedFd<'_>; 2]> {
        self.leaf.as_ref().and_then(Leaf::cgroup_fds)
    }

    /// Returns the [descriptors](Leaf::memory_cgroup_fds) of the cgroup v1 that limits the bot's memory.
    pub(crate) fn memory_cgroup_fds(&self) -> Option<[BorrowedFd<'_>; 2]> {
        self.leaf.as_ref().and_then(Leaf::memory_cgroup_fds)
    }

    /// Releases everything once no process of the bot is alive. Returns false if its folder could not be removed.
    pub(crate) fn release(&mut self) -> bool {
        self.leaf = None;
        let is_removed = self.scratch.take().is_none_or(|scratch| folder::remove(&scratch.folder).is_ok());
        // Released last: otherwise leftover files would belong to the next bot with this user.
        self.user = None;
        is_removed
    }
}

fn variable<'c>(command: &'c Command, name: &str) -> Option<&'c OsStr> {
    let (_, value) = command.environment.iter().find(|(known, _)| known == name)?;
    Some(value)
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A second attempt if the first one failed. The next run sweeps what is left.
        let _ = folder::remove(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_dead_referees_are_swept() {
        let temporary = tempfile::tempdir().expect("a folder can be made");
        // Greater than any process id.
        let dead = "4194999";
        let own = Scratch::make(temporary.path(), &format!("{dead}.1"), None).expect("it can be made");
        let names = [
            format!("linesman-{dead}.2-0"),
            format!("linesman-{}.1-0", std::process::id()),
            format!("linesman-{dead}"),
            format!("linesman-{dead}.x-0"),
            format!("mine-{dead}.2-0"),
            format!("linesman-probe-{dead}-0"),
            format!("linesman-probe-{}-0", std::process::id()),
        ];
        for name in &names {
            std::fs::create_dir(temporary.path().join(name)).expect("a folder can be made");
        }
        std::fs::write(temporary.path().join(&names[0]).join("file"), "x").expect("a file can be written");
        sweep(temporary.path());
        let left: Vec<bool> = names.iter().map(|name| temporary.path().join(name).exists()).collect();
        assert_eq!(left, [false, true, true, true, true, false, true]);
        assert!(own.folder.exists(), "somebody has it");
    }
}

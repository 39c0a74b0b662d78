//! The layer `cgroup`: a leaf of a cgroup v2 tree for each bot.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;

use super::{Missing, Policy};

/// The part of the cgroup tree that is ours.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Tree {
    /// The folder in which leaves are made.
    pub folder: PathBuf,
    /// Whether leaves can limit memory.
    pub limits_memory: bool,
    /// Whether leaves can limit the number of processes.
    pub limits_processes: bool,
}

impl Tree {
    /// Finds the delegated tree, and moves this process to where it is out of the way.
    ///
    /// # Errors
    /// That there is none, and how to get one.
    pub fn find() -> Result<Tree, Missing> {
        Err(Missing {
            part: "cgroup",
            why: "this program can't use it yet".to_owned(),
            cure: "`--sandbox auto` does without".to_owned(),
        })
    }

    /// Makes a leaf for one bot, with its limits set.
    pub(crate) fn leaf(&self, token: &str, _policy: &Policy) -> io::Result<Leaf> {
        let folder = self.folder.join(token);
        let door = File::options().write(true).open(folder.join("cgroup.procs"))?;
        Ok(Leaf { folder, door })
    }
}

/// The cgroup of one bot.
#[derive(Debug)]
pub struct Leaf {
    folder: PathBuf,
    door: File,
}

impl Leaf {
    /// Its `cgroup.procs`, opened for writing: who writes `0` there is in.
    pub fn door(&self) -> BorrowedFd<'_> {
        self.door.as_fd()
    }

    /// Kills all that is in it; quick, and harmless if nothing is.
    pub fn kill(&self) {
        // A process that ended meanwhile is what was wanted.
        let _ = std::fs::write(self.folder.join("cgroup.kill"), "1");
    }

    /// Takes it away; false if something in it still lives.
    pub fn remove(&self) -> bool {
        std::fs::remove_dir(&self.folder).is_ok()
    }
}

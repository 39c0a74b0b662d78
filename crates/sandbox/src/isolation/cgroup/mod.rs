//! The layer `cgroup`: a leaf of a cgroup v2 tree for each bot.
//!
//! ```text
//! the folder that is delegated to us, or the top of the tree as root
//!   `- linesman              made with the first leaf, removed with the last if there is no
//!        |- referee          the folder that we move to, and stay in, if ours must be without processes
//!        `- bot-TOKEN        one bot with all that it started
//! ```
//!
//! The layer uses what the kernel offers, and requires nothing more. Next to cgroup v1 a tree has no
//! controllers, but still kills, freezes and counts CPU time; memory is then limited in v1's tree
//! ([`memory_v1`]). Each leaf is locked as long as its referee lives, which distinguishes it from a leftover.

mod folders;
mod leaf;
mod memory_v1;
mod place;

use std::io;
use std::path::{Path, PathBuf};

use rustix::process::getpid;

use super::Policy;
use super::guarantee::Unavailable;
use crate::procfs::{Hierarchy, own_cgroup};
use folders::{
    FOLDER, PREFIX, PROCESSES, REFEREE, REMOVAL_EVERY, dead_leaves, kill_all_in, make_folder, make_locked,
    retry_races,
};
pub use leaf::Leaf;
pub(crate) use leaf::{LeafCounts, cpu_of_stat};
pub(crate) use memory_v1::reports_oom_kill;
pub use place::leaves_of;

/// Controllers of a leaf, as far as the kernel has them.
const CONTROLLERS: [&str; 4] = ["memory", "pids", "cpuset", "cpu"];

/// Hint how to get a cgroup in which limits can be set.
pub(super) const DELEGATION: &str =
    "run linesman as root, or with `systemd-run --user --scope -p Delegate=yes linesman ...`";

/// Number of attempts to remove a leaf of a dead referee.
const SWEEPS: u32 = 50;

/// The part of the cgroup tree that is ours.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Tree {
    /// The folder in which leaves are made.
    pub folder: PathBuf,
    /// True if leaves can limit memory.
    pub limits_memory: bool,
    /// True if leaves can limit the number of processes.
    pub limits_processes: bool,
    /// The folder for leaves that limit memory in cgroup v1, where v2 can't.
    pub memory_v1: Option<PathBuf>,
}

impl Tree {
    /// Finds the delegated tree, moves this process out of the way if it must, and sweeps the leaves of dead referees.
    ///
    /// # Errors
    /// There is no usable one; the error says how to get one.
    pub fn find() -> Result<Tree, Unavailable> {
        let unavailable = |why: &str| Unavailable::new("cgroup", why, DELEGATION);
        let own = own_cgroup(Hierarchy::V2).ok_or_else(|| unavailable("no cgroup v2 is mounted"))?;
        let base = own.base();
        let tree = Tree::bare(base.join(FOLDER));
        let refused =
            |error: io::Error| unavailable(&format!("can't write to `{}`: {error}", base.display()));
        let (limits_memory, limits_processes) = tree.settle(&base).map_err(refused)?;
        tree.forget();
        let memory_v1 = if limits_memory { None } else { memory_v1::find() };
        let limits_memory = limits_memory || memory_v1.is_some();
        Ok(Tree { limits_memory, limits_processes, memory_v1, ..tree })
    }

    /// Returns a tree whose leaves have no limits.
    fn bare(folder: PathBuf) -> Tree {
        Tree { folder, limits_memory: false, limits_processes: false, memory_v1: None }
    }

    /// Makes the folder of leaves and finds out if its leaves have limits on memory and on processes. Another
    /// referee that starts or ends at this moment may remove what was just made.
    fn settle(&self, base: &Path) -> io::Result<(bool, bool)> {
        let mut limits = None;
        let settled = retry_races(|| {
            self.move_out_of(base)?;
            enable_all(&self.folder);
            self.sweep();
            let [own, above] =
                [&self.folder, base].map(|folder| (is_enabled(folder, "memory"), is_enabled(folder, "pids")));
            limits = Some(own);
            if own == above { Ok(own) } else { Err(io::ErrorKind::NotFound.into()) }
        });
        // There may be fewer limits than above: then no more have been handed down to this part of the tree.
        limits.map_or(settled, Ok)
    }

    /// Makes the folder of leaves in `base`, and moves this process out of `base` if it is in the way.
    fn move_out_of(&self, base: &Path) -> io::Result<()> {
        make_folder(&self.folder)?;
        if !enable_all(base) && !is_top(base) {
            // Only a folder without processes can hand down controllers.
            let referee = self.folder.join(REFEREE);
            make_folder(&referee)?;
            let number = getpid().as_raw_nonzero().to_string();
            std::fs::write(referee.join(PROCESSES), number)?;
            enable_all(base);
        }
        Ok(())
    }

    /// Returns true if the kernel's tree has controllers that were not handed down to this part of it.
    pub(super) fn lacks_delegation() -> bool {
        own_cgroup(Hierarchy::V2).is_some_and(|own| own.has_controllers())
    }

    /// Sweeps the leaves of dead referees, for a run that uses no cgroups itself.
    pub(super) fn sweep_leftovers() {
        let Some(own) = own_cgroup(Hierarchy::V2) else { return };
        let folder = own.base().join(FOLDER);
        if folder.is_dir() {
            let tree = Tree::bare(folder);
            tree.sweep();
            tree.forget();
        }
    }

    /// Makes a leaf for one bot, with its limits set.
    pub(crate) fn leaf(&self, token: &str, policy: &Policy, cpus: &[usize]) -> io::Result<Leaf> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("cgroup `{}`: {error}", self.folder.display()))
        };
        let folder = self.folder.join(format!("{PREFIX}{token}"));
        retry_races(|| {
            self.make()?;
            make_locked(&folder)
        })
        .and_then(|lock| {
            let memory = self.limits_memory.then_some(policy.memory);
            let counts = LeafCounts::new(folder, memory, self.limits_processes.then_some(policy.processes));
            Leaf::set_up(counts, lock, self.memory_v1.as_deref(), cpus, token)
        })
        .map_err(named)
    }

    /// Makes the folder of leaves, if it does not exist, with all controllers that leaves need.
    fn make(&self) -> io::Result<()> {
        if self.folder.is_dir() {
            return Ok(());
        }
        make_folder(&self.folder)?;
        enable_all(&self.folder);
        Ok(())
    }

    /// Removes the folder of leaves, unless it contains any.
    fn forget(&self) {
        let _ = std::fs::remove_dir(&self.folder);
    }

    /// Ends and removes the leaves of dead referees.
    fn sweep(&self) {
        // This fails if it is in use, as it should.
        let _ = std::fs::remove_dir(self.folder.join(REFEREE));
        for (folder, _lock) in dead_leaves(&self.folder) {
            kill_all_in(&folder);
            for _ in 0..SWEEPS {
                if std::fs::remove_dir(&folder).is_ok() {
                    break;
                }
                std::thread::park_timeout(REMOVAL_EVERY);
            }
        }
    }
}

/// Hands down all available controllers. Returns false if they were refused.
fn enable_all(folder: &Path) -> bool {
    let available = std::fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
    let lacks = |name: &&str| CONTROLLERS.contains(name) && !is_enabled(folder, name);
    let commands: Vec<String> =
        available.split_ascii_whitespace().filter(lacks).map(|name| format!("+{name}")).collect();
    if commands.is_empty() {
        return true;
    }
    // Some controllers can be enabled with processes next to the leaves, but then no process could be in a
    // leaf. At the top this makes no difference.
    let processes = std::fs::read_to_string(folder.join(PROCESSES)).unwrap_or_default();
    if !is_top(folder) && !processes.is_empty() {
        return false;
    }
    // All at once; if one of them is refused, one by one.
    let write = |commands: &str| std::fs::write(folder.join(SUBTREE_CONTROL), commands).is_ok();
    write(&commands.join(" ")) || commands.iter().filter(|command| !write(command)).count() == 0
}

/// Returns true if this is the root of the whole tree, which alone has no type.
fn is_top(folder: &Path) -> bool {
    !folder.join("cgroup.type").exists()
}

const SUBTREE_CONTROL: &str = "cgroup.subtree_control";

fn is_enabled(folder: &Path, controller: &str) -> bool {
    let enabled = std::fs::read_to_string(folder.join(SUBTREE_CONTROL)).unwrap_or_default();
    enabled.split_ascii_whitespace().any(|name| name == controller)
}

//! The layer `cgroup`: a leaf of a cgroup v2 tree for each bot.
//!
//! ```text
//! the folder that is delegated to us, or the top of the tree as root
//!   `- linesman              made with the first leaf, gone with the last
//!        |- referee          where we go if our place must be without processes
//!        `- bot-TOKEN        one bot with all that it started
//! ```
//!
//! What a kernel offers is used, and nothing else is needed: beside cgroup v1 a
//! tree has no controllers, and still kills, freezes and counts CPU time. Each
//! leaf is locked as long as its referee lives, by which others know it from
//! one that was left behind.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::process::{Pid, Signal, getpid, kill_process};

use super::{Missing, Policy};
use crate::process::keeper::keeper;
use crate::process::report::{Breach, Ending, Resource};

/// The name of the folder of all leaves.
const FOLDER: &str = "linesman";
/// Where the referee goes.
const REFEREE: &str = "referee";
/// How leaves' names begin.
const PREFIX: &str = "bot-";

/// What a leaf is given if the kernel has it.
const CONTROLLERS: [&str; 4] = ["memory", "pids", "cpuset", "cpu"];

/// How often, and at which intervals, the removal of a leaf is tried while its
/// processes are about to end.
const REMOVALS: u32 = 400;
const REMOVAL_EVERY: Duration = Duration::from_millis(5);
/// How often that is tried in place, when a leaf of a dead referee is found.
const SWEEPS: u32 = 50;

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
    /// Finds the delegated tree, moves this process to where it is out of the
    /// way if it must, and sweeps what dead referees have left.
    ///
    /// # Errors
    /// That there is none, and how to get one.
    pub fn find() -> Result<Tree, Missing> {
        let missing = |why: String| Missing {
            part: "cgroup",
            why,
            cure: "run it as root, or by `systemd-run --user --scope -p Delegate=yes linesman ...`"
                .to_owned(),
        };
        let own = own_cgroup().ok_or_else(|| missing("no cgroup v2 is mounted".to_owned()))?;
        let base = own.base();
        let tree = Tree { folder: base.join(FOLDER), limits_memory: false, limits_processes: false };
        let refused = |error: io::Error| missing(format!("`{}` can't be written: {error}", base.display()));
        make_folder(&tree.folder).map_err(refused)?;
        if !enable_all(&base) && !is_top(&base) {
            // Only a folder without processes hands controllers down.
            let referee = tree.folder.join(REFEREE);
            make_folder(&referee).map_err(refused)?;
            let number = getpid().as_raw_nonzero().to_string();
            std::fs::write(referee.join(PROCESSES), number).map_err(refused)?;
            enable_all(&base);
        }
        enable_all(&tree.folder);
        tree.sweep();
        let has = |controller| is_enabled(&tree.folder, controller);
        let (limits_memory, limits_processes) = (has("memory"), has("pids"));
        tree.forget();
        Ok(Tree { limits_memory, limits_processes, ..tree })
    }

    /// Makes a leaf for one bot, with its limits set.
    pub(crate) fn leaf(&self, token: &str, policy: &Policy, cpus: &[usize]) -> io::Result<Leaf> {
        let told = |error: io::Error| {
            io::Error::new(error.kind(), format!("cgroup `{}`: {error}", self.folder.display()))
        };
        // Another referee may take away the folder, or our leaf, before it is locked.
        for _ in 0..10 {
            self.make().map_err(told)?;
            let folder = self.folder.join(format!("{PREFIX}{token}"));
            match make_folder(&folder).and_then(|()| lock(&folder)) {
                Ok(lock) if folder.exists() => {
                    return Leaf::set_up(folder, lock, self, policy, cpus).map_err(told);
                }
                Ok(_) => {}
                Err(error) if is_a_race(&error) => {}
                Err(error) => return Err(told(error)),
            }
        }
        Err(told(io::ErrorKind::TimedOut.into()))
    }

    /// Makes the folder of leaves, if it is not there, with all that leaves need of it.
    fn make(&self) -> io::Result<()> {
        if self.folder.is_dir() {
            return Ok(());
        }
        make_folder(&self.folder)?;
        enable_all(&self.folder);
        Ok(())
    }

    /// Takes away the folder of leaves, unless somebody has one in it.
    fn forget(&self) {
        let _ = std::fs::remove_dir(&self.folder);
    }

    /// Ends what is left of dead referees.
    fn sweep(&self) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let folder = entry.path();
            let is_leaf = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
            if !is_leaf || lock(&folder).is_err() {
                continue;
            }
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

/// What counts in one leaf; tells of breaches.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Counts {
    folder: PathBuf,
    memory: Option<u64>,
    processes: Option<u64>,
}

impl Counts {
    /// What the bot was ended for by the kernel, or was refused more of before
    /// it failed.
    pub(crate) fn breach(&self, has_failed: bool) -> Option<Breach> {
        let count = |file: &str, key: &str| {
            let text = std::fs::read_to_string(self.folder.join(file)).ok()?;
            text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.parse::<u64>().ok())
        };
        if let Some(limit) = self.memory
            && count("memory.events", "oom_kill").is_some_and(|kills| kills > 0)
        {
            let used = read_number(&self.folder.join("memory.peak")).unwrap_or(limit).max(limit);
            return Some(Breach { resource: Resource::Memory, limit, used });
        }
        let limit = self.processes.filter(|_| has_failed)?;
        let refused = count("pids.events", "max").is_some_and(|refused| refused > 0);
        // One more was wanted at least.
        let used = limit.saturating_add(1);
        refused.then_some(Breach { resource: Resource::Processes, limit, used })
    }
}

impl Counts {
    /// The CPU time of all that is and was in it, whoever has waited for it or
    /// nobody; where tasks run just now, up to their last tick.
    fn cpu_time(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(self.folder.join("cpu.stat")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
        line.parse().ok().map(Duration::from_micros)
    }

    /// The most memory that was used in it at any one moment, in KiB, if this kernel tells.
    fn peak_kib(&self) -> Option<u64> {
        read_number(&self.folder.join("memory.peak")).map(|bytes| bytes / 1024)
    }

    /// An ending with what the supervisor can't know: the CPU time of children
    /// that nobody waited for, and the memory of all processes together.
    pub(crate) fn complete(&self, ending: Ending) -> Ending {
        Ending {
            cpu: self.cpu_time().map_or(ending.cpu, |all| all.max(ending.cpu)),
            peak_kib: self.peak_kib().unwrap_or(ending.peak_kib),
            ..ending
        }
    }
}

/// The cgroup of one bot. Dropping it kills all that is in it and takes it away.
#[derive(Debug)]
pub struct Leaf {
    counts: Counts,
    door: File,
    lock: Option<OwnedFd>,
}

impl Leaf {
    fn set_up(
        folder: PathBuf,
        lock: OwnedFd,
        tree: &Tree,
        policy: &Policy,
        cpus: &[usize],
    ) -> io::Result<Leaf> {
        let door = File::options().write(true).open(folder.join(PROCESSES));
        let door = door.inspect_err(|_| {
            let _ = std::fs::remove_dir(&folder);
        })?;
        let counts = Counts {
            folder,
            memory: tree.limits_memory.then_some(policy.memory),
            processes: tree.limits_processes.then_some(policy.processes),
        };
        let leaf = Leaf { counts, door, lock: Some(lock) };
        if let Some(memory) = leaf.counts.memory {
            leaf.write("memory.max", &memory.to_string())?;
            leaf.write_if_present("memory.swap.max", "0")?;
            leaf.write_if_present("memory.oom.group", "1")?;
        }
        if let Some(processes) = leaf.counts.processes {
            leaf.write("pids.max", &processes.to_string())?;
        }
        if !cpus.is_empty() {
            let list: Vec<String> = cpus.iter().map(usize::to_string).collect();
            // CPUs that this tree does not have were chosen without it; the affinity holds all the same.
            let _ = leaf.write_if_present("cpuset.cpus", &list.join(","));
        }
        Ok(leaf)
    }

    fn write(&self, file: &str, value: &str) -> io::Result<()> {
        // Never made if it is not there: this is no folder for files of ours.
        let mut file = File::options().write(true).open(self.counts.folder.join(file))?;
        io::Write::write_all(&mut file, value.as_bytes())
    }

    fn write_if_present(&self, file: &str, value: &str) -> io::Result<()> {
        match self.write(file, value) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.counts.folder
    }

    /// Its `cgroup.procs`, opened for writing: who writes `0` there is in.
    pub fn door(&self) -> BorrowedFd<'_> {
        self.door.as_fd()
    }

    /// What counts in it.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Kills all that is in it, frozen or not; quick, and harmless if nothing is.
    pub fn kill(&self) {
        kill_all_in(&self.counts.folder);
    }

    /// Lets nothing in it run until [`Leaf::thaw`]; false if this kernel can't.
    pub fn freeze(&self) -> bool {
        self.write("cgroup.freeze", "1").is_ok()
    }

    /// Lets all in it go on; false if this kernel can't.
    pub fn thaw(&self) -> bool {
        self.write("cgroup.freeze", "0").is_ok()
    }

    /// The CPU time of all that is and was in it.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.counts.cpu_time()
    }

    /// The most memory that was used in it, in KiB, if this kernel tells.
    pub fn peak_kib(&self) -> Option<u64> {
        self.counts.peak_kib()
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        self.kill();
        if remove(&self.counts.folder) {
            return;
        }
        // What was killed needs a moment to end. The lock stays until it is gone.
        let (folder, lock) = (self.counts.folder.clone(), self.lock.take());
        if let Ok(keeper) = keeper() {
            keeper.spawn(async move {
                let mut again = tokio::time::interval(REMOVAL_EVERY);
                for _ in 0..REMOVALS {
                    again.tick().await;
                    if remove(&folder) {
                        break;
                    }
                }
                drop(lock);
            });
        }
    }
}

/// Takes away a leaf, and the folder of leaves if it was the last.
fn remove(leaf: &Path) -> bool {
    let is_gone = match std::fs::remove_dir(leaf) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if is_gone && let Some(folder) = leaf.parent() {
        let _ = std::fs::remove_dir(folder);
    }
    is_gone
}

const PROCESSES: &str = "cgroup.procs";

fn kill_all_in(folder: &Path) {
    let file = File::options().write(true).open(folder.join("cgroup.kill"));
    match file.and_then(|mut file| io::Write::write_all(&mut file, b"1")) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // This kernel is older than the file. Our own supervisors sweep what forks meanwhile.
            let processes = std::fs::read_to_string(folder.join(PROCESSES)).unwrap_or_default();
            for pid in processes.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        // A leaf that is gone has nobody in it.
        Err(_) => {}
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Locks a folder, unless a living referee has it.
fn lock(folder: &Path) -> io::Result<OwnedFd> {
    let fd = open(folder, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    flock(&fd, FlockOperation::NonBlockingLockExclusive)?;
    Ok(fd)
}

fn is_a_race(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::WouldBlock)
}

fn read_number(file: &Path) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// Hands all controllers that there are down; false if they were refused.
fn enable_all(folder: &Path) -> bool {
    let there = std::fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
    let lacks = |name: &&str| CONTROLLERS.contains(name) && !is_enabled(folder, name);
    let orders: Vec<String> =
        there.split_ascii_whitespace().filter(lacks).map(|name| format!("+{name}")).collect();
    if orders.is_empty() {
        return true;
    }
    // Some controllers could be had with processes beside the leaves, and then no process could be in a
    // leaf. At the very top it makes no difference.
    let processes = std::fs::read_to_string(folder.join(PROCESSES)).unwrap_or_default();
    if !is_top(folder) && !processes.is_empty() {
        return false;
    }
    // All at once; and where one of them is refused, the others.
    let write = |orders: &str| std::fs::write(folder.join(CHILDREN), orders).is_ok();
    write(&orders.join(" ")) || orders.iter().filter(|order| !write(order)).count() == 0
}

/// Whether this is the top of the whole tree, which alone has no type.
fn is_top(folder: &Path) -> bool {
    !folder.join("cgroup.type").exists()
}

const CHILDREN: &str = "cgroup.subtree_control";

fn is_enabled(folder: &Path, controller: &str) -> bool {
    let enabled = std::fs::read_to_string(folder.join(CHILDREN)).unwrap_or_default();
    enabled.split_ascii_whitespace().any(|name| name == controller)
}

/// Where we are in the tree.
#[derive(Clone, Eq, PartialEq, Debug)]
struct OwnCgroup {
    /// The top of the tree, as far as it can be seen.
    mount: PathBuf,
    /// Our own folder in it.
    folder: PathBuf,
}

impl OwnCgroup {
    /// The folder in which ours may be made.
    fn base(&self) -> PathBuf {
        let moved = Path::new(FOLDER).join(REFEREE);
        if self.folder.ends_with(&moved) {
            // We have been here before.
            return self.folder.ancestors().nth(2).unwrap_or(&self.mount).to_owned();
        }
        // Root need not leave the session that it was started in for a tree of its own,
        // and the processes of that session are not its to move.
        let is_alone = || {
            let all = std::fs::read_to_string(self.folder.join(PROCESSES)).unwrap_or_default();
            all.trim() == getpid().as_raw_nonzero().to_string()
        };
        if rustix::process::geteuid().is_root() && !is_alone() {
            return self.mount.clone();
        }
        self.folder.clone()
    }
}

/// The leaves of a referee's bots that are still there.
pub fn leaves_of(referee: u32) -> Vec<PathBuf> {
    let Some(own) = own_cgroup() else { return Vec::new() };
    let start = format!("{PREFIX}{referee}.");
    let above = own.folder.ancestors().take_while(|above| above.starts_with(&own.mount));
    above
        .flat_map(|above| std::fs::read_dir(above.join(FOLDER)).into_iter().flatten().flatten())
        .filter(|leaf| leaf.file_name().to_str().is_some_and(|name| name.starts_with(&start)))
        .map(|leaf| leaf.path())
        .collect()
}

fn own_cgroup() -> Option<OwnCgroup> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    let cgroups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    place(&mounts, &cgroups)
}

/// Finds our place from what the kernel tells of mounts and of our cgroups.
fn place(mounts: &str, cgroups: &str) -> Option<OwnCgroup> {
    let path = cgroups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        // NUMBER PARENT DEVICE ROOT POINT OPTIONS [MORE ...] - TYPE SOURCE ...
        let (before, after) = line.split_once(" - ")?;
        after.starts_with("cgroup2 ").then_some(())?;
        let mut fields = before.split(' ').skip(3);
        let (root, mount) = (fields.next()?, PathBuf::from(fields.next()?.replace("\\040", " ")));
        let below = Path::new(path).strip_prefix(root).ok()?;
        Some(OwnCgroup { folder: mount.join(below), mount })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_place_is_found_in_every_kind_of_tree() {
        #[track_caller]
        fn check(mounts: &str, cgroups: &str, expected: Option<(&str, &str)>) {
            let expected =
                expected.map(|(mount, folder)| OwnCgroup { mount: mount.into(), folder: folder.into() });
            assert_eq!(place(mounts, cgroups), expected);
        }
        let pure = "22 1 0:20 / /proc rw - proc proc rw\n\
                    30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
        let at = "/user.slice/user-7.slice/session-1.scope";
        let folder = format!("/sys/fs/cgroup{at}");
        check(pure, &format!("0::{at}\n"), Some(("/sys/fs/cgroup", &folder)));
        check(pure, "0::/\n", Some(("/sys/fs/cgroup", "/sys/fs/cgroup")));
        let hybrid = "30 23 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      31 23 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let unified = "/sys/fs/cgroup/unified";
        check(hybrid, "4:memory:/x\n0::/\n", Some((unified, unified)));
        // Of a container nothing is seen but its own part.
        let part = "30 23 0:26 /docker/12 /cg\\040roup rw - cgroup2 cgroup rw\n";
        check(part, "0::/docker/12/a\n", Some(("/cg roup", "/cg roup/a")));
        check(part, "0::/elsewhere\n", None);
        check("30 23 0:26 / /x rw - cgroup cgroup rw,pids\n", "4:pids:/\n", None);
    }

    #[test]
    fn breaches_are_read_from_what_the_kernel_counts() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let write = |file: &str, text: &str| {
            std::fs::write(folder.path().join(file), text).expect("a file can be written");
        };
        let counts = Counts { folder: folder.path().to_owned(), memory: Some(1000), processes: Some(8) };
        assert_eq!(counts.breach(true), None);
        write("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\noom_group_kill 0\n");
        write("pids.events", "max 0\n");
        assert_eq!(counts.breach(true), None);
        write("pids.events", "max 3\n");
        assert_eq!(counts.breach(false), None);
        assert_eq!(counts.breach(true), Some(Breach { resource: Resource::Processes, limit: 8, used: 9 }));
        write("memory.events", "max 12\noom 1\noom_kill 2\n");
        write("memory.peak", "1016\n");
        let memory = Breach { resource: Resource::Memory, limit: 1000, used: 1016 };
        assert_eq!(counts.breach(false), Some(memory));
        assert_eq!(Counts { memory: None, processes: None, ..counts }.breach(true), None);
    }

    #[test]
    fn an_ending_is_completed_by_what_is_counted() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let counts = Counts { folder: folder.path().to_owned(), memory: None, processes: None };
        let (status, cpu) = (std::process::ExitStatus::default(), Duration::from_millis(20));
        let ending = Ending { status, cpu, peak_kib: 500 };
        assert_eq!(counts.complete(ending), ending);
        std::fs::write(folder.path().join("cpu.stat"), "usage_usec 70000\nuser_usec 9\n").expect("ours");
        std::fs::write(folder.path().join("memory.peak"), "2048000\n").expect("ours");
        let all = Ending { cpu: Duration::from_millis(70), peak_kib: 2000, ..ending };
        assert_eq!(counts.complete(ending), all);
        // What ran at the very end may not be counted yet.
        std::fs::write(folder.path().join("cpu.stat"), "usage_usec 19000\n").expect("ours");
        assert_eq!(counts.complete(ending), Ending { peak_kib: 2000, ..ending });
    }
}

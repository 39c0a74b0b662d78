//! Separate users for bots, when this program runs as root.
//!
//! The kernel does not enforce limits on root's processes, and root reads every user's files; so each bot
//! runs as an otherwise unused user. That user must be able to read the bot's files, which is tested before
//! the bot is started.

use std::collections::BTreeSet;
use std::fs::DirBuilder;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{
    Access, AtFlags, CWD, FlockOperation, Mode, OFlags, accessat, flock, fstat, open, stat, unlink,
};
use rustix::process::{Gid, Uid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use super::guarantee::Unavailable;

/// Maximum number of entries of a folder that are tested.
const MAX_ENTRIES: usize = 1000;

/// Changes the user of this thread alone, permanently.
pub(crate) fn become_user(id: u32) -> std::io::Result<()> {
    let (uid, gid) = (Uid::from_raw(id), Gid::from_raw(id));
    set_thread_groups(&[])?;
    set_thread_res_gid(gid, gid, gid)?;
    Ok(set_thread_res_uid(uid, uid, uid)?)
}

/// A range of otherwise unused users.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct SlotUsers {
    /// The first uid; the gid is the same.
    pub first: u32,
    /// Number of users. The last one is never lent: it is for testing what the others can reach.
    pub count: u32,
}

impl Default for SlotUsers {
    /// IDs between those that systems assign to people and those that `systemd` assigns to services.
    fn default() -> SlotUsers {
        SlotUsers { first: 60_600, count: 400 }
    }
}

static TAKEN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// The view that a bot has of the host's files.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum View {
    /// The host's folders above its files, unchanged.
    Host,
    /// Its own mounts: only what it may read, with parent folders made for that purpose.
    Mounts,
}

impl SlotUsers {
    /// Accepts this range if its users are unused and this process may become them.
    ///
    /// # Errors
    /// The range can't be used; the error has the reason and a hint.
    pub fn find(range: SlotUsers) -> Result<SlotUsers, Unavailable> {
        let cure = "set a range of unused user IDs, such as `LINESMAN_BOT_USERS=70000-70400`";
        let unavailable = |why: &str| Unavailable::new("slot users", why, cure);
        if range.first == 0 || range.count < 2 || range.first.checked_add(range.count).is_none() {
            return Err(unavailable("the range must have at least two users and must not include root"));
        }
        let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        if let Some(name) = range.first_known(&known) {
            return Err(unavailable(&format!("user `{name}` already has one of the IDs {range}")));
        }
        let failed = |step: &str, error: std::io::Error| {
            unavailable(&format!("can't {step} one of these users: {error}"))
        };
        make_claims(Path::new(CLAIMS)).map_err(|error| failed("claim", error))?;
        range.as_one_of_them(|| ()).map_err(|error| failed("become", error))?;
        Ok(range)
    }

    /// Returns the maximum number of users that can be lent at once.
    pub fn lendable(&self) -> u32 {
        self.count.saturating_sub(1)
    }

    fn first_known<'p>(&self, passwd: &'p str) -> Option<&'p str> {
        passwd.lines().find_map(|line| {
            let mut fields = line.split(':');
            let (name, id) = (fields.next()?, fields.nth(1)?.parse::<u32>().ok()?);
            (self.first..self.first.saturating_add(self.count)).contains(&id).then_some(name)
        })
    }

    /// Lends a user that is free, here and in other referees; `None` if all are taken.
    pub fn take(&self) -> Option<SlotUser> {
        self.take_in(Path::new(CLAIMS))
    }

    fn take_in(&self, claims: &Path) -> Option<SlotUser> {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let last = self.first.saturating_add(self.count.saturating_sub(1));
        let (id, claim) = (self.first..last)
            .filter(|id| !taken.contains(id))
            .find_map(|id| Some((id, Claim::make(claims, id)?)))?;
        taken.insert(id);
        Some(SlotUser { id, _claim: claim })
    }

    /// Returns the path that keeps these users from a bot's files: the first file or folder in `read`, on the
    /// way there or inside that they can't read, or `program` if they can't execute it.
    pub fn in_the_way(&self, read: &[PathBuf], program: &Path, view: View) -> Option<PathBuf> {
        let paths: Vec<ReadPath> = read.iter().filter_map(|path| ReadPath::to(path, view)).collect();
        let program = program.canonicalize().unwrap_or_else(|_| program.to_owned());
        let start = match view {
            View::Host => None,
            View::Mounts => read.iter().filter(|path| program.starts_with(path)).max(),
        };
        let start = start.map_or(Path::new("/"), PathBuf::as_path);
        let to_program = open_way(start);
        let blocked = self.as_one_of_them(|| {
            paths.iter().find_map(ReadPath::blocked).or_else(|| {
                let start_fd = to_program.as_ref()?;
                let below = program.strip_prefix(start).ok()?;
                blocked_on_the_way(start_fd, start, below)
                    .or_else(|| refuses(start_fd, below, Access::EXEC_OK).then(|| program.clone()))
            })
        });
        // If the test itself can't run, the root folder is reported.
        blocked.unwrap_or_else(|_| Some(PathBuf::from("/")))
    }

    /// Runs `work` on a thread that has become the last of these users.
    fn as_one_of_them<T: Send>(&self, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
        let id = self.first.saturating_add(self.count.saturating_sub(1));
        std::thread::scope(|scope| {
            let thread =
                std::thread::Builder::new().name("try user".to_owned()).spawn_scoped(scope, || {
                    become_user(id)?;
                    Ok(work())
                })?;
            thread.join().unwrap_or_else(|_| Err(std::io::Error::other("the thread of the test panicked")))
        })
    }
}

impl std::fmt::Display for SlotUsers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.first, self.first.saturating_add(self.count.saturating_sub(1)))
    }
}

impl std::str::FromStr for SlotUsers {
    type Err = String;

    /// Reads `FIRST-LAST`.
    fn from_str(text: &str) -> Result<SlotUsers, String> {
        let parse = || {
            let (first, last) = text.split_once('-')?;
            let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            Some(SlotUsers { first, count: last.checked_sub(first)?.checked_add(1)? })
        };
        parse().ok_or_else(|| format!("`{text}` is not a range of user IDs such as `70000-70400`"))
    }
}

/// A path that a bot must be able to read, and the way to it.
struct ReadPath {
    /// The first folder on the way that requires rights, opened with our rights.
    start: OwnedFd,
    start_path: PathBuf,
    /// The paths below it that are tested, first the one to be read.
    below: Vec<PathBuf>,
}

impl ReadPath {
    /// Prepares the test of a path; `None` if the path does not exist.
    fn to(path: &Path, view: View) -> Option<ReadPath> {
        let start_path = match view {
            View::Host => PathBuf::from("/"),
            View::Mounts => path.to_owned(),
        };
        let start = open_way(&start_path)?;
        let first = path.strip_prefix(&start_path).ok()?.to_owned();
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten().take(MAX_ENTRIES);
        // A link's target is tested as its own path, or does not exist.
        let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
        let below = entries.map(|entry| first.join(entry.file_name()));
        let below = std::iter::once(first.clone()).chain(below).collect();
        Some(ReadPath { start, start_path, below })
    }

    fn blocked(&self) -> Option<PathBuf> {
        blocked_on_the_way(&self.start, &self.start_path, self.below.first()?).or_else(|| {
            let blocked = self.below.iter().find(|below| refuses(&self.start, below, Access::READ_OK))?;
            Some(self.start_path.join(blocked))
        })
    }
}

fn open_way(path: &Path) -> Option<OwnedFd> {
    open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()
}

/// Returns the first folder from `start` to `below` that may not be passed.
fn blocked_on_the_way(start_fd: &OwnedFd, start: &Path, below: &Path) -> Option<PathBuf> {
    let mut so_far = PathBuf::new();
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        if refuses(start_fd, &so_far, Access::EXEC_OK) {
            return Some(start.join(so_far));
        }
        if let (Component::Normal(part), true) = (part, parts.peek().is_some()) {
            so_far.push(part);
        }
    }
    None
}

fn refuses(start: &OwnedFd, below: &Path, access: Access) -> bool {
    let result = if below.as_os_str().is_empty() {
        // The opened file itself: a folder can be named `.`, a file only by its descriptor.
        match accessat(start.as_fd(), ".", access, AtFlags::empty()) {
            Err(rustix::io::Errno::NOTDIR) => {
                let itself = format!("/proc/self/fd/{}", start.as_raw_fd());
                accessat(CWD, itself, access, AtFlags::empty())
            }
            result => result,
        }
    } else {
        accessat(start.as_fd(), below, access, AtFlags::empty())
    };
    // Only a refusal counts, and not a missing file or a kernel without this call.
    result == Err(rustix::io::Errno::ACCESS)
}

/// Folder in which users are claimed. Only root can write there.
const CLAIMS: &str = "/run/linesman-bot-users";

/// A file that claims a user as long as its lock is held. Dropping it removes the file.
#[derive(Debug)]
struct Claim {
    path: PathBuf,
    _lock: OwnedFd,
}

impl Claim {
    /// Claims a user until the claim is dropped or this program ends; `None` if another referee has it.
    fn make(folder: &Path, id: u32) -> Option<Claim> {
        let path = folder.join(id.to_string());
        // The referee that held the claim may remove the file between our steps.
        for _ in 0..3 {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let lock = open(&path, flags, Mode::RUSR | Mode::WUSR).ok()?;
            flock(&lock, FlockOperation::NonBlockingLockExclusive).ok()?;
            let is_same = |named: &rustix::fs::Stat| fstat(&lock).is_ok_and(|own| own.st_ino == named.st_ino);
            if stat(&path).as_ref().is_ok_and(is_same) {
                return Some(Claim { path, _lock: lock });
            }
        }
        None
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Before the lock is released: who gets the lock next sees that the name belongs to another file.
        let _ = unlink(&self.path);
    }
}

/// Makes the folder of claims, if it does not exist.
fn make_claims(folder: &Path) -> std::io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        made => made?,
    }
    let found = folder.symlink_metadata()?;
    let is_ours = found.is_dir() && found.uid() == rustix::process::geteuid().as_raw();
    if is_ours && found.permissions().mode() & 0o022 == 0 {
        return Ok(());
    }
    Err(std::io::Error::other(format!("`{}` is not a folder that only root can write to", folder.display())))
}

/// A user that is lent to one bot. Dropping it returns the user.
#[derive(Debug)]
pub struct SlotUser {
    id: u32,
    _claim: Claim,
}

impl SlotUser {
    /// Returns the uid, which is also the gid.
    pub fn id(&self) -> u32 {
        self.id
    }
}

impl Drop for SlotUser {
    fn drop(&mut self) {
        TAKEN.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_lent_to_one_bot_at_a_time() {
        let users = SlotUsers { first: 3_900_000, count: 3 };
        let claims = tempfile::tempdir().expect("a folder can be made");
        let take = || users.take_in(claims.path());
        let (one, other) = (take().expect("two are free"), take().expect("one is free"));
        assert_ne!(one.id(), other.id());
        assert!(take().is_none());
        let id = one.id();
        drop(one);
        assert_eq!(take().map(|user| user.id()), Some(id));
        drop(other);
        assert_eq!(std::fs::read_dir(claims.path()).map(Iterator::count).ok(), Some(0));
    }

    #[test]
    fn a_user_that_another_referee_has_is_not_lent() {
        let users = SlotUsers { first: 3_910_000, count: 3 };
        let claims = tempfile::tempdir().expect("a folder can be made");
        let take = || users.take_in(claims.path()).map(|user| user.id());
        let other = Claim::make(claims.path(), 3_910_000).expect("nobody has it");
        assert_eq!(take(), Some(3_910_001));
        drop(other);
        assert_eq!(take(), Some(3_910_000));
        // The file of a referee that was killed has no lock.
        std::fs::write(claims.path().join("3910000"), "").expect("a file can be written");
        assert_eq!(take(), Some(3_910_000));
    }

    #[test]
    fn claims_are_made_only_where_nobody_else_can_write() {
        let parent = tempfile::tempdir().expect("a folder can be made");
        let folder = parent.path().join("claims");
        make_claims(&folder).expect("it is made");
        make_claims(&folder).expect("it is there");
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).expect("it is ours");
        make_claims(&folder).expect_err("anybody may write there");
        let link = parent.path().join("link");
        std::os::unix::fs::symlink(parent.path(), &link).expect("a link can be made");
        make_claims(&link).expect_err("a link leads elsewhere");
    }

    #[test]
    fn ranges_are_parsed_and_known_users_are_refused() {
        let users: SlotUsers = "70000-70009".parse().expect("a good range");
        assert_eq!(users, SlotUsers { first: 70_000, count: 10 });
        assert_eq!(users.to_string(), "70000 to 70009");
        for text in ["", "70000", "9-8", "a-b", "-1-2"] {
            assert!(text.parse::<SlotUsers>().is_err(), "{text}");
        }
        let passwd = "root:x:0:0::/root:/bin/sh\nada:x:70009:70009::/home/ada:/bin/sh\n";
        assert_eq!(users.first_known(passwd), Some("ada"));
        assert_eq!(SlotUsers { first: 80_000, count: 9 }.first_known(passwd), None);
        assert!(SlotUsers::find(SlotUsers { first: 0, count: 9 }).is_err());
    }

    #[test]
    fn the_path_that_keeps_a_user_from_a_bots_files_is_named() {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: only root can try what other users reach");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder can be made");
        let at = |path: &str| folder.path().join(path);
        let mode = |path: &str, mode: u32| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(at(path), permissions).expect("modes can be set");
        };
        std::fs::create_dir_all(at("home/bots")).expect("folders can be made");
        for file in ["home/bots/run", "home/bots/net"] {
            std::fs::write(at(file), "x").expect("a file can be written");
        }
        ["", "home", "home/bots", "home/bots/run"].into_iter().for_each(|path| mode(path, 0o755));
        mode("home/bots/net", 0o644);
        let users = SlotUsers { first: 3_920_000, count: 3 };
        #[track_caller]
        fn check(found: Option<PathBuf>, expected: Option<PathBuf>) {
            assert_eq!(found, expected);
        }
        let (read, program) = (vec![at("home/bots")], at("home/bots/run"));
        let tried = |view| users.in_the_way(&read, &program, view);
        check(tried(View::Host), None);
        mode("home", 0o700);
        check(tried(View::Host), Some(at("home")));
        check(tried(View::Mounts), None);
        mode("home/bots/net", 0o600);
        check(tried(View::Mounts), Some(at("home/bots/net")));
        mode("home/bots/net", 0o644);
        mode("home/bots/run", 0o644);
        check(tried(View::Mounts), Some(program.clone()));
        // A file that is mounted alone, whatever surrounds it.
        let alone = || users.in_the_way(std::slice::from_ref(&program), &program, View::Mounts);
        mode("home/bots", 0o700);
        check(alone(), Some(program.clone()));
        mode("home/bots/run", 0o700);
        check(alone(), Some(program.clone()));
        mode("home/bots/run", 0o755);
        check(alone(), None);
        check(tried(View::Mounts), Some(at("home/bots")));
        // This process still has its own user.
        assert!(rustix::process::geteuid().is_root());
        assert!(std::fs::read(at("home/bots/net")).is_ok());
    }
}

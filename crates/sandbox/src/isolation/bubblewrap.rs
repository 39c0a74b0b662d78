//! The layer `bubblewrap`: namespaces around the launcher, made by `bwrap`.
//!
//! A bot sees the system's files and those of its policy, read-only (small files of `/etc` as copies made
//! when the bot is started, which take less time than mounts); its own processes; no network; and empty
//! folders of bounded size to write to, which vanish with it. As root, `bwrap` needs no user namespace, and
//! the bot can become its own user. Any other user needs one.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command as Program, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rustix::process::geteuid;

use super::Policy;
use super::guarantee::Unavailable;
use super::read_scope::{SYSTEM_FILES, system_settings};
use crate::command::Command;

/// Maximum size of each of the folders for temporary files, in bytes and as a fraction of the bot's memory.
const TEMPORARY: u64 = 64 << 20;
const TEMPORARY_FRACTION: u64 = 8;

/// Maximum size of a system file that is copied: a mount takes longer, and more so the more mounts there are.
const MAX_COPIED: u64 = 16 << 10;

/// The system folder of perhaps a dozen mounts. It comes late, since `bwrap` reads the list of mounts after each mount.
const MANY_MOUNTS: &str = "/sys/fs/cgroup";

/// Mode of a system file that is copied: any user may read it.
const READ_BY_ALL: u32 = 0o444;

/// The first version that can forbid further user namespaces.
const FORBIDS_NAMESPACES: (u32, u32) = (0, 8);

/// The first version that can bound a folder: without a bound a bot could fill the memory.
const BOUNDS_FOLDERS: (u32, u32) = (0, 7);

/// Capabilities of root's supervisor in a namespace: to become and kill a bot's user, to see what the bot
/// uses, to give up the rest, and to read the bot's files.
const PRIVILEGES: [&str; 7] = [
    "CAP_SETUID",
    "CAP_SETGID",
    "CAP_SETPCAP",
    "CAP_KILL",
    "CAP_SYS_PTRACE",
    "CAP_DAC_OVERRIDE",
    "CAP_DAC_READ_SEARCH",
];

/// The `bwrap` of this host.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Bubblewrap {
    /// Its absolute path.
    pub program: PathBuf,
    /// Its version, as it prints it: `0.8.0`.
    pub version: String,
}

/// The search for it, while it is in progress.
static SEARCH: Mutex<Option<JoinHandle<Result<Bubblewrap, Unavailable>>>> = Mutex::new(None);

/// The words before a launcher's command.
#[derive(Debug, Default)]
pub(crate) struct Prefix {
    /// The words, `bwrap` itself first and `--` last; empty = no prefix.
    pub(crate) words: Vec<OsString>,
    /// Descriptors that `bwrap` has to inherit: the files that it copies, whose numbers are among the words.
    pub(crate) files: Vec<OwnedFd>,
}

impl Bubblewrap {
    /// Starts to search for it before [`Bubblewrap::find`], since it takes time to print its version. Does
    /// nothing if a search is in progress.
    pub fn look_ahead() {
        let mut search = SEARCH.lock().unwrap_or_else(PoisonError::into_inner);
        if search.is_none() {
            let thread = std::thread::Builder::new().name("find bwrap".to_owned());
            // If no thread can be started, the search happens in `find`.
            *search = thread.spawn(Bubblewrap::search).ok();
        }
    }

    /// Finds it in our `PATH`. The probe determines whether it works here.
    ///
    /// # Errors
    /// There is no usable one; the error says how to get one.
    pub fn find() -> Result<Bubblewrap, Unavailable> {
        let search = SEARCH.lock().unwrap_or_else(PoisonError::into_inner).take();
        match search {
            Some(search) => search.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => Bubblewrap::search(),
        }
    }

    fn search() -> Result<Bubblewrap, Unavailable> {
        let cure = "install the package `bubblewrap`, version 0.7 or newer";
        let unavailable = |why: String| Unavailable::new("bubblewrap", why, cure);
        #[expect(clippy::disallowed_methods, reason = "`bwrap` is looked up in the user's `PATH`")]
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path)
            .map(|folder| folder.join("bwrap"))
            .find(|file| file.is_absolute() && file.is_file())
            .ok_or_else(|| unavailable("`bwrap` is not in `PATH`".to_owned()))?;
        let output = Program::new(&program).arg("--version").stdin(Stdio::null()).output();
        let output = output.map_err(|error| unavailable(format!("`{}`: {error}", program.display())))?;
        let version = version(&String::from_utf8_lossy(&output.stdout))
            .ok_or_else(|| unavailable(format!("`{} --version` prints no version", program.display())))?;
        let found = Bubblewrap { program, version };
        if !found.is_at_least(BOUNDS_FOLDERS) {
            return Err(unavailable(format!("`bwrap` {} can't limit the size of folders", found.version)));
        }
        Ok(found)
    }

    /// Returns true if the kernel counts the processes of each bot separately.
    pub fn counts_processes(&self) -> bool {
        // Such a limit never binds root.
        !geteuid().is_root()
    }

    fn is_at_least(&self, wanted: (u32, u32)) -> bool {
        let mut parts = self.version.split('.').map(|part| part.parse().unwrap_or(0));
        (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= wanted
    }

    pub(crate) fn prefix(&self, command: &Command, policy: &Policy, scratch: Option<&Path>) -> Prefix {
        let mut words = Prefix { words: vec![self.program.clone().into_os_string()], files: Vec::new() };
        words.add(&["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]);
        words.add(&["--unshare-cgroup-try", "--die-with-parent", "--new-session"]);
        if geteuid().is_root() {
            words.add(&["--cap-drop", "ALL"]);
            PRIVILEGES.iter().for_each(|privilege| words.add(&["--cap-add", privilege]));
        } else {
            words.add(&["--unshare-user"]);
            if self.is_at_least(FORBIDS_NAMESPACES) {
                words.add(&["--disable-userns"]);
            }
        }
        // The whole tree comes first: it would hide whatever was mounted before it.
        let is_all = policy.read.iter().any(|path| path == Path::new("/"));
        if is_all {
            words.add(&["--ro-bind", "/", "/"]);
        }
        let temporary = TEMPORARY.min(policy.memory / TEMPORARY_FRACTION);
        words.add(&["--proc", "/proc", "--dev", "/dev"]);
        words.folder("/dev/shm".as_ref(), temporary);
        words.folder("/tmp".as_ref(), temporary);
        let settings: Vec<PathBuf> = system_settings().collect();
        words.parents_of(SYSTEM_FILES.iter().map(Path::new).chain(settings.iter().map(PathBuf::as_path)));
        for path in SYSTEM_FILES.iter().map(Path::new) {
            // With the whole tree read-only nothing can be written, not even a copy.
            let is_later = is_made_anew(path) || path == Path::new(MANY_MOUNTS);
            if !is_later && (is_all || !words.copy(path)) {
                words.system_file(path);
            }
        }
        settings.iter().for_each(|path| words.bind(path));
        let directory = std::path::absolute(&command.directory).unwrap_or_default();
        let read = policy.read.iter().map(PathBuf::as_path);
        let own: Vec<&Path> = read.filter(|path| !is_made_anew(path) && *path != Path::new("/")).collect();
        let listed = policy.list.iter().map(PathBuf::as_path);
        let listed: Vec<&Path> = listed.filter(|path| !is_made_anew(path)).collect();
        words.parents_of(own.iter().chain(&listed).copied().chain(scratch).chain([directory.as_path()]));
        listed.iter().for_each(|path| words.readable_folder(path));
        own.iter().for_each(|path| words.bind(path));
        if let (Some(scratch), Some(size)) = (scratch, policy.scratch) {
            words.folder(scratch, size);
        }
        if !is_made_anew(&directory) {
            words.readable_folder(&directory);
        }
        words.bind(MANY_MOUNTS.as_ref());
        if geteuid().is_root() {
            // Without a user namespace these are the host's.
            for path in ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"] {
                words.add(&["--ro-bind-try", path, path]);
            }
        }
        words.add(&["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--"]);
        words
    }
}

/// Returns true if a namespace has its own instead of the host's.
fn is_made_anew(path: &Path) -> bool {
    path.starts_with("/proc") || path.starts_with("/dev")
}

impl Prefix {
    fn word(&mut self, word: impl AsRef<OsStr>) {
        self.words.push(word.as_ref().to_owned());
    }

    fn add(&mut self, words: &[&str]) {
        words.iter().for_each(|word| self.word(word));
    }

    /// Adds an empty folder of bounded size that any user inside may write to.
    fn folder(&mut self, path: &Path, size: u64) {
        self.add(&["--perms", "1777", "--size", &size.max(4096).to_string(), "--tmpfs"]);
        self.word(path);
    }

    /// Mounts a path read-only, if it exists.
    fn bind(&mut self, path: &Path) {
        self.word("--ro-bind-try");
        self.word(path);
        self.word(path);
    }

    /// Adds a copy of a small file of `/etc` that any user may read. Returns false for any other file.
    fn copy(&mut self, path: &Path) -> bool {
        if !path.starts_with("/etc") {
            return false;
        }
        // Opened for each bot: copies of one descriptor share its position, which reading moves.
        let Ok(file) = File::open(path) else { return false };
        let is_small = file.metadata().is_ok_and(|file| {
            file.is_file() && file.len() <= MAX_COPIED && file.mode() & READ_BY_ALL == READ_BY_ALL
        });
        if is_small {
            self.add(&["--perms", "0444", "--file", &file.as_raw_fd().to_string()]);
            self.word(path);
            self.files.push(file.into());
        }
        is_small
    }

    /// Makes the parent folders of these paths, open to all users: `bwrap` would make them for itself alone.
    fn parents_of<'p>(&mut self, paths: impl Iterator<Item = &'p Path>) {
        let is_there = |folder: &Path| SYSTEM_FILES.iter().any(|system| folder.starts_with(system));
        let folders: BTreeSet<&Path> = paths
            .flat_map(|path| path.ancestors().skip(1))
            .filter(|folder| folder.parent().is_some() && !is_made_anew(folder) && !is_there(folder))
            .collect();
        folders.into_iter().for_each(|folder| self.readable_folder(folder));
    }

    fn readable_folder(&mut self, folder: &Path) {
        self.add(&["--perms", "0755", "--dir"]);
        self.word(folder);
    }

    /// Mounts a part of the system. A link at the top (`/bin`) stays a link.
    fn system_file(&mut self, path: &Path) {
        let is_at_top = path.parent() == Some(Path::new("/"));
        match std::fs::read_link(path) {
            Ok(target) if is_at_top => {
                self.word("--symlink");
                self.word(&target);
                self.word(path);
            }
            _ => self.bind(path),
        }
    }
}

/// Finds the version in `bubblewrap 0.8.0`.
fn version(output: &str) -> Option<String> {
    let version = output.split_ascii_whitespace().last()?;
    version.starts_with(|first: char| first.is_ascii_digit()).then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(version: &str) -> Bubblewrap {
        Bubblewrap { program: "/usr/bin/bwrap".into(), version: version.to_owned() }
    }

    fn prefix(policy: Policy, scratch: Option<&Path>) -> Vec<String> {
        let command = Command {
            launcher: "/x/linesman".into(),
            program: "sh".into(),
            arguments: Vec::new(),
            directory: "/cup".into(),
            environment: Vec::new(),
            cpus: Vec::new(),
            shares_cpus: false,
            isolation: None,
        };
        let prefix = of("0.8.0").prefix(&command, &policy, scratch);
        prefix.words.into_iter().map(|word| word.into_string().expect("these are UTF-8")).collect()
    }

    #[test]
    fn versions_are_parsed_and_compared_by_their_numbers() {
        assert_eq!(version("bubblewrap 0.11.1\n").as_deref(), Some("0.11.1"));
        assert_eq!(version("usage: bwrap"), None);
        for (text, is_enough) in [("0.8.0", true), ("0.11.1", true), ("1.0", true), ("0.7.9", false)] {
            assert_eq!(of(text).is_at_least(FORBIDS_NAMESPACES), is_enough, "{text}");
        }
    }

    #[test]
    fn writable_folders_are_bounded_and_the_rest_is_read_only() {
        let words = prefix(Policy { scratch: Some(5 << 20), ..Policy::default() }, Some(Path::new("/tmp/s")));
        for (at, _) in words.iter().enumerate().filter(|(_, word)| *word == "--tmpfs") {
            assert_eq!(words[at - 2], "--size", "{:?}", &words[at + 1]);
        }
        assert!(words.windows(2).any(|pair| pair == ["--tmpfs", "/tmp/s"]));
        assert!(!words.iter().any(|word| ["--bind", "--bind-try", "--dev-bind"].contains(&word.as_str())));
        let end = ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--"];
        assert!(words.ends_with(&end.map(str::to_owned)));
    }

    #[test]
    fn a_path_of_many_mounts_is_bound_once_and_late() {
        assert!(SYSTEM_FILES.contains(&MANY_MOUNTS));
        let words = prefix(Policy { read: vec!["/srv/bots".into()], ..Policy::default() }, None);
        let places: Vec<usize> =
            words.iter().enumerate().filter(|(_, word)| *word == MANY_MOUNTS).map(|(at, _)| at).collect();
        assert_eq!(places.len(), 2, "from where, and to where");
        assert!(words.iter().rposition(|word| word == "/srv/bots") < Some(places[0]));
    }

    #[test]
    fn only_small_files_of_the_system_are_copied() {
        let mut words = Prefix::default();
        assert!(words.copy("/etc/passwd".as_ref()));
        assert!(!words.copy("/etc".as_ref()) && !words.copy("/etc/no-such-file".as_ref()));
        assert!(!words.copy("/usr/bin/env".as_ref()) && !words.copy("/proc/version".as_ref()));
        let Prefix { words, files } = words;
        let number = files[0].as_raw_fd().to_string();
        assert_eq!(words, ["--perms", "0444", "--file", &number, "/etc/passwd"].map(OsString::from));
        assert_eq!(files.len(), 1);
    }

    #[test]
    fn what_a_bot_may_read_is_mounted_over_empty_folders() {
        let read = vec![PathBuf::from("/tmp/cup/ada"), "/proc/self/exe".into(), "/srv/bots".into()];
        let words = prefix(Policy { read, ..Policy::default() }, None);
        let place = |path: &str| words.iter().position(|word| word == path);
        assert!(place("/tmp") < place("/tmp/cup") && place("/tmp/cup") < place("/tmp/cup/ada"));
        assert!(place("/srv/bots").is_some());
        assert_eq!(place("/proc/self/exe"), None);
        let words = prefix(Policy { read: vec!["/".into()], ..Policy::default() }, None);
        assert!(!words.iter().any(|word| word == "--file"), "nothing can be written there");
        let all = words.windows(3).position(|words| words == ["--ro-bind", "/", "/"]);
        assert!(all.is_some() && all < words.iter().position(|word| word == "--proc"));
    }
}

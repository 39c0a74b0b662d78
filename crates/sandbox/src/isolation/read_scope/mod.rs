//! The files and folders that a bot needs to read, according to its command.
//!
//! - its folder, if the tournament file gives it one (`dir`); otherwise the folders of the files that its
//!   command names, or the working directory if it names none (this program itself needs only the files that
//!   are named, and no folder);
//! - everything else that its command and its environment name;
//! - the project around a named file, up to the working directory;
//! - `node_modules` and `package.json` of the folders above these, wherever they are;
//! - its program with the prefix that it is installed in, and the folders on the `PATH` with what usually
//!   belongs to programs there (this program itself needs nothing next to it);
//! - the packages that Python's users install for themselves;
//! - the paths that the tournament file adds (`read`).
//!
//! Only the named entries of a folder with much that does not concern the bot (the home folder, `/tmp`) are
//! granted. In every folder the paths of the league and of other bots are left out
//! ([`grants`](super::grants)).

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// System files that programs need, and any may read.
pub const SYSTEM_FILES: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/group",
    "/etc/hosts",
    "/etc/os-release",
    "/etc/mime.types",
    "/etc/apache2/mime.types",
    "/etc/httpd/conf/mime.types",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
    "/etc/mono",
    "/etc/dotnet",
    "/etc/julia",
    "/etc/fonts",
    "/etc/terminfo",
    "/proc/self",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
    "/sys/kernel/mm/hugepages",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Folders that are never a bot's own.
const SHARED: &[&str] = &[
    "/", "/etc", "/var", "/var/tmp", "/var/lib", "/tmp", "/home", "/root", "/run", "/dev", "/dev/shm",
    "/proc", "/sys", "/mnt", "/media", "/srv", "/boot",
];

/// Folders in a home folder that hold programs next to secrets.
const SHARED_AT_HOME: &[&str] = &[".local", ".cargo", ".config", ".cache", ".ssh"];

/// Entries next to a folder of programs that belong to them. Not all do: a folder named `bin` may be anywhere.
const NEXT_TO_PROGRAMS: [&str; 21] = [
    "bin",
    "sbin",
    "shims",
    "lib",
    "lib32",
    "lib64",
    "libexec",
    "share",
    "include",
    "etc",
    "ssl",
    "conf",
    "jmods",
    "release",
    "pyvenv.cfg",
    "versions",
    "plugins",
    "toolchains",
    "pkg",
    "sdk",
    "shared",
];

const MAX_LINKS: usize = 40;

/// Files that mark the root of a project.
const PROJECT_FILES: &[&str] = &[
    "package.json",
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
    "pom.xml",
    "build.gradle",
    "go.mod",
    "Cargo.toml",
    "Makefile",
    "CMakeLists.txt",
];

/// Facts about a bot and this host that determine what the bot may read.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct ReadScope {
    /// The working directory of the bot.
    pub folder: PathBuf,
    /// The owner of that folder.
    pub ownership: Ownership,
    /// The program that its command starts.
    pub program: PathBuf,
    /// The files that the program needs around it.
    pub program_kind: ProgramKind,
    /// The other words of its command, and the values of its environment.
    pub words: Vec<String>,
    /// The user's home folder.
    pub home: PathBuf,
    /// The folders in which programs are looked up.
    pub path: Vec<PathBuf>,
    /// Paths that the tournament file adds, relative to the working directory.
    pub more: Vec<PathBuf>,
}

/// The owner of the folder that a bot runs in.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Ownership {
    /// The bot alone.
    Own,
    /// Perhaps several bots, and the tournament itself.
    #[default]
    Shared,
}

/// The files that a program needs around it.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum ProgramKind {
    /// The folder that contains it, or the prefix that it is installed in.
    #[default]
    Installed,
    /// Nothing: it is a single file.
    SingleFile,
    /// Nothing, but it starts another program with the files that its words name.
    Adapter,
}

impl ReadScope {
    /// Returns all paths that the bot needs to read, without [`SYSTEM_FILES`] and what the tournament file adds.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let named = self.named();
        match self.program_kind {
            ProgramKind::Installed | ProgramKind::Adapter => {
                named.iter().for_each(|path| self.add_named(&mut found, path));
                self.whole().iter().for_each(|folder| self.add_unless_shared(&mut found, folder));
            }
            ProgramKind::SingleFile => found.extend(named.iter().filter(|path| path.is_file()).cloned()),
        }
        let program = self.folder.join(&self.program);
        match self.program_kind {
            ProgramKind::Installed => self.add_program(&mut found, &program),
            ProgramKind::SingleFile | ProgramKind::Adapter => {
                self.add_with_target(&mut found, &program, |_, _| {});
            }
        }
        for folder in &self.path {
            self.add_programs_of(&mut found, folder);
        }
        self.add_node_modules(&mut found, &named);
        self.add_python_packages(&mut found);
        tidy(found)
    }

    /// Returns the paths that the tournament file adds.
    pub(super) fn added(&self) -> Vec<PathBuf> {
        tidy(self.more.iter().map(|path| self.folder.join(path)).collect())
    }

    /// Returns the files and folders of this bot, according to its command, which other bots must not read.
    pub fn owned_paths(&self) -> Vec<PathBuf> {
        if self.program_kind == ProgramKind::SingleFile {
            return Vec::new();
        }
        let mut owned_paths = self.named();
        if self.program_kind == ProgramKind::Installed && self.is_named_by_path() {
            owned_paths.push(self.folder.join(&self.program));
        }
        // A folder in the shared working directory belongs to the bot whose files are in it.
        let above = |path: &PathBuf| plain(path).parent().map(Path::to_owned);
        let within = plain(&self.folder);
        let folders: Vec<PathBuf> = owned_paths
            .iter()
            .filter_map(above)
            .filter(|folder| folder.starts_with(&within) && *folder != within && !self.path.contains(folder))
            .collect();
        owned_paths.extend(folders);
        if self.ownership == Ownership::Own {
            owned_paths.push(self.folder.clone());
        }
        owned_paths
    }

    /// Returns the folder that the bot may read as a whole, if any.
    pub fn whole(&self) -> Option<&Path> {
        let is_whole = self.ownership == Ownership::Own || self.names_nothing();
        (self.program_kind != ProgramKind::SingleFile && is_whole).then_some(&*self.folder)
    }

    /// Returns true if the bot's command names no existing file.
    pub fn names_nothing(&self) -> bool {
        self.named().is_empty()
    }

    /// Returns true unless its program was looked up in the `PATH`.
    fn is_named_by_path(&self) -> bool {
        let program = self.folder.join(&self.program);
        program.parent().is_some_and(|folder| !self.path.iter().any(|known| known == folder))
            && !SYSTEM_FILES.iter().any(|system| program.starts_with(system))
    }

    /// Returns the files and folders that the words name.
    pub(super) fn named(&self) -> Vec<PathBuf> {
        let mut named = Vec::new();
        for word in &self.words {
            let value = word.split_once('=').map(|(_, value)| value);
            let pieces = word.split(':').chain(value.into_iter().flat_map(|value| value.split(':')));
            for piece in std::iter::once(word.as_str()).chain(pieces) {
                // In a class path, a final `*` means everything in a folder.
                let piece = piece.strip_suffix("/*").unwrap_or(piece);
                let path = self.folder.join(piece);
                if !piece.is_empty() && path.exists() && !named.contains(&path) {
                    named.push(path);
                }
            }
        }
        named
    }

    fn add_named(&self, found: &mut Vec<PathBuf>, path: &Path) {
        if path.is_dir() {
            return self.add_unless_shared(found, path);
        }
        self.add_with_target(found, path, |found, path| {
            if let Some(folder) = path.parent() {
                self.add_unless_shared(found, folder);
            }
        });
        let Some(folder) = path.parent().map(plain) else { return };
        let around = folder.ancestors().take_while(|above| above.starts_with(plain(&self.folder)));
        if let Some(project) =
            around.filter(|above| PROJECT_FILES.iter().any(|file| above.join(file).is_file())).last()
        {
            self.add_unless_shared(found, project);
        }
    }

    /// Adds a program with the prefix that it is installed in, and the interpreter that it names.
    fn add_program(&self, found: &mut Vec<PathBuf>, program: &Path) {
        for program in std::iter::once(program.to_owned()).chain(interpreter(program)) {
            self.add_with_target(found, &program, |found, program| {
                if let Some(folder) = program.parent() {
                    self.add_programs_of(found, folder);
                }
            });
        }
    }

    /// Adds a path as it was named, as each link on the way names it, and resolved. Calls `add` for each.
    fn add_with_target(&self, found: &mut Vec<PathBuf>, path: &Path, add: impl Fn(&mut Vec<PathBuf>, &Path)) {
        found.push(path.to_owned());
        add(found, path);
        let mut last = path.to_owned();
        for _ in 0..MAX_LINKS {
            let Ok(target) = last.read_link() else { break };
            last = last.parent().unwrap_or(Path::new("/")).join(target);
            found.push(last.clone());
            add(found, &last);
        }
        if let Ok(target) = path.canonicalize()
            && target != last
        {
            found.push(target.clone());
            add(found, &target);
        }
    }

    /// Adds a folder of programs with what belongs to them: `PREFIX/lib` to `PREFIX/bin`.
    fn add_programs_of(&self, found: &mut Vec<PathBuf>, folder: &Path) {
        let is_for_programs = |name: &OsStr| ["bin", "sbin", "shims"].iter().any(|known| name == *known);
        let prefix = folder.parent().filter(|_| folder.file_name().is_some_and(is_for_programs));
        match prefix.filter(|prefix| !self.is_shared(prefix)) {
            Some(prefix) if !self.path.iter().any(|known| known == folder) => found.push(prefix.to_owned()),
            prefix => {
                self.add_unless_shared(found, folder);
                let entries = |prefix: &Path| NEXT_TO_PROGRAMS.map(|name| prefix.join(name));
                found.extend(prefix.into_iter().flat_map(entries));
            }
        }
    }

    /// Adds what Node looks for in the folders above a script: packages, and the nearest `package.json` for its kind.
    fn add_node_modules(&self, found: &mut Vec<PathBuf>, named: &[PathBuf]) {
        let mut starts = vec![plain(&self.folder)];
        for path in named {
            starts.push(plain(path));
            starts.extend(path.canonicalize());
        }
        for above in starts.iter().flat_map(|path| path.ancestors()) {
            for name in ["package.json", "node_modules"] {
                let path = above.join(name);
                if !found.contains(&path) {
                    found.push(path);
                }
            }
        }
    }

    fn add_python_packages(&self, found: &mut Vec<PathBuf>) {
        let entries = std::fs::read_dir(self.home.join(".local/lib")).into_iter().flatten().flatten();
        let is_python = |name: &OsStr| name.as_bytes().starts_with(b"python");
        found.extend(entries.filter(|entry| is_python(&entry.file_name())).map(|entry| entry.path()));
    }

    fn add_unless_shared(&self, found: &mut Vec<PathBuf>, folder: &Path) {
        if !self.is_shared(folder) {
            found.push(folder.to_owned());
        }
    }

    fn is_shared(&self, folder: &Path) -> bool {
        is_shared(folder, &self.home)
    }
}

/// Returns true if a folder contains much that does not concern a bot. `home` is the user's home folder.
pub fn is_shared(folder: &Path, home: &Path) -> bool {
    let folder = folder.canonicalize().unwrap_or_else(|_| plain(folder));
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    SHARED.iter().any(|shared| folder == Path::new(shared))
        || home.starts_with(&folder)
        || SHARED_AT_HOME.iter().any(|shared| folder == home.join(shared))
}

/// Returns the settings of language runtimes, which any program may also read. Their names contain a version.
pub(crate) fn system_settings() -> impl Iterator<Item = PathBuf> {
    let is_runtime = |name: &OsStr| {
        name.to_str()
            .is_some_and(|name| ["java", "python", "perl"].iter().any(|runtime| name.starts_with(runtime)))
    };
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    entries.filter(move |entry| is_runtime(&entry.file_name())).map(|entry| entry.path())
}

/// Returns true if a path is within what may be read. If it is a link, its target must be, too.
pub fn is_within(path: &Path, read: &[PathBuf]) -> bool {
    let itself = plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    let target = path.canonicalize().unwrap_or_else(|_| itself.clone());
    let itself = match (itself.parent().map(Path::canonicalize), itself.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => itself,
    };
    let is_allowed = |path: &Path| {
        let system = SYSTEM_FILES.iter().map(Path::new);
        system.chain(read.iter().map(PathBuf::as_path)).any(|allowed| {
            path.starts_with(allowed) || allowed.canonicalize().is_ok_and(|allowed| path.starts_with(allowed))
        })
    };
    is_allowed(&target) && is_allowed(&itself)
}

/// Returns the rest of a script's first line after `#!`.
pub(crate) fn interpreter_line(script: &Path) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut start = [0; 256];
    let count = std::fs::File::open(script).ok()?.read(&mut start).ok()?;
    start[..count].strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next().map(<[u8]>::to_vec)
}

/// Returns the interpreter after a script's `#!`.
pub(crate) fn interpreter(script: &Path) -> Option<PathBuf> {
    let line = interpreter_line(script)?;
    let word = line.trim_ascii_start().split(u8::is_ascii_whitespace).next()?;
    Some(PathBuf::from(OsStr::from_bytes(word)))
}

/// Returns a path without `.` and `..`, as far as possible without following links.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Returns the existing paths that are not part of others or of [`SYSTEM_FILES`], in order.
pub(super) fn tidy(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.retain(|path| path.exists());
    let is_system = |path: &PathBuf| SYSTEM_FILES.iter().any(|system| path.starts_with(system));
    paths = paths.iter().map(|path| plain(path)).filter(|path| !is_system(path)).collect();
    paths.sort();
    paths.dedup_by(|path, before| path.starts_with(&*before));
    paths
}

//! Bots that read and write the files of others. They undo what succeeds.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, flock, mkdirat, mknodat, openat, unlinkat,
};
use rustix::process::Pid;

use super::attempt::{Attempt, Reach, portable};
use super::environment::{Environment, on_any};
use super::harness::{Harness, hang};
use super::kernel;
use super::{Behaviour, ExpectedEnding, HostileBot, Limit, Sandbox};

/// More than the scratch folder may hold is reported, or refused if the folder is a file system of its own.
const FULL: &[ExpectedEnding] = &[
    ExpectedEnding::Exceeds(Limit::Scratch),
    ExpectedEnding::Exceeds(Limit::Hidden),
    ExpectedEnding::Exits(12),
];

/// Creates a bot that fills its scratch folder in its first turn, and keeps its files open.
const fn filler(
    name: &'static str,
    does: &'static str,
    expected: &'static [ExpectedEnding],
    fill: fn(&mut Vec<File>) -> io::Result<()>,
) -> HostileBot {
    let bot = HostileBot::new(name, does, Behaviour::Fills(fill), expected).within(5_000).heavy();
    HostileBot { has_scratch: true, ..bot }
}

/// Fills the scratch folder. Exits with status 12 if that is refused.
pub(super) fn fill(harness: &mut Harness, fill: fn(&mut Vec<File>) -> io::Result<()>) -> io::Result<u8> {
    harness.on_first_turn(|_| {
        std::env::set_current_dir(std::env::temp_dir())?;
        let mut kept = Vec::new();
        if fill(&mut kept).is_err() { Ok(12) } else { hang() }
    })
}

fn open_folder(parent: BorrowedFd<'_>, name: &str) -> io::Result<OwnedFd> {
    Ok(openat(parent, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

fn write_eight(folder: BorrowedFd<'_>) -> io::Result<Vec<File>> {
    let write = |number: u8| {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
        let mut file = File::from(openat(folder, number.to_string(), flags, Mode::RUSR | Mode::WUSR)?);
        (0..8).try_for_each(|_| file.write_all(&vec![1; 1 << 20]))?;
        Ok(file)
    };
    (0..8).map(write).collect()
}

/// A path in a folder that no other process uses.
fn unused_path(folder: &str) -> std::path::PathBuf {
    Path::new(folder).join(format!("hostile-{}", std::process::id()))
}

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::attempts(
        "writes-files",
        "Writes files wherever it can.",
        &[
            portable("tmp", |_| write_in("/tmp")).reaching(Reach::Temporary),
            portable("var-tmp", |_| write_in("/var/tmp")),
            portable("dev-shm", |_| write_in("/dev/shm")).reaching(Reach::Temporary),
            portable("root", |_| write_in("/")),
            portable("dev", |_| write_in("/dev")),
            portable("home", |environment| {
                write_in(&environment.home.as_deref().unwrap_or(Path::new("/")).to_string_lossy())
            })
            .reaching(Reach::Home),
            portable("own-folder", |_| write_in(".")).reaching(Reach::OwnFolder),
            portable("run-folder", |_| write_in("../run")),
        ],
    ),
    HostileBot::attempts(
        "makes-many-files",
        "Creates 1,000 empty files and a sparse file of 1 TB.",
        &[
            portable("thousand-files", |_| make_many()).reaching(Reach::Temporary),
            portable("terabyte", |_| claim_a_terabyte()),
        ],
    ),
    HostileBot::attempts(
        "makes-odd-files",
        "Creates links, a FIFO, a socket and a device.",
        &[
            portable("hard-link", |_| {
                make_and_remove(&unused_path("/tmp"), |path| fs::hard_link("../tournament.toml", path))
            }),
            portable("symbolic-link", |_| {
                make_and_remove(&unused_path("/tmp"), |path| symlink("/etc/passwd", path))
            })
            .reaching(Reach::Temporary),
            portable("fifo", |_| {
                make_and_remove(&unused_path("/tmp"), |path| make_node(path, FileType::Fifo))
            })
            .reaching(Reach::Temporary),
            portable("socket", |_| {
                make_and_remove(&unused_path("/tmp"), |path| {
                    std::os::unix::net::UnixListener::bind(path).map(drop)
                })
            }),
            portable("device", |_| {
                make_and_remove(&unused_path("/tmp"), |path| make_node(path, FileType::CharacterDevice))
            }),
        ],
    ),
    HostileBot::attempts(
        "overwrites-results",
        "Opens the files of the league for writing.",
        &[
            portable("records", |_| open_for_writing("../run/games.jsonl")),
            portable("tournament", |_| open_for_writing("../tournament.toml")),
            portable("other-bot", |_| open_for_writing("../other/secret.txt")),
            portable("own-file", |_| open_for_writing("own.txt")),
            portable("rename", |_| {
                fs::rename("own.txt", "own-2.txt")?;
                fs::rename("own-2.txt", "own.txt")
            }),
        ],
    ),
    HostileBot::attempts(
        "reads-secrets",
        "Reads private files of others.",
        &[
            portable("other-bot", |_| read("../other/secret.txt")),
            portable("records", |_| read("../run/games.jsonl")),
            portable("tournament", |_| read("../tournament.toml")),
            portable("home", |environment| {
                let home = environment.home.as_deref().ok_or(io::ErrorKind::NotFound)?;
                fs::read_dir(home.join(".ssh")).or_else(|_| fs::read_dir(home)).map(drop)
            })
            .reaching(Reach::Home),
            portable("shadow", |_| read("/etc/shadow")),
            portable("environment", |environment| read_of_any(environment, "environ")),
            portable("descriptors", |environment| on_any(&environment.targets(), open_any_descriptor)),
            portable("memory", |environment| read_of_any(environment, "maps")),
            portable("root-of-1", |_| fs::read_dir("/proc/1/root/root").map(drop)),
        ],
    ),
    filler(
        "nests-folders",
        "Nests 19,000 directories in its scratch directory.",
        &[ExpectedEnding::Exceeds(Limit::ScratchDepth)],
        |_| {
            let mut folder = open_folder(CWD, ".")?;
            for _ in 0..19_000 {
                mkdirat(&folder, "n", Mode::RWXU)?;
                folder = open_folder(folder.as_fd(), "n")?;
            }
            Ok(())
        },
    ),
    filler("fills-long-paths", "Writes 64 MiB below a path of 5,000 characters.", FULL, |_| {
        let mut folder = open_folder(CWD, ".")?;
        let name = "n".repeat(200);
        for _ in 0..25 {
            mkdirat(&folder, &*name, Mode::RWXU)?;
            folder = open_folder(folder.as_fd(), &name)?;
        }
        write_eight(folder.as_fd()).map(drop)
    }),
    filler(
        "fills-a-closed-folder",
        "Writes 64 MiB into a directory that it can't read itself.",
        FULL,
        |_| {
            mkdirat(CWD, "closed", Mode::RWXU)?;
            let folder = open_folder(CWD, "closed")?;
            fs::set_permissions("closed", fs::Permissions::from_mode(0o300)).or_else(|_| {
                // If the mode can't be changed, the folder is created with it.
                fs::remove_dir("closed")?;
                mkdirat(CWD, "closed", Mode::WUSR | Mode::XUSR).map_err(io::Error::from)
            })?;
            drop(folder);
            let folder = openat(CWD, "closed", OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?;
            write_eight(folder.as_fd()).map(drop)
        },
    ),
    filler("fills-deleted-files", "Writes 64 MiB into files that it has deleted.", FULL, |kept| {
        let folder = open_folder(CWD, ".")?;
        kept.extend(write_eight(folder.as_fd())?);
        for number in 0..8 {
            unlinkat(&folder, number.to_string(), AtFlags::empty())?;
        }
        Ok(())
    }),
    HostileBot::attempts(
        "locks-files",
        "Locks a shared file to signal to another bot.",
        &[Attempt {
            name: "lock",
            // A file that can be read can be locked, unless the sandbox blocks all locks.
            blocked_from: Sandbox::Strict,
            reach: Reach::Host,
            action: |_| Ok(flock(File::open("/bin/sh")?, FlockOperation::NonBlockingLockShared)?),
        }],
    ),
];

fn make_and_remove(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let made = make(path);
    if made.is_ok() {
        fs::remove_file(path)?;
    }
    made
}

fn write_in(folder: &str) -> io::Result<()> {
    make_and_remove(&unused_path(folder), |path| {
        OpenOptions::new().write(true).create_new(true).open(path)?.write_all(b"x")
    })
}

fn make_many() -> io::Result<()> {
    let folder = unused_path("/tmp");
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let made = (0..1_000).try_for_each(|number| File::create(folder.join(number.to_string())).map(drop));
    fs::remove_dir_all(&folder)?;
    made
}

fn claim_a_terabyte() -> io::Result<()> {
    // A file that grows too large can also cause a signal.
    kernel::ignore_all_signals();
    make_and_remove(&unused_path("/tmp"), |path| {
        let claimed = File::create_new(path)?.set_len(1 << 40);
        if claimed.is_err() {
            fs::remove_file(path)?;
        }
        claimed
    })
}

fn make_node(path: &Path, kind: FileType) -> io::Result<()> {
    // If it is a device, it is that of `/dev/null`.
    Ok(mknodat(CWD, path, kind, Mode::RUSR, rustix::fs::makedev(1, 3))?)
}

/// Opens a file for writing, and writes nothing.
fn open_for_writing(path: &str) -> io::Result<()> {
    OpenOptions::new().append(true).open(path).map(drop)
}

fn read(path: &str) -> io::Result<()> {
    fs::read(path).map(drop)
}

/// Reads the target of one of a process's descriptors, or opens it. Listing the descriptors does not count: those of
/// `bwrap`, which can't be hidden, can be listed by every process of its user.
fn open_any_descriptor(pid: Pid) -> io::Result<()> {
    let mut refused = io::Error::from(io::ErrorKind::NotFound);
    for entry in fs::read_dir(format!("/proc/{}/fd", pid.as_raw_nonzero()))? {
        let path = entry?.path();
        match fs::read_link(&path).map(drop).or_else(|_| File::open(&path).map(drop)) {
            Ok(()) => return Ok(()),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// Reads this file in `/proc` for one of the targets.
fn read_of_any(environment: &Environment, file: &str) -> io::Result<()> {
    on_any(&environment.targets(), |pid| {
        let text = fs::read(format!("/proc/{}/{file}", pid.as_raw_nonzero()))?;
        if text.is_empty() { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
    })
}

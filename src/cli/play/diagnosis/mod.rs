//! Diagnosis of failures that the sandbox may have caused, with hints on the settings to change.
//!
//! Only the bot's output shows why it failed, and each language has its own messages, so this looks for their common
//! parts: the system's messages and the names of files next to them.

mod hint;
mod names;
#[cfg(test)]
mod tests;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use hint::{Hint, Setting};

use crate::league::file::Size;
use crate::league::session::Confinement;
use crate::process::REFUSED_CALLS;
use crate::process::isolation::is_within;
use crate::protocol::WITHOUT_CONTROL_CHARACTERS;
use crate::record::FaultRecord;
use crate::verdict::{ExitStatus, Fault, Limit};

const SANDBOX_OFF: Setting = Setting::Sandbox("off");

/// Signals that end programs after the system refused them something.
const SIGNALS: [i32; 7] =
    [libc::SIGSYS, libc::SIGXFSZ, libc::SIGABRT, libc::SIGBUS, libc::SIGSEGV, libc::SIGTRAP, libc::SIGILL];

/// The hint for a fault in the preflight check, if the sandbox may have caused it.
pub(super) fn of_fault(fault: &Fault, stray_lines: &[String], confinement: &Confinement) -> Option<String> {
    let is_silent = stray_lines.is_empty();
    let hint = match fault {
        Fault::NotStarted { status, stderr_tail, .. } => {
            let ended = status.filter(|_| is_silent);
            diagnose(stderr_tail, status.and_then(signal_of), confinement)
                .or_else(|| early_exit(ended?, stderr_tail, confinement))
        }
        Fault::Crash { status, stderr_tail } => {
            let has_failed = is_silent && matches!(status, ExitStatus::Code(1..));
            diagnose(stderr_tail, signal_of(*status), confinement)
                .or_else(|| has_failed.then(|| silent_failure(stderr_tail, confinement))?)
        }
        Fault::ClosedOutput { stderr_tail } => diagnose(stderr_tail, None, confinement),
        // Libraries that colour their output or clear the screen write to stdout.
        Fault::Protocol { expected, .. } => (*expected == WITHOUT_CONTROL_CHARACTERS)
            .then(|| Hint::text("print to stderr, since stdout is for the protocol")),
        Fault::Limit { which, .. } => more_of(confinement, Resource::of(*which)?),
        Fault::NotReady { .. }
        | Fault::Time { .. }
        | Fault::CpuClock { .. }
        | Fault::IllegalMove { .. }
        | Fault::NotAMove { .. } => None,
    };
    hint.map(|hint| hint.in_words(confinement.folders))
}

/// The hint for a fault in a game, if the sandbox may have caused it.
pub(crate) fn of_record(fault: &FaultRecord, confinement: &Confinement) -> Option<String> {
    of_fault(fault.fault.as_ref().ok()?, &fault.stray_lines, confinement)
}

/// The hint for a bot that exited before its first line. A program that exits with success may not be a bot.
fn early_exit(status: ExitStatus, stderr: &str, confinement: &Confinement) -> Option<Hint> {
    let hint = || silent_failure(stderr, confinement);
    match status {
        ExitStatus::Code(0) => Some(Hint::text("check that its command starts a bot; ").then(hint()?)),
        ExitStatus::Code(_) => hint(),
        ExitStatus::Signal(_) | ExitStatus::Unknown => None,
    }
}

/// The hint for a bot that failed without a message: it may have caught the error of a refused call.
fn silent_failure(stderr: &str, confinement: &Confinement) -> Option<Hint> {
    confinement.layers.launcher.filter(|_| stderr.trim().is_empty())?;
    Some(
        Hint::text("try ").set(SANDBOX_OFF).and(
            ", because the bot ended without a message and the sandbox may be the reason; if it plays then, ",
        )
        .set(Setting::ReadOrWrite),
    )
}

fn signal_of(status: ExitStatus) -> Option<i32> {
    match status {
        ExitStatus::Signal(signal) => Some(signal),
        ExitStatus::Code(_) | ExitStatus::Unknown => None,
    }
}

// All words are in lower case: languages spell the same message in different ways.

/// Words of programs whose access was refused.
const REFUSED: [&str; 9] = [
    "permission denied",
    "eacces",
    "operation not permitted",
    "not permitted",
    "eperm",
    "accessdenied",
    "is denied",
    "read-only file system",
    "erofs",
];

/// Messages of programs about a system call that does not exist.
const MISSING_CALLS: [&str; 3] = ["function not implemented", "enosys", "operation not supported"];

/// Words of programs that did not find a file, which may exist outside their namespaces.
const NOT_FOUND: [&str; 6] =
    ["no such file", "enoent", "filenotfound", "not found", "could not find", "cannot find"];

/// A resource that a setting can increase.
#[derive(Copy, Clone)]
enum Resource {
    Memory,
    Processes,
    OpenFiles,
    FileSize,
    Cpu,
    Scratch,
}

impl Resource {
    /// The resource of a limit; `None` if no setting raises the limit.
    fn of(limit: Limit) -> Option<Resource> {
        match limit {
            Limit::Memory => Some(Resource::Memory),
            Limit::Processes => Some(Resource::Processes),
            Limit::Scratch => Some(Resource::Scratch),
            Limit::CpuTime => Some(Resource::Cpu),
            Limit::Line
            | Limit::OutputOnMove
            | Limit::OutputOffMove
            | Limit::Stderr
            | Limit::ScratchDepth
            | Limit::Hidden => None,
        }
    }
}

/// Words of programs that reached a limit, and the resource that they lack.
const EXHAUSTED: [(&[&str], Resource); 4] = [
    (
        &[
            "memoryerror",
            "cannot allocate",
            "could not allocate",
            "bad_alloc",
            "outofmemoryerror",
            "out of memory",
            "insufficient memory",
            "could not reserve",
        ],
        Resource::Memory,
    ),
    (&["can't start new thread", "unable to create native thread"], Resource::Processes),
    (&["too many open files", "emfile"], Resource::OpenFiles),
    (&["file too large", "efbig"], Resource::FileSize),
];

/// Words of programs that have no writable folder.
const NOWHERE_TO_WRITE: [&str; 1] = ["no usable temporary directory"];

/// Words of programs whose disk is full.
const FULL: [&str; 2] = ["no space left", "enospc"];

/// Words of programs that use shared memory.
const SHARED_MEMORY: [&str; 5] = ["semlock", "/dev/shm", "sem_open", "shm_open", "shared_memory"];

/// Words of programs that have no network.
const NO_NETWORK: [&str; 6] = [
    "name resolution",
    "eai_again",
    "unknownhostexception",
    "dial tcp",
    "network is unreachable",
    "could not resolve host",
];

/// Words of programs that can't open a file and don't give its path or the reason.
const UNEXPLAINED: [&str; 8] = [
    "no module named",
    "cannot find module",
    "cannot find package",
    "cannot use import statement outside a module",
    "loading shared libraries",
    "classnotfound",
    "noclassdeffound",
    "iostream error",
];

/// The hint to double a resource, unless it is unlimited.
fn more_of(confinement: &Confinement, resource: Resource) -> Option<Hint> {
    let bytes = |bytes: u64| (Size(bytes).to_string(), format!("\"{}\"", Size(bytes.saturating_mul(2))));
    let number = |number: u64| (number.to_string(), number.saturating_mul(2).to_string());
    let (key, (now, more)) = match resource {
        Resource::Memory => ("memory", bytes(confinement.limits.memory)),
        Resource::Processes => ("processes", number(confinement.limits.processes)),
        Resource::OpenFiles => ("open_files", number(confinement.limits.open_files)),
        Resource::FileSize => ("file_size", bytes(confinement.limits.file_size)),
        Resource::Cpu => {
            let seconds = confinement.limits.cpu?.as_secs();
            ("cpu", (format!("{seconds} s"), format!("\"{}s\"", seconds.saturating_mul(2))))
        }
        Resource::Scratch => {
            let now = confinement.scratch?;
            let more = Size(now.saturating_mul(2)).to_string();
            let hint = Hint::text("set ").set(Setting::Scratch(more));
            return Some(hint.and(format!(": its scratch directory holds only {}", Size(now))));
        }
    };
    let hint = Hint::text("set ").set(Setting::Limit(key.to_owned(), more));
    Some(hint.and(format!(": its limit `{key}` is {now}")))
}

fn to_write(confinement: &Confinement, what: Option<&Path>) -> Hint {
    let is_in_own_folder =
        what.is_some_and(|path| names::plain(path).starts_with(names::plain(&confinement.folder)));
    let what = what.map_or("a file".to_owned(), |path| format!("`{}`", names::plain(path).display()));
    let small = Setting::Scratch("64MiB".to_owned());
    match confinement.scratch {
        // A scratch directory alone does not help a bot that writes to its own folder.
        None if is_in_own_folder => Hint::text("set ")
            .set(small)
            .and(" and let the bot write to the directory in its `TMPDIR`, or set ")
            .set(SANDBOX_OFF)
            .and(format!(": bots can't write to {what} or anywhere else in their own directory")),
        None => Hint::text("set ").set(small).and(format!(
            " to give the bot a directory to write to (its `TMPDIR` and `HOME`), because it can't write to \
             {what}"
        )),
        Some(_) => Hint::text("let the bot write to the directory in its `TMPDIR`, or set ")
            .set(SANDBOX_OFF)
            .and(format!(": bots can't write to {what}")),
    }
}

/// True for a file in the bot's own folder that the bot's user may not read.
fn is_for_its_owner_only(confinement: &Confinement, path: &Path) -> bool {
    let is_closed = |path: &Path, bits: u32| {
        path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & bits != bits)
    };
    confinement.layers.slot_users.is_some()
        && (is_closed(path, 0o004)
            || path
                .ancestors()
                .skip(1)
                .any(|above| above.starts_with(&confinement.folder) && is_closed(above, 0o001)))
}

struct Evidence<'e> {
    stderr: &'e str,
    /// Stderr in lower case.
    lower: String,
    signal: Option<i32>,
    /// The system calls that the sandbox refused.
    calls: Option<&'e str>,
    confinement: &'e Confinement,
}

impl<'e> Evidence<'e> {
    fn new(stderr: &'e str, signal: Option<i32>, confinement: &'e Confinement) -> Evidence<'e> {
        let (stderr, calls) = match stderr.rsplit_once(REFUSED_CALLS) {
            Some((said, calls)) => (said, calls.trim_end().strip_suffix(']')),
            None => (stderr, None),
        };
        Evidence { stderr, lower: stderr.to_lowercase(), signal, calls, confinement }
    }

    fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.lower.contains(word))
    }

    fn is_refused(&self) -> bool {
        self.says(&REFUSED)
    }

    fn is_wrapped(&self) -> bool {
        self.confinement.layers.bubblewrap.is_some()
    }

    fn lacking(&self) -> Option<Resource> {
        let named = EXHAUSTED.iter().find(|(words, _)| self.says(words)).map(|(_, resource)| *resource);
        // Without `fork` or `thread`, these words can also mean that there is no input yet.
        let has_no_process =
            || self.says(&["resource temporarily unavailable"]) && self.says(&["fork", "thread"]);
        named.or_else(|| has_no_process().then_some(Resource::Processes))
    }

    /// The refused system calls that may explain the failure. Runtimes also try calls that they can do without, so the
    /// calls explain nothing if the bot gives another reason.
    fn explaining_calls(&self) -> Option<&str> {
        let is_unexplained = self.says(&MISSING_CALLS)
            || self.is_refused()
            || self.signal.is_some()
            || self.stderr.trim().is_empty();
        self.calls.filter(|_| is_unexplained)
    }
}

/// A hint for the evidence. The outer `None` means that the rule does not apply, the inner one that there is no hint.
type Rule = fn(&Evidence<'_>) -> Option<Option<Hint>>;

/// The rules from evidence to hint; the first one that applies decides.
const RULES: [Rule; 11] = [
    |evidence| evidence.lacking().map(|resource| more_of(evidence.confinement, resource)),
    |evidence| {
        (evidence.signal == Some(libc::SIGXFSZ)).then(|| more_of(evidence.confinement, Resource::FileSize))
    },
    // The following rules are about the sandbox, which needs a launcher.
    |evidence| evidence.confinement.layers.launcher.is_none().then_some(None),
    |evidence| {
        (evidence.signal == Some(libc::SIGSYS)).then(|| {
            off(" to allow programs for another architecture (such as 32 bits), which can't run in the sandbox")
        })
    },
    |evidence| {
        (evidence.is_refused() && evidence.says(&SHARED_MEMORY) && !evidence.is_wrapped()).then(|| {
            let hint = Hint::text("install `bubblewrap`, or set ").set(SANDBOX_OFF);
            let why = "the bot needs shared memory in `/dev/shm`, which the sandbox has only with bubblewrap";
            Some(hint.and(format!(": {why}")))
        })
    },
    |evidence| {
        let has_no_page = evidence.signal == Some(libc::SIGBUS);
        (evidence.is_wrapped() && (evidence.says(&FULL) || has_no_page))
            .then(|| Some(full(evidence.says(&SHARED_MEMORY) || has_no_page, evidence.confinement)))
    },
    |evidence| of_files(evidence.stderr, evidence.confinement).map(Some),
    |evidence| {
        (evidence.says(&NOWHERE_TO_WRITE) || evidence.says(&["read-only file system", "erofs"]))
            .then(|| Some(to_write(evidence.confinement, None)))
    },
    |evidence| {
        (evidence.says(&NO_NETWORK) || (evidence.is_refused() && evidence.says(&["socket", "connect"])))
            .then(|| off(" to allow the network: bots have no network in the sandbox"))
    },
    |evidence| {
        evidence.explaining_calls().map(|calls| {
            off(format!(
                " to find out whether the sandbox is the reason; it refused these system calls: {calls}"
            ))
        })
    },
    |evidence| {
        let is_known = evidence.signal.is_some_and(|signal| SIGNALS.contains(&signal));
        let why = match evidence.is_refused() {
            true => "the sandbox refused something that the bot tried",
            // A program's own hint is better.
            false if is_known || (evidence.says(&UNEXPLAINED) && !evidence.says(&["\nhint: "])) => {
                "the sandbox may be the reason"
            }
            false => return None,
        };
        let hint = Hint::text("try ").set(SANDBOX_OFF).and(format!(", because {why}; if it plays then, "));
        Some(Some(hint.set(Setting::ReadOrWrite)))
    },
];

/// The hint to play without the sandbox, with its purpose.
fn off(what_for: impl Into<String>) -> Option<Hint> {
    Some(Hint::text("set ").set(SANDBOX_OFF).and(what_for))
}

fn diagnose(stderr: &str, signal: Option<i32>, confinement: &Confinement) -> Option<Hint> {
    let evidence = Evidence::new(stderr, signal, confinement);
    RULES.iter().find_map(|rule| rule(&evidence)).flatten()
}

/// The hint to let a bot read a path outside its own ones.
fn to_allow(path: &Path) -> Hint {
    let shown = path.display();
    Hint::text("add ")
        .set(Setting::Read(path.to_owned()))
        .and(format!(" to the bot: `{shown}` is outside what bots may read in the sandbox"))
}

/// The hint for the refused and missing files that a bot names.
fn of_files(stderr: &str, confinement: &Confinement) -> Option<Hint> {
    let is_wrapped = confinement.layers.bubblewrap.is_some();
    let of_lines = |words: &[&str]| -> Vec<PathBuf> {
        let lines = stderr.lines().filter(|line| {
            let lower = line.to_lowercase();
            words.iter().any(|word| lower.contains(word))
        });
        lines.flat_map(names::paths).map(|path| confinement.folder.join(path)).collect()
    };
    let refused = of_lines(&REFUSED);
    let missing = if is_wrapped { of_lines(&NOT_FOUND) } else { Vec::new() };
    let is_outside = |path: &&PathBuf| {
        // No setting gives access to the kernel's files.
        let is_the_kernels = ["/proc", "/sys", "/dev"].iter().any(|folder| path.starts_with(folder));
        path.exists() && !is_the_kernels && !is_within(path, &confinement.read)
    };
    let modules = names::of_modules(stderr, &confinement.folder, &confinement.home);
    if let Some(path) = refused.iter().chain(&missing).chain(&modules).find(is_outside) {
        return Some(to_allow(&names::to_read(path, &confinement.home)));
    }
    if let Some(path) = refused.iter().find(|path| path.exists() && is_for_its_owner_only(confinement, path))
    {
        let folder = confinement.folder.to_string_lossy();
        return Some(
            Hint::text(format!("run `chmod -R o+rX {}`, or set ", shell_words::quote(&folder)))
                .set(Setting::Sandbox("portable"))
                .and(format!(
                    ": the bot runs as a user of its own, which can't read `{}`",
                    names::plain(path).display()
                )),
        );
    }
    let path = refused.iter().find(|path| path.parent().is_some_and(Path::is_dir))?;
    let is_log = path.extension().is_some_and(|end| ["log", "txt"].iter().any(|log| end == *log));
    let hint = to_write(confinement, Some(path));
    // A log of the dialogue does not need the bot.
    Some(if is_log { hint.and("; `--log DIR` keeps what the bot is sent and what it says") } else { hint })
}

/// The hint for a bot that filled a folder for temporary files in its namespaces.
fn full(is_shared_memory: bool, confinement: &Confinement) -> Hint {
    if is_shared_memory {
        return Hint::text("set ").set(SANDBOX_OFF).and(
            " to use the machine's `/dev/shm`: the bot may have filled its own, which holds at most 64 MiB in \
             the sandbox",
        );
    }
    more_of(confinement, Resource::Scratch).unwrap_or_else(|| {
        Hint::text("set ")
            .set(Setting::Scratch("256MiB".to_owned()))
            .and(" for a larger directory (its `TMPDIR`): its `/tmp` holds at most 64 MiB in the sandbox")
    })
}

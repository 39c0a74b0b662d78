//! Why a bot may have failed that would not have failed without the sandbox,
//! and what in the tournament file cures it.

use std::path::{Path, PathBuf};

use super::Stage;
use crate::league::bots::Identity;
use crate::league::file::{Bot, Size};
use crate::league::runner::readable;
use crate::process::isolation::{Layers, is_within};
use crate::process::outside;
use crate::record::FaultRecord;
use crate::verdict::{ExitStatus, Fault};

/// What a bot was kept in when it failed.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    layers: Layers,
    read: Vec<PathBuf>,
    folder: PathBuf,
    memory: u64,
    has_scratch: bool,
}

impl Stage {
    /// What one of its bots is kept in.
    pub(super) fn diagnosis(&self, bot: &Bot, identity: &Identity) -> Kept {
        Kept {
            layers: self.holding.layers.clone(),
            read: readable(bot, identity, &self.host),
            folder: std::path::absolute(&bot.folder).unwrap_or_else(|_| bot.folder.clone()),
            memory: bot.limits.memory,
            has_scratch: bot.scratch.is_some(),
        }
    }
}

/// What the sandbox has to do with a fault of a bot that is being tried.
pub(super) fn of_fault(fault: &Fault, kept: &Kept) -> Option<String> {
    match fault {
        Fault::NotStarted { error, stderr_tail } => {
            // How it ended is told in words only.
            let signal = (error.contains("SIGSYS")).then_some(libc::SIGSYS);
            diagnose(stderr_tail, signal, kept)
        }
        Fault::Crash { status, stderr_tail } => {
            let signal = match status {
                ExitStatus::Signal(signal) => Some(*signal),
                _ => None,
            };
            diagnose(stderr_tail, signal, kept)
        }
        Fault::ClosedOutput { stderr_tail } => diagnose(stderr_tail, None, kept),
        _ => None,
    }
}

/// What the sandbox has to do with a fault in a game.
pub(super) fn of_record(fault: &FaultRecord, kept: &Kept) -> Option<String> {
    match fault.fault.as_str() {
        "not_started" | "crash" | "closed_output" => {
            diagnose(fault.stderr_tail.as_deref().unwrap_or_default(), fault.signal, kept)
        }
        _ => None,
    }
}

/// How programs say that they were refused something.
const REFUSED: [&str; 9] = [
    "Permission denied",
    "permission denied",
    "EACCES",
    "Operation not permitted",
    "operation not permitted",
    "EPERM",
    "AccessDenied",
    "Read-only file system",
    "EROFS",
];

/// How programs say that they did not find something, which in namespaces may
/// be there all the same.
const UNSEEN: [&str; 5] = ["No such file", "no such file", "ENOENT", "FileNotFound", "not found"];

const TOO_LITTLE: [(&[&str], &str); 3] = [
    (
        &["Resource temporarily unavailable", "can't start new thread", "unable to create native thread"],
        "processes",
    ),
    (&["Too many open files", "EMFILE"], "open_files"),
    (&["File too large", "EFBIG"], "file_size"),
];

const NO_MEMORY: [&str; 5] =
    ["MemoryError", "Cannot allocate memory", "std::bad_alloc", "OutOfMemoryError", "out of memory"];

fn diagnose(stderr: &str, signal: Option<i32>, kept: &Kept) -> Option<String> {
    let says = |words: &[&str]| words.iter().any(|word| stderr.contains(word));
    if says(&NO_MEMORY) {
        return Some(format!(
            "it may use {} of memory; to let it have more: `limits = {{ memory = \"{}\" }}`",
            Size(kept.memory),
            Size(kept.memory.saturating_mul(2))
        ));
    }
    for (words, key) in TOO_LITTLE {
        if says(words) {
            return Some(format!("it met its limit `{key}`; more is given by `limits = {{ {key} = ... }}`"));
        }
    }
    // What follows does not happen without.
    kept.layers.launcher?;
    if signal == Some(libc::SIGSYS) {
        return Some(
            "programs for another processor (of 32 bits) can't run in the sandbox; `--sandbox off` can"
                .to_owned(),
        );
    }
    if kept.layers.bubblewrap.is_some() {
        let unseen = stderr.lines().filter(|line| UNSEEN.iter().any(|word| line.contains(word)));
        let mut named = unseen.flat_map(paths).map(|path| kept.folder.join(path));
        if let Some(path) = named.find(|path| !is_within(path, &kept.read) && path.exists()) {
            return Some(outside(&path));
        }
    }
    if !says(&REFUSED) {
        return None;
    }
    if says(&["SemLock", "/dev/shm", "sem_open", "shm_open"]) {
        return Some(
            "it needs shared memory in `/dev/shm`, which a bot has only with bubblewrap: install \
             `bubblewrap`, or set `sandbox = \"off\"` at the top of the tournament file"
                .to_owned(),
        );
    }
    let refusing = || stderr.lines().filter(|line| REFUSED.iter().any(|word| line.contains(word)));
    for path in refusing().flat_map(paths).map(|path| kept.folder.join(path)) {
        if !is_within(&path, &kept.read) && path.exists() {
            return Some(outside(&path));
        }
        if path.parent().is_some_and(Path::is_dir) && !kept.has_scratch {
            return Some(format!(
                "bots can't write to `{}`; a folder to write in (its `TMPDIR`) is given by `scratch = \"64MiB\"`",
                path.display()
            ));
        }
    }
    if says(&["socket", "connect", "Socket"]) {
        return Some("bots have no network in the sandbox; `sandbox = \"off\"` gives it".to_owned());
    }
    Some(
        "something was refused to it in the sandbox; whether that is why shows with `--sandbox off`"
            .to_owned(),
    )
}

/// What may be paths in a line: what is quoted, and words with a slash.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split(['\'', '"', '`']).skip(1).step_by(2);
    let words = line.split(|c: char| c.is_whitespace() || "'\"`,;()".contains(c));
    let words = words.map(|word| word.trim_end_matches([':', '.']));
    quoted.chain(words).filter(|text| text.contains('/') && text.len() < 4096)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::isolation::{Bubblewrap, Calls, Launcher, Signals};

    fn kept(read: &[PathBuf]) -> Kept {
        let launcher = Launcher { landlock: 7, calls: Calls::Refused, signals: Signals::Elsewhere };
        Kept {
            layers: Layers { launcher: Some(launcher), ..Layers::default() },
            read: read.to_vec(),
            folder: "/".into(),
            memory: 1 << 30,
            has_scratch: false,
        }
    }

    #[test]
    fn what_was_refused_is_told_with_its_cure() {
        let host = tempfile::tempdir().expect("a folder can be made");
        let (own, other) = (host.path().join("own"), host.path().join("other"));
        for folder in [&own, &other] {
            std::fs::create_dir(folder).expect("a folder can be made");
            std::fs::write(folder.join("net.bin"), "").expect("a file can be written");
        }
        let kept = kept(std::slice::from_ref(&own));
        let check = |stderr: String, expected: &str| {
            let told = diagnose(&stderr, None, &kept).unwrap_or_default();
            assert!(told.contains(expected), "{stderr}: {told}");
        };
        let other = other.join("net.bin");
        let (other, own) = (other.display(), own.display());
        let cure = format!("`read = [\"{other}\"]`");
        check(format!("PermissionError: [Errno 13] Permission denied: '{other}'"), &cure);
        check(format!("sh: 1: cannot open {other}: Permission denied"), &cure);
        check(format!("Error: EACCES: permission denied, open '{other}'"), &cure);
        check(format!("PermissionError: [Errno 13] Permission denied: '{own}/log'"), "scratch = \"64MiB\"");
        check("PermissionError: [Errno 1] Operation not permitted\n  socket.py".to_owned(), "no network");
        check(
            "sl = self._semlock = _multiprocessing.SemLock(\nPermissionError: [Errno 13] Permission denied"
                .to_owned(),
            "bubblewrap",
        );
        let missing = format!("sh: 1: cannot open {other}: No such file");
        let bubblewrap = Some(Bubblewrap { program: "/usr/bin/bwrap".into(), version: "0.8.0".to_owned() });
        let wrapped = Kept { layers: Layers { bubblewrap, ..kept.layers.clone() }, ..kept.clone() };
        assert!(diagnose(&missing, None, &wrapped).is_some_and(|told| told.contains(&cure)));
        assert_eq!(diagnose("sh: 1: cannot open /nowhere/x: No such file", None, &wrapped), None);
        assert_eq!(diagnose(&missing, None, &kept), None);
        check("MemoryError".to_owned(), "memory = \"2GiB\"");
        check("RuntimeError: can't start new thread".to_owned(), "`processes`");
        check("EPERM".to_owned(), "--sandbox off");
    }

    #[test]
    fn what_is_not_there_in_a_namespace_is_told_with_its_cure() {
        let host = tempfile::tempdir().expect("a folder can be made");
        let (table, gone) = (host.path().join("table"), host.path().join("gone"));
        std::fs::write(&table, "").expect("a file can be written");
        let bubblewrap = Bubblewrap { program: "/usr/bin/bwrap".into(), version: "0.8.0".to_owned() };
        let wrapped = kept(&[]);
        let wrapped =
            Kept { layers: Layers { bubblewrap: Some(bubblewrap), ..wrapped.layers.clone() }, ..wrapped };
        let told = |path: &Path| {
            diagnose(&format!("sh: 1: cannot open {}: No such file", path.display()), None, &wrapped)
        };
        assert_eq!(told(&table), Some(outside(&table)));
        assert_eq!(told(&gone), None);
    }

    #[test]
    fn what_has_nothing_to_do_with_the_sandbox_is_not_blamed_on_it() {
        let all = kept(&[]);
        assert_eq!(diagnose("KeyError: 'legal'", None, &all), None);
        assert_eq!(diagnose("cat: /etc/shadow: No such file or directory", None, &all), None);
        let off = Kept { layers: Layers::default(), ..all };
        assert_eq!(
            diagnose("PermissionError: [Errno 13] Permission denied: '/etc/shadow'", None, &off),
            None
        );
    }
}

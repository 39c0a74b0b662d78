//! What the launcher is told on its command line: words `KEY=VALUE`, `--`, and
//! the bot's command.

use std::ffi::{OsStr, OsString};
use std::os::fd::RawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use rustix::process::Pid;

use super::ARGUMENT;
use crate::command::Command;
use crate::isolation::{Calls, Launcher, Policy, Signals};

/// What the launcher is to do.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Orders {
    /// Who must be its parent; none = in a namespace nobody can tell.
    pub(crate) referee: Option<Pid>,
    /// Where it reports.
    pub(crate) report: RawFd,
    /// The bot's input and output; none = the launcher's own.
    pub(crate) streams: Option<[RawFd; 2]>,
    /// The cgroup that the bot is forked into.
    pub(crate) cgroup: Option<RawFd>,
    /// Its `cgroup.procs`, by which the bot joins it first if it can't be forked into it.
    pub(crate) door: Option<RawFd>,
    /// Of a cgroup that limits its memory alone: a file by which the bot joins it, and one that tells whom the kernel
    /// has ended there.
    pub(crate) memory: Option<[RawFd; 2]>,
    /// The CPUs that it stays on; none = wherever it is put.
    pub(crate) cpus: Vec<usize>,
    /// Whether it interrupts nobody who runs there.
    pub(crate) shares_cpus: bool,
    /// The user and group that the bot runs as.
    pub(crate) user: Option<u32>,
    /// What the bot may use.
    pub(crate) policy: Option<Policy>,
    /// How it is restricted.
    pub(crate) launcher: Option<Launcher>,
    /// The folder that it may write in.
    pub(crate) scratch: Option<PathBuf>,
    /// Where it runs.
    pub(crate) directory: PathBuf,
    /// What is executed.
    pub(crate) program: OsString,
    /// With which arguments.
    pub(crate) arguments: Vec<OsString>,
}

impl Orders {
    /// The orders to start a command, but for what only the start itself knows.
    pub(crate) fn of(command: &Command, referee: Option<Pid>, report: RawFd) -> Orders {
        Orders {
            referee,
            report,
            streams: None,
            cgroup: None,
            door: None,
            memory: None,
            cpus: command.cpus.clone(),
            shares_cpus: command.shares_cpus,
            user: None,
            policy: command.isolation.as_ref().map(|isolation| isolation.policy.clone()),
            launcher: command.isolation.as_ref().and_then(|isolation| isolation.layers.launcher),
            scratch: None,
            directory: command.directory.clone(),
            program: command.program.clone(),
            arguments: command.arguments.clone(),
        }
    }

    /// The arguments by which the launcher is told.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut all: Vec<OsString> = vec![ARGUMENT.into()];
        let mut word = |key: &str, value: &OsStr| {
            let mut word = OsString::from(key);
            word.push("=");
            word.push(value);
            all.push(word);
        };
        let mut number = |key: &str, value: Option<u64>| {
            if let Some(value) = value {
                word(key, OsStr::new(&value.to_string()));
            }
        };
        let descriptor = |fd: RawFd| u64::try_from(fd).ok();
        number("referee", self.referee.map(|pid| u64::from(pid.as_raw_nonzero().get().unsigned_abs())));
        number("report", descriptor(self.report));
        number("stdin", self.streams.and_then(|[stdin, _]| descriptor(stdin)));
        number("stdout", self.streams.and_then(|[_, stdout]| descriptor(stdout)));
        number("cgroup", self.cgroup.and_then(descriptor));
        number("door", self.door.and_then(descriptor));
        number("memory-door", self.memory.and_then(|[door, _]| descriptor(door)));
        number("memory-ended", self.memory.and_then(|[_, ended]| descriptor(ended)));
        number("shares-cpus", self.shares_cpus.then_some(1));
        number("user", self.user.map(u64::from));
        if let Some(policy) = &self.policy {
            number("memory", Some(policy.memory));
            number("processes", Some(policy.processes));
            number("open-files", Some(policy.open_files));
            number("file-size", Some(policy.file_size));
            number("cpu-seconds", policy.cpu_seconds);
            number("scratch-size", policy.scratch);
        }
        if let Some(launcher) = &self.launcher {
            number("landlock", Some(launcher.landlock.into()));
            word("calls", OsStr::new(calls_word(launcher.calls)));
            word("signals", OsStr::new(signals_word(launcher.signals)));
        }
        if !self.cpus.is_empty() {
            word("cpus", OsStr::new(&numbers(&self.cpus)));
        }
        for path in self.policy.iter().flat_map(|policy| &policy.read) {
            word("read", path.as_os_str());
        }
        for path in self.policy.iter().flat_map(|policy| &policy.list) {
            word("list", path.as_os_str());
        }
        if let Some(scratch) = &self.scratch {
            word("scratch", scratch.as_os_str());
        }
        word("dir", self.directory.as_os_str());
        all.push("--".into());
        all.push(self.program.clone());
        all.extend(self.arguments.iter().cloned());
        all
    }

    /// Reads what [`Orders::words`] writes, without its first word.
    pub(super) fn parse(words: impl IntoIterator<Item = OsString>) -> Option<Orders> {
        fn number<T: std::str::FromStr>(text: &OsStr) -> Option<T> {
            text.to_str()?.parse().ok()
        }
        let mut words = words.into_iter();
        let (mut referee, mut report, mut user) = (None, None, None);
        let (mut cgroup, mut door) = (None, None);
        let (mut memory_door, mut memory_ended) = (None, None);
        let (mut cpus, mut shares_cpus) = (Vec::new(), false);
        let (mut stdin, mut stdout) = (None, None);
        let (mut limits, mut scratch, mut directory) = (None, None, None);
        let (mut landlock, mut calls, mut signals) = (None, None, None);
        let empty = || Policy { scratch: None, cpu_seconds: None, read: Vec::new(), ..Policy::default() };
        loop {
            let word = words.next()?;
            if word == "--" {
                break;
            }
            let at = word.as_bytes().iter().position(|byte| *byte == b'=')?;
            let (key, value) =
                (&word.as_bytes()[..at], OsString::from_vec(word.as_bytes()[at + 1..].to_vec()));
            match key {
                b"referee" => referee = Some(Pid::from_raw(number(&value)?)?),
                b"report" => report = Some(number(&value).filter(|fd| *fd > 2)?),
                b"stdin" => stdin = Some(number(&value).filter(|fd| *fd > 2)?),
                b"stdout" => stdout = Some(number(&value).filter(|fd| *fd > 2)?),
                b"cgroup" => cgroup = Some(number(&value).filter(|fd| *fd > 2)?),
                b"door" => door = Some(number(&value).filter(|fd| *fd > 2)?),
                b"memory-door" => memory_door = Some(number(&value).filter(|fd| *fd > 2)?),
                b"memory-ended" => memory_ended = Some(number(&value).filter(|fd| *fd > 2)?),
                b"cpus" => cpus = read_numbers(&value)?,
                b"shares-cpus" => shares_cpus = (value == "1").then_some(true)?,
                b"user" => user = Some(number(&value)?),
                b"memory" => limits.get_or_insert_with(empty).memory = number(&value)?,
                b"processes" => limits.get_or_insert_with(empty).processes = number(&value)?,
                b"open-files" => limits.get_or_insert_with(empty).open_files = number(&value)?,
                b"file-size" => limits.get_or_insert_with(empty).file_size = number(&value)?,
                b"cpu-seconds" => limits.get_or_insert_with(empty).cpu_seconds = Some(number(&value)?),
                b"scratch-size" => limits.get_or_insert_with(empty).scratch = Some(number(&value)?),
                b"read" => limits.get_or_insert_with(empty).read.push(value.into()),
                b"landlock" => landlock = Some(number(&value)?),
                b"calls" => calls = ALL_CALLS.into_iter().find(|calls| value == calls_word(*calls)),
                b"signals" => signals = ALL_SIGNALS.into_iter().find(|own| value == signals_word(*own)),
                b"list" => limits.get_or_insert_with(empty).list.push(value.into()),
                b"scratch" => scratch = Some(value.into()),
                b"dir" => directory = Some(value.into()),
                // Whoever says more than we understand must not be told that all is well.
                _ => return None,
            }
        }
        let launcher = match (landlock, calls, signals) {
            (None, None, None) => None,
            (landlock, calls, signals) => {
                Some(Launcher { landlock: landlock?, calls: calls?, signals: signals? })
            }
        };
        let streams = match (stdin, stdout) {
            (None, None) => None,
            (stdin, stdout) => Some([stdin?, stdout?]),
        };
        let (report, directory, program) = (report?, directory?, words.next()?);
        let arguments = words.collect();
        Some(Orders {
            referee,
            report,
            streams,
            cgroup,
            door,
            memory: memory_door.zip(memory_ended).map(|(door, ended)| [door, ended]),
            cpus,
            shares_cpus,
            user,
            policy: limits,
            launcher,
            scratch,
            directory,
            program,
            arguments,
        })
    }
}

const ALL_CALLS: [Calls; 3] = [Calls::Allowed, Calls::Refused, Calls::RefusedWithLocks];
const ALL_SIGNALS: [Signals; 2] = [Signals::Elsewhere, Signals::OwnOnly];

fn calls_word(calls: Calls) -> &'static str {
    match calls {
        Calls::Allowed => "allowed",
        Calls::Refused => "refused",
        Calls::RefusedWithLocks => "refused-with-locks",
    }
}

fn signals_word(signals: Signals) -> &'static str {
    match signals {
        Signals::Elsewhere => "elsewhere",
        Signals::OwnOnly => "own-only",
    }
}

/// Numbers with commas between them.
fn numbers(all: &[usize]) -> String {
    all.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

fn read_numbers(text: &OsStr) -> Option<Vec<usize>> {
    text.to_str()?.split(',').map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders() -> Orders {
        Orders {
            referee: Pid::from_raw(77),
            report: 5,
            streams: None,
            cgroup: None,
            door: None,
            memory: None,
            cpus: Vec::new(),
            shares_cpus: false,
            user: None,
            policy: None,
            launcher: None,
            scratch: None,
            directory: "/a b".into(),
            program: "python3".into(),
            arguments: vec!["my bot.py".into(), "--".into(), "cpu=2".into()],
        }
    }

    #[test]
    fn orders_are_read_as_they_are_given() {
        #[track_caller]
        fn check(orders: &Orders) {
            let mut words = orders.words();
            assert_eq!(words.remove(0), ARGUMENT);
            assert_eq!(Orders::parse(words).as_ref(), Some(orders));
        }
        check(&orders());
        check(&Orders {
            referee: None,
            cpus: vec![3, 0, 17],
            shares_cpus: true,
            cgroup: Some(5),
            door: Some(6),
            streams: Some([7, 8]),
            user: Some(60_000),
            ..orders()
        });
        let read = vec!["/usr".into(), OsString::from_vec(b"/a\xff=b".to_vec()).into()];
        let list = vec!["/a".into()];
        let policy = Policy { read, list, scratch: Some(1 << 20), cpu_seconds: Some(9), ..Policy::default() };
        check(&Orders { policy: Some(policy), scratch: Some("/tmp/x=y".into()), ..orders() });
        for calls in ALL_CALLS {
            for signals in ALL_SIGNALS {
                let launcher = Some(Launcher { landlock: 6, calls, signals });
                check(&Orders { policy: Some(Policy::default()), launcher, ..orders() });
            }
        }
    }

    #[test]
    fn a_person_who_types_it_gets_nowhere() {
        for text in [
            "",
            "1",
            "report=9 dir=/ --",
            "report=9 -- sh",
            "dir=/ -- sh",
            "referee=0 report=9 dir=/ -- sh",
            "report=2 dir=/ -- sh",
            "report=9 stdin=4 dir=/ -- sh",
            "report=9 cpus=y dir=/ -- sh",
            "report=9 cpus=0,,1 dir=/ -- sh",
            "report=9 shares-cpus=0 dir=/ -- sh",
            "report=9 dir=/ jump=high -- sh",
            "report=9 dir=/ landlock=6 -- sh",
            "report=9 dir=/ landlock=6 calls=some signals=own-only -- sh",
        ] {
            assert_eq!(Orders::parse(text.split_whitespace().map(OsString::from)), None, "{text}");
        }
    }
}

//! The launcher's command line: a [`SpawnRequest`] as JSON, and the bot's command.

use std::ffi::OsString;
use std::num::NonZeroI32;
use std::os::fd::{AsRawFd, RawFd};
use std::path::PathBuf;

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::isolation::{BotResources, Launcher, Policy, SlotUser};
use crate::os_text;

/// The first argument that makes this program a launcher.
pub const ARGUMENT: &str = "__launcher";

#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
// A launcher that receives a field it does not know must not ignore it.
#[serde(deny_unknown_fields)]
pub(crate) struct SpawnRequest {
    /// Process id of its parent; `None` in a namespace, where the number can't be compared.
    pub(crate) referee: Option<NonZeroI32>,
    /// Descriptor of the pipe to the referee.
    pub(crate) report: RawFd,
    /// The bot's input and output; none = the launcher's own.
    pub(crate) streams: Option<[RawFd; 2]>,
    /// The cgroup that the bot is forked into.
    pub(crate) cgroup: Option<RawFd>,
    /// The cgroup's `cgroup.procs`, through which the bot joins it if it can't be forked into it.
    pub(crate) cgroup_procs: Option<RawFd>,
    /// The files of a cgroup v1 that limits only memory: the one through which the bot joins it, and the one
    /// that counts the processes that the kernel has killed there.
    pub(crate) memory_cgroup: Option<[RawFd; 2]>,
    /// The CPUs that the bot stays on; empty = any.
    pub(crate) cpus: Vec<usize>,
    /// True if the bot preempts no other process on them.
    pub(crate) shares_cpus: bool,
    /// The user and group that the bot runs as.
    pub(crate) user: Option<u32>,
    /// The resources and files that the bot may use.
    pub(crate) policy: Option<Policy>,
    /// The restrictions that the launcher sets up.
    pub(crate) launcher: Option<Launcher>,
    /// The folder that the bot may write to.
    #[serde(with = "os_text::optional")]
    pub(crate) scratch: Option<PathBuf>,
    #[serde(with = "os_text")]
    pub(crate) directory: PathBuf,
    #[serde(skip)]
    pub(crate) program: OsString,
    #[serde(skip)]
    pub(crate) arguments: Vec<OsString>,
}

impl SpawnRequest {
    /// Creates the request to start a command with these resources. Redirected streams are added later.
    pub(crate) fn of(
        command: &Command,
        resources: &BotResources,
        referee: Option<Pid>,
        report: RawFd,
    ) -> SpawnRequest {
        let [cgroup, cgroup_procs] =
            resources.cgroup_fds().map_or([None; 2], |fds| fds.map(|fd| Some(fd.as_raw_fd())));
        SpawnRequest {
            referee: referee.map(Pid::as_raw_nonzero),
            report,
            streams: None,
            cgroup,
            cgroup_procs,
            memory_cgroup: resources.memory_cgroup_fds().map(|fds| fds.map(|fd| fd.as_raw_fd())),
            cpus: command.cpus.clone(),
            shares_cpus: command.shares_cpus,
            user: resources.user.as_ref().map(SlotUser::id),
            policy: command.isolation.as_ref().map(|isolation| isolation.policy.clone()),
            launcher: command.isolation.as_ref().and_then(|isolation| isolation.layers.launcher),
            scratch: resources.scratch.as_ref().map(|scratch| scratch.folder.clone()),
            directory: command.directory.clone(),
            program: command.program.clone(),
            arguments: command.arguments.clone(),
        }
    }

    /// Returns the launcher's arguments. Never fails: JSON can represent every value.
    pub(crate) fn words(&self) -> std::io::Result<Vec<OsString>> {
        let request = serde_json::to_string(self)?;
        let start = [ARGUMENT.into(), request.into(), self.program.clone()];
        Ok(start.into_iter().chain(self.arguments.iter().cloned()).collect())
    }

    /// Reads the output of [`SpawnRequest::words`], without its first word.
    pub(super) fn parse(words: impl IntoIterator<Item = OsString>) -> Option<SpawnRequest> {
        let mut words = words.into_iter();
        let request: SpawnRequest = serde_json::from_str(words.next()?.to_str()?).ok()?;
        let pairs = [request.streams, request.memory_cgroup].into_iter().flatten().flatten();
        let single = [Some(request.report), request.cgroup, request.cgroup_procs].into_iter().flatten();
        // The first three descriptors are the streams of this program.
        let is_inherited = pairs.chain(single).all(|fd| fd > 2);
        let program = words.next().filter(|_| is_inherited)?;
        Some(SpawnRequest { program, arguments: words.collect(), ..request })
    }

    /// Returns true if this process's parent is the referee, as far as that can be determined.
    pub(super) fn is_child_of_referee(&self) -> bool {
        self.referee.is_none() || rustix::process::getppid().map(Pid::as_raw_nonzero) == self.referee
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isolation::{Calls, Signals};
    use std::os::unix::ffi::OsStringExt;

    fn request() -> SpawnRequest {
        SpawnRequest {
            referee: NonZeroI32::new(77),
            report: 5,
            streams: None,
            cgroup: None,
            cgroup_procs: None,
            memory_cgroup: None,
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
    fn requests_are_parsed_as_written() {
        #[track_caller]
        fn check(request: &SpawnRequest) {
            let mut words = request.words().expect("it has a form");
            assert_eq!(words.remove(0), ARGUMENT);
            assert_eq!(SpawnRequest::parse(words).as_ref(), Some(request));
        }
        check(&request());
        check(&SpawnRequest {
            referee: None,
            cpus: vec![3, 0, 17],
            shares_cpus: true,
            cgroup: Some(5),
            cgroup_procs: Some(6),
            memory_cgroup: Some([9, 10]),
            streams: Some([7, 8]),
            user: Some(60_000),
            ..request()
        });
        let read = vec!["/usr".into(), OsString::from_vec(b"/a\xff=b".to_vec()).into()];
        let list = vec!["/a".into()];
        let policy = Policy { read, list, scratch: Some(1 << 20), cpu_seconds: Some(9), ..Policy::default() };
        check(&SpawnRequest { policy: Some(policy), scratch: Some("/tmp/x=y".into()), ..request() });
        for calls in [Calls::Allowed, Calls::Refused, Calls::RefusedWithLocks] {
            for signals in [Signals::Elsewhere, Signals::OwnOnly] {
                let launcher = Some(Launcher { landlock: 6, calls, signals });
                check(&SpawnRequest { policy: Some(Policy::default()), launcher, ..request() });
            }
        }
    }

    #[test]
    fn incomplete_and_unknown_requests_are_refused() {
        let whole = r#"{"report":9,"cpus":[0],"shares_cpus":false,"scratch":null,"directory":"/"}"#;
        let parse = |request: &str, command: &[&str]| {
            SpawnRequest::parse([request].iter().chain(command).map(OsString::from))
        };
        assert!(parse(whole, &["sh"]).is_some());
        assert_eq!(parse(whole, &[]), None);
        assert_eq!(SpawnRequest::parse([]), None);
        let launcher = |launcher: &str| whole.replace("0]", &format!(r#"0],"launcher":{launcher}"#));
        for request in [
            String::new(),
            "1".to_owned(),
            whole.replace(r#""report":9,"#, ""),
            whole.replace(r#","directory":"/""#, ""),
            whole.replace("9,", r#"9,"referee":0,"#),
            whole.replace('9', "2"),
            whole.replace("9,", r#"9,"streams":[4],"#),
            whole.replace("9,", r#"9,"streams":[4,1],"#),
            whole.replace("[0]", r#"["y"]"#),
            whole.replace("[0]", "[0,,1]"),
            whole.replace("9,", r#"9,"jump":"high","#),
            launcher(r#"{"landlock":6}"#),
            launcher(r#"{"landlock":6,"calls":"some","signals":"own_only"}"#),
        ] {
            assert_eq!(parse(&request, &["sh"]), None, "{request}");
        }
    }
}

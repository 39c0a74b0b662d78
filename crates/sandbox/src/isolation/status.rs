//! The isolation that holds on this host, determined once per run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use super::cgroup::DELEGATION;
use super::guarantee::{Guarantee, Means, Unavailable};
use super::{
    Bubblewrap, Calls, LANDLOCK_SIGNALS, Launcher, Layers, Sandbox, Signals, SlotUsers, Tree, bot_resources,
    kernel, probe,
};

/// The isolation that holds on this host.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct SandboxStatus {
    /// The requested setting.
    pub asked: Sandbox,
    /// The layers in use.
    pub layers: Layers,
    /// The guarantees that hold, and their means.
    pub held: BTreeMap<Guarantee, Vec<Means>>,
    /// The parts that this host does not provide.
    pub unavailable: Vec<Unavailable>,
}

impl SandboxStatus {
    /// Returns the means by which a guarantee holds, if it does.
    pub fn by(&self, guarantee: Guarantee) -> Option<&[Means]> {
        self.held.get(&guarantee).map(Vec::as_slice)
    }

    fn of(
        asked: Sandbox,
        layers: Layers,
        broken: &[Guarantee],
        unavailable: Vec<Unavailable>,
    ) -> SandboxStatus {
        let mut held = BTreeMap::new();
        let landlock = layers.launcher.map_or(0, |launcher| launcher.landlock);
        let refuses = layers.launcher.is_some_and(|launcher| launcher.calls != Calls::Allowed);
        let own_only = layers.launcher.is_some_and(|launcher| launcher.signals == Signals::OwnOnly);
        let (wrapped, as_others) = (layers.bubblewrap.is_some(), layers.slot_users.is_some());
        let cgroup = |limits: fn(&Tree) -> bool| layers.cgroup.as_ref().is_some_and(limits);
        for guarantee in Guarantee::ALL {
            let means: &[(Means, bool)] = match guarantee {
                Guarantee::Files => &[(Means::Bubblewrap, wrapped), (Means::Landlock, landlock > 0)],
                Guarantee::Network => &[(Means::Bubblewrap, wrapped), (Means::Seccomp, refuses)],
                Guarantee::Processes => &[
                    (Means::Bubblewrap, wrapped),
                    (Means::SlotUser, as_others),
                    (Means::Landlock, landlock > 0),
                ],
                Guarantee::Signals => &[
                    (Means::Bubblewrap, wrapped),
                    (Means::SlotUser, as_others),
                    (Means::Landlock, landlock >= LANDLOCK_SIGNALS),
                    (Means::Seccomp, refuses && own_only),
                ],
                // The following are enforced by counting, which needs no probe.
                Guarantee::Memory => {
                    &[(Means::Cgroup, cgroup(|tree| tree.limits_memory)), (Means::Watchdog, true)]
                }
                Guarantee::ProcessNumber => &[
                    (Means::Cgroup, cgroup(|tree| tree.limits_processes)),
                    (Means::Bubblewrap, layers.bubblewrap.as_ref().is_some_and(Bubblewrap::counts_processes)),
                    (Means::SlotUser, as_others),
                    (Means::Watchdog, true),
                ],
            };
            let is_counted = matches!(guarantee, Guarantee::Memory | Guarantee::ProcessNumber);
            let used = means.iter().filter(|(_, is_used)| *is_used).map(|(means, _)| *means);
            let by: Vec<Means> = if is_counted { used.take(1).collect() } else { used.collect() };
            if !by.is_empty() && (is_counted || !broken.contains(&guarantee)) {
                held.insert(guarantee, by);
            }
        }
        SandboxStatus { asked, layers, held, unavailable }
    }

    /// Returns why the isolation is not whole: what does not hold, and the limits that the kernel does not enforce.
    fn lacks(&self) -> Vec<Unavailable> {
        let mut lacks = self.unavailable.clone();
        for guarantee in Guarantee::ALL {
            if self.by(guarantee).is_none() {
                let why = "a probe broke through all available layers";
                let cure = "use `sandbox = \"auto\"`, which reports what holds";
                lacks.push(Unavailable::new(guarantee.word(), why, cure));
            }
        }
        for (guarantee, part) in
            [(Guarantee::Memory, "memory limit"), (Guarantee::ProcessNumber, "process limit")]
        {
            if self.by(guarantee) == Some(&[Means::Watchdog])
                && !lacks.iter().any(|part| part.part == "cgroup")
            {
                let why = "no cgroup enforces it; only a watchdog checks it, 50 times a second";
                let cure = if Tree::lacks_delegation() {
                    DELEGATION
                } else {
                    "boot with `systemd.unified_cgroup_hierarchy=1`, so that cgroup v2 controls memory and the number \
                     of processes, or use `sandbox = \"auto\"`"
                };
                lacks.push(Unavailable::new(part, why, cure));
            }
        }
        lacks
    }

    /// Returns the layers with their versions.
    fn means(&self) -> Vec<String> {
        let mut means = Vec::new();
        if let Some(bubblewrap) = &self.layers.bubblewrap {
            means.push(format!("bubblewrap {}", bubblewrap.version));
        }
        if let Some(users) = &self.layers.slot_users {
            means.push(format!("users {users}"));
        }
        if let Some(launcher) = &self.layers.launcher {
            if launcher.landlock > 0 {
                means.push(format!("Landlock ABI {}", launcher.landlock));
            }
            if launcher.calls != Calls::Allowed {
                means.push("seccomp".to_owned());
            }
        }
        means
    }
}

/// The layers that this host offers, before they have been tried.
#[derive(Clone, Debug)]
pub struct SandboxPlan<'h> {
    asked: Sandbox,
    layers: Layers,
    unavailable: Vec<Unavailable>,
    launcher: &'h Path,
    temporary: &'h Path,
}

impl<'h> SandboxPlan<'h> {
    /// Starts the slow part of [`SandboxPlan::find`] early, for callers that have other work to do first.
    pub fn look_ahead(asked: Sandbox) {
        if takes_all(asked) {
            Bubblewrap::look_ahead();
        }
    }

    /// Looks for the layers. `launcher` is this program, which [`SandboxPlan::confirm`] starts as a probe
    /// with targets in `temporary`. `users` is the range of users as which bots run if we are root.
    pub fn find(
        asked: Sandbox,
        launcher: &'h Path,
        temporary: &'h Path,
        users: SlotUsers,
    ) -> SandboxPlan<'h> {
        let mut unavailable = Vec::new();
        let mut layers = Layers::default();
        let is_all = takes_all(asked);
        SandboxPlan::look_ahead(asked);
        bot_resources::sweep(temporary);
        if !is_all {
            Tree::sweep_leftovers();
        }
        if asked != Sandbox::Off {
            layers.launcher = Some(launcher_here(asked, &mut unavailable));
        }
        if is_all {
            let (mut rest, is_root) = (Vec::new(), rustix::process::geteuid().is_root());
            layers.cgroup = Tree::find().map_err(|part| rest.push(part)).ok();
            if is_root {
                layers.slot_users = SlotUsers::find(users).map_err(|part| rest.push(part)).ok();
            }
            layers.bubblewrap = Bubblewrap::find().map_err(|part| unavailable.push(part)).ok();
            unavailable.extend(rest);
        }
        SandboxPlan { asked, layers: layers.with_signals(), unavailable, launcher, temporary }
    }

    /// Returns the layers that are used if all of them work.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Returns true if bots may be started in these layers before the layers have been tried. Such bots run
    /// in namespaces of their own, apart from the probe, or fail to start; if the layers do not hold, they
    /// are started again in weaker ones.
    pub fn may_begin(&self) -> bool {
        self.asked == Sandbox::Auto && self.layers.bubblewrap.is_some()
    }

    /// Tries the layers.
    ///
    /// # Errors
    /// The required parts that are not available.
    pub fn confirm(self) -> Result<SandboxStatus, Vec<Unavailable>> {
        let SandboxPlan { asked, layers, mut unavailable, launcher, temporary } = self;
        if asked == Sandbox::Off {
            return Ok(SandboxStatus::of(asked, layers, &Guarantee::ALL, unavailable));
        }
        let (layers, broken) =
            strongest(layers, &mut unavailable, |layers| probe::run(layers, launcher, temporary));
        let status = SandboxStatus::of(asked, layers, &broken, unavailable);
        let lacks = if asked == Sandbox::Strict { status.lacks() } else { Vec::new() };
        // If not even the launcher works, bots run without layers, and the status shows that.
        if lacks.is_empty() { Ok(status) } else { Err(lacks) }
    }
}

/// Returns true if the setting asks for every available layer.
fn takes_all(asked: Sandbox) -> bool {
    matches!(asked, Sandbox::Auto | Sandbox::Strict)
}

/// Determines the restrictions that the launcher can apply to bots on this kernel.
fn launcher_here(asked: Sandbox, unavailable: &mut Vec<Unavailable>) -> Launcher {
    let landlock = match kernel::landlock_version() {
        Ok(version) => version,
        Err(why) => {
            let cure = "use Linux 5.13 or newer, and boot with `landlock` in the list `lsm=`";
            unavailable.push(Unavailable::new("Landlock", why, cure));
            0
        }
    };
    let calls = if Path::new("/proc/sys/kernel/seccomp/actions_avail").exists() {
        if asked == Sandbox::Strict { Calls::RefusedWithLocks } else { Calls::Refused }
    } else {
        let cure = "use a kernel with `CONFIG_SECCOMP_FILTER`";
        unavailable.push(Unavailable::new("seccomp", "the kernel has no system call filters", cure));
        Calls::Allowed
    };
    Launcher { landlock, calls, signals: Signals::OwnOnly }
}

/// A layer around the launcher, which is left out if a probe fails in it.
#[derive(Copy, Clone)]
enum OuterLayer {
    SlotUsers,
    Cgroup,
    Bubblewrap,
}

impl OuterLayer {
    /// Removes this layer. Returns true if it was among these layers.
    fn remove_from(self, layers: &mut Layers) -> bool {
        match self {
            OuterLayer::SlotUsers => layers.slot_users.take().is_some(),
            OuterLayer::Cgroup => layers.cgroup.take().is_some(),
            OuterLayer::Bubblewrap => layers.bubblewrap.take().is_some(),
        }
    }

    /// Returns the report that a probe failed in this layer.
    fn failed(self, why: &str) -> Unavailable {
        let cure = "use `--sandbox auto`, which works without it";
        let (part, cure) = match self {
            OuterLayer::SlotUsers => ("slot users", cure.to_owned()),
            OuterLayer::Cgroup => ("cgroup", format!("{DELEGATION}, or {cure}")),
            OuterLayer::Bubblewrap => ("bubblewrap", cure.to_owned()),
        };
        Unavailable { part, why: format!("a probe failed in this layer: {why}"), cure }
    }
}

/// Returns the most layers in which a probe finishes, and what it broke there. Adds the others to `unavailable`.
fn strongest(
    all: Layers,
    unavailable: &mut Vec<Unavailable>,
    mut probe: impl FnMut(&Layers) -> Result<Vec<Guarantee>, String>,
) -> (Layers, Vec<Guarantee>) {
    use OuterLayer::{Bubblewrap, Cgroup, SlotUsers};
    const WITHOUT: [&[OuterLayer]; 8] = [
        &[],
        &[SlotUsers],
        &[Cgroup],
        &[Bubblewrap],
        &[Cgroup, SlotUsers],
        &[Bubblewrap, SlotUsers],
        &[Bubblewrap, Cgroup],
        &[Bubblewrap, Cgroup, SlotUsers],
    ];
    let mut tried: Vec<Layers> = Vec::new();
    let mut why = String::new();
    for left_out in WITHOUT {
        let mut layers = all.clone();
        let removed: Vec<_> = left_out.iter().filter(|layer| layer.remove_from(&mut layers)).collect();
        let layers = layers.with_signals();
        if tried.contains(&layers) {
            continue;
        }
        match probe(&layers) {
            Ok(broken) => {
                unavailable.extend(removed.into_iter().map(|layer| layer.failed(&why)));
                return (layers, broken);
            }
            Err(error) => why = error,
        }
        tried.push(layers);
    }
    // Not even the launcher alone can start the probe: it is not used, and the status shows that.
    let why = format!("a probe that it started failed: {why}");
    unavailable.push(Unavailable::new("launcher", why, "use `--sandbox off`, which works without it"));
    (Layers::default(), Guarantee::ALL.to_vec())
}

impl fmt::Display for SandboxStatus {
    /// Writes one line that says what holds and what does not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.asked == Sandbox::Off {
            return f.write_str(
                "sandbox: off; bots can do everything that you can do, but their memory and processes are watched",
            );
        }
        let in_words = |guarantee: &Guarantee| guarantee.word().replace('_', " ");
        let reach = [Guarantee::Files, Guarantee::Network, Guarantee::Processes, Guarantee::Signals];
        let (held, open): (Vec<_>, Vec<_>) =
            reach.into_iter().partition(|guarantee| self.held.contains_key(guarantee));
        let names = |guarantees: &[Guarantee]| guarantees.iter().map(in_words).collect::<Vec<_>>().join(", ");
        write!(f, "sandbox: ")?;
        if !held.is_empty() {
            write!(f, "{} isolated ({})", names(&held), self.means().join(", "))?;
        }
        if !open.is_empty() {
            let semicolon = if held.is_empty() { "" } else { "; " };
            write!(f, "{semicolon}{} not isolated", names(&open))?;
        }
        let [memory, processes] =
            [Guarantee::Memory, Guarantee::ProcessNumber].map(|guarantee| self.by(guarantee));
        let by = |means: Option<&[Means]>| match means {
            None => "nothing".to_owned(),
            Some(means) => {
                means.iter().map(|means| means.word().replace('_', " ")).collect::<Vec<_>>().join("+")
            }
        };
        match (memory, processes) {
            (Some(memory), Some(processes)) if memory == processes => {
                write!(f, "; memory and process number limited by {}", by(Some(memory)))?;
            }
            (memory, processes) => {
                write!(f, "; memory limited by {}, process number by {}", by(memory), by(processes))?;
            }
        }
        let mut parts: Vec<&str> = self.unavailable.iter().map(|unavailable| unavailable.part).collect();
        parts.dedup();
        for part in parts {
            write!(f, ", no {part}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isolation::Guard;

    fn unavailable(part: &'static str) -> Unavailable {
        Unavailable { part, why: "not here".to_owned(), cure: "install it".to_owned() }
    }

    fn launcher(landlock: u32) -> Layers {
        let launcher = Launcher { landlock, calls: Calls::Refused, signals: Signals::OwnOnly };
        Layers { launcher: Some(launcher), ..Layers::default() }.with_signals()
    }

    fn wrapped() -> Layers {
        let bubblewrap = Bubblewrap { program: "/usr/bin/bwrap".into(), version: "0.8.0".to_owned() };
        let cgroup = Tree {
            folder: "/sys/fs/cgroup/x".into(),
            limits_memory: true,
            limits_processes: true,
            memory_v1: None,
        };
        Layers { bubblewrap: Some(bubblewrap), cgroup: Some(cgroup), ..launcher(7) }
    }

    #[test]
    fn one_line_says_what_holds_and_what_does_not() {
        #[track_caller]
        fn check(layers: Layers, broken: &[Guarantee], parts: &[&'static str], line: &str) {
            let parts = parts.iter().map(|part| unavailable(part)).collect();
            assert_eq!(SandboxStatus::of(Sandbox::Auto, layers, broken, parts).to_string(), line);
        }
        check(
            launcher(7),
            &[],
            &["bubblewrap", "cgroup"],
            "sandbox: files, network, processes, signals isolated (Landlock ABI 7, seccomp); \
             memory and process number limited by watchdog, no bubblewrap, no cgroup",
        );
        check(
            wrapped(),
            &[],
            &[],
            "sandbox: files, network, processes, signals isolated (bubblewrap 0.8.0, Landlock ABI 7, seccomp); \
             memory and process number limited by cgroup",
        );
        check(
            launcher(0),
            &[Guarantee::Files, Guarantee::Processes],
            &["Landlock"],
            "sandbox: network, signals isolated (seccomp); files, processes not isolated; \
             memory and process number limited by watchdog, no Landlock",
        );
        let off = SandboxStatus::of(Sandbox::Off, Layers::default(), &Guarantee::ALL, Vec::new());
        assert!(off.to_string().starts_with("sandbox: off"));
        assert_eq!(
            (off.by(Guarantee::Files), off.by(Guarantee::Memory)),
            (None, Some([Means::Watchdog].as_slice()))
        );
    }

    #[test]
    fn a_layer_in_which_the_probe_fails_is_left_out_and_named() {
        let mut parts = Vec::new();
        let (layers, broken) = strongest(wrapped(), &mut parts, |layers| match &layers.bubblewrap {
            Some(_) => Err("no namespaces".to_owned()),
            None => Ok(Vec::new()),
        });
        assert_eq!((layers.names(), broken), (vec!["launcher", "cgroup"], Vec::new()));
        let named: Vec<_> = parts.iter().map(|part| part.part).collect();
        assert_eq!(named, ["bubblewrap"]);
        assert!(parts[0].why.contains("no namespaces"));
    }

    #[test]
    fn when_nothing_can_be_started_only_the_watched_limits_hold() {
        let mut parts = Vec::new();
        let (layers, broken) = strongest(launcher(2), &mut parts, |_| Err("no seccomp".to_owned()));
        let status = SandboxStatus::of(Sandbox::Auto, layers, &broken, parts);
        assert_eq!(
            status.held.keys().copied().collect::<Vec<_>>(),
            [Guarantee::Memory, Guarantee::ProcessNumber]
        );
        assert!(!status.lacks().is_empty());
    }

    #[test]
    fn without_scope_or_namespace_signals_are_refused() {
        #[track_caller]
        fn check(layers: Layers, expected: Signals) {
            assert_eq!(layers.with_signals().launcher.map(|launcher| launcher.signals), Some(expected));
        }
        let as_others = Layers { slot_users: Some(SlotUsers::default()), ..launcher(0) };
        check(launcher(7), Signals::Elsewhere);
        check(launcher(4), Signals::OwnOnly);
        check(Layers { bubblewrap: wrapped().bubblewrap, ..launcher(0) }, Signals::Elsewhere);
        check(as_others.clone(), Signals::Elsewhere);
        check(as_others.without_slot_users(), Signals::OwnOnly);
        let as_others = as_others.with_signals();
        assert_eq!(as_others.guard(), Guard::Whole);
        assert_eq!(launcher(7).with_signals().guard(), Guard::Whole);
        assert_eq!(launcher(4).with_signals().guard(), Guard::Whole);
        // The supervisor is in the same namespace, and a filter would keep a bot from signalling its own
        // children.
        let wrapped = Layers { bubblewrap: wrapped().bubblewrap, ..launcher(4) }.with_signals();
        assert_eq!(wrapped.guard(), Guard::Outside);
        assert_eq!(Layers::default().guard(), Guard::Nothing);
    }

    #[test]
    fn strict_requires_everything_and_names_what_is_missing() {
        let whole = SandboxStatus::of(Sandbox::Strict, wrapped(), &[], Vec::new());
        assert_eq!(whole.lacks(), []);
        let parts = vec![unavailable("bubblewrap"), unavailable("cgroup")];
        let lacks = SandboxStatus::of(Sandbox::Strict, launcher(7), &[], parts).lacks();
        assert_eq!(lacks.iter().map(|lack| lack.part).collect::<Vec<_>>(), ["bubblewrap", "cgroup"]);
        let hybrid =
            Tree { folder: "/x".into(), limits_memory: false, limits_processes: false, memory_v1: None };
        // Separate users bound the number of processes for every bot.
        let slot_users = Some(SlotUsers::default());
        let layers = Layers { cgroup: Some(hybrid), slot_users, ..wrapped() };
        let lacks = SandboxStatus::of(Sandbox::Strict, layers, &[], Vec::new()).lacks();
        assert_eq!(lacks.iter().map(|lack| lack.part).collect::<Vec<_>>(), ["memory limit"]);
    }
}

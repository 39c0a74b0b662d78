//! The layers of the sandbox that this host has.

use super::{Files, HostFinding};
use linesman_sandbox::isolation::{Calls, Guarantee, SandboxStatus, Unavailable};

pub(super) fn inspect(sandbox: &Result<SandboxStatus, Vec<Unavailable>>, files: &Files) -> Vec<HostFinding> {
    let status = match sandbox {
        Ok(status) => status,
        Err(unavailable) => {
            return unavailable.iter().map(|unavailable| lacking(unavailable, files)).collect();
        }
    };
    let mut findings = Vec::new();
    if let Some(launcher) = &status.layers.launcher {
        if launcher.landlock > 0 {
            findings.push(HostFinding::good("Landlock", format!("ABI version {}", launcher.landlock)));
        }
        if launcher.calls != Calls::Allowed {
            findings.push(HostFinding::good("seccomp", "system call filters work"));
        }
    }
    if let Some(bubblewrap) = &status.layers.bubblewrap {
        findings.push(HostFinding::good("bubblewrap", format!("{} works", bubblewrap.version)));
    }
    if let Some(tree) = &status.layers.cgroup {
        let limits = match (tree.limits_memory, tree.limits_processes) {
            (true, true) => "can kill, freeze and count, and limit memory and processes",
            (true, false) => "can kill, freeze and count, and limit memory",
            (false, true) => "can kill, freeze and count, and limit processes",
            (false, false) => "can kill, freeze and count",
        };
        let found = format!("`{}` {limits}", tree.folder.display());
        findings.push(if tree.limits_memory && tree.limits_processes {
            HostFinding::good("cgroup", found)
        } else {
            let advice = "boot with `systemd.unified_cgroup_hierarchy=1`, so that cgroup v2 controls memory and \
                        processes";
            HostFinding::fair("cgroup", found, advice)
        });
    }
    if let Some(users) = &status.layers.slot_users {
        findings.push(HostFinding::good("slot users", format!("{users}, one for each bot")));
    }
    findings.extend(status.unavailable.iter().map(|unavailable| lacking(unavailable, files)));
    findings.extend(Guarantee::ALL.into_iter().filter_map(|guarantee| {
        let is_broken = status.by(guarantee).is_none();
        is_broken.then(|| {
            HostFinding::bad(
                "sandbox",
                without(guarantee),
                "add what is missing above, or play only bots that you trust",
            )
        })
    }));
    findings
}

/// Returns the consequence if this guarantee does not hold.
fn without(guarantee: Guarantee) -> &'static str {
    match guarantee {
        Guarantee::Files => "bots can read or change files outside their folder",
        Guarantee::Network => "bots can use the network",
        Guarantee::Processes => "bots can inspect other processes",
        Guarantee::Signals => "bots can signal other processes",
        Guarantee::Memory => "a bot's memory is not limited",
        Guarantee::ProcessNumber => "a bot's number of processes is not limited",
    }
}

/// The finding on a part that is unavailable. It is fair, because other parts may suffice.
fn lacking(unavailable: &Unavailable, files: &Files) -> HostFinding {
    let mut advice = unavailable.cure.clone();
    if unavailable.part == "bubblewrap"
        && let Some(of_setting) = namespace_advice(files)
    {
        advice = of_setting.to_owned();
    }
    HostFinding::fair(unavailable.part, unavailable.why.clone(), advice)
}

/// Advice on a system setting that denies namespaces to users other than root, if there is one.
fn namespace_advice(files: &Files) -> Option<&'static str> {
    let is = |path: &str, value: &str| files.line(path).is_some_and(|found| found == value);
    if is("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
        return Some(
            "give `bwrap` an AppArmor profile that allows `userns`, or run sudo sysctl \
             kernel.apparmor_restrict_unprivileged_userns=0",
        );
    }
    if is("proc/sys/kernel/unprivileged_userns_clone", "0") {
        return Some("sudo sysctl kernel.unprivileged_userns_clone=1");
    }
    is("proc/sys/user/max_user_namespaces", "0").then_some("sudo sysctl user.max_user_namespaces=10000")
}

#[cfg(test)]
mod tests {
    use super::super::Grade;
    use super::super::tests::host;
    use super::*;

    #[test]
    fn missing_parts_are_reported_with_advice_that_fits_the_host() {
        let unavailable =
            Unavailable { part: "bubblewrap", why: "it failed".to_owned(), cure: "install it".to_owned() };
        #[track_caller]
        fn check(unavailable: &Unavailable, files: &[(&str, &str)], advice: &str) {
            let (_folder, files) = host(files);
            let findings = inspect(&Err(vec![unavailable.clone()]), &files);
            assert_eq!((findings.len(), findings[0].grade), (1, Grade::Fair));
            assert!(findings[0].cure.as_ref().is_some_and(|found| found.contains(advice)), "{findings:?}");
        }
        check(&unavailable, &[], "install it");
        let ubuntu = ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
        check(&unavailable, &[ubuntu], "AppArmor profile");
        check(&unavailable, &[("proc/sys/user/max_user_namespaces", "0\n")], "user.max_user_namespaces");
    }
}

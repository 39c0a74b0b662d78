//! Cores: their number, their kinds, and whether their speed is constant.

use std::collections::BTreeSet;

use super::{Files, HostFinding};

const CPUS: &str = "sys/devices/system/cpu";

pub(super) fn inspect(files: &Files, allowed: &[usize]) -> Vec<HostFinding> {
    vec![
        cores(files, allowed),
        smt(files),
        alike(files, allowed),
        governor(files, allowed),
        turbo(files),
        quota(files),
    ]
}

fn cores(files: &Files, allowed: &[usize]) -> HostFinding {
    let siblings: BTreeSet<String> = allowed
        .iter()
        .map(|cpu| {
            let path = format!("{CPUS}/cpu{cpu}/topology/thread_siblings_list");
            files.line(&path).unwrap_or_else(|| cpu.to_string())
        })
        .collect();
    let found = format!("{} cores, {} CPUs that linesman may use", siblings.len(), allowed.len());
    if siblings.len() > 1 {
        return HostFinding::good("cores", found);
    }
    let advice = "run nothing else: the referee and the bots share one core";
    HostFinding::fair("cores", found, advice)
}

fn smt(files: &Files) -> HostFinding {
    match files.line(&format!("{CPUS}/smt/active")).as_deref() {
        Some("1") => HostFinding::fair(
            "SMT",
            "on: two threads share a core and slow each other down",
            "echo off | sudo tee /sys/devices/system/cpu/smt/control",
        ),
        Some(_) => HostFinding::good("SMT", "off"),
        None => HostFinding::good("SMT", "not reported by the system"),
    }
}

/// The different lines of this file of each CPU.
fn lines_of_each(files: &Files, cpus: &[usize], file: &str) -> BTreeSet<String> {
    cpus.iter().filter_map(|cpu| files.line(&format!("{CPUS}/cpu{cpu}/{file}"))).collect()
}

fn alike(files: &Files, allowed: &[usize]) -> HostFinding {
    let capacities = lines_of_each(files, allowed, "cpu_capacity");
    if capacities.len() > 1 || files.line("sys/devices/cpu_atom/cpus").is_some_and(|cpus| !cpus.is_empty()) {
        let advice = "run the league on cores of one kind: taskset -c 0-3 linesman ...";
        return HostFinding::fair("kinds of cores", "fast and slow cores", advice);
    }
    HostFinding::good("kinds of cores", "all alike, as far as the system reports")
}

fn governor(files: &Files, allowed: &[usize]) -> HostFinding {
    let governors = Vec::from_iter(lines_of_each(files, allowed, "cpufreq/scaling_governor"));
    if governors.is_empty() {
        return HostFinding::good("governor", "not reported by the system");
    }
    match governors.join(", ") {
        found if found == "performance" => HostFinding::good("governor", found),
        found => HostFinding::fair("governor", found, "sudo cpupower frequency-set -g performance"),
    }
}

fn turbo(files: &Files) -> HostFinding {
    let [no_turbo, boost] = [format!("{CPUS}/intel_pstate/no_turbo"), format!("{CPUS}/cpufreq/boost")]
        .map(|path| files.line(&path));
    let found = "on: a core is faster while the others are idle";
    match (no_turbo.as_deref(), boost.as_deref()) {
        (Some("0"), _) => HostFinding::fair(
            "turbo",
            found,
            "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo",
        ),
        (None, Some("1")) => {
            HostFinding::fair("turbo", found, "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost")
        }
        (None, None) => HostFinding::good("turbo", "not reported by the system"),
        _ => HostFinding::good("turbo", "off"),
    }
}

fn quota(files: &Files) -> HostFinding {
    let unified = files.read("proc/self/cgroup").and_then(|text| {
        let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?.to_owned();
        let quota = files.line(&format!("sys/fs/cgroup/{path}/cpu.max"))?;
        (!quota.starts_with("max")).then_some(quota)
    });
    let old = files.line("sys/fs/cgroup/cpu/cpu.cfs_quota_us").filter(|quota| !quota.starts_with('-'));
    match unified.or(old) {
        None => HostFinding::good("CPU quota", "none found"),
        Some(quota) => HostFinding::fair(
            "CPU quota",
            format!("{quota} us: bots stop while it is used up"),
            "give this container whole CPUs instead of a quota: docker run --cpuset-cpus 0-3",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Grade;
    use super::super::tests::{graded, host};
    use super::*;

    #[test]
    fn a_quiet_machine_is_good_and_a_laptop_fair() {
        let (_folder, quiet) = host(&[
            ("sys/devices/system/cpu/smt/active", "0\n"),
            ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n"),
            ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
            ("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"),
            ("proc/self/cgroup", "0::/a\n"),
            ("sys/fs/cgroup/a/cpu.max", "max 100000\n"),
        ]);
        let findings = inspect(&quiet, &[0, 1]);
        assert!(findings.iter().all(|finding| finding.grade == Grade::Good), "{findings:#?}");
        assert_eq!(graded(&findings, "cores").1, "2 cores, 2 CPUs that linesman may use");

        let (_folder, laptop) = host(&[
            ("sys/devices/system/cpu/smt/active", "1\n"),
            ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n"),
            ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("sys/devices/system/cpu/cpufreq/boost", "1\n"),
            ("sys/devices/cpu_atom/cpus", "4-7\n"),
            ("proc/self/cgroup", "0::/a\n"),
            ("sys/fs/cgroup/a/cpu.max", "150000 100000\n"),
        ]);
        let findings = inspect(&laptop, &[0, 1]);
        for finding in &findings {
            assert_eq!(graded(&findings, finding.what).0, Grade::Fair, "{finding:?}");
        }
    }

    #[test]
    fn facts_that_a_virtual_machine_does_not_report_are_good() {
        let (_folder, silent) = host(&[]);
        let findings = inspect(&silent, &[0, 1]);
        assert!(findings.iter().all(|finding| finding.grade == Grade::Good), "{findings:#?}");
    }
}

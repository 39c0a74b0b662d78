//! The load of a host, and kernel settings that disturb timing.

use super::{Files, HostFinding};
use linesman_sandbox::procfs::{CpuTicks, pressure_of_last_minute};

/// The minimum shares of time that is stolen or spent waiting, in percent, for the grades fair and bad.
const FAIR_SHARE: f64 = 1.0;
const BAD_SHARE: f64 = 10.0;

pub(super) fn inspect(files: &Files, cpu: Option<(CpuTicks, CpuTicks)>) -> Vec<HostFinding> {
    vec![pressure(files), steal(cpu), swap(files), huge_pages(files), core_pattern(files)]
}

pub(super) fn cpu_ticks(files: &Files) -> Option<CpuTicks> {
    CpuTicks::parse(&files.read("proc/stat")?)
}

/// The share of time that was stolen between two counts, in percent.
fn stolen_share(before: CpuTicks, after: CpuTicks) -> f64 {
    let all = after.all.saturating_sub(before.all).max(1);
    100.0 * after.stolen.saturating_sub(before.stolen) as f64 / all as f64
}

fn by_share(what: &'static str, share: f64, found: String, advice: &str) -> HostFinding {
    match share {
        share if share < FAIR_SHARE => HostFinding::good(what, found),
        share if share < BAD_SHARE => HostFinding::fair(what, found, advice),
        _ => HostFinding::bad(what, found, advice),
    }
}

fn pressure(files: &Files) -> HostFinding {
    match files.read("proc/pressure/cpu").and_then(|text| pressure_of_last_minute(&text)) {
        Some(share) => by_share(
            "pressure",
            share,
            format!("processes waited for a CPU during {share:.1} % of the last minute"),
            "close other programs, or play fewer games at once",
        ),
        None => HostFinding::fair(
            "pressure",
            "this kernel does not report waits for a CPU",
            "boot with `psi=1`, so that the records show overload",
        ),
    }
}

fn steal(cpu: Option<(CpuTicks, CpuTicks)>) -> HostFinding {
    let Some((before, after)) = cpu else {
        return HostFinding::good("steal", "not reported by the system");
    };
    let now = stolen_share(before, after);
    let ever = stolen_share(CpuTicks { all: 0, stolen: 0 }, after);
    by_share(
        "steal",
        now.max(ever),
        format!("the hypervisor took {now:.1} % of the CPU time just now, {ever:.1} % since boot"),
        "use a machine with dedicated CPUs; linesman reports affected moves and plays their games again",
    )
}

fn swap(files: &Files) -> HostFinding {
    let areas = files.read("proc/swaps").map_or(0, |text| text.lines().skip(1).count());
    if areas == 0 {
        return HostFinding::good("swap", "none");
    }
    let advice = "sudo swapoff -a: a bot that was swapped out may be late";
    HostFinding::fair("swap", format!("active swap areas: {areas}"), advice)
}

fn huge_pages(files: &Files) -> HostFinding {
    let mode = files.line("sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    if !mode.contains("[always]") {
        return HostFinding::good("huge pages", if mode.is_empty() { "none" } else { "on request" });
    }
    HostFinding::fair(
        "huge pages",
        "always: the kernel merges memory pages while bots think",
        "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
    )
}

fn core_pattern(files: &Files) -> HostFinding {
    let pattern = files.line("proc/sys/kernel/core_pattern").unwrap_or_default();
    match pattern.strip_prefix('|') {
        None => HostFinding::good("crashes", "no program is started when a bot crashes"),
        Some(handler) => {
            let handler = handler.split_ascii_whitespace().next().unwrap_or_default();
            HostFinding::fair(
                "crashes",
                format!("`{handler}` is started when a bot crashes without the sandbox"),
                "echo core | sudo tee /proc/sys/kernel/core_pattern",
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Grade;
    use super::super::tests::{graded, host};
    use super::*;

    #[test]
    fn an_idle_host_is_good() {
        let (_folder, quiet) = host(&[
            (
                "proc/pressure/cpu",
                "some avg10=9.00 avg60=0.20 avg300=0.00 total=1\nfull avg10=0.00 avg60=0.00\n",
            ),
            ("proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2\n"),
            ("proc/swaps", "Filename Type Size Used Priority\n"),
            ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
            ("proc/sys/kernel/core_pattern", "core\n"),
        ]);
        let cpu = cpu_ticks(&quiet);
        assert_eq!(cpu, Some(CpuTicks { all: 1000, stolen: 0 }));
        let findings = inspect(&quiet, cpu.zip(cpu));
        assert!(findings.iter().all(|finding| finding.grade == Grade::Good), "{findings:#?}");
    }

    #[test]
    fn a_host_with_other_work_is_not_good() {
        let (_folder, busy) = host(&[
            ("proc/pressure/cpu", "some avg10=9.00 avg60=42.50 avg300=0.00 total=1\n"),
            ("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n"),
            ("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n"),
            ("proc/sys/kernel/core_pattern", "|/usr/share/apport/apport -p%p\n"),
        ]);
        let (before, after) = (CpuTicks { all: 1000, stolen: 0 }, CpuTicks { all: 1100, stolen: 5 });
        let findings = inspect(&busy, Some((before, after)));
        let grades =
            ["pressure", "steal", "swap", "huge pages", "crashes"].map(|what| graded(&findings, what).0);
        assert_eq!(grades, [Grade::Bad, Grade::Fair, Grade::Fair, Grade::Fair, Grade::Fair]);
        assert!(graded(&findings, "steal").1.contains("5.0 % of the CPU time just now, 0.5 % since"));
        assert_eq!(graded(&findings, "swap").1, "active swap areas: 1");
        assert!(graded(&findings, "crashes").1.contains("`/usr/share/apport/apport`"));
    }
}

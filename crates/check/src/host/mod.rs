//! Findings on a host: its sandbox, CPUs and timers, with advice.

mod cpu;
mod layers;
mod system;
mod timer;

use std::path::{Path, PathBuf};

use linesman_sandbox::allowed_cpus;
use linesman_sandbox::isolation::{SandboxStatus, Unavailable};

use timer::Lateness;

/// A finding on one part of a host.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct HostFinding {
    /// The name of the part, in a word or two.
    pub what: &'static str,
    pub grade: Grade,
    pub found: String,
    /// Advice, unless the grade is good.
    pub cure: Option<String>,
}

#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Grade {
    /// Nothing needs to be improved.
    Good,
    /// Games can be played, but the finding is a disadvantage.
    Fair,
    /// Results can't be trusted, or bots can do harm.
    Bad,
}

impl Grade {
    pub fn word(self) -> &'static str {
        match self {
            Grade::Good => "good",
            Grade::Fair => "fair",
            Grade::Bad => "bad",
        }
    }
}

impl HostFinding {
    fn good(what: &'static str, found: impl Into<String>) -> HostFinding {
        HostFinding { what, grade: Grade::Good, found: found.into(), cure: None }
    }

    fn fair(what: &'static str, found: impl Into<String>, advice: impl Into<String>) -> HostFinding {
        HostFinding { what, grade: Grade::Fair, found: found.into(), cure: Some(advice.into()) }
    }

    fn bad(what: &'static str, found: impl Into<String>, advice: impl Into<String>) -> HostFinding {
        HostFinding { grade: Grade::Bad, ..HostFinding::fair(what, found, advice) }
    }
}

/// The files in which a host describes itself, below a root folder.
#[derive(Clone, Debug)]
struct Files(PathBuf);

impl Files {
    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(path)).ok()
    }

    /// Reads a file that has one line.
    fn line(&self, path: &str) -> Option<String> {
        Some(self.read(path)?.trim().to_owned())
    }
}

/// Examines this host: the sandbox that was found, and everything that affects the fair measurement of time. Takes
/// about half a second, in which timers are measured.
///
/// # Errors
/// The system refuses a timer.
pub fn inspect(sandbox: &Result<SandboxStatus, Vec<Unavailable>>) -> std::io::Result<Vec<HostFinding>> {
    let files = Files(Path::new("/").to_owned());
    let before = system::cpu_ticks(&files);
    let lateness = Lateness::measure()?;
    let after = system::cpu_ticks(&files);
    let mut findings = layers::inspect(sandbox, &files);
    findings.extend(cpu::inspect(&files, &allowed_cpus()));
    findings.extend(system::inspect(&files, before.zip(after)));
    findings.push(lateness.finding());
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn host(files: &[(&str, &str)]) -> (tempfile::TempDir, Files) {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("folders can be made");
            std::fs::write(path, text).expect("a file can be written");
        }
        let files = Files(folder.path().to_owned());
        (folder, files)
    }

    /// The grade and the words of the finding on one part.
    #[track_caller]
    pub(super) fn graded(findings: &[HostFinding], what: &str) -> (Grade, String) {
        let finding = findings.iter().find(|finding| finding.what == what).expect("it was looked at");
        assert_eq!(finding.cure.is_some(), finding.grade > Grade::Good, "{finding:?}");
        (finding.grade, finding.found.clone())
    }
}

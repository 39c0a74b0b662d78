//! Findings on a host: its sandbox, its CPUs and timers, and advice on what it lacks.

mod cpu;
mod layers;
mod system;
mod timer;

use std::path::{Path, PathBuf};

use linesman_sandbox::allowed_cpus;
use linesman_sandbox::isolation::{SandboxStatus, Unavailable};

pub use timer::Lateness;

/// A finding on one part of a host.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct HostFinding {
    /// A word or two for the part.
    pub what: &'static str,
    /// The grade.
    pub grade: Grade,
    /// The finding in words.
    pub found: String,
    /// Advice, if any.
    pub cure: Option<String>,
}

/// The grade of a finding.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Grade {
    /// Nothing has to be improved.
    Good,
    /// Games can be played, but better without it.
    Fair,
    /// Results can't be trusted, or bots can do harm.
    Bad,
}

impl Grade {
    /// The word for it.
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

    fn fair(what: &'static str, found: impl Into<String>, cure: impl Into<String>) -> HostFinding {
        HostFinding { what, grade: Grade::Fair, found: found.into(), cure: Some(cure.into()) }
    }

    fn bad(what: &'static str, found: impl Into<String>, cure: impl Into<String>) -> HostFinding {
        HostFinding { grade: Grade::Bad, ..HostFinding::fair(what, found, cure) }
    }
}

/// The files in which a system describes itself.
#[derive(Clone, Debug)]
struct Files(PathBuf);

impl Files {
    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(path)).ok()
    }

    /// A file of one line.
    fn line(&self, path: &str) -> Option<String> {
        Some(self.read(path)?.trim().to_owned())
    }
}

/// Examines this host: the sandbox that was found, and all that affects the fair
/// measurement of time. Takes about a second, in which timers are tried.
///
/// # Errors
/// A timer that this system refuses.
pub fn look(sandbox: &Result<SandboxStatus, Vec<Unavailable>>) -> std::io::Result<Vec<HostFinding>> {
    let files = Files(Path::new("/").to_owned());
    let before = system::CpuTime::read(&files);
    let lateness = Lateness::measure()?;
    let after = system::CpuTime::read(&files);
    let mut findings = layers::look(sandbox, &files);
    findings.extend(cpu::look(&files, &allowed_cpus()));
    findings.extend(system::look(&files, before.zip(after)));
    findings.push(lateness.finding());
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host that tells this of itself.
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

    /// A finding on one thing.
    #[track_caller]
    pub(super) fn graded(findings: &[HostFinding], what: &str) -> (Grade, String) {
        let finding = findings.iter().find(|finding| finding.what == what).expect("it was looked at");
        assert_eq!(finding.cure.is_some(), finding.grade > Grade::Good, "{finding:?}");
        (finding.grade, finding.found.clone())
    }
}

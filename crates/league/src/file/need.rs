//! Programs that must be on a machine for a bot to play there: `needs = ["python3 >= 3.11"]`.

use std::fmt;
use std::str::FromStr;

/// A program on the `PATH` that a bot needs.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Need {
    /// Its name.
    pub program: String,
    /// The minimum version; `None` if any version will do.
    pub min_version: Option<ProgramVersion>,
}

/// The version of a program, such as `3.11.2`.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ProgramVersion(Vec<u64>);

/// The maximum number of components of a version.
const MAX_NUMBERS: usize = 8;

impl ProgramVersion {
    /// Finds the first version in the output of a program: `Python 3.11.2`, `go version go1.19.8 linux/amd64`. A number
    /// without a dot counts only if there is no version with one.
    pub fn first_in(text: &str) -> Option<ProgramVersion> {
        let words =
            || text.split(|c: char| !c.is_ascii_digit() && c != '.').map(|word| word.trim_matches('.'));
        let read = |word: &str| word.parse().ok();
        words().filter(|word| word.contains('.')).find_map(read).or_else(|| words().find_map(read))
    }

    /// True if this version is `other` or a newer one. Missing components count as zeros.
    pub fn is_at_least(&self, other: &ProgramVersion) -> bool {
        let number = |version: &ProgramVersion, at: usize| version.0.get(at).copied().unwrap_or(0);
        (0..MAX_NUMBERS).map(|at| number(self, at)).ge((0..MAX_NUMBERS).map(|at| number(other, at)))
    }
}

impl fmt::Display for ProgramVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(u64::to_string).collect();
        f.write_str(&numbers.join("."))
    }
}

impl FromStr for ProgramVersion {
    type Err = NeedError;

    fn from_str(text: &str) -> Result<ProgramVersion, NeedError> {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: &str| is_number(part).then(|| part.parse().ok())?;
        let numbers: Option<Vec<u64>> = text.split('.').map(number).collect();
        numbers.filter(|numbers| numbers.len() <= MAX_NUMBERS).map(ProgramVersion).ok_or(NeedError::Version)
    }
}

/// The reason why a text is not a [`Need`].
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum NeedError {
    /// The text does not begin with the name of a program.
    #[error("must begin with the name of a program on the PATH, such as `python3`")]
    Program,
    /// The program is named by a path.
    #[error("must be the name of a program on the PATH, not a path: files of the bot need not be named here")]
    Path,
    /// The text after the name is not `>=` and a version.
    #[error("only `>=` and a version such as `3.11` can follow the name of the program")]
    Version,
}

impl FromStr for Need {
    type Err = NeedError;

    fn from_str(text: &str) -> Result<Need, NeedError> {
        let (program, min_version) = match text.split_once(">=") {
            Some((program, version)) => (program, Some(version.trim().parse()?)),
            None => (text, None),
        };
        let program = program.trim();
        if program.contains('/') {
            return Err(NeedError::Path);
        }
        if program.is_empty() || program.starts_with('-') || program.contains('\0') {
            return Err(NeedError::Program);
        }
        if program.contains(|c: char| c.is_whitespace() || "<>=".contains(c)) {
            return Err(NeedError::Version);
        }
        Ok(Need { program: program.to_owned(), min_version })
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.min_version {
            Some(version) => write!(f, "{} >= {version}", self.program),
            None => f.write_str(&self.program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_need_is_a_program_and_optionally_a_minimum_version() {
        let read = |text: &str| text.parse().map(|need: Need| need.to_string());
        assert_eq!(read("python3"), Ok("python3".to_owned()));
        assert_eq!(read(" g++>=12 "), Ok("g++ >= 12".to_owned()));
        assert_eq!(read("node >= 18.2"), Ok("node >= 18.2".to_owned()));
        for (text, error) in [
            ("", NeedError::Program),
            ("-x", NeedError::Program),
            (">= 3", NeedError::Program),
            ("bin/python3", NeedError::Path),
            ("python3 3.11", NeedError::Version),
            ("python3 > 3", NeedError::Version),
            ("python3 >= ", NeedError::Version),
            ("python3 >= 3.x", NeedError::Version),
            ("python3 >= 3..1", NeedError::Version),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn versions_are_found_in_output_and_compared_by_their_components() {
        for (text, version) in [
            ("Python 3.11.2", "3.11.2"),
            ("go version go1.19.8 linux/amd64", "1.19.8"),
            ("gcc (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022", "12.2.0"),
            ("openjdk 17 2021-09-14", "17"),
            ("v18.19.0", "18.19.0"),
        ] {
            assert_eq!(
                ProgramVersion::first_in(text).map(|found| found.to_string()).as_deref(),
                Some(version)
            );
        }
        assert_eq!(ProgramVersion::first_in("no version"), None);
        let is_at_least = |found: &str, least: &str| {
            found.parse::<ProgramVersion>().unwrap().is_at_least(&least.parse().unwrap())
        };
        for (least, found) in [("3.9", "3.11"), ("3.11", "3.11.1")] {
            assert!(is_at_least(found, least) && !is_at_least(least, found));
        }
        assert!(is_at_least("3", "3.0.0") && is_at_least("3.0.0", "3"));
    }
}

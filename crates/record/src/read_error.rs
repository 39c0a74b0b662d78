//! Errors in reading records, with their place and remedy.

use std::io;
use std::sync::Arc;

use super::checksum::Mismatch;
use super::format::VERSION;
use super::line_place::LinePlace;
use super::outcome::Malformed;
use super::text::printable;

/// The maximum number of bytes of a line's text that a message repeats.
const MAX_SHOWN: usize = 80;

/// A clause with the command that deletes a line of a file.
pub(crate) fn deletion(file: &str, line: u64) -> String {
    format!(
        "delete it with `{}` (a league then plays its game again; a Swiss or knockout tournament also plays later \
         games again if their pairings change)",
        deleting(file, [line])
    )
}

/// The command that deletes lines of a file and keeps the original next to it, as `FILE.bak`.
pub fn deleting(file: &str, lines: impl IntoIterator<Item = u64>) -> String {
    let lines: Vec<String> = lines.into_iter().map(|line| format!("{line}d")).collect();
    format!("sed -i.bak '{}' {}", lines.join(";"), quoted(file))
}

/// Quotes the name of a file so that a shell takes it as one word and not as an option.
fn quoted(file: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte);
    let before = if file.starts_with('-') { "./" } else { "" };
    if !file.is_empty() && file.bytes().all(is_plain) {
        return format!("{before}{file}");
    }
    format!("'{before}{}'", file.replace('\'', "'\\''"))
}

/// An error in a line, or in a source.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{problem}")]
pub struct ReadError {
    /// The place; line 0 is the source itself.
    pub place: LinePlace,
    /// The column in bytes, from 1, if it is known.
    pub column: Option<u64>,
    /// The problem.
    pub problem: ReadProblem,
}

/// The problem of a line or a source.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ReadProblem {
    /// The source can't be read.
    #[error("can't be read: {0}")]
    Io(Arc<io::Error>),
    /// The source is a directory.
    #[error("is a directory, not a file of records")]
    Directory,
    /// The line is too long to be a record.
    #[error("the line is longer than {most} bytes, the maximum length of a record")]
    TooLong {
        /// The maximum length in bytes.
        most: u64,
    },
    /// The line is not JSON.
    #[error("the line is not JSON: {what}")]
    NotJson {
        /// The parser's message.
        what: String,
    },
    /// The first line is not JSON, and does not even begin like a record.
    #[error("the line is not JSON: {what}")]
    NotRecords {
        /// The parser's message.
        what: String,
    },
    /// The line was changed after it was written.
    #[error("the line has changed since it was written: its checksum is `{}`, but its bytes give `{}`", .0.written, .0.computed)]
    Checksum(Mismatch),
    /// The line is JSON, but not a record.
    #[error("the line is not a game record: {what}")]
    NotARecord {
        /// The field that is missing or of the wrong type.
        what: String,
    },
    /// The record has a newer version of the format.
    #[error("the record has format version {v}, but this program reads versions up to {VERSION}")]
    Version {
        /// Its version.
        v: u32,
    },
    /// The parts of the record do not fit together.
    #[error("the record is invalid: {0}")]
    Malformed(Malformed),
    /// The record contradicts its context.
    #[error("{what}")]
    Contradiction {
        /// The description of the contradiction.
        what: String,
    },
}

impl ReadError {
    /// A problem with a line as a whole.
    pub fn at(place: &LinePlace, problem: ReadProblem) -> ReadError {
        ReadError { place: place.clone(), column: None, problem }
    }

    /// The remedy.
    pub fn hint(&self) -> Option<String> {
        const FORM: &str = "give a file of records, which has one JSON object per line; see \
                            docs/reference/records.md";
        let LinePlace { file, line } = &self.place;
        let delete = match &**file {
            "<stdin>" => format!("remove line {line} from the input"),
            file => deletion(file, *line),
        };
        Some(match &self.problem {
            ReadProblem::Io(_) => return None,
            ReadProblem::Directory => "give the `games.jsonl` in the run directory".to_owned(),
            ReadProblem::NotRecords { .. } => FORM.to_owned(),
            ReadProblem::TooLong { .. } if *line == 1 => FORM.to_owned(),
            ReadProblem::TooLong { .. } | ReadProblem::NotJson { .. } => {
                format!("restore the line, or {delete}")
            }
            ReadProblem::NotARecord { .. } | ReadProblem::Malformed(_) => {
                format!("fix the line (docs/reference/records.md describes records), or {delete}")
            }
            ReadProblem::Checksum(mismatch) => format!(
                "restore the line, or {delete}; remove `,\"check\":\"{}\"` from its end if you changed the line on \
                 purpose",
                printable(&mismatch.written, MAX_SHOWN)
            ),
            ReadProblem::Contradiction { .. } => format!("fix the line, or {delete}"),
            ReadProblem::Version { v: 0 } => "correct the version: versions start at 1".to_owned(),
            ReadProblem::Version { .. } => "use the newer linesman that wrote it".to_owned(),
        })
    }

    /// Returns true if only this line is broken, so that the others can be read once it is deleted.
    pub fn is_fixed_by_deleting(&self) -> bool {
        match self.problem {
            ReadProblem::NotJson { .. }
            | ReadProblem::NotARecord { .. }
            | ReadProblem::Malformed(_)
            | ReadProblem::Checksum(_)
            | ReadProblem::Contradiction { .. } => true,
            ReadProblem::TooLong { .. } => self.place.line > 1,
            ReadProblem::Io(_)
            | ReadProblem::Directory
            | ReadProblem::NotRecords { .. }
            | ReadProblem::Version { .. } => false,
        }
    }

    /// The place with its column, as compilers write it: `games.jsonl:12:7`.
    pub fn location(&self) -> String {
        match (self.place.line, self.column) {
            (0, _) => self.place.file.to_string(),
            (_, None) => self.place.to_string(),
            (_, Some(column)) => format!("{}:{column}", self.place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_deletes_the_lines_of_a_file_whatever_its_name() {
        for (file, lines, expected) in [
            ("runs/cup/games.jsonl", &[3][..], "sed -i.bak '3d' runs/cup/games.jsonl"),
            ("my games.jsonl", &[3, 7], "sed -i.bak '3d;7d' 'my games.jsonl'"),
            ("ada's.jsonl", &[1], "sed -i.bak '1d' 'ada'\\''s.jsonl'"),
            ("-n", &[1], "sed -i.bak '1d' ./-n"),
            ("$(x)", &[1], "sed -i.bak '1d' '$(x)'"),
        ] {
            assert_eq!(deleting(file, lines.iter().copied()), expected);
        }
    }
}

//! Reads records line by line, from any number of files, in a buffer that does not grow with the files.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::checksum::mismatch;
use crate::disk::{Disk, HostDisk};
use crate::format::{GameRecord, VERSION};
use crate::line_place::LinePlace;
use crate::read_error::{ReadError, ReadProblem};
use crate::scan;
use crate::summary::{LeagueGame, PlayedGame, PlayedRecord, RecordSummary};

/// The maximum length of a line in bytes. The longest possible game has a shorter record.
pub const MAX_LINE_BYTES: u64 = 64 << 20;

/// The maximum number of bytes of a longer line that are skipped to find the next line, as a multiple of the
/// maximum length.
const LINES_SKIPPED: u64 = 4;

/// A source of records.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// The standard input.
    Stdin,
}

impl From<&Path> for Source {
    /// `-` is the standard input.
    fn from(path: &Path) -> Source {
        if path == Path::new("-") { Source::Stdin } else { Source::File(path.to_owned()) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => path.display().fmt(f),
            Source::Stdin => f.write_str("<stdin>"),
        }
    }
}

/// An incomplete last line: the program or the machine that wrote it was stopped. It is neither a record nor
/// damage.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TornLine {
    /// The place of the line.
    pub place: LinePlace,
    /// Its length in bytes.
    pub bytes: u64,
}

/// Reads records from one source after the other.
///
/// As an iterator it yields complete records; with [`RecordReader::next_line`] the caller decides how much of
/// a line to parse. After an error reading continues with the next line, or with the next source if this one
/// can't be read.
pub struct RecordReader {
    disk: Arc<dyn Disk>,
    waiting: std::vec::IntoIter<Source>,
    open: Option<Opened>,
    line: Vec<u8>,
    torn: Vec<TornLine>,
    max_line_bytes: u64,
}

struct Opened {
    input: Box<dyn BufRead>,
    place: LinePlace,
    /// The length of the current line if the input's buffer contains all of it, so that it is not copied;
    /// otherwise 0.
    buffered: usize,
}

impl RecordReader {
    /// Reads these sources in this order.
    pub fn new(sources: impl IntoIterator<Item = Source>) -> RecordReader {
        RecordReader::on(Arc::new(HostDisk), sources)
    }

    /// Reads these sources in this order, with files on this disk.
    pub fn on(disk: Arc<dyn Disk>, sources: impl IntoIterator<Item = Source>) -> RecordReader {
        RecordReader {
            disk,
            waiting: sources.into_iter().collect::<Vec<_>>().into_iter(),
            open: None,
            line: Vec::new(),
            torn: Vec::new(),
            max_line_bytes: MAX_LINE_BYTES,
        }
    }

    /// Reads one file.
    pub fn file(path: &Path) -> RecordReader {
        RecordReader::new([Source::File(path.to_owned())])
    }

    /// Reads from an open input, under a name for messages.
    pub fn from_input(name: &str, input: impl Read + 'static) -> RecordReader {
        let mut reader = RecordReader::new([]);
        let place = LinePlace { file: name.into(), line: 0 };
        reader.open = Some(Opened { input: Box::new(BufReader::new(input)), place, buffered: 0 });
        reader
    }

    /// Sets another limit on the length of lines.
    #[cfg(test)]
    pub(crate) fn with_max_line_bytes(self, max_line_bytes: u64) -> RecordReader {
        RecordReader { max_line_bytes, ..self }
    }

    /// The capacity of the reader's own buffer, in bytes.
    #[cfg(test)]
    pub(crate) fn kept_bytes(&self) -> usize {
        self.line.capacity()
    }

    /// The torn last lines found so far.
    pub fn torn(&self) -> &[TornLine] {
        &self.torn
    }

    /// Reads the next line that is not empty; `None` at the end of the last source.
    ///
    /// # Errors
    /// A source that can't be read, or a line that is too long.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        if !self.advance()? {
            return Ok(None);
        }
        let Some(open) = &mut self.open else { return Ok(None) };
        let bytes = if open.buffered == 0 {
            &self.line
        } else {
            // The buffer already has the line, so this does not read.
            let buffer = open.input.fill_buf();
            &buffer.map_err(|error| failed(&open.place, error))?[..open.buffered]
        };
        Ok(Some(Line { place: &open.place, bytes: without_mark(bytes, &open.place).trim_ascii() }))
    }

    /// Skips the rest of a line that is too long, and fails. Closes the source if no line end is found.
    fn skip_long_line(&mut self) -> Result<bool, ReadError> {
        let max_bytes = self.max_line_bytes;
        let Some(open) = &mut self.open else { return Ok(false) };
        let place = open.place.clone();
        match skip_line(&mut open.input, max_bytes.saturating_mul(LINES_SKIPPED)) {
            Ok(true) => {}
            // A source without lines, such as `/dev/zero`, may have no end either.
            Ok(false) => self.open = None,
            Err(error) => {
                self.open = None;
                return Err(failed(&place, error));
            }
        }
        Err(ReadError::at(&place, ReadProblem::TooLong { most: max_bytes }))
    }

    /// Reads up to the next line that is not empty. Returns false at the end of the last source.
    fn advance(&mut self) -> Result<bool, ReadError> {
        loop {
            let Some(open) = &mut self.open else {
                let Some(source) = self.waiting.next() else { return Ok(false) };
                self.open = Some(Opened::new(&*self.disk, &source)?);
                continue;
            };
            open.input.consume(open.buffered);
            open.buffered = 0;
            open.place.line += 1;
            let max_bytes = self.max_line_bytes;
            let buffer = match open.input.fill_buf() {
                Ok(buffer) => buffer,
                // The loop below reads again.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => &[],
                Err(error) => {
                    let place = open.place.clone();
                    self.open = None;
                    return Err(failed(&place, error));
                }
            };
            if let Some(end) = memchr::memchr(b'\n', buffer).filter(|end| *end as u64 <= max_bytes) {
                open.buffered = end + 1;
                if without_mark(&buffer[..end], &open.place).trim_ascii().is_empty() {
                    continue;
                }
                return Ok(true);
            }
            self.line.clear();
            match (&mut open.input).take(max_bytes + 1).read_until(b'\n', &mut self.line) {
                Ok(0) => self.open = None,
                Ok(_) if self.line.len() as u64 > max_bytes && self.line.last() != Some(&b'\n') => {
                    return self.skip_long_line();
                }
                Ok(_) => {
                    let line = without_mark(&self.line, &open.place);
                    if line.trim_ascii().is_empty() {
                        continue;
                    }
                    if self.line.last() != Some(&b'\n') && is_torn(line) {
                        self.torn.push(TornLine { place: open.place.clone(), bytes: line.len() as u64 });
                        self.open = None;
                        continue;
                    }
                    return Ok(true);
                }
                Err(error) => {
                    let place = open.place.clone();
                    self.open = None;
                    return Err(failed(&place, error));
                }
            }
        }
    }
}

impl Iterator for RecordReader {
    type Item = Result<(LinePlace, GameRecord), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.next_line() {
            Ok(line) => line.map(|line| Ok((line.place().clone(), line.record()?))),
            Err(error) => Some(Err(error)),
        }
    }
}

impl Opened {
    fn new(disk: &dyn Disk, source: &Source) -> Result<Opened, ReadError> {
        let place = LinePlace { file: source.to_string().into(), line: 0 };
        let input: Box<dyn BufRead> = match source {
            Source::Stdin => Box::new(io::stdin().lock()),
            Source::File(path) => {
                let file = disk.read(path).map_err(|error| match error.kind() {
                    io::ErrorKind::IsADirectory => ReadError::at(&place, ReadProblem::Directory),
                    _ => failed(&place, error),
                })?;
                Box::new(BufReader::with_capacity(256 << 10, file))
            }
        };
        Ok(Opened { input, place, buffered: 0 })
    }
}

fn failed(place: &LinePlace, error: io::Error) -> ReadError {
    ReadError::at(place, ReadProblem::Io(Arc::new(error)))
}

/// Removes the byte order mark that some programs write at the start of a file.
fn without_mark<'b>(line: &'b [u8], place: &LinePlace) -> &'b [u8] {
    if place.line == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line }
}

/// Skips the rest of a line, up to a maximum number of bytes. Returns true if it reached the end of the
/// line or of the input.
fn skip_line(input: &mut dyn BufRead, max_bytes: u64) -> io::Result<bool> {
    let mut skipped = 0;
    while skipped <= max_bytes {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if used == 0 || end.is_some() {
            return Ok(true);
        }
        skipped += used as u64;
    }
    Ok(false)
}

/// Returns true if bytes without a line end are the beginning of a record: an object that ends too early, or
/// the zeros that a power cut leaves behind.
pub(crate) fn is_torn(line: &[u8]) -> bool {
    let zeros = line.iter().rev().take_while(|byte| **byte == 0).count();
    let line = line[..line.len() - zeros].trim_ascii_start();
    if line.is_empty() {
        return zeros > 0;
    }
    line[0] == b'{'
        && match serde_json::from_slice::<IgnoredAny>(line) {
            Err(error) => error.is_eof(),
            // The whole record, with zeros where its line end should be.
            Ok(_) => zeros > 0,
        }
}

/// A copy of a line.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct OwnedLine {
    place: LinePlace,
    bytes: Box<[u8]>,
}

impl OwnedLine {
    /// The line.
    pub fn line(&self) -> Line<'_> {
        Line { place: &self.place, bytes: &self.bytes }
    }
}

/// A line of a file of records that has not been parsed.
#[derive(Copy, Clone, Debug)]
pub struct Line<'r> {
    place: &'r LinePlace,
    bytes: &'r [u8],
}

impl<'r> Line<'r> {
    /// The place of the line.
    pub fn place(&self) -> &'r LinePlace {
        self.place
    }

    /// Its bytes, without the line end.
    pub fn bytes(&self) -> &'r [u8] {
        self.bytes
    }

    /// A copy that outlives the reader.
    pub fn to_owned_line(&self) -> OwnedLine {
        OwnedLine { place: self.place.clone(), bytes: self.bytes.into() }
    }

    /// Parses the whole record. It may contradict itself, which [`GameRecord::outcome`] checks.
    ///
    /// # Errors
    /// A line that is not a record, was changed after it was written, or has a newer format.
    pub fn record(&self) -> Result<GameRecord, ReadError> {
        self.check_bytes()?;
        let record: GameRecord = self.parsed()?;
        self.check_version(record.v)?;
        Ok(record)
    }

    /// Parses the part that a league counts, several times faster than the whole record.
    ///
    /// # Errors
    /// A line that is not a record, was changed after it was written, has a newer format, or contradicts
    /// itself.
    pub fn league_game(&self) -> Result<LeagueGame<'r>, ReadError> {
        self.check_bytes()?;
        let record: RecordSummary<'r> = self.parsed()?;
        self.check_version(record.v)?;
        record.league_game().map_err(|error| ReadError::at(self.place, ReadProblem::Malformed(error)))
    }

    /// Parses the players and the result, which is all that ratings need; faster still.
    ///
    /// # Errors
    /// A line that is not a record, was changed after it was written, has a newer format, or contradicts
    /// itself.
    pub fn played_game(&self) -> Result<PlayedGame<'r>, ReadError> {
        self.check_bytes()?;
        let record: PlayedRecord<'r> = match scan::played(self.bytes) {
            Some(record) => record,
            None => self.parsed()?,
        };
        self.check_version(record.v)?;
        record.game().map_err(|error| ReadError::at(self.place, ReadProblem::Malformed(error)))
    }

    /// Checks that the bytes are those that were written, if the line has a checksum.
    fn check_bytes(&self) -> Result<(), ReadError> {
        mismatch(self.bytes)
            .map_or(Ok(()), |mismatch| Err(ReadError::at(self.place, ReadProblem::Checksum(mismatch))))
    }

    fn parsed<T: Deserialize<'r>>(&self) -> Result<T, ReadError> {
        let parsed = if self.bytes.starts_with(b"{") {
            serde_json::from_slice(self.bytes)
        } else {
            // Serde would accept an array as the fields in their order, and name types of this program in its message
            // about a number.
            match serde_json::from_slice::<IgnoredAny>(self.bytes) {
                Ok(_) => {
                    let what = "a record must be a JSON object".to_owned();
                    return Err(ReadError::at(self.place, ReadProblem::NotARecord { what }));
                }
                Err(error) => Err(error),
            }
        };
        parsed.map_err(|error| {
            // A newer record may look different: then the version is the real problem.
            if let Ok(OnlyVersion { v }) = serde_json::from_slice(self.bytes)
                && let Err(newer) = self.check_version(v)
            {
                return newer;
            }
            let (line, column, what) = (error.line(), error.column(), error.to_string());
            let position = format!(" at line {line} column {column}");
            let what = what.strip_suffix(&position).unwrap_or(&what).to_owned();
            let problem = if error.is_data() {
                ReadProblem::NotARecord { what }
            } else if self.place.line == 1 && !self.bytes.starts_with(b"{") {
                ReadProblem::NotRecords { what }
            } else {
                ReadProblem::NotJson { what }
            };
            ReadError {
                column: Some(column as u64).filter(|column| *column > 0),
                ..ReadError::at(self.place, problem)
            }
        })
    }

    fn check_version(&self, v: u32) -> Result<(), ReadError> {
        match v {
            1..=VERSION => Ok(()),
            _ => Err(ReadError::at(self.place, ReadProblem::Version { v })),
        }
    }
}

#[derive(Deserialize)]
struct OnlyVersion {
    v: u32,
}

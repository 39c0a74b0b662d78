//! Reading records: one line after the other, from any number of files, in a
//! buffer that does not grow with them.

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

/// How long a line may be, in bytes. The longest game that can be played has
/// a record shorter than this.
pub const MOST_LINE_BYTES: u64 = 64 << 20;

/// How much of a longer line is skipped to find the next one, in lengths of
/// the longest line that is read.
const LINES_SKIPPED: u64 = 4;

/// Where records come from.
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

/// A last line that was not written to its end: the program or the machine
/// that wrote it was stopped. It is no record and no damage.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TornLine {
    /// Where it is.
    pub place: LinePlace,
    /// Number of bytes of it.
    pub bytes: u64,
}

/// Reads records from one source after the other.
///
/// As an iterator it yields whole records; [`RecordReader::next_line`] leaves
/// it to the caller what to read of a line. After an error reading goes on
/// with the next line, or with the next source if this one can't be read.
pub struct RecordReader {
    disk: Arc<dyn Disk>,
    waiting: std::vec::IntoIter<Source>,
    open: Option<Opened>,
    line: Vec<u8>,
    torn: Vec<TornLine>,
    most_line_bytes: u64,
}

struct Opened {
    input: Box<dyn BufRead>,
    place: LinePlace,
    /// How much of the input's buffer the current line takes, if it is whole in there:
    /// it is not copied then.
    held: usize,
}

impl RecordReader {
    /// Reads these sources in this order.
    pub fn new(sources: impl IntoIterator<Item = Source>) -> RecordReader {
        RecordReader::on(Arc::new(HostDisk), sources)
    }

    /// Reads these sources in this order, files from this disk.
    pub fn on(disk: Arc<dyn Disk>, sources: impl IntoIterator<Item = Source>) -> RecordReader {
        RecordReader {
            disk,
            waiting: sources.into_iter().collect::<Vec<_>>().into_iter(),
            open: None,
            line: Vec::new(),
            torn: Vec::new(),
            most_line_bytes: MOST_LINE_BYTES,
        }
    }

    /// Reads one file.
    pub fn file(path: &Path) -> RecordReader {
        RecordReader::new([Source::File(path.to_owned())])
    }

    /// Reads what is already open, under a name for messages.
    pub fn from_input(name: &str, input: impl Read + 'static) -> RecordReader {
        let mut reader = RecordReader::new([]);
        let place = LinePlace { file: name.into(), line: 0 };
        reader.open = Some(Opened { input: Box::new(BufReader::new(input)), place, held: 0 });
        reader
    }

    /// The same with another limit on lines.
    #[cfg(test)]
    pub(crate) fn with_most_line_bytes(self, most_line_bytes: u64) -> RecordReader {
        RecordReader { most_line_bytes, ..self }
    }

    /// How much is kept of what was read.
    #[cfg(test)]
    pub(crate) fn kept_bytes(&self) -> usize {
        self.line.capacity()
    }

    /// The torn last lines met so far.
    pub fn torn(&self) -> &[TornLine] {
        &self.torn
    }

    /// The next line that is not empty; none at the end of the last source.
    ///
    /// # Errors
    /// A source that can't be read, or a line that is too long.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        if !self.advance()? {
            return Ok(None);
        }
        let Some(open) = &mut self.open else { return Ok(None) };
        let bytes = if open.held == 0 {
            &self.line
        } else {
            // What is in the buffer is there without reading.
            let buffer = open.input.fill_buf();
            &buffer.map_err(|error| failed(&open.place, error))?[..open.held]
        };
        Ok(Some(Line { place: &open.place, bytes: trimmed(without_mark(bytes, &open.place)) }))
    }

    /// Skips the rest of a line that is too long, and fails; the file is closed where it has no line end.
    fn skip_long_line(&mut self) -> Result<bool, ReadError> {
        let most = self.most_line_bytes;
        let Some(open) = &mut self.open else { return Ok(false) };
        let place = open.place.clone();
        match skip_line(&mut open.input, most.saturating_mul(LINES_SKIPPED)) {
            Ok(Skipped::ToItsEnd) => {}
            // What has no lines, as `/dev/zero`, may have no end either.
            Ok(Skipped::InPart) => self.open = None,
            Err(error) => {
                self.open = None;
                return Err(failed(&place, error));
            }
        }
        Err(ReadError::at(&place, ReadProblem::TooLong { most }))
    }

    /// Reads up to the next line that holds something.
    fn advance(&mut self) -> Result<bool, ReadError> {
        loop {
            let Some(open) = &mut self.open else {
                let Some(source) = self.waiting.next() else { return Ok(false) };
                self.open = Some(Opened::new(&*self.disk, &source)?);
                continue;
            };
            open.input.consume(open.held);
            open.held = 0;
            open.place.line += 1;
            let most = self.most_line_bytes;
            let buffer = match open.input.fill_buf() {
                Ok(buffer) => buffer,
                // It is read on below.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => &[],
                Err(error) => {
                    let place = open.place.clone();
                    self.open = None;
                    return Err(failed(&place, error));
                }
            };
            if let Some(end) = memchr::memchr(b'\n', buffer).filter(|end| *end as u64 <= most) {
                open.held = end + 1;
                if trimmed(without_mark(&buffer[..end], &open.place)).is_empty() {
                    continue;
                }
                return Ok(true);
            }
            self.line.clear();
            match (&mut open.input).take(most + 1).read_until(b'\n', &mut self.line) {
                Ok(0) => self.open = None,
                Ok(_) if self.line.len() as u64 > most && self.line.last() != Some(&b'\n') => {
                    return self.skip_long_line();
                }
                Ok(_) => {
                    let line = without_mark(&self.line, &open.place);
                    if trimmed(line).is_empty() {
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
        Ok(Opened { input, place, held: 0 })
    }
}

fn failed(place: &LinePlace, error: io::Error) -> ReadError {
    ReadError::at(place, ReadProblem::Io(Arc::new(error)))
}

/// A line without the mark at the front of the first one that some programs write.
fn without_mark<'b>(line: &'b [u8], place: &LinePlace) -> &'b [u8] {
    if place.line == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line }
}

/// How far a line was skipped.
enum Skipped {
    ToItsEnd,
    InPart,
}

/// Skips the rest of a line, so many bytes of it at most.
fn skip_line(input: &mut dyn BufRead, most: u64) -> io::Result<Skipped> {
    let mut skipped = 0;
    while skipped <= most {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if used == 0 || end.is_some() {
            return Ok(Skipped::ToItsEnd);
        }
        skipped += used as u64;
    }
    Ok(Skipped::InPart)
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.trim_ascii()
}

/// Returns true if bytes without a line end are the beginning of a record: an object
/// that ends too early, or the zeros that a power cut leaves behind.
pub(crate) fn is_torn(line: &[u8]) -> bool {
    let zeros = line.iter().rev().take_while(|byte| **byte == 0).count();
    let line = line[..line.len() - zeros].trim_ascii_start();
    if line.is_empty() {
        return zeros > 0;
    }
    line[0] == b'{'
        && match serde_json::from_slice::<IgnoredAny>(line) {
            Err(error) => error.is_eof(),
            // All of the record, and zeros where its line end should be.
            Ok(_) => zeros > 0,
        }
}

/// A line that is kept for later.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct HeldLine {
    place: LinePlace,
    bytes: Box<[u8]>,
}

impl HeldLine {
    /// The line.
    pub fn line(&self) -> Line<'_> {
        Line { place: &self.place, bytes: &self.bytes }
    }
}

/// One line of a file of records, not yet read any closer.
#[derive(Copy, Clone, Debug)]
pub struct Line<'r> {
    place: &'r LinePlace,
    bytes: &'r [u8],
}

impl<'r> Line<'r> {
    /// Where it is.
    pub fn place(&self) -> &'r LinePlace {
        self.place
    }

    /// Its bytes, without the line end.
    pub fn bytes(&self) -> &'r [u8] {
        self.bytes
    }

    /// A copy of it that outlives its reader.
    pub fn held(&self) -> HeldLine {
        HeldLine { place: self.place.clone(), bytes: self.bytes.into() }
    }

    /// The whole record. Whether its parts fit together is not looked at:
    /// [`GameRecord::outcome`] does that.
    ///
    /// # Errors
    /// A line that is no record, is not as it was written, or is one of a newer format.
    pub fn record(&self) -> Result<GameRecord, ReadError> {
        self.check_bytes()?;
        let record: GameRecord = self.parsed()?;
        self.check_version(record.v)?;
        Ok(record)
    }

    /// The part that a league counts; several times faster than the whole record.
    ///
    /// # Errors
    /// A line that is no record, is not as it was written, is one of a newer format, or
    /// one whose parts do not fit together.
    pub fn league_game(&self) -> Result<LeagueGame<'r>, ReadError> {
        self.check_bytes()?;
        let record: RecordSummary<'r> = self.parsed()?;
        self.check_version(record.v)?;
        record.league_game().map_err(|error| ReadError::at(self.place, ReadProblem::Malformed(error)))
    }

    /// The players and the result, which is all that ratings need; faster still.
    ///
    /// # Errors
    /// A line that is no record, is not as it was written, is one of a newer format, or
    /// one whose parts do not fit together.
    pub fn played_game(&self) -> Result<PlayedGame<'r>, ReadError> {
        self.check_bytes()?;
        let record: PlayedRecord<'r> = match scan::played(self.bytes) {
            Some(record) => record,
            None => self.parsed()?,
        };
        self.check_version(record.v)?;
        record.game().map_err(|error| ReadError::at(self.place, ReadProblem::Malformed(error)))
    }

    /// Whether the bytes are those that were written, as far as the line says so.
    fn check_bytes(&self) -> Result<(), ReadError> {
        match mismatch(self.bytes) {
            None => Ok(()),
            Some(mismatch) => Err(ReadError::at(self.place, ReadProblem::Checksum(mismatch))),
        }
    }

    fn parsed<T: Deserialize<'r>>(&self) -> Result<T, ReadError> {
        // An array would be taken for the fields in their order.
        if !self.bytes.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(self.bytes).is_ok() {
            let what = "a record must be a JSON object".to_owned();
            return Err(ReadError::at(self.place, ReadProblem::NotARecord { what }));
        }
        serde_json::from_slice(self.bytes).map_err(|error| {
            // A newer record may well look different: then that is what is wrong.
            if let Ok(OnlyVersion { v }) = serde_json::from_slice(self.bytes)
                && let Err(newer) = self.check_version(v)
            {
                return newer;
            }
            let column = error.column() as u64;
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default().to_owned();
            let problem = if error.is_data() {
                ReadProblem::NotARecord { what }
            } else if self.place.line == 1 && !self.bytes.starts_with(b"{") {
                ReadProblem::NotRecords { what }
            } else {
                ReadProblem::NotJson { what }
            };
            ReadError {
                column: Some(column).filter(|column| *column > 0),
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

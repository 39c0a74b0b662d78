//! The table of a solved game and its file format.
//!
//! A file is a few lines of text, an empty line, and bytes:
//!
//! ```text
//! linesman table 1
//! game quixo
//! options size=3
//! version 0.1.0
//! kind numbered
//! bytes 19683
//! sha256 (of the bytes, in hexadecimal)
//! ```
//!
//! The kind `numbered` has a byte for each position: 128 for a draw, otherwise the number of plies to the end, plus 64
//! if the seat to move wins. The kind `keyed` has the positions to which one seat moves to hold the value of the start.
//! Each is a number: twice its key, plus 1 if the best value that the seat to move can have is a draw and not a loss.
//! The numbers are in ascending order, and each is stored as its distance from the previous one: seven bits in a byte,
//! the lowest first, with 128 added to all but the last byte.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, Read, Write};

use sha2::{Digest, Sha256};

use crate::cant_follow::{CantFollow, WrongTable};
use linesman_games::Rules;
use linesman_games::limits::is_limit;
use linesman_games::options::OptionValues;
use linesman_games::solvable::{Keyed, Outcome, Solvable};

const MAGIC: &str = "linesman table 1";
/// Maximum length of a line of the header, in bytes.
const MAX_LINE: u64 = 1024;

/// The table of a solved game.
#[derive(Clone, Eq, PartialEq)]
pub struct SolvedTable {
    game: String,
    options: String,
    version: String,
    digest: String,
    pub(super) known: KnownValues,
}

#[derive(Clone, Eq, PartialEq)]
pub(crate) enum KnownValues {
    /// The byte of each position, by its number; see [`retrograde`](super::retrograde).
    Numbered(Vec<u8>),
    /// The best value that positions can have, in ascending order of their keys.
    Keyed(Vec<(u64, Outcome)>),
}

impl SolvedTable {
    pub(crate) fn new<R: Rules>(options: &OptionValues, known: KnownValues) -> SolvedTable {
        SolvedTable {
            game: R::ID.to_owned(),
            options: options_of_rules(options),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            digest: digest(&known.bytes()),
            known,
        }
    }

    /// The game's id.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The options of the game, except for the limits on endless play.
    pub fn options(&self) -> &str {
        &self.options
    }

    /// Checks that the table is for a game with these options.
    ///
    /// # Errors
    /// The table is for another game, or for other options.
    pub fn check(&self, game: &str, options: &OptionValues) -> Result<(), WrongTable> {
        let asked = options_of_rules(options);
        if self.game == game && self.options == asked {
            return Ok(());
        }
        let named = |game: &str, options: &str| format!("{game} {options}").trim_end().to_owned();
        Err(WrongTable { of: named(&self.game, &self.options), asked: named(game, &asked) })
    }

    /// The SHA-256 of the values, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The numbers or keys of positions with which the table was made.
    pub(super) fn solvable<R: Rules>(
        &self,
        rules: &R,
        options: &OptionValues,
    ) -> Result<Solvable<R::Position>, CantFollow> {
        self.check(R::ID, options)?;
        let game = || R::ID.to_owned();
        let solvable = rules.solvable().map_err(|error| CantFollow::Unsolvable { game: game(), error })?;
        let fits = match (&solvable, &self.known) {
            (Solvable::Numbered(numbered), KnownValues::Numbered(bytes)) => {
                bytes.len() == numbered.positions() as usize
            }
            (Solvable::Keyed(_), KnownValues::Keyed(_)) => true,
            _ => false,
        };
        if fits { Ok(solvable) } else { Err(CantFollow::ForeignTable { game: game() }) }
    }

    /// Writes the table.
    ///
    /// # Errors
    /// `output` returns an error.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let SolvedTable { game, options, version, digest, known } = self;
        let (kind, bytes) = (known.kind(), known.bytes());
        writeln!(output, "{MAGIC}\ngame {game}\noptions {options}\nversion {version}\nkind {kind}")?;
        write!(output, "bytes {}\nsha256 {digest}\n\n", bytes.len())?;
        output.write_all(&bytes)
    }

    /// Reads a table as [`SolvedTable::write`] writes it.
    ///
    /// # Errors
    /// See [`BadTable`].
    pub fn read(input: &mut dyn BufRead) -> Result<SolvedTable, BadTable> {
        if line(input)? != MAGIC {
            return Err(BadTable::NoTable);
        }
        let mut field = |name: &'static str| {
            let line = line(input)?;
            let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
            value.map(str::to_owned).ok_or(BadTable::Head { field: name })
        };
        let (game, options, version) = (field("game")?, field("options")?, field("version")?);
        let (kind, length, promised) = (field("kind")?, field("bytes")?, field("sha256")?);
        let length: u32 = length.parse().map_err(|_| BadTable::Head { field: "bytes" })?;
        if !line(input)?.is_empty() {
            return Err(BadTable::Head { field: "an empty line" });
        }
        let mut bytes = Vec::new();
        // Another byte after the expected ones shows that the file is too long.
        input.take(u64::from(length) + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != u64::from(length) {
            return Err(BadTable::Length { expected: length, found: bytes.len() as u64 });
        }
        if digest(&bytes) != promised {
            return Err(BadTable::Damaged);
        }
        let known = KnownValues::read(&kind, bytes).ok_or(BadTable::Head { field: "kind" })?;
        Ok(SolvedTable { game, options, version, digest: promised, known })
    }
}

impl fmt::Debug for SolvedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SolvedTable { game, options, version, digest, known } = self;
        let kind = known.kind();
        write!(f, "SolvedTable {{ {game} {options}, {kind}, version {version}, digest {digest} }}")
    }
}

impl KnownValues {
    fn kind(&self) -> &'static str {
        match self {
            KnownValues::Numbered(_) => "numbered",
            KnownValues::Keyed(_) => "keyed",
        }
    }

    fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            KnownValues::Numbered(bytes) => Cow::Borrowed(bytes),
            KnownValues::Keyed(positions) => {
                let mut bytes = Vec::new();
                let mut last = 0;
                for (key, best) in positions {
                    let word = key << 1 | u64::from(*best != Outcome::Loss);
                    let mut step = word - last;
                    last = word;
                    while step >= 0x80 {
                        bytes.push(0x80 | step as u8);
                        step >>= 7;
                    }
                    bytes.push(step as u8);
                }
                Cow::Owned(bytes)
            }
        }
    }

    fn read(kind: &str, bytes: Vec<u8>) -> Option<KnownValues> {
        match kind {
            "numbered" => Some(KnownValues::Numbered(bytes)),
            "keyed" => {
                let mut positions = Vec::new();
                let (mut last, mut step, mut shift) = (0u64, 0u64, 0u32);
                for byte in bytes {
                    step |= u64::from(byte & 0x7f).checked_shl(shift)?;
                    shift += 7;
                    if byte & 0x80 == 0 {
                        last = last.checked_add(step)?;
                        let best = if last & 1 == 0 { Outcome::Loss } else { Outcome::Draw };
                        positions.push((last >> 1, best));
                        (step, shift) = (0, 0);
                    }
                }
                Some(KnownValues::Keyed(positions))
            }
            _ => None,
        }
    }
}

/// Returns the best value that a position can have by a table of kind `keyed`, if the table has the position.
pub(super) fn best_in_table<P>(
    keyed: &dyn Keyed<P>,
    known: &[(u64, Outcome)],
    position: &P,
) -> Option<Outcome> {
    let key = keyed.key(position)?;
    let index = known.binary_search_by_key(&key, |(key, _)| *key).ok()?;
    Some(known[index].1)
}

/// The options on which the rules depend, as text.
fn options_of_rules(options: &OptionValues) -> String {
    let options = options.iter().filter(|(name, _)| !is_limit(name));
    let words: Vec<String> = options.map(|(name, value)| format!("{name}={value}")).collect();
    words.join(",")
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn line(input: &mut dyn BufRead) -> Result<String, BadTable> {
    let mut line = Vec::new();
    input.take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(BadTable::NoTable);
    }
    String::from_utf8(line).map_err(|_| BadTable::NoTable)
}

/// The reason why a file is not a valid table.
#[derive(Debug, thiserror::Error)]
pub enum BadTable {
    /// The file is something else.
    #[error("it is not the table of a solved game (its first line must be `{MAGIC}`)")]
    NoTable,
    /// A line of the header is missing or malformed.
    #[error("its header lacks `{field}`")]
    Head {
        /// The expected field.
        field: &'static str,
    },
    /// The file was cut off, or something was appended.
    #[error("it must contain {expected} bytes but contains {}", fewer_or_more(*expected, *found))]
    Length {
        /// The number of bytes according to the header.
        expected: u32,
        /// The number of bytes in the file, or one more than expected if there are more.
        found: u64,
    },
    /// The bytes have changed since they were written.
    #[error("it is damaged: its contents don't match the digest in its header")]
    Damaged,
    /// The file can't be read.
    #[error("it can't be read")]
    Input(#[from] io::Error),
}

fn fewer_or_more(expected: u32, found: u64) -> String {
    if found > u64::from(expected) { "more".to_owned() } else { found.to_string() }
}

//! Opening files: text with one opening per line. `docs/reference/openings.md` describes them.
//!
//! ```text
//! # The text after a `#` is a comment.
//! game quixo
//! options size=5
//!
//! c1c5 a1a5
//! token o.x../...../...../...../.....:1:2 b1b5
//! ```

use std::collections::HashMap;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::{BadOpening, Opening};
use crate::file::{Diagnostic, did_you_mean, find_game};
use linesman_games::options::{OptionValues, split_options};
use linesman_games::{OptionError, Setup, bears_on_positions};

/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Maximum number of reported mistakes in a file.
const MAX_REPORTED: usize = 20;

const GAME: &str = "game";
const OPTIONS: &str = "options";

/// Reads the text of an opening file.
///
/// # Errors
/// A file that can't be read, is too large or is not UTF-8.
pub fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    let invalid = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    if bytes.len() as u64 > MAX_BYTES {
        return Err(invalid(format!("the file is larger than {} MiB", MAX_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| invalid("the file is not UTF-8 text".to_owned()))
}

/// The content of an opening file.
#[derive(Clone)]
pub struct OpeningFile {
    /// The game and options of the openings.
    pub setup: Arc<dyn Setup>,
    /// The openings, in the order of the file.
    pub openings: Vec<Placed>,
}

/// An opening with its place in a file.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Placed {
    pub opening: Opening,
    /// The number of its line, from 1.
    pub line: usize,
}

/// Two openings of a file that lead to the same position.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Alike {
    /// The line number of the later opening, from 1.
    pub line: usize,
    /// The line number of the earlier opening, from 1.
    pub first: usize,
}

/// Parses a file and plays all of its openings: in `for_game` if it is given, otherwise in the game that the file
/// names, with its options.
///
/// # Errors
/// All mistakes in the text with their byte ranges, up to a maximum number.
pub fn parse(text: &str, for_game: Option<&Arc<dyn Setup>>) -> Result<OpeningFile, Vec<Diagnostic>> {
    let mut head = Head::default();
    let mut lines = Vec::new();
    let mut mistakes = Vec::new();
    for (index, line) in lines_of(text).enumerate() {
        let mut words: Vec<Range<usize>> = line.words().collect();
        if words.is_empty() {
            continue;
        }
        let first = words.remove(0);
        match &text[first.clone()] {
            GAME | OPTIONS if !lines.is_empty() => {
                let mistake =
                    Diagnostic::new(format!("`{}` must come before the first opening", &text[first.clone()]));
                mistakes.push(mistake.at(first, "after an opening"));
            }
            GAME | OPTIONS => mistakes.extend(head.take(text, first, &words).err()),
            _ => lines.push((index + 1, line)),
        }
    }
    let setup = head.setup(text, for_game, &mut mistakes);
    let mut openings = Vec::new();
    if let Some(setup) = &setup {
        for (number, line) in &lines {
            match read_opening(line, &**setup) {
                Ok(opening) => openings.push(Placed { opening, line: *number }),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if lines.is_empty() && mistakes.is_empty() {
            let hint = "create openings with `linesman openings make`";
            mistakes.push(Diagnostic::new("the file contains no openings").at(0..0_usize, "").hint(hint));
        }
    }
    match setup {
        Some(setup) if mistakes.is_empty() => Ok(OpeningFile { setup, openings }),
        _ => Err(shortened(mistakes)),
    }
}

/// Keeps only the first of many mistakes, and adds the number of the others as a hint.
fn shortened(mut mistakes: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let more = mistakes.len().saturating_sub(MAX_REPORTED);
    mistakes.truncate(MAX_REPORTED);
    if let Some(last) = mistakes.last_mut().filter(|_| more > 0) {
        let mistakes = if more == 1 { "mistake" } else { "mistakes" };
        last.hint = Some(format!("and {more} more {mistakes} in this file"));
    }
    mistakes
}

/// Finds the openings of a file that lead to the same position as an earlier one, or to a symmetric one.
pub fn alike(file: &OpeningFile) -> Vec<Alike> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut alike = Vec::new();
    for Placed { opening, line } in &file.openings {
        let Ok(table) = opening.table(&*file.setup) else { continue };
        let first = *seen.entry(table.canonical_token()).or_insert(*line);
        if first != *line {
            alike.push(Alike { line: *line, first });
        }
    }
    alike
}

/// Writes the beginning of an opening file for a game, up to the first opening. Each line of `about` becomes a comment.
pub fn head(setup: &dyn Setup, about: &str) -> String {
    let mut text = String::new();
    for line in about.lines() {
        text.push_str(format!("# {line}").trim_end());
        text.push('\n');
    }
    writeln!(text, "{GAME} {}", setup.id()).expect("writing to a string can't fail");
    let options = options_of_positions(setup.options());
    if !options.is_empty() {
        writeln!(text, "{OPTIONS} {options}").expect("writing to a string can't fail");
    }
    text.push('\n');
    text
}

/// Prints the options that affect positions and moves.
fn options_of_positions(options: &OptionValues) -> String {
    let options = options.iter().filter(|(name, _)| bears_on_positions(name));
    let options: Vec<String> = options.map(|(name, value)| format!("{name}={value}")).collect();
    options.join(",")
}

/// A line without its comment.
#[derive(Clone, Debug)]
struct OpeningLine<'t> {
    /// The offset of its first byte in the file.
    start: usize,
    text: &'t str,
}

fn lines_of(text: &str) -> impl Iterator<Item = OpeningLine<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        // Some editors begin a file with a byte order mark.
        let mark = if start == 0 && line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let text = line[mark..].split('#').next().unwrap_or_default();
        let opening_line = OpeningLine { start: start + mark, text };
        start += line.len();
        opening_line
    })
}

impl OpeningLine<'_> {
    /// Returns the byte ranges of its words in the file.
    fn words(&self) -> impl Iterator<Item = Range<usize>> {
        let base = self.text.as_ptr() as usize;
        self.text.split_whitespace().map(move |word| {
            let at = self.start + (word.as_ptr() as usize - base);
            at..at + word.len()
        })
    }

    /// Returns the byte range from its first word to its last.
    fn span(&self) -> Range<usize> {
        let first = self.words().next().unwrap_or(self.start..self.start);
        first.start..self.words().last().map_or(first.end, |last| last.end)
    }
}

fn read_opening(line: &OpeningLine<'_>, setup: &dyn Setup) -> Result<Opening, Diagnostic> {
    let read = || {
        let opening = Opening::parse(line.text)?;
        opening.table(setup)?;
        Ok(opening)
    };
    read().map_err(|BadOpening { word, why }| {
        let place = word.and_then(|word| line.words().nth(word)).unwrap_or_else(|| line.span());
        Diagnostic::new(why).at(place, "")
    })
}

/// The byte ranges of the values in the lines before the first opening; an empty range for a missing value.
#[derive(Default)]
struct Head {
    game: Option<Range<usize>>,
    options: Option<Range<usize>>,
}

impl Head {
    /// Takes the value after `word`, which begins a line of the head. Exactly one word must follow, and each kind of
    /// line can occur only once.
    fn take(&mut self, text: &str, word: Range<usize>, rest: &[Range<usize>]) -> Result<(), Diagnostic> {
        let (slot, [twice, again, wrong, hint]) = if &text[word.clone()] == GAME {
            let wrong = "`game` must be followed by the name of one game";
            (&mut self.game, ["the file names two games", "the second", wrong, "write `game quixo`"])
        } else {
            let wrong = "`options` must be followed by one word";
            let hint = "write `options size=5,line=4`, without spaces";
            (&mut self.options, ["the file sets `options` twice", "the second time", wrong, hint])
        };
        if slot.is_some() {
            return Err(Diagnostic::new(twice).at(word, again));
        }
        let [value] = rest else {
            *slot = Some(text.len()..text.len());
            return Err(Diagnostic::new(wrong).at(word, "").hint(hint));
        };
        *slot = Some(value.clone());
        Ok(())
    }

    /// Determines the game of the openings. Adds the mistakes in the head to `mistakes`.
    fn setup(
        &self,
        text: &str,
        for_game: Option<&Arc<dyn Setup>>,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Option<Arc<dyn Setup>> {
        let Some(name) = &self.game else {
            let example = for_game.map_or("quixo", |setup| setup.id());
            let hint = format!("begin the file with the line `game {example}`");
            mistakes.push(Diagnostic::new("the file does not name its game").at(0..0_usize, "").hint(hint));
            return None;
        };
        if name.is_empty() {
            return None;
        }
        let game =
            find_game(&text[name.clone()], name.clone()).map_err(|mistake| mistakes.push(mistake)).ok()?;
        let place = self.options.clone().filter(|span| !span.is_empty()).unwrap_or_else(|| name.clone());
        let given = self.options.as_ref().map_or("", |span| &text[span.clone()]);
        let configured = split_options(given).and_then(|given| game.configure(&given));
        let setup = match configured {
            Ok(setup) => setup,
            Err(error) => {
                let hint = match &error {
                    OptionError::Unknown { name, known } => did_you_mean(name, known.iter().copied()),
                    _ => None,
                };
                mistakes.push(Diagnostic::new(error.to_string()).at(place, "").maybe_hint(hint));
                return None;
            }
        };
        let Some(required) = for_game else { return Some(setup) };
        if setup.id() != required.id() {
            let why = format!("the openings are for `{}`, but the game is `{}`", setup.id(), required.id());
            mistakes.push(Diagnostic::new(why).at(name.clone(), ""));
            return None;
        }
        let [given, played] = [&setup, required].map(|setup| options_of_positions(setup.options()));
        if given != played {
            let why = format!("the openings are for `{given}`, but the game is played with `{played}`");
            mistakes.push(Diagnostic::new(why).at(place, ""));
            return None;
        }
        Some(Arc::clone(required))
    }
}

//! The openings of a tournament file: listed in it, or read from another file.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Spanned;
use toml::de::DeValue;

use super::diagnostics::{Diagnostic, Source};
use super::keys::{openings as keys, top};
use super::reader::Reader;
use super::section::Section;
use super::tournament::ReadFromFile;
use crate::openings::{BadOpening, Opening, Openings, file};
use linesman_games::Setup;

/// Reads `[openings]`. The path of the openings file is relative to `folder`.
pub(super) fn openings(
    reader: &mut Reader,
    top: Section<'_>,
    game: Option<&Arc<dyn Setup>>,
    folder: &Path,
) -> Option<Openings> {
    let section = reader.table(top, &top::OPENINGS, &["openings"])?;
    let order = reader.or_default(section, &keys::ORDER);
    let list = match (section.get(&keys::FILE), section.get(&keys::LIST)) {
        (Some(file), Some(list)) => {
            let mistake = Diagnostic::new("`file` and `list` are both given");
            let hint = "keep one: name a file of openings, or list them here";
            reader.push(
                mistake.at(list.span(), "openings here").at(file.span(), "openings in a file").hint(hint),
            );
            None
        }
        (Some(_), None) => from_file(reader, section, game, folder),
        (None, Some(list)) => listed(reader, list, game),
        (None, None) => {
            let place = top.get(&top::OPENINGS).map_or(0..0, Spanned::span);
            let mistake = Diagnostic::new("`[openings]` has neither `file` nor `list`").at(place, "");
            let hint = "add `file = \"NAME\"` (`linesman openings make` creates such a file)";
            reader.missing(&["file", "list"], mistake.hint(hint));
            None
        }
    };
    Some(Openings { list: list?.into(), order })
}

fn from_file(
    reader: &mut Reader,
    section: Section<'_>,
    game: Option<&Arc<dyn Setup>>,
    folder: &Path,
) -> Option<Vec<Opening>> {
    let named = reader.spanned(section, &keys::FILE)?;
    let name = Path::new(named.get_ref());
    // Messages show the path without a leading `./`.
    let path = if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
    let shown = path.display().to_string();
    let text = match file::read(&path) {
        Ok(text) => text,
        Err(error) => {
            let mistake = Diagnostic::new(format!("can't read the openings file `{shown}`"));
            reader.push(mistake.at(named.span(), error.to_string()));
            return None;
        }
    };
    // Without the game the openings can't be checked.
    match file::parse(&text, Some(game?)) {
        Ok(read) => {
            let openings: Vec<Opening> = read.openings.into_iter().map(|placed| placed.opening).collect();
            let key = section.table.keys().find(|key| key.get_ref() == "file")?;
            let span = key.span().start..named.span().end;
            reader.read_from_files.push(ReadFromFile { span, text: as_list(&openings) });
            Some(openings)
        }
        Err(mistakes) => {
            let source = reader.add_source(Source { name: shown, text });
            for mut mistake in mistakes {
                mistake.annotations.iter_mut().for_each(|annotation| annotation.source = source);
                reader.push(mistake.at(named.span(), "the openings file is named here"));
            }
            None
        }
    }
}

/// Writes the openings as a key of the tournament file, which then needs no other file.
fn as_list(openings: &[Opening]) -> String {
    let line = |opening: &Opening| format!("  {},\n", toml::Value::from(opening.to_string()));
    format!("list = [\n{}]", openings.iter().map(line).collect::<String>())
}

fn listed(
    reader: &mut Reader,
    list: &Spanned<DeValue<'_>>,
    game: Option<&Arc<dyn Setup>>,
) -> Option<Vec<Opening>> {
    let expected = "an array of strings, each an opening";
    let DeValue::Array(entries) = list.get_ref() else {
        reader.wrong_type("list", expected, list);
        return None;
    };
    if entries.is_empty() {
        let mistake = Diagnostic::new("`list` is empty");
        reader.push(mistake.at(list.span(), "add at least one opening, such as `\"c1c5 a1a5\"`"));
    }
    let before = reader.mistakes.len();
    let mut openings = Vec::new();
    for entry in entries {
        let Some(line) = entry.get_ref().as_str() else {
            reader.wrong_type("list", expected, entry);
            continue;
        };
        match read_line(line, game) {
            Ok(opening) => openings.push(opening),
            Err(error) => {
                let place = word_of(line, &error, entry.span());
                reader.push(Diagnostic::new(error.why).at(place, ""));
            }
        }
    }
    (!entries.is_empty() && reader.mistakes.len() == before).then_some(openings)
}

fn read_line(line: &str, game: Option<&Arc<dyn Setup>>) -> Result<Opening, BadOpening> {
    let opening = Opening::parse(line)?;
    if let Some(game) = game {
        opening.table(&**game)?;
    }
    Ok(opening)
}

/// Returns the span of the wrong word, or of the whole string if it has escapes.
fn word_of(line: &str, error: &BadOpening, span: Range<usize>) -> Range<usize> {
    let is_plain = span.len() == line.len() + 2;
    let word = error.word.filter(|_| is_plain).and_then(|word| line.split_whitespace().nth(word));
    word.map_or(span.clone(), |word| {
        let at = span.start + 1 + (word.as_ptr() as usize - line.as_ptr() as usize);
        at..at + word.len()
    })
}

//! Reads the game and its options, and reports all mistakes in them.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::diagnostics::Diagnostic;
use super::keys::top;
use super::option_file::{OptionFile, OptionFileError};
use super::reader::{Pair, Reader, listed};
use super::section::Section;
use super::suggestion::did_you_mean;
use super::tournament::ReadFromFile;
use linesman_games::{GAMES, Game, OptionError, Setup};

/// Reads `game` and `options`. Paths of files are relative to `folder`.
pub(super) fn game(reader: &mut Reader, top: Section<'_>, folder: &Path) -> Option<Arc<dyn Setup>> {
    let mut options = reader.pairs_of(top, &top::OPTIONS);
    let Some(name) = reader.spanned(top, &top::GAME) else {
        if top.get(&top::GAME).is_none() {
            let hint = format!("add the game: `{}`", top::GAME.example());
            reader.missing(&["game"], Diagnostic::new("`game` is missing").hint(hint));
        }
        return None;
    };
    let game = find_game(name.get_ref(), name.span()).map_err(|mistake| reader.push(mistake)).ok()?;
    for option in &options {
        reader.spans.insert(&["options", option.name], option.span.clone());
    }
    let table_span = top.get(&top::OPTIONS).map(|table| table.span());
    let count = options.len();
    options.retain_mut(|option| read_file(reader, game, option, folder));
    let are_all_read = options.len() == count;
    configure(reader, game, options, table_span).filter(|_| are_all_read)
}

/// Finds the game with this name, which a file has at `span`.
pub(crate) fn find_game(name: &str, span: Range<usize>) -> Result<&'static Game, Diagnostic> {
    linesman_games::find(name).ok_or_else(|| {
        let hint = did_you_mean(name, GAMES.iter().map(|game| game.id));
        let hint = hint.unwrap_or_else(|| "run `linesman games` for a list of games".to_owned());
        Diagnostic::new(format!("there is no game `{name}`")).at(span, "unknown").hint(hint)
    })
}

/// Reads the value of an option from the file that it names, if it names one. Returns false on failure.
fn read_file(reader: &mut Reader, game: &Game, option: &mut Pair<'_>, folder: &Path) -> bool {
    let Some(file) = OptionFile::named_by(game, option.name, &option.text, folder) else { return true };
    let error = match file.read() {
        Ok(value) => {
            option.text.clone_from(&value);
            let text = toml::Value::from(value).to_string();
            reader.read_from_files.push(ReadFromFile { span: option.span.clone(), text });
            return true;
        }
        Err(error) => error,
    };
    let mistake = Diagnostic::new(format!("option `{}`: {error}", option.name));
    let mistake = match error {
        OptionFileError::Wrong { file, bad } => {
            let at = file.byte(bad.line, bad.column);
            let place = reader.add_source(file);
            mistake.at_source(place, at, "").at(option.span.clone(), "the file is named here")
        }
        OptionFileError::Read { error, .. } => mistake.at(option.span.clone(), error.to_string()),
        OptionFileError::NotText(_) | OptionFileError::TooLong(_) => {
            mistake.at(option.span.clone(), "the option's value is read from this file")
        }
    };
    reader.push(mistake);
    false
}

fn configure(
    reader: &mut Reader,
    game: &'static Game,
    mut options: Vec<Pair<'_>>,
    table_span: Option<Range<usize>>,
) -> Option<Arc<dyn Setup>> {
    let known: Vec<&str> = game.options.iter().map(|spec| spec.name).collect();
    let mut is_valid = true;
    options.retain(|option| {
        if known.contains(&option.name) {
            return true;
        }
        is_valid = false;
        let hint = did_you_mean(option.name, known.iter().copied())
            .unwrap_or_else(|| format!("use one of its options: {}", listed(&known)));
        let mistake = Diagnostic::new(format!("`{}` has no option `{}`", game.id, option.name));
        reader.push(mistake.at(option.name_span.clone(), "unknown").hint(hint));
        false
    });
    loop {
        let given: Vec<(&str, &str)> =
            options.iter().map(|option| (option.name, option.text.as_str())).collect();
        let error = match game.configure(&given) {
            Ok(setup) => return is_valid.then_some(setup),
            Err(error) => error,
        };
        is_valid = false;
        // The wrong option is removed to find the next mistake.
        let wrong = match &error {
            OptionError::Value { name, value, expected } => {
                Some((name, value, format!("must be {expected}"), None))
            }
            OptionError::Text { name, value, why } => {
                let hint = did_you_mean(value, linesman_games::options::named_texts(game.options, name));
                Some((name, value, why.clone(), hint))
            }
            _ => None,
        };
        let index = |name: &str| options.iter().position(|option| option.name == name);
        let Some((index, (name, value, label, hint))) =
            wrong.and_then(|wrong| Some((index(wrong.0)?, wrong)))
        else {
            reader.push(Diagnostic::new(error.to_string()).at(table_span, "with these options"));
            return None;
        };
        let mistake = Diagnostic::new(format!("option `{name}` can't be `{value}`"));
        reader.push(mistake.at(options.remove(index).span, label).maybe_hint(hint));
    }
}

//! The table `[test]`: which two strengths are told apart, and how surely.

use toml::Spanned;

use super::diagnostics::Diagnostic;
use super::reader::{Reader, Section, TEST};
use super::tournament::Entrant;
use linesman_games::Setup;
use linesman_rating::sprt::{Design, DesignError, Model};

/// How often each kind of error may happen if the file says nothing.
pub const DEFAULT_ERROR: f64 = 0.05;

/// The test that a file asks for; none if it has no such table or a wrong one.
pub(super) fn test(
    reader: &mut Reader,
    top: Section<'_>,
    game: Option<&dyn Setup>,
    entrants: &[Entrant],
) -> Option<Design> {
    let section = reader.table(top, "test", &TEST)?;
    reader.check_keys(section);
    for key in TEST.keys {
        if let Some(value) = section.get(key) {
            reader.spans.insert(format!("test.{key}"), value.span());
        }
    }
    let place = || top.get("test").map_or(0..0, Spanned::span);
    for key in ["elo0", "elo1"] {
        if section.get(key).is_none() {
            let mistake = Diagnostic::new(format!("`{key}` is missing in `[test]`"));
            let hint = "set the two Elo differences between which the test decides, such as `elo0 = 0` and `elo1 = 5`";
            reader.missing(&[key], mistake.at(place(), "here").hint(hint));
        }
    }
    let mut number = |key, default| match section.get(key) {
        Some(_) => reader.number(section, key).map(Spanned::into_inner),
        None => default,
    };
    let (elo0, elo1) = (number("elo0", None), number("elo1", None));
    let (alpha, beta) = (number("alpha", Some(DEFAULT_ERROR)), number("beta", Some(DEFAULT_ERROR)));
    let model = reader.word(section, "model", &Model::ALL, Model::word).unwrap_or(Model::Logistic);
    let sides = game.map_or(2, |game| game.teams().sides());
    if sides != 2 || entrants.len() > 2 {
        let what = if top.get("teams").is_some() { "teams" } else { "bots" };
        let mistake = Diagnostic::new(match sides {
            2 => format!("a test needs exactly two {what}, but there are {}", entrants.len()),
            _ => format!("a test needs a game of two sides, but this one has {sides}"),
        });
        reader.push(mistake.at(place(), "tests the first of two against the second"));
    }
    let design = Design::new(elo0?, elo1?, alpha?, beta?, model);
    let error = match design {
        Ok(design) => return Some(design),
        Err(error) => error,
    };
    let key = match error {
        DesignError::NotANumber(_) | DesignError::Order { .. } => "elo1".to_owned(),
        DesignError::Probability { which, .. } => which.to_string(),
        DesignError::Sum { .. } => "alpha".to_owned(),
    };
    let span = section.get(&key).map_or_else(place, Spanned::span);
    reader.push(Diagnostic::new(error.to_string()).at(span, "here"));
    None
}

//! The table `[test]`: the two strengths to be distinguished, and the error probabilities.

use toml::Spanned;

use super::diagnostics::Diagnostic;
use super::keys::{test as keys, top};
use super::reader::Reader;
use super::section::Section;
use super::tournament::Entrant;
use linesman_games::Setup;
use linesman_rating::sprt::{Design, DesignError};

/// Reads `[test]`. Returns `None` if the file has no such table, or one with mistakes.
pub(super) fn test(
    reader: &mut Reader,
    top: Section<'_>,
    game: Option<&dyn Setup>,
    entrants: &[Entrant],
) -> Option<Design> {
    let section = reader.table(top, &top::TEST, &["test"])?;
    let place = || top.get(&top::TEST).map_or(0..0, Spanned::span);
    for key in [&keys::ELO0, &keys::ELO1] {
        if section.get(key).is_none() {
            let mistake = Diagnostic::new(format!("`{}` is missing in `[test]`", key.name));
            let examples = [keys::ELO0.example(), keys::ELO1.example()].join("` and `");
            let hint =
                format!("set the two Elo differences between which the test decides, such as `{examples}`");
            reader.missing(&[key.name], mistake.at(place(), "here").hint(hint));
        }
    }
    let (elo0, elo1) = (reader.value(section, &keys::ELO0), reader.value(section, &keys::ELO1));
    let (alpha, beta) =
        (reader.given_or_default(section, &keys::ALPHA), reader.given_or_default(section, &keys::BETA));
    let model = reader.or_default(section, &keys::MODEL);
    let sides = game.map_or(2, |game| game.teams().sides());
    if sides != 2 || entrants.len() > 2 {
        let what = if top.get(&top::TEAMS).is_some() { "teams" } else { "bots" };
        let mistake = Diagnostic::new(match sides {
            2 => format!("a test needs exactly two {what}, but there are {}", entrants.len()),
            _ => format!("a test needs a game of two sides, but this game has {sides}"),
        });
        reader.push(mistake.at(place(), "tests the first of two against the second"));
    }
    let error = match Design::new(elo0?, elo1?, alpha?, beta?, model) {
        Ok(design) => return Some(design),
        Err(error) => error,
    };
    let key = match error {
        DesignError::NotANumber(_) | DesignError::Order { .. } => "elo1".to_owned(),
        DesignError::Probability { which, .. } => which.to_string(),
        DesignError::Sum { .. } => "alpha".to_owned(),
    };
    let span = section.named(&key).map_or_else(place, Spanned::span);
    reader.push(Diagnostic::new(error.to_string()).at(span, "here"));
    None
}

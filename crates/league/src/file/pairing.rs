//! The keys of a tournament file that determine the pairings.

use toml::Spanned;

use super::diagnostics::Diagnostic;
use super::keys::top;
use super::reader::{Reader, one_of};
use super::section::Section;
use super::suggestion::did_you_mean;
use super::tournament::{Entrant, PairingOptions, ScheduleKind};
use crate::schedule::swiss::Unit;
use crate::schedule::{ScheduleError, max_games};
use linesman_types::seat::Teams;

/// Reports keys that don't apply to a schedule of this kind.
pub(super) fn check_keys(reader: &mut Reader, top: Section<'_>, kind: ScheduleKind) {
    for (key, kinds) in top.keys.keys.iter().map(|key| (key.name(), key.only_for())) {
        let applies = kinds.is_empty() || kinds.contains(&kind);
        let Some(value) = top.named(key).filter(|_| !applies) else { continue };
        let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
        let mistake = Diagnostic::new(format!("`{key}` does not apply to a `{}`", kind.word()));
        let label = format!("only for {}", one_of(&words));
        let hint = match (key, kind) {
            ("rounds", ScheduleKind::Knockout) => {
                "remove it: a knockout has as many rounds as it needs; `best_of` sets the encounters of a match"
            }
            ("rounds", ScheduleKind::Ladder) => "remove it, or use `games` to end the ladder",
            ("games", ScheduleKind::Swiss) => "remove it: `rounds` sets the length of a Swiss",
            _ => "remove it, or choose another `schedule`",
        };
        reader.push(mistake.at(value.span(), label).hint(hint));
    }
}

/// Reads the other keys that determine the pairings.
pub(super) fn options(
    reader: &mut Reader,
    top: Section<'_>,
    kind: ScheduleKind,
    entrants: &[Entrant],
) -> PairingOptions {
    let single_games = reader.or_default(top, &top::SINGLE_GAMES);
    let best_of = reader.or_default(top, &top::BEST_OF);
    let sudden_death = reader.or_default(top, &top::SUDDEN_DEATH);
    let challengers = match kind {
        ScheduleKind::Gauntlet => challengers(reader, top, entrants),
        ScheduleKind::RoundRobin | ScheduleKind::Swiss | ScheduleKind::Knockout | ScheduleKind::Ladder => {
            Vec::new()
        }
    };
    if kind.has_seeds() {
        check_ratings(reader, top, entrants);
    }
    let unit = if single_games { Unit::Game } else { Unit::Encounter };
    PairingOptions { challengers, unit, best_of, sudden_death }
}

fn challengers(reader: &mut Reader, top: Section<'_>, entrants: &[Entrant]) -> Vec<usize> {
    let what = if top.get(&top::TEAMS).is_some() { "team" } else { "bot" };
    let Some(value) = top.get(&top::CHALLENGERS) else {
        let first = entrants.first().map_or("my-bot", |entrant| entrant.name.as_str());
        let hint = format!("name the {what}s that meet all others: `challengers = [\"{first}\"]`");
        reader.missing(&["challengers"], Diagnostic::new("a gauntlet needs `challengers`").hint(hint));
        return Vec::new();
    };
    let Some(entries) = value.get_ref().as_array() else {
        reader.wrong_type("challengers", &format!("an array of {what} names"), value);
        return Vec::new();
    };
    if entries.is_empty() {
        let mistake = Diagnostic::new("a gauntlet needs at least one challenger").at(value.span(), "empty");
        reader.push(mistake);
    }
    let mut challengers = Vec::new();
    for entry in entries {
        let Some(name) = entry.get_ref().as_str() else {
            reader.wrong_type("challengers", &format!("an array of {what} names"), entry);
            continue;
        };
        match entrants.iter().position(|entrant| entrant.name == name) {
            Some(index) if challengers.contains(&index) => {
                let mistake = Diagnostic::new(format!("challenger `{name}` is named twice"));
                reader.push(mistake.at(entry.span(), "remove this one"));
            }
            Some(index) => challengers.push(index),
            None => {
                let mistake = Diagnostic::new(format!("there is no {what} `{name}`"));
                let hint = did_you_mean(name, entrants.iter().map(|entrant| entrant.name.as_str()));
                let label = format!("a challenger must be one of the `[[{what}s]]`");
                reader.push(mistake.at(entry.span(), label).maybe_hint(hint));
            }
        }
    }
    challengers.sort_unstable();
    challengers
}

/// Checks that either all entrants have a rating or none has one, as seeding requires.
fn check_ratings(reader: &mut Reader, top: Section<'_>, entrants: &[Entrant]) {
    let with = entrants.iter().find(|entrant| entrant.elo.is_some());
    let without = entrants.iter().find(|entrant| entrant.elo.is_none());
    let (Some(with), Some(without)) = (with, without) else { return };
    let table = if top.get(&top::TEAMS).is_some() { "teams" } else { "bots" };
    let mistake = Diagnostic::new(format!("`{}` has no `elo`, but others have one", without.name));
    let mistake = mistake
        .at(reader.spans.find(&[table, &without.name]), "this one")
        .at(reader.spans.find(&[table, &with.name, "elo"]), "this one has");
    let hint = format!("give an `elo` to all {table}, or to none to seed by the order of the file");
    reader.push(mistake.hint(hint));
}

/// The parts of a tournament that determine its schedule.
pub(super) struct Plan<'p> {
    pub(super) kind: ScheduleKind,
    pub(super) rounds: u32,
    pub(super) games: Option<u64>,
    pub(super) options: &'p PairingOptions,
}

impl Plan<'_> {
    /// Checks that the schedule is possible with this number of entrants. `what` is the word for them.
    pub(super) fn check(
        &self,
        reader: &mut Reader,
        top: Section<'_>,
        teams: &Teams,
        entrants: usize,
        what: &str,
    ) {
        // Challengers that can't be used have been reported already.
        if self.kind == ScheduleKind::Gauntlet && self.options.challengers.is_empty() {
            return;
        }
        let place = |keys: &[&str]| keys.iter().find_map(|key| top.named(key)).map(Spanned::span);
        let at = |mistake: Diagnostic, keys: &[&str], label: String| mistake.at(place(keys), label);
        let with = format!("with {entrants} {what}");
        if let Err(error) = max_games(self.kind, entrants, teams, self.rounds, self.options) {
            let mistake = Diagnostic::new(match error {
                ScheduleError::TooManyRounds { most, .. } if teams.sides() == 2 => {
                    format!(
                        "`rounds` can't be {}: {entrants} {what} can play at most {most} without a rematch",
                        self.rounds
                    )
                }
                error => error.to_string(),
            });
            reader.push(match error {
                ScheduleError::NotTwoSides { .. } => at(mistake, &["schedule"], "here".to_owned()).hint(
                    "use `round-robin`, `gauntlet`, `swiss` or `ladder`, which take any number of sides",
                ),
                ScheduleError::TooManyRounds { .. } => at(mistake, &["rounds", "bots"], with)
                    .hint("lower `rounds`, or use `schedule = \"round-robin\"`, which takes any number"),
                ScheduleError::TooSmallField { .. } => at(mistake, &["challengers"], with)
                    .hint("name fewer challengers, or add opponents: challengers don't meet each other"),
                _ => at(mistake, &["rounds", "bots"], with),
            });
            return;
        }
        let sides = teams.sides() as u64;
        if let Some(games) =
            self.games.filter(|games| self.kind == ScheduleKind::Ladder && games % sides != 0)
        {
            let mistake = Diagnostic::new(format!("a ladder can't have {games} games"));
            let (below, above) = (games / sides * sides, games.div_ceil(sides) * sides);
            let hint =
                if below == 0 { format!("write {above}") } else { format!("write {below} or {above}") };
            let label = format!("must be a multiple of {sides}: an encounter has one game from each seat");
            reader.push(at(mistake, &["games"], label).hint(hint));
        }
    }
}

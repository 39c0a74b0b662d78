//! The teams of a tournament file.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use super::bot;
use super::diagnostics::Diagnostic;
use super::keys::{teams as keys, top};
use super::reader::Reader;
use super::section::Section;
use super::suggestion::did_you_mean;
use super::tournament::{Bot, Entrant};
use linesman_games::Setup;

/// Reads the entrants: the `[[teams]]`, or each bot for itself.
pub(super) fn entrants(
    reader: &mut Reader,
    top: Section<'_>,
    game: Option<&dyn Setup>,
    bots: &[(Bot, Range<usize>)],
) -> Vec<Entrant> {
    let Some(value) = top.get(&top::TEAMS) else {
        let alone = |(index, (bot, _)): (usize, &(Bot, _))| Entrant {
            name: bot.name.clone(),
            bots: vec![index],
            elo: bot.elo,
        };
        return bots.iter().enumerate().map(alone).collect();
    };
    let seats = game.map_or(2, |game| game.teams().seats() / game.teams().sides().max(1));
    if let Some(game) = game.filter(|_| seats < 2) {
        let mistake = Diagnostic::new(format!("`{}` is not a game of teams", game.id()));
        let hint = "remove `[[teams]]`";
        reader.push(mistake.at(value.span(), "every bot plays for itself").hint(hint));
        return Vec::new();
    }
    let Some(tables) = reader.tables(top, &top::TEAMS) else { return Vec::new() };
    let mut names = BTreeMap::new();
    let mut teams: Vec<(Entrant, Range<usize>)> = Vec::new();
    for (section, heading) in tables {
        if let Some(team) = team(reader, section, heading.clone(), &mut names, bots, seats) {
            refuse_same_bots(reader, &teams, &team, heading.clone());
            teams.push((team, heading));
        }
    }
    if value.get_ref().as_array().is_some_and(|entries| entries.len() == teams.len()) {
        check_field(reader, &teams, bots, value.span());
    }
    teams.into_iter().map(|(team, _)| team).collect()
}

fn team(
    reader: &mut Reader,
    section: Section<'_>,
    heading: Range<usize>,
    names: &mut BTreeMap<String, Range<usize>>,
    bots: &[(Bot, Range<usize>)],
    seats: usize,
) -> Option<Entrant> {
    reader.check_keys(section);
    let name = bot::name(reader, section, &keys::NAME, &heading, names, "team");
    let place = ["teams", name.as_deref().unwrap_or("?")];
    reader.spans.insert(&place, heading.clone());
    reader.note_spans(section, &place);
    let Some(value) = section.get(&keys::BOTS) else {
        let mistake = Diagnostic::new("a team has no `bots`").at(heading, "this team");
        reader.missing(&["bots"], mistake.hint(format!("name its bots: `{}`", keys::BOTS.example())));
        return None;
    };
    let members = team_bots(reader, value, bots, seats)?;
    let name = name?;
    if let Some((bot, bot_heading)) = bots.iter().enumerate().find_map(|(index, (bot, heading))| {
        (bot.name == name && members != [index]).then_some((bot, heading))
    }) {
        let mistake = Diagnostic::new(format!(
            "team `{name}` has the name of a bot, but does not consist of that bot alone"
        ));
        let place = section.get(&keys::NAME).map_or(bot_heading.clone(), |name| name.span());
        reader.push(mistake.at(place, "the team").at(bot_heading.clone(), format!("the bot `{}`", bot.name)));
    }
    Some(Entrant { name, bots: members, elo: reader.value(section, &keys::ELO) })
}

/// Reads the bots of a team, each once. A bot that is named twice takes both seats.
fn team_bots(
    reader: &mut Reader,
    value: &Spanned<DeValue<'_>>,
    bots: &[(Bot, Range<usize>)],
    seats: usize,
) -> Option<Vec<usize>> {
    let DeValue::Array(entries) = value.get_ref() else {
        reader.wrong_type("bots", "an array of bot names", value);
        return None;
    };
    if entries.is_empty() || entries.len() > seats {
        let mistake = Diagnostic::new(format!("a team can't have {} bots", entries.len()));
        let label = format!("name one bot for all seats of the team, or {seats}");
        reader.push(mistake.at(value.span(), label));
        return None;
    }
    let mut indices = Vec::new();
    for entry in entries {
        let Some(name) = entry.get_ref().as_str() else {
            reader.wrong_type("bots", "an array of bot names", entry);
            return None;
        };
        let Some(index) = bots.iter().position(|(bot, _)| bot.name == name) else {
            // The name may be that of a bot with mistakes.
            if !reader.spans.contains(&["bots", name]) {
                let mistake = Diagnostic::new(format!("there is no bot `{name}`"));
                let hint = did_you_mean(name, bots.iter().map(|(bot, _)| bot.name.as_str()));
                reader.push(mistake.at(entry.span(), "must be one of the `[[bots]]`").maybe_hint(hint));
            }
            return None;
        };
        if !indices.contains(&index) {
            indices.push(index);
        }
    }
    Some(indices)
}

/// Refuses a second team of the same bots: the games of the two teams could not be distinguished.
fn refuse_same_bots(
    reader: &mut Reader,
    teams: &[(Entrant, Range<usize>)],
    team: &Entrant,
    heading: Range<usize>,
) {
    let is_same = |other: &&(Entrant, Range<usize>)| {
        other.0.bots.len() == team.bots.len() && other.0.bots.iter().all(|bot| team.bots.contains(bot))
    };
    if let Some((first, at)) = teams.iter().find(is_same) {
        let mistake =
            Diagnostic::new(format!("teams `{}` and `{}` consist of the same bots", first.name, team.name));
        reader.push(mistake.at(heading, "the second").at(at.clone(), "the first"));
    }
}

/// Checks that there are enough teams, and that each bot is in at least one.
fn check_field(
    reader: &mut Reader,
    teams: &[(Entrant, Range<usize>)],
    bots: &[(Bot, Range<usize>)],
    list_span: Range<usize>,
) {
    if teams.len() < 2 {
        let place = teams.first().map_or(list_span, |(_, heading)| heading.clone());
        let mistake = Diagnostic::new("a league of teams needs at least two teams");
        reader.push(mistake.at(place, if teams.is_empty() { "no team" } else { "the only team" }));
    }
    for (index, (bot, heading)) in bots.iter().enumerate() {
        if !teams.iter().any(|(team, _)| team.bots.contains(&index)) {
            let mistake = Diagnostic::new(format!("bot `{}` is not in any team", bot.name));
            let hint = format!("add a team of its own, `bots = [\"{}\"]`, or remove the bot", bot.name);
            reader.push(mistake.at(heading.clone(), "this bot").hint(hint));
        }
    }
}

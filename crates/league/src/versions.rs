//! The versions of a bot over the life of a league.
//!
//! A bot is identified by its command and the digest of the files that the command names. With another command or other
//! files, it is another version, even under the same name in the plan, and plays its own games. In records and tables,
//! the first version has the name in the plan, `ada`, the second is `ada@2`, and so on: a name always means the same
//! program. No name in a plan contains an `@`.
//!
//! The version that plays follows from the records: a bot with the command and the digest of some version continues as
//! that version; any other bot is the next version. So no version has a number before it has a record, and a run that
//! is killed at any moment continues with the same numbers.
//!
//! The [`VersionRegistry`] next to the records lists the bots that a league has had and the current name of each, for
//! programs that read a league without its bots. It is written before the plan, and only if it contains more than the
//! plan.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::bots::Identity;
use crate::file::{Bot, ScheduleKind, Tournament};
use crate::version_name::{named, split_version};
use linesman_record::{LeagueGame, Program};

/// The command and digest of a version, according to its records.
type ProgramKey = (Option<String>, Option<String>);

/// The versions in records, by name, with the number of games of each program.
#[derive(Clone, Debug, Default)]
pub struct SeenVersions(BTreeMap<String, BTreeMap<ProgramKey, u64>>);

impl SeenVersions {
    /// Counts the seats of a record.
    pub fn add_game(&mut self, game: &LeagueGame<'_>) {
        for (name, program) in game.outcome.bots.values().zip(game.programs.values()) {
            self.add(name, program);
        }
    }

    /// Counts a seat of a record.
    pub fn add(&mut self, name: &str, program: &Program<'_>) {
        let (command, digest) = (program.command.as_deref(), program.digest.as_deref());
        // Nearly always the program has been seen before.
        if let Some(programs) = self.0.get_mut(name) {
            let is_known = |((known_command, known_digest), _): &(&ProgramKey, &mut u64)| {
                known_command.as_deref() == command && known_digest.as_deref() == digest
            };
            if let Some((_, games)) = programs.iter_mut().find(is_known) {
                *games += 1;
                return;
            }
        }
        let programs = self.0.entry(name.to_owned()).or_default();
        programs.insert((command.map(str::to_owned), digest.map(str::to_owned)), 1);
    }

    /// Determines the version of a bot. `first_name` is the name of its first version in records.
    pub fn version(&self, identity: &Identity, first_name: &str) -> Version {
        let entries = self.0.iter().filter(|(name, _)| split_version(name).0 == first_name);
        let mut versions: Vec<(u32, &BTreeMap<ProgramKey, u64>)> =
            entries.map(|(name, programs)| (split_version(name).1, programs)).collect();
        versions.sort_by_key(|(number, _)| *number);
        let current = versions.iter().find(|(_, programs)| programs.keys().any(|key| is_of(key, identity)));
        let others =
            versions.iter().filter(|(number, _)| Some(*number) != current.map(|(number, _)| *number));
        let games_of_others = others.flat_map(|(_, programs)| programs.values()).sum();
        let number = match (current, versions.last()) {
            (Some((number, _)), _) => *number,
            (None, Some((last, _))) => last + 1,
            (None, None) => 1,
        };
        Version {
            bot: identity.name.clone(),
            name: named(first_name, number),
            games: current.map_or(0, |(_, programs)| programs.values().sum()),
            games_of_others,
        }
    }
}

/// True if records with this key certainly belong to a bot, since they name its command.
fn is_surely_of(key: &ProgramKey, identity: &Identity) -> bool {
    key.0.is_some() && is_of(key, identity)
}

/// True if records with this key and a bot's name belong to it. Those without a command and a digest, which other
/// programs may have written, do.
fn is_of((command, digest): &ProgramKey, identity: &Identity) -> bool {
    match (command, digest) {
        (None, None) => true,
        (command, digest) => {
            command.as_ref().is_none_or(|command| *command == identity.command) && *digest == identity.digest
        }
    }
}

/// The version of a bot of a plan.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Version {
    /// Its name in the plan.
    pub bot: String,
    /// Its name in records.
    pub name: String,
    /// Number of its records.
    pub games: u64,
    /// Number of records of other versions with the same name in the plan.
    pub games_of_others: u64,
}

/// A bot was replaced although the course of the tournament depends on its results.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("bot `{bot}` is not the version that played {games_in_words} of this {what}")]
pub struct CantReplace {
    /// Its name in the plan.
    pub bot: String,
    /// `3 games`.
    pub games_in_words: String,
    /// The part of the tournament that fixes the roster.
    pub what: &'static str,
    /// The reason why it may not be replaced.
    pub why: &'static str,
}

/// Returns the part of a tournament that forbids replacing a bot, and the reason; `None` if the bot may be replaced.
pub fn fixed_roster(tournament: &Tournament, bot: &str) -> Option<(&'static str, &'static str)> {
    let in_team = |entrant: &crate::file::Entrant| {
        entrant.bots.len() > 1 && entrant.bots.iter().any(|member| tournament.bots[*member].name == bot)
    };
    match tournament.schedule {
        _ if tournament.test.is_some() => {
            Some(("test", "a test compares the same two programs from start to end"))
        }
        kind @ (ScheduleKind::Swiss | ScheduleKind::Knockout) => {
            Some((kind.word(), "the pairings depend on the results of everyone who takes part"))
        }
        _ if tournament.entrants.iter().any(in_team) => Some((
            "team",
            "a team with a changed program is a different team: give the team and the bot new names",
        )),
        _ => None,
    }
}

/// A tournament whose bots have the names of their versions, and these versions.
#[derive(Clone, Debug)]
pub struct Roster {
    /// The tournament, with those names.
    pub tournament: Tournament,
    /// The version of each of its bots, in its order.
    pub versions: Vec<Version>,
    /// The bots without games whose command and files are those of a former bot, each with the name of the former bot.
    twins: Vec<(String, String)>,
}

impl Roster {
    /// Determines the versions of a tournament's bots from the records.
    ///
    /// # Errors
    /// A bot was replaced although that is not allowed.
    pub fn of(
        tournament: &Tournament,
        identities: &[Identity],
        seen: &SeenVersions,
    ) -> Result<Roster, CantReplace> {
        let bots = || tournament.bots.iter().zip(identities);
        let versions: Vec<Version> =
            bots().map(|(bot, identity)| seen.version(identity, bot.first_name())).collect();
        let is_replaced = |(bot, version): &(&Bot, &Version)| version.name != bot.first_name();
        for (_, version) in tournament.bots.iter().zip(&versions).filter(is_replaced) {
            if let Some((what, why)) = fixed_roster(tournament, &version.bot) {
                let games_in_words = games_in_words(version.games_of_others);
                return Err(CantReplace { bot: version.bot.clone(), games_in_words, what, why });
            }
        }
        let names = versions.iter().map(|version| (version.bot.as_str(), version.name.as_str())).collect();
        let is_new = |version: &&Version| version.games + version.games_of_others == 0;
        let takes_part = |name: &str| tournament.bots.iter().any(|bot| bot.first_name() == name);
        let former = seen.0.iter().filter(|(name, _)| !takes_part(split_version(name).0));
        let twin = |version: &Version, identity: &Identity| {
            let mut former = former.clone();
            let found = former.find(|(_, programs)| programs.keys().any(|key| is_surely_of(key, identity)));
            found.map(|(former, _)| (version.bot.clone(), split_version(former).0.to_owned()))
        };
        let new = versions.iter().zip(identities).filter(|(version, _)| is_new(version));
        let twins = new.filter_map(|(version, identity)| twin(version, identity)).collect();
        Ok(Roster { tournament: renamed(tournament, &names), versions, twins })
    }

    /// Returns notes on changes of the versions. `before` is the registry before this run.
    pub fn notes(&self, before: &VersionRegistry) -> Vec<String> {
        let note = |version: &Version| {
            let Version { bot, name, .. } = version;
            if split_version(name).0 != bot && !before.bots.contains_key(bot) {
                let games = games_in_words(version.games + version.games_of_others);
                Some(format!(
                    "`{bot}` continues with the {games} of `{}` (`was`); records and tables call it `{name}`",
                    split_version(name).0
                ))
            } else if version.games == 0 && version.games_of_others > 0 {
                Some(format!(
                    "`{bot}` is a new version: its command or its files have changed. It plays its own games as \
                     `{name}`; earlier versions keep their {}.",
                    games_in_words(version.games_of_others)
                ))
            } else if version.games > 0 && before.name_of(bot) != name {
                Some(format!(
                    "`{bot}` is again the version that played {}: it continues as `{name}`",
                    games_in_words(version.games)
                ))
            } else {
                None
            }
        };
        let twins = self.twins.iter().map(|(bot, former)| {
            format!("`{bot}` has the same command and files as `{former}`: add `was = \"{former}\"` to keep its games")
        });
        self.versions.iter().filter_map(note).chain(twins).collect()
    }
}

fn games_in_words(games: u64) -> String {
    format!("{games} game{}", if games == 1 { "" } else { "s" })
}

/// Renames bots of a tournament. `names` has the new names by the names in the plan.
fn renamed(tournament: &Tournament, names: &BTreeMap<&str, &str>) -> Tournament {
    let mut renamed = tournament.clone();
    let new = |name: &str| names.get(name).map_or_else(|| name.to_owned(), |new| (*new).to_owned());
    for entrant in &mut renamed.entrants {
        // A team of one bot with another name than the bot keeps its name.
        if let [bot] = entrant.bots.as_slice()
            && tournament.bots[*bot].name == entrant.name
        {
            entrant.name = new(&entrant.name);
        }
    }
    for bot in &mut renamed.bots {
        bot.name = new(&bot.name);
        // The name in records replaces the former name as well.
        bot.original_name = None;
    }
    renamed.rating.anchor = renamed.rating.anchor.as_deref().map(new);
    renamed
}

/// Gives the bots of a tournament these names, in its order.
pub(crate) fn playing_as<'n>(tournament: &Tournament, names: impl Iterator<Item = &'n str>) -> Tournament {
    let names = tournament.bots.iter().map(|bot| bot.name.as_str()).zip(names).collect();
    renamed(tournament, &names)
}

/// Gives the bots of a tournament the names that they had when they played their first games.
pub fn by_first_names(tournament: &Tournament) -> Tournament {
    let names: BTreeMap<&str, &str> =
        tournament.bots.iter().map(|bot| (bot.name.as_str(), bot.first_name())).collect();
    let mut renamed = renamed(tournament, &names);
    renamed.spans = tournament.spans.renamed(|name| names.get(name).copied().unwrap_or(name).to_owned());
    renamed
}

/// The bots that a league has had, and the names under which they play now.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct VersionRegistry {
    /// The names that the league has had, the current one last; empty if the name follows from the plan and the
    /// directory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    /// The entries of the bots, by their names in the plan.
    bots: BTreeMap<String, Registered>,
}

/// The entry of a bot in the registry.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
struct Registered {
    /// The name under which it plays; `None` if it was removed.
    plays_as: Option<String>,
}

impl VersionRegistry {
    /// Parses the output of [`VersionRegistry::text`]; `None` for any other text.
    pub fn parse(text: &str) -> Option<VersionRegistry> {
        serde_json::from_str(text).ok()
    }

    /// Formats the registry as the JSON of its file.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("names are texts");
        text.push('\n');
        text
    }

    /// Returns the registry when this roster plays. `removed` are bots that were removed from the plan.
    #[must_use]
    pub fn with(&self, roster: &Roster, removed: &[String]) -> VersionRegistry {
        let mut registry = self.without(removed);
        registry.bots.values_mut().for_each(|bot| bot.plays_as = None);
        let entry = |version: &Version| Registered { plays_as: Some(version.name.clone()) };
        registry.bots.extend(roster.versions.iter().map(|version| (version.bot.clone(), entry(version))));
        registry
    }

    /// Returns the registry after these bots were removed from the plan as well.
    #[must_use]
    pub fn without(&self, removed: &[String]) -> VersionRegistry {
        let mut registry = self.clone();
        registry.bots.extend(removed.iter().map(|bot| (bot.clone(), Registered { plays_as: None })));
        registry
    }

    /// Returns the registry when the league has this name.
    #[must_use]
    pub fn named(&self, name: &str) -> VersionRegistry {
        let mut registry = self.clone();
        registry.names.retain(|known| known != name);
        registry.names.push(name.to_owned());
        registry
    }

    /// Returns the names that the league has had, the current one last; empty if the name follows from the plan and the
    /// directory.
    pub fn league_names(&self) -> &[String] {
        &self.names
    }

    /// True if the registry contains more than the plan: names of the league, a removed bot, or a bot that plays under
    /// another name.
    pub fn exceeds_plan(&self) -> bool {
        !self.names.is_empty() || self.bots.iter().any(|(bot, entry)| entry.plays_as.as_ref() != Some(bot))
    }

    /// Returns the name under which a bot of the plan plays.
    pub fn name_of<'n>(&'n self, bot: &'n str) -> &'n str {
        self.bots.get(bot).and_then(|entry| entry.plays_as.as_deref()).unwrap_or(bot)
    }

    /// Gives the bots of a tournament the names under which they play.
    pub fn applied(&self, tournament: &Tournament) -> Tournament {
        let name = |bot: &'_ Bot| -> String {
            let registered = self.bots.get(&bot.name).and_then(|entry| entry.plays_as.clone());
            registered
                .filter(|name| split_version(name).0 == bot.first_name())
                .unwrap_or_else(|| bot.first_name().to_owned())
        };
        let names: Vec<String> = tournament.bots.iter().map(name).collect();
        let names = tournament.bots.iter().zip(&names).map(|(bot, name)| (&*bot.name, &**name)).collect();
        renamed(tournament, &names)
    }

    /// Returns the names in the plan of all bots that the league has had.
    pub fn bots(&self) -> BTreeSet<&str> {
        self.bots.keys().map(String::as_str).collect()
    }

    /// True if a name in a record is that of a version of a bot that the league has had: a bot of this registry, or of
    /// the tournament, whose bots have the names of their versions.
    pub fn knows(&self, name: &str, tournament: &Tournament) -> bool {
        let bot = split_version(name).0;
        self.bots.contains_key(bot) || tournament.bots.iter().any(|other| split_version(&other.name).0 == bot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots;
    use std::borrow::Cow;

    fn identity(name: &str, command: &str, digest: Option<&str>) -> Identity {
        Identity {
            name: name.to_owned(),
            command: command.to_owned(),
            program: bots::Program::ThisBinary,
            digest: digest.map(str::to_owned),
        }
    }

    fn seen(seats: &[(&str, Option<&str>, Option<&str>)]) -> SeenVersions {
        let mut seen = SeenVersions::default();
        for (name, command, digest) in seats {
            let [command, digest] = [command, digest].map(|text| text.map(Cow::Borrowed));
            seen.add(name, &Program { command, digest, time_control: None });
        }
        seen
    }

    #[test]
    fn names_are_split_at_the_number_of_the_version() {
        for (name, parts) in [
            ("ada", ("ada", 1)),
            ("ada@2", ("ada", 2)),
            ("ada@12", ("ada", 12)),
            ("ada@1", ("ada@1", 1)),
            ("ada@two", ("ada@two", 1)),
        ] {
            assert_eq!(split_version(name), parts);
        }
    }

    #[test]
    fn a_version_is_identified_by_its_command_and_files() {
        let seen = seen(&[
            ("ada", Some("./ada"), Some("1")),
            ("ada", Some("./ada"), Some("1")),
            ("ada@2", Some("./ada"), Some("2")),
            ("bob", Some("./bob"), None),
            ("dan", None, None),
        ]);
        for (bot, name, games, of_others) in [
            (identity("ada", "./ada", Some("1")), "ada", 2, 1),
            (identity("ada", "./ada", Some("2")), "ada@2", 1, 2),
            (identity("ada", "./ada", Some("3")), "ada@3", 0, 3),
            (identity("ada", "./ada -x", Some("1")), "ada@3", 0, 3),
            (identity("bob", "./bob", None), "bob", 1, 0),
            (identity("bob", "./bob -x", None), "bob@2", 0, 1),
            (identity("cleo", "./cleo", Some("1")), "cleo", 0, 0),
            (identity("dan", "./dan", Some("1")), "dan", 1, 0),
        ] {
            let version = seen.version(&bot, &bot.name);
            assert_eq!((&*version.name, version.games, version.games_of_others), (name, games, of_others));
        }
    }
}

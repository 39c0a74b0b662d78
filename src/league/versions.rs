//! The versions of a bot over the life of a league.
//!
//! A bot is its command and the digest of the files that the command names. One
//! of another command or of other files is another version, even under the same
//! name in the plan, and plays games of its own. In records and tables the first
//! version has the name of the plan, `ada`, the second is `ada@2`, and so on: a
//! name never comes to mean another program. No name in a plan has an `@`.
//!
//! Which version plays follows from the records: a bot whose command and digest
//! are those of some version goes on as that version, any other is the next one.
//! So nothing is numbered before it has left a record, and a run that is killed
//! at any moment goes on with the same numbers.
//!
//! The [`Register`] beside the records says which bots a league has had and by
//! which name each of them plays now, for those who read a league without its
//! bots. It is written before the plan in the directory is, and only where it
//! says more than the plan.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::league::bots::Identity;
use crate::league::file::{ScheduleKind, Tournament};
use crate::record::{LeagueGame, Program, ReadError, RecordReader};

/// What stands between a bot's name and the number of its version.
const SIGN: char = '@';

/// A name in records, parted: the name in the plan, and the number of the version, from 1.
pub fn parted(name: &str) -> (&str, u32) {
    let numbered = name.rsplit_once(SIGN);
    let numbered = numbered.and_then(|(bot, number)| Some((bot, number.parse().ok()?)));
    numbered.filter(|(_, number)| *number > 1).unwrap_or((name, 1))
}

/// The name in records of a version of a bot.
fn named(bot: &str, number: u32) -> String {
    if number == 1 { bot.to_owned() } else { format!("{bot}{SIGN}{number}") }
}

/// By what a version is started, as its records say.
type Means = (Option<String>, Option<String>);

/// The versions that stand in records, with their numbers of games, by name.
#[derive(Clone, Debug, Default)]
pub struct SeenVersions(BTreeMap<String, BTreeMap<Means, u64>>);

impl SeenVersions {
    /// Those of all records of a file.
    ///
    /// # Errors
    /// The first record that can't be read.
    pub fn read(mut reader: RecordReader) -> Result<SeenVersions, ReadError> {
        let mut seen = SeenVersions::default();
        while let Some(line) = reader.next_line()? {
            seen.add_game(&line.league_game()?);
        }
        Ok(seen)
    }

    /// Counts the seats of a record.
    pub fn add_game(&mut self, game: &LeagueGame<'_>) {
        for (name, program) in game.outcome.bots.values().zip(game.programs.values()) {
            self.add(name, program);
        }
    }

    /// Counts a seat of a record.
    pub fn add(&mut self, name: &str, program: &Program<'_>) {
        let (command, digest) = (program.command.as_deref(), program.digest.as_deref());
        // Nearly always it is one program that was seen before.
        if let Some(of_bot) = self.0.get_mut(name) {
            let known = |((own_command, own_digest), _): &(&Means, &mut u64)| {
                own_command.as_deref() == command && own_digest.as_deref() == digest
            };
            if let Some((_, games)) = of_bot.iter_mut().find(known) {
                *games += 1;
                return;
            }
        }
        let of_bot = self.0.entry(name.to_owned()).or_default();
        of_bot.insert((command.map(str::to_owned), digest.map(str::to_owned)), 1);
    }

    /// Which version a bot is.
    pub fn version(&self, identity: &Identity) -> Version {
        let of_bot = self.0.iter().filter(|(name, _)| parted(name).0 == identity.name);
        let mut versions: Vec<(u32, &BTreeMap<Means, u64>)> =
            of_bot.map(|(name, means)| (parted(name).1, means)).collect();
        versions.sort_by_key(|(number, _)| *number);
        let own = versions.iter().find(|(_, means)| means.keys().any(|means| is_of(means, identity)));
        let others = versions.iter().filter(|(number, _)| Some(*number) != own.map(|(number, _)| *number));
        let games_of_others = others.flat_map(|(_, means)| means.values()).sum();
        let number = match (own, versions.last()) {
            (Some((number, _)), _) => *number,
            (None, Some((last, _))) => last + 1,
            (None, None) => 1,
        };
        Version {
            bot: identity.name.clone(),
            name: named(&identity.name, number),
            games: own.map_or(0, |(_, means)| means.values().sum()),
            games_of_others,
        }
    }
}

/// Whether records of these means are of a bot. Records that say nothing of
/// that, such as others may have made, are of whoever has the name.
fn is_of((command, digest): &Means, identity: &Identity) -> bool {
    match (command, digest) {
        (None, None) => true,
        (command, digest) => {
            command.as_ref().is_none_or(|command| *command == identity.command) && *digest == identity.digest
        }
    }
}

/// Which version a bot of a plan is.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Version {
    /// Its name in the plan.
    pub bot: String,
    /// Its name in records.
    pub name: String,
    /// In how many records it stands.
    pub games: u64,
    /// In how many those versions stand that had the same name in the plan.
    pub games_of_others: u64,
}

/// A bot that may not be replaced: what it has to do with the others hangs on its results.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("bot `{bot}` is another version than the one that played {games_in_words} of this {what}")]
pub struct CantReplace {
    /// Its name in the plan.
    pub bot: String,
    /// `3 games`.
    pub games_in_words: String,
    /// What it plays in.
    pub what: &'static str,
    /// Why not.
    pub why: &'static str,
}

/// What a tournament with versions of bots in it can't have replaced; none if
/// each bot may be.
pub fn fixed_cast(tournament: &Tournament, bot: &str) -> Option<(&'static str, &'static str)> {
    let in_team = |entrant: &crate::league::file::Entrant| {
        entrant.bots.len() > 1 && entrant.bots.iter().any(|own| tournament.bots[*own].name == bot)
    };
    match tournament.schedule {
        _ if tournament.test.is_some() => {
            Some(("test", "a test is one of two programs that stay what they are"))
        }
        kind @ (ScheduleKind::Swiss | ScheduleKind::Knockout) => {
            Some((kind.word(), "who meets whom follows from the results of all who take part"))
        }
        _ if tournament.entrants.iter().any(in_team) => {
            Some(("team", "a team of other programs is another team: give it and the bot new names"))
        }
        _ => None,
    }
}

/// A tournament whose bots have the names of their versions.
#[derive(Clone, Debug)]
pub struct Cast {
    /// The tournament, with those names.
    pub tournament: Tournament,
    /// What each of its bots is, in its order.
    pub versions: Vec<Version>,
}

impl Cast {
    /// The versions that a tournament's bots are, by the records that there are.
    ///
    /// # Errors
    /// A bot that was replaced where that can't be.
    pub fn of(
        tournament: &Tournament,
        identities: &[Identity],
        seen: &SeenVersions,
    ) -> Result<Cast, CantReplace> {
        let versions: Vec<Version> = identities.iter().map(|identity| seen.version(identity)).collect();
        for version in versions.iter().filter(|version| version.name != version.bot) {
            if let Some((what, why)) = fixed_cast(tournament, &version.bot) {
                let games = version.games_of_others;
                let games_in_words = format!("{games} game{}", if games == 1 { "" } else { "s" });
                return Err(CantReplace { bot: version.bot.clone(), games_in_words, what, why });
            }
        }
        let names = versions.iter().map(|version| (version.bot.as_str(), version.name.as_str())).collect();
        Ok(Cast { tournament: renamed(tournament, &names), versions })
    }

    /// What must be known of the versions in a run whose register was this one before.
    pub fn notes(&self, before: &Register) -> Vec<String> {
        let games = |number: u64| format!("{number} game{}", if number == 1 { "" } else { "s" });
        let note = |version: &Version| {
            let Version { bot, name, .. } = version;
            if version.games == 0 && version.games_of_others > 0 {
                Some(format!(
                    "`{bot}` is another version than before, by its command or its files: it plays games of its \
                     own, as `{name}`; the {} of the others stay as they are",
                    games(version.games_of_others)
                ))
            } else if version.games > 0 && before.name_of(bot) != name {
                Some(format!(
                    "`{bot}` is again the version that played {}: it goes on as `{name}`",
                    games(version.games)
                ))
            } else {
                None
            }
        };
        self.versions.iter().filter_map(note).collect()
    }
}

/// The same tournament with other names for some of its bots, by their names in the plan.
fn renamed(tournament: &Tournament, names: &BTreeMap<&str, &str>) -> Tournament {
    let mut renamed = tournament.clone();
    let new = |name: &str| names.get(name).map_or_else(|| name.to_owned(), |new| (*new).to_owned());
    for entrant in &mut renamed.entrants {
        // A team of one bot may have another name, which then is that of the team.
        if let [bot] = entrant.bots.as_slice()
            && tournament.bots[*bot].name == entrant.name
        {
            entrant.name = new(&entrant.name);
        }
    }
    for bot in &mut renamed.bots {
        bot.name = new(&bot.name);
    }
    renamed.rating.anchor = renamed.rating.anchor.as_deref().map(new);
    renamed
}

/// Which bots a league has had, and by which names they play now.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Register {
    /// By their names in the plan.
    bots: BTreeMap<String, Registered>,
}

/// What a register says of a bot.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
struct Registered {
    /// The name by which it plays; none if it was taken out.
    plays_as: Option<String>,
}

impl Register {
    /// Reads what [`Register::text`] wrote; none if it is something else.
    pub fn parse(text: &str) -> Option<Register> {
        serde_json::from_str(text).ok()
    }

    /// The register as it stands in its file: JSON.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("names are texts");
        text.push('\n');
        text
    }

    /// The register when this cast plays; `gone` are bots that were taken out of the plan.
    #[must_use]
    pub fn with(&self, cast: &Cast, gone: &[String]) -> Register {
        let mut register = self.clone();
        register.bots.values_mut().for_each(|bot| bot.plays_as = None);
        for bot in gone {
            register.bots.insert(bot.clone(), Registered { plays_as: None });
        }
        for version in &cast.versions {
            let plays_as = Some(version.name.clone());
            register.bots.insert(version.bot.clone(), Registered { plays_as });
        }
        register
    }

    /// The register once these bots, too, were taken out of the plan.
    #[must_use]
    pub fn without(&self, gone: &[String]) -> Register {
        let mut register = self.clone();
        register.bots.extend(gone.iter().map(|bot| (bot.clone(), Registered { plays_as: None })));
        register
    }

    /// Whether it says more than the plan itself: that somebody is gone, or plays by another name.
    pub fn says_something(&self) -> bool {
        self.bots.iter().any(|(bot, own)| own.plays_as.as_ref() != Some(bot))
    }

    /// The name by which a bot of the plan plays.
    pub fn name_of<'n>(&'n self, bot: &'n str) -> &'n str {
        self.bots.get(bot).and_then(|own| own.plays_as.as_deref()).unwrap_or(bot)
    }

    /// A tournament with the names by which its bots play.
    pub fn applied(&self, tournament: &Tournament) -> Tournament {
        let names = tournament.bots.iter().map(|bot| (bot.name.as_str(), self.name_of(&bot.name))).collect();
        renamed(tournament, &names)
    }

    /// The names in the plan of all bots that the league has had.
    pub fn bots(&self) -> BTreeSet<&str> {
        self.bots.keys().map(String::as_str).collect()
    }

    /// Whether a name in a record is that of a version of a bot that this
    /// league has had: of this register, or of the tournament, whose bots have
    /// the names by which they play.
    pub fn knows(&self, name: &str, tournament: &Tournament) -> bool {
        let bot = parted(name).0;
        self.bots.contains_key(bot) || tournament.bots.iter().any(|own| parted(&own.name).0 == bot)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::bots;
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
            seen.add(name, &Program { command, digest });
        }
        seen
    }

    #[test]
    fn names_are_parted_at_the_number_of_the_version() {
        for (name, parts) in [
            ("ada", ("ada", 1)),
            ("ada@2", ("ada", 2)),
            ("ada@12", ("ada", 12)),
            ("ada@1", ("ada@1", 1)),
            ("ada@two", ("ada@two", 1)),
        ] {
            assert_eq!(parted(name), parts);
        }
    }

    #[test]
    fn a_version_is_known_by_its_command_and_files() {
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
            let version = seen.version(&bot);
            assert_eq!((&*version.name, version.games, version.games_of_others), (name, games, of_others));
        }
    }
}

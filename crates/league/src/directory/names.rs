//! The names that identify the records of a league.

use super::{DirectoryError, Plan, RunDirectory};
use crate::compatibility::Compatibility;
use crate::file::Tournament;
use crate::versions::VersionRegistry;
use linesman_record::LeagueGame;

/// The names that the records of a league can have.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct LeagueNames {
    /// The current name first, then the former ones.
    names: Vec<String>,
    /// The name in the records, if it can be either another league's or a former name of this league: the file
    /// gives no name, and the file or the directory may have been renamed.
    pub doubtful: Option<String>,
}

impl LeagueNames {
    /// The current name.
    pub fn present(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// Returns the conditions for records of a tournament with these names.
    pub fn compatibility(&self, tournament: &Tournament) -> Compatibility {
        Compatibility::of(tournament).named(self.names.iter().chain(&self.doubtful).cloned())
    }
}

impl RunDirectory {
    /// Determines the names that the records can have. `plan` is that of the run, or the one to resume it with.
    ///
    /// # Errors
    /// The stored plan can't be read, or the system can't determine whether records exist.
    pub fn league_names(
        &self,
        plan: &Plan,
        registry: &VersionRegistry,
    ) -> Result<LeagueNames, DirectoryError> {
        let mut names = vec![plan.tournament.name.clone()];
        names.extend(registry.league_names().iter().rev().cloned());
        let Some(stored) = self.read_plan(&self.name())? else {
            return Ok(LeagueNames { names, doubtful: None });
        };
        names.push(stored.tournament.name.clone());
        let is_known = stored.tournament.names_itself() || !registry.league_names().is_empty();
        if !is_known {
            names.push(plan.stem.clone());
        }
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        let doubtful = if is_known { None } else { self.doubtful(&stored.tournament, registry, &names)? };
        Ok(LeagueNames { names, doubtful })
    }

    /// Returns the name of another league in the records, if no record has a name of this league and nothing else
    /// proves that they belong to another.
    fn doubtful(
        &self,
        stored: &Tournament,
        registry: &VersionRegistry,
        names: &[String],
    ) -> Result<Option<String>, DirectoryError> {
        let Some(mut reader) = self.records()? else { return Ok(None) };
        let compatibility = Compatibility::of(stored);
        let mut doubtful = None;
        // Errors in records are reported when all records are read.
        while let Ok(Some(line)) = reader.next_line() {
            let Ok(game) = line.league_game() else { return Ok(None) };
            let Some(league) = game.outcome.league.as_deref() else { return Ok(None) };
            let has_known_name = names.iter().any(|name| name == league);
            let is_foreign = || compatibility.stranger(&game).is_some();
            if has_known_name || is_foreign() || (!registry.exceeds_plan() && has_other_bots(stored, &game)) {
                return Ok(None);
            }
            doubtful.get_or_insert_with(|| league.to_owned());
        }
        Ok(doubtful)
    }
}

/// Returns true if a record has bots or commands that the plan does not have. Without a registry, no bot was replaced
/// or removed, so the league has never had them.
fn has_other_bots(stored: &Tournament, game: &LeagueGame<'_>) -> bool {
    let mut seats = game.outcome.bots.values().zip(game.programs.values());
    seats.any(|(name, program)| match (stored.bot(name), &program.command) {
        (Some(bot), Some(command)) => shell_words::join(&bot.command) != **command,
        (Some(_), None) => false,
        (None, _) => true,
    })
}

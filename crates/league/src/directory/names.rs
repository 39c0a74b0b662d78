//! The names by which a league recognizes its records.

use super::{DirectoryError, Plan, RunDirectory};
use crate::compatibility::Compatibility;
use crate::file::Tournament;
use crate::versions::VersionRegistry;
use linesman_record::LeagueGame;

/// The names that records of a league may have.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct LeagueNames {
    /// The present name first, then the former ones.
    names: Vec<String>,
    /// The name in the records, if it may be either another league's or a former one of this league: the file
    /// gives no name, and file or directory may have been renamed.
    pub doubtful: Option<String>,
}

impl LeagueNames {
    /// The present name.
    pub fn present(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// The conditions for records of a tournament with these names.
    pub fn compatibility(&self, tournament: &Tournament) -> Compatibility {
        Compatibility::of(tournament).named(self.names.iter().chain(&self.doubtful).cloned())
    }
}

impl RunDirectory {
    /// The names that the records in this directory may have. `plan` is the plan of the run, or the one to continue
    /// with.
    ///
    /// # Errors
    /// The stored plan can't be read, or the system can't tell if there are records.
    pub fn league_names(
        &self,
        plan: &Plan,
        register: &VersionRegistry,
    ) -> Result<LeagueNames, DirectoryError> {
        let mut names = vec![plan.tournament.name.clone()];
        names.extend(register.league_names().iter().rev().cloned());
        let Some(stored) = self.read_plan(&self.name())? else {
            return Ok(LeagueNames { names, doubtful: None });
        };
        names.push(stored.tournament.name.clone());
        let is_told = stored.tournament.names_itself() || !register.league_names().is_empty();
        if !is_told {
            names.push(plan.stem.clone());
        }
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        let doubtful = if is_told { None } else { self.doubtful(&stored.tournament, register, &names)? };
        Ok(LeagueNames { names, doubtful })
    }

    /// The name of another league in the records, if none of them has a name of this one and nothing else
    /// proves that they belong to another.
    fn doubtful(
        &self,
        stored: &Tournament,
        register: &VersionRegistry,
        names: &[String],
    ) -> Result<Option<String>, DirectoryError> {
        let Some(mut reader) = self.records()? else { return Ok(None) };
        let compatibility = Compatibility::of(stored);
        let mut doubtful = None;
        // Unreadable records are reported where all records are read.
        while let Ok(Some(line)) = reader.next_line() {
            let Ok(game) = line.league_game() else { return Ok(None) };
            let Some(league) = game.outcome.league.as_deref() else { return Ok(None) };
            let is_own = names.iter().any(|name| name == league);
            let is_proved = || compatibility.stranger(&game).is_some();
            if is_own || is_proved() || (!register.exceeds_plan() && has_others(stored, &game)) {
                return Ok(None);
            }
            doubtful.get_or_insert_with(|| league.to_owned());
        }
        Ok(doubtful)
    }
}

/// True if a record has bots, or commands of bots, that the league has never had: the register lists those
/// that were replaced or removed.
fn has_others(stored: &Tournament, game: &LeagueGame<'_>) -> bool {
    let mut seats = game.outcome.bots.values().zip(game.programs.values());
    seats.any(|(name, program)| match (stored.bot(name), &program.command) {
        (Some(bot), Some(command)) => shell_words::join(&bot.command) != **command,
        (Some(_), None) => false,
        (None, _) => true,
    })
}

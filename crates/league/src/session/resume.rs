//! Reads the records of a run: determines the missing games, and the results of the others.

use super::error::SessionError;
use super::results::Results;
use crate::compatibility::Stranger;
use crate::directory::{DirectoryError, LeagueNames, RunDirectory};
use crate::file::Tournament;
use crate::progress::{Entered, Progress, RecordClass};
use crate::repeated_games::LastRepeated;
use crate::schedule::Schedule;
use crate::versions::{SeenVersions, VersionRegistry};
use linesman_record::{GameRecord, Line, Outcome, ReadError, Selection, Standing};

/// Maximum number of odd records of each kind that are listed.
pub const MAX_ODDITIES: u64 = 3;

/// The content of a run's records.
#[derive(Debug)]
pub struct ResumeScan {
    /// The games that have their final record.
    pub progress: Progress,
    /// The results of these games.
    pub results: Results,
    /// The versions of the bots in the records.
    pub seen: SeenVersions,
    /// The records that don't belong to the run.
    pub oddities: Oddities,
    /// The last games that should be repeated by another worker.
    pub repeated: LastRepeated,
}

impl ResumeScan {
    /// Reads all records of a run.
    ///
    /// # Errors
    /// The directory or a record can't be read.
    pub fn of(
        directory: &RunDirectory,
        tournament: &Tournament,
        schedule: &Schedule,
    ) -> Result<ResumeScan, SessionError> {
        let (registry, names) = known(directory)?;
        ResumeScan::with_registry(directory, (tournament, schedule), &registry, &names)
    }

    /// Reads all records of a run, those that count with all their fields, which takes several times as long. Passes each
    /// of them to `see`, with the results up to and including it.
    ///
    /// # Errors
    /// The directory or a record can't be read.
    pub fn seeing(
        directory: &RunDirectory,
        tournament: &Tournament,
        schedule: &Schedule,
        mut see: impl FnMut(&GameRecord, &Outcome<'_>, &Results),
    ) -> Result<ResumeScan, SessionError> {
        let (registry, names) = known(directory)?;
        read(directory, (tournament, schedule), (&registry, &names), |line, outcome, results| {
            see(&line.record()?, outcome, results);
            Ok(())
        })
    }

    /// Reads all records of a run. `registry` has the league's past bots, `names` its names.
    pub(super) fn with_registry(
        directory: &RunDirectory,
        plan: (&Tournament, &Schedule),
        registry: &VersionRegistry,
        names: &LeagueNames,
    ) -> Result<ResumeScan, SessionError> {
        read(directory, plan, (registry, names), |_, _, _| Ok(()))
    }

    /// True if the record on this line does not belong to a game of this league.
    pub fn is_strange(&self, line: u64) -> bool {
        self.oddities.strangers.binary_search(&line).is_ok()
    }

    /// Returns the number of records that do not belong to a game of this league.
    pub fn strangers(&self) -> u64 {
        self.oddities.strangers.len() as u64
    }
}

/// Returns the bots and the names that the league in a directory has had.
///
/// # Errors
/// The directory can't be read.
pub fn known(directory: &RunDirectory) -> Result<(VersionRegistry, LeagueNames), DirectoryError> {
    let registry = directory.registry()?;
    let names = directory.league_names(&directory.stored_plan()?, &registry)?;
    Ok((registry, names))
}

/// Records that don't belong to a run.
#[derive(Debug, Default)]
pub struct Oddities {
    /// The name of the league in the records, if it may be another league.
    pub doubtful: Option<String>,
    /// The first records of each kind, in the order of the file.
    pub first: Vec<Odd>,
    /// The line numbers of games of other leagues, ascending.
    pub strangers: Vec<u64>,
    /// The line numbers of games whose rounds were paired differently.
    pub otherwise: Vec<u64>,
    /// The number of records of games that already had one.
    pub repeated: u64,
}

/// A record that does not belong to a run.
#[derive(Debug)]
pub struct Odd {
    /// The place of the record: `games.jsonl:12`.
    pub place: String,
    /// The id of its game.
    pub id: String,
    /// The reason why it does not belong.
    pub why: WhyOdd,
}

/// The reason why a record does not belong to a run.
#[derive(Debug)]
pub enum WhyOdd {
    /// Its game already has a record.
    Repeated,
    /// With the current results, its round has other pairings.
    DrawnOtherwise,
    /// Another league wrote it.
    OtherLeague(Stranger),
    NoSuchGame,
}

impl Oddities {
    /// Lists a record, the `number`th of its kind, if it is one of the first.
    fn add(&mut self, number: u64, line: &Line<'_>, outcome: &Outcome<'_>, why: WhyOdd) {
        if number <= MAX_ODDITIES {
            self.first.push(Odd { place: line.place().to_string(), id: outcome.id.to_string(), why });
        }
    }

    /// Adds a record of a game of another league.
    fn add_stranger(&mut self, line: &Line<'_>, outcome: &Outcome<'_>, why: WhyOdd) {
        self.strangers.push(line.place().line);
        self.add(self.strangers.len() as u64, line, outcome, why);
    }
}

fn read(
    directory: &RunDirectory,
    (tournament, schedule): (&Tournament, &Schedule),
    (registry, names): (&VersionRegistry, &LeagueNames),
    mut see: impl FnMut(&Line<'_>, &Outcome<'_>, &Results) -> Result<(), ReadError>,
) -> Result<ResumeScan, SessionError> {
    let mut results = Results::new(tournament)?;
    let mut former = Selection::default();
    let mut oddities = Oddities { doubtful: names.doubtful.clone(), ..Oddities::default() };
    let mut seen = SeenVersions::default();
    let mut repeated = LastRepeated::default();
    let progress = match directory.records()? {
        None => Progress::new(schedule.clone()),
        Some(reader) => {
            Progress::read(reader, schedule.clone(), names.compatibility(tournament), |progress, entered| {
                let Entered { line, game, class } = entered;
                let outcome = &game.outcome;
                if !matches!(class, RecordClass::ToAnotherLeague(_)) {
                    seen.add_game(&game);
                }
                match class {
                    RecordClass::ToGame(Standing::Counts) => {
                        results.add_league_game(&game);
                        repeated.add(tournament, &line, &game);
                        see(&line, outcome, &results)?;
                    }
                    RecordClass::ToGame(Standing::ToBeReplayed) => {
                        results.add_annulled(outcome);
                        see(&line, outcome, &results)?;
                    }
                    RecordClass::ToGame(Standing::Duplicate) => {
                        oddities.repeated += 1;
                        oddities.add(progress.duplicates, &line, outcome, WhyOdd::Repeated);
                    }
                    // These records are in `progress.pending`.
                    RecordClass::Pending => {}
                    RecordClass::DrawnOtherwise => {
                        oddities.otherwise.push(line.place().line);
                        oddities.add(progress.drawn_otherwise, &line, outcome, WhyOdd::DrawnOtherwise);
                    }
                    RecordClass::ToAnotherLeague(why) => {
                        oddities.add_stranger(&line, outcome, WhyOdd::OtherLeague(why));
                    }
                    RecordClass::Nowhere if is_former(outcome, registry, tournament) => {
                        if former.judge(outcome) == Standing::Counts {
                            results.add_past_bots(&game, tournament);
                            see(&line, outcome, &results)?;
                        }
                    }
                    RecordClass::Nowhere => {
                        oddities.add_stranger(&line, outcome, WhyOdd::NoSuchGame);
                    }
                }
                Ok(())
            })?
        }
    };
    oddities.strangers.sort_unstable();
    Ok(ResumeScan { progress, results, seen, oddities, repeated })
}

/// True if all bots of a record are or were bots of the league, and at least one is a former one: a bot that was
/// removed, or another version of a bot that plays.
fn is_former(outcome: &Outcome<'_>, registry: &VersionRegistry, tournament: &Tournament) -> bool {
    let names = || outcome.bots.values();
    names().all(|name| registry.knows(name, tournament)) && names().any(|name| tournament.bot(name).is_none())
}

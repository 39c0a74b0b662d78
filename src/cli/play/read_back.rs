//! What the records of a run say: which games are missing, and how it stands.

use std::path::Path;

use super::super::error::Failure;
use super::super::ui::Ui;
use super::results::Results;
use super::session::directory_failure;
use crate::league::account::{Account, Belongs, Entered};
use crate::league::directory::{DirectoryError, LeagueNames, RunDirectory};
use crate::league::file::Tournament;
use crate::league::later::{Later, round_of};
use crate::league::schedule::Schedule;
use crate::league::versions::{SeenVersions, VersionRegistry};
use crate::record::{GameRecord, HeldLine, Line, Outcome, ReadError, Selection, Standing, deleting};

/// How many lines about oddities of the records are printed at most.
const MOST_REMARKS: u64 = 3;

/// So many lines are deleted by a command that is printed.
const MOST_DELETED: u64 = 20;

/// What the records of a run say.
pub(crate) struct ReadBack {
    /// Which games have their final record, and what follows from them.
    pub(crate) account: Account,
    /// How it stands.
    pub(crate) results: Results,
    /// By what the bots played.
    pub(crate) seen: SeenVersions,
    /// What does not belong there.
    oddities: Oddities,
}

impl ReadBack {
    /// Number of records that are of games whose rounds came out otherwise.
    pub(crate) fn discards(&self) -> u64 {
        self.account.drawn_otherwise
    }

    /// True if a line of the records is of no game of this league.
    pub(crate) fn is_strange(&self, line: u64) -> bool {
        self.oddities.strangers.binary_search(&line).is_ok()
    }

    /// Number of records that are of no game of this league.
    pub(crate) fn strangers(&self) -> u64 {
        self.oddities.strangers.len() as u64
    }

    /// Warns of what does not belong there.
    pub(crate) fn tell_oddities(&self, ui: &mut Ui, directory: &RunDirectory) {
        self.oddities.tell(ui, &directory.games(), &self.account);
    }
}

/// Reads all records of a run. What does not belong there is warned of.
pub(crate) fn read_back(
    ui: &mut Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    schedule: &Schedule,
) -> Result<ReadBack, Failure> {
    let back = read_untold(ui, directory, tournament, schedule)?;
    back.tell_oddities(ui, directory);
    Ok(back)
}

/// The bots and the names that the league of a directory has had.
pub(crate) fn known(directory: &RunDirectory) -> Result<(VersionRegistry, LeagueNames), DirectoryError> {
    let register = directory.register()?;
    let names = directory.league_names(&directory.stored_plan()?, &register)?;
    Ok((register, names))
}

/// The same of a run that has had the bots of this register and these names; nobody is warned of anything.
pub(crate) fn read_quietly(
    ui: &Ui,
    directory: &RunDirectory,
    plan: (&Tournament, &Schedule),
    register: &VersionRegistry,
    names: &LeagueNames,
) -> Result<ReadBack, Failure> {
    read_seeing(ui, directory, plan, (register, names), |_, _, _| Ok(()))
}

/// Reads all records of a run, and warns of nothing.
pub(crate) fn read_untold(
    ui: &Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    schedule: &Schedule,
) -> Result<ReadBack, Failure> {
    let (register, names) = known(directory).map_err(|error| directory_failure(ui, &error))?;
    read_quietly(ui, directory, (tournament, schedule), &register, &names)
}

/// Reads all records of a run, and each that counts is shown to `see`, all of it, once the
/// results have it. What does not belong there is warned of.
pub(crate) fn read_back_with(
    ui: &mut Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    schedule: &Schedule,
    mut see: impl FnMut(&GameRecord, &Outcome<'_>, &Results),
) -> Result<ReadBack, Failure> {
    let (register, names) = known(directory).map_err(|error| directory_failure(ui, &error))?;
    let known = (&register, &names);
    let back = read_seeing(ui, directory, (tournament, schedule), known, |line, outcome, results| {
        see(&line.record()?, outcome, results);
        Ok(())
    })?;
    back.tell_oddities(ui, directory);
    Ok(back)
}

fn read_seeing(
    ui: &Ui,
    directory: &RunDirectory,
    (tournament, schedule): (&Tournament, &Schedule),
    (register, names): (&VersionRegistry, &LeagueNames),
    mut see: impl FnMut(&Line<'_>, &Outcome<'_>, &Results) -> Result<(), ReadError>,
) -> Result<ReadBack, Failure> {
    let mut results = Results::new(tournament)?;
    let mut former = Selection::new();
    let mut oddities = Oddities { doubtful: names.doubtful.clone(), ..Oddities::default() };
    let mut seen = SeenVersions::default();
    let account = match directory.records().map_err(|error| directory_failure(ui, &error))? {
        None => Account::new(schedule.clone()),
        Some(reader) => Account::read(reader, schedule.clone(), names.terms(tournament), |account, entered| {
            let Entered { line, game, belongs } = entered;
            let outcome = &game.outcome;
            if !matches!(belongs, Belongs::ToAnotherLeague(_)) {
                seen.add_game(&game);
            }
            match belongs {
                Belongs::ToGame(Standing::Counts) => {
                    results.add_league_game(&game);
                    see(&line, outcome, &results)?;
                }
                Belongs::ToGame(Standing::ToBeReplayed) => {
                    results.add(outcome);
                    see(&line, outcome, &results)?;
                }
                Belongs::ToGame(Standing::Duplicate) => {
                    oddities.repeated += 1;
                    let why = "already has a record; the first one counts";
                    oddities.remark(account.duplicates, &line, outcome, why);
                }
                // All of these are told of at once.
                Belongs::Later => {}
                Belongs::DrawnOtherwise => {
                    oddities.otherwise.push(line.place().line);
                    let why = match round_of(&outcome.id) {
                        Some(round) => format!(
                            "does not count: with the present results of earlier rounds, round {round} has \
                             other pairings"
                        ),
                        None => "does not count".to_owned(),
                    };
                    oddities.remark(account.drawn_otherwise, &line, outcome, &why);
                }
                Belongs::ToAnotherLeague(why) => {
                    oddities.strangers.push(line.place().line);
                    oddities.remark(oddities.strangers.len() as u64, &line, outcome, &why.to_string());
                }
                Belongs::Nowhere if is_former(outcome, register, tournament) => {
                    if former.judge(outcome) == Standing::Counts {
                        results.add_former(&game, tournament);
                        see(&line, outcome, &results)?;
                    }
                }
                Belongs::Nowhere => {
                    oddities.strangers.push(line.place().line);
                    let number = oddities.strangers.len() as u64;
                    oddities.remark(number, &line, outcome, "is not a game of this league and does not count");
                }
            }
            Ok(())
        })
        .map_err(|error| Failure::from(&error))?,
    };
    oddities.strangers.sort_unstable();
    Ok(ReadBack { account, results, seen, oddities })
}

/// What does not belong into the records of a run.
#[derive(Default)]
struct Oddities {
    /// The name of the league in the records, where it may be another one than this.
    doubtful: Option<String>,
    /// What is said of the first such lines.
    remarks: Vec<String>,
    /// The lines of games that are none of the league's.
    strangers: Vec<u64>,
    /// The lines of games whose rounds were paired otherwise.
    otherwise: Vec<u64>,
    /// Number of records that are of games that had one before.
    repeated: u64,
}

impl Oddities {
    /// Says what is odd about a line, if it is one of the first of its kind.
    fn remark(&mut self, number: u64, line: &Line<'_>, outcome: &Outcome<'_>, why: &str) {
        if number <= MOST_REMARKS {
            self.remarks.push(format!("{}: `{}` {why}", line.place(), outcome.id));
        }
    }

    fn tell(&self, ui: &mut Ui, games: &Path, account: &Account) {
        self.remarks.iter().for_each(|remark| ui.warn(remark));
        let shown = games.display();
        if let Some(league) = &self.doubtful {
            ui.warn(format_args!(
                "{shown}: the records are of the league `{league}`, but the tournament file and the \
                 directory have other names. The records count; to confirm this, set `name = {league:?}` in \
                 the `tournament.toml` of the directory"
            ));
        }
        let (strangers, otherwise) = (self.strangers.len() as u64, self.otherwise.len() as u64);
        for (number, what) in [
            (strangers, "games of other leagues"),
            (otherwise, "games of rounds with other pairings"),
            (self.repeated, "repeated records"),
        ] {
            if number > MOST_REMARKS {
                ui.warn(format_args!("{shown}: {number} {what} in total"));
            }
        }
        if let Some(warning) = warning_of(&account.later) {
            ui.warn(format_args!("{shown}: {warning}"));
            ui.note(
                "to be sure to keep them, restore the missing lines in their old places (`sed -i.bak` saved \
                 the original file with the suffix `.bak`)",
            );
        }
        if strangers > 0 && account.played.count() == 0 {
            ui.note(format_args!(
                "{shown} has no game of this league: if the records are those of another league, choose \
                 another directory, or move them away"
            ));
            return;
        }
        let mut lines: Vec<u64> = self.strangers.iter().chain(&self.otherwise).copied().collect();
        lines.sort_unstable();
        if (1..=MOST_DELETED).contains(&(lines.len() as u64)) {
            let command = deleting(&games.to_string_lossy(), lines);
            let what = match otherwise {
                0 => "the records of games that are not of this league",
                _ => "the records that don't count, so that `linesman ratings` ignores them",
            };
            ui.note(format_args!("to delete {what}: `{command}`"));
        } else if otherwise > 0 {
            ui.note(format_args!(
                "`linesman ratings` counts all records in {shown}, but `linesman league standings` only \
                 those that count in this league"
            ));
        }
    }
}

/// What must be known before a league goes on in whose records games are missing from which the
/// rounds of others follow.
fn warning_of(later: &Later) -> Option<String> {
    let rounds = later.rounds()?;
    let rounds = in_words(*rounds.start(), *rounds.end());
    let games = match later.games() {
        1 => "1 game".to_owned(),
        games => format!("{games} games"),
    };
    Some(format!(
        "games that later rounds depend on are missing. {games} of {rounds} can't count until the missing games have been played again. After that, a game counts only if its pairing comes up again; THE OTHERS ARE DISCARDED and played anew"
    ))
}

/// The rounds that records are of: `rounds 2 to 12`.
pub(super) fn rounds_of(records: &[HeldLine]) -> String {
    let rounds = || {
        let ids = records.iter().filter_map(|held| held.line().outcome().ok());
        ids.filter_map(|outcome| round_of(&outcome.id))
    };
    match (rounds().min(), rounds().max()) {
        (Some(first), Some(last)) => in_words(first, last),
        _ => "a round".to_owned(),
    }
}

fn in_words(first: u64, last: u64) -> String {
    if first == last { format!("round {first}") } else { format!("rounds {first} to {last}") }
}

/// Whether a record that is of no game of the schedule is one of bots that the
/// league had before: one that was taken out, or another version of one that plays.
fn is_former(outcome: &Outcome<'_>, register: &VersionRegistry, tournament: &Tournament) -> bool {
    let names = || outcome.bots.values();
    names().all(|name| register.knows(name, tournament)) && names().any(|name| tournament.bot(name).is_none())
}

//! What the records of a run say: which games are missing, and how it stands.

use std::path::Path;

use super::super::error::Failure;
use super::super::ui::Ui;
use super::results::Results;
use super::session::directory_failure;
use crate::league::account::{Account, Entered};
use crate::league::directory::RunDirectory;
use crate::league::file::Tournament;
use crate::league::schedule::Schedule;
use crate::league::terms::Terms;
use crate::league::versions::{Register, SeenVersions};
use crate::record::{GameRecord, Line, Outcome, ReadError, Selection, Standing, deleting};

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
    let register = directory.register().map_err(|error| directory_failure(ui, &error))?;
    let back = read_quietly(ui, directory, (tournament, schedule), &register)?;
    back.tell_oddities(ui, directory);
    Ok(back)
}

/// The same of a run that has had the bots of this register; nobody is warned of anything.
pub(crate) fn read_quietly(
    ui: &Ui,
    directory: &RunDirectory,
    plan: (&Tournament, &Schedule),
    register: &Register,
) -> Result<ReadBack, Failure> {
    read_seeing(ui, directory, plan, register, |_, _, _| Ok(()))
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
    let register = directory.register().map_err(|error| directory_failure(ui, &error))?;
    let back = read_seeing(ui, directory, (tournament, schedule), &register, |line, outcome, results| {
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
    register: &Register,
    mut see: impl FnMut(&Line<'_>, &Outcome<'_>, &Results) -> Result<(), ReadError>,
) -> Result<ReadBack, Failure> {
    let mut results = Results::new(tournament)?;
    let mut former = Selection::new();
    let mut oddities = Oddities::default();
    let mut seen = SeenVersions::default();
    let account = match directory.records().map_err(|error| directory_failure(ui, &error))? {
        None => Account::new(schedule.clone()),
        Some(reader) => Account::read(reader, schedule.clone(), Terms::of(tournament), |account, entered| {
            let Entered { line, game, standing } = entered;
            let outcome = &game.outcome;
            seen.add_game(&game);
            match standing {
                Some(Standing::Counts) => {
                    results.add_league_game(&game);
                    see(&line, outcome, &results)?;
                }
                Some(Standing::ToBeReplayed) => {
                    results.add(outcome);
                    see(&line, outcome, &results)?;
                }
                Some(Standing::Duplicate) => {
                    if account.duplicates <= MOST_REMARKS {
                        oddities.remarks.push(format!(
                            "{}: `{}` was recorded before; the first record counts",
                            line.place(),
                            outcome.id
                        ));
                    }
                }
                None if is_former(outcome, register, tournament) => {
                    if former.judge(outcome) == Standing::Counts {
                        results.add_former(&game, tournament);
                        see(&line, outcome, &results)?;
                    }
                }
                None => {
                    oddities.strangers.push(line.place().line);
                    if oddities.strangers.len() as u64 <= MOST_REMARKS {
                        oddities.remarks.push(format!(
                            "{}: `{}` is no game of this league and does not count",
                            line.place(),
                            outcome.id
                        ));
                    }
                }
            }
            Ok(())
        })
        .map_err(|error| Failure::from(&error))?,
    };
    Ok(ReadBack { account, results, seen, oddities })
}

/// What does not belong into the records of a run.
#[derive(Default)]
struct Oddities {
    /// What is said of the first such lines.
    remarks: Vec<String>,
    /// The lines of games that are none of the league's.
    strangers: Vec<u64>,
}

impl Oddities {
    fn tell(&self, ui: &mut Ui, games: &Path, account: &Account) {
        self.remarks.iter().for_each(|remark| ui.warn(remark));
        let shown = games.display();
        let strangers = self.strangers.len() as u64;
        for (number, what) in
            [(strangers, "games of other leagues"), (account.duplicates, "repeated records")]
        {
            if number > MOST_REMARKS {
                ui.warn(format_args!("{shown}: {number} {what} in all"));
            }
        }
        if strangers == 0 {
            return;
        }
        if account.played.count() == 0 {
            ui.note(format_args!(
                "no game of this league is in {shown}: if these are the records of another one, choose another \
                 directory, or move them away"
            ));
        } else if strangers <= MOST_DELETED {
            let command = deleting(&games.to_string_lossy(), self.strangers.iter().copied());
            ui.note(format_args!("to delete what is of no game of this league: `{command}`"));
        }
    }
}

/// Whether a record that is of no game of the schedule is one of bots that the
/// league had before: one that was taken out, or another version of one that plays.
fn is_former(outcome: &Outcome<'_>, register: &Register, tournament: &Tournament) -> bool {
    let names = || outcome.bots.values();
    names().all(|name| register.knows(name, tournament)) && names().any(|name| tournament.bot(name).is_none())
}

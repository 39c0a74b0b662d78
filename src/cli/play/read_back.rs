//! What the records of a run say: which games are missing, and how it stands.

use super::super::error::Failure;
use super::super::ui::Ui;
use super::results::Results;
use super::session::directory_failure;
use crate::league::account::{Account, Entered};
use crate::league::directory::RunDirectory;
use crate::league::file::Tournament;
use crate::league::schedule::Schedule;
use crate::league::versions::Register;
use crate::record::{GameRecord, Line, Outcome, ReadError, Selection, Standing};

/// How many lines about oddities of the records are printed at most.
const MOST_REMARKS: u64 = 3;

/// What the records of a run say.
pub(crate) struct ReadBack {
    /// Which games have their final record, and what follows from them.
    pub(crate) account: Account,
    /// How it stands.
    pub(crate) results: Results,
}

/// Reads all records of a run. What does not belong there is warned of.
pub(crate) fn read_back(
    ui: &mut Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    schedule: &Schedule,
) -> Result<ReadBack, Failure> {
    read_back_seeing(ui, directory, tournament, schedule, |_, _, _| Ok(()))
}

/// The same, and each record that counts is shown to `see`, all of it, once the results have it.
pub(crate) fn read_back_with(
    ui: &mut Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    schedule: &Schedule,
    mut see: impl FnMut(&GameRecord, &Outcome<'_>, &Results),
) -> Result<ReadBack, Failure> {
    read_back_seeing(ui, directory, tournament, schedule, |line, outcome, results| {
        see(&line.record()?, outcome, results);
        Ok(())
    })
}

fn read_back_seeing(
    ui: &mut Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    schedule: &Schedule,
    mut see: impl FnMut(&Line<'_>, &Outcome<'_>, &Results) -> Result<(), ReadError>,
) -> Result<ReadBack, Failure> {
    let mut results = Results::new(tournament)?;
    let register = directory.register().map_err(|error| directory_failure(ui, &error))?;
    let mut former = Selection::new();
    let mut strangers = 0;
    let account = match directory.records().map_err(|error| directory_failure(ui, &error))? {
        None => Account::new(schedule.clone()),
        Some(reader) => Account::read(reader, schedule.clone(), |account, entered| {
            let Entered { line, game, standing } = entered;
            let outcome = &game.outcome;
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
                        ui.warn(format_args!(
                            "{}: `{}` was recorded before; the first record counts",
                            line.place(),
                            outcome.id
                        ));
                    }
                }
                None if is_former(outcome, &register, tournament) => {
                    if former.judge(outcome) == Standing::Counts {
                        results.add_former(&game, tournament);
                        see(&line, outcome, &results)?;
                    }
                }
                None => {
                    strangers += 1;
                    if strangers <= MOST_REMARKS {
                        ui.warn(format_args!(
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
    let oddities = [(strangers, "games of other leagues"), (account.duplicates, "repeated records")];
    for (number, what) in oddities {
        if number > MOST_REMARKS {
            ui.warn(format_args!("{}: {number} {what} in all", directory.games().display()));
        }
    }
    Ok(ReadBack { account, results })
}

/// Whether a record that is of no game of the schedule is one of bots that the
/// league had before: one that was taken out, or another version of one that plays.
fn is_former(outcome: &Outcome<'_>, register: &Register, tournament: &Tournament) -> bool {
    let names = || outcome.bots.values();
    names().all(|name| register.knows(name, tournament)) && names().any(|name| tournament.bot(name).is_none())
}

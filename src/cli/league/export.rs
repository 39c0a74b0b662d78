//! `linesman league export`: prints the results of a league for other programs.

use std::io::Write;
use std::path::PathBuf;

use super::super::error::{Exit, Failure};
use super::super::paths;
use super::super::play::failure::directory_failure;
use super::super::play::results::standings_of;
use super::super::play::{ReadRun, read_run, resume_scan};
use super::super::schedule::with_schedule;
use super::super::ui::Ui;
use crate::league::schedule::swiss::{Round, SwissTable, Unit};
use crate::league::schedule::{Schedule, SwissView};
use crate::record::text::printable;
use crate::report::results::ResultsCsv;
use crate::report::standings::View;
use crate::report::table::Table;
use crate::report::trf::{self, Player, RoundResult, TournamentReport};
use crate::seat::GameResult;

/// Print the standings or the games of a league for other programs
#[derive(clap::Args, Debug)]
#[command(
    before_help = "Examples:\n  linesman league export runs/cup > standings.csv\n  linesman league export runs/cup --games --format json\n  linesman league export runs/swiss --format trf"
)]
pub(crate) struct Args {
    /// Run directory, or its `games.jsonl`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    format: ExportFormat,
    /// Same as `--format json`
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
    /// Print every game instead of the standings
    #[arg(long)]
    games: bool,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, clap::ValueEnum)]
enum ExportFormat {
    /// Comma-separated values
    Csv,
    /// JSON: one object for the standings, or one object per line for the games
    Json,
    /// FIDE tournament report file (TRF16), for Swiss tournaments
    Trf,
}

impl Args {
    fn format(&self) -> ExportFormat {
        if self.json { ExportFormat::Json } else { self.format }
    }
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    if args.games {
        return export_games(args, ui);
    }
    let run = read_run(ui, &args.directory)?;
    match args.format() {
        ExportFormat::Trf => {
            let Some(view) = run.progress.schedule.swiss() else {
                let word = run.plan.tournament.schedule.word();
                let failure =
                    Failure::wrong(format_args!("`--format trf` needs a Swiss, but this league is a {word}"));
                return Err(failure.hint("use `--format csv` or `--format json`"));
            };
            if view.swiss.sides() > 2 {
                return Err(Failure::wrong(format_args!(
                    "`--format trf` needs games of two sides, but the games of this league have {}",
                    view.swiss.sides()
                ))
                .hint("use `--format csv` or `--format json` for the standings and tie-breaks"));
            }
            let report = report(&run, view);
            if let Some(player) = report.beyond_columns() {
                return Err(Failure::wrong(format_args!(
                    "`--format trf` has no room for 100 points or more, and `{}` has that many",
                    printable(&player.name, 60)
                ))
                .hint("use `--format csv` or `--format json` for the standings and tie-breaks"));
            }
            trf::write(&mut ui.data(), &report)?;
        }
        ExportFormat::Csv => full_table(&run)?.write_csv(ui.data())?,
        ExportFormat::Json => ui.print_json(&full_table(&run)?)?,
    }
    Ok(Exit::Done)
}

fn full_table(run: &ReadRun) -> Result<Table, Failure> {
    Ok(with_schedule(standings_of(&run.results)?, &run.progress.schedule).table(View::Full))
}

/// Exports the records of the league one by one, without keeping them.
fn export_games(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    if args.format() == ExportFormat::Trf {
        return Err(Failure::wrong("`--format trf` can't be combined with `--games`")
            .hint("leave out `--games`: the TRF file has the result of every round"));
    }
    let directory = paths::run(&args.directory);
    let plan = directory.plan_in_force().map_err(|error| directory_failure(ui, &error))?;
    let schedule = Schedule::of(&plan.tournament).map_err(Failure::wrong)?;
    let back = resume_scan(ui, &directory, &plan.tournament, &schedule)?;
    let Some(mut reader) = directory.records().map_err(|error| directory_failure(ui, &error))? else {
        return Ok(Exit::Done);
    };
    let new_rows =
        || ResultsCsv::new(ui.data(), &plan.tournament.game.teams(), plan.tournament.has_own_times());
    let mut rows = (args.format() == ExportFormat::Csv).then(new_rows).transpose()?;
    while let Some(line) = reader.next_line().map_err(|error| Failure::from(&error))? {
        if back.is_strange(line.place().line) {
            continue;
        }
        let record = line.record().map_err(|error| Failure::from(&error))?;
        match &mut rows {
            Some(rows) => rows.add(&record)?,
            None => writeln!(ui.data(), "{}", record.to_line().expect("a record has only text for keys"))?,
        }
    }
    rows.map_or(Ok(()), ResultsCsv::finish)?;
    ui.warn_of_torn_lines(reader.torn());
    Ok(Exit::Done)
}

/// The report of a Swiss for arbiters and their programs, with the finished rounds.
fn report(run: &ReadRun, view: SwissView<'_>) -> TournamentReport {
    let tournament = &run.plan.tournament;
    let rounds: Vec<&Round> = view.swiss.rounds().iter().take_while(|round| round.is_over()).collect();
    let standings = view.standings();
    let player = |(number, entrant): (usize, &usize)| {
        let outcome = |round: &&Round| {
            round.tables.iter().find_map(|table| outcome(table, number)).unwrap_or(RoundResult::Bye)
        };
        Player {
            name: tournament.entrants[*entrant].name.clone(),
            rating: tournament.entrants[*entrant].elo,
            rank: 1 + standings.iter().position(|(other, _)| other == entrant).unwrap_or(0),
            rounds: rounds.iter().map(outcome).collect(),
        }
    };
    let kind = match view.swiss.unit() {
        Unit::Game => "Individual: Swiss by weighted matching",
        Unit::Encounter => "Individual: Swiss by weighted matching, two games per round, decided by points",
    };
    TournamentReport {
        name: tournament.name.clone(),
        kind: kind.to_owned(),
        time_control: tournament.time_in_words(),
        rounds: view.swiss.length(),
        players: view.seeds.iter().enumerate().map(player).collect(),
    }
}

/// The result of a round at a table of two for the entrant with this seed, from 0.
fn outcome(table: &SwissTable, number: usize) -> Option<RoundResult> {
    let side = table.sides.iter().position(|seed| *seed == number)?;
    let [own, other] = [table.halves(side), table.halves(1 - side)];
    let result = match own.cmp(&other) {
        // Games without a result yield no points.
        std::cmp::Ordering::Equal if own == 0 => None,
        std::cmp::Ordering::Greater => Some(GameResult::Won),
        std::cmp::Ordering::Equal => Some(GameResult::Drawn),
        std::cmp::Ordering::Less => Some(GameResult::Lost),
    };
    Some(RoundResult::Met { opponent: table.sides[1 - side] + 1, begins: side == 0, result })
}

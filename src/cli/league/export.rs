//! `linesman league export`: the results of a league for other programs.

use std::path::PathBuf;

use super::super::error::{Exit, Failure};
use super::super::json;
use super::super::play::session::{each_record, read_run};
use super::super::ui::Ui;
use crate::report::results::ResultsCsv;
use crate::report::standings::View;

/// Print the standings of a league, or its games, for other programs
#[derive(clap::Args, Debug)]
#[command(
    before_help = "Examples:\n  linesman league export runs/cup > standings.csv\n  linesman league export runs/cup --games --format json"
)]
pub(crate) struct Args {
    /// The run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// In what form to print
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    format: ExportFormat,
    /// Every game instead of the standings
    #[arg(long)]
    games: bool,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, clap::ValueEnum)]
enum ExportFormat {
    /// Comma-separated values
    Csv,
    /// JSON: one object for the standings, one a line for games
    Json,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = read_run(ui, &args.directory)?;
    match (args.games, args.format) {
        (true, ExportFormat::Csv) => {
            let mut rows = ResultsCsv::new(ui.data(), &run.teams)?;
            each_record(&run.directory, |record| Ok(rows.add(record)?))?;
            rows.finish()?;
        }
        (true, ExportFormat::Json) => each_record(&run.directory, |record| json::print(ui, record))?,
        (false, format) => {
            let table = run.results.standings()?.table(View::Full);
            match format {
                ExportFormat::Csv => table.write_csv(ui.data())?,
                ExportFormat::Json => json::print(ui, &table)?,
            }
        }
    }
    Ok(Exit::Done)
}

//! `linesman league standings`: how a league stands.

use std::path::PathBuf;

use super::super::args::{Format, FormatArgs};
use super::super::error::{Exit, Failure};
use super::super::json;
use super::super::play::session::read_run;
use super::super::play::standings::show_standings;
use super::super::ui::Ui;
use super::why::with_schedule;
use crate::report::standings::View;

/// Show how a league stands, while it is played or after
#[derive(clap::Args, Debug)]
#[command(before_help = "Example:\n  linesman league standings runs/quixo-demo")]
pub(crate) struct Args {
    /// The run's directory, or its `games.jsonl`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = read_run(ui, &args.directory)?;
    match args.format.format() {
        Format::Table => {
            show_standings(
                ui,
                &run.results,
                &run.plan.tournament,
                &run.account.schedule,
                Some(&args.directory),
            )?;
        }
        form => {
            let standings = with_schedule(run.results.standings()?, &run.account.schedule);
            let table = standings.table(View::Full);
            match form {
                Format::Json => json::print(ui, &table)?,
                _ => table.write_csv(ui.data())?,
            }
        }
    }
    if run.account.left() > 0 {
        let played = run.account.schedule.length().after(run.account.played.count());
        ui.note(format_args!("{played} have been played"));
    }
    Ok(Exit::Done)
}

//! `linesman league standings`: shows the standings of a league.

use std::path::PathBuf;

use super::super::args::FormatArgs;
use super::super::error::{Exit, Failure};
use super::super::play::read_run;
use super::super::play::standings::show_standings;
use super::super::ui::Ui;

/// Show the standings of a league, also while it is being played
#[derive(clap::Args, Debug)]
#[command(before_help = "Example:\n  linesman league standings runs/quixo-demo")]
pub(crate) struct Args {
    /// Run directory, or its `games.jsonl`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = read_run(ui, &args.directory)?;
    let (tournament, schedule) = (&run.plan.tournament, &run.progress.schedule);
    show_standings(ui, args.format.format(), &run.results, tournament, schedule, Some(&args.directory))?;
    if run.progress.left() > 0 {
        let played = run.progress.schedule.length().after(run.progress.played.count());
        ui.note(format_args!("{played} have been played"));
    }
    Ok(Exit::Done)
}

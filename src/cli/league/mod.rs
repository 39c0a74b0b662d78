//! `linesman league`: plays leagues and shows their results.

mod export;
mod report;
mod run;
mod shards;
mod show;
mod standings;

use super::error::{Exit, Failure};
use super::ui::Ui;

/// Play a league, continue it, or look at its results
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: LeagueCommand,
}

#[derive(clap::Subcommand, Debug)]
enum LeagueCommand {
    Run(run::Args),
    Plan(shards::plan::Args),
    RunShard(shards::run_shard::Args),
    Merge(shards::merge::Args),
    Standings(standings::Args),
    Show(show::Args),
    Export(export::Args),
    Report(report::Args),
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    match &args.command {
        LeagueCommand::Run(args) => run::run(args, ui),
        LeagueCommand::Plan(args) => shards::plan::run(args, ui),
        LeagueCommand::RunShard(args) => shards::run_shard::run(args, ui),
        LeagueCommand::Merge(args) => shards::merge::run(args, ui),
        LeagueCommand::Standings(args) => standings::run(args, ui),
        LeagueCommand::Show(args) => show::run(args, ui),
        LeagueCommand::Export(args) => export::run(args, ui),
        LeagueCommand::Report(args) => report::run(args, ui),
    }
}

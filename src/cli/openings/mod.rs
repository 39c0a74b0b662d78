//! `linesman openings`: makes and checks files of openings.

mod check;
mod make;

use clap::Subcommand;

use super::error::{Exit, Failure};
use super::ui::Ui;

/// Make openings, or check a file of openings
///
/// An opening is a position from which a game starts instead of the usual one.
/// Deterministic bots play different games from different openings.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: OpeningsCommand,
}

#[derive(Subcommand, Debug)]
enum OpeningsCommand {
    Make(make::Args),
    Check(check::Args),
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    match &args.command {
        OpeningsCommand::Make(args) => make::run(args, ui),
        OpeningsCommand::Check(args) => check::run(args, ui),
    }
}

//! `linesman openings`: making files of openings, and looking at them.

mod check;
mod make;

use clap::Subcommand;

use super::error::{Exit, Failure};
use super::ui::Ui;

/// Make openings, or check a file of them
///
/// An opening is what a game starts from in place of the usual start. Bots that
/// always play alike play other games from other openings; docs/openings.md says
/// how leagues use them.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Make(make::Args),
    Check(check::Args),
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    match &args.command {
        Command::Make(args) => make::run(args, ui),
        Command::Check(args) => check::run(args, ui),
    }
}

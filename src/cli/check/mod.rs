//! `linesman check`: tries this host before it counts.

use clap::ArgGroup;

use super::args::FormatArgs;
use super::error::{Exit, Failure};
use super::ui::Ui;

mod hostile;

/// Try this host: what hostile bots could do here
///
/// With --hostile, bots that do what no bot should play beside good ones, and afterwards it is looked
/// whether the verdicts are right and nothing of them is left.
#[derive(clap::Args, Debug)]
#[command(before_help = "Example:\n  linesman check --hostile")]
#[command(group = ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// Let bots misbehave in every way, and see whether this host holds
    #[arg(long, group = "what")]
    hostile: bool,
    #[command(flatten)]
    hostile_options: hostile::Options,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    hostile::run(&args.hostile_options, args.format.format(), ui)
}

//! `linesman check`: tries this host before it counts.

use clap::ArgGroup;

use super::args::FormatArgs;
use super::error::{Exit, Failure};
use super::ui::Ui;

mod host;
mod hostile;

/// Try this host before it counts
///
/// With --host it is looked what keeps bots from what is not theirs here, and what may spoil the
/// measuring of time; each with what to do about it. With --hostile, bots that do what no bot should
/// play beside good ones, and afterwards it is looked whether the verdicts are right and nothing of
/// them is left.
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:\n  linesman check --host\n  linesman check --hostile")]
#[command(group = ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// Look at what this host offers, and say what to do about what it lacks
    #[arg(long, group = "what")]
    host: bool,
    /// Let bots misbehave in every way, and see whether this host holds
    #[arg(long, group = "what")]
    hostile: bool,
    #[command(flatten)]
    hostile_options: hostile::Options,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let format = args.format.format();
    if args.host { host::run(format, ui) } else { hostile::run(&args.hostile_options, format, ui) }
}

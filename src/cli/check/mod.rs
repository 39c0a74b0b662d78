//! `linesman check`: tries this host before it counts.

use clap::ArgGroup;

use super::args::FormatArgs;
use super::error::{Exit, Failure};
use super::ui::Ui;

mod host;
mod hostile;

/// Check this machine before a tournament
///
/// --host checks which parts of the sandbox work on this machine and what may disturb the
/// measurement of time, with advice for each. --hostile plays hostile bots against good
/// ones and checks that every verdict is right and that nothing is left behind.
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:\n  linesman check --host\n  linesman check --hostile")]
#[command(group = ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// Check what this machine offers, with advice for what it lacks
    #[arg(long, group = "what")]
    host: bool,
    /// Play hostile bots and check that they do no harm
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

//! `linesman check`: checks a bot or this machine before a tournament.

use clap::{ArgGroup, ValueEnum};

use super::args::{Format, sandbox};
use super::error::{Exit, Failure};
use super::ui::Ui;
use crate::process::isolation::Sandbox;

mod bot;
mod host;
mod hostile;

/// Check a bot or this machine before a tournament
///
/// With the command of a bot after `--`, plays many short games with it, in the sandbox and
/// under all sorts of conditions, and says what it does wrong and how to fix it. --host
/// checks which parts of the sandbox work on this machine and what may disturb the
/// measurement of time, with advice for each. --hostile plays hostile bots against good
/// ones and checks that every verdict is right and that nothing is left behind.
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman check -- python3 my_bot.py
  linesman check --quick --game quixo -- ./my_bot --depth 3
  linesman check --format junit -- node bot.js > check.xml
  linesman check --host
  linesman check --hostile")]
#[command(after_long_help = bot::AFTER_HELP)]
#[command(group = ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    #[command(flatten)]
    bot_options: bot::BotOptions,
    /// Check what this machine offers, with advice for what it lacks
    #[arg(long, group = "what")]
    host: bool,
    /// Play hostile bots and check that they do no harm
    #[arg(long, group = "what")]
    hostile: bool,
    #[command(flatten)]
    hostile_options: hostile::Options,
    /// Isolation of the bot: `auto`, `strict`, `portable` or `off` [default: auto]; with
    /// --hostile, play every bot with this sandbox mode only
    #[arg(long, value_name = "WORD", value_parser = sandbox, conflicts_with = "every_layer")]
    sandbox: Option<Sandbox>,
    /// Seed of the moves of the bot's opponents and teammates [default: 0]; with --soak, of
    /// the pairings [default: 1]
    #[arg(long, value_name = "NUMBER", conflicts_with = "host")]
    seed: Option<u64>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    format: CheckFormat,
    /// Same as `--format json`
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum CheckFormat {
    /// Table for reading
    Table,
    /// Comma-separated values
    Csv,
    /// JSON
    Json,
    /// JUnit XML, of the check of a bot
    Junit,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let format = if args.json { CheckFormat::Json } else { args.format };
    if !args.host && !args.hostile {
        return bot::run(&args.bot_options, args.seed, args.sandbox, format, ui);
    }
    let format = match format {
        CheckFormat::Table => Format::Table,
        CheckFormat::Csv => Format::Csv,
        CheckFormat::Json => Format::Json,
        CheckFormat::Junit => {
            return Err(Failure::wrong("`--format junit` is for the check of a bot")
                .hint("use `--format json` with `--host` and `--hostile`"));
        }
    };
    if args.host {
        host::run(format, ui)
    } else {
        if args.seed.is_some() && args.hostile_options.soak.is_none() {
            return Err(Failure::wrong("`--seed` is for the check of a bot and for `--soak`")
                .hint("leave out `--seed`, or add `--soak GAMES`"));
        }
        hostile::run(&args.hostile_options, args.seed, args.sandbox, format, ui)
    }
}

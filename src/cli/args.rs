//! Arguments that several subcommands share.

use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::error::{Failure, did_you_mean};
use crate::games::{self, Game, OptionError, Setup, options};

/// In what form data is shown.
#[derive(Args, Clone, Debug)]
pub(crate) struct FormatArgs {
    /// In what form to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FormatArgs {
    /// The form chosen.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// A form in which data is shown.
#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// A table for people
    Table,
    /// Comma-separated values
    Csv,
    /// JSON
    Json,
}

/// Options of a game on the command line.
#[derive(Args, Clone, Debug)]
pub(crate) struct OptionArgs {
    /// The game's options, as `linesman games ID` lists them
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "", hide_default_value = true)]
    options: String,
}

impl OptionArgs {
    /// The game of this name with these options.
    pub(crate) fn set_up(&self, id: &str) -> Result<Arc<dyn Setup>, Failure> {
        let game = find_game(id)?;
        let given = options::split_options(&self.options).map_err(|error| option_failure(game, &error))?;
        game.configure(&given).map_err(|error| option_failure(game, &error))
    }
}

/// The game of this name.
pub(crate) fn find_game(id: &str) -> Result<&'static dyn Game, Failure> {
    games::find(id).ok_or_else(|| {
        let ids = || games::GAMES.iter().map(|game| game.id());
        let known = ids().collect::<Vec<_>>().join("`, `");
        Failure::wrong(format_args!("there is no game `{id}`"))
            .hint_if(did_you_mean(id, ids()))
            .hint(format_args!("the games are `{known}`"))
    })
}

fn option_failure(game: &dyn Game, error: &OptionError) -> Failure {
    let failure = Failure::wrong(format_args!("{}: {error}", game.id()));
    let failure = match error {
        OptionError::Unknown { name, known } => failure.hint_if(did_you_mean(name, known.iter().copied())),
        _ => failure,
    };
    failure.hint(format_args!("`linesman games {}` lists the options", game.id()))
}

//! Arguments of several subcommands.

use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::error::Failure;
use super::ui::Ui;
use crate::games::{self, Game, OptionError, Setup, options};
use crate::league::file::{OptionFile, OptionFileError, did_you_mean};
use crate::process::isolation::Sandbox;

#[derive(Args, Clone, Debug)]
pub(crate) struct EventsArgs {
    /// Print events for programs on stdout, one JSON object per line; the final tables
    /// then go to stderr
    #[arg(long, value_name = "FORM", help_heading = "Output", hide_short_help = true)]
    events: Option<EventForm>,
}

impl EventsArgs {
    /// True if events are printed on stdout.
    pub(crate) fn are_wanted(&self) -> bool {
        self.events.is_some()
    }

    /// Starts the event stream, if it is wanted.
    pub(crate) fn start(&self, ui: &mut Ui) -> Result<(), Failure> {
        if self.are_wanted() { ui.start_events() } else { Ok(()) }
    }
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum EventForm {
    /// A JSON object a line
    Jsonl,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct FormatArgs {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    format: Format,
    /// Same as `--format json`
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
}

impl FormatArgs {
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// The chosen format of a command that can print events on stdout. `event` names the event with the same data.
    pub(crate) fn format_with_events(&self, events: &EventsArgs, event: &str) -> Result<Format, Failure> {
        match self.format() {
            Format::Csv | Format::Json if events.are_wanted() => {
                Err(Failure::wrong("`--events` and `--format` can't both print on stdout")
                    .hint(format_args!("leave out `--format`: the last event `{event}` holds the same data")))
            }
            format => Ok(format),
        }
    }
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Table for reading
    Table,
    /// Comma-separated values
    Csv,
    /// JSON
    Json,
}

/// What keeps bots from what is not theirs.
#[derive(Args, Clone, Debug)]
pub(crate) struct SandboxArgs {
    /// Isolation of the bots: `auto` (the strongest sandbox this machine offers), `strict`
    /// (all of it, or refuse to play), `portable` (no privileges or packages needed), `off`
    /// [default: auto, or what the tournament file says]
    #[arg(long, value_name = "MODE", value_parser = sandbox, help_heading = "Machine")]
    pub(crate) sandbox: Option<Sandbox>,
}

pub(crate) fn sandbox(text: &str) -> Result<Sandbox, String> {
    word(text, &Sandbox::ALL, Sandbox::word)
}

/// Finds the value with this word.
pub(crate) fn word<T: Copy>(text: &str, all: &[T], word: fn(T) -> &'static str) -> Result<T, String> {
    all.iter().copied().find(|value| word(*value) == text).ok_or_else(|| {
        let words: Vec<&str> = all.iter().map(|value| word(*value)).collect();
        format!("expected one of {}", words.join(", "))
    })
}

/// Options of a game on the command line.
#[derive(Args, Clone, Debug)]
pub(crate) struct OptionArgs {
    /// Options of the game, listed by `linesman games GAME`; `NAME=@FILE` reads a text option
    /// from a file
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "", hide_default_value = true)]
    options: String,
}

impl OptionArgs {
    pub(crate) fn set_up(&self, id: &str) -> Result<Arc<dyn Setup>, Failure> {
        let game = find_game(id)?;
        let given = read_options(game, &self.options)?;
        configured(game, &given)
    }
}

/// The given options of a game, if it accepts them. Texts in files are read.
pub(crate) fn given_options(game: &Game, text: &str) -> Result<Vec<(String, String)>, Failure> {
    let given = read_options(game, text)?;
    configured(game, &given)?;
    Ok(given)
}

fn read_options(game: &Game, text: &str) -> Result<Vec<(String, String)>, Failure> {
    let given = options::split_options(text).map_err(|error| option_failure(game, &error))?;
    given.into_iter().map(|(name, value)| Ok((name.to_owned(), read_file(game, name, value)?))).collect()
}

fn configured(game: &Game, given: &[(String, String)]) -> Result<Arc<dyn Setup>, Failure> {
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (&**name, &**value)).collect();
    game.configure(&given).map_err(|error| option_failure(game, &error))
}

/// The value of an option, or the contents of the file that it names.
fn read_file(game: &Game, name: &str, value: &str) -> Result<String, Failure> {
    let Some(file) = OptionFile::named_by(game, name, value, Path::new("")) else {
        return Ok(value.to_owned());
    };
    file.read().map_err(|error| {
        let failure = Failure::wrong(format_args!("option `{name}`: {error}"));
        match error {
            OptionFileError::Wrong { file, bad } => {
                failure.at(format_args!("{}:{}:{}", file.name, bad.line, bad.column))
            }
            OptionFileError::Read { error, .. } => failure.cause(error),
            OptionFileError::NotText { .. } | OptionFileError::TooLong { .. } => failure,
        }
    })
}

pub(crate) fn find_game(id: &str) -> Result<&'static Game, Failure> {
    games::find(id).ok_or_else(|| {
        let ids = || games::GAMES.iter().map(|game| game.id);
        let known = ids().collect::<Vec<_>>().join("`, `");
        Failure::wrong(format_args!("there is no game `{id}`"))
            .hint_if(did_you_mean(id, ids()))
            .hint(format_args!("choose one of `{known}`"))
    })
}

fn option_failure(game: &Game, error: &OptionError) -> Failure {
    let failure = Failure::wrong(error);
    let failure = match error {
        OptionError::Unknown { name, known } => failure.hint_if(did_you_mean(name, known.iter().copied())),
        OptionError::Text { name, value, .. } => {
            failure.hint_if(did_you_mean(value, options::named_texts(game.options, name)))
        }
        _ => failure,
    };
    failure.hint(format_args!("run `linesman games {}` to list the options", game.id))
}

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FaultArgs {
    /// Exit with status 1 if a bot failed in any game (late, illegal, crashed, over a limit)
    #[arg(long, help_heading = "Output")]
    pub(crate) fail_on_fault: bool,
}

//! `linesman adapt`: runs a function or class that was written for another framework as a bot.

pub(super) mod adapter;
mod check;

use std::io::Write;
use std::path::{Path, PathBuf};

use self::adapter::{Adapter, bot_stem, file_of};
use self::check::{AdaptedBot, CLAIMS, EXPLAIN, check};
use super::args;
use super::error::{Exit, Failure};
use super::output_file::OutputFile;
use super::ui::Ui;
use crate::process::isolation::Sandbox;

const EXAMPLES: &str = "\
Examples:
  linesman adapt my_bot.py:choose --check
  linesman match --game quixo --bot 'linesman adapt my_bot.py:choose' --bot 'linesman bot greedy'
  linesman adapt my_player.py:MyPlayer --shape player --check";

/// Run a Python or JavaScript function or class as a bot
///
/// The bot needs no change: the adapter speaks the protocol, calls the bot with what its
/// parameters ask for by name, and plays its answer. What the bot prints goes to stderr.
#[derive(clap::Args, Debug)]
#[command(before_help = EXAMPLES)]
#[command(after_long_help = "\
Exit status: 0 at the end of the input, 1 if the bot failed, 2 if it can't be used in this
way, 70 if the adapter itself failed. With --check: 1 if the bot failed in a game that it
is to play, which is each that --game or its shape names, or else at least one.")]
pub(crate) struct Args {
    /// File with the bot, and the name of a function, class or object in it
    #[arg(value_name = "FILE[:NAME]")]
    bot: String,
    /// How positions are shown and answers are read: `function`, `class`, `player`, `agent`,
    /// `gym`, or a file of your own [default: guessed from the bot]
    #[arg(long, value_name = "SHAPE")]
    shape: Option<String>,
    /// Values of the board's cells in place of its letters: of an empty cell, then of those of
    /// each seat, such as `0/1/2`; with `own:`, of the bot's own and then of the others, such as
    /// `own:0/1/-1`; with `flat:`, in one list
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    cells: Option<String>,
    /// Ask again after an answer that is not legal, as some frameworks do
    #[arg(long)]
    again: bool,
    /// Play short games of each game that the bot plays against `linesman bot random`, one from
    /// each seat
    #[arg(long)]
    check: bool,
    /// Game to check; may be repeated [default: all that the bot plays]
    #[arg(long = "game", value_name = "GAME", requires = "check")]
    games: Vec<String>,
    /// Isolation of the bot that is checked: `auto`, `strict`, `portable` or `off`
    /// [default: auto]
    #[arg(long, value_name = "MODE", requires = "check", value_parser = args::sandbox)]
    sandbox: Option<Sandbox>,
    /// Print the games that the bot plays, in place of `ugiok`
    #[arg(long, hide = true, conflicts_with_all = ["check", "print", "out"])]
    claims: bool,
    /// Report how the bot is called and understood, by `info string`
    #[arg(long, hide = true, conflicts_with_all = ["check", "print", "out"])]
    explain: bool,
    /// Print the adapter
    #[arg(long, conflicts_with_all = ["check", "out"])]
    print: bool,
    /// Write the adapter into this directory, and print the bot's command without linesman
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    out: Option<PathBuf>,
}

impl Args {
    fn words(&self) -> Vec<String> {
        self.words_with(&self.bot, self.shape.as_deref())
    }

    /// The command-line arguments of the adapter for another bot and another shape.
    fn words_with(&self, bot: &str, shape: Option<&str>) -> Vec<String> {
        let mut words = vec![bot.to_owned()];
        if let Some(shape) = shape {
            words.extend(["--shape".to_owned(), shape.to_owned()]);
        }
        if let Some(cells) = &self.cells {
            words.push(format!("--cells={cells}"));
        }
        if self.again {
            words.push("--again".to_owned());
        }
        if self.claims {
            words.push(CLAIMS.to_owned());
        }
        if self.explain {
            words.push(EXPLAIN.to_owned());
        }
        words
    }

    fn name(&self) -> String {
        let part = bot_stem(&self.bot).chars();
        let name: String = part.filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(36).collect();
        if name.is_empty() { "bot".to_owned() } else { name }
    }
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let adapter = Adapter::find(&args.bot)?;
    if args.print {
        ui.data().write_all(adapter.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let place = args.bot.split(':').next().unwrap_or_default();
    // Without these options, the bot itself reports a missing file, from inside its sandbox.
    if (args.check || args.out.is_some()) && !file_of(place).is_file() {
        return Err(Failure::wrong(format_args!("there is no file `{place}`")));
    }
    if let Some(folder) = &args.out {
        return export(adapter, args, folder, ui);
    }
    if !args.check {
        return Err(adapter.become_bot(&args.words()));
    }
    let command = [vec!["linesman".to_owned(), "adapt".to_owned()], args.words()].concat();
    let bot = AdaptedBot { name: args.name(), place: &args.bot, command, sandbox: args.sandbox };
    check(&bot, &args.games, ui)
}

/// Writes the adapter into a folder, and prints a command that starts the bot with it from anywhere.
fn export(adapter: &Adapter, args: &Args, folder: &Path, ui: &mut Ui) -> Result<Exit, Failure> {
    let failed = |path: &Path, error| Failure::file(Exit::CantWrite, "make", path, &error);
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let absolute = |path: &Path| std::path::absolute(path).map_err(|error| failed(path, error));
    let path = absolute(folder)?.join(adapter.file);
    OutputFile { path: &path, force: false }.write(
        adapter.text,
        "this command starts the bot with it",
        ui,
    )?;
    let (place, name) =
        args.bot.split_once(':').map_or((&*args.bot, ""), |(place, _)| (place, &args.bot[place.len()..]));
    let bot = format!("{}{name}", absolute(&file_of(place))?.display());
    let shape = match &args.shape {
        Some(shape) if Path::new(shape).is_file() => Some(absolute(Path::new(shape))?.display().to_string()),
        shape => shape.clone(),
    };
    let words = args.words_with(&bot, shape.as_deref());
    let command = [vec![adapter.interpreter.to_owned(), path.display().to_string()], words].concat();
    writeln!(ui.data(), "{}", shell_words::join(command))?;
    Ok(Exit::Done)
}

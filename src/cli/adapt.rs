//! `linesman adapt`: a function or class written for another framework, as a bot.

mod check;

use std::ffi::OsString;
use std::io::Write;
use std::os::fd::IntoRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// Tell how the bot is asked and understood, by `info string`
    #[arg(long, hide = true, conflicts_with_all = ["check", "print", "out"])]
    explain: bool,
    /// Print the adapter
    #[arg(long, conflicts_with_all = ["check", "out"])]
    print: bool,
    /// Write the adapter into this directory, and print the bot's command without linesman
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    out: Option<PathBuf>,
}

/// The way in which the adapter is passed to an interpreter, so that no file is needed in the sandbox.
#[derive(Copy, Clone)]
enum Start {
    /// A short Python program takes it out of the environment, so that process lists don't show it.
    Environment,
    /// The text is an argument of Node.js, whose process then sets a shorter title.
    Argument,
}

struct Adapter {
    interpreter: &'static str,
    start: Start,
    file: &'static str,
    text: &'static str,
    endings: &'static [&'static str],
}

const PYTHON: Adapter = Adapter {
    interpreter: "python3",
    start: Start::Environment,
    file: "linesman_adapter.py",
    text: include_str!("../../bots/adapters/python/linesman_adapter.py"),
    endings: &["py"],
};

const JAVASCRIPT: Adapter = Adapter {
    interpreter: "node",
    start: Start::Argument,
    file: "linesman_adapter.mjs",
    text: include_str!("../../bots/adapters/javascript/linesman_adapter.mjs"),
    endings: &["js", "mjs", "cjs"],
};

impl Adapter {
    fn find(bot: &str) -> Result<&'static Adapter, Failure> {
        let place = bot.split(':').next().unwrap_or_default();
        let ending = Path::new(place).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let known = [&PYTHON, &JAVASCRIPT].into_iter().find(|adapter| adapter.endings.contains(&ending));
        match known {
            Some(adapter) => Ok(adapter),
            None if module_file(place).is_some() => Ok(&PYTHON),
            None => Err(Failure::wrong(format_args!("can't tell the language of `{place}` from its ending"))
                .hint("name a file that ends with `.py`, `.js`, `.mjs` or `.cjs`")),
        }
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::wrong(format_args!("can't start `{}`, which runs the bot", self.interpreter)).cause(error)
    }

    /// Replaces this process with the bot. Returns only if that fails.
    fn become_bot(&self, args: &Args) -> Failure {
        let started = match self.start {
            Start::Environment => {
                let loader =
                    format!("import os; exec(compile(os.environ.pop('{TEXT}'), '{}', 'exec'))", self.file);
                let mut command = Command::new(self.interpreter);
                Ok(command.env(TEXT, self.text).args(["-c", &loader]).args(args.words()).exec())
            }
            // The referee's pipe gets another descriptor, and everything printed goes to stderr, including
            // the output of child processes.
            Start::Argument => rustix::io::dup(rustix::stdio::stdout())
                .and_then(|pipe| rustix::stdio::dup2_stdout(rustix::stdio::stderr()).map(|()| pipe))
                .map(|pipe| {
                    let mut command = Command::new(self.interpreter);
                    command.args(["--input-type=module", "-e", self.text, "--"]).args(args.words());
                    command.args(["--fd".into(), OsString::from(pipe.into_raw_fd().to_string())]).exec()
                }),
        };
        self.not_started(&started.unwrap_or_else(std::io::Error::from))
    }
}

/// The file of a Python module with a dotted name, such as `my_pkg.module`.
fn module_file(place: &str) -> Option<PathBuf> {
    let module = Path::new(&place.replace('.', "/")).to_owned();
    [module.with_extension("py"), module.join("__init__.py")].into_iter().find(|file| file.is_file())
}

fn file_of(place: &str) -> PathBuf {
    let path = Path::new(place);
    if path.is_file() { path.to_owned() } else { module_file(place).unwrap_or_else(|| path.to_owned()) }
}

/// The environment variable in which Python finds its adapter.
const TEXT: &str = "LINESMAN_ADAPTER";

// On Linux no argument or environment variable of a program may be longer than this.
const LONGEST: usize = 128 << 10;
const _: () = assert!(PYTHON.text.len() + TEXT.len() + "=\0".len() <= LONGEST);
const _: () = assert!(JAVASCRIPT.text.len() + "\0".len() <= LONGEST);

impl Args {
    /// The command-line arguments of the adapter.
    fn words(&self) -> Vec<String> {
        self.words_with(&self.bot, self.shape.as_deref())
    }

    /// The same with another bot and another shape.
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
        let part = telling_part(&self.bot).chars();
        let name: String = part.filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(36).collect();
        if name.is_empty() { "bot".to_owned() } else { name }
    }
}

/// The part of `FILE[:NAME]` after which a bot is named: the file name without its ending, or the last part of a
/// module's name. The name of a package says nothing about one of its bots.
pub(super) fn telling_part(bot: &str) -> &str {
    let place = bot.split(':').next().unwrap_or_default();
    let path = Path::new(place);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_file = [&PYTHON, &JAVASCRIPT].iter().any(|adapter| adapter.endings.contains(&ending));
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if is_file || place.contains('/') {
        return stem;
    }
    let parts = || place.rsplit('.').filter(|part| !part.is_empty());
    parts()
        .find(|part| !["__init__", "__main__"].contains(part))
        .or_else(|| parts().next())
        .unwrap_or_default()
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let adapter = Adapter::find(&args.bot)?;
    if args.print {
        ui.data().write_all(adapter.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let place = args.bot.split(':').next().unwrap_or_default();
    // Otherwise the bot reports a missing file itself, from inside its sandbox.
    if (args.check || args.out.is_some()) && !file_of(place).is_file() {
        return Err(Failure::wrong(format_args!("there is no file `{place}`")));
    }
    if let Some(folder) = &args.out {
        return take_along(adapter, args, folder, ui);
    }
    if !args.check {
        return Err(adapter.become_bot(args));
    }
    let words = [vec!["linesman".to_owned(), "adapt".to_owned()], args.words()].concat();
    let bot = AdaptedBot { name: args.name(), place: &args.bot, words, sandbox: args.sandbox };
    check(&bot, &args.games, ui)
}

/// Writes the adapter into a folder, and prints a command that starts the bot with it from anywhere.
fn take_along(adapter: &Adapter, args: &Args, folder: &Path, ui: &mut Ui) -> Result<Exit, Failure> {
    let cant = |path: &Path, error| Failure::file(Exit::CantWrite, "make", path, &error);
    std::fs::create_dir_all(folder).map_err(|error| cant(folder, error))?;
    let absolute = |path: &Path| std::path::absolute(path).map_err(|error| cant(path, error));
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

#[cfg(test)]
mod tests {
    use super::telling_part;

    #[test]
    fn a_bot_is_named_after_its_file_or_the_last_part_of_its_module() {
        for (bot, name) in [
            ("my_bot.py:choose", "my_bot"),
            ("bots/deep.mjs", "deep"),
            ("pkg.bot:choose", "bot"),
            ("pkg.search.minimax:Player", "minimax"),
            ("pkg", "pkg"),
            ("pkg/inner:choose", "inner"),
            ("pkg.deep.__main__:choose", "deep"),
        ] {
            assert_eq!(telling_part(bot), name, "{bot}");
        }
    }
}

//! `linesman adapt`: a function or class written for another framework, as a bot.

use std::ffi::OsString;
use std::io::Write;
use std::os::fd::IntoRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::args;
use super::conditions::{self, in_words, quoted};
use super::error::{Exit, Failure};
use super::output_file::OutputFile;
use super::play::{self, PlayedRun, Run};
use super::ui::Ui;
use crate::games::{self, Game};
use crate::league::directory::Plan;
use crate::league::session::{Observers, Preflight, Session, SessionError};
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
way, 70 if the adapter itself failed. With --check: 1 if the bot failed in a game.")]
pub(crate) struct Args {
    /// File with the bot, and the name of a function, class or object in it
    #[arg(value_name = "FILE[:NAME]")]
    bot: String,
    /// How positions are shown and answers are read: `function`, `class`, `player`, `agent`,
    /// `gym`, or a file of your own [default: guessed from the bot]
    #[arg(long, value_name = "SHAPE")]
    shape: Option<String>,
    /// Ask again after an answer that is not legal, as some frameworks do
    #[arg(long)]
    again: bool,
    /// Play a short game of each game that the bot plays against `linesman bot random`
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

/// The adapter for a language.
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
        let module = Path::new(&place.replace('.', "/")).to_owned();
        match known {
            Some(adapter) => Ok(adapter),
            None if module.with_extension("py").is_file() || module.join("__init__.py").is_file() => {
                Ok(&PYTHON)
            }
            None => Err(Failure::wrong(format_args!("can't tell the language of `{place}` from its ending"))
                .hint("name a file that ends with `.py`, `.js`, `.mjs` or `.cjs`")),
        }
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::wrong(format_args!("can't start `{}`, which runs the bot", self.interpreter)).cause(error)
    }

    /// Becomes the bot.
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

/// The environment variable in which Python finds its adapter.
const TEXT: &str = "LINESMAN_ADAPTER";

// On Linux no argument or environment variable of a program may be longer than this.
const LONGEST: usize = 128 << 10;
const _: () = assert!(PYTHON.text.len() + TEXT.len() + "=\0".len() <= LONGEST);
const _: () = assert!(JAVASCRIPT.text.len() + "\0".len() <= LONGEST);

impl Args {
    /// The arguments of the adapter.
    fn words(&self) -> Vec<String> {
        let mut words = vec![self.bot.clone()];
        if let Some(shape) = &self.shape {
            words.extend(["--shape".to_owned(), shape.clone()]);
        }
        if self.again {
            words.push("--again".to_owned());
        }
        if self.claims {
            words.push(CLAIMS.to_owned());
        }
        words
    }

    fn name(&self) -> String {
        let place = self.bot.split(':').next().unwrap_or_default();
        let stem = Path::new(place).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let name: String = stem.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(36).collect();
        if name.is_empty() || name == OPPONENT { "bot".to_owned() } else { name }
    }
}

/// The option that makes an adapter list the games that its bot plays.
const CLAIMS: &str = "--claims";

/// The built-in bot that a bot is checked against.
const OPPONENT: &str = "random";

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let adapter = Adapter::find(&args.bot)?;
    if args.print {
        ui.data().write_all(adapter.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    if let Some(folder) = &args.out {
        let path = folder.join(adapter.file);
        let file = OutputFile { path: &path, force: false };
        file.write(adapter.text, "this command starts the bot with it", ui)?;
        let words = [vec![adapter.interpreter.to_owned(), path.display().to_string()], args.words()].concat();
        writeln!(ui.data(), "{}", shell_words::join(words))?;
        return Ok(Exit::Done);
    }
    if args.check { check(args, ui) } else { Err(adapter.become_bot(args)) }
}

/// Plays one game of each kind, and reports the results.
fn check(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let games = match &args.games[..] {
        [] => claimed(args, ui)?,
        named => named.iter().map(|id| args::find_game(id)).collect::<Result<_, _>>()?,
    };
    let mut exit = Exit::Done;
    for game in games {
        let (is_good, sentence) = match play(args, game, ui) {
            Ok(told) => told,
            Err(failure) => {
                ui.fail(&failure);
                (false, format!("{} could not play", args.name()))
            }
        };
        writeln!(ui.data(), "{}: {sentence}", game.id())?;
        if !is_good {
            exit = Exit::No;
        }
    }
    Ok(exit)
}

/// The games that a bot plays. The question is asked in the sandbox, to a bot that is started as for a game.
fn claimed(args: &Args, ui: &Ui) -> Result<Vec<&'static dyn Game>, Failure> {
    let all = games::GAMES.iter().copied();
    let Some(first) = all.clone().next() else { return Ok(Vec::new()) };
    let plan = plan(args, first, &[CLAIMS.to_owned()], ui)?;
    let quietly = &mut Observers::new();
    let asked = Session::new(&plan, play::platform()?, Preflight::MustPass, quietly)
        .and_then(|session| session.run(&mut |_| Ok(()), quietly).map(drop));
    let failing = match asked {
        Err(SessionError::Preflight(failing)) => failing,
        // Any other problem is reported with the first game.
        Err(_) | Ok(()) => Vec::new(),
    };
    let lines: Vec<&str> =
        failing.iter().flat_map(|bot| &bot.failed.stray_lines).map(String::as_str).collect();
    let claims: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("plays ")).collect();
    let is_claimed = |game: &&dyn Game| claims.iter().any(|claim| *claim == "all" || *claim == game.id());
    let found: Vec<_> = if claims.is_empty() { vec![first] } else { all.filter(is_claimed).collect() };
    if found.is_empty() {
        return Err(Failure::wrong(format_args!(
            "`{}` plays none of the games: {}",
            args.bot,
            claims.join(", ")
        ))
        .hint("`linesman games` lists the games; correct `GAMES` in the shape"));
    }
    Ok(found)
}

/// A short game of a bot that is started with additional arguments, against built-in bots.
fn plan(args: &Args, game: &'static dyn Game, further: &[String], ui: &Ui) -> Result<Plan, Failure> {
    let is_endless = game.options().iter().any(|option| option.name == "max_plies");
    let short: &[(&str, &str)] = if is_endless { &[("max_plies", "40")] } else { &[] };
    let setup = game.configure(short).map_err(Failure::wrong)?;
    let folder = conditions::current_folder()?;
    let own = [vec!["linesman".to_owned(), "adapt".to_owned()], args.words(), further.to_vec()].concat();
    let mut text = conditions::head("check", game.id(), &*setup);
    text.push_str("rounds = 1\ngames = 1\nmovetime = \"2s\"\n");
    if let Some(sandbox) = args.sandbox {
        text.push_str(&format!("sandbox = {}\n", quoted(sandbox.word())));
    }
    let others = (2..=setup.teams().sides())
        .map(|side| if side == 2 { OPPONENT.to_owned() } else { format!("{OPPONENT}-{side}") })
        .map(|other| (other, format!("linesman bot {OPPONENT}")));
    for (name, command) in [(args.name(), shell_words::join(own))].into_iter().chain(others) {
        text.push_str(&format!(
            "\n[[bots]]\nname = {}\ncommand = {}\ndir = {}\n",
            quoted(&name),
            quoted(&command),
            quoted(&folder.to_string_lossy())
        ));
    }
    conditions::plan(ui, text, "match")
}

/// Plays one game. Returns a sentence about it, and true if the bot played it to its end without a fault.
fn play(args: &Args, game: &'static dyn Game, ui: &mut Ui) -> Result<(bool, String), Failure> {
    let name = args.name();
    let plan = plan(args, game, &[], ui)?;
    let mut run = Run::new(ui, &plan, Preflight::Skipped, in_words)?;
    let PlayedRun { results, .. } = run.play(ui, None)?;
    if results.faults_by_bot().iter().any(|(bot, _)| *bot == name) {
        return Ok((false, format!("{name} failed; the reason stands above")));
    }
    let points = results.points().find(|row| row.name == name && row.games > 0).map(|row| row.points);
    Ok(match points {
        Some(points) if points > 0.9 => (true, format!("{name} played to the end and won")),
        Some(points) if points < 0.1 => (true, format!("{name} played to the end and lost")),
        Some(_) => (true, format!("{name} played to the end and drew")),
        None => (false, "the game was not played to its end".to_owned()),
    })
}

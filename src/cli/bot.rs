//! `linesman bot`: runs a built-in bot on stdin and stdout.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::error::{Exit, Failure};
use super::play::failure::caused;
use super::ui::Ui;
use crate::check::hostile;
use crate::engines::solve::{BadTable, SolvedTable};
use crate::engines::{BadSetting, CantGoOn, Engine, Settings, play_ugi};
use crate::league::file::did_you_mean;

const EXAMPLES: &str = "\
Examples:
  linesman match --game quixo --bot 'linesman bot greedy' --bot 'linesman bot alphabeta --depth 3' \\
                 --games 20 --movetime 200ms
  linesman bot random --seed 7
  linesman bot level --level 3

The bots:
  random     plays a random legal move
  greedy     plays the move with the best next position, and never gives a win away
  alphabeta  alpha-beta search, as deep as its time allows
  mcts       Monte Carlo tree search; each side plays for itself
  perfect    plays from the table of a solved game (see `linesman solve --save`)
  level      plays at one of ten strengths, from random to the strongest search";

/// Run a built-in bot
///
/// The bot reads the lines of the referee from stdin and answers on stdout. It plays
/// every game. The same seed in the same game gives the same choices.
#[derive(clap::Args, Debug)]
#[command(before_help = EXAMPLES)]
pub(crate) struct Args {
    /// Bot to run: random, greedy, alphabeta, mcts, perfect or level
    #[arg(value_name = "BOT")]
    name: String,
    /// Which hostile bot, after the name `hostile`
    #[arg(value_name = "DEED", hide = true)]
    deed: Option<String>,
    /// The names of all hostile bots, after the name `hostile`
    #[arg(long, hide = true, conflicts_with = "deed")]
    list: bool,
    /// level: strength, from 1 (random moves) to 10 (the strongest search) [default: 5]
    #[arg(long, value_name = "1..10")]
    level: Option<u64>,
    /// Seed of the choice among equal moves
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// alphabeta: largest search depth in plies
    #[arg(long, value_name = "PLIES")]
    depth: Option<u64>,
    /// alphabeta, mcts: largest number of positions per move
    #[arg(long, value_name = "NUMBER")]
    nodes: Option<u64>,
    /// alphabeta, mcts: memory for the search, in MiB
    #[arg(long, value_name = "MIB")]
    hash: Option<u64>,
    /// mcts: weight of exploration, in hundredths
    #[arg(long, value_name = "HUNDREDTHS")]
    exploration: Option<u64>,
    /// mcts: lead that gives winning odds of 2.7 to 1, in hundredths
    #[arg(long, value_name = "HUNDREDTHS")]
    scale: Option<u64>,
    /// alphabeta, mcts: how much less an endless game is worth than an even position, in hundredths
    #[arg(long, value_name = "HUNDREDTHS")]
    contempt: Option<u64>,
    /// perfect: table of the game, written by `linesman solve --save`
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// all but random: time reserved per move for communication, in milliseconds
    #[arg(long, value_name = "MS")]
    overhead: Option<u64>,
}

impl Args {
    fn engine(&self) -> Result<Engine, Failure> {
        Engine::find(&self.name).ok_or_else(|| {
            let names = || Engine::ALL.into_iter().map(Engine::name);
            let known = names().collect::<Vec<_>>().join("`, `");
            Failure::wrong(format_args!("there is no built-in bot `{}`", self.name))
                .hint_if(did_you_mean(&self.name, names()))
                .hint(format_args!("choose one of `{known}`"))
        })
    }

    fn settings(&self, engine: Engine) -> Result<Settings, Failure> {
        let mut settings = engine.settings();
        for (name, value) in [
            ("seed", self.seed),
            ("level", self.level),
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("hash", self.hash),
            ("exploration", self.exploration),
            ("scale", self.scale),
            ("contempt", self.contempt),
            ("overhead", self.overhead),
        ] {
            let Some(value) = value else { continue };
            settings.set(name, &value.to_string()).map_err(|error| match error {
                BadSetting::Unknown { known, .. } => {
                    let flags: Vec<_> =
                        known.iter().map(|name| format!("`--{}`", name.to_lowercase())).collect();
                    Failure::wrong(format_args!("{} has no option `--{name}`", engine.name()))
                        .hint(format_args!("{} takes {}", engine.name(), flags.join(", ")))
                }
                BadSetting::Value { value, min, max, .. } => {
                    Failure::wrong(format_args!("`--{name}` must be from {min} to {max}, not {value}"))
                }
            })?;
        }
        match (&self.table, engine) {
            (Some(path), Engine::Perfect) => Ok(settings.with_table(read_table(path)?)),
            (None, Engine::Perfect) => Err(Failure::wrong("perfect needs a table: `--table FILE`")
                .hint("make one with `linesman solve quixo --options size=4 --save FILE`")),
            (Some(_), _) => Err(Failure::wrong(format_args!("{} has no option `--table`", engine.name()))
                .hint("leave out `--table`: only perfect uses a table")),
            (None, _) => Ok(settings),
        }
    }
}

fn read_table(path: &Path) -> Result<SolvedTable, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(Exit::Wrong, "open", path, &error))?;
    SolvedTable::read(&mut BufReader::new(file)).map_err(|error| {
        let failure = Failure::wrong(format_args!("can't use the table `{}`: {error}", path.display()));
        match error {
            BadTable::Input(cause) => failure.cause(cause),
            _ => failure.hint("make a table with `linesman solve GAME --save FILE`"),
        }
    })
}

/// The name of the bots that misbehave in tests of a machine. They are not for tournaments, so the help omits them.
const HOSTILE: &str = "hostile";

fn run_hostile(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    if args.list {
        let mut data = ui.data();
        for bot in hostile::all() {
            writeln!(data, "{:24}  {}", bot.name, bot.does)?;
        }
        return Ok(Exit::Done);
    }
    let names = || hostile::all().filter(|bot| bot.is_built_in()).map(|bot| bot.name);
    let list = "run `linesman bot hostile --list` to list them";
    let Some(deed) = &args.deed else {
        return Err(Failure::wrong("the name of the hostile bot is missing").hint(list));
    };
    if deed == hostile::WITNESS {
        return Ok(Exit::Other(hostile::witness()));
    }
    match hostile::all().find(|bot| bot.name == deed && bot.is_built_in()) {
        Some(bot) => Ok(Exit::Other(bot.perform())),
        None => Err(Failure::wrong(format_args!("there is no hostile bot `{deed}`"))
            .hint_if(did_you_mean(deed, names()))
            .hint(list)),
    }
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    if args.name == HOSTILE {
        return run_hostile(args, ui);
    }
    if args.list {
        return Err(Failure::wrong("`--list` works only with `linesman bot hostile`"));
    }
    if let Some(deed) = &args.deed {
        return Err(Failure::wrong(format_args!("unexpected argument `{deed}`")));
    }
    let engine = args.engine()?;
    let settings = args.settings(engine)?;
    if io::stdin().is_terminal() {
        ui.note(format_args!(
            "This is the bot `{}`: it {}. It speaks the protocol of the referee: try `ugi`, or `quit` to \
             end it.",
            engine.name(),
            engine.about()
        ));
    }
    match play_ugi(engine, settings, BufReader::new(io::stdin()), BufWriter::new(io::stdout())) {
        Ok(()) => Ok(Exit::Done),
        Err(CantGoOn::Output(error)) => Err(error.into()),
        Err(error) => Err(caused(Failure::wrong(&error), &error)),
    }
}

//! `linesman bot`: the built-in bots, which talk on stdin and stdout.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::error::{Exit, Failure, did_you_mean};
use super::ui::Ui;
use crate::check::hostile;
use crate::engines::solve::{BadTable, Table};
use crate::engines::{BadSetting, CantGoOn, Engine, Settings, speak};

const EXAMPLES: &str = "\
Examples:
  linesman match --game quixo --bot 'linesman bot greedy' --bot 'linesman bot alphabeta --depth 3' \\
                 --games 20 --movetime 200ms
  linesman bot random --seed 7

The bots:
  random     plays any legal move, all alike
  greedy     plays the move after which the position looks best, and gives no win away
  alphabeta  searches as deep as its time lets it
  mcts       looks longest at what looks best, each side for itself (Monte-Carlo tree search)
  perfect    plays by the table of a solved game (see `linesman solve --save`)";

/// Be one of the built-in bots
///
/// The bot reads the referee's lines from its input and answers on its output;
/// it plays every game. The same seed in the same game makes the same choices.
#[derive(clap::Args, Debug)]
#[command(before_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which bot: random, greedy, alphabeta, mcts or perfect
    #[arg(value_name = "BOT")]
    name: String,
    /// Which hostile bot, after the name `hostile`
    #[arg(value_name = "DEED", hide = true)]
    deed: Option<String>,
    /// The names of all hostile bots, after the name `hostile`
    #[arg(long, hide = true, conflicts_with = "deed")]
    list: bool,
    /// Make other choices among equal moves
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// alphabeta: look ahead this many plies at most
    #[arg(long, value_name = "PLIES")]
    depth: Option<u64>,
    /// alphabeta, mcts: visit this many positions a move at most
    #[arg(long, value_name = "NUMBER")]
    nodes: Option<u64>,
    /// alphabeta, mcts: MiB of memory for positions met before
    #[arg(long, value_name = "MIB")]
    hash: Option<u64>,
    /// mcts: how much it is drawn to what it knows little of
    #[arg(long, value_name = "HUNDREDTHS")]
    exploration: Option<u64>,
    /// mcts: by how much a side has to lead for odds of 2.7 to 1
    #[arg(long, value_name = "HUNDREDTHS")]
    scale: Option<u64>,
    /// alphabeta, mcts: how much less than an even position an endless game is worth
    #[arg(long, value_name = "HUNDREDTHS")]
    contempt: Option<u64>,
    /// perfect: the table to play by, as `linesman solve --save` writes it
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// alphabeta, mcts: milliseconds a move to keep for the way to the referee and back
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
                .hint(format_args!("the built-in bots are `{known}`"))
        })
    }

    fn settings(&self, engine: Engine) -> Result<Settings, Failure> {
        let mut settings = engine.settings();
        for (name, value) in [
            ("seed", self.seed),
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
                    Failure::wrong(format_args!("`--{name}` can't be {value}: it takes {min} to {max}"))
                }
            })?;
        }
        match (&self.table, engine) {
            (Some(path), Engine::Perfect) => Ok(settings.with_table(read_table(path)?)),
            (None, Engine::Perfect) => {
                Err(Failure::wrong("perfect plays by a table and needs `--table FILE`")
                    .hint("`linesman solve quixo --options size=4 --save FILE` makes one"))
            }
            (Some(_), _) => Err(Failure::wrong(format_args!("{} has no option `--table`", engine.name()))
                .hint("only perfect plays by a table")),
            (None, _) => Ok(settings),
        }
    }
}

fn read_table(path: &Path) -> Result<Table, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(Exit::Wrong, "open", path, &error))?;
    Table::read(&mut BufReader::new(file)).map_err(|error| {
        let failure = Failure::wrong(format_args!("can't play by `{}`: {error}", path.display()));
        match error {
            BadTable::Input(cause) => failure.cause(cause),
            _ => failure.hint("`linesman solve GAME --save FILE` makes a table"),
        }
    })
}

/// What misbehaves in the tests of a host; not for tournaments, so not in the help.
const HOSTILE: &str = "hostile";

fn run_hostile(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    if args.list {
        let mut data = ui.data();
        for bot in hostile::all() {
            writeln!(data, "{:24}  {}", bot.name, bot.does)?;
        }
        return Ok(Exit::Done);
    }
    let names = || hostile::all().filter(|bot| bot.is_program()).map(|bot| bot.name);
    let list = "`linesman bot hostile --list` names them";
    let Some(deed) = &args.deed else {
        return Err(Failure::wrong("which hostile bot?").hint(list));
    };
    if deed == hostile::WITNESS {
        return Ok(Exit::Other(hostile::witness()));
    }
    match hostile::all().find(|bot| bot.name == deed && bot.is_program()) {
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
        return Err(Failure::wrong("`--list` goes with `hostile`"));
    }
    if let Some(deed) = &args.deed {
        return Err(Failure::wrong(format_args!("unexpected argument `{deed}`")));
    }
    let engine = args.engine()?;
    let settings = args.settings(engine)?;
    let input = io::stdin().lock();
    if input.is_terminal() {
        ui.note(format_args!(
            "This is the bot `{}`: it {}. It talks the referee's language (try `ugi`; `quit` ends it).",
            engine.name(),
            engine.about()
        ));
    }
    match speak(engine, settings, input, BufWriter::new(io::stdout().lock())) {
        Ok(()) => Ok(Exit::Done),
        Err(CantGoOn::Output(error)) => Err(error.into()),
        Err(error) => Err(with_causes(&error)),
    }
}

fn with_causes(error: &dyn std::error::Error) -> Failure {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(Failure::wrong(error), |failure, cause| failure.cause(cause))
}

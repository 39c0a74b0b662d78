//! `linesman replay`: shows a game in the terminal, prints it, writes it as a page, or plays it again.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use super::args::{Format, FormatArgs, SandboxArgs};
use super::error::{Exit, Failure};
use super::output_file::OutputFile;
use super::ui::Ui;
use crate::report::page;
use crate::report::picture::terminal::USUAL_WIDTH;
use crate::report::replay::{Replay, ReplayError};
use crate::seat::MAX_SEATS;

pub(in crate::cli) mod analysis;
mod dialogue;
pub(super) mod draw;
mod library;
pub(super) mod look;
mod moves;
mod print;
mod recorded_bots;
mod rerun;
mod screen;
pub(super) mod terminal;
#[cfg(test)]
mod tests;

pub(super) use library::{Library, WantedGame};
use look::Look;

/// The step of Page Up and Page Down, in plies.
pub(super) const PAGE: usize = 10;

/// Step through a game: positions, moves, times, what the bots said
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman replay runs/quixo-demo/games.jsonl
  linesman replay runs/quixo-demo --game greedy~alphabeta~1
  linesman replay games.jsonl --game 3 --html game3.html
  linesman replay games.jsonl --game 3 --analyze --html game3.html
  linesman replay runs/quixo-demo --game greedy~alphabeta~1 --rerun
  linesman replay runs/quixo-demo --game 3 --dialogue --seat 1 | ./my_bot")]
#[command(after_long_help = "\
On a terminal the game fills the screen: arrow keys step, Home and End jump to the
first and last position, Space plays, ? lists all keys, q quits. Elsewhere every
position is printed: with --format json as an object with `plies` (an array that begins
with the starting position), `verdict` and more, with csv as one row per position.

The page written by --html is a single file and needs no network.

--rerun plays the game again: the same bots in the same seats, the same opening and
seed, and the time control, limits and sandbox of the plan. The plan is in the run
directory (paths of bots are resolved from the current directory or from the one that
contains `runs`), or is the file given by --plan. A bot that has been replaced or
removed since is started with the command in the record if its files have not
changed; otherwise the changes are listed. The output says whether the moves and
the result are the same, or where they first differ. The run itself is not changed. A bot
that plays at random or by the clock may play differently each time.

--dialogue prints a transcript of the game in the format of protocol/transcripts. With
--seat it prints only the lines that this seat was sent, with the clocks of then, so that
a bot can be started with the same game on its standard input, alone or in a debugger.
The referee's core makes the lines from the moves and times of the record. The options of
the bots come from the plan. A record does not say what teammates told each other.

Exit status: 1 if the record contains an illegal move (the positions before it are
shown) or if the rerun differed; 2 if there is no such game or its record has no moves;
74 if a file can't be written.")]
pub(crate) struct Args {
    /// File of records (`-` for stdin), or a run directory
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Id of the game, or its number in the file [default: the first]
    #[arg(long, value_name = "ID|N")]
    game: Option<String>,
    /// Write the game as a web page (`-` for stdout)
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["format", "json"])]
    html: Option<PathBuf>,
    /// Mark blunders, missed wins and the turning point, as `linesman analyze` finds them
    #[arg(long, conflicts_with = "again")]
    analyze: bool,
    /// With --analyze: positions of each search [default: 20000]
    #[arg(long, value_name = "NUMBER", requires = "analyze", value_parser = clap::value_parser!(u64).range(64..=1_000_000_000))]
    nodes: Option<u64>,
    /// Play the game again and compare the moves
    #[arg(long, conflicts_with = "html", group = "again")]
    rerun: bool,
    /// Print what the referee and the bots said to each other
    #[arg(long, conflicts_with_all = ["html", "format", "json"], group = "again")]
    dialogue: bool,
    /// With --dialogue: print only what this seat was sent, as the bot read it
    #[arg(long, value_name = "N", requires = "dialogue", value_parser = clap::value_parser!(u8).range(1..=MAX_SEATS as i64))]
    seat: Option<u8>,
    /// With --dialogue: stop where a bot is asked for this ply (with --seat: or for the last
    /// one of this seat before it)
    #[arg(long, value_name = "P", requires = "dialogue", value_parser = clap::value_parser!(u32).range(1..))]
    ply: Option<u32>,
    /// With --dialogue: what the bots asked for in their handshake, `legal`, `state`, both or
    /// `none` [default: legal,state]
    #[arg(long, hide_short_help = true, value_name = "WORD,...", requires = "dialogue", value_delimiter = ',', value_parser = dialogue::Feature::parse)]
    feature: Vec<dialogue::Feature>,
    /// With --rerun or --dialogue: tournament file that says how to start the bots
    #[arg(long, hide_short_help = true, value_name = "FILE", requires = "again")]
    plan: Option<PathBuf>,
    /// With --rerun: file for the record of the new game
    #[arg(long, hide_short_help = true, value_name = "FILE", requires = "rerun")]
    out: Option<PathBuf>,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Overwrite existing files
    #[arg(long, help_heading = "Output")]
    force: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let library = Library::open(&args.file)?;
    let wanted = args.game.as_deref().map_or(WantedGame::Number(1), WantedGame::from);
    if args.force && args.html.is_none() && args.out.is_none() {
        return Err(Failure::wrong("`--force` works only with `--html` or `--out`"));
    }
    if args.sandbox.sandbox.is_some() && !args.rerun {
        return Err(Failure::wrong("`--sandbox` works only with `--rerun`"));
    }
    let found = library.find(&wanted)?;
    if args.rerun || args.dialogue {
        let option = if args.rerun { "--rerun" } else { "--dialogue" };
        if args.game.is_none() && library.games() > 1 {
            return Err(Failure::wrong(format_args!(
                "`{option}` needs one game, but there are {}",
                library.games()
            ))
            .hint("choose one with `--game ID`"));
        }
        if args.dialogue {
            return dialogue::run(args, &found.record, ui);
        }
        return rerun::run(args, &found.record, ui);
    }
    let mut replay = Replay::new(&found.record).map_err(|error| replay_failure(&error))?;
    let nodes = args.analyze.then(|| args.nodes.unwrap_or(analysis::NODES));
    if let Some(nodes) = nodes {
        analysis::mark(&mut replay, &found.record, nodes)?;
    }
    let on_screen = args.html.is_none() && args.format.format() == Format::Table && can_fill_the_screen();
    if on_screen {
        let look = if ui.data_in_colour() { Look::Coloured } else { Look::Plain };
        return terminal::run(&library, found.number, replay, (look, nodes));
    }
    if args.game.is_none() && library.games() > 1 {
        ui.note(format_args!("this is game 1 of {}; choose another with `--game`", library.games()));
    }
    match (&args.html, args.format.format()) {
        (Some(path), _) => {
            let file = OutputFile { path, force: args.force };
            file.write(&page::page(&replay), "open it in a browser", ui)?;
        }
        (None, Format::Table) => {
            print::text(&replay, ui.data_width().unwrap_or(USUAL_WIDTH), &mut ui.data())?;
        }
        (None, Format::Json) => ui.print_json(&print::ReplayJson::of(&replay))?,
        (None, Format::Csv) => print::csv(&replay, &mut ui.data())?,
    }
    match replay.broken {
        None => Ok(Exit::Done),
        Some(broken) => Err(Failure::no(broken)
            .hint("run `linesman verify` to list everything that is inconsistent in a file")),
    }
}

/// The failure for a record that can't be replayed.
pub(super) fn replay_failure(error: &ReplayError) -> Failure {
    let failure = Failure::wrong(error);
    match error {
        ReplayError::NoMoves { .. } => failure.hint("choose a record that has `moves`"),
        _ => failure,
    }
}

/// Returns true if a full-screen terminal and a keyboard are available.
pub(super) fn can_fill_the_screen() -> bool {
    let keys = || io::stdin().is_terminal() || File::open("/dev/tty").is_ok();
    io::stdout().is_terminal() && !super::env::terminal_is_dumb() && keys()
}

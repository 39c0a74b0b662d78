//! `linesman replay`: step through a game in the terminal, print it, write it
//! as a page, or play it again.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use super::args::{Format, FormatArgs, SandboxArgs};
use super::error::{Exit, Failure};
use super::json;
use super::output_file::OutputFile;
use super::ui::Ui;
use crate::report::film::{Film, FilmError};
use crate::report::page;
use crate::report::picture::terminal::USUAL_WIDTH;

mod draw;
mod former;
mod library;
mod moves;
mod print;
mod rerun;
mod screen;
mod terminal;
#[cfg(test)]
mod tests;

use library::{Library, Wanted};

/// Step through a game: positions, moves, times, what the bots said
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman replay runs/quixo-demo/games.jsonl
  linesman replay runs/quixo-demo --game greedy~alphabeta~1
  linesman replay games.jsonl --game 3 --html game3.html
  linesman replay runs/quixo-demo --game greedy~alphabeta~1 --rerun")]
#[command(after_long_help = "\
On a terminal the game fills the screen: arrow keys step, Home and End go to
the first and last position, Space plays, ? shows all keys, q leaves. Elsewhere
every position is printed; with --format json as an object with `plies` (an
array, the start first), `verdict` and more, with csv as a row a position.

The page that --html writes needs no network: it is one file that any browser
opens.

With --rerun the game is played again: by the same bots on the same seats, from
the same opening, with the same seed, under the limits, the time control and
the sandbox of the plan. The plan is the one that the run's directory holds,
its bots' paths seen from the current folder or from the one that `runs` lies
in; or the tournament file that --plan names. A bot that was replaced or taken
out since is started by the command in the record, if its files are still those
that played; else it is said what has changed. It is said whether the same moves
came and the game ended in the same way, or where they differ first. Nothing of
the run is changed. Bots that choose by chance or by the clock may well play
otherwise each time.

Exit status: 1 if the record holds a move that can't be played, then the
positions before it are shown, or if a game played again went another way; 2 if there is no such game, or its record has
no moves; 74 if the page can't be written.")]
pub(crate) struct Args {
    /// The records (`-` for stdin), or a run's directory
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which game: its id, or its number in the file, from 1; without it the first
    #[arg(long, value_name = "ID|N")]
    game: Option<String>,
    /// Write the game as a page that steps through it in a browser (`-` for stdout)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "json"])]
    html: Option<PathBuf>,
    /// Play the game again, and say whether the same moves come
    #[arg(long, conflicts_with = "html")]
    rerun: bool,
    /// With --rerun: the tournament file that says how the bots are started
    #[arg(long, value_name = "FILE", requires = "rerun")]
    plan: Option<PathBuf>,
    /// With --rerun: keep the record of the game as it went this time
    #[arg(long, value_name = "FILE", requires = "rerun")]
    out: Option<PathBuf>,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Overwrite the page, or the record of --out, if there is one
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let library = Library::open(&args.file)?;
    let wanted = args.game.as_deref().map_or(Wanted::Number(1), Wanted::from);
    if args.force && args.html.is_none() && args.out.is_none() {
        return Err(Failure::wrong("--force says nothing without --html or --out"));
    }
    if args.sandbox.sandbox.is_some() && !args.rerun {
        return Err(Failure::wrong("--sandbox says nothing without --rerun"));
    }
    let found = library.find(&wanted)?;
    if args.rerun {
        if args.game.is_none() && library.games() > 1 {
            return Err(Failure::wrong(format_args!("there are {} games", library.games()))
                .hint("say which of them is played again: --game ID"));
        }
        return rerun::run(args, &found.record, ui);
    }
    let film = Film::new(&found.record).map_err(|error| no_film(&error))?;
    let on_screen = args.html.is_none() && args.format.format() == Format::Table && can_fill_the_screen();
    if on_screen {
        let look = if ui.data_in_colour() { draw::Look::Coloured } else { draw::Look::Plain };
        return terminal::run(&library, found.number, film, look);
    }
    if args.game.is_none() && library.games() > 1 {
        ui.note(format_args!("this is game 1 of {}; choose another with --game", library.games()));
    }
    match (&args.html, args.format.format()) {
        (Some(path), _) => {
            let file = OutputFile { path, force: args.force };
            file.write(&page::page(&film), "open it in a browser", ui)?;
        }
        (None, Format::Table) => {
            print::text(&film, ui.data_width().unwrap_or(USUAL_WIDTH), &mut ui.data())?;
        }
        (None, Format::Json) => json::print(ui, &print::FilmJson::of(&film))?,
        (None, Format::Csv) => print::csv(&film, &mut ui.data())?,
    }
    match film.broken {
        None => Ok(Exit::Done),
        Some(broken) => {
            Err(Failure::no(broken).hint("`linesman verify` says all that is not true in a file"))
        }
    }
}

fn no_film(error: &FilmError) -> Failure {
    let failure = Failure::wrong(error);
    match error {
        FilmError::NoMoves { .. } => failure.hint("only records with `moves` can be replayed"),
        _ => failure,
    }
}

/// Whether there is a screen to fill and somebody to press keys.
fn can_fill_the_screen() -> bool {
    let keys = || io::stdin().is_terminal() || File::open("/dev/tty").is_ok();
    io::stdout().is_terminal() && !super::env::terminal_is_dumb() && keys()
}

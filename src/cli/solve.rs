//! `linesman solve`: computes the value of every position of a small game.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use super::args::{Format, FormatArgs, OptionArgs};
use super::error::{Exit, Failure};
use super::json::{self, Object, value};
use super::live::Steps;
use super::output_file::OutputFile;
use super::paths;
use super::ui::Ui;
use crate::engines::solve::{self, CantSolve, SolveProgress, Solved};
use crate::games::Setup;
use crate::record::write_atomically;

/// Solve a small game: the result of every position under perfect play
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman solve quixo --options size=3
  linesman solve quixo --options size=4 --save quixo4.table
  linesman match --game quixo --options size=4 --games 2 --movetime 1s \\
                 --bot 'linesman bot perfect --table quixo4.table' --bot 'linesman bot alphabeta'")]
#[command(after_long_help = "\
Every position is evaluated from the view of the seat to move, including positions that
no game can reach (`boards`). The output counts finished positions (`finished`) and, among
the others, wins, losses and draws. Endless play is a draw; `max_plies` and `repetition`
are ignored. CSV and JSON have these numbers also under the names `positions`, `wins`,
`losses` and `draws`. `start` is the value of the starting position for the first seat,
`start_plies` the number of plies to that result if both sides play perfectly, and
`longest` the number of plies of the longest win.

Kengu has too many positions to enumerate, but a search can prove the value of its
starting position; the counts are then missing (`null` in JSON). Other games are too large
for either method.")]
pub(crate) struct Args {
    /// Game
    #[arg(value_name = "GAME")]
    id: String,
    #[command(flatten)]
    options: OptionArgs,
    /// File for the values of all positions, used by `linesman bot perfect`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    save: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, help_heading = "Output", requires = "save")]
    force: bool,
    /// Number of threads [default: the number of cores]
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let setup = args.options.set_up(&args.id)?;
    if let Some(path) = &args.save {
        check_path(path, args.force)?;
    }
    let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = args.threads.unwrap_or_else(cores);
    let mut progress = Steps::start(ui);
    let solved = solve::solve(setup.id(), setup.options(), threads, &mut |reached| match reached {
        SolveProgress::Settling { plies, settled, positions } => {
            let share = 100.0 * settled as f64 / positions as f64;
            let words = format_args!("{plies} plies from the end: {share:.1}% of the positions solved");
            progress.at((settled, positions), words);
        }
        SolveProgress::Proving { visited } => {
            let millions = visited as f64 / 1e6;
            progress.at((0, 0), format_args!("{millions:.1} million positions searched for a proof"));
        }
    });
    drop(progress);
    let solved = solved.map_err(|error| cant_solve(&error))?;
    if let Some(path) = &args.save {
        write_atomically(path, |output| solved.table.write(output))
            .map_err(|error| Failure::file(Exit::CantWrite, "write", path, &error))?;
        ui.note(format_args!("play by the table with `linesman bot perfect --table {}`", path.display()));
    }
    print(ui, &*setup, &solved, args.format.format())?;
    Ok(Exit::Done)
}

/// Refuses an unusable path before the work.
fn check_path(path: &Path, force: bool) -> Result<(), Failure> {
    OutputFile { path, force }.check()?;
    if !paths::folder_of(path).is_dir() || path.is_dir() {
        return Err(Failure::wrong(format_args!("can't write `{}`", path.display()))
            .hint("give `--save` a file in an existing directory"));
    }
    Ok(())
}

fn cant_solve(error: &CantSolve) -> Failure {
    match error {
        CantSolve::Unsolvable { game, error } => {
            Failure::wrong(format_args!("`{game}` can't be solved")).cause(error)
        }
        other => Failure::wrong(other),
    }
}

/// Prints the results. An unknown value is null in JSON, empty in CSV and omitted in the table.
fn print(ui: &Ui, setup: &dyn Setup, solved: &Solved, format: Format) -> Result<(), Failure> {
    let (all, boards, start) = (solved.all.as_ref(), solved.boards, solved.start.word());
    let finished = all.map(|all| all.finished);
    let [win, loss, draw] = [all.map(|all| all.win), all.map(|all| all.loss), all.map(|all| all.draw)];
    let start_plies = all.and_then(|all| all.start_plies);
    let longest = all.map(|all| all.longest);
    let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    let mut rows = vec![
        ("boards", boards.to_string()),
        ("finished", number(finished)),
        ("win", number(win)),
        ("loss", number(loss)),
        ("draw", number(draw)),
        ("start", start.to_owned()),
        ("start_plies", number(start_plies.map(u64::from))),
        ("longest", number(longest.map(u64::from))),
    ];
    match format {
        Format::Json => {
            let object = vec![
                ("game", value(setup.id())),
                ("options", value(json::Options(setup.options()))),
                ("boards", value(boards)),
                ("positions", value(boards)),
                ("finished", value(finished)),
                ("win", value(win)),
                ("loss", value(loss)),
                ("draw", value(draw)),
                ("wins", value(win)),
                ("losses", value(loss)),
                ("draws", value(draw)),
                ("start", value(start)),
                ("start_plies", value(start_plies)),
                ("longest", value(longest)),
            ];
            ui.print_json(&Object(object))?;
        }
        Format::Csv => {
            // The same values under the names that other tables use.
            rows.extend([
                ("positions", boards.to_string()),
                ("wins", number(win)),
                ("losses", number(loss)),
                ("draws", number(draw)),
            ]);
            let (names, values): (Vec<&str>, Vec<String>) = rows.into_iter().unzip();
            writeln!(ui.data(), "{}\n{}", names.join(","), values.join(","))?;
        }
        Format::Table => {
            for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
                writeln!(ui.data(), "{name:<11} {value:>12}")?;
            }
        }
    }
    Ok(())
}

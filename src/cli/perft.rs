//! `linesman perft`: counts sequences of legal moves.

use std::io::Write;

use super::args::{Format, FormatArgs, OptionArgs};
use super::error::{Exit, Failure};
use super::inspect::bad_token;
use super::json::{self, Object, value};
use super::ui::Ui;
use crate::games::Setup;

/// Count sequences of legal moves by length
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman perft quixo 4
  linesman perft quixo 3 --options size=4 --divide")]
#[command(after_long_help = "\
Prints one line for each length from 0 to DEPTH: the length and the number of sequences.
With --divide, an empty line follows, and then the number of sequences of length DEPTH
for each first move. JSON: `nodes` is the number at DEPTH, `depths` lists all of them, `divide`
maps moves to numbers. The options `max_plies` and `repetition` are ignored.")]
pub(crate) struct Args {
    /// Game
    #[arg(value_name = "GAME")]
    id: String,
    /// Length of the longest sequences, in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    #[command(flatten)]
    options: OptionArgs,
    /// Position to start from, as a token of `linesman inspect`
    #[arg(long, value_name = "TOKEN")]
    position: Option<String>,
    /// Also count the longest sequences by first move
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let setup = args.options.set_up(&args.id)?;
    let token = args.position.as_deref();
    let start = match token {
        Some(token) => setup.from_token(token).map_err(|error| bad_token(token, &error))?,
        None => setup.start(),
    };
    match args.format.format() {
        Format::Json => {
            let numbers: Vec<u64> = (0..=args.depth).map(|depth| count(&*setup, token, depth)).collect();
            let depth = |(depth, nodes)| Object(vec![("depth", value(depth)), ("nodes", value(nodes))]);
            let mut object = vec![
                ("game", value(setup.id())),
                ("options", value(json::Options(setup.options()))),
                ("position", value(start.token())),
                ("token", value(start.token())),
                ("depth", value(args.depth)),
                ("nodes", value(numbers.last())),
                ("depths", json::array(numbers.iter().enumerate().map(depth))),
            ];
            if args.divide {
                object.push(("divide", value(Object(divide(&*setup, token, args.depth)))));
            }
            ui.print_json(&Object(object))?;
        }
        Format::Table => print_lines(args, &*setup, ui, Lines { header: "", separator: " ", between: "\n" })?,
        Format::Csv => {
            let header = if args.divide { "move,depth,nodes\n" } else { "depth,nodes\n" };
            print_lines(args, &*setup, ui, Lines { header, separator: ",", between: "" })?;
        }
    }
    Ok(Exit::Done)
}

struct Lines {
    header: &'static str,
    separator: &'static str,
    between: &'static str,
}

/// Prints each line as soon as it is known, since the next one takes much longer to compute.
fn print_lines(args: &Args, setup: &dyn Setup, ui: &Ui, lines: Lines) -> Result<(), Failure> {
    let Lines { header, separator, between } = lines;
    let is_csv = !header.is_empty();
    let token = args.position.as_deref();
    let mut data = ui.data();
    write!(data, "{header}")?;
    for depth in 0..=args.depth {
        let no_move = if is_csv && args.divide { separator } else { "" };
        writeln!(data, "{no_move}{depth}{separator}{}", count(setup, token, depth))?;
        data.flush()?;
    }
    if args.divide {
        write!(data, "{between}")?;
        for (mv, nodes) in divide(setup, token, args.depth) {
            let depth = if is_csv { format!("{separator}{}", args.depth) } else { String::new() };
            writeln!(data, "{mv}{depth}{separator}{nodes}")?;
        }
    }
    Ok(())
}

fn count(setup: &dyn Setup, token: Option<&str>, depth: u32) -> u64 {
    setup.perft(token, depth).expect("the token has been read before")
}

fn divide(setup: &dyn Setup, token: Option<&str>, depth: u32) -> Vec<(String, u64)> {
    setup.divide(token, depth).expect("the token has been read before")
}

//! `linesman inspect`: shows a position with its token, its legal moves and the outcome.

use std::io::Write;
use std::path::PathBuf;

use super::args::{Format, FormatArgs, OptionArgs};
use super::error::{Exit, Failure};
use super::json::{self, Object, value};
use super::output_file::OutputFile;
use super::ui::Ui;
use crate::games::{Ending, NotAPosition, Table, legal_moves};
use crate::record::Playthrough;
use crate::report::picture::{svg, terminal};
use crate::report::truncate;

/// Show a position: board, token, seat to move, legal moves, outcome
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman inspect quixo
  linesman inspect quixo --moves \"c1c5 a1a5\" --all
  linesman inspect quixo --options size=4 --position x.../..../..../....:2:1 --json
  linesman inspect kengu --moves \"a1r a1b1/c2r\" --svg position.svg")]
#[command(after_long_help = "\
JSON: an object with `token`, `to_move` (the seat to move, also after the end of the
game), `ply`, `legal` (an array) and `outcome` (null, or an object with `places` and
`reason`); with --all an array of such objects, from the first position to the last.

Exit status: 1 if a move is illegal (nothing is printed on stdout then); 2 if the game, an
option or the position is invalid.")]
pub(crate) struct Args {
    /// Game
    #[arg(value_name = "GAME")]
    id: String,
    #[command(flatten)]
    options: OptionArgs,
    /// Position to start from [default: the start of the game]
    #[arg(long, value_name = "TOKEN")]
    position: Option<String>,
    /// Moves to play, separated by spaces; `!3` removes seat 3 from a game of three or four
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// Show every position, not only the last
    #[arg(long)]
    all: bool,
    /// Write the position as a picture (`-` for stdout)
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["format", "json", "all"])]
    svg: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, help_heading = "Output", requires = "svg")]
    force: bool,
    #[command(flatten)]
    format: FormatArgs,
}

/// A position, with the number and the text of the move that led to it.
struct InspectedStep {
    number: usize,
    mv: Option<String>,
    table: Box<dyn Table>,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let steps = steps(args)?;
    if let (Some(path), Some(last)) = (&args.svg, steps.last()) {
        let file = OutputFile { path, force: args.force };
        file.write(&svg::draw(&last.table.scene(), &title(&args.id, last)), "a picture of the position", ui)?;
        return Ok(Exit::Done);
    }
    let shown = if args.all { &steps[..] } else { &steps[steps.len() - 1..] };
    match args.format.format() {
        Format::Table => {
            let width = ui.data_width().unwrap_or(terminal::USUAL_WIDTH);
            let pages: Vec<String> = shown.iter().map(|step| page(step, width)).collect();
            ui.data().write_all(pages.join("\n").as_bytes())?;
        }
        Format::Json if args.all => ui.print_json(&json::array(shown.iter().map(position_json)))?,
        Format::Json => shown.iter().try_for_each(|step| ui.print_json(&position_json(step)))?,
        Format::Csv => {
            return Err(Failure::wrong("a position can't be printed as CSV")
                .hint("use `--format json`, or leave out `--format`"));
        }
    }
    Ok(Exit::Done)
}

/// A description of the picture for screen readers.
fn title(game: &str, step: &InspectedStep) -> String {
    match &step.mv {
        Some(mv) => format!("{game} after move {}, {mv}: {}", step.number, step.table.token()),
        None => format!("{game}: {}", step.table.token()),
    }
}

/// The starting position and the positions after each move.
fn steps(args: &Args) -> Result<Vec<InspectedStep>, Failure> {
    let setup = args.options.set_up(&args.id)?;
    let token = args.position.as_deref();
    let mut game = Playthrough::without_clocks(&*setup, token)
        .map_err(|error| bad_token(token.unwrap_or_default(), &error))?;
    let mut steps = vec![InspectedStep { number: 0, mv: None, table: game.table.fork() }];
    for (index, mv) in args.moves.split_whitespace().enumerate() {
        let number = index + 1;
        game.play(mv, None).map_err(|refusal| {
            Failure::no(format_args!("move {number}, `{}`, can't be played: {refusal}", mv.escape_debug()))
        })?;
        steps.push(InspectedStep { number, mv: Some(mv.to_owned()), table: game.table.fork() });
    }
    Ok(steps)
}

/// The failure for a token that can't be parsed.
pub(super) fn bad_token(token: &str, error: &NotAPosition) -> Failure {
    Failure::wrong(format_args!("can't read the position `{}`", token.escape_debug())).cause(error)
}

fn page(step: &InspectedStep, width: usize) -> String {
    let table = &step.table;
    let legal = legal_moves(&**table);
    let ending = table.ending();
    let mut page = match &step.mv {
        Some(mv) => format!("after move {}, {mv}\n", step.number),
        None => String::new(),
    };
    page.push_str(&terminal::coloured(&table.scene(), width));
    let to_move = match ending {
        None => format!("seat {}", table.to_move()),
        Some(_) => "nobody".to_owned(),
    };
    let legal_text = match legal.len() {
        0 => "0".to_owned(),
        number => format!("{number}: {}", legal.join(" ")),
    };
    for (name, value) in [
        ("token", table.token()),
        ("ply", table.ply().to_string()),
        ("to move", to_move),
        ("legal", legal_text),
        ("outcome", ending.as_ref().map_or_else(|| "none yet".to_owned(), outcome)),
    ] {
        let lines = truncate::whole_words(&value, width.saturating_sub(9)).join("\n         ");
        page.push_str(&format!("{name:<9}{lines}\n"));
    }
    page
}

fn outcome(ending: &Ending) -> String {
    let first = ending.places.iter().filter(|(_, place)| place.number() == 1);
    let first: Vec<String> = first.map(|(seat, _)| seat.to_string()).collect();
    let who = match &first[..] {
        [seat] => format!("seat {seat} wins"),
        seats if seats.len() == ending.places.seats() => "a draw".to_owned(),
        seats => format!("seats {} win", seats.join(" and ")),
    };
    let places: Vec<String> = ending.places.values().map(ToString::to_string).collect();
    format!("{who}: {}; reason {}, places {}", ending.why, ending.reason, places.join(","))
}

fn position_json(step: &InspectedStep) -> Object {
    let table = &step.table;
    let ending = table.ending();
    let outcome = |ending: &Ending| {
        Object(vec![
            ("places", json::array(ending.places.values().map(|place| place.number()))),
            ("reason", value(ending.reason.word())),
        ])
    };
    Object(vec![
        ("token", value(table.token())),
        ("to_move", value(table.to_move().number())),
        ("ply", value(table.ply())),
        ("legal", value(legal_moves(&**table))),
        ("outcome", value(ending.as_ref().map(outcome))),
        ("why", value(ending.map(|ending| ending.why.to_string()))),
    ])
}

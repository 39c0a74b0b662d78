//! `linesman analyze`: judges the moves of a game by search.

use std::io::Write;
use std::path::PathBuf;

use super::args::{Format, FormatArgs};
use super::error::{Exit, Failure};
use super::json::{self, Object, value};
use super::replay::analysis::{NODES, analysis_of, marks, remark_on};
use super::replay::{Library, WantedGame, replay_failure};
use super::ui::Ui;
use crate::engines::analysis::{Analysis, ForcedWin, JudgedMove};
use crate::report::layout::{self, Layout};
use crate::report::replay::Replay;
use crate::report::table::{Cell, Column, Table};
use crate::seat::Seat;

/// Find blunders, missed wins and the turning point of a game
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman analyze runs/first
  linesman analyze runs/first --game greedy~mine~2 --nodes 100000
  linesman replay runs/first --game 3 --analyze --html game3.html")]
#[command(after_long_help = "\
A built-in engine searches the same number of positions before each move, after it, and
after the best move that it found. The clock plays no part: the same game is judged alike
on every machine.

#?  missed win: the mover could force a win, and the move gave it away. The proof is a
    search in which all others play together.
??  blunder: the move cost 20 % or more of the score that the mover could expect. A
    score is the share of opponents beaten.
<>  turning point: from this move on the winner was expected to be ahead.

The table shows the moves with a sign; --all shows every move. Moves of the opening, which
nobody chose, are left out. JSON: `moves` has every move.

Exit status: 2 if there is no such game or its record has no moves.")]
pub(crate) struct Args {
    /// File of records (`-` for stdin), or a run directory
    #[arg(value_name = "RUN")]
    file: PathBuf,
    /// Id of the game, or its number in the file [default: the first]
    #[arg(long, value_name = "ID|N")]
    game: Option<String>,
    /// Positions of each search: more take longer and are surer
    #[arg(long, value_name = "NUMBER", default_value_t = NODES, value_parser = clap::value_parser!(u64).range(64..=1_000_000_000))]
    nodes: u64,
    /// Show every move
    #[arg(long, help_heading = "Output")]
    all: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let library = Library::open(&args.file)?;
    let wanted = args.game.as_deref().map_or(WantedGame::Number(1), WantedGame::from);
    let found = library.find(&wanted)?;
    let replay = Replay::new(&found.record).map_err(|error| replay_failure(&error))?;
    if args.game.is_none() && library.games() > 1 {
        ui.note(format_args!("this is game 1 of {}; choose another with `--game`", library.games()));
    }
    if let Some(broken) = &replay.broken {
        ui.warn(format_args!("the analysis ends early: {broken}"));
    }
    let analysis = analysis_of(&found.record, &replay, args.nodes)?;
    match args.format.format() {
        Format::Table => {
            let width = ui.data_width();
            let mut data = ui.data();
            let moves = table(&replay, &analysis, args.all);
            if moves.rows().is_empty() {
                writeln!(data, "no blunders, no missed wins, no turning point")?;
            } else {
                data.write_all(layout::text(&moves, MOVES, width).as_bytes())?;
            }
            data.write_all(b"\n")?;
            data.write_all(layout::text(&bots(&replay, &analysis), Layout::Part(2), width).as_bytes())?;
        }
        Format::Csv => table(&replay, &analysis, true).write_csv(&mut ui.data())?,
        Format::Json => ui.print_json(&data(&replay, &analysis, args.nodes))?,
    }
    Ok(Exit::Done)
}

/// The columns that are left out if the window is too narrow.
const MOVES: Layout = Layout::LeaveOut(&[&["best"], &["expected"]]);

/// The moves with a remark, or all moves.
fn table(replay: &Replay, analysis: &Analysis, all: bool) -> Table {
    let remark = |judged: &JudgedMove| remark_on(replay, analysis, judged);
    let hundredths = |share: f64| Cell::decimal(100.0 * share, 0);
    Table::of::<JudgedMove, &JudgedMove>(
        [
            Column::number("ply").of(|judged: &JudgedMove| Cell::count(judged.ply)),
            Column::name("bot").of(|judged: &JudgedMove| Cell::text(&replay.seats[judged.seat].name)),
            Column::text("move").of(|judged: &JudgedMove| Cell::text(&judged.played)),
            Column::text("sign").of(move |judged: &JudgedMove| {
                Cell::maybe(remark(judged), |remark| Cell::text(&remark.sign))
            }),
            Column::number("expected")
                .titled("expected %")
                .of(move |judged: &JudgedMove| hundredths(judged.expected[judged.seat])),
            Column::number("cost").titled("cost %").of(move |judged: &JudgedMove| hundredths(judged.loss())),
            Column::text("best").of(|judged: &JudgedMove| Cell::text(&judged.best)),
            Column::words_of_others("remark").of(move |judged: &JudgedMove| {
                Cell::maybe(remark(judged), |remark| Cell::text(&remark.text))
            }),
        ],
        analysis.moves.iter().filter(|judged| all || remark(judged).is_some()),
    )
}

fn bots(replay: &Replay, analysis: &Analysis) -> Table {
    let of = |seat: Seat| analysis.moves.iter().filter(move |judged| judged.seat == seat);
    let mean = move |seat: Seat| {
        let number = of(seat).count();
        of(seat).map(JudgedMove::loss).sum::<f64>() / number as f64
    };
    Table::of::<Seat, Seat>(
        [
            Column::number("seat").of(|seat: &Seat| Cell::count(seat.number())),
            Column::name("bot").of(|seat: &Seat| Cell::text(&replay.seats[*seat].name)),
            Column::number("moves").of(move |seat: &Seat| Cell::count(of(*seat).count())),
            Column::number("mean_cost")
                .titled("mean cost %")
                .of(move |seat: &Seat| Cell::decimal(100.0 * mean(*seat), 1)),
            Column::number("blunders")
                .of(move |seat: &Seat| Cell::count(of(*seat).filter(|judged| judged.is_blunder()).count())),
            Column::number("missed_wins").titled("missed wins").of(move |seat: &Seat| {
                Cell::count(of(*seat).filter(|judged| judged.missed_win.is_some()).count())
            }),
        ],
        Seat::all(replay.seats.seats()),
    )
}

fn data(replay: &Replay, analysis: &Analysis, nodes: u64) -> Object {
    let rounded = |share: f64| json::rounded_to(share, 4);
    let win = |win: &ForcedWin| Object(vec![("move", value(&win.mv)), ("plies", value(win.plies))]);
    let judged_move = |judged: &JudgedMove| {
        Object(vec![
            ("ply", value(judged.ply)),
            ("seat", value(judged.seat.number())),
            ("bot", value(&replay.seats[judged.seat].name)),
            ("move", value(&judged.played)),
            ("best", value(&judged.best)),
            ("marks", value(marks(analysis, judged))),
            // The expected score of each seat before the move.
            ("expected", json::array(judged.expected.values().map(|share| rounded(*share)))),
            ("after_best", value(rounded(judged.after_best))),
            ("after_move", value(rounded(judged.after_played))),
            ("cost", value(rounded(judged.loss()))),
            ("missed_win", value(judged.missed_win.as_ref().map(win))),
        ])
    };
    Object(vec![
        ("id", value(&replay.id)),
        ("game", value(replay.game)),
        ("nodes", value(nodes)),
        ("bots", json::array(replay.seats.values().map(|player| &player.name))),
        ("moves", json::array(analysis.moves.iter().map(judged_move))),
        ("turning_point", value(analysis.turning_point)),
        ("broken", value(replay.broken.as_ref().map(ToString::to_string))),
    ])
}

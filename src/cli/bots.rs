//! `linesman bots`: the built-in bots, their methods, and their strength.

use std::io::Write;

use super::args::{Format, FormatArgs};
use super::error::{Exit, Failure};
use super::json::{self, Object, value};
use super::ui::Ui;
use crate::engines::levels::{LEVELS, Level, UNMEASURED, VERSION};
use crate::engines::{Engine, EngineOption};
use crate::games;
use crate::report::layout::{self, Layout};
use crate::report::table::{Cell, Column, Table};

/// List the built-in bots with their options and strengths
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:\n  linesman bots\n  linesman bots --json\n  linesman bot level --level 3")]
#[command(after_long_help = "\
The first table lists the bots and their options, with defaults in parentheses. The second
one shows how strong the levels of `level` are: the Elo above level 1, where all moves are
random, in each game. JSON: `bots`, and `levels` with the parameters of each level.")]
pub(crate) struct Args {
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    match args.format.format() {
        Format::Table => {
            let width = ui.data_width();
            let mut data = ui.data();
            let bots = layout::text(&bots(), Layout::LeaveOut(&[&["options"], &["games"]]), width);
            data.write_all(bots.as_bytes())?;
            let strengths = strengths();
            if strengths.rows().iter().any(|row| row.len() > 1) {
                data.write_all(b"\n")?;
                data.write_all(layout::text(&strengths, Layout::Part(1), width).as_bytes())?;
            }
        }
        Format::Csv => bots().write_csv(&mut ui.data())?,
        Format::Json => ui.print_json(&data())?,
    }
    Ok(Exit::Done)
}

/// The games that a bot plays, in words.
fn games_of(engine: Engine) -> &'static str {
    match engine {
        Engine::Random | Engine::Greedy | Engine::AlphaBeta | Engine::Mcts | Engine::Level => "all",
        Engine::Perfect => "solved",
    }
}

fn bots() -> Table {
    let options = |engine: &Engine| {
        let shown = |option: &EngineOption| format!("{} ({})", option.name, option.default);
        engine.options().iter().map(shown).collect::<Vec<_>>().join(", ")
    };
    Table::of::<Engine, _>(
        [
            Column::text("name").of(|engine: &Engine| Cell::text(engine.name())),
            Column::text("games").of(|engine: &Engine| Cell::text(games_of(*engine))),
            Column::words_of_others("about").of(|engine: &Engine| Cell::text(engine.about())),
            Column::words_of_others("options").of(move |engine: &Engine| Cell::text(&options(engine))),
        ],
        Engine::ALL,
    )
}

/// The Elo of each level above level 1: a row for each level, a column for each game.
fn strengths() -> Table {
    let levels: Vec<Level> = Level::all().collect();
    let mut columns = vec![Column::number("level").of(|number: &u8| Cell::count(*number))];
    for level in levels.iter().filter(|level| level.number == 1 && level.game != UNMEASURED) {
        let (game, seats) = (level.game, level.seats);
        columns.push(Column::number(title(game, seats)).of(move |number: &u8| {
            Cell::maybe(Level::find(game, seats, *number).measured, |measured| Cell::decimal(measured.elo, 0))
        }));
    }
    Table::of::<u8, _>(columns, 1..=LEVELS)
}

/// The name of a game in a table, with the number of seats if it may have several.
pub(crate) fn title(game: &str, seats: usize) -> String {
    let varies = games::find(game).is_some_and(|game| game.seats().start() < game.seats().end());
    if varies { format!("{game}-{seats}") } else { game.to_owned() }
}

fn data() -> Object {
    let games: Vec<&str> = games::GAMES.iter().map(|game| game.id).collect();
    let option = |option: &EngineOption| {
        Object(vec![
            ("name", value(option.name)),
            ("about", value(option.about)),
            ("default", value(option.default)),
            ("min", value(option.min)),
            ("max", value(option.max)),
        ])
    };
    let bot = |engine: Engine| {
        Object(vec![
            ("name", value(engine.name())),
            ("games", value(&games)),
            ("about", value(engine.about())),
            ("options", json::array(engine.options().iter().map(option))),
        ])
    };
    // A level without a game is the one for all games that were not measured.
    let level = |level: Level| {
        let measured = level.measured;
        let is_of_all = level.game == UNMEASURED;
        Object(vec![
            ("game", value((!is_of_all).then_some(level.game))),
            ("seats", value((!is_of_all).then_some(level.seats))),
            ("level", value(level.number)),
            ("random_thousandths", value(level.strength.random)),
            ("greedy_thousandths", value(level.strength.greedy)),
            ("search", value(level.strength.search.name())),
            ("nodes", value(level.strength.nodes)),
            ("elo", value(measured.map(|measured| measured.elo))),
            ("step_margin", value(measured.and_then(|measured| measured.margin))),
            ("score_against_level_below", value(measured.and_then(|measured| measured.score))),
        ])
    };
    Object(vec![
        ("bots", json::array(Engine::ALL.into_iter().map(bot))),
        ("levels_version", value(VERSION)),
        ("levels", json::array(Level::all().map(level))),
    ])
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::path::Path;

    use super::{Level, UNMEASURED, title};
    use crate::cli::kept::check_file;

    /// The tables of all games, in Markdown.
    fn levels() -> String {
        let mut text = String::new();
        let levels: Vec<Level> = Level::all().filter(|level| level.game != UNMEASURED).collect();
        if levels.is_empty() {
            return "\nNo game has been measured yet.\n".to_owned();
        }
        for of_game in levels.chunk_by(|one, other| (one.game, one.seats) == (other.game, other.seats)) {
            let game = title(of_game[0].game, of_game[0].seats);
            write!(
                text,
                "\n### {game}\n\n| level | random | greedy | positions | Elo | step | score against the level below |\n\
                 | --- | --- | --- | --- | --- | --- | --- |\n"
            )
            .expect("writing to a string can't fail");
            let mut before = 0.0;
            for level in of_game {
                let strength = level.strength;
                let share = |thousandths: u16| format!("{:.1} %", f64::from(thousandths) / 10.0);
                let searches = strength.random + strength.greedy < 1_000;
                let nodes = if searches { strength.nodes.to_string() } else { String::new() };
                let measured = level.measured.expect("a level of a game was measured");
                let step = measured
                    .margin
                    .map_or_else(String::new, |margin| format!("{:.0} ± {margin:.0}", measured.elo - before));
                let score =
                    measured.score.map_or_else(String::new, |score| format!("{:.1} %", 100.0 * score));
                before = measured.elo;
                writeln!(
                    text,
                    "| {} | {} | {} | {nodes} | {:.0} | {step} | {score} |",
                    level.number,
                    share(strength.random),
                    share(strength.greedy),
                    measured.elo
                )
                .expect("writing to a string can't fail");
            }
        }
        text
    }

    #[test]
    fn the_page_of_levels_has_the_table() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/levels.md");
        let page = std::fs::read_to_string(&path).expect("the page can be read");
        let (begin, end) = ("<!-- levels -->\n", "\n<!-- end of levels -->");
        let (before, rest) = page.split_once(begin).expect("the page has a place for the table");
        let after = rest.split_once(end.trim_start()).expect("the place has an end").1;
        check_file(&path, &format!("{before}{begin}{}{end}{after}", levels()));
    }
}

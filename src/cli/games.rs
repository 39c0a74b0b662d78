//! `linesman games`: lists the games, or shows one with its options or rules.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use serde::Serialize;

use super::args::{Format, FormatArgs, find_game};
use super::error::{Exit, Failure};
use super::json;
use super::markdown;
use super::ui::Ui;
use crate::games::options::{NamedText, OptionKind, OptionSpec, Zero};
use crate::games::{self, Game, OptionValues, Setup};
use crate::report::picture::terminal;
use crate::report::table::{Cell, Column, Table};
use crate::seat::Seat;

/// List the games, or show one game with its options or rules
#[derive(clap::Args, Debug)]
#[command(
    before_help = "Examples:\n  linesman games\n  linesman games quixo\n  linesman games quixo --rules"
)]
pub(crate) struct Args {
    /// Game to show
    #[arg(value_name = "GAME")]
    id: Option<String>,
    /// Print the rules of the game, with its notation of moves and positions
    #[arg(long, requires = "id", conflicts_with_all = ["format", "json"])]
    rules: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let chosen = args.id.as_deref().map(find_game).transpose()?;
    if let (true, Some(game)) = (args.rules, chosen) {
        ui.data().write_all(markdown::text(game.page, ui).as_bytes())?;
        return Ok(Exit::Done);
    }
    match (args.format.format(), chosen) {
        (Format::Table, Some(game)) => ui.data().write_all(page(ui, game).as_bytes())?,
        (Format::Table, None) => ui.data().write_all(list().to_text(None).as_bytes())?,
        (Format::Csv, Some(game)) => options_of(game, &*defaults(game)).write_csv(ui.data())?,
        (Format::Csv, None) => list().write_csv(ui.data())?,
        (Format::Json, Some(game)) => json::print(ui, &GameJson::of(game))?,
        (Format::Json, None) => {
            json::print(ui, &games::GAMES.iter().map(GameJson::of).collect::<Vec<_>>())?;
        }
    }
    Ok(Exit::Done)
}

fn defaults(game: &Game) -> Arc<dyn Setup> {
    game.configure(&[]).expect("every option has a default")
}

fn list() -> Table {
    Table::of(
        [
            Column::text("game").of(|game: &Game| Cell::text(game.id)),
            Column::text("seats").of(|game: &Game| Cell::text(&seats_in_words(game, &*defaults(game)))),
            Column::text("options").of(|game: &Game| Cell::text(&defaults(game).options().to_string())),
            Column::text("about").of(|game: &Game| Cell::text(game.about)),
        ],
        games::GAMES,
    )
}

/// The number of seats of a game, and their teams, in words.
fn seats_in_words(game: &Game, setup: &dyn Setup) -> String {
    let seats = game.seats();
    let (min, max) = (seats.start(), seats.end());
    let number = if min == max { min.to_string() } else { format!("{min} to {max}") };
    let teams = setup.teams();
    let (sides, members) = (teams.sides(), teams.seats() / teams.sides().max(1));
    if members < 2 {
        return number;
    }
    format!("{number} ({} teams of {})", word(sides), word(members))
}

/// A small number as a word.
fn word(number: usize) -> String {
    ["no", "one", "two", "three", "four"]
        .get(number)
        .map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

fn options_of(game: &Game, setup: &dyn Setup) -> Table {
    let values = setup.options();
    let default = |name| values.get(name).map(ToString::to_string).unwrap_or_default();
    Table::of(
        [
            Column::text("option").of(|spec: &OptionSpec| Cell::text(spec.name)),
            Column::text("default").of(move |spec: &OptionSpec| Cell::text(&default(spec.name))),
            Column::text("takes").of(|spec: &OptionSpec| Cell::text(&spec.range(values))),
            Column::text("about").of(|spec: &OptionSpec| Cell::text(spec.about)),
        ],
        game.options,
    )
}

fn page(ui: &Ui, game: &Game) -> String {
    let setup = defaults(game);
    let start = setup.start();
    let mut page = format!("{}: {}\n\n", game.title, game.about);
    let seats = seats_in_words(game, &*setup);
    writeln!(page, "seats  {seats}\nstart  {}\nrules  linesman games {} --rules\n", start.token(), game.id)
        .expect("writing to a string can't fail");
    if game.options.is_empty() {
        page.push_str("no options\n\n");
    } else {
        page.push_str(&options_of(game, &*setup).to_text(None));
        page.push('\n');
    }
    let width = ui.data_width().unwrap_or(terminal::USUAL_WIDTH);
    page.push_str(&terminal::coloured(&start.scene(), width));
    for (spec, text) in named_texts(game) {
        let of_default = setup.options().get(spec.name).map(ToString::to_string);
        writeln!(page, "\n{} {}: {}", spec.name, text.name, text.about)
            .expect("writing to a string can't fail");
        // The default has just been shown.
        if of_default.as_deref() != Some(text.name) {
            let other = game.configure(&[(spec.name, text.name)]).expect("what has a name is a value");
            page.push_str(&terminal::coloured(&other.start().scene(), width));
        }
    }
    page
}

/// The values of text options that have names.
fn named_texts(game: &Game) -> impl Iterator<Item = (&'static OptionSpec, &'static NamedText)> {
    game.options.iter().flat_map(|spec| match &spec.kind {
        OptionKind::Text { form, .. } => form.named.iter().map(|text| (spec, text)).collect(),
        OptionKind::Integer { .. } | OptionKind::Flag { .. } => Vec::new(),
    })
}

#[derive(Serialize)]
struct GameJson {
    id: &'static str,
    game: &'static str,
    title: &'static str,
    about: &'static str,
    /// Under default options.
    seats: usize,
    least_seats: usize,
    most_seats: usize,
    /// The side of each seat under default options, both from 1.
    sides: Vec<usize>,
    start: String,
    options: Vec<OptionJson>,
}

impl GameJson {
    fn of(game: &Game) -> GameJson {
        let setup = defaults(game);
        GameJson {
            id: game.id,
            game: game.id,
            title: game.title,
            about: game.about,
            seats: setup.teams().seats(),
            least_seats: *game.seats().start(),
            most_seats: *game.seats().end(),
            sides: Seat::all(setup.teams().seats())
                .map(|seat| setup.teams().side(seat).index() + 1)
                .collect(),
            start: setup.start().token(),
            options: game.options.iter().map(|spec| OptionJson::of(spec, setup.options())).collect(),
        }
    }
}

#[derive(Serialize)]
struct OptionJson {
    name: &'static str,
    option: &'static str,
    about: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    default: Option<serde_json::Value>,
    /// The allowed values, in words.
    takes: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zero_is_off: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    named: Vec<NamedJson>,
}

#[derive(Serialize)]
struct NamedJson {
    name: &'static str,
    about: &'static str,
}

impl OptionJson {
    fn of(spec: &OptionSpec, values: &OptionValues) -> OptionJson {
        let (kind, range, zero_is_off) = match &spec.kind {
            OptionKind::Integer { min, max, zero, .. } => {
                ("integer", Some((min.value(values), max.value(values))), Some(*zero == Zero::Off))
            }
            OptionKind::Flag { .. } => ("flag", None, None),
            OptionKind::Text { .. } => ("text", None, None),
        };
        OptionJson {
            name: spec.name,
            option: spec.name,
            about: spec.about,
            kind,
            default: values.get(spec.name).map(json::option_value),
            takes: spec.range(values),
            min: range.map(|(min, _)| min),
            max: range.map(|(_, max)| max),
            zero_is_off,
            named: match &spec.kind {
                OptionKind::Text { form, .. } => {
                    form.named.iter().map(|text| NamedJson { name: text.name, about: text.about }).collect()
                }
                OptionKind::Integer { .. } | OptionKind::Flag { .. } => Vec::new(),
            },
        }
    }
}

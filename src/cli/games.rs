//! `linesman games`: lists the games, or shows one with its options or rules.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use super::args::{Format, FormatArgs, find_game};
use super::error::{Exit, Failure};
use super::json::{self, Object, value};
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
        (Format::Json, Some(game)) => ui.print_json(&game_json(game))?,
        (Format::Json, None) => ui.print_json(&json::array(games::GAMES.iter().map(game_json)))?,
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
    let words = ["no", "one", "two", "three", "four"];
    words.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
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

fn game_json(game: &Game) -> Object {
    let setup = defaults(game);
    let teams = setup.teams();
    Object(vec![
        ("id", value(game.id)),
        ("game", value(game.id)),
        ("title", value(game.title)),
        ("about", value(game.about)),
        // Under default options, as `sides`: the side of each seat, from 1.
        ("seats", value(teams.seats())),
        ("least_seats", value(game.seats().start())),
        ("most_seats", value(game.seats().end())),
        ("sides", json::array(Seat::all(teams.seats()).map(|seat| teams.side(seat).index() + 1))),
        ("start", value(setup.start().token())),
        ("options", json::array(game.options.iter().map(|spec| option_json(spec, setup.options())))),
    ])
}

fn option_json(spec: &OptionSpec, values: &OptionValues) -> Object {
    let (kind, further) = match &spec.kind {
        OptionKind::Integer { min, max, zero, .. } => (
            "integer",
            vec![
                ("min", value(min.value(values))),
                ("max", value(max.value(values))),
                ("zero_is_off", value(*zero == Zero::Off)),
            ],
        ),
        OptionKind::Flag { .. } => ("flag", Vec::new()),
        OptionKind::Text { form, .. } if form.named.is_empty() => ("text", Vec::new()),
        OptionKind::Text { form, .. } => {
            let named =
                |text: &NamedText| Object(vec![("name", value(text.name)), ("about", value(text.about))]);
            ("text", vec![("named", json::array(form.named.iter().map(named)))])
        }
    };
    let mut object = vec![
        ("name", value(spec.name)),
        ("option", value(spec.name)),
        ("about", value(spec.about)),
        ("type", value(kind)),
        ("default", value(values.get(spec.name).map(json::option_value))),
        ("takes", value(spec.range(values))),
    ];
    object.extend(further);
    Object(object)
}

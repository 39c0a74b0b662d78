//! Ratings as a table, as CSV and as JSON.

use std::io::Write;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::cli::error::Failure;
use crate::cli::json as data;
use crate::cli::ui::Ui;
use crate::rating::{
    ELO_PER_NATURAL, FieldNote, Interval, Method, Rating, Ratings, SeatAdvantage, expected_score,
};
use crate::record::text::printable;
use crate::report::table::csv_text;

const NAME_BYTES: usize = 60;

/// Prints a table for each group, and what the numbers mean.
pub(super) fn table(ui: &Ui, ratings: &Ratings) -> Result<(), Failure> {
    let mut text = String::new();
    for group in ratings.rows().chunk_by(|one, other| one.group == other.group) {
        if !text.is_empty() {
            text.push('\n');
        }
        if ratings.groups() > 1
            && let Some(number) = group[0].group
        {
            text.push_str(&format!("Group {number}\n"));
        }
        text.push_str(&rows(group));
        text.push('\n');
    }
    ui.data().write_all(text.as_bytes())?;
    for note in ratings.notes() {
        ui.note(format_args!("note: {}", printable(&note.to_string(), usize::MAX)));
    }
    for seat in ratings.seat_advantages() {
        ui.note(seat_in_words(seat, ratings.groups()));
    }
    if !ratings.rows().is_empty() {
        ui.note(meaning(ratings.method()));
    }
    Ok(())
}

fn rows(group: &[Rating]) -> String {
    let noted = group.iter().any(|rating| rating.note.is_some());
    let header = ["#", "bot", "elo", "95 % interval", "games", "score", "won", "drawn", "lost", "note"];
    let columns = header.len() - usize::from(!noted);
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header[..columns].iter().copied());
    for (index, rating) in group.iter().enumerate() {
        let cells = [
            rating.elo.map_or_else(String::new, |_| (index + 1).to_string()),
            printable(&rating.name, NAME_BYTES),
            rating.elo.map_or_else(|| "-".to_owned(), whole),
            rating.interval.map_or_else(|| "-".to_owned(), interval_in_words),
            rating.tally.games().to_string(),
            rating.score().map_or_else(|| "-".to_owned(), |score| format!("{:.1} %", 100.0 * score)),
            rating.tally.wins.to_string(),
            rating.tally.draws.to_string(),
            rating.tally.losses.to_string(),
            rating.note.map_or_else(String::new, |note| note.to_string()),
        ];
        table.add_row(cells.into_iter().take(columns));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if !matches!(header[index], "bot" | "note") {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

/// What a seat is worth, in one sentence.
pub(crate) fn seat_in_words(seat: &SeatAdvantage, groups: usize) -> String {
    let group = if groups > 1 { format!("In group {}, of", seat.group) } else { "Of".to_owned() };
    format!(
        "{group} {} seats, seat {} is worth {} points beside seat 1 ({}).",
        seat.seats,
        seat.seat,
        whole(seat.elo),
        interval_in_words(seat.interval),
    )
}

fn interval_in_words(interval: Interval) -> String {
    match (interval.low.is_finite(), interval.high.is_finite()) {
        (true, true) if interval.low == interval.high => "given".to_owned(),
        (true, true) => format!("{} to {}", whole(interval.low), whole(interval.high)),
        (true, false) => format!("above {}", whole(interval.low)),
        (false, true) => format!("below {}", whole(interval.high)),
        (false, false) => "-".to_owned(),
    }
}

/// To the nearest whole number, and never `-0`.
fn whole(elo: f64) -> String {
    format!("{:.0}", elo.round() + 0.0)
}

/// What the numbers mean, in one sentence.
fn meaning(method: &Method) -> String {
    match method {
        Method::Likelihood(options) => {
            let about = match &options.anchor {
                Some(anchor) => {
                    let name = printable(&anchor.name, NAME_BYTES);
                    format!("`{name}`, whose rating is given as {}", whole(anchor.elo))
                }
                None => format!("the mean of the bots, which is set to {}", whole(options.mean)),
            };
            format!(
                "These ratings make all the results most likely: 100 points above an opponent is an expected score of {:.0} %, \
                 and the intervals (95 %) are about the difference to {about}.",
                100.0 * expected_score(100.0),
            )
        }
        Method::Incremental(options) => format!(
            "Running ratings in the order of the records: everybody began with {}, a game changed a rating by at most {}, \
             and no interval can be given.",
            whole(options.start),
            options.k,
        ),
    }
}

/// Prints a row a bot with a header.
pub(super) fn csv(ui: &Ui, ratings: &Ratings) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = ["name", "elo", "low", "high", "games", "score", "wins", "draws", "losses", "group", "note"];
    writer.write_record(header).expect("memory takes everything");
    for rating in ratings.rows() {
        let number =
            |value: Option<f64>| value.and_then(rounded).map_or_else(String::new, |value| value.to_string());
        let row = [
            csv_text(&rating.name),
            number(rating.elo),
            number(rating.interval.map(|interval| interval.low)),
            number(rating.interval.map(|interval| interval.high)),
            rating.tally.games().to_string(),
            number(rating.score()),
            rating.tally.wins.to_string(),
            rating.tally.draws.to_string(),
            rating.tally.losses.to_string(),
            rating.group.map_or_else(String::new, |group| group.to_string()),
            rating.note.map_or_else(String::new, |note| note.to_string()),
        ];
        writer.write_record(row).expect("memory takes everything and rows are equally long");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    Ok(ui.data().write_all(&bytes)?)
}

/// Prints everything as one object.
pub(super) fn json(ui: &Ui, ratings: &Ratings, game: Option<&str>, games: u64) -> Result<(), Failure> {
    data::print(ui, &RatingsJson::of(ratings, game, games))
}

/// A number as it is printed for programs: to a millionth, so that it is the same on
/// every machine; nothing for what is not finite, which JSON has no word for.
fn rounded(value: f64) -> Option<f64> {
    value.is_finite().then(|| (value * 1e6).round() / 1e6 + 0.0)
}

#[derive(Serialize)]
struct RatingsJson<'a> {
    method: &'static str,
    game: Option<&'a str>,
    games: u64,
    mean: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<f64>,
    anchor: Option<AnchorJson<'a>>,
    prior: Option<&'static str>,
    scale: ScaleJson,
    seat_advantages: Vec<SeatJson>,
    groups: Vec<GroupJson<'a>>,
    notes: Vec<String>,
    ratings: Vec<RatingJson<'a>>,
}

#[derive(Serialize)]
struct AnchorJson<'a> {
    name: &'a str,
    elo: f64,
}

#[derive(Serialize)]
struct ScaleJson {
    /// What 100 points mean: the expected score against an opponent so much weaker.
    expected_score_at_100: Option<f64>,
    elo_per_natural_unit: Option<f64>,
}

/// What a seat is worth beside seat 1, in games of so many seats.
#[derive(Serialize)]
struct SeatJson {
    group: usize,
    seats: usize,
    seat: usize,
    elo: Option<f64>,
    interval: [Option<f64>; 2],
}

#[derive(Serialize)]
struct GroupJson<'a> {
    group: usize,
    bots: Vec<&'a str>,
    prior_used: bool,
}

#[derive(Serialize)]
struct RatingJson<'a> {
    name: &'a str,
    elo: Option<f64>,
    interval: Option<[Option<f64>; 2]>,
    games: u64,
    score: Option<f64>,
    wins: u64,
    draws: u64,
    losses: u64,
    group: Option<usize>,
    note: Option<String>,
}

impl<'a> RatingsJson<'a> {
    fn of(ratings: &'a Ratings, game: Option<&'a str>, games: u64) -> RatingsJson<'a> {
        let (mean, k, anchor, prior) = match ratings.method() {
            Method::Likelihood(options) => {
                let anchor =
                    options.anchor.as_ref().map(|anchor| AnchorJson { name: &anchor.name, elo: anchor.elo });
                (options.mean, None, anchor, Some(options.prior.word()))
            }
            Method::Incremental(options) => (options.start, Some(options.k), None, None),
        };
        let groups = (1..=ratings.groups()).map(|group| GroupJson {
            group,
            bots: ratings
                .rows()
                .iter()
                .filter(|row| row.group == Some(group))
                .map(|row| row.name.as_str())
                .collect(),
            prior_used: ratings.notes().contains(&FieldNote::PriorUsed { group }),
        });
        RatingsJson {
            method: ratings.method().word(),
            game,
            games,
            mean,
            k,
            anchor,
            prior,
            scale: ScaleJson {
                expected_score_at_100: rounded(expected_score(100.0)),
                elo_per_natural_unit: rounded(ELO_PER_NATURAL),
            },
            seat_advantages: ratings.seat_advantages().iter().map(SeatJson::of).collect(),
            groups: groups.collect(),
            notes: ratings.notes().iter().map(ToString::to_string).collect(),
            ratings: ratings.rows().iter().map(RatingJson::of).collect(),
        }
    }
}

impl SeatJson {
    fn of(seat: &SeatAdvantage) -> SeatJson {
        SeatJson {
            group: seat.group,
            seats: seat.seats,
            seat: seat.seat.number(),
            elo: rounded(seat.elo),
            interval: [rounded(seat.interval.low), rounded(seat.interval.high)],
        }
    }
}

impl<'a> RatingJson<'a> {
    fn of(rating: &'a Rating) -> RatingJson<'a> {
        RatingJson {
            name: &rating.name,
            elo: rating.elo.and_then(rounded),
            interval: rating.interval.map(|interval| [rounded(interval.low), rounded(interval.high)]),
            games: rating.tally.games(),
            score: rating.score().and_then(rounded),
            wins: rating.tally.wins,
            draws: rating.tally.draws,
            losses: rating.tally.losses,
            group: rating.group,
            note: rating.note.map(|note| note.to_string()),
        }
    }
}

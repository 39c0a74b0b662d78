//! Ratings as a table and as CSV.

use std::io::Write;

use comfy_table::{CellAlignment, Table, presets};

use super::json::rounded;
use crate::cli::error::Failure;
use crate::cli::ui::Ui;
use crate::rating::{Interval, Intervals, Method, Rating, Ratings, SeatAdvantage, expected_score};
use crate::record::text::printable;
use crate::report::table::csv_text;

const NAME_BYTES: usize = 60;

/// How much is shown.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Shown {
    /// The ratings.
    Ratings,
    /// Also how likely each bot is stronger than each other.
    WithLikelihoods,
}

/// Prints a table for each group, and what the numbers mean.
pub(super) fn table(ui: &Ui, ratings: &Ratings, shown: Shown) -> Result<(), Failure> {
    let mut text = String::new();
    let mut first = 0;
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
        if shown == Shown::WithLikelihoods
            && let Some(matrix) = likelihoods(ratings, first, group)
        {
            text.push_str(&format!(
                "\nHow likely (in %) the bot of a row is stronger than that of a column\n{matrix}\n"
            ));
        }
        first += group.len();
    }
    ui.data().write_all(text.as_bytes())?;
    for note in ratings.notes() {
        ui.note(format_args!("note: {}", printable(&note.to_string(), usize::MAX)));
    }
    for sentence in seats_and_draws(ratings) {
        ui.note(sentence);
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
            rating.elo.map_or_else(|| bound_in_words(rating.interval), whole),
            rating.elo.and(rating.interval).map_or_else(|| "-".to_owned(), interval_in_words),
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

/// The matrix of likelihoods of superiority of a group whose first row is `first`.
fn likelihoods(ratings: &Ratings, first: usize, group: &[Rating]) -> Option<String> {
    let rated: Vec<usize> =
        (0..group.len()).filter(|index| ratings.difference(first + index, first + index).is_some()).collect();
    if rated.len() < 2 {
        return None;
    }
    let mut table = Table::new();
    let columns = rated.iter().map(|index| (index + 1).to_string());
    let header = ["#".to_owned(), "bot".to_owned()].into_iter().chain(columns);
    table.load_style(presets::NOTHING).set_header(header);
    for one in &rated {
        let cells = rated.iter().map(|other| match ratings.difference(first + one, first + other) {
            Some(difference) if one != other => percent(difference.superiority()),
            _ => String::new(),
        });
        let name = printable(&group[*one].name, NAME_BYTES);
        table.add_row([(one + 1).to_string(), name].into_iter().chain(cells));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index != 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    Some(table.trim_fmt())
}

/// Whole percents, and tenths near the ends: nothing is certain.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        low if low < 0.05 => "0.0".to_owned(),
        high if high >= 99.95 => "100.0".to_owned(),
        middle if (1.0..99.0).contains(&middle) => format!("{middle:.0}"),
        near => format!("{near:.1}"),
    }
}

/// What seats are worth and how often equals draw.
fn seats_and_draws(ratings: &Ratings) -> Vec<String> {
    let mut sentences: Vec<String> = ratings.seat_advantages().iter().map(seat_in_words).collect();
    if let Some((elo, interval)) = ratings.first_seat_advantage()
        && ratings.seat_advantages().is_empty()
    {
        let worth = whole(elo);
        sentences.push(format!("The first seat is worth {worth} points ({}).", interval_in_words(interval)));
    }
    if let Some(nu) = ratings.draw_parameter()
        && ratings.seat_advantages().is_empty()
    {
        sentences.push(format!("Equals draw {:.0} % of their games.", 100.0 * nu / (2.0 + nu)));
    }
    sentences
}

/// What a seat is worth, in one sentence.
pub(crate) fn seat_in_words(seat: &SeatAdvantage) -> String {
    format!(
        "Of {} seats, seat {} is worth {} points beside seat 1 ({}).",
        seat.seats,
        seat.seat,
        whole(seat.elo),
        interval_in_words(seat.interval),
    )
}

fn interval_in_words(interval: Interval) -> String {
    if interval.low == interval.high {
        "given".to_owned()
    } else {
        format!("{} to {}", whole(interval.low), whole(interval.high))
    }
}

/// What is known of a bot without a rating.
fn bound_in_words(interval: Option<Interval>) -> String {
    match interval {
        Some(Interval { low, .. }) if low.is_finite() => format!("> {}", whole(low)),
        Some(Interval { high, .. }) if high.is_finite() => format!("< {}", whole(high)),
        _ => "-".to_owned(),
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
            let about = match options.anchors.as_slice() {
                [anchor] => {
                    let name = printable(&anchor.name, NAME_BYTES);
                    format!("the difference to `{name}`, whose rating is given as {}", whole(anchor.elo))
                }
                [] => {
                    let mean = whole(options.mean);
                    format!("the difference to the mean of the bots, which is set to {mean}")
                }
                anchors => {
                    format!("the difference to the {} anchors, whose ratings are given", anchors.len())
                }
            };
            let from = match options.intervals {
                Intervals::Covariance => String::new(),
                Intervals::Bootstrap { resamples, seed } => {
                    format!(", from {resamples} resamples of the games (seed {seed})")
                }
            };
            format!(
                "These ratings make all the results most likely: 100 points above an opponent is an expected score of {:.0} %, \
                 and the intervals (95 %{from}) are about {about}.",
                100.0 * expected_score(100.0),
            )
        }
        Method::Online(options) => format!(
            "Online ratings in the order of the records: everybody began with {} and an uncertainty of {}; the intervals \
             are 1.96 uncertainties wide on either side.",
            whole(options.start),
            whole(options.uncertainty),
        ),
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

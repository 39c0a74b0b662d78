//! Ratings as a table and as CSV.

use std::io::Write;

use crate::cli::error::Failure;
use crate::cli::ui::Ui;
use crate::rating::{Interval, Intervals, Method, Rating, Ratings, SeatAdvantage, expected_score};
use crate::record::text::printable;
use crate::report::data::ESTIMATE_DIGITS;
use crate::report::describe::whole;
use crate::report::layout::{self, Layout};
use crate::report::table::{Cell, Column, Table};
use crate::report::truncate;

const NAME_BYTES: usize = 60;

/// The columns that are left out if the window is too narrow.
const RATINGS: Layout = Layout::LeaveOut(&[
    &["wins", "draws", "losses"],
    &["games"],
    &["score"],
    &["note"],
    &["interval"],
    &["rank"],
    &["elo"],
]);

/// The part of the ratings that is shown.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum ShownRatings {
    Ratings,
    /// The ratings, and the likelihood that each bot is stronger than each other bot.
    WithLikelihoods,
}

/// Prints a table for each group, and the meaning of the numbers.
pub(super) fn table(ui: &Ui, ratings: &Ratings, shown: ShownRatings) -> Result<(), Failure> {
    ui.data().write_all(tables(ratings, shown, ui.data_width()).as_bytes())?;
    for note in &ratings.notes {
        ui.note(printable(&note.to_string(), usize::MAX));
    }
    for sentence in seats_and_draws(ratings) {
        ui.note(sentence);
    }
    if !ratings.rows.is_empty() {
        ui.note(meaning(&ratings.method, ratings.groups));
    }
    Ok(())
}

/// A table for each group, at most `width` columns wide if possible.
fn tables(ratings: &Ratings, shown: ShownRatings, width: Option<usize>) -> String {
    let mut text = String::new();
    let mut first = 0;
    for group in ratings.rows.chunk_by(|one, other| one.group == other.group) {
        if !text.is_empty() {
            text.push('\n');
        }
        if ratings.groups > 1
            && let Some(number) = group[0].group
        {
            text.push_str(&format!("Group {number}\n"));
        }
        text.push_str(&layout::text(&rows(group), RATINGS, width));
        if shown == ShownRatings::WithLikelihoods
            && let Some(matrix) = likelihoods(ratings, first, group)
        {
            let title = "Likelihood (in %) that the bot of the row is stronger than the bot of the column";
            text.push('\n');
            for line in truncate::wrapped(title, width.unwrap_or(usize::MAX), 0) {
                text.push_str(&line);
                text.push('\n');
            }
            // Each part of a split table repeats the first two columns.
            text.push_str(&layout::text(&matrix, Layout::Part(2), width));
        }
        first += group.len();
    }
    text
}

fn rows(group: &[Rating]) -> Table {
    type Row<'r> = (usize, &'r Rating);
    let number =
        |key, of: fn(&Rating) -> Cell| Column::number(key).of(move |(_, rating): &Row<'_>| of(rating));
    Table::of(
        [
            Column::number("rank").titled("#").of(|(number, rating): &Row<'_>| {
                Cell::Text(rating.elo.map_or_else(String::new, |_| number.to_string()))
            }),
            Column::name("bot").of(|(_, rating): &Row<'_>| Cell::Text(printable(&rating.name, NAME_BYTES))),
            number("elo", |rating| {
                Cell::Text(rating.elo.map_or_else(|| bound_in_words(rating.interval), whole))
            }),
            Column::number("interval").titled("95 % interval").of(|(_, rating): &Row<'_>| {
                Cell::maybe(rating.elo.and(rating.interval), |interval| {
                    Cell::Text(interval_in_words(interval))
                })
            }),
            number("games", |rating| Cell::count(rating.tally.games())),
            number("score", |rating| {
                Cell::maybe(rating.score(), |score| Cell::Text(format!("{:.1} %", 100.0 * score)))
            }),
            number("wins", |rating| Cell::count(rating.tally.wins)),
            number("draws", |rating| Cell::count(rating.tally.draws)),
            number("losses", |rating| Cell::count(rating.tally.losses)),
            Column::text("note")
                .of(|(_, rating): &Row<'_>| {
                    Cell::Text(rating.note.map_or_else(String::new, |note| note.to_string()))
                })
                .only_if(group.iter().any(|rating| rating.note.is_some())),
        ],
        (1..).zip(group),
    )
}

/// The matrix of likelihoods of superiority of a group. `first` is the index of its first row.
fn likelihoods(ratings: &Ratings, first: usize, group: &[Rating]) -> Option<Table> {
    let rated: Vec<usize> =
        (0..group.len()).filter(|index| ratings.difference(first + index, first + index).is_some()).collect();
    if rated.len() < 2 {
        return None;
    }
    let named = [
        Column::number("rank").titled("#").of(|one: &usize| Cell::count(one + 1)),
        Column::name("bot").of(|one: &usize| Cell::Text(printable(&group[*one].name, NAME_BYTES))),
    ];
    let over = rated.iter().map(|other| {
        Column::number((other + 1).to_string()).of(move |one: &usize| {
            let difference = ratings.difference(first + one, first + other).filter(|_| one != other);
            Cell::Text(difference.map_or_else(String::new, |difference| percent(difference.superiority())))
        })
    });
    Some(Table::of(named.into_iter().chain(over), &rated))
}

/// Whole percents; tenths near 0 and 100.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        low if low < 0.05 => "0.0".to_owned(),
        high if high >= 99.95 => "100.0".to_owned(),
        middle if (1.0..99.0).contains(&middle) => format!("{middle:.0}"),
        near => format!("{near:.1}"),
    }
}

/// Sentences about the advantages of seats and the draw rate between equal bots.
fn seats_and_draws(ratings: &Ratings) -> Vec<String> {
    let mut sentences: Vec<String> = ratings.seat_advantages.iter().map(seat_in_words).collect();
    if let Some((elo, interval)) = ratings.first_seat_advantage
        && ratings.seat_advantages.is_empty()
    {
        let worth = whole(elo);
        sentences.push(format!("The first seat is worth {worth} Elo ({}).", interval_in_words(interval)));
    }
    if let Some(draws) = ratings.draws_between_equals()
        && ratings.seat_advantages.is_empty()
    {
        sentences.push(format!("Equally strong bots draw {:.0} % of their games.", 100.0 * draws));
    }
    sentences
}

/// The advantage of a seat in one sentence.
pub(crate) fn seat_in_words(seat: &SeatAdvantage) -> String {
    format!(
        "In games of {} seats, seat {} is worth {} Elo compared with seat 1 ({}).",
        seat.seats,
        seat.seat,
        whole(seat.elo),
        interval_in_words(seat.interval),
    )
}

fn interval_in_words(interval: Interval) -> String {
    if interval.low == interval.high {
        "fixed".to_owned()
    } else {
        format!("{} to {}", whole(interval.low), whole(interval.high))
    }
}

/// The bound of a bot without a rating, in words.
fn bound_in_words(interval: Option<Interval>) -> String {
    match interval {
        Some(Interval { low, .. }) if low.is_finite() => format!("> {}", whole(low)),
        Some(Interval { high, .. }) if high.is_finite() => format!("< {}", whole(high)),
        _ => "-".to_owned(),
    }
}

/// The meaning of the numbers in words.
fn meaning(method: &Method, groups: usize) -> String {
    match method {
        Method::Likelihood(options) => {
            let about = match options.anchors.as_slice() {
                [anchor] => {
                    let name = printable(&anchor.name, NAME_BYTES);
                    format!("the difference from `{name}`, whose rating is fixed at {}", whole(anchor.elo))
                }
                [] => {
                    let mean = whole(options.mean);
                    let whose = if groups > 1 { "the bots of its group" } else { "the bots" };
                    format!("the difference from the mean of {whose}, which is fixed at {mean}")
                }
                anchors => {
                    format!("the difference from the {} anchors, whose ratings are fixed", anchors.len())
                }
            };
            let elsewhere = match groups > 1 && !options.anchors.is_empty() {
                true => " (in a group without an anchor, from the mean of its bots)",
                false => "",
            };
            let from = match options.intervals {
                Intervals::Covariance => String::new(),
                Intervals::Bootstrap { resamples, seed } => {
                    format!(" (from {resamples} resamples of the games, seed {seed})")
                }
            };
            format!(
                "Maximum-likelihood ratings: 100 points more than an opponent mean an expected score of \
                 {:.0} %. The 95 % intervals{from} are those of {about}{elsewhere}.",
                100.0 * expected_score(100.0),
            )
        }
        Method::Online(options) => format!(
            "Online ratings in the order of the records: every bot began with {} and an uncertainty of {}. \
             An interval reaches 1.96 uncertainties to either side.",
            whole(options.start),
            whole(options.uncertainty),
        ),
        Method::Incremental(options) => format!(
            "Incremental ratings in the order of the records: every bot began with {}, and a game changed a \
             rating by at most {}. There are no intervals.",
            whole(options.start),
            options.k,
        ),
    }
}

/// Prints a header and a row for each bot.
pub(super) fn csv(ui: &Ui, ratings: &Ratings) -> Result<(), Failure> {
    let count = |key, of: fn(&Rating) -> u64| Column::number(key).of(move |rating| Cell::count(of(rating)));
    let estimate = |key, of: fn(&Rating) -> Option<f64>| {
        let cell = |value| Cell::decimal(value, ESTIMATE_DIGITS);
        Column::number(key).of(move |rating| Cell::maybe(of(rating), cell))
    };
    let columns = [
        Column::text("name").of(|rating: &Rating| Cell::Text(printable(&rating.name, usize::MAX))),
        estimate("elo", |rating| rating.elo),
        estimate("low", |rating| Some(rating.interval?.low)),
        estimate("high", |rating| Some(rating.interval?.high)),
        count("games", |rating| rating.tally.games()),
        estimate("score", Rating::score),
        count("wins", |rating| rating.tally.wins),
        count("draws", |rating| rating.tally.draws),
        count("losses", |rating| rating.tally.losses),
        Column::number("group").of(|rating: &Rating| Cell::maybe(rating.group, Cell::count)),
        Column::text("note")
            .of(|rating: &Rating| Cell::maybe(rating.note, |note| Cell::Text(note.to_string()))),
    ];
    let table = Table::of(columns, &ratings.rows);
    // These columns are repeated under the names that other tables use.
    let table = [("name", "bot"), ("low", "elo_low"), ("high", "elo_high")]
        .into_iter()
        .fold(table, |table, (key, name)| table.with_copy(key, name));
    Ok(table.write_csv(ui.data())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{LikelihoodOptions, Results, Tally, rate};
    use crate::report::truncate::columns;

    /// Twelve bots that each played all others; the last one lost every game.
    fn ratings() -> Ratings {
        let mut results = Results::new();
        let name = |bot: u64| format!("an-experimental-bot-with-a-long-name-v{bot}");
        for one in 0..12 {
            for other in one + 1..12 {
                let losses = if other == 11 { 0 } else { 2 };
                results.add_tally(&name(one), &name(other), Tally { wins: 4, draws: 1 - losses / 2, losses });
            }
        }
        rate(&results, &LikelihoodOptions::default()).expect("they have ratings")
    }

    #[test]
    fn no_line_is_wider_than_the_window_and_no_bot_is_lost() {
        let ratings = ratings();
        for width in 40..=160 {
            let text = tables(&ratings, ShownRatings::WithLikelihoods, Some(width));
            assert!(text.lines().all(|line| columns(line) <= width), "{width}:\n{text}");
            let (table, matrix) = text.split_once("\n\n").expect("two tables");
            assert_eq!(table.lines().filter(|line| line.contains("-v")).count(), 12, "{width}:\n{text}");
            // The two likelihoods of each pair of bots are both somewhere in the parts.
            let numbers = |line: &str| line.split_whitespace().skip(2).count();
            let parts = matrix.lines().filter(|line| line.contains("-v"));
            assert_eq!(parts.map(numbers).sum::<usize>(), 12 * 11, "{width}:\n{text}");
        }
    }

    #[test]
    fn omitted_columns_are_named_and_ratings_with_intervals_are_kept_longest() {
        let ratings = ratings();
        let narrow = tables(&ratings, ShownRatings::Ratings, Some(60));
        let head = narrow.lines().next().expect("a head");
        assert!(head.contains("elo  95 % interval") && !head.contains("wins"), "{narrow}");
        assert!(narrow.contains("Left out for lack of space: wins, draws, losses"), "{narrow}");
        let free = tables(&ratings, ShownRatings::Ratings, None);
        assert!(!free.contains('…') && !free.contains("Left out") && free.contains("draws"), "{free}");
    }
}

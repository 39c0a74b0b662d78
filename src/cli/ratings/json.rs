//! Ratings as JSON.

use super::show::ShownRatings;
use crate::cli::elo_ends::EloEnds;
use crate::cli::error::Failure;
use crate::cli::json::{self, Object, rounded, value};
use crate::cli::ui::Ui;
use crate::rating::{
    Anchor, ELO_PER_NATURAL, Interval, Intervals, Method, Rating, Ratings, SeatAdvantage, expected_score,
};
use crate::seat::MAX_SEATS;

/// Prints the ratings as one object.
pub(super) fn print(
    ui: &Ui,
    ratings: &Ratings,
    shown: ShownRatings,
    game: Option<&str>,
    games: u64,
) -> Result<(), Failure> {
    let (mean, k, anchors, prior): (f64, Option<f64>, &[Anchor], _) = match &ratings.method {
        Method::Likelihood(options) => (options.mean, None, &options.anchors, Some(options.prior.word())),
        Method::Incremental(options) => (options.start, Some(options.k), &[], None),
        Method::Online(options) => (options.start, None, &[], None),
    };
    let anchor = |anchor: &Anchor| {
        Object(vec![("name", value(&anchor.name)), ("bot", value(&anchor.name)), ("elo", value(anchor.elo))])
    };
    let group = |group: usize| {
        let rows = ratings.rows.iter().filter(|row| row.group == Some(group));
        Object(vec![
            ("group", value(group)),
            ("bots", json::array(rows.map(|row| &row.name))),
            ("prior_used", value(ratings.has_prior(group))),
        ])
    };
    let shared: Vec<Option<f64>> =
        (2..=MAX_SEATS).map(|seats| ratings.tie_parameter(seats).and_then(rounded)).collect();
    let mut object = vec![
        ("method", value(ratings.method.word())),
        ("game", value(game)),
        ("games", value(games)),
        ("mean", value(mean)),
    ];
    object.extend(k.map(|k| ("k", value(k))));
    object.extend([
        ("anchors", json::array(anchors.iter().map(anchor))),
        ("prior", value(prior)),
        ("intervals", value(intervals(&ratings.method))),
        ("scale", value(scale(ratings))),
        ("first_seat_advantage", value(ratings.first_seat_advantage.map(first_seat))),
        ("seat_advantages", json::array(ratings.seat_advantages.iter().map(seat))),
        ("draw_parameter", value(ratings.draw_parameter().and_then(rounded))),
        ("tie_parameters", value(&shared)),
        ("draw_parameters", value(&shared)),
        ("groups", json::array((1..=ratings.groups).map(group))),
        ("notes", json::array(ratings.notes.iter().map(ToString::to_string))),
        ("ratings", json::array(ratings.rows.iter().map(rating))),
    ]);
    if shown == ShownRatings::WithLikelihoods {
        object.push(("los", value(likelihoods(ratings))));
    }
    ui.print_json(&Object(object))
}

/// The likelihood of superiority of each bot over each other bot, in the order of the ratings; null if they can't be
/// compared.
fn likelihoods(ratings: &Ratings) -> Vec<Vec<Option<f64>>> {
    let all = 0..ratings.rows.len();
    let los = |one: usize, other: usize| {
        let difference = ratings.difference(one, other).filter(|_| one != other)?;
        rounded(difference.superiority())
    };
    all.clone().map(|one| all.clone().map(|other| los(one, other)).collect()).collect()
}

fn scale(ratings: &Ratings) -> Object {
    Object(vec![
        // The expected score against an opponent who is 100 points weaker.
        ("expected_score_at_100", value(rounded(expected_score(100.0)))),
        ("elo_per_natural_unit", value(rounded(ELO_PER_NATURAL))),
        // Number of points of the printed scale in one unit of `strength`.
        ("of_strength", value(ratings.scale.and_then(rounded))),
    ])
}

/// The method of the intervals, and their reference.
fn intervals(method: &Method) -> Option<Object> {
    let (about, from, bootstrap) = match method {
        Method::Likelihood(options) => {
            let about = match options.anchors.len() {
                0 => "mean",
                1 => "anchor",
                _ => "anchors",
            };
            match options.intervals {
                Intervals::Covariance => (about, "covariance", None),
                Intervals::Bootstrap { resamples, seed } => (about, "bootstrap", Some((resamples, seed))),
            }
        }
        Method::Incremental(_) => return None,
        Method::Online(_) => ("start", "uncertainty", None),
    };
    let mut object = vec![("confidence", value(0.95)), ("about", value(about)), ("from", value(from))];
    if let Some((resamples, seed)) = bootstrap {
        object.extend([("resamples", value(resamples)), ("seed", value(seed))]);
    }
    Some(Object(object))
}

/// The advantage of the first seat over the mean of the others.
fn first_seat((elo, interval): (f64, Interval)) -> Object {
    let mut object = vec![("elo", value(rounded(elo)))];
    object.extend(EloEnds::of(Some(interval)).fields());
    Object(object)
}

/// The advantage of a seat over seat 1, in games with this number of seats.
fn seat(seat: &SeatAdvantage) -> Object {
    let mut object = vec![
        ("seats", value(seat.seats)),
        ("seat", value(seat.seat.number())),
        ("elo", value(rounded(seat.elo))),
    ];
    object.extend(EloEnds::of(Some(seat.interval)).fields());
    Object(object)
}

fn rating(rating: &Rating) -> Object {
    let mut object = vec![
        ("name", value(&rating.name)),
        ("bot", value(&rating.name)),
        ("elo", value(rating.elo.and_then(rounded))),
    ];
    object.extend(EloEnds::of(rating.interval).fields());
    object.extend([
        ("strength", value(rating.strength.and_then(rounded))),
        ("games", value(rating.tally.games())),
        ("score", value(rating.score().and_then(rounded))),
        ("wins", value(rating.tally.wins)),
        ("draws", value(rating.tally.draws)),
        ("losses", value(rating.tally.losses)),
        ("group", value(rating.group)),
        ("note", value(rating.note.map(|note| note.to_string()))),
    ]);
    Object(object)
}

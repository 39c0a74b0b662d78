//! Ratings as JSON.

use serde::Serialize;

use super::show::ShownRatings;
use crate::cli::elo_ends::EloEnds;
use crate::cli::error::Failure;
use crate::cli::json::{self as data, rounded};
use crate::cli::ui::Ui;
use crate::rating::{
    Anchor, ELO_PER_NATURAL, Intervals, Method, Rating, Ratings, SeatAdvantage, expected_score,
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
    data::print(ui, &RatingsJson::of(ratings, shown, game, games))
}

#[derive(Serialize)]
struct RatingsJson<'a> {
    method: &'static str,
    game: Option<&'a str>,
    games: u64,
    mean: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<f64>,
    anchors: Vec<AnchorJson<'a>>,
    prior: Option<&'static str>,
    intervals: Option<IntervalsJson>,
    scale: ScaleJson,
    first_seat_advantage: Option<AdvantageJson>,
    seat_advantages: Vec<SeatJson>,
    draw_parameter: Option<f64>,
    tie_parameters: Vec<Option<f64>>,
    draw_parameters: Vec<Option<f64>>,
    groups: Vec<GroupJson<'a>>,
    notes: Vec<String>,
    ratings: Vec<RatingJson<'a>>,
    /// In the order of the ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    los: Option<Vec<Vec<Option<f64>>>>,
}

#[derive(Serialize)]
struct AnchorJson<'a> {
    name: &'a str,
    bot: &'a str,
    elo: f64,
}

#[derive(Serialize)]
struct ScaleJson {
    /// The expected score against an opponent who is 100 points weaker.
    expected_score_at_100: Option<f64>,
    elo_per_natural_unit: Option<f64>,
    /// Number of points of the printed scale in one unit of `strength`.
    of_strength: Option<f64>,
}

/// The method of the intervals, and their reference.
#[derive(Serialize)]
struct IntervalsJson {
    confidence: f64,
    about: &'static str,
    from: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    resamples: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

/// The advantage of the first seat over the mean of the others.
#[derive(Serialize)]
struct AdvantageJson {
    elo: Option<f64>,
    #[serde(flatten)]
    ends: EloEnds,
}

/// The advantage of a seat over seat 1, in games with this number of seats.
#[derive(Serialize)]
struct SeatJson {
    seats: usize,
    seat: usize,
    elo: Option<f64>,
    #[serde(flatten)]
    ends: EloEnds,
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
    bot: &'a str,
    elo: Option<f64>,
    #[serde(flatten)]
    ends: EloEnds,
    strength: Option<f64>,
    games: u64,
    score: Option<f64>,
    wins: u64,
    draws: u64,
    losses: u64,
    group: Option<usize>,
    note: Option<String>,
}

impl<'a> RatingsJson<'a> {
    fn of(ratings: &'a Ratings, shown: ShownRatings, game: Option<&'a str>, games: u64) -> RatingsJson<'a> {
        let (mean, k, anchors, prior): (f64, Option<f64>, &[Anchor], _) = match &ratings.method {
            Method::Likelihood(options) => (options.mean, None, &options.anchors, Some(options.prior.word())),
            Method::Incremental(options) => (options.start, Some(options.k), &[], None),
            Method::Online(options) => (options.start, None, &[], None),
        };
        let groups = (1..=ratings.groups).map(|group| GroupJson {
            group,
            bots: ratings
                .rows
                .iter()
                .filter(|row| row.group == Some(group))
                .map(|row| row.name.as_str())
                .collect(),
            prior_used: ratings.has_prior(group),
        });
        let shared: Vec<Option<f64>> =
            (2..=MAX_SEATS).map(|seats| ratings.tie_parameter(seats).and_then(rounded)).collect();
        RatingsJson {
            method: ratings.method.word(),
            game,
            games,
            mean,
            k,
            anchors: anchors
                .iter()
                .map(|anchor| AnchorJson { name: &anchor.name, bot: &anchor.name, elo: anchor.elo })
                .collect(),
            prior,
            intervals: IntervalsJson::of(&ratings.method),
            scale: ScaleJson {
                expected_score_at_100: rounded(expected_score(100.0)),
                elo_per_natural_unit: rounded(ELO_PER_NATURAL),
                of_strength: ratings.scale.and_then(rounded),
            },
            first_seat_advantage: ratings.first_seat_advantage.map(|(elo, interval)| AdvantageJson {
                elo: rounded(elo),
                ends: EloEnds::of(Some(interval)),
            }),
            draw_parameter: ratings.draw_parameter().and_then(rounded),
            draw_parameters: shared.clone(),
            tie_parameters: shared,
            seat_advantages: ratings.seat_advantages.iter().map(SeatJson::of).collect(),
            groups: groups.collect(),
            notes: ratings.notes.iter().map(ToString::to_string).collect(),
            ratings: ratings.rows.iter().map(RatingJson::of).collect(),
            los: (shown == ShownRatings::WithLikelihoods).then(|| likelihoods(ratings)),
        }
    }
}

/// The likelihood of superiority of each bot over each other bot; null if they can't be compared.
fn likelihoods(ratings: &Ratings) -> Vec<Vec<Option<f64>>> {
    let all = 0..ratings.rows.len();
    let los = |one: usize, other: usize| {
        let difference = ratings.difference(one, other).filter(|_| one != other)?;
        rounded(difference.superiority())
    };
    all.clone().map(|one| all.clone().map(|other| los(one, other)).collect()).collect()
}

impl IntervalsJson {
    fn of(method: &Method) -> Option<IntervalsJson> {
        let none = IntervalsJson { confidence: 0.95, about: "mean", from: "", resamples: None, seed: None };
        match method {
            Method::Likelihood(options) => {
                let about = match options.anchors.len() {
                    0 => "mean",
                    1 => "anchor",
                    _ => "anchors",
                };
                Some(match options.intervals {
                    Intervals::Covariance => IntervalsJson { about, from: "covariance", ..none },
                    Intervals::Bootstrap { resamples, seed } => IntervalsJson {
                        about,
                        from: "bootstrap",
                        resamples: Some(resamples),
                        seed: Some(seed),
                        ..none
                    },
                })
            }
            Method::Incremental(_) => None,
            Method::Online(_) => Some(IntervalsJson { about: "start", from: "uncertainty", ..none }),
        }
    }
}

impl SeatJson {
    fn of(seat: &SeatAdvantage) -> SeatJson {
        SeatJson {
            seats: seat.seats,
            seat: seat.seat.number(),
            elo: rounded(seat.elo),
            ends: EloEnds::of(Some(seat.interval)),
        }
    }
}

impl<'a> RatingJson<'a> {
    fn of(rating: &'a Rating) -> RatingJson<'a> {
        RatingJson {
            name: &rating.name,
            bot: &rating.name,
            elo: rating.elo.and_then(rounded),
            ends: EloEnds::of(rating.interval),
            strength: rating.strength.and_then(rounded),
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

//! What comes out: a row a bot, and how sure any difference is.

use std::cmp::Ordering;

use faer::Mat;

use super::duel::probabilities;
use super::maths::{normal, normal_quantile};
use super::notes::{FieldNote, Note};
use super::options::{IncrementalOptions, LikelihoodOptions, OnlineOptions};
use super::results::Tally;
use linesman_types::seat::Seat;

/// How ratings came about.
#[derive(Clone, PartialEq, Debug)]
pub enum Method {
    /// The ratings that make all results together most likely.
    Likelihood(LikelihoodOptions),
    /// The classical running rating.
    Incremental(IncrementalOptions),
    /// The online rating of Weng and Lin.
    Online(OnlineOptions),
}

impl Method {
    /// The method's word on the command line and in files.
    pub fn word(&self) -> &'static str {
        match self {
            Method::Likelihood(_) => "likelihood",
            Method::Incremental(_) => "incremental",
            Method::Online(_) => "weng-lin",
        }
    }
}

/// A range of ratings, in Elo; infinite where there is no bound.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What is known of one bot.
#[derive(Clone, PartialEq, Debug)]
pub struct Rating {
    /// The bot.
    pub name: String,
    /// Its rating, if it has a finite one.
    pub elo: Option<f64>,
    /// Where its rating is with 95 % confidence: relative to the mean of its
    /// group, or to its first anchor. Anchors' own intervals have no width.
    pub interval: Option<Interval>,
    /// Its strength as the model has it, in natural units, above the mean of
    /// its group or above its first anchor.
    pub strength: Option<f64>,
    /// Its games: won if it was first alone, a draw if it shared the first place.
    pub tally: Tally,
    /// The sum of its scores, each the share of its opponents that it beat, shared places
    /// counting half.
    pub points: f64,
    /// The number of its group, from 1; nothing if it has no games. Ratings of
    /// different groups have nothing to do with each other.
    pub group: Option<usize>,
    /// What must be known about the number.
    pub note: Option<Note>,
}

impl Rating {
    /// The points a game, or nothing without games.
    pub fn score(&self) -> Option<f64> {
        (self.tally.games() > 0).then(|| self.points / self.tally.games() as f64)
    }
}

/// What it is worth to sit at a seat and not at seat 1.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatAdvantage {
    /// How many seats the games have.
    pub seats: usize,
    /// The seat.
    pub seat: Seat,
    /// How much stronger a bot plays there than at seat 1, in Elo.
    pub elo: f64,
    /// The 95 % interval of that.
    pub interval: Interval,
}

/// How far apart two bots are.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Difference {
    /// The one's rating above the other's, in Elo.
    pub elo: f64,
    /// The standard error of that, in Elo.
    pub error: f64,
    /// The difference of the strengths themselves over its standard error: who is stronger
    /// does not hang on the scale on which it is printed.
    pub sureness: f64,
}

impl Difference {
    /// Where the difference is with 95 % confidence.
    pub fn interval(self) -> Interval {
        around(self.elo, self.error)
    }

    /// Whether the one is stronger or weaker with 95 % confidence; nothing if neither is.
    pub fn clear(self) -> Option<Ordering> {
        let is_clear = self.sureness.abs() > normal_quantile(0.975);
        is_clear.then(|| self.sureness.total_cmp(&0.0))
    }

    /// The likelihood that the one is stronger than the other, 0 to 1.
    pub fn superiority(self) -> f64 {
        normal(self.sureness)
    }
}

/// Ratings of a field.
#[derive(Clone, Debug)]
pub struct Ratings {
    pub(super) rows: Vec<Rating>,
    /// For each row, where its variances stand in `covariance`, if it has any.
    pub(super) located: Vec<Option<usize>>,
    pub(super) covariance: Option<Mat<f64>>,
    /// The same of the strengths themselves.
    pub(super) raw_covariance: Option<Mat<f64>>,
    pub(super) method: Method,
    pub(super) groups: usize,
    /// The numbers of groups whose ratings are finite by a prior.
    pub(super) with_prior: Vec<usize>,
    pub(super) notes: Vec<FieldNote>,
    pub(super) first_seat: Option<(f64, Interval)>,
    pub(super) seats: Vec<SeatAdvantage>,
    /// The parameters of shared places of two, three and four seats.
    pub(super) ties: Vec<Option<f64>>,
    pub(super) scale: Option<f64>,
}

impl Ratings {
    /// A row for each bot: by group, then the highest rating first, equal ones by
    /// name; in each group bots without a rating at the end, bots without games last of all.
    pub fn rows(&self) -> &[Rating] {
        &self.rows
    }

    /// The row of a bot.
    pub fn of(&self, name: &str) -> Option<&Rating> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// How the ratings came about.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// How many groups of bots there are that never met bots of another group.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Whether ratings of this group, counted from 1, are finite by a prior.
    pub fn has_prior(&self, group: usize) -> bool {
        self.with_prior.contains(&group)
    }

    /// How much stronger a bot plays on the first seat than on the others in the mean, in Elo,
    /// with its 95 % interval; nothing if the games don't tell.
    pub fn first_seat_advantage(&self) -> Option<(f64, Interval)> {
        self.first_seat
    }

    /// The parameter of draws between two seats, Davidson's `nu`: how often equals draw over
    /// how often one of them wins is `nu / 2`. Nothing if there were no draws.
    pub fn draw_parameter(&self) -> Option<f64> {
        self.tie_parameter(2)
    }

    /// The parameter of places that so many seats share, if there were any.
    pub fn tie_parameter(&self, seats: usize) -> Option<f64> {
        self.ties.get(seats.checked_sub(2)?).copied().flatten()
    }

    /// How often equals draw a game of two seats, 0 to 1, what the first seat is worth counted.
    /// Nothing if there were no draws.
    pub fn draws_between_equals(&self) -> Option<f64> {
        let worth = self.first_seat.map_or(0.0, |(elo, _)| elo / super::ELO_PER_NATURAL);
        let [_, draw, _] = probabilities(worth / self.scale?, self.draw_parameter()?);
        Some(draw)
    }

    /// What one natural unit of [strength](Rating::strength) is on the printed scale, in natural units:
    /// 1 without shared places; with them by the games that were played, and for games of two equals `2 / (2 + nu)`.
    pub fn scale(&self) -> Option<f64> {
        self.scale
    }

    /// What each seat but the first is worth, by number of seats and seat; only for fields
    /// with games of more than two seats.
    pub fn seat_advantages(&self) -> &[SeatAdvantage] {
        &self.seats
    }

    /// What must be known about the field as a whole.
    pub fn notes(&self) -> &[FieldNote] {
        &self.notes
    }

    /// How far the bot of row `one` is above that of row `other`, rows counted from 0.
    ///
    /// The error comes from the full covariance, `V_ii + V_jj - 2 V_ij`: it is not
    /// that of two independent numbers. Nothing for bots of different groups,
    /// bots without a rating, and methods without intervals.
    pub fn difference(&self, one: usize, other: usize) -> Option<Difference> {
        let (first, second) = ((*self.located.get(one)?)?, (*self.located.get(other)?)?);
        let (own, others) = (&self.rows[one], &self.rows[other]);
        if own.group != others.group {
            return None;
        }
        let elo = own.elo? - others.elo?;
        let natural = own.strength? - others.strength?;
        let natural_error = error(self.raw_covariance.as_ref()?, first, second) / super::ELO_PER_NATURAL;
        let error = error(self.covariance.as_ref()?, first, second);
        let sureness = if error > 0.0 && natural_error > 0.0 {
            natural / natural_error
        } else if elo == 0.0 {
            0.0
        } else {
            // Two given numbers.
            f64::INFINITY.copysign(elo)
        };
        Some(Difference { elo, error, sureness })
    }

    /// Puts the rows into their order.
    pub(super) fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|one, other| {
            let (one, other) = (&self.rows[*one], &self.rows[*other]);
            let group = |row: &Rating| row.group.unwrap_or(usize::MAX);
            let elo = |row: &Rating| row.elo.unwrap_or(f64::NEG_INFINITY);
            group(one)
                .cmp(&group(other))
                .then_with(|| elo(other).total_cmp(&elo(one)))
                .then_with(|| one.name.cmp(&other.name))
        });
        self.located = order.iter().map(|row| self.located[*row]).collect();
        self.rows = order.iter().map(|row| self.rows[*row].clone()).collect();
    }
}

/// The standard error of a difference of strengths, turned to Elo.
pub(super) fn error(covariance: &Mat<f64>, one: usize, other: usize) -> f64 {
    let variance = covariance[(one, one)] + covariance[(other, other)] - 2.0 * covariance[(one, other)];
    variance.max(0.0).sqrt() * super::ELO_PER_NATURAL
}

/// The 95 % interval of a normally distributed estimate.
pub(super) fn around(elo: f64, error: f64) -> Interval {
    let width = normal_quantile(0.975) * error;
    Interval { low: elo - width, high: elo + width }
}

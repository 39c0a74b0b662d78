//! The ratings: a row for each bot, and the covariance that is needed to compare two of them.

use super::confidence_interval::{Difference, Interval, error_of_difference};
use super::dataset::{Dataset, Total};
use super::davidson::probabilities;
use super::matrix::Matrix;
use super::notes::{FieldNote, Note};
use super::options::Method;
use super::score::Tally;
use linesman_types::seat::Seat;

/// The rating of one bot.
#[derive(Clone, PartialEq, Debug)]
pub struct Rating {
    /// The bot.
    pub name: String,
    /// Its rating, if it has a finite one.
    pub elo: Option<f64>,
    /// The 95 % interval of its rating, relative to the mean of its group or to its first anchor. Anchors'
    /// own intervals have no width.
    pub interval: Option<Interval>,
    /// Its strength in the model, in natural units, relative to the mean of its group or to its first anchor.
    pub strength: Option<f64>,
    /// Its games: won if it was alone in first place, a draw if it shared first place.
    pub tally: Tally,
    /// The sum of its scores: the score of a game is the share of opponents that it beat, with shared places
    /// counting half.
    pub points: f64,
    /// The number of its group, from 1; `None` if it has no games. Ratings of different groups can't be compared.
    pub group: Option<usize>,
    /// A remark on the rating.
    pub note: Option<Note>,
}

impl Rating {
    /// The points per game; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.tally.games() > 0).then(|| self.points / self.tally.games() as f64)
    }
}

/// The advantage of a seat over seat 1.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatAdvantage {
    /// The number of seats of the games.
    pub seats: usize,
    /// The seat.
    pub seat: Seat,
    /// The advantage, in Elo.
    pub elo: f64,
    /// The 95 % interval of the advantage.
    pub interval: Interval,
}

/// Ratings of a field.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// A row for each bot, sorted by group, then from the highest rating to the lowest, then by name. Bots
    /// without a rating are at the end of their group, bots without games at the end of all.
    pub rows: Vec<Rating>,
    /// The index of each row's variances in `covariance`, if it has any.
    pub(super) located: Vec<Option<usize>>,
    pub(super) covariance: Option<Matrix>,
    /// The covariance of the raw strengths.
    pub(super) raw_covariance: Option<Matrix>,
    /// The method that computed them.
    pub method: Method,
    /// The number of groups of bots that never met bots of another group.
    pub groups: usize,
    /// The numbers of the groups whose ratings have a prior.
    pub(super) with_prior: Vec<usize>,
    /// Remarks on the field as a whole.
    pub notes: Vec<FieldNote>,
    /// The advantage of the first seat over the mean of the others, in Elo, with its 95 % interval; `None` if the
    /// games don't determine it.
    pub first_seat_advantage: Option<(f64, Interval)>,
    /// The advantage of each seat but the first, by number of seats and seat; only for fields with games of
    /// more than two seats.
    pub seat_advantages: Vec<SeatAdvantage>,
    /// The parameters of shared places of two, three and four seats.
    pub(super) ties: Vec<Option<f64>>,
    /// The factor from [strengths](Rating::strength) to the printed scale, both in natural units. It is 1
    /// without shared places. With them it depends on the games that were played; for games of two equals it
    /// is `2 / (2 + nu)`.
    pub scale: Option<f64>,
}

impl Ratings {
    /// Makes rows in the order of the dataset, with all that does not depend on the method.
    pub(super) fn unrated(
        dataset: &Dataset,
        totals: &[Total],
        groups: &[Vec<usize>],
        method: Method,
    ) -> Ratings {
        let mut group_of = vec![None; dataset.entrants.len()];
        for (number, members) in groups.iter().enumerate() {
            for &bot in members {
                group_of[bot] = Some(number + 1);
            }
        }
        let names = &dataset.entrants.names;
        let rows = (names.iter().zip(totals).zip(&group_of))
            .map(|((name, total), group)| Rating {
                name: name.clone(),
                elo: None,
                interval: None,
                strength: None,
                tally: total.tally,
                points: total.points,
                group: *group,
                note: group.is_none().then_some(Note::NoGames),
            })
            .collect::<Vec<_>>();
        Ratings {
            located: vec![None; rows.len()],
            rows,
            covariance: None,
            raw_covariance: None,
            method,
            groups: groups.len(),
            with_prior: Vec::new(),
            notes: field_notes(dataset, totals, groups),
            first_seat_advantage: None,
            seat_advantages: Vec::new(),
            ties: Vec::new(),
            scale: None,
        }
    }

    /// The row of a bot.
    pub fn of(&self, name: &str) -> Option<&Rating> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Returns true if the ratings of this group, counted from 1, have a prior.
    pub fn has_prior(&self, group: usize) -> bool {
        self.with_prior.contains(&group)
    }

    /// The parameter of draws between two seats, Davidson's `nu`: between equals, the ratio of draws to games
    /// that one of them wins is `nu / 2`. `None` if there were no draws.
    pub fn draw_parameter(&self) -> Option<f64> {
        self.tie_parameter(2)
    }

    /// The parameter of places shared by this number of seats, if there were any.
    pub fn tie_parameter(&self, seats: usize) -> Option<f64> {
        self.ties.get(seats.checked_sub(2)?).copied().flatten()
    }

    /// The probability of a draw between equals in a game of two seats, with the first seat's advantage.
    /// `None` if there were no draws.
    pub fn draws_between_equals(&self) -> Option<f64> {
        let effect = self.first_seat_advantage.map_or(0.0, |(elo, _)| elo / super::ELO_PER_NATURAL);
        let [_, draw, _] = probabilities(effect / self.scale?, self.draw_parameter()?);
        Some(draw)
    }

    /// The difference between the bots in the rows `one` and `other`, counted from 0.
    ///
    /// The error comes from the full covariance, `V_ii + V_jj - 2 V_ij`: it is not
    /// that of two independent numbers. `None` for bots of different groups,
    /// bots without a rating, and methods without intervals.
    pub fn difference(&self, one: usize, other: usize) -> Option<Difference> {
        let (first, second) = ((*self.located.get(one)?)?, (*self.located.get(other)?)?);
        let (first_row, second_row) = (&self.rows[one], &self.rows[other]);
        if first_row.group != second_row.group {
            return None;
        }
        let elo = first_row.elo? - second_row.elo?;
        let natural = first_row.strength? - second_row.strength?;
        let natural_error =
            error_of_difference(self.raw_covariance.as_ref()?, first, second) / super::ELO_PER_NATURAL;
        let standard_error = error_of_difference(self.covariance.as_ref()?, first, second);
        let z_score = if standard_error > 0.0 && natural_error > 0.0 {
            natural / natural_error
        } else if elo == 0.0 {
            0.0
        } else {
            // Both ratings are given, so the difference has no error.
            f64::INFINITY.copysign(elo)
        };
        Some(Difference { elo, standard_error, z_score })
    }

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

/// Remarks on the field that hold for every method.
fn field_notes(dataset: &Dataset, totals: &[Total], groups: &[Vec<usize>]) -> Vec<FieldNote> {
    let names = &dataset.entrants.names;
    let named = |members: &[usize]| members.iter().map(|bot| names[*bot].clone()).collect();
    let mut notes = Vec::new();
    for (number, members) in groups.iter().enumerate().skip(1) {
        notes.push(FieldNote::Unconnected { group: number + 1, bots: named(members) });
    }
    for (name, bots) in names.iter().zip(&dataset.entrants.together).filter(|(_, bots)| !bots.is_empty()) {
        notes.push(FieldNote::Together { bots: bots.clone(), name: name.clone() });
    }
    let idle: Vec<usize> = (0..totals.len()).filter(|bot| totals[*bot].tally.games() == 0).collect();
    if !idle.is_empty() {
        notes.push(FieldNote::NoGames { bots: named(&idle) });
    }
    if dataset.clusters.repeated > 0 {
        notes.push(FieldNote::Repeated { games: dataset.clusters.repeated, of: dataset.games });
    }
    if dataset.self_games > 0 {
        notes.push(FieldNote::SelfPlay { games: dataset.self_games });
    }
    notes
}

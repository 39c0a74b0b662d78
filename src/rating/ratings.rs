//! What comes out: a row a bot, and how sure any difference is.

use std::fmt;

use faer::Mat;
use statrs::distribution::{ContinuousCDF, Normal};

use super::options::{IncrementalOptions, LikelihoodOptions};
use super::results::Tally;
use crate::seat::Seat;

/// How many names a note lists before it only counts the rest.
const NAMES_IN_A_NOTE: usize = 20;

/// How ratings came about.
#[derive(Clone, PartialEq, Debug)]
pub enum Method {
    /// The ratings that make all results together most likely.
    Likelihood(LikelihoodOptions),
    /// The classical running rating.
    Incremental(IncrementalOptions),
}

impl Method {
    /// The method's word on the command line and in files.
    pub fn word(&self) -> &'static str {
        match self {
            Method::Likelihood(_) => "likelihood",
            Method::Incremental(_) => "incremental",
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
    /// group, or to the anchor, whose own interval has no width.
    pub interval: Option<Interval>,
    /// Its games: won if it was first alone, drawn if it shared the first place.
    pub tally: Tally,
    /// The sum of its scores, each the share of its opponents that it beat, ties
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
    /// The group of bots by whose games it is known.
    pub group: usize,
    /// How many seats the games have.
    pub seats: usize,
    /// The seat.
    pub seat: Seat,
    /// How much stronger a bot plays there than at seat 1, in Elo.
    pub elo: f64,
    /// The 95 % interval of that.
    pub interval: Interval,
}

/// What must be known about a rating.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Note {
    /// No games, so no rating.
    NoGames,
    /// The rating was given.
    Anchor,
    /// It won all its games, and only the prior keeps its rating finite.
    PriorWonAll,
    /// It lost all its games, and only the prior keeps its rating finite.
    PriorLostAll,
    /// It and some others met the rest with one-sided results only, and only the
    /// prior says how far apart they are.
    PriorOneSided,
    /// It won all its games against the rated bots: its interval has no upper end.
    NoUpperBound,
    /// It lost all its games against the rated bots: its interval has no lower end.
    NoLowerBound,
    /// Results place it nowhere among the rated bots.
    Unplaced,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Note::NoGames => "no games",
            Note::Anchor => "the anchor: its rating was given",
            Note::PriorWonAll => "won all its games: the number is the prior's",
            Note::PriorLostAll => "lost all its games: the number is the prior's",
            Note::PriorOneSided => {
                "only one-sided results against others: the distance to them is the prior's"
            }
            Note::NoUpperBound => "won all its games against the rated bots: no upper bound",
            Note::NoLowerBound => "lost all its games against the rated bots: no lower bound",
            Note::Unplaced => "no results that would place it among rated bots",
        })
    }
}

/// What must be known about a field as a whole.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub enum FieldNote {
    /// These bots are not connected by games to the bots of the first group.
    Unconnected {
        /// Their group.
        group: usize,
        /// They.
        bots: Vec<String>,
    },
    /// Ratings of this group are finite by a prior.
    PriorUsed {
        /// The group.
        group: usize,
    },
    /// The anchor is in another group, so that this one has its own mean.
    WithoutAnchor {
        /// The group.
        group: usize,
    },
    /// These bots have no games.
    NoGames {
        /// They.
        bots: Vec<String>,
    },
    /// Who sat where leaves open what seats are worth, so all count as alike.
    SeatsUnknown {
        /// The group.
        group: usize,
    },
    /// Games of a bot against itself were left out.
    SelfPlay {
        /// How many.
        games: u64,
    },
}

impl fmt::Display for FieldNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldNote::Unconnected { group, bots } => {
                write!(
                    f,
                    "group {group} is not connected by games to group 1, its ratings can't be compared with those: "
                )?;
                write_names(f, bots)
            }
            FieldNote::PriorUsed { group } => write!(
                f,
                "the results of group {group} alone give no finite ratings (somebody won or lost everything), so each of its bots \
                 also got half a win and half a loss against a phantom at the group's mean",
            ),
            FieldNote::WithoutAnchor { group } => {
                write!(f, "the anchor is not in group {group}, whose mean is fixed instead")
            }
            FieldNote::NoGames { bots } => {
                f.write_str("without games: ")?;
                write_names(f, bots)
            }
            FieldNote::SeatsUnknown { group } => write!(
                f,
                "the games of group {group} can't tell what seats are worth from what bots are worth, so all seats count as alike"
            ),
            FieldNote::SelfPlay { games: 1 } => f.write_str("one game of a bot against itself was left out"),
            FieldNote::SelfPlay { games } => {
                write!(f, "{games} games of bots against themselves were left out")
            }
        }
    }
}

fn write_names(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    let shown = names.len().min(NAMES_IN_A_NOTE);
    f.write_str(&names[..shown].join(", "))?;
    match names.len() - shown {
        0 => Ok(()),
        1 => f.write_str(" and one other"),
        more => write!(f, " and {more} others"),
    }
}

/// How far apart two bots are.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Difference {
    /// The one's rating above the other's, in Elo.
    pub elo: f64,
    /// The standard error of that, in Elo.
    pub error: f64,
}

impl Difference {
    /// Where the difference is with 95 % confidence.
    pub fn interval(self) -> Interval {
        around(self.elo, self.error)
    }

    /// The likelihood that the one is stronger than the other, 0 to 1.
    pub fn superiority(self) -> f64 {
        if self.error > 0.0 { Normal::standard().cdf(self.elo / self.error) } else { 0.5 }
    }
}

/// Ratings of a field.
#[derive(Clone, Debug)]
pub struct Ratings {
    pub(super) rows: Vec<Rating>,
    /// For each row, where its variances stand in `covariances`, if it has any.
    pub(super) located: Vec<Option<Located>>,
    pub(super) covariances: Vec<Mat<f64>>,
    pub(super) method: Method,
    pub(super) groups: usize,
    pub(super) notes: Vec<FieldNote>,
    pub(super) seats: Vec<SeatAdvantage>,
}

/// A matrix, and a row of it.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Located {
    pub matrix: usize,
    pub row: usize,
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

    /// What seats are worth, by group, number of seats and seat; only for fields
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
        if first.matrix != second.matrix {
            return None;
        }
        let elo = self.rows[one].elo? - self.rows[other].elo?;
        Some(Difference { elo, error: error(&self.covariances[first.matrix], first.row, second.row) })
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

pub(super) fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

//! Strengths of highest likelihood from games of any number of seats.
//!
//! Each game adds the log-likelihood of the [order](super::choice) in which its
//! seats came in. A seat plays with the strength of its bot and what the seat
//! itself is worth, seat 1 being worth nothing. The sum is concave in all of
//! these and in the logarithms of the parameters of ties, so Newton's method,
//! shortened where a full step would overshoot, finds the one maximum.

use arrayvec::ArrayVec;
use faer::linalg::solvers::{DenseSolveCore, Llt, Solve};
use faer::{Mat, Side};

use super::choice::{self, LOCAL, TIES, Wanted, choices, said};
use super::likelihood::{Fit, NotConverged, Phantom, log_logistic, logistic};
use super::results::Table;
use crate::seat::{MAX_SEATS, Seat};

const TOLERANCE: f64 = 1e-10;
const MOST_STEPS: usize = 100;
/// Beyond this, in natural units, a number is on its way to infinity: 4,300 Elo,
/// and odds of 1 to 7e10. Much further out rounding hides the slope that is left.
const FAR: f64 = 25.0;

/// Strengths, and what else the games say.
#[derive(Clone, Debug)]
pub(super) struct TableFit {
    /// The bots' strengths on the scale of expected scores, and their covariance.
    pub fit: Fit,
    /// What the seats are worth, in the same unit; empty if that can't be told.
    pub seats: Vec<SeatWorth>,
    /// Whether results can't tell what seats are worth from what bots are.
    pub seats_unknown: bool,
}

/// What a seat is worth beside seat 1.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct SeatWorth {
    pub seats: usize,
    pub seat: Seat,
    pub worth: f64,
    pub error: f64,
}

/// Finds the strengths of `bots` bots, and the worth of seats, that make the
/// results most likely.
pub(super) fn fit(bots: usize, tables: &[Table], phantom: Phantom) -> Result<TableFit, NotConverged> {
    let mut model = Model::new(bots, tables, phantom);
    let seats_unknown = !model.effects.is_empty() && !model.tells_seats()?;
    if seats_unknown {
        model.effects.clear();
    }
    let at = model.climb().or_else(|_| {
        model.held = Held::SeatsAndTies;
        model.climb()
    })?;
    let mut fit = model.scaled(&at)?;
    fit.seats_unknown = seats_unknown;
    Ok(fit)
}

/// The model of a field. Its parameters stand in one row: strengths of bots,
/// worths of seats, logarithms of the parameters of ties.
struct Model<'t> {
    bots: usize,
    tables: &'t [Table],
    phantom: Phantom,
    held: Held,
    /// Numbers of seats at the table, and seats but the first.
    effects: Vec<(usize, usize)>,
    /// The kinds of ties that there are, as numbers of seats.
    ties: Vec<usize>,
}

/// What else is kept finite.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Held {
    /// Nothing: the results do it.
    Nothing,
    /// What seats are worth and how often there are ties, by half a win and half
    /// a loss each: a seat may have won all its games, or all games been ties.
    SeatsAndTies,
}

/// Where the parameters of one game stand in the row of all.
type Places = [Option<usize>; LOCAL];

impl<'t> Model<'t> {
    fn new(bots: usize, tables: &'t [Table], phantom: Phantom) -> Model<'t> {
        let mut effects: Vec<(usize, usize)> = (tables.iter())
            .flat_map(|table| table.seated.iter().map(|seated| (table.seats, seated.seat)))
            .filter(|(_, seat)| *seat > 0)
            .collect();
        effects.sort_unstable();
        effects.dedup();
        let sets = tables.iter().flat_map(|table| choices(&table.places()));
        let mut ties: Vec<usize> =
            sets.map(|set| set.count_ones() as usize).filter(|tied| *tied > 1).collect();
        ties.sort_unstable();
        ties.dedup();
        Model { bots, tables, phantom, held: Held::Nothing, effects, ties }
    }

    fn parameters(&self) -> usize {
        self.bots + self.effects.len() + self.ties.len()
    }

    fn log_ties(&self, at: &[f64]) -> [f64; TIES] {
        let mut ties = [f64::NEG_INFINITY; TIES];
        for (index, tied) in self.ties.iter().enumerate() {
            ties[tied - 2] = at[self.bots + self.effects.len() + index];
        }
        ties
    }

    fn effect(&self, seats: usize, seat: usize) -> Option<usize> {
        let index = self.effects.iter().position(|effect| *effect == (seats, seat))?;
        Some(self.bots + index)
    }

    fn strengths(&self, table: &Table, at: &[f64]) -> ArrayVec<f64, MAX_SEATS> {
        let worth = |seat| self.effect(table.seats, seat).map_or(0.0, |index| at[index]);
        table.seated.iter().map(|seated| at[seated.bot] + worth(seated.seat)).collect()
    }

    /// The parameters of which a game's own are the sums.
    fn places(&self, table: &Table) -> [Places; 2] {
        let (mut first, mut second) = ([None; LOCAL], [None; LOCAL]);
        for (index, seated) in table.seated.iter().enumerate() {
            first[index] = Some(seated.bot);
            second[index] = self.effect(table.seats, seated.seat);
        }
        for (index, tied) in self.ties.iter().enumerate() {
            first[MAX_SEATS + tied - 2] = Some(self.bots + self.effects.len() + index);
        }
        [first, second]
    }

    fn log_likelihood(&self, at: &[f64]) -> f64 {
        let ties = self.log_ties(at);
        let games = self.tables.iter().map(|table| {
            let strengths = self.strengths(table, at);
            table.games as f64 * said(&strengths, &ties, &table.places(), Wanted::Value).log_likelihood
        });
        let phantom = at[self.met_by_phantom()].iter();
        games.sum::<f64>() + phantom.map(|own| 0.5 * (log_logistic(*own) + log_logistic(-own))).sum::<f64>()
    }

    /// The parameters that a phantom keeps finite.
    fn met_by_phantom(&self) -> std::ops::Range<usize> {
        match (self.phantom, self.held) {
            (Phantom::AtMean, _) => 0..self.parameters(),
            (Phantom::Absent, Held::SeatsAndTies) => self.bots..self.parameters(),
            (Phantom::Absent, Held::Nothing) => 0..0,
        }
    }

    /// The slope of the log-likelihood and its negative second derivatives.
    fn derivatives(&self, at: &[f64]) -> (Vec<f64>, Mat<f64>) {
        let ties = self.log_ties(at);
        let mut slope = vec![0.0; self.parameters()];
        let mut curvature = Mat::zeros(self.parameters(), self.parameters());
        for table in self.tables {
            let own = said(&self.strengths(table, at), &ties, &table.places(), Wanted::Derivatives);
            let games = table.games as f64;
            let places = self.places(table);
            for row in 0..LOCAL {
                for row_at in places.iter().filter_map(|places| places[row]) {
                    slope[row_at] += games * own.slope[row];
                    for column in 0..LOCAL {
                        for column_at in places.iter().filter_map(|places| places[column]) {
                            curvature[(row_at, column_at)] += games * own.curvature[row][column];
                        }
                    }
                }
            }
        }
        self.add_phantom(at, &mut slope, &mut curvature);
        (slope, curvature)
    }

    /// Half a win and half a loss for each bot against a phantom at the mean, and
    /// the same for what seats are worth and for ties, which have no mean to follow.
    fn add_phantom(&self, at: &[f64], slope: &mut [f64], curvature: &mut Mat<f64>) {
        let surplus: Vec<f64> = at.iter().map(|own| 0.5 - logistic(*own)).collect();
        let variance: Vec<f64> = at.iter().map(|own| logistic(*own) * logistic(-own)).collect();
        for own in self.met_by_phantom() {
            slope[own] += surplus[own];
            curvature[(own, own)] += variance[own];
        }
        if self.phantom == Phantom::Absent {
            return;
        }
        let bots = self.bots as f64;
        let mean = |of: &[f64]| of[..self.bots].iter().sum::<f64>() / bots;
        let (mean_surplus, mean_variance) = (mean(&surplus), mean(&variance));
        slope[..self.bots].iter_mut().for_each(|slope| *slope -= mean_surplus);
        for row in 0..self.bots {
            for column in 0..self.bots {
                curvature[(row, column)] += (mean_variance - variance[row] - variance[column]) / bots;
            }
        }
    }

    /// Whether the games tell what seats are worth from what bots are: whether
    /// something of what they say of seats is left when bots are free to explain it.
    fn tells_seats(&self) -> Result<bool, NotConverged> {
        // Nothing but the table of who sat where matters, so equals will do.
        let (_, curvature) = self.derivatives(&vec![0.0; self.parameters()]);
        let strengths = Mat::from_fn(self.bots, self.bots, |row, column| curvature[(row, column)]);
        let seats = self.effects.len();
        let cross = Mat::from_fn(self.bots, seats, |row, seat| curvature[(row, self.bots + seat)]);
        let (held, _) = hold(&strengths, self.bots);
        let explained = factor(&held)?.solve(&cross);
        let left = Mat::from_fn(seats, seats, |row, column| {
            let by_bots: f64 = (0..self.bots).map(|bot| cross[(bot, row)] * explained[(bot, column)]).sum();
            curvature[(self.bots + row, self.bots + column)] - by_bots
        });
        let size = (0..seats).map(|seat| curvature[(self.bots + seat, self.bots + seat)]).fold(0.0, f64::max);
        let values = left.self_adjoint_eigenvalues(Side::Lower).map_err(|_| NotConverged)?;
        Ok(values.iter().all(|value| *value > 1e-9 * size))
    }

    /// The parameters at the maximum.
    fn climb(&self) -> Result<Vec<f64>, NotConverged> {
        let mut at = vec![0.0; self.parameters()];
        for _ in 0..MOST_STEPS {
            let (slope, curvature) = self.derivatives(&at);
            let (held, _) = hold(&curvature, self.bots);
            let right = Mat::from_fn(at.len(), 1, |row, _| slope[row]);
            let solved = factor(&held)?.solve(&right);
            let step: Vec<f64> = (0..at.len()).map(|row| solved[(row, 0)]).collect();
            let largest = step.iter().fold(0.0, |largest: f64, change| largest.max(change.abs()));
            if !largest.is_finite() {
                return Err(NotConverged);
            }
            at = self.walk(&at, &step, &slope);
            if largest < TOLERANCE {
                return Ok(at);
            }
            if at.iter().any(|value| value.abs() > FAR) {
                return Err(NotConverged);
            }
        }
        Err(NotConverged)
    }

    /// The parameters after the longest of the step, its half, its quarter ... that
    /// gains enough likelihood, with the mean of the strengths at 0.
    fn walk(&self, at: &[f64], step: &[f64], slope: &[f64]) -> Vec<f64> {
        let after = |share: f64| -> Vec<f64> {
            let mut moved: Vec<f64> = at.iter().zip(step).map(|(at, change)| at + share * change).collect();
            let mean = moved[..self.bots].iter().sum::<f64>() / self.bots as f64;
            moved[..self.bots].iter_mut().for_each(|strength| *strength -= mean);
            moved
        };
        let promised: f64 = step.iter().zip(slope).map(|(change, slope)| change * slope).sum();
        let before = self.log_likelihood(at);
        // So near the top the gain drowns in rounding, and a full step is right.
        if promised < 1e-7 * (1.0 + before.abs()) {
            return after(1.0);
        }
        let mut share = 1.0;
        for _ in 0..60 {
            let moved = after(share);
            if self.log_likelihood(&moved) >= before + 1e-4 * share * promised {
                return moved;
            }
            share /= 2.0;
        }
        after(share)
    }

    /// Strengths and seats on the scale of expected scores, with the doubt about
    /// that scale itself in their variances.
    fn scaled(&self, at: &[f64]) -> Result<TableFit, NotConverged> {
        let (_, curvature) = self.derivatives(at);
        let (held, by) = hold(&curvature, self.bots);
        let inverse = factor(&held)?.inverse();
        let off = 1.0 / (by * (self.bots * self.bots) as f64);
        let both_bots = |row: usize, column: usize| row < self.bots && column < self.bots;
        let variance = |row, column| inverse[(row, column)] - if both_bots(row, column) { off } else { 0.0 };
        let first_tie = self.bots + self.effects.len();
        let (scale, by_tie) = self.scale(at);
        // The derivative of a scaled number by each tie's parameter is the number
        // times that of the scale.
        let with_ties = |row: usize| -> f64 {
            by_tie.iter().enumerate().map(|(tie, slope)| slope * variance(row, first_tie + tie)).sum()
        };
        let of_ties: f64 = (by_tie.iter().enumerate())
            .map(|(tie, slope)| {
                slope
                    * by_tie
                        .iter()
                        .enumerate()
                        .map(|(other, by)| by * variance(first_tie + tie, first_tie + other))
                        .sum::<f64>()
            })
            .sum();
        let crossed: Vec<f64> = (0..first_tie).map(with_ties).collect();
        let scaled = |row: usize, column: usize| {
            scale * scale * variance(row, column)
                + scale * (at[row] * crossed[column] + at[column] * crossed[row])
                + at[row] * at[column] * of_ties
        };
        let seats = self.effects.iter().enumerate().map(|(index, (seats, seat))| {
            let row = self.bots + index;
            let error = scaled(row, row).max(0.0).sqrt();
            SeatWorth { seats: *seats, seat: Seat::from_index(*seat), worth: scale * at[row], error }
        });
        Ok(TableFit {
            fit: Fit {
                strengths: at[..self.bots].iter().map(|strength| scale * strength).collect(),
                covariance: Mat::from_fn(self.bots, self.bots, scaled),
            },
            seats: seats.collect(),
            seats_unknown: false,
        })
    }

    /// The scale of expected scores, the mean over the games, and its slope by
    /// the logarithm of each tie's parameter.
    fn scale(&self, at: &[f64]) -> (f64, Vec<f64>) {
        const STEP: f64 = 1e-5;
        let mut games = [0.0; MAX_SEATS + 1];
        for table in self.tables {
            games[table.seated.len()] += table.games as f64;
        }
        let all: f64 = games.iter().sum();
        let mean = |ties: &[f64; TIES]| -> f64 {
            let seats = (2..=MAX_SEATS).filter(|seats| games[*seats] > 0.0);
            seats.map(|seats| games[seats] / all * choice::scale(seats, ties)).sum()
        };
        let ties = self.log_ties(at);
        let slope = self.ties.iter().map(|tied| {
            let moved = |by: f64| {
                let mut moved = ties;
                moved[tied - 2] += by;
                mean(&moved)
            };
            (moved(STEP) - moved(-STEP)) / (2.0 * STEP)
        });
        (mean(&ties), slope.collect())
    }
}

/// Holds the mean of the strengths in place: without that the matrix is singular
/// along "all bots stronger by the same". Also says how hard it holds.
fn hold(matrix: &Mat<f64>, bots: usize) -> (Mat<f64>, f64) {
    let size = (0..bots).map(|bot| matrix[(bot, bot)]).sum::<f64>() / bots as f64;
    let by = size / bots as f64;
    let held = Mat::from_fn(matrix.nrows(), matrix.ncols(), |row, column| {
        matrix[(row, column)] + if row < bots && column < bots { by } else { 0.0 }
    });
    (held, by)
}

/// Factors a positive definite matrix; rounding may need a ridge, which
/// shortens the step, and the next one is better placed.
fn factor(matrix: &Mat<f64>) -> Result<Llt<f64>, NotConverged> {
    let size = (0..matrix.nrows()).map(|row| matrix[(row, row)]).fold(0.0, f64::max);
    for ridge in [0.0, 1e-13, 1e-10, 1e-7] {
        let raised = Mat::from_fn(matrix.nrows(), matrix.ncols(), |row, column| {
            matrix[(row, column)] + if row == column { size * ridge } else { 0.0 }
        });
        if let Ok(factored) = raised.llt(Side::Lower) {
            return Ok(factored);
        }
    }
    Err(NotConverged)
}

//! The mathematics of the ladder: estimates of strength, and the information of another game.
//!
//! The strength of each entrant is a number on a natural scale (1 is 173.7 Elo). Its prior is a normal
//! distribution with mean 0 and standard deviation [`PRIOR`]. The probability that one entrant beats another is
//! the logistic function of their difference (R. Bradley and M. Terry, "Rank analysis of incomplete block
//! designs", 1952), with a draw as half a win. Newton's method finds the strengths with the highest posterior
//! density, and the inverse of the negative Hessian there serves as their covariance (Laplace's approximation).
//!
//! A game of two with winning probability `p` adds `p (1 - p) d d'` to the inverse of the covariance `C`, where
//! `d` is the vector with 1 for one of them and -1 for the other. It divides the determinant of `C` by
//! `1 + p (1 - p) d' C d` (the matrix determinant lemma), so the pair with the largest `p (1 - p) d' C d` gives the
//! most information: D-optimal design, as in D. Lindley, "On a measure of the information provided by an
//! experiment", 1956.

/// The prior standard deviation of strengths: about 350 Elo.
const PRIOR: f64 = 2.0;

/// The Elo of a difference of 1: 400 / ln 10.
pub(super) const ELO: f64 = 173.717_792_761_241_23;

/// Maximum number of Newton steps. A few are enough, since the prior keeps everything finite.
const MAX_STEPS: usize = 50;

/// Maximum change of a strength at which the iteration ends.
const TOLERANCE: f64 = 1e-9;

/// The games of a pair.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Games {
    pub one: usize,
    pub other: usize,
    /// Points of the first, and number of games; both can be fractions.
    pub points: f64,
    pub games: f64,
    /// Number of games in progress, whose results are not known yet.
    pub running: f64,
}

/// Ratings with their uncertainty.
#[derive(Clone, Debug)]
pub(super) struct LadderRatings {
    entrants: usize,
    means: Vec<f64>,
    /// The covariance, row by row.
    covariance: Vec<f64>,
}

impl LadderRatings {
    /// Estimates the ratings from games. The order of the games affects only rounding.
    pub(super) fn of(entrants: usize, games: &[Games]) -> LadderRatings {
        let mut means = vec![0.0; entrants];
        for _ in 0..MAX_STEPS {
            let mut gradient: Vec<f64> = means.iter().map(|mean| -mean / (PRIOR * PRIOR)).collect();
            for pair in games {
                let surplus = pair.points - pair.games * expected(means[pair.one] - means[pair.other]);
                gradient[pair.one] += surplus;
                gradient[pair.other] -= surplus;
            }
            let precision = precision(entrants, games, &means, |pair| pair.games);
            let step = solve(&cholesky(precision, entrants), entrants, gradient);
            let largest = step.iter().fold(0.0_f64, |largest, change| largest.max(change.abs()));
            // The logistic curve is steep only in the middle, so long steps are shortened.
            let factor = if largest > 1.0 { 1.0 / largest } else { 1.0 };
            means.iter_mut().zip(&step).for_each(|(mean, change)| *mean += factor * change);
            if largest < TOLERANCE {
                break;
            }
        }
        let precision = precision(entrants, games, &means, |pair| pair.games + pair.running);
        let covariance = inverse(&cholesky(precision, entrants), entrants);
        LadderRatings { entrants, means, covariance }
    }

    /// The expected score of one against another.
    pub(super) fn chance(&self, one: usize, other: usize) -> f64 {
        expected(self.means[one] - self.means[other])
    }

    /// The difference of two strengths, and its standard deviation.
    pub(super) fn difference(&self, one: usize, other: usize) -> (f64, f64) {
        (self.means[one] - self.means[other], self.variance(one, other).max(0.0).sqrt())
    }

    fn variance(&self, one: usize, other: usize) -> f64 {
        let at = |row: usize, column: usize| self.covariance[row * self.entrants + column];
        at(one, one) + at(other, other) - 2.0 * at(one, other)
    }

    /// The information of a game of these two, which is `p (1 - p) d' C d`.
    pub(super) fn information(&self, one: usize, other: usize) -> f64 {
        let chance = self.chance(one, other);
        chance * (1.0 - chance) * self.variance(one, other)
    }

    /// Accounts for games of two that begin: they reduce the uncertainty, whatever their results.
    pub(super) fn will_play(&mut self, one: usize, other: usize, games: f64) {
        let chance = self.chance(one, other);
        let weight = games * chance * (1.0 - chance);
        let factor = weight / (1.0 + weight * self.variance(one, other));
        // The Sherman-Morrison formula: the inverse after an update of rank one.
        let entrants = self.entrants;
        let column: Vec<f64> = (0..entrants)
            .map(|row| self.covariance[row * entrants + one] - self.covariance[row * entrants + other])
            .collect();
        for (row, left) in self.covariance.chunks_mut(entrants).zip(&column) {
            for (value, right) in row.iter_mut().zip(&column) {
                *value -= factor * left * right;
            }
        }
    }
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Returns the inverse of the covariance, which is the negative Hessian: the lower triangle, row by row.
fn precision(entrants: usize, games: &[Games], means: &[f64], count: impl Fn(&Games) -> f64) -> Vec<f64> {
    let mut matrix = vec![0.0; entrants * entrants];
    for entrant in 0..entrants {
        matrix[entrant * entrants + entrant] = 1.0 / (PRIOR * PRIOR);
    }
    for pair in games {
        let chance = expected(means[pair.one] - means[pair.other]);
        let weight = count(pair) * chance * (1.0 - chance);
        matrix[pair.one * entrants + pair.one] += weight;
        matrix[pair.other * entrants + pair.other] += weight;
        matrix[pair.one.max(pair.other) * entrants + pair.one.min(pair.other)] -= weight;
    }
    matrix
}

/// Returns the Cholesky factor of a matrix given by its lower triangle. The prior makes it positive definite.
fn cholesky(mut matrix: Vec<f64>, size: usize) -> Vec<f64> {
    for row in 0..size {
        let (above, current) = matrix.split_at_mut(row * size);
        for column in 0..row {
            let other = &above[column * size..column * size + column + 1];
            let sum: f64 = current[..column].iter().zip(other).map(|(left, right)| left * right).sum();
            current[column] = (current[column] - sum) / other[column];
        }
        let sum: f64 = current[..row].iter().map(|value| value * value).sum();
        current[row] = (current[row] - sum).sqrt();
    }
    matrix
}

/// Solves a system of linear equations, given the Cholesky factor of its matrix.
fn solve(factor: &[f64], size: usize, mut right: Vec<f64>) -> Vec<f64> {
    for row in 0..size {
        let current = &factor[row * size..row * size + row + 1];
        let sum: f64 = current[..row].iter().zip(&right).map(|(left, right)| left * right).sum();
        right[row] = (right[row] - sum) / current[row];
    }
    for row in (0..size).rev() {
        right[row] /= factor[row * size + row];
        let value = right[row];
        for (column, other) in right[..row].iter_mut().enumerate() {
            *other -= value * factor[row * size + column];
        }
    }
    right
}

fn inverse(factor: &[f64], size: usize) -> Vec<f64> {
    let mut inverse = Vec::with_capacity(size * size);
    for row in 0..size {
        let mut unit = vec![0.0; size];
        unit[row] = 1.0;
        inverse.extend(solve(factor, size, unit));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(one: usize, other: usize, points: f64, games: f64) -> Games {
        Games { one, other, points, games, running: 0.0 }
    }

    #[track_caller]
    fn close(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-7, "{one} is not {other}");
    }

    #[test]
    fn many_games_of_two_determine_their_difference_and_its_standard_error() {
        let strengths = LadderRatings::of(2, &[games(0, 1, 750_000.0, 1_000_000.0)]);
        let (difference, error) = strengths.difference(0, 1);
        // A score of 75 % is ln 3, and the standard error is 1 / sqrt(n p (1 - p)); the prior hardly matters.
        assert!((difference - 3.0_f64.ln()).abs() < 1e-4);
        assert!((error - 1.0 / (1_000_000.0 * 0.1875_f64).sqrt()).abs() < 1e-4);
        let nothing = LadderRatings::of(2, &[]);
        close(nothing.difference(0, 1).1, (2.0 * PRIOR * PRIOR).sqrt());
        close(nothing.information(0, 1), 0.25 * 2.0 * PRIOR * PRIOR);
    }

    #[test]
    fn games_that_begin_later_count_like_games_in_progress() {
        let mut list = vec![games(0, 1, 3.0, 4.0), games(1, 2, 1.5, 4.0), games(3, 2, 0.0, 2.0)];
        let mut later = LadderRatings::of(4, &list);
        later.will_play(0, 3, 2.0);
        later.will_play(1, 2, 2.0);
        list.push(Games { running: 2.0, ..games(0, 3, 0.0, 0.0) });
        list[1].running = 2.0;
        let at_once = LadderRatings::of(4, &list);
        for (one, other) in later.covariance.iter().zip(&at_once.covariance) {
            close(*one, *other);
        }
    }

    #[test]
    fn the_order_of_games_and_of_entrants_makes_no_difference() {
        let list = [games(0, 1, 5.0, 8.0), games(1, 2, 7.0, 8.0), games(2, 0, 0.5, 3.0)];
        let one = LadderRatings::of(3, &list);
        let reversed: Vec<Games> = list
            .iter()
            .rev()
            .map(|pair| games(2 - pair.other, 2 - pair.one, pair.games - pair.points, pair.games))
            .collect();
        let other = LadderRatings::of(3, &reversed);
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            close(one.difference(a, b).0, other.difference(2 - a, 2 - b).0);
            close(one.information(a, b), other.information(2 - a, 2 - b));
        }
    }

    #[test]
    fn winning_all_games_leaves_the_estimates_finite() {
        let strengths = LadderRatings::of(2, &[games(0, 1, 5_000.0, 5_000.0)]);
        let (difference, error) = strengths.difference(0, 1);
        assert!(difference.is_finite() && difference > 5.0 && error > 0.0);
    }
}

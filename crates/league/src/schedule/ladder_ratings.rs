//! The mathematics of the ladder: estimates of strength, and the information of another game.
//!
//! The strength of each entrant is a number on a natural scale (1 is 173.7 Elo). Before any game it is
//! normally distributed about 0 with a standard deviation of [`PRIOR`]. The chance that one entrant beats
//! another is the logistic function of their difference (R. Bradley and M. Terry, "Rank analysis of
//! incomplete block designs", 1952), with a draw as half a win. Newton's method finds the most likely
//! strengths, and the inverse of the negative second derivatives there serves as their covariance (Laplace's
//! approximation).
//!
//! A game of two with winning chance `p` adds `p (1 - p) d d'` to the inverse of the covariance `C`, where
//! `d` is the difference of the two. It reduces the volume of the uncertainty by the factor `1 + p (1 - p) d'
//! C d` (the matrix determinant lemma), so the pair with the largest `p (1 - p) d' C d` gives the most information:
//! D-optimal design, as in D. Lindley, "On a measure of the information provided by an experiment", 1956.

/// The standard deviation of strengths before any game: about 350 Elo.
const PRIOR: f64 = 2.0;

/// The Elo of a difference of 1: 400 / ln 10.
pub(super) const ELO: f64 = 173.717_792_761_241_23;

/// Maximum number of Newton steps. A few are enough, since the prior keeps everything finite.
const MOST_STEPS: usize = 50;

/// Change of strengths below which the iteration ends.
const CLOSE: f64 = 1e-9;

/// The games of a pair.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Games {
    pub one: usize,
    pub other: usize,
    /// Points of the first, and number of games; both may be fractions.
    pub points: f64,
    pub games: f64,
    /// Number of games whose results are not known yet.
    pub running: f64,
}

/// Ratings with their uncertainty.
#[derive(Clone, Debug)]
pub(super) struct LadderRatings {
    number: usize,
    means: Vec<f64>,
    /// The covariance, row by row.
    covariance: Vec<f64>,
}

impl LadderRatings {
    /// The estimates from games. The order of the games affects only rounding.
    pub(super) fn of(number: usize, games: &[Games]) -> LadderRatings {
        let mut means = vec![0.0; number];
        for _ in 0..MOST_STEPS {
            let mut gradient: Vec<f64> = means.iter().map(|mean| -mean / (PRIOR * PRIOR)).collect();
            for own in games {
                let pull = own.points - own.games * expected(means[own.one] - means[own.other]);
                gradient[own.one] += pull;
                gradient[own.other] -= pull;
            }
            let hessian = information(number, games, &means, |own| own.games);
            let step = solved(&factored(hessian, number), number, gradient);
            let largest = step.iter().fold(0.0_f64, |largest, change| largest.max(change.abs()));
            // The logistic curve is steep only in the middle, so long steps are shortened.
            let part = if largest > 1.0 { 1.0 / largest } else { 1.0 };
            means.iter_mut().zip(&step).for_each(|(mean, change)| *mean += part * change);
            if largest < CLOSE {
                break;
            }
        }
        let hessian = information(number, games, &means, |own| own.games + own.running);
        let covariance = inverse(&factored(hessian, number), number);
        LadderRatings { number, means, covariance }
    }

    /// The chance of one against another, with a draw as half a win.
    pub(super) fn chance(&self, one: usize, other: usize) -> f64 {
        expected(self.means[one] - self.means[other])
    }

    /// The difference of two, and its standard deviation.
    pub(super) fn difference(&self, one: usize, other: usize) -> (f64, f64) {
        (self.means[one] - self.means[other], self.variance(one, other).max(0.0).sqrt())
    }

    fn variance(&self, one: usize, other: usize) -> f64 {
        let at = |row: usize, column: usize| self.covariance[row * self.number + column];
        at(one, one) + at(other, other) - 2.0 * at(one, other)
    }

    /// The information of a game of these two.
    pub(super) fn worth(&self, one: usize, other: usize) -> f64 {
        let chance = self.chance(one, other);
        chance * (1.0 - chance) * self.variance(one, other)
    }

    /// Accounts for future games of two: they reduce the uncertainty, whatever their results.
    pub(super) fn will_play(&mut self, one: usize, other: usize, games: f64) {
        let chance = self.chance(one, other);
        let weight = games * chance * (1.0 - chance);
        let factor = weight / (1.0 + weight * self.variance(one, other));
        // Sherman and Morrison: the inverse after a change of rank one.
        let column: Vec<f64> = (0..self.number)
            .map(|row| self.covariance[row * self.number + one] - self.covariance[row * self.number + other])
            .collect();
        for (row, left) in self.covariance.chunks_mut(self.number).zip(&column) {
            for (value, right) in row.iter_mut().zip(&column) {
                *value -= factor * left * right;
            }
        }
    }
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The negative second derivatives: the lower half, row by row.
fn information(number: usize, games: &[Games], means: &[f64], count: impl Fn(&Games) -> f64) -> Vec<f64> {
    let mut matrix = vec![0.0; number * number];
    for who in 0..number {
        matrix[who * number + who] = 1.0 / (PRIOR * PRIOR);
    }
    for own in games {
        let chance = expected(means[own.one] - means[own.other]);
        let weight = count(own) * chance * (1.0 - chance);
        matrix[own.one * number + own.one] += weight;
        matrix[own.other * number + own.other] += weight;
        matrix[own.one.max(own.other) * number + own.one.min(own.other)] -= weight;
    }
    matrix
}

/// The Cholesky factor of a matrix given by its lower half, which is positive definite because of the prior.
fn factored(mut matrix: Vec<f64>, number: usize) -> Vec<f64> {
    for row in 0..number {
        let (above, own) = matrix.split_at_mut(row * number);
        for column in 0..row {
            let other = &above[column * number..column * number + column + 1];
            let sum: f64 = own[..column].iter().zip(other).map(|(left, right)| left * right).sum();
            own[column] = (own[column] - sum) / other[column];
        }
        let sum: f64 = own[..row].iter().map(|value| value * value).sum();
        own[row] = (own[row] - sum).sqrt();
    }
    matrix
}

/// The solution of a system of equations, from the factor of its matrix.
fn solved(factor: &[f64], number: usize, mut right: Vec<f64>) -> Vec<f64> {
    for row in 0..number {
        let own = &factor[row * number..row * number + row + 1];
        let sum: f64 = own[..row].iter().zip(&right).map(|(left, right)| left * right).sum();
        right[row] = (right[row] - sum) / own[row];
    }
    for row in (0..number).rev() {
        right[row] /= factor[row * number + row];
        let value = right[row];
        for (column, other) in right[..row].iter_mut().enumerate() {
            *other -= value * factor[row * number + column];
        }
    }
    right
}

fn inverse(factor: &[f64], number: usize) -> Vec<f64> {
    let mut whole = Vec::with_capacity(number * number);
    for row in 0..number {
        let mut unit = vec![0.0; number];
        unit[row] = 1.0;
        whole.extend(solved(factor, number, unit));
    }
    whole
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
    fn many_games_of_two_show_their_difference_and_all_of_them_its_error() {
        let strengths = LadderRatings::of(2, &[games(0, 1, 750_000.0, 1_000_000.0)]);
        let (difference, error) = strengths.difference(0, 1);
        // A score of 75 % is ln 3, and the error is 1 / sqrt(n p (1 - p)); the prior hardly counts.
        assert!((difference - 3.0_f64.ln()).abs() < 1e-4);
        assert!((error - 1.0 / (1_000_000.0 * 0.1875_f64).sqrt()).abs() < 1e-4);
        let nothing = LadderRatings::of(2, &[]);
        close(nothing.difference(0, 1).1, (2.0 * PRIOR * PRIOR).sqrt());
        close(nothing.worth(0, 1), 0.25 * 2.0 * PRIOR * PRIOR);
    }

    #[test]
    fn games_that_will_be_played_count_as_those_that_are_running() {
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
    fn the_order_of_games_and_the_names_of_bots_mean_nothing() {
        let list = [games(0, 1, 5.0, 8.0), games(1, 2, 7.0, 8.0), games(2, 0, 0.5, 3.0)];
        let one = LadderRatings::of(3, &list);
        let turned: Vec<Games> = list
            .iter()
            .rev()
            .map(|own| games(2 - own.other, 2 - own.one, own.games - own.points, own.games))
            .collect();
        let other = LadderRatings::of(3, &turned);
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            close(one.difference(a, b).0, other.difference(2 - a, 2 - b).0);
            close(one.worth(a, b), other.worth(2 - a, 2 - b));
        }
    }

    #[test]
    fn all_games_won_leave_numbers_finite() {
        let strengths = LadderRatings::of(2, &[games(0, 1, 5_000.0, 5_000.0)]);
        let (difference, error) = strengths.difference(0, 1);
        assert!(difference.is_finite() && difference > 5.0 && error > 0.0);
    }
}

//! The order of a game's seats, as a series of choices.
//!
//! R. D. Luce, "Individual Choice Behavior" (1959), and R. L. Plackett, "The analysis of permutations",
//! Applied Statistics 24 (1975): each player is first with a probability proportional to `e^strength`; the
//! second place is chosen among the remaining players in the same way, and so on. Ties as in H. L. Turner, J.
//! van Etten, D. Firth, I. Kosmidis, "Modelling rankings in R: the PlackettLuce package", Computational
//! Statistics 35 (2020): a set of `n` seats shares a place with the weight `d_n e^(mean of their strengths)`,
//! `d_1 = 1`. For two seats that is the model of R. R. Davidson, "On extending the Bradley-Terry model to
//! accommodate ties in paired comparison experiments", Journal of the American Statistical Association 65
//! (1970), and without ties that of Bradley and Terry.

use arrayvec::ArrayVec;

use linesman_types::seat::MAX_SEATS;

/// The number of tie parameters: those of ties of two, three and four seats.
pub(super) const TIES: usize = MAX_SEATS - 1;

/// The number of parameters of one game: the strength at each seat, then the logarithm of the parameter of
/// each kind of tie.
pub(super) const LOCAL: usize = MAX_SEATS + TIES;

/// The sets of seats that can be chosen next, as bits.
fn subsets(left: u8, ties: &[f64; TIES]) -> impl Iterator<Item = u8> + '_ {
    (1..=left).filter(move |set| set & !left == 0 && log_tie_weight(set.count_ones(), ties).is_finite())
}

/// The logarithm of the weight of a tie of this number of seats.
fn log_tie_weight(seats: u32, ties: &[f64; TIES]) -> f64 {
    match seats {
        0 | 1 => 0.0,
        more => ties[more as usize - 2],
    }
}

/// The logarithm of the weight of a set of seats.
fn log_weight(set: u8, strengths: &[f64], ties: &[f64; TIES]) -> f64 {
    let members = (0..strengths.len()).filter(|seat| set & (1 << seat) != 0);
    let sum: f64 = members.map(|seat| strengths[seat]).sum();
    sum / f64::from(set.count_ones()) + log_tie_weight(set.count_ones(), ties)
}

/// The gradient of a set's log-weight.
fn features(set: u8) -> [f64; LOCAL] {
    let mut features = [0.0; LOCAL];
    let share = 1.0 / f64::from(set.count_ones());
    for (seat, feature) in features[..MAX_SEATS].iter_mut().enumerate() {
        if set & (1 << seat) != 0 {
            *feature = share;
        }
    }
    if set.count_ones() > 1 {
        features[MAX_SEATS + set.count_ones() as usize - 2] = 1.0;
    }
    features
}

/// The sets of seats that share a place, the best first.
pub(super) fn choices(places: &[u8]) -> ArrayVec<u8, MAX_SEATS> {
    let mut sorted: ArrayVec<u8, MAX_SEATS> = places.iter().copied().collect();
    sorted.sort_unstable();
    let mut sets: ArrayVec<u8, MAX_SEATS> = ArrayVec::new();
    for (index, place) in sorted.iter().enumerate() {
        if index == 0 || sorted[index - 1] != *place {
            let members = places.iter().enumerate().filter(|(_, other)| *other == place);
            sets.push(members.fold(0, |set, (seat, _)| set | 1 << seat));
        }
    }
    sets
}

/// The log-likelihood of a game and its derivatives with respect to the parameters of the game.
#[derive(Clone, Debug)]
pub(super) struct Contribution {
    pub log_likelihood: f64,
    pub slope: [f64; LOCAL],
    /// The negative second derivatives.
    pub curvature: [[f64; LOCAL]; LOCAL],
}

/// The parts of a contribution to compute.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Extent {
    /// Only the log-likelihood.
    Value,
    /// All of it.
    Derivatives,
}

/// The contribution of a game, from the strengths at its seats and the parameters of ties.
///
/// A tie whose parameter is minus infinity is impossible.
pub(super) fn contribution(
    strengths: &[f64],
    ties: &[f64; TIES],
    places: &[u8],
    extent: Extent,
) -> Contribution {
    let mut contribution =
        Contribution { log_likelihood: 0.0, slope: [0.0; LOCAL], curvature: [[0.0; LOCAL]; LOCAL] };
    let mut left: u8 = ((1u16 << strengths.len()) - 1) as u8;
    for chosen in choices(places) {
        if left.count_ones() == 1 {
            break;
        }
        contribution.choose(chosen, left, strengths, ties, extent);
        left &= !chosen;
    }
    contribution
}

impl Contribution {
    /// Adds the choice of one set of the remaining seats.
    fn choose(&mut self, chosen: u8, left: u8, strengths: &[f64], ties: &[f64; TIES], extent: Extent) {
        let sets: ArrayVec<u8, 15> = subsets(left, ties).collect();
        let weights: ArrayVec<f64, 15> = sets.iter().map(|set| log_weight(*set, strengths, ties)).collect();
        let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = weights.iter().map(|weight| (weight - largest).exp()).sum();
        self.log_likelihood += log_weight(chosen, strengths, ties) - largest - sum.ln();
        if extent == Extent::Value {
            return;
        }
        let mut mean = [0.0; LOCAL];
        for (set, weight) in sets.iter().zip(&weights) {
            let probability = (weight - largest).exp() / sum;
            let features = features(*set);
            for (row, feature) in features.iter().enumerate().filter(|(_, feature)| **feature != 0.0) {
                mean[row] += probability * feature;
                for (column, other) in features.iter().enumerate() {
                    self.curvature[row][column] += probability * feature * other;
                }
            }
        }
        let chosen = features(chosen);
        for row in 0..LOCAL {
            self.slope[row] += chosen[row] - mean[row];
            for column in 0..LOCAL {
                self.curvature[row][column] -= mean[row] * mean[column];
            }
        }
    }
}

/// The expected score of seat 1 against seat 2 with strengths `x / 2` and `-x / 2`, and 0 for all others.
pub(super) fn expected_pair_score(x: f64, seats: usize, ties: &[f64; TIES]) -> f64 {
    let mut strengths = [0.0; MAX_SEATS];
    (strengths[0], strengths[1]) = (x / 2.0, -x / 2.0);
    pair_score(&strengths[..seats], ties, ((1u16 << seats) - 1) as u8)
}

/// The same among the remaining seats.
fn pair_score(strengths: &[f64], ties: &[f64; TIES], left: u8) -> f64 {
    let weights = subsets(left, ties).map(|set| (set, log_weight(set, strengths, ties).exp()));
    let (mut score, mut sum) = (0.0, 0.0);
    for (set, weight) in weights {
        sum += weight;
        score += weight
            * match set & 0b11 {
                0b01 => 1.0,
                0b10 => 0.0,
                0b11 => 0.5,
                _ => pair_score(strengths, ties, left & !set),
            };
    }
    score / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TIES: [f64; TIES] = [f64::NEG_INFINITY; TIES];

    /// The slope of the expected score between equals, divided by its value without ties, 1/4.
    fn rise(seats: usize, ties: &[f64; TIES]) -> f64 {
        const STEP: f64 = 1e-4;
        let difference = expected_pair_score(STEP, seats, ties) - expected_pair_score(-STEP, seats, ties);
        4.0 * difference / (2.0 * STEP)
    }

    #[track_caller]
    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-7, "{value} instead of {expected}");
    }

    fn probability(strengths: &[f64], ties: &[f64; TIES], places: &[u8]) -> f64 {
        contribution(strengths, ties, places, Extent::Value).log_likelihood.exp()
    }

    /// All possible orders of seats, with ties.
    fn all_places(seats: usize) -> Vec<Vec<u8>> {
        let mut all = vec![vec![]];
        for _ in 0..seats {
            all = all
                .into_iter()
                .flat_map(|places: Vec<u8>| {
                    (1..=seats as u8).map(move |place| [places.clone(), vec![place]].concat())
                })
                .collect();
        }
        let proper = |places: &Vec<u8>| {
            places
                .iter()
                .all(|place| usize::from(*place) == 1 + places.iter().filter(|other| *other < place).count())
        };
        all.retain(proper);
        all
    }

    #[test]
    fn two_seats_without_ties_follow_bradley_and_terry() {
        near(probability(&[1.2, 0.5], &NO_TIES, &[1, 2]), 1.0 / (1.0 + (-0.7_f64).exp()));
    }

    #[test]
    fn two_seats_with_ties_follow_davidson() {
        let (x, nu) = (0.8_f64, 0.6_f64);
        let ties = [nu.ln(), f64::NEG_INFINITY, f64::NEG_INFINITY];
        let sum = (x / 2.0).exp() + (-x / 2.0).exp() + nu;
        near(probability(&[x / 2.0, -x / 2.0], &ties, &[1, 2]), (x / 2.0).exp() / sum);
        near(probability(&[x / 2.0, -x / 2.0], &ties, &[1, 1]), nu / sum);
        // 2 / (2 + nu): the slope of Davidson's expected score between equals.
        near(rise(2, &ties), 2.0 / (2.0 + nu));
    }

    #[test]
    fn three_seats_without_ties_follow_plackett_and_luce() {
        let strengths = [0.3_f64, -0.2, 0.9];
        let [a, b, c] = strengths.map(f64::exp);
        near(probability(&strengths, &NO_TIES, &[2, 3, 1]), c / (a + b + c) * a / (a + b));
        for seats in 2..=4 {
            near(rise(seats, &NO_TIES), 1.0);
        }
    }

    #[test]
    fn the_probabilities_of_all_outcomes_add_up_to_one() {
        for (seats, outcomes) in [(2, 3), (3, 13), (4, 75)] {
            let all = all_places(seats);
            assert_eq!(all.len(), outcomes);
            let strengths = &[0.4, -0.9, 0.1, 0.7][..seats];
            near(all.iter().map(|places| probability(strengths, &[0.3, -0.5, -1.0], places)).sum(), 1.0);
        }
    }

    #[test]
    fn the_derivatives_are_those_of_the_likelihood() {
        let (strengths, ties, step) = ([0.4, -0.9, 0.1, 0.7], [0.3, -0.5, -1.0], 1e-5);
        let moved = |parameter: usize, by: f64| {
            let (mut strengths, mut ties) = (strengths, ties);
            match parameter.checked_sub(MAX_SEATS) {
                None => strengths[parameter] += by,
                Some(tie) => ties[tie] += by,
            }
            (strengths, ties)
        };
        for places in all_places(4) {
            let here = contribution(&strengths, &ties, &places, Extent::Derivatives);
            for row in 0..LOCAL {
                let [ahead, behind] = [step, -step].map(|by| {
                    let (strengths, ties) = moved(row, by);
                    contribution(&strengths, &ties, &places, Extent::Derivatives)
                });
                near(here.slope[row], (ahead.log_likelihood - behind.log_likelihood) / (2.0 * step));
                for column in 0..LOCAL {
                    let change = (ahead.slope[column] - behind.slope[column]) / (2.0 * step);
                    near(-here.curvature[row][column], change);
                }
            }
        }
    }
}

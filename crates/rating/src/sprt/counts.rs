//! The results of a test, as numbers.

use arrayvec::ArrayVec;

use crate::Score;

/// A number for each class of results, of which there are at most five.
pub(super) type ClassWeights = ArrayVec<f64, 5>;

/// The count of a class of results that has not occurred yet.
///
/// Without it a class would be considered impossible; fishtest uses the same value.
const UNSEEN: f64 = 1e-3;

/// Results of a test, seen by the new bot, in classes from the worst to the best.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Counts {
    /// Games that are independent of each other: lost, drawn, won.
    Games([u64; 3]),
    /// Pairs of games, each pair from the same opening with seats exchanged,
    /// by points: 0 (two losses), 1/2, 1 (two draws, or a win and a loss), 3/2, 2.
    Pairs([u64; 5]),
}

impl Counts {
    /// The number of observations of each class, from the worst to the best.
    pub fn classes(&self) -> &[u64] {
        match self {
            Counts::Games(classes) => classes,
            Counts::Pairs(classes) => classes,
        }
    }

    /// The number of observations: games, or pairs.
    pub fn total(&self) -> u64 {
        self.classes().iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.total().saturating_mul(self.games_each())
    }

    /// The number of games in an observation.
    pub fn games_each(&self) -> u64 {
        match self {
            Counts::Games(_) => 1,
            Counts::Pairs(_) => 2,
        }
    }

    /// The mean score, from 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let [won, lost] = self.points();
        (self.total() > 0).then(|| won / (won + lost))
    }

    /// The points of the new bot and those of the base, on some scale.
    pub(super) fn points(&self) -> [f64; 2] {
        let classes = self.classes();
        let points = |class: usize| class as f64 * classes[class] as f64;
        let lost = |class: usize| (classes.len() - 1 - class) as f64 * classes[class] as f64;
        [(0..classes.len()).map(points).sum(), (0..classes.len()).map(lost).sum()]
    }

    /// The same games seen by the base.
    #[must_use]
    pub fn swapped(mut self) -> Counts {
        match &mut self {
            Counts::Games(classes) => classes.reverse(),
            Counts::Pairs(classes) => classes.reverse(),
        }
        self
    }

    /// Returns true if all observations, if there are any, are of the same class.
    pub fn is_uniform(&self) -> bool {
        self.classes().iter().filter(|count| **count > 0).count() <= 1
    }

    /// Yields the counts before the latest observation, for each class that it can have had.
    pub(super) fn each_less_one(&self) -> impl Iterator<Item = Counts> + use<> {
        let counts = *self;
        (0..counts.classes().len()).filter_map(move |class| {
            let mut less = counts;
            let count = match &mut less {
                Counts::Games(classes) => &mut classes[class],
                Counts::Pairs(classes) => &mut classes[class],
            };
            *count = count.checked_sub(1)?;
            Some(less)
        })
    }

    /// Counts two games: as two observations, or as a pair.
    pub(super) fn count(&mut self, games: [Score; 2]) {
        let halves = |score: Score| match score {
            Score::Loss => 0,
            Score::Draw => 1,
            Score::Win => 2,
        };
        match self {
            Counts::Games(classes) => games.into_iter().for_each(|score| classes[halves(score)] += 1),
            Counts::Pairs(classes) => classes[games.into_iter().map(halves).sum::<usize>()] += 1,
        }
    }
}

/// Counts as a distribution of scores in which every class has occurred.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    /// The score of each class, from 0 to 1.
    pub values: ClassWeights,
    /// The count of each class, [`UNSEEN`] at least.
    pub weights: ClassWeights,
    /// The sum of the weights.
    pub total: f64,
}

impl Observed {
    /// The distribution of counts; `None` without games.
    pub fn of(counts: &Counts) -> Option<Observed> {
        if counts.total() == 0 {
            return None;
        }
        let classes = counts.classes();
        let best = (classes.len() - 1) as f64;
        let weights: ClassWeights = classes.iter().map(|count| (*count as f64).max(UNSEEN)).collect();
        let values = (0..classes.len()).map(|class| class as f64 / best).collect();
        Some(Observed { values, total: weights.iter().sum(), weights })
    }

    pub fn mean(&self) -> f64 {
        self.sum(|value| value) / self.total
    }

    /// The moment of this order around the mean.
    pub fn moment(&self, order: i32) -> f64 {
        let mean = self.mean();
        self.sum(|value| (value - mean).powi(order)) / self.total
    }

    pub fn shares(&self) -> ClassWeights {
        self.weights.iter().map(|weight| weight / self.total).collect()
    }

    /// The same seen by the opponent.
    pub fn swapped(&self) -> Observed {
        let weights = self.weights.iter().rev().copied().collect();
        Observed { values: self.values.clone(), weights, total: self.total }
    }

    /// The sum of a function of the score over all observations.
    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.values.iter().zip(&self.weights).map(|(value, weight)| weight * of(*value)).sum()
    }

    /// The decrease of the log-likelihood when each class's share is divided by its divisor.
    pub fn fall(&self, divisors: &ClassWeights) -> f64 {
        self.weights.iter().zip(divisors).map(|(weight, divisor)| weight * divisor.ln()).sum()
    }
}

//! The directions in which the likelihood is flat, and the seat effects that the games can't determine.

use super::matrix::{Matrix, NotConverged, factor};
use super::model::LikelihoodModel;
use super::prior::HeldParameters;

/// Directions along which the likelihood is flat: a common shift of all bots of a group and, in games of
/// teams, the differences between teammates that the games can't determine. Orthogonal unit vectors of
/// strengths only.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct NullSpace(Vec<FlatDirection>);

/// A direction: bots, and the component of each.
type FlatDirection = Vec<(usize, f64)>;

impl NullSpace {
    /// Makes one direction for each group: all its members, in proportion to the seats that they take.
    pub fn of_groups<'g>(
        groups: impl Iterator<Item = &'g [usize]>,
        size: impl Fn(usize) -> f64,
    ) -> NullSpace {
        let direction = |members: &[usize]| {
            let length = members.iter().map(|bot| size(*bot).powi(2)).sum::<f64>().sqrt();
            members.iter().map(|bot| (*bot, size(*bot) / length)).collect()
        };
        NullSpace(groups.map(direction).collect())
    }

    /// All directions that the games leave open: the null space of the curvature at equal strengths.
    pub fn of_games(model: &LikelihoodModel<'_>) -> NullSpace {
        let curvature = without_prior(model);
        let strengths = Matrix::from_fn(model.bots, model.bots, |row, column| curvature[(row, column)]);
        let largest = (0..model.bots).map(|bot| strengths[(bot, bot)]).fold(0.0, f64::max);
        let basis = strengths.null_space(1e-9 * largest);
        NullSpace(basis.into_iter().map(|direction| direction.into_iter().enumerate().collect()).collect())
    }

    /// Removes the direction of a group.
    pub fn remove(&mut self, group: usize) {
        self.0[group].clear();
    }

    /// The share of a bot's strength that lies along these directions, 0 to 1.
    pub fn share(&self, bot: usize) -> f64 {
        let components = self.0.iter().flatten().filter(|(other, _)| *other == bot);
        components.map(|(_, share)| share * share).sum()
    }

    /// Removes the components along these directions.
    pub fn flatten(&self, values: &mut [f64]) {
        for direction in &self.0 {
            let along: f64 = direction.iter().map(|(bot, share)| share * values[*bot]).sum();
            direction.iter().for_each(|(bot, share)| values[*bot] -= along * share);
        }
    }

    /// Makes a matrix that is singular along these directions definite. Returns the strength of the
    /// constraint.
    pub fn hold(&self, matrix: &mut Matrix, bots: usize) -> f64 {
        let strength = (0..bots).map(|bot| matrix[(bot, bot)]).sum::<f64>() / bots as f64;
        self.add(matrix, strength);
        strength
    }

    /// Removes the constraint from the inverse.
    pub fn release(&self, inverse: &mut Matrix, strength: f64) {
        self.add(inverse, -1.0 / strength);
    }

    fn add(&self, matrix: &mut Matrix, strength: f64) {
        for direction in &self.0 {
            for (column, in_column) in direction {
                for (row, in_row) in direction {
                    matrix[(*row, *column)] += strength * in_row * in_column;
                }
            }
        }
    }
}

/// The curvature of the games alone at equal strengths, which suffices where only the seatings matter.
fn without_prior(model: &LikelihoodModel<'_>) -> Matrix {
    let games = LikelihoodModel { groups: &[], held: HeldParameters::default(), ..model.clone() };
    games.derivatives(&vec![0.0; model.parameters()]).1
}

/// Drops the effects of seats that the games can't distinguish from strengths. An effect is kept if strengths
/// can't fully explain it.
///
/// Returns the numbers of seats of the games whose effects were removed from the model.
pub(super) fn drop_unknown_effects(
    model: &mut LikelihoodModel<'_>,
    null_space: &NullSpace,
) -> Result<Vec<usize>, NotConverged> {
    let effects = model.effects.len();
    if effects == 0 {
        return Ok(Vec::new());
    }
    let curvature = without_prior(model);
    let bots = model.bots;
    let mut strengths = Matrix::from_fn(bots, bots, |row, column| curvature[(row, column)]);
    null_space.hold(&mut strengths, bots);
    let factored = factor(&strengths)?;
    let cross =
        |effect: usize| -> Vec<f64> { (0..bots).map(|bot| curvature[(bot, bots + effect)]).collect() };
    let explained: Vec<Vec<f64>> = (0..effects).map(|effect| factored.solve(&cross(effect))).collect();
    let rest = Matrix::from_fn(effects, effects, |row, column| {
        let by_strengths: f64 =
            cross(row).iter().zip(&explained[column]).map(|(cross, factor)| cross * factor).sum();
        curvature[(bots + row, bots + column)] - by_strengths
    });
    let mut seat_numbers: Vec<usize> = model.effects.iter().map(|(seats, _)| *seats).collect();
    seat_numbers.dedup();
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for seats in seat_numbers {
        let candidates = (0..effects).filter(|effect| model.effects[*effect].0 == seats);
        let tried: Vec<usize> = known.iter().copied().chain(candidates).collect();
        let part = Matrix::from_fn(tried.len(), tried.len(), |row, column| rest[(tried[row], tried[column])]);
        let size = tried.iter().map(|effect| curvature[(bots + effect, bots + effect)]).fold(0.0, f64::max);
        if part.null_space(1e-9 * size).is_empty() {
            known = tried;
        } else {
            unknown.push(seats);
        }
    }
    model.effects.retain(|(seats, _)| !unknown.contains(seats));
    Ok(unknown)
}

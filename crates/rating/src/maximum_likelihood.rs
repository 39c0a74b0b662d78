//! Maximum-likelihood strengths and their uncertainty.

use super::anchoring::AnchoredStrengths;
use super::constraints::{NullSpace, drop_unknown_effects};
use super::covariance::{Dependence, covariance};
use super::dataset::{Duel, Seating};
use super::elo_scale::{ScaledEstimate, scaled};
use super::matrix::{Matrix, NotConverged};
use super::model::LikelihoodModel;
use super::newton::{FAR_STRENGTH, Maximum, maximize};
use super::plackett_luce::TIES;
use super::prior::{Group, GroupPrior, HeldParameters};

/// The games whose likelihood is maximized, and the constraints.
#[derive(Clone, Debug)]
pub(super) struct Problem<'f> {
    /// The number of bots that are rated. They are numbered from 0.
    pub bots: usize,
    /// The number of seats on a side that each bot takes.
    pub sizes: &'f [f64],
    pub duels: &'f [Duel],
    pub tables: &'f [(Seating, f64)],
    pub groups: &'f [Group],
    /// For each group, bots whose differences are given on the printed scale, in
    /// natural units; none, or at least two.
    pub anchored: &'f [Vec<(usize, f64)>],
    pub dependence: Dependence<'f>,
}

/// The parameters of maximum likelihood, with their covariance.
#[derive(Clone, Debug)]
pub(super) struct MaximumLikelihood {
    /// Strengths in the model's natural units; the mean of each group is 0.
    pub raw: Vec<f64>,
    pub raw_covariance: Matrix,
    /// Strengths and effects of seats on the scale of expected scores.
    pub scaled: ScaledEstimate,
    /// The effects of seats in the order of the parameters, each as the number of seats and the index of a
    /// seat other than the first.
    pub effects: Vec<(usize, usize)>,
    /// The numbers of seats of the games that can't determine the effects of seats.
    pub unknown_effects: Vec<usize>,
    /// Logarithms of the parameters of ties.
    pub log_ties: [f64; TIES],
    pub held: HeldParameters,
    /// The directions that the games leave open besides the mean of each group; only in games of teams.
    pub open: Option<NullSpace>,
}

impl MaximumLikelihood {
    /// The effect of a seat in games of this number of seats, in the model's natural units.
    pub fn seat_effect(&self, seats: usize, seat: usize) -> f64 {
        let index = self.effects.iter().position(|effect| *effect == (seats, seat));
        index.map_or(0.0, |index| self.scaled.values[self.raw.len() + index] / self.scaled.scale)
    }
}

/// Finds the strengths, and the effects of seats, that make the results most likely.
pub(super) fn estimate(problem: &Problem<'_>) -> Result<MaximumLikelihood, NotConverged> {
    let Problem { bots, duels, tables, groups, .. } = *problem;
    let mut model = LikelihoodModel::new(bots, duels, tables, groups);
    let has_teams = tables.iter().any(|(table, _)| !table.is_of_singles());
    // For teams, the results do not show directly whether the maximum is finite.
    if has_teams && groups.iter().any(|group| group.prior == GroupPrior::None) {
        model.far = FAR_STRENGTH;
    }
    let mut null_space = if has_teams {
        NullSpace::of_games(&model)
    } else {
        NullSpace::of_groups(groups.iter().map(|group| group.members.as_slice()), |bot| problem.sizes[bot])
    };
    let open = has_teams.then(|| null_space.clone());
    let unknown_effects = drop_unknown_effects(&mut model, &null_space)?;
    for (group, _) in problem.anchored.iter().enumerate().filter(|(_, anchored)| !anchored.is_empty()) {
        null_space.remove(group);
    }
    let anchored = AnchoredStrengths(problem.anchored.iter().flatten().copied().collect());
    let maximum = loop {
        match maximize(&model, &null_space, &anchored) {
            Ok(maximum) => break maximum,
            Err(diverged) => {
                // Gives a prior to the diverging parameters, or to both kinds if none was found to diverge.
                let is_unknown = diverged == NotConverged::default();
                let held = HeldParameters {
                    seats: model.held.seats || diverged.seats || is_unknown,
                    ties: model.held.ties || diverged.ties || is_unknown,
                };
                if held == model.held {
                    return Err(diverged);
                }
                model.held = held;
            }
        }
    };
    let Maximum { at, curvature, inverse } = maximum;
    let covariance = covariance(&model, &at, curvature, inverse, &problem.dependence);
    Ok(MaximumLikelihood {
        scaled: scaled(&model, &at, &covariance),
        log_ties: model.log_ties(&at),
        raw: at[..bots].to_vec(),
        raw_covariance: covariance,
        effects: model.effects,
        unknown_effects,
        held: model.held,
        open,
    })
}

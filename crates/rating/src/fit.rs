//! Strengths of highest likelihood, and how sure they are.

use faer::Mat;

use super::choice::TIES;
use super::climb::{FAR_STRENGTH, NotConverged, Top, climb};
use super::field::{Duel, Seating};
use super::gauge::{Nulls, Pins, drop_unknown_effects};
use super::model::{Group, Held, Model, Phantom};
use super::scale::{Scaled, scaled};
use super::spread::{Dependence, covariance};

/// What is to be explained, and what is given.
#[derive(Clone, Debug)]
pub(super) struct Request<'f> {
    /// How many bots are rated, numbered from 0.
    pub bots: usize,
    /// How many seats of a side each takes.
    pub sizes: &'f [f64],
    pub duels: &'f [Duel],
    pub tables: &'f [(Seating, f64)],
    pub groups: &'f [Group],
    /// For each group, bots whose differences are given on the printed scale, in
    /// natural units; none, or at least two.
    pub pins: &'f [Vec<(usize, f64)>],
    pub dependence: Dependence<'f>,
}

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// Strengths as the model has them, the mean of each group 0.
    pub raw: Vec<f64>,
    /// Their covariance.
    pub raw_covariance: Mat<f64>,
    /// Strengths and worths of seats on the scale of expected scores.
    pub scaled: Scaled,
    /// Numbers of seats, and indices of seats but the first, as they stand after the bots.
    pub effects: Vec<(usize, usize)>,
    /// Numbers of seats of games that can't tell what seats are worth.
    pub unknown_effects: Vec<usize>,
    /// Logarithms of the parameters of ties.
    pub log_ties: [f64; TIES],
    pub held: Held,
    /// What else the games leave open but the mean of each group; only in games of teams.
    pub open: Option<Nulls>,
}

/// Finds the strengths, and the worth of seats, that make the results most likely.
pub(super) fn fit(request: &Request<'_>) -> Result<Fit, NotConverged> {
    let Request { bots, duels, tables, groups, .. } = *request;
    let mut model = Model::new(bots, duels, tables, groups);
    let has_teams = tables.iter().any(|(table, _)| !table.is_of_singles());
    // Only of single bots it is known from who scored against whom.
    if has_teams && groups.iter().any(|group| group.phantom == Phantom::Absent) {
        model.far = FAR_STRENGTH;
    }
    let mut nulls = if has_teams {
        Nulls::of_games(&model)?
    } else {
        Nulls::of_groups(groups.iter().map(|group| group.members.as_slice()), |bot| request.sizes[bot])
    };
    let open = has_teams.then(|| nulls.clone());
    let unknown_effects = drop_unknown_effects(&mut model, &nulls)?;
    for (group, _) in request.pins.iter().enumerate().filter(|(_, pins)| !pins.is_empty()) {
        nulls.remove(group);
    }
    let pins = Pins(request.pins.iter().flatten().copied().collect());
    let top = loop {
        match climb(&model, &nulls, &pins) {
            Ok(top) => break top,
            Err(away) => {
                // What ran away is held, or if nothing was seen to run both.
                let unseen = away == NotConverged::default();
                let held = Held {
                    seats: model.held.seats || away.seats || unseen,
                    ties: model.held.ties || away.ties || unseen,
                };
                if held == model.held {
                    return Err(away);
                }
                model.held = held;
            }
        }
    };
    let Top { at, curvature, inverse } = top;
    let covariance = covariance(&model, &at, curvature, inverse, &request.dependence);
    Ok(Fit {
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

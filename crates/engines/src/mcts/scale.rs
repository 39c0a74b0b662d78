//! The scale of evaluations: the size of a usual lead in a game.

use super::shares::Judge;
use crate::random_games::each_position;
use linesman_games::Rules;

/// The usual lead where the rules know odds: with the default of the option `Scale` they are taken as they are.
const USUAL_ODDS: f32 = 250.0;

/// The median lead of one side over another in games played at random, in
/// hundredths: the unit in which other leads are measured.
///
/// Every game has its own idea of a hundredth; by this unit leads of different
/// games mean about the same.
///
/// A lead needs no measuring if the rules know odds: see [`USUAL_ODDS`].
pub(super) fn usual_lead<R: Rules>(rules: &R) -> f32 {
    if rules.odds(&rules.start()).is_some() {
        return USUAL_ODDS;
    }
    let judge = Judge::new(rules.teams(), None, 1.0);
    let mut leads = Vec::new();
    each_position(rules, |position| leads.extend(judge.leads(rules, position)));
    leads.retain(|lead| *lead > 0.0);
    if leads.is_empty() {
        return 1.0;
    }
    let usual = leads.len() / 2;
    *leads.select_nth_unstable_by(usual, f32::total_cmp).1
}

//! The scale of evaluations: the size of a usual lead in a game.

use super::shares::Judge;
use crate::random_games::each_position;
use linesman_games::Rules;

/// The usual lead if the rules know odds. With the default of the option `Scale`, the odds are taken as they are.
const USUAL_ODDS: f32 = 250.0;

/// Measures the median lead of one side over another in random games, in hundredths. It is the unit for other leads.
///
/// The meaning of a hundredth differs between games. In this unit, leads in different games mean about the same.
///
/// If the rules know odds, nothing is measured: see [`USUAL_ODDS`].
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

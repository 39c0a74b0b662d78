//! What a lead is worth: how large leads usually are in a game.

use super::shares::Judge;
use crate::engines::chance::Chance;
use crate::games::Rules;

/// How many moves are played to find out.
const MOVES: usize = 4_000;

/// The most moves of one game: endless play says nothing.
const MOVES_A_GAME: usize = 200;

/// The lead of one side over another, in hundredths, that is passed half the
/// time in games played at random: the unit in which other leads are measured.
///
/// Every game has its own idea of a hundredth; by this unit leads of different
/// games mean about the same.
pub(super) fn usual_lead<R: Rules>(rules: &R) -> f32 {
    let judge = Judge::new(rules.teams(), None, 1.0);
    let mut chance = Chance::of("usual lead");
    let mut leads = Vec::new();
    let mut moves = Vec::new();
    let mut played = 0;
    while played < MOVES {
        let mut position = rules.start();
        for _ in 0..MOVES_A_GAME {
            played += 1;
            let Some(mv) = rules.random_move(&position, &mut moves, |end| chance.below(end)) else { break };
            rules.play(&mut position, mv);
            if rules.is_over(&position) {
                break;
            }
            leads.extend(judge.leads(rules, &position));
        }
    }
    leads.retain(|lead| *lead > 0.0);
    if leads.is_empty() {
        return 1.0;
    }
    let usual = leads.len() / 2;
    *leads.select_nth_unstable_by(usual, f32::total_cmp).1
}

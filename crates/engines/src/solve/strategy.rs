//! The strategy with which a seat holds the value of the start.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;

use super::proof::Prover;
use super::proven::Proven;
use linesman_games::Rules;
use linesman_games::solvable::{Keyed, Outcome, QuickCheck};

/// The number of plies of the strategy. Later moves can quickly be proven again when they are needed.
const PLIES: usize = 10;

/// Finds the positions to which a seat moves to hold the value of the start, whatever the other seat plays. Returns
/// them in ascending order of their keys, with their best value for the other seat. A seat that is lost holds
/// nothing.
pub(super) fn of_start<R: Rules>(
    rules: &R,
    keyed: &dyn Keyed<R::Position>,
    proven: &Proven,
    value: Outcome,
    progress: &mut dyn FnMut(u64),
) -> Vec<(u64, Outcome)> {
    let stop = AtomicBool::new(false);
    let mut visited = 0;
    let mut report = |more| {
        visited += more;
        progress(visited);
    };
    let mut search = StrategySearch {
        prover: Prover::new(rules, keyed, proven, &stop, &mut report),
        seen: HashSet::new(),
        held: BTreeMap::new(),
    };
    if value > Outcome::Loss {
        search.hold(&rules.start(), value, PLIES);
    }
    if value < Outcome::Win {
        search.answer_all(&rules.start(), value.reversed(), PLIES);
    }
    search.held.into_iter().collect()
}

struct StrategySearch<'s, R: Rules> {
    prover: Prover<'s, R>,
    seen: HashSet<u64>,
    held: BTreeMap<u64, Outcome>,
}

impl<R: Rules> StrategySearch<'_, R> {
    /// Finds a move with which the seat to move holds `value`, and continues after it.
    fn hold(&mut self, position: &R::Position, value: Outcome, plies: usize) {
        let decided = matches!(self.prover.keyed.quick_check(position), QuickCheck::Decided(_));
        let key = self.prover.keyed.key(position);
        if plies == 0 || decided || key.is_none_or(|key| !self.seen.insert(key)) {
            return;
        }
        let child = self.prover.holding(position, value).expect("what is proven can be held");
        if let Some(key) = self.prover.keyed.key(&child) {
            self.held.insert(key, value.reversed());
            self.answer_all(&child, value, plies - 1);
        }
    }

    /// Finds moves with which the other seat holds `value`, after each move of the seat to move.
    fn answer_all(&mut self, position: &R::Position, value: Outcome, plies: usize) {
        if plies == 0 || matches!(self.prover.keyed.quick_check(position), QuickCheck::Decided(_)) {
            return;
        }
        let rules = self.prover.rules;
        let mut moves = Vec::new();
        rules.legal_moves(position, &mut moves);
        for mv in moves {
            self.hold(&rules.after(position, mv), value, plies - 1);
        }
    }
}

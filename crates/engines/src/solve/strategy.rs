//! The strategy by which a seat holds the value of the start.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;

use super::proof::Prover;
use super::proven::Proven;
use linesman_games::Rules;
use linesman_games::solvable::{Glance, Keyed, Outcome};

/// The number of plies that are kept. Moves after them are quickly proven again when they are needed.
const PLIES: usize = 10;

/// The positions to which a seat moves so that it holds the value of the start,
/// whatever the other plays: by ascending key, with their best value for the
/// other. A seat that has lost holds nothing.
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
    let mut walk = Walk {
        prover: Prover::new(rules, keyed, proven, &stop, &mut report),
        seen: HashSet::new(),
        held: BTreeMap::new(),
    };
    if value > Outcome::Loss {
        walk.hold(&rules.start(), value, PLIES);
    }
    if value < Outcome::Win {
        walk.suffer(&rules.start(), value.of_the_other(), PLIES);
    }
    walk.held.into_iter().collect()
}

struct Walk<'w, R: Rules> {
    prover: Prover<'w, R>,
    seen: HashSet<u64>,
    held: BTreeMap<u64, Outcome>,
}

impl<R: Rules> Walk<'_, R> {
    /// The seat to move holds `value`: finds a move that does, and goes on from there.
    fn hold(&mut self, position: &R::Position, value: Outcome, plies: usize) {
        let decided = matches!(self.prover.keyed.glance(position), Glance::Decided(_));
        let key = self.prover.keyed.key(position);
        if plies == 0 || decided || key.is_none_or(|key| !self.seen.insert(key)) {
            return;
        }
        let child = self.prover.holding(position, value).expect("what is proven can be held");
        if let Some(key) = self.prover.keyed.key(&child) {
            self.held.insert(key, value.of_the_other());
            self.suffer(&child, value, plies - 1);
        }
    }

    /// The other seat holds `value`, whatever the seat to move plays.
    fn suffer(&mut self, position: &R::Position, value: Outcome, plies: usize) {
        if plies == 0 || matches!(self.prover.keyed.glance(position), Glance::Decided(_)) {
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

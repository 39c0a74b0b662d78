//! Proves the value of a game in which no position can be repeated: alpha-beta over wins, draws and losses, with a
//! table of proven bounds.
//!
//! Threads search the same tree in slightly different orders and share the table, so that no bound needs to be proven
//! twice.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use linesman_games::Rules;
use linesman_games::solvable::{Keyed, Outcome, QuickCheck};

use super::proven::Proven;

/// A search through a game, with a table that it shares with other searches.
pub(super) struct Prover<'p, R: Rules> {
    pub(super) rules: &'p R,
    pub(super) keyed: &'p dyn Keyed<R::Position>,
    pub(super) proven: &'p Proven,
    /// Ends the search when it becomes true.
    stop: &'p AtomicBool,
    /// The number of positions after which the search gives up.
    budget: u64,
    /// The number of the search, which determines the order of moves that are about equally promising.
    number: u64,
    visited: u64,
    report: &'p mut dyn FnMut(u64),
    /// Buffers for moves and, by depth, for the positions after them, kept so that no memory is allocated.
    moves: Vec<R::Move>,
    children: Vec<Vec<Child<R::Position>>>,
}

struct Child<P> {
    promise: i32,
    key: Option<u64>,
    position: P,
}

/// The minimum number of moves for which it pays to look up all of them before one is searched.
const MANY: usize = 32;

/// The number of positions between two reports of progress.
const REPORT_INTERVAL: u64 = 1 << 12;

impl<'p, R: Rules> Prover<'p, R> {
    pub(super) fn new(
        rules: &'p R,
        keyed: &'p dyn Keyed<R::Position>,
        proven: &'p Proven,
        stop: &'p AtomicBool,
        report: &'p mut dyn FnMut(u64),
    ) -> Prover<'p, R> {
        Prover {
            rules,
            keyed,
            proven,
            stop,
            budget: u64::MAX,
            number: 0,
            visited: 0,
            report,
            moves: Vec::new(),
            children: Vec::new(),
        }
    }

    /// The same search, which gives up after `budget` positions.
    pub(super) fn within(self, budget: u64) -> Prover<'p, R> {
        Prover { budget, ..self }
    }

    /// Proves the value of a position for the seat to move; `None` if the search was given up.
    pub(super) fn value(&mut self, position: &R::Position) -> Option<Outcome> {
        // Usually it is easier to decide whether the position is won, so that is searched first.
        match self.search(position, 0, Outcome::Draw, Outcome::Win)? {
            Outcome::Win => Some(Outcome::Win),
            _ => self.search(position, 0, Outcome::Loss, Outcome::Draw),
        }
    }

    /// Decides whether the value of a position is at least `beta` or at most `alpha`. Returns a bound on the value,
    /// which is at least `beta` or at most `alpha`.
    fn search(
        &mut self,
        position: &R::Position,
        depth: usize,
        alpha: Outcome,
        beta: Outcome,
    ) -> Option<Outcome> {
        match self.keyed.quick_check(position) {
            QuickCheck::Decided(outcome) => Some(outcome),
            QuickCheck::Open { .. } => self.explore(position, self.keyed.key(position), depth, alpha, beta),
        }
    }

    /// [`Prover::search`] for a position with this key that is not decided at a glance.
    fn explore(
        &mut self,
        position: &R::Position,
        key: Option<u64>,
        depth: usize,
        mut alpha: Outcome,
        mut beta: Outcome,
    ) -> Option<Outcome> {
        self.visit()?;
        let (mut worst, mut best) = key.map_or((Outcome::Loss, Outcome::Win), |key| self.proven.bounds(key));
        if worst >= beta || worst == best {
            return Some(worst);
        }
        if best <= alpha {
            return Some(best);
        }
        alpha = alpha.max(worst);
        beta = beta.min(best);
        let (seen, children) = self.children_of(position, depth, beta);
        let mut found = worst.max(seen);
        for child in &children {
            if found >= beta {
                break;
            }
            let reply = self.explore(
                &child.position,
                child.key.or_else(|| self.keyed.key(&child.position)),
                depth + 1,
                beta.reversed(),
                alpha.max(found).reversed(),
            )?;
            found = found.max(reply.reversed());
        }
        self.children[depth] = children;
        if found > alpha || found >= beta {
            worst = worst.max(found);
        }
        if found < beta {
            best = best.min(found.max(alpha));
        }
        self.note(key, worst, best);
        Some(found)
    }

    /// Finds a position to which the seat to move can move to hold `value`; `None` if there is none, or if the search
    /// was given up.
    pub(super) fn holding(&mut self, position: &R::Position, value: Outcome) -> Option<R::Position> {
        let max = value.reversed();
        let mut moves = Vec::new();
        self.rules.legal_moves(position, &mut moves);
        let mut children = Vec::new();
        for mv in moves {
            let next = self.rules.after(position, mv);
            let best = match self.keyed.quick_check(&next) {
                QuickCheck::Decided(outcome) => outcome,
                QuickCheck::Open { .. } => {
                    self.keyed.key(&next).map_or(Outcome::Win, |key| self.proven.bounds(key).1)
                }
            };
            if best <= max {
                return Some(next);
            }
            children.push(next);
        }
        let least_promising = |child: &R::Position| match self.keyed.quick_check(child) {
            QuickCheck::Decided(_) => i32::MAX,
            QuickCheck::Open { promise } => promise,
        };
        children.sort_by_cached_key(least_promising);
        for child in children {
            let more = if max == Outcome::Loss { Outcome::Draw } else { Outcome::Win };
            if self.search(&child, 1, max, more)? <= max {
                return Some(child);
            }
        }
        None
    }

    fn visit(&mut self) -> Option<()> {
        self.visited += 1;
        if self.visited.is_multiple_of(REPORT_INTERVAL) {
            (self.report)(REPORT_INTERVAL);
            if self.stop.load(Relaxed) {
                return None;
            }
        }
        (self.visited <= self.budget).then_some(())
    }

    fn note(&self, key: Option<u64>, worst: Outcome, best: Outcome) {
        if let Some(key) = key {
            self.proven.note(key, worst, best);
        }
    }

    /// Returns a lower bound on the value from the moves whose value is known at once, and the positions after the
    /// other moves, from the least promising one for the opponent. If the bound reaches `enough`, not all positions
    /// are listed.
    fn children_of(
        &mut self,
        position: &R::Position,
        depth: usize,
        enough: Outcome,
    ) -> (Outcome, Vec<Child<R::Position>>) {
        if self.children.len() <= depth {
            self.children.resize_with(depth + 1, Vec::new);
        }
        let mut children = std::mem::take(&mut self.children[depth]);
        children.clear();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.rules.legal_moves(position, &mut moves);
        let mut seen = Outcome::Loss;
        for mv in &moves {
            let next = self.rules.after(position, *mv);
            match self.keyed.quick_check(&next) {
                QuickCheck::Decided(outcome) => seen = seen.max(outcome.reversed()),
                QuickCheck::Open { promise } => {
                    let promise = promise.saturating_mul(8).saturating_add(self.variation(&children));
                    children.push(Child { promise, key: None, position: next });
                }
            }
            if seen >= enough {
                break;
            }
        }
        self.moves = moves;
        if seen < enough && children.len() >= MANY {
            for child in &mut children {
                child.key = self.keyed.key(&child.position);
                let best = child.key.map_or(Outcome::Win, |key| self.proven.bounds(key).1);
                seen = seen.max(best.reversed());
                if seen >= enough {
                    break;
                }
            }
        }
        if seen < enough {
            children.sort_by_key(|child| (child.promise, child.key));
            // One of several mirror images is enough.
            children.dedup_by(|one, other| one.key.is_some() && one.key == other.key);
        }
        (seen, children)
    }

    /// A small number that differs from one search to the next, and is 0 for the first.
    fn variation(&self, children: &[Child<R::Position>]) -> i32 {
        if self.number == 0 {
            return 0;
        }
        let mixed = (children.len() as u64 + 1).wrapping_mul(self.number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 60) as i32
    }
}

/// Proves the value of the start with several threads.
pub(super) fn prove<R: Rules>(
    rules: &R,
    keyed: &dyn Keyed<R::Position>,
    proven: &Proven,
    threads: NonZero<usize>,
    progress: &mut dyn FnMut(u64),
) -> Outcome {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let (answer, answered) = mpsc::channel();
    let start = rules.start();
    thread::scope(|scope| {
        for number in 0..threads.get() {
            let (sender, answer) = (sender.clone(), answer.clone());
            let (start, stop) = (start.clone(), &stop);
            scope.spawn(move || {
                let mut report = |visited| {
                    // The receiver listens until all senders are gone.
                    let _ = sender.send(visited);
                };
                let mut prover = Prover::new(rules, keyed, proven, stop, &mut report);
                prover.number = number as u64;
                if let Some(outcome) = prover.value(&start) {
                    stop.store(true, Relaxed);
                    let _ = answer.send(outcome);
                }
            });
        }
        drop(sender);
        let mut visited = 0;
        for more in receiver {
            visited += more;
            progress(visited);
        }
    });
    answered.try_recv().expect("a search ends with an answer unless another one has")
}

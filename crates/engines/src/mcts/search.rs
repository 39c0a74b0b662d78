//! The search for one move, which grows the tree.

use std::cmp::Ordering;

use super::habits::best_looking;
use super::shares::{Judge, Shares};
use super::tree::{CandidateMove, NONE, Node, ROOT, Tree};
use arrayvec::ArrayVec;

use crate::chance::{Chance, fingerprint};
use crate::game_state::GameState;
use crate::limit::{Limit, Stopped};
use linesman_games::Rules;
use linesman_types::seat::{MAX_SEATS, Side};

/// Maximum number of candidates of a node that is not the root. If there are more moves, those that look worst are
/// never tried.
const MAX_CANDIDATES: usize = 192;

/// The number of moves from which a node's candidates are chosen if the position has more than twice as many.
const SAMPLE: usize = 256;

/// Maximum number of good moves that are remembered for a side.
const MAX_GOOD: usize = 32;

/// The number of candidates that are open before the first visit.
const FIRST_CANDIDATES: f32 = 8.0;

/// The number of further open candidates, for each unit of the square root of the number of visits.
const WIDENING: f32 = 4.0;

pub(super) struct TreeSearch<'g, R: Rules> {
    game: &'g GameState<R>,
    judge: Judge,
    tree: &'g mut Tree<R::Move>,
    limit: Limit,
    exploration: f32,
    weight: f32,
    /// True for each side that plays greedily.
    greedy: [bool; MAX_SEATS],
    /// The nodes from the root to the current one, each with the side to move.
    path: Vec<(u32, Side)>,
    moves: Vec<R::Move>,
    tried: Vec<CandidateMove<R::Move>>,
    /// For each side, moves that were the best in some position, from the oldest to the latest.
    good: [ArrayVec<R::Move, MAX_GOOD>; MAX_SEATS],
    deepest: usize,
}

/// A move of the root and the result of its search.
#[derive(Copy, Clone, Debug)]
pub(super) struct Found<M> {
    pub(super) mv: M,
    pub(super) visits: u32,
    pub(super) share: f32,
    pub(super) exact: bool,
}

impl<'g, R: Rules> TreeSearch<'g, R> {
    pub(super) fn new(
        game: &'g GameState<R>,
        judge: Judge,
        tree: &'g mut Tree<R::Move>,
        limit: Limit,
        exploration: f32,
        weight: f32,
        greedy: [bool; MAX_SEATS],
    ) -> TreeSearch<'g, R> {
        tree.clear();
        TreeSearch {
            game,
            judge,
            tree,
            limit,
            exploration,
            weight,
            greedy,
            path: Vec::new(),
            moves: Vec::new(),
            tried: Vec::new(),
            good: Default::default(),
            deepest: 0,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.limit.nodes()
    }

    /// The depth of the tree, in plies.
    pub(super) fn depth(&self) -> u32 {
        self.deepest as u32
    }

    /// The number of descents from the root.
    pub(super) fn visits(&self) -> u32 {
        self.tree.nodes[ROOT as usize].visits
    }

    /// True if the value of the root is certain.
    pub(super) fn is_settled(&self) -> bool {
        self.tree.nodes[ROOT as usize].exact
    }

    /// Creates the root with these moves. Equal moves stay in their order. If the limit is reached, the root has only
    /// the first few.
    pub(super) fn plant(&mut self, moves: &[R::Move]) -> Result<(), Stopped> {
        let position = &self.game.position;
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        let max = self.tree.max_candidates_per_node().max(1);
        let key = fingerprint(self.game.rules.repetition_key(position));
        let (mut node, examined) = self.examine(position, key, max);
        node.visits = 1;
        node.shares = node.outlook;
        self.tree.add(None, node, self.tried.drain(..));
        examined
    }

    /// Descends from the root once and adds a node to the tree.
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        self.tree.make_room();
        self.path.clear();
        let rules = &self.game.rules;
        let mut position = self.game.position.clone();
        let mut at = ROOT;
        let shares = loop {
            let node = &self.tree.nodes[at as usize];
            let side = self.judge.side(rules.to_move(&position));
            self.path.push((at, side));
            if node.exact {
                break node.shares;
            }
            let chosen = self.select(at, side);
            let CandidateMove { mv, node, .. } = self.tree.candidates[chosen];
            self.limit.count()?;
            rules.play(&mut position, mv);
            if node == NONE {
                break self.grow(&position, chosen)?;
            }
            at = node;
        };
        self.deepest = self.deepest.max(self.path.len() - 1);
        self.back_up(shares);
        Ok(())
    }

    /// Selects the candidate of a node that is most promising or most in need of exploration.
    fn select(&self, at: u32, side: Side) -> usize {
        let node = &self.tree.nodes[at as usize];
        let all = node.candidates();
        let root_of_visits = (node.visits as f32).sqrt();
        let open = open_candidates(node);
        if self.plays_greedily(side) {
            return all.start;
        }
        let promise = |index: usize| {
            let candidate = &self.tree.candidates[index];
            let (share, visits) = match candidate.node {
                NONE => (candidate.expected, 0),
                node => {
                    let node = &self.tree.nodes[node as usize];
                    // Another visit to a certain loss would reveal nothing.
                    if node.exact && node.shares.of(side) <= 0.0 {
                        return None;
                    }
                    (node.value(self.weight).of(side), node.visits)
                }
            };
            let bonus = self.exploration * candidate.prior * root_of_visits / (1 + visits) as f32;
            Some((share + bonus, index))
        };
        let better = |one: (f32, usize), other: (f32, usize)| if other.0 > one.0 { other } else { one };
        let first = all.start;
        let opened = all.clone().take(open).filter_map(promise).reduce(better);
        // If all open candidates lose, the others are tried.
        let best = opened.or_else(|| all.skip(open).filter_map(promise).reduce(better));
        best.map_or(first, |(_, index)| index)
    }

    /// Adds the node to which a candidate leads.
    fn grow(&mut self, position: &R::Position, incoming: usize) -> Result<Shares, Stopped> {
        let rules = &self.game.rules;
        let key = fingerprint(rules.repetition_key(position));
        let certain = self.judge.ended(rules, position).or_else(|| {
            // A position that has occurred before can be repeated again.
            let again = self.game.would_repeat(key)
                || self.path.iter().any(|(node, _)| self.tree.nodes[*node as usize].key == key);
            again.then(|| self.judge.tied(rules, position))
        });
        let node = match certain {
            Some(shares) => {
                self.tried.clear();
                Node::new(key).settled(shares)
            }
            None => {
                self.moves.clear();
                rules.legal_moves(position, &mut self.moves);
                let max = MAX_CANDIDATES.min(self.tree.max_candidates_per_node());
                let is_sampled = self.sample(position, key);
                let (mut node, examined) = self.examine(position, key, max);
                examined?;
                node.whole &= !is_sampled;
                self.remember(position);
                self.expect_greedy(position);
                node
            }
        };
        let shares = node.outlook;
        let index = self.tree.add(Some(incoming), node, self.tried.drain(..));
        let side = self.judge.side(rules.to_move(position));
        self.path.push((index, side));
        Ok(shares)
    }

    /// If there are too many moves to examine, keeps a random one of each part of the list, and those that were best in
    /// other positions. Returns true if moves were dropped.
    fn sample(&mut self, position: &R::Position, key: u64) -> bool {
        let all = self.moves.len();
        if all <= 2 * SAMPLE {
            return false;
        }
        let mut chance = Chance::of(key);
        for place in 0..SAMPLE {
            let (first, next) = (place * all / SAMPLE, (place + 1) * all / SAMPLE);
            self.moves[place] = self.moves[first + chance.below(next - first)];
        }
        self.moves.truncate(SAMPLE);
        let rules = &self.game.rules;
        for mv in &self.good[self.judge.side(rules.to_move(position)).index()] {
            if !self.moves[..SAMPLE].contains(mv) && rules.is_legal(position, *mv, &mut Vec::new()) {
                self.moves.push(*mv);
            }
        }
        true
    }

    /// Remembers the best of the candidates in `tried`.
    fn remember(&mut self, position: &R::Position) {
        let Some(best) = self.tried.first().map(|candidate| candidate.mv) else { return };
        let good = &mut self.good[self.judge.side(self.game.rules.to_move(position)).index()];
        if !good.contains(&best) {
            if good.is_full() {
                good.remove(0);
            }
            good.push(best);
        }
    }

    /// Evaluates the moves in `moves`, as far as the limit allows. Leaves up to `max` of the best in `tried`, from the
    /// best to the worst.
    fn examine(&mut self, position: &R::Position, key: u64, max: usize) -> (Node, Result<(), Stopped>) {
        let rules = &self.game.rules;
        let side = self.judge.side(rules.to_move(position));
        let before = self.judge.outlook(rules, position);
        let mut node = Node::new(key);
        let mut best = (f32::NEG_INFINITY, before);
        self.tried.clear();
        let mut examined = Ok(());
        for mv in &self.moves {
            examined = self.limit.count();
            if examined.is_err() {
                break;
            }
            let next = rules.after(position, *mv);
            let ended = self.judge.ended(rules, &next);
            let shares = ended.unwrap_or_else(|| self.judge.outlook(rules, &next));
            let share = shares.of(side);
            if share > best.0 {
                best = (share, shares);
            }
            // A position looks better for the side that has just moved. The mean with the outlook before the move
            // corrects that.
            let expected = if ended.is_some() { share } else { (share + before.of(side)) / 2.0 };
            self.tried.push(CandidateMove { mv: *mv, expected, prior: expected, node: NONE });
            if ended.is_some() && share >= 1.0 {
                // No move can be better.
                let won = self.tried.len() - 1;
                self.tried.swap(0, won);
                self.tried.truncate(1);
                return (node.settled(shares), Ok(()));
            }
        }
        if self.tried.len() > max {
            node.whole = false;
            self.tried.select_nth_unstable_by(max - 1, better_first);
            self.tried.truncate(max);
        }
        self.tried.sort_by(better_first);
        self.set_priors();
        node.outlook = before.plus(best.1).times(0.5);
        (node, examined)
    }

    /// If the side to move plays greedily, puts the move that looks best to it at the front of `tried`.
    fn expect_greedy(&mut self, position: &R::Position) {
        let rules = &self.game.rules;
        if self.plays_greedily(self.judge.side(rules.to_move(position))) {
            let moves = self.tried.iter().map(|candidate| candidate.mv);
            if let Some(best) = best_looking(self.game, position, moves) {
                self.tried[..=best].rotate_right(1);
            }
        }
    }

    /// Returns true if this is another side that plays greedily.
    fn plays_greedily(&self, side: Side) -> bool {
        self.greedy[side.index()] && side != self.judge.side(self.game.to_move())
    }

    /// Sets the priors, which make the search visit better candidates more often.
    fn set_priors(&mut self) {
        let Some(highest) = self.tried.first().map(|candidate| candidate.expected) else { return };
        let mut sum = 0.0;
        for candidate in &mut self.tried {
            candidate.prior = ((candidate.expected - highest) / TEMPERATURE).exp() + EVEN / 64.0;
            sum += candidate.prior;
        }
        self.tried.iter_mut().for_each(|candidate| candidate.prior /= sum);
    }

    /// Updates all nodes of the path with the result of a visit.
    fn back_up(&mut self, mut shares: Shares) {
        let mut settled = false;
        for index in (0..self.path.len()).rev() {
            let (at, side) = self.path[index];
            let is_leaf = index + 1 == self.path.len();
            if is_leaf {
                settled = self.tree.nodes[at as usize].exact;
            } else if settled {
                match self.settle(at, self.path[index + 1].0, side) {
                    Some(value) => shares = value,
                    None => settled = false,
                }
            }
            let outlook = if is_leaf { shares } else { self.outlook(at, side) };
            let node = &mut self.tree.nodes[at as usize];
            node.visits += 1;
            if settled {
                node.exact = true;
                node.shares = shares;
                node.outlook = shares;
            } else {
                node.shares = node.shares.plus(shares);
                node.outlook = outlook;
            }
        }
    }

    /// The value of a node if every side plays the moves that seem best to it.
    fn outlook(&self, at: u32, side: Side) -> Shares {
        let node = &self.tree.nodes[at as usize];
        let expected = if self.plays_greedily(side) { 1 } else { open_candidates(node) };
        let mut best = (f32::NEG_INFINITY, node.outlook);
        // Candidates that are not open promised less than these.
        for candidate in self.tree.candidates[node.candidates()].iter().take(expected) {
            let outlook = match candidate.node {
                NONE => self.judge.shifted(node.outlook, side, candidate.expected),
                child => self.tree.nodes[child as usize].outlook,
            };
            if outlook.of(side) > best.0 {
                best = (outlook.of(side), outlook);
            }
        }
        best.1
    }

    /// The certain value of a node after one of its children has become certain; `None` if it is not certain.
    fn settle(&self, at: u32, child: u32, side: Side) -> Option<Shares> {
        let value = self.tree.nodes[child as usize].shares;
        if value.of(side) >= 1.0 {
            return Some(value);
        }
        let node = &self.tree.nodes[at as usize];
        if !node.whole {
            return None;
        }
        let mut best: Option<Shares> = None;
        for candidate in &self.tree.candidates[node.candidates()] {
            let child = self.tree.nodes.get(candidate.node as usize).filter(|child| child.exact)?;
            if best.is_none_or(|best| child.shares.of(side) > best.of(side)) {
                best = Some(child.shares);
            }
        }
        best
    }

    fn find(&self, candidate: &CandidateMove<R::Move>, side: Side) -> Found<R::Move> {
        match candidate.node {
            NONE => Found { mv: candidate.mv, visits: 0, share: candidate.expected, exact: false },
            node => {
                let node = &self.tree.nodes[node as usize];
                Found {
                    mv: candidate.mv,
                    visits: node.visits,
                    share: node.value(self.weight).of(side),
                    exact: node.exact,
                }
            }
        }
    }

    pub(super) fn best(&self) -> Found<R::Move> {
        let side = self.judge.side(self.game.to_move());
        let root = &self.tree.nodes[ROOT as usize];
        let candidates = &self.tree.candidates[root.candidates()];
        let found = candidates.iter().map(|candidate| self.find(candidate, side)).min_by(preferred_first);
        let best = found.expect("the root has as many candidates as there are moves, or a winning one");
        if root.exact { Found { share: root.shares.of(side), exact: true, ..best } } else { best }
    }

    pub(super) fn shares(&self) -> Shares {
        self.tree.nodes[ROOT as usize].value(self.weight)
    }

    pub(super) fn expected_line(&self) -> Vec<R::Move> {
        let rules = &self.game.rules;
        let mut position = self.game.position.clone();
        let mut line = Vec::new();
        let mut at = ROOT;
        while at != NONE {
            let side = self.judge.side(rules.to_move(&position));
            let candidates = &self.tree.candidates[self.tree.nodes[at as usize].candidates()];
            let found = candidates.iter().map(|candidate| (self.find(candidate, side), candidate.node));
            let Some((best, node)) = found.min_by(|one, other| preferred_first(&one.0, &other.0)) else {
                break;
            };
            if best.visits == 0 && !line.is_empty() {
                break;
            }
            line.push(best.mv);
            rules.play(&mut position, best.mv);
            at = node;
        }
        line
    }
}

/// The difference in expected share that changes a prior by a factor of e.
const TEMPERATURE: f32 = 0.05;

/// The part of the prior that is spread evenly, in sixty-fourths.
const EVEN: f32 = 1.0;

/// The number of open candidates of a node, which grows with its visits.
fn open_candidates(node: &Node) -> usize {
    (FIRST_CANDIDATES + WIDENING * (node.visits as f32).sqrt()) as usize
}

fn better_first<M>(one: &CandidateMove<M>, other: &CandidateMove<M>) -> Ordering {
    other.expected.total_cmp(&one.expected)
}

/// A certain win is first and a certain loss is last. The others are in the order of their visits.
fn preferred_first<M>(one: &Found<M>, other: &Found<M>) -> Ordering {
    let rank = |found: &Found<M>| match found {
        Found { exact: true, share, .. } if *share >= 1.0 => 2,
        Found { exact: true, share, .. } if *share <= 0.0 => 0,
        _ => 1,
    };
    (rank(other).cmp(&rank(one))).then(other.visits.cmp(&one.visits)).then(other.share.total_cmp(&one.share))
}

//! The tree that a search grows, in bounded memory.

use super::shares::Shares;

/// The index of the root in [`Tree::nodes`].
pub(super) const ROOT: u32 = 0;

/// No node yet.
pub(super) const NONE: u32 = u32::MAX;

/// A position that was visited.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The sum of the results of the visits; for an exact node, its value.
    pub(super) shares: Shares,
    /// The expectation if every side plays the moves that seem best to it.
    pub(super) outlook: Shares,
    /// The number of visits.
    pub(super) visits: u32,
    /// True if the node's value is certain.
    pub(super) exact: bool,
    /// True if every legal move is a candidate.
    pub(super) whole: bool,
    /// The fingerprint of the position without its ply.
    pub(super) key: u64,
    first: u32,
    count: u32,
    /// The candidate by which the search comes here.
    incoming: u32,
}

/// A move that may be tried in a node's position.
#[derive(Copy, Clone, Debug)]
pub(super) struct CandidateMove<M> {
    /// The move.
    pub(super) mv: M,
    /// The mover's expectation before it was tried.
    pub(super) expected: f32,
    /// The prior weight before it was tried.
    pub(super) prior: f32,
    /// The node that it leads to, once it was tried.
    pub(super) node: u32,
}

impl Node {
    /// A node without visits.
    pub(super) fn new(key: u64) -> Node {
        Node {
            shares: Shares::default(),
            outlook: Shares::default(),
            visits: 0,
            exact: false,
            whole: true,
            key,
            first: 0,
            count: 0,
            incoming: NONE,
        }
    }

    /// The same node with a certain value.
    pub(super) fn settled(self, shares: Shares) -> Node {
        Node { exact: true, shares, outlook: shares, ..self }
    }

    /// The value of the node for all sides, as far as is known.
    pub(super) fn value(&self, weight: f32) -> Shares {
        match self.exact {
            true => self.shares,
            false => {
                let mean = self.shares.times((1.0 - weight) / self.visits.max(1) as f32);
                mean.plus(self.outlook.times(weight))
            }
        }
    }

    /// The range of the node's candidates.
    pub(super) fn candidates(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A tree of nodes. Nodes come after their parents, and candidates lie in the
/// order of the nodes that they belong to.
pub(super) struct Tree<M> {
    pub(super) nodes: Vec<Node>,
    pub(super) candidates: Vec<CandidateMove<M>>,
    most_nodes: usize,
    most_candidates: usize,
}

impl<M: Copy> Tree<M> {
    /// An empty tree that takes this many bytes at most, though never less than a few nodes.
    pub(super) fn new(bytes: usize) -> Tree<M> {
        // A node is made at each visit, with the candidates of its position.
        let most_nodes = (bytes / 5 / size_of::<Node>()).max(16);
        let most_candidates = (bytes / 5 * 4 / size_of::<CandidateMove<M>>()).max(16);
        Tree { nodes: Vec::new(), candidates: Vec::new(), most_nodes, most_candidates }
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.candidates.clear();
    }

    /// The maximum number of candidates of a node, which leaves room for others.
    pub(super) fn most_candidates_a_node(&self) -> usize {
        self.most_candidates / 8
    }

    /// Adds a node, to which a candidate leads unless it is the root, and its candidates.
    pub(super) fn add(
        &mut self,
        incoming: Option<usize>,
        mut node: Node,
        candidates: impl IntoIterator<Item = CandidateMove<M>>,
    ) -> u32 {
        let index = self.nodes.len() as u32;
        if let Some(incoming) = incoming {
            self.candidates[incoming].node = index;
            node.incoming = incoming as u32;
        }
        node.first = self.candidates.len() as u32;
        self.candidates.extend(candidates);
        node.count = self.candidates.len() as u32 - node.first;
        self.nodes.push(node);
        index
    }

    /// Makes room for another node if there is none: forgets those that were
    /// visited least. Their parents keep the results.
    pub(super) fn make_room(&mut self) {
        let mut least = 2;
        let most_candidates = self.most_candidates - self.most_candidates_a_node();
        if self.nodes.len() < self.most_nodes && self.candidates.len() <= most_candidates {
            return;
        }
        while self.nodes.len() > self.most_nodes / 2 || self.candidates.len() > self.most_candidates / 2 {
            self.forget_visited_less_than(least);
            if self.nodes.len() == 1 {
                break;
            }
            least *= 2;
        }
    }

    fn forget_visited_less_than(&mut self, least: u32) {
        let mut kept = vec![false; self.nodes.len()];
        kept[ROOT as usize] = true;
        for index in 0..self.nodes.len() {
            if !kept[index] {
                continue;
            }
            for candidate in &mut self.candidates[self.nodes[index].candidates()] {
                if candidate.node == NONE {
                    continue;
                }
                if self.nodes[candidate.node as usize].visits >= least {
                    kept[candidate.node as usize] = true;
                } else {
                    candidate.node = NONE;
                }
            }
        }
        // Parents come before their children, so every move is towards the front.
        let (mut nodes, mut candidates) = (0, 0);
        for index in (0..self.nodes.len()).filter(|index| kept[*index]) {
            let block = self.nodes[index].candidates();
            self.candidates.copy_within(block.clone(), candidates);
            for place in candidates..candidates + block.len() {
                let child = self.candidates[place].node;
                if child != NONE {
                    self.nodes[child as usize].incoming = place as u32;
                }
            }
            self.nodes[index].first = candidates as u32;
            candidates += block.len();
            if self.nodes[index].incoming != NONE {
                self.candidates[self.nodes[index].incoming as usize].node = nodes as u32;
            }
            self.nodes.swap(index, nodes);
            nodes += 1;
        }
        self.nodes.truncate(nodes);
        self.candidates.truncate(candidates);
    }
}

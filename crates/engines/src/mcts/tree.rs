//! The tree of a search, in bounded memory.

use super::shares::Shares;

/// The index of the root in [`Tree::nodes`].
pub(super) const ROOT: u32 = 0;

/// The index that stands for no node.
pub(super) const NONE: u32 = u32::MAX;

/// A position that was visited.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The sum of the results of all visits; the value itself if the node is exact.
    pub(super) shares: Shares,
    /// The expected shares if every side plays the moves that seem best to it.
    pub(super) outlook: Shares,
    pub(super) visits: u32,
    /// True if the node's value is certain.
    pub(super) exact: bool,
    /// True if every legal move is a candidate.
    pub(super) whole: bool,
    /// The fingerprint of the position without its ply.
    pub(super) key: u64,
    first: u32,
    count: u32,
    /// The candidate that leads to this node.
    incoming: u32,
}

/// A move that may be tried in a node's position.
#[derive(Copy, Clone, Debug)]
pub(super) struct CandidateMove<M> {
    pub(super) mv: M,
    /// The mover's expected share before the move was tried.
    pub(super) expected: f32,
    pub(super) prior: f32,
    /// The node to which the move leads; [`NONE`] until it has been tried.
    pub(super) node: u32,
}

impl Node {
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

    /// The value of the node for all sides, as far as it is known.
    pub(super) fn value(&self, weight: f32) -> Shares {
        match self.exact {
            true => self.shares,
            false => {
                let mean = self.shares.times((1.0 - weight) / self.visits.max(1) as f32);
                mean.plus(self.outlook.times(weight))
            }
        }
    }

    pub(super) fn candidates(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A tree of nodes. Nodes follow their parents, and candidates are in the order of their nodes.
pub(super) struct Tree<M> {
    pub(super) nodes: Vec<Node>,
    pub(super) candidates: Vec<CandidateMove<M>>,
    max_nodes: usize,
    max_candidates: usize,
}

impl<M: Copy> Tree<M> {
    /// Creates an empty tree of at most this number of bytes, but with room for a few nodes.
    pub(super) fn new(bytes: usize) -> Tree<M> {
        // Each visit adds a node and the candidates of its position.
        let max_nodes = (bytes / 5 / size_of::<Node>()).max(16);
        let max_candidates = (bytes / 5 * 4 / size_of::<CandidateMove<M>>()).max(16);
        Tree { nodes: Vec::new(), candidates: Vec::new(), max_nodes, max_candidates }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.candidates.clear();
    }

    /// The maximum number of candidates of a node, which leaves room for other nodes.
    pub(super) fn max_candidates_per_node(&self) -> usize {
        self.max_candidates / 8
    }

    /// Adds a node with its candidates. `incoming` is the candidate that leads to the node, unless it is the root.
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

    /// Removes the nodes with the fewest visits if there is no room for another node. Their parents keep the results.
    pub(super) fn make_room(&mut self) {
        let mut min_visits = 2;
        let max_candidates = self.max_candidates - self.max_candidates_per_node();
        if self.nodes.len() < self.max_nodes && self.candidates.len() <= max_candidates {
            return;
        }
        while self.nodes.len() > self.max_nodes / 2 || self.candidates.len() > self.max_candidates / 2 {
            self.remove_visited_less_than(min_visits);
            if self.nodes.len() == 1 {
                break;
            }
            min_visits *= 2;
        }
    }

    fn remove_visited_less_than(&mut self, min_visits: u32) {
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
                if self.nodes[candidate.node as usize].visits >= min_visits {
                    kept[candidate.node as usize] = true;
                } else {
                    candidate.node = NONE;
                }
            }
        }
        // Parents precede their children, so everything moves towards the front.
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

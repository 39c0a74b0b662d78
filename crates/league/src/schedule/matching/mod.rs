//! Perfect matchings of minimum cost in complete graphs: every vertex has a partner, and the sum of the costs
//! of all pairs is minimal.
//!
//! This is Edmonds' blossom algorithm in its primal-dual form (J. Edmonds, "Maximum matching and a polyhedron
//! with 0,1-vertices", 1965). It maintains minimum slacks as in the algorithms of H. Gabow and E. Lawler, so it
//! takes O(n^3) steps. It uses exact integers: equal costs lead to the same pairs on every machine.
//!
//! Every vertex has a dual value `y`, and every blossom a non-negative dual value `z`. The slack of an edge between
//! different blossoms is `y(u) + y(v) + 2 cost(u, v)`; it is never negative, and it is zero for matched edges.
//! Duals of even vertices decrease and those of odd vertices increase until an edge without slack lets a tree grow,
//! closes a blossom, or joins two trees, or until the dual of an odd blossom becomes zero.

#[cfg(test)]
mod tests;

/// The index of a vertex, or from the number of vertices on, of a blossom.
type Node = usize;

const NONE: usize = usize::MAX;

/// Returns the partner of each vertex in `0..vertices`, with a minimal sum of `cost` over all pairs.
///
/// `cost` must be symmetric, and its values so small that the sum of four does not overflow. Among matchings of
/// minimal cost, the choice depends only on the costs.
pub(super) fn cheapest_perfect_matching(vertices: usize, cost: impl Fn(usize, usize) -> i128) -> Vec<usize> {
    assert!(vertices.is_multiple_of(2), "{vertices} can't all have partners");
    let mut search = Search::new(vertices, &cost);
    while search.grow_matching() {}
    search.mate
}

/// The label of an outermost node in the search forest.
#[derive(Copy, Clone, Eq, PartialEq)]
enum Label {
    /// In no tree.
    None,
    /// An even number of edges away from its root, which is free.
    Even,
    /// An odd number of edges away from its root.
    Odd,
}

/// An odd cycle of nodes that is treated as one vertex.
#[derive(Clone, Default)]
struct Blossom {
    /// The nodes of the cycle, beginning with the one that contains the base.
    children: Vec<Node>,
    /// The edges of the cycle: `edges[i]` leads from `children[i]` to the next child. The second, the fourth and so on
    /// are matched.
    edges: Vec<(usize, usize)>,
    /// The dual value, which is never negative.
    z: i128,
    /// For each vertex outside, the vertex inside with minimum slack to it. The duals inside change together, so it
    /// stays the same.
    nearest: Vec<usize>,
}

struct Search<'c, C> {
    vertices: usize,
    cost: &'c C,
    mate: Vec<usize>,
    /// The dual value of each vertex.
    y: Vec<i128>,
    /// The blossoms, by node index less the number of vertices.
    blossoms: Vec<Blossom>,
    /// The nodes of the blossoms that are not in use.
    unused: Vec<Node>,
    /// The blossom directly around each node.
    around: Vec<Node>,
    /// The outermost node around each vertex.
    outermost: Vec<Node>,
    /// The vertex of each node that is free or has a partner outside it.
    base: Vec<usize>,
    label: Vec<Label>,
    /// For each odd node, the edge that reached it, from outside to inside.
    reached_by: Vec<(usize, usize)>,
    /// For each vertex that is not even, the even vertex with minimum slack to it.
    nearest_even: Vec<usize>,
    /// For each even node, the edge of minimum slack to a node that became even before it.
    link: Vec<(usize, usize)>,
}

/// The event that ends a change of duals.
#[derive(Copy, Clone)]
enum MatchingEvent {
    /// A tree reaches this vertex.
    Grow(usize),
    /// An edge without slack joins the even nodes of these vertices.
    Join(usize, usize),
    /// The dual of this odd blossom is zero.
    Open(Node),
}

impl<'c, C: Fn(usize, usize) -> i128> Search<'c, C> {
    fn new(vertices: usize, cost: &'c C) -> Search<'c, C> {
        // Blossoms are nested or disjoint, and each has at least three children.
        let nodes = vertices + vertices / 2;
        Search {
            vertices,
            cost,
            mate: vec![NONE; vertices],
            y: vec![0; vertices],
            blossoms: vec![Blossom::default(); vertices / 2],
            unused: (vertices..nodes).rev().collect(),
            around: vec![NONE; nodes],
            outermost: (0..vertices).collect(),
            base: (0..nodes).collect(),
            label: vec![Label::None; nodes],
            reached_by: vec![(NONE, NONE); nodes],
            nearest_even: vec![NONE; vertices],
            link: vec![(NONE, NONE); nodes],
        }
    }

    /// The slack of an edge between different outermost nodes.
    fn slack(&self, u: usize, v: usize) -> i128 {
        self.y[u] + self.y[v] + 2 * (self.cost)(u, v)
    }

    fn blossom(&self, node: Node) -> &Blossom {
        &self.blossoms[node - self.vertices]
    }

    fn is_blossom(&self, node: Node) -> bool {
        node >= self.vertices
    }

    /// Returns the vertex of a node with minimum slack to a vertex outside.
    fn nearest(&self, node: Node, outside: usize) -> usize {
        if self.is_blossom(node) { self.blossom(node).nearest[outside] } else { node }
    }

    fn label_of(&self, vertex: usize) -> Label {
        self.label[self.outermost[vertex]]
    }

    /// Adds one pair to the matching by augmenting a path without slack. Returns false if all vertices have partners.
    fn grow_matching(&mut self) -> bool {
        self.label.fill(Label::None);
        self.nearest_even.fill(NONE);
        let roots: Vec<usize> = (0..self.vertices).filter(|vertex| self.mate[*vertex] == NONE).collect();
        if roots.is_empty() {
            return false;
        }
        for root in roots {
            self.becomes_even(self.outermost[root]);
        }
        loop {
            match self.change_duals() {
                MatchingEvent::Grow(vertex) => self.grow(vertex),
                MatchingEvent::Open(node) => self.open(node),
                MatchingEvent::Join(u, v) => match self.common_ancestor(u, v) {
                    Some(ancestor) => self.close(ancestor, u, v),
                    None => {
                        self.augment(u, v);
                        self.augment(v, u);
                        return true;
                    }
                },
            }
        }
    }

    fn surface(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.around.len()).filter(|node| {
            self.around[*node] == NONE
                && (!self.is_blossom(*node) || !self.blossom(*node).children.is_empty())
        })
    }

    /// Changes the duals by as much as possible, and returns the event that stops them.
    fn change_duals(&mut self) -> MatchingEvent {
        let mut first: Option<(i128, MatchingEvent)> = None;
        let mut offer = |change: i128, event: MatchingEvent| {
            if first.is_none_or(|(smallest, _)| change < smallest) {
                first = Some((change, event));
            }
        };
        for vertex in 0..self.vertices {
            if self.label_of(vertex) == Label::None && self.nearest_even[vertex] != NONE {
                offer(self.slack(self.nearest_even[vertex], vertex), MatchingEvent::Grow(vertex));
            }
        }
        for node in self.surface() {
            match self.label[node] {
                Label::Even if self.link[node].0 != NONE => {
                    let (u, v) = self.link[node];
                    // Both duals decrease. The ends are at even distances from roots along edges without slack, so the
                    // slack is even.
                    offer(self.slack(u, v) / 2, MatchingEvent::Join(u, v));
                }
                Label::Odd if self.is_blossom(node) => {
                    offer(self.blossom(node).z / 2, MatchingEvent::Open(node));
                }
                _ => {}
            }
        }
        let (change, event) = first.expect("two free vertices of a complete graph can always be joined");
        for vertex in 0..self.vertices {
            match self.label_of(vertex) {
                Label::Even => self.y[vertex] -= change,
                Label::Odd => self.y[vertex] += change,
                Label::None => {}
            }
        }
        for node in self.vertices..self.around.len() {
            if self.around[node] == NONE {
                let z = &mut self.blossoms[node - self.vertices].z;
                match self.label[node] {
                    Label::Even => *z += 2 * change,
                    Label::Odd => *z -= 2 * change,
                    Label::None => {}
                }
            }
        }
        event
    }

    /// Labels an outermost node as even, and updates the nearest nodes.
    fn becomes_even(&mut self, node: Node) {
        self.label[node] = Label::Even;
        let mut link = (NONE, NONE);
        let mut min_slack = i128::MAX;
        for outside in 0..self.vertices {
            let other = self.outermost[outside];
            if other == node {
                continue;
            }
            let inside = self.nearest(node, outside);
            let slack = self.slack(inside, outside);
            if self.label[other] == Label::Even {
                if slack < min_slack {
                    (min_slack, link) = (slack, (inside, outside));
                }
            } else {
                let before = self.nearest_even[outside];
                if before == NONE || slack < self.slack(before, outside) {
                    self.nearest_even[outside] = inside;
                }
            }
        }
        self.link[node] = link;
    }

    /// Extends a tree along an edge without slack to a vertex outside the trees.
    fn grow(&mut self, vertex: usize) {
        let odd = self.outermost[vertex];
        self.label[odd] = Label::Odd;
        self.reached_by[odd] = (self.nearest_even[vertex], vertex);
        let mate = self.mate[self.base[odd]];
        self.becomes_even(self.outermost[mate]);
    }

    /// Returns the odd node above an even node, and the even node above that.
    fn above(&self, even: Node) -> Option<(Node, Node)> {
        let mate = self.mate[self.base[even]];
        if mate == NONE {
            return None;
        }
        let odd = self.outermost[mate];
        Some((odd, self.outermost[self.reached_by[odd].0]))
    }

    /// Returns the even node at which the paths from two vertices to their root meet; `None` if they are in different
    /// trees.
    fn common_ancestor(&self, u: usize, v: usize) -> Option<Node> {
        let path = |from: usize| {
            let first = self.outermost[from];
            std::iter::successors(Some(first), |node| self.above(*node).map(|(_, above)| above))
        };
        let mut is_on_path = vec![false; self.around.len()];
        path(u).for_each(|node| is_on_path[node] = true);
        path(v).find(|node| is_on_path[*node])
    }

    /// Closes the cycle of an edge between even nodes of the same tree.
    fn close(&mut self, ancestor: Node, u: usize, v: usize) {
        // The nodes and edges from a vertex up to the ancestor; each edge leads upwards.
        let path = |from: usize| {
            let (mut nodes, mut edges) = (Vec::new(), Vec::new());
            let mut even = self.outermost[from];
            while even != ancestor {
                let (odd, above) = self.above(even).expect("the ancestor lies above");
                let base = self.base[even];
                let (outside, inside) = self.reached_by[odd];
                nodes.extend([even, odd]);
                edges.extend([(base, self.mate[base]), (inside, outside)]);
                even = above;
            }
            (nodes, edges)
        };
        let reversed = |(one, other): (usize, usize)| (other, one);
        let (left, left_edges) = path(u);
        let (right, right_edges) = path(v);
        let mut children = vec![ancestor];
        children.extend(left.into_iter().rev());
        children.extend(right);
        let mut edges: Vec<(usize, usize)> = left_edges.into_iter().rev().map(reversed).collect();
        edges.push((u, v));
        edges.extend(right_edges);

        let node = self.unused.pop().expect("there are enough for all that lie within each other or apart");
        for child in &children {
            self.around[*child] = node;
        }
        self.around[node] = NONE;
        self.base[node] = self.base[ancestor];
        for vertex in 0..self.vertices {
            if self.around[self.outermost[vertex]] == node {
                self.outermost[vertex] = node;
            }
        }
        let nearest = (0..self.vertices).map(|outside| {
            if self.outermost[outside] == node {
                return NONE;
            }
            let candidates = children.iter().map(|child| self.nearest(*child, outside));
            candidates.min_by_key(|inside| self.slack(*inside, outside)).unwrap_or(NONE)
        });
        let nearest = nearest.collect();
        self.blossoms[node - self.vertices] = Blossom { children, edges, z: 0, nearest };
        self.becomes_even(node);
    }

    /// Returns the index of the child of a blossom that contains a vertex.
    fn child_with(&self, blossom: Node, vertex: usize) -> usize {
        let mut node = vertex;
        while self.around[node] != blossom {
            node = self.around[node];
        }
        let children = &self.blossom(blossom).children;
        children.iter().position(|child| *child == node).expect("a child knows its blossom")
    }

    fn mark_outermost(&mut self, node: Node, outermost: Node) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if self.is_blossom(node) {
                stack.extend(&self.blossoms[node - self.vertices].children);
            } else {
                self.outermost[node] = outermost;
            }
        }
    }

    /// Dissolves an odd blossom with dual zero into its children.
    fn open(&mut self, node: Node) {
        let reached_by = self.reached_by[node];
        let entry = self.child_with(node, reached_by.1);
        let Blossom { children, edges, .. } = std::mem::take(&mut self.blossoms[node - self.vertices]);
        self.unused.push(node);
        for child in &children {
            self.around[*child] = NONE;
            self.label[*child] = Label::None;
            self.mark_outermost(*child, *child);
        }
        // The path from the entry of the tree to the base has an even number of edges, the first of which is matched.
        // It leads backwards if the index of the entry is even, forwards if it is odd.
        let length = children.len();
        let mut evens = Vec::new();
        let mut at = entry;
        let mut reached = reached_by;
        loop {
            self.label[children[at]] = Label::Odd;
            self.reached_by[children[at]] = reached;
            if at == 0 {
                break;
            }
            let even;
            if entry.is_multiple_of(2) {
                even = at - 1;
                at -= 2;
                // The edge leads from the reached node to the even one.
                let (inside, outside) = edges[at];
                reached = (outside, inside);
            } else {
                even = at + 1;
                reached = edges[even];
                at = (at + 2) % length;
            }
            self.label[children[even]] = Label::Even;
            evens.push(children[even]);
        }
        for even in evens {
            self.becomes_even(even);
        }
    }

    /// Matches an even vertex with a new partner, and rematches the path up to its root.
    fn augment(&mut self, mut vertex: usize, mut partner: usize) {
        loop {
            let even = self.outermost[vertex];
            let before = self.mate[self.base[even]];
            self.rebase(even, vertex);
            self.mate[vertex] = partner;
            if before == NONE {
                return;
            }
            let odd = self.outermost[before];
            let (outside, inside) = self.reached_by[odd];
            self.rebase(odd, inside);
            self.mate[inside] = outside;
            (vertex, partner) = (outside, inside);
        }
    }

    /// Makes a vertex the base of its node.
    fn rebase(&mut self, node: Node, vertex: usize) {
        self.base[node] = vertex;
        if !self.is_blossom(node) {
            return;
        }
        let first = self.child_with(node, vertex);
        let number = node - self.vertices;
        let length = self.blossoms[number].children.len();
        // The children between the old base and the new one change partners.
        let pairs: Vec<usize> = if first.is_multiple_of(2) {
            (0..first).step_by(2).collect()
        } else {
            (first + 1..length).step_by(2).collect()
        };
        for edge in pairs {
            let (u, v) = self.blossoms[number].edges[edge];
            let [one, other] = [edge, (edge + 1) % length].map(|child| self.blossoms[number].children[child]);
            self.rebase(one, u);
            self.rebase(other, v);
            self.mate[u] = v;
            self.mate[v] = u;
        }
        let child = self.blossoms[number].children[first];
        self.rebase(child, vertex);
        self.blossoms[number].children.rotate_left(first);
        self.blossoms[number].edges.rotate_left(first);
    }
}

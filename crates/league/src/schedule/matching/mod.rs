//! Perfect matchings of minimum cost in complete graphs: every vertex has a partner, and the sum of the costs
//! of all pairs is minimal.
//!
//! Edmonds' blossom algorithm in its primal-dual form (J. Edmonds, "Maximum matching and a polyhedron with
//! 0,1-vertices", 1965), with minimum slacks kept as by H. Gabow and E. Lawler, so that it takes O(n^3)
//! steps. It uses exact integers: equal costs lead to the same pairs on every machine.
//!
//! Every vertex has a dual value `y`, every blossom a non-negative one, `z`. The slack of an edge between
//! different blossoms is `y(u) + y(v) + 2 cost(u, v)`; it is never negative, and matched edges have none.
//! Duals of even vertices decrease, those of odd ones increase, until an edge without slack lets a tree grow,
//! closes a blossom, or joins two trees.

#[cfg(test)]
mod tests;

/// A vertex, or a blossom if not smaller than the number of vertices.
type Node = usize;

const NOBODY: usize = usize::MAX;

/// The partners of `0..vertices`, with a minimal sum of `cost` over all pairs.
///
/// `cost` must be symmetric, and its values so small that the sum of four does not overflow. Among matchings of
/// minimal cost, the choice depends only on the costs.
///
/// # Panics
/// If the number of vertices is odd.
pub fn cheapest_perfect_matching(vertices: usize, cost: impl Fn(usize, usize) -> i128) -> Vec<usize> {
    assert!(vertices.is_multiple_of(2), "{vertices} can't all have partners");
    let mut search = Search::new(vertices, &cost);
    while search.grow_matching() {}
    search.mate
}

/// The label of an outermost node in the forest of a stage.
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
    /// The nodes of the cycle, beginning with the one whose vertex is matched outside.
    children: Vec<Node>,
    /// The edges of the cycle: number `i` from `children[i]` to the next one.
    /// The second, fourth and so on are matched.
    edges: Vec<(usize, usize)>,
    /// Never negative.
    z: i128,
    /// For each vertex outside, the vertex inside with minimum slack to it. Duals inside change together, so
    /// it stays the same.
    nearest: Vec<usize>,
}

struct Search<'c, C> {
    vertices: usize,
    cost: &'c C,
    mate: Vec<usize>,
    y: Vec<i128>,
    /// Indexed by the number of the node less the number of vertices. `unused` lists those that are not in use.
    blossoms: Vec<Blossom>,
    unused: Vec<Node>,
    /// The blossom around each node.
    around: Vec<Node>,
    /// The outermost node around each vertex.
    outermost: Vec<Node>,
    /// The vertex of each node that is matched outside it, or free.
    base: Vec<usize>,
    label: Vec<Label>,
    /// For odd nodes, the edge by which they were reached, with its end inside last.
    reached_by: Vec<(usize, usize)>,
    /// For each vertex that is not even, the even vertex with minimum slack to it.
    nearest_even: Vec<usize>,
    /// For each even node, the edge of minimum slack to a node that became even before it.
    link: Vec<(usize, usize)>,
}

/// The event at the smallest change of duals.
#[derive(Copy, Clone)]
enum MatchingEvent {
    /// This vertex is reached.
    Grow(usize),
    /// This edge joins two even nodes.
    Join(usize, usize),
    /// The dual of this odd blossom becomes zero.
    Open(Node),
}

impl<'c, C: Fn(usize, usize) -> i128> Search<'c, C> {
    fn new(vertices: usize, cost: &'c C) -> Search<'c, C> {
        // Blossoms are nested or disjoint, and each has one more vertex than its children.
        let nodes = vertices + vertices / 2;
        Search {
            vertices,
            cost,
            mate: vec![NOBODY; vertices],
            y: vec![0; vertices],
            blossoms: vec![Blossom::default(); vertices / 2],
            unused: (vertices..nodes).rev().collect(),
            around: vec![NOBODY; nodes],
            outermost: (0..vertices).collect(),
            base: (0..nodes).collect(),
            label: vec![Label::None; nodes],
            reached_by: vec![(NOBODY, NOBODY); nodes],
            nearest_even: vec![NOBODY; vertices],
            link: vec![(NOBODY, NOBODY); nodes],
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

    /// The vertex of a node with minimum slack to one outside.
    fn nearest(&self, node: Node, outside: usize) -> usize {
        if self.is_blossom(node) { self.blossom(node).nearest[outside] } else { node }
    }

    fn label_of(&self, vertex: usize) -> Label {
        self.label[self.outermost[vertex]]
    }

    /// Adds one pair to the matching, by the augmenting path of minimum slack. Returns false if all vertices have
    /// partners.
    fn grow_matching(&mut self) -> bool {
        self.label.fill(Label::None);
        self.nearest_even.fill(NOBODY);
        let roots: Vec<usize> = (0..self.vertices).filter(|vertex| self.mate[*vertex] == NOBODY).collect();
        if roots.is_empty() {
            return false;
        }
        for root in roots {
            self.becomes_even(self.outermost[root]);
        }
        loop {
            let event = self.change_duals();
            match event {
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

    /// The outermost nodes.
    fn surface(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.around.len()).filter(|node| {
            self.around[*node] == NOBODY
                && (!self.is_blossom(*node) || !self.blossom(*node).children.is_empty())
        })
    }

    /// Changes the duals by as much as possible, and returns the event that stops them.
    fn change_duals(&mut self) -> MatchingEvent {
        let mut least: Option<(i128, MatchingEvent)> = None;
        let mut offer = |change: i128, event: MatchingEvent| {
            if least.is_none_or(|(smallest, _)| change < smallest) {
                least = Some((change, event));
            }
        };
        for vertex in 0..self.vertices {
            if self.label_of(vertex) == Label::None && self.nearest_even[vertex] != NOBODY {
                offer(self.slack(self.nearest_even[vertex], vertex), MatchingEvent::Grow(vertex));
            }
        }
        for node in self.surface() {
            match self.label[node] {
                Label::Even if self.link[node].0 != NOBODY => {
                    let (u, v) = self.link[node];
                    // Both ends decrease. They are at even distances from roots, along edges without slack,
                    // so the slack is an even number.
                    offer(self.slack(u, v) / 2, MatchingEvent::Join(u, v));
                }
                Label::Odd if self.is_blossom(node) => {
                    offer(self.blossom(node).z / 2, MatchingEvent::Open(node));
                }
                _ => {}
            }
        }
        let (change, event) = least.expect("two free vertices of a complete graph can always be joined");
        for vertex in 0..self.vertices {
            match self.label_of(vertex) {
                Label::Even => self.y[vertex] -= change,
                Label::Odd => self.y[vertex] += change,
                Label::None => {}
            }
        }
        for node in self.vertices..self.around.len() {
            if self.around[node] == NOBODY {
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
        let mut link = (NOBODY, NOBODY);
        let mut least = i128::MAX;
        for outside in 0..self.vertices {
            let other = self.outermost[outside];
            if other == node {
                continue;
            }
            let inside = self.nearest(node, outside);
            let slack = self.slack(inside, outside);
            if self.label[other] == Label::Even {
                if slack < least {
                    (least, link) = (slack, (inside, outside));
                }
            } else {
                let before = self.nearest_even[outside];
                if before == NOBODY || slack < self.slack(before, outside) {
                    self.nearest_even[outside] = inside;
                }
            }
        }
        self.link[node] = link;
    }

    /// Extends a tree by an edge without slack to a vertex outside the trees.
    fn grow(&mut self, vertex: usize) {
        let odd = self.outermost[vertex];
        self.label[odd] = Label::Odd;
        self.reached_by[odd] = (self.nearest_even[vertex], vertex);
        let mate = self.mate[self.base[odd]];
        self.becomes_even(self.outermost[mate]);
    }

    /// The even node above an even node, by way of the odd one between them.
    fn above(&self, even: Node) -> Option<(Node, Node)> {
        let mate = self.mate[self.base[even]];
        if mate == NOBODY {
            return None;
        }
        let odd = self.outermost[mate];
        Some((odd, self.outermost[self.reached_by[odd].0]))
    }

    /// The even node at which the paths from two vertices to the root meet.
    fn common_ancestor(&self, u: usize, v: usize) -> Option<Node> {
        let way = |from: usize| {
            let first = self.outermost[from];
            std::iter::successors(Some(first), |node| self.above(*node).map(|(_, above)| above))
        };
        let mut is_on_way = vec![false; self.around.len()];
        way(u).for_each(|node| is_on_way[node] = true);
        way(v).find(|node| is_on_way[*node])
    }

    /// Closes the cycle of an edge between even nodes of the same tree.
    fn close(&mut self, ancestor: Node, u: usize, v: usize) {
        // From `u` up to the ancestor: nodes and edges, each edge from below.
        let way = |from: usize| {
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
        let turned = |(one, other): (usize, usize)| (other, one);
        let (left, left_edges) = way(u);
        let (right, right_edges) = way(v);
        let mut children = vec![ancestor];
        children.extend(left.into_iter().rev());
        children.extend(right);
        let mut edges: Vec<(usize, usize)> = left_edges.into_iter().rev().map(turned).collect();
        edges.push((u, v));
        edges.extend(right_edges);

        let node = self.unused.pop().expect("there are enough for all that lie within each other or apart");
        for child in &children {
            self.around[*child] = node;
        }
        self.around[node] = NOBODY;
        self.base[node] = self.base[ancestor];
        for vertex in 0..self.vertices {
            if self.around[self.outermost[vertex]] == node {
                self.outermost[vertex] = node;
            }
        }
        let nearest = (0..self.vertices).map(|outside| {
            if self.outermost[outside] == node {
                return NOBODY;
            }
            let candidates = children.iter().map(|child| self.nearest(*child, outside));
            candidates.min_by_key(|inside| self.slack(*inside, outside)).unwrap_or(NOBODY)
        });
        let nearest = nearest.collect();
        self.blossoms[node - self.vertices] = Blossom { children, edges, z: 0, nearest };
        self.becomes_even(node);
    }

    /// The child of a blossom that contains a vertex.
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

    /// Dissolves an odd blossom with a zero dual into its children.
    fn open(&mut self, node: Node) {
        let reached_by = self.reached_by[node];
        let entry = self.child_with(node, reached_by.1);
        let Blossom { children, edges, .. } = std::mem::take(&mut self.blossoms[node - self.vertices]);
        self.unused.push(node);
        for child in &children {
            self.around[*child] = NOBODY;
            self.label[*child] = Label::None;
            self.mark_outermost(*child, *child);
        }
        // From the tree's entry to the base along an even number of edges, of which the first is matched:
        // backwards, or forwards if that number is odd.
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
    fn augment(&mut self, vertex: usize, partner: usize) {
        let (mut vertex, mut partner) = (vertex, partner);
        loop {
            let even = self.outermost[vertex];
            let before = self.mate[self.base[even]];
            self.rebase(even, vertex);
            self.mate[vertex] = partner;
            if before == NOBODY {
                return;
            }
            let odd = self.outermost[before];
            let (outside, inside) = self.reached_by[odd];
            self.rebase(odd, inside);
            self.mate[inside] = outside;
            (vertex, partner) = (outside, inside);
        }
    }

    /// Makes a vertex the one of its node that is matched outside.
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

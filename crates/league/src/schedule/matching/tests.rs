use super::*;

/// An endless sequence of pseudorandom numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn costs(&mut self, vertices: usize, limit: u64) -> Vec<Vec<i128>> {
        let mut costs = vec![vec![0; vertices]; vertices];
        for (u, v) in (0..vertices).flat_map(|u| (0..u).map(move |v| (u, v))) {
            let cost = i128::from(self.below(limit));
            costs[u][v] = cost;
            costs[v][u] = cost;
        }
        costs
    }
}

/// Returns the minimum cost over all matchings of the free vertices.
fn min_cost(costs: &[Vec<i128>], free: &mut Vec<usize>) -> i128 {
    let Some(one) = free.pop() else { return 0 };
    let mut min = i128::MAX;
    for index in 0..free.len() {
        let other = free.remove(index);
        min = min.min(costs[one][other] + min_cost(costs, free));
        free.insert(index, other);
    }
    free.push(one);
    min
}

/// Checks that a matching is perfect, and returns its cost.
#[track_caller]
fn cost(costs: &[Vec<i128>], mates: &[usize]) -> i128 {
    assert_eq!(mates.len(), costs.len());
    for (one, other) in mates.iter().enumerate() {
        assert_ne!(one, *other);
        assert_eq!(mates[*other], one, "{mates:?}");
    }
    mates.iter().enumerate().map(|(one, other)| costs[one][*other]).sum::<i128>() / 2
}

#[test]
fn an_exhaustive_search_finds_no_cheaper_matching() {
    let mut numbers = Numbers(1);
    for round in 0..4_000 {
        let vertices = 2 * numbers.below(6) as usize;
        let limit = [2, 3, 10, 1_000_000][round % 4];
        let costs = numbers.costs(vertices, limit);
        let mates = cheapest_perfect_matching(vertices, |u, v| costs[u][v]);
        let min = min_cost(&costs, &mut (0..vertices).collect());
        assert_eq!(cost(&costs, &mates), min, "{costs:?} {mates:?}");
    }
}

/// Checks the final duals of a search, which prove that the matching has minimum cost. Returns the number of blossoms.
#[track_caller]
fn check_duals(costs: &[Vec<i128>]) -> usize {
    let edge_cost = |u: usize, v: usize| costs[u][v];
    let vertices = costs.len();
    let mut search = Search::new(vertices, &edge_cost);
    while search.grow_matching() {}
    cost(costs, &search.mate);
    let blossoms_around = |vertex: usize| {
        let around = |node: &Node| Some(search.around[*node]).filter(|around| *around != NONE);
        std::iter::successors(around(&vertex), around).collect::<Vec<Node>>()
    };
    for u in 0..vertices {
        for v in 0..u {
            let shared = blossoms_around(u).into_iter().filter(|node| blossoms_around(v).contains(node));
            let slack = search.slack(u, v) + shared.map(|node| search.blossom(node).z).sum::<i128>();
            assert!(slack >= 0, "no edge is too cheap");
            assert!(search.mate[u] != v || slack == 0, "what is matched has no slack");
        }
    }
    let used = (vertices..search.around.len()).filter(|node| !search.blossom(*node).children.is_empty());
    let mut blossoms = 0;
    for node in used {
        blossoms += 1;
        let inside: Vec<usize> =
            (0..vertices).filter(|vertex| blossoms_around(*vertex).contains(&node)).collect();
        let outside = inside.iter().filter(|vertex| !inside.contains(&search.mate[**vertex])).count();
        assert!(search.blossom(node).z >= 0);
        assert_eq!((inside.len() % 2, outside), (1, 1), "a blossom is odd, and one of it is matched outside");
    }
    blossoms
}

#[test]
fn the_duals_prove_larger_matchings_to_be_minimal() {
    let mut numbers = Numbers(2);
    let mut blossoms = 0;
    for vertices in [2, 12, 30, 31, 64, 100] {
        for limit in [2, 5, 50, 1 << 40] {
            let costs = numbers.costs(vertices / 2 * 2, limit);
            blossoms += check_duals(&costs);
        }
    }
    assert!(blossoms > 20, "blossoms come up: {blossoms}");
    // Vertices on a line, many of them at the same position.
    for round in 0..40 {
        let places: Vec<i128> = (0..50).map(|_| i128::from(numbers.below(3 + round))).collect();
        let costs: Vec<Vec<i128>> =
            places.iter().map(|one| places.iter().map(|other| (one - other).pow(2)).collect()).collect();
        check_duals(&costs);
    }
}

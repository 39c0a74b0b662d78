//! Which bots are connected by games, and which by results that allow a finite rating.

use std::cmp::Reverse;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;

use super::results::{Field, Meeting};

/// The sets of bots connected by games, bots without any left out: the largest
/// first, those of one size by their first name; bots sorted within.
pub(super) fn groups(field: &Field) -> Vec<Vec<usize>> {
    let mut sets = UnionFind::<usize>::new(field.names.len());
    for meeting in &field.meetings {
        sets.union(meeting.first, meeting.second);
    }
    let labels = sets.into_labeling();
    let mut by_label: Vec<Vec<usize>> = vec![Vec::new(); labels.len()];
    for (bot, label) in labels.into_iter().enumerate() {
        by_label[label].push(bot);
    }
    by_label.retain(|group| group.len() > 1);
    by_label.sort_by_key(|group| (Reverse(group.len()), group[0]));
    by_label
}

/// The sets of bots between any two of which points went both ways, directly or
/// by way of others: the largest first, those of one size by their games among themselves,
/// then by their first bot.
///
/// Ratings of highest likelihood exist and are finite exactly if there is only
/// one such set: however the bots are divided in two, somebody on either side
/// took at least half a point from the other. L. R. Ford, "Solution of a ranking
/// problem from binary comparisons", American Mathematical Monthly 64 (1957);
/// D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of
/// Statistics 32 (2004), assumption 1.
///
/// Kosaraju's algorithm, because it does not recurse: a ladder can make a
/// chain of many thousands of bots.
pub(super) fn comparable_sets(bots: usize, meetings: &[Meeting]) -> Vec<Vec<usize>> {
    let mut scored_against: DiGraph<(), ()> = DiGraph::with_capacity(bots, 2 * meetings.len());
    for _ in 0..bots {
        scored_against.add_node(());
    }
    for meeting in meetings {
        let (first, second) = (NodeIndex::new(meeting.first), NodeIndex::new(meeting.second));
        if meeting.tally.points() > 0.0 {
            scored_against.add_edge(first, second, ());
        }
        if meeting.tally.reversed().points() > 0.0 {
            scored_against.add_edge(second, first, ());
        }
    }
    let mut sets: Vec<Vec<usize>> = kosaraju_scc(&scored_against)
        .into_iter()
        .map(|set| {
            let mut bots: Vec<usize> = set.into_iter().map(NodeIndex::index).collect();
            bots.sort_unstable();
            bots
        })
        .collect();
    let mut set_of = vec![0; bots];
    for (number, set) in sets.iter().enumerate() {
        for &bot in set {
            set_of[bot] = number;
        }
    }
    let mut games = vec![0; sets.len()];
    for meeting in meetings.iter().filter(|meeting| set_of[meeting.first] == set_of[meeting.second]) {
        games[set_of[meeting.first]] += meeting.tally.games();
    }
    sets.sort_by_key(|set| (Reverse(set.len()), Reverse(games[set_of[set[0]]]), set[0]));
    sets
}

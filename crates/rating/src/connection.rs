//! The groups of bots connected by games, and the sets whose results allow finite ratings.

use std::cmp::Reverse;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;

use super::dataset::{Dataset, Duel, Seating};
use super::score::Score;

/// Returns the sets of bots connected by games, the largest first, those of one size by their first bot.
/// Their bots are sorted; bots without games are in no set.
pub(super) fn groups(dataset: &Dataset, duels: &[Duel]) -> Vec<Vec<usize>> {
    let mut sets = UnionFind::<usize>::new(dataset.entrants.len());
    for duel in duels {
        sets.union(duel.first as usize, duel.second as usize);
    }
    for (table, _) in dataset.tables() {
        let mut bots = table.bots();
        let first = bots.next().expect("somebody plays");
        bots.for_each(|bot| {
            sets.union(first, bot);
        });
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

/// Returns the sets of bots in which every two exchanged points in both directions, directly or through
/// others: the largest first, those of one size by the number of games within them, then by their first bot.
///
/// Maximum-likelihood ratings exist and are finite if and only if there is only one set: however the bots are
/// divided in two, some bot on either side took at least half a point from one on the other. L. R. Ford,
/// "Solution of a ranking problem from binary comparisons", American Mathematical Monthly 64 (1957); D. R.
/// Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), assumption
/// 1.
///
/// The effects of seats and the parameters of ties are kept finite by other means. Kosaraju's algorithm needs
/// no recursion, and a ladder can form a chain of many thousands of bots.
pub(super) fn comparable_sets(bots: usize, games: &[Meeting]) -> Vec<Vec<usize>> {
    let mut scored_against: DiGraph<(), ()> = DiGraph::with_capacity(bots, 2 * games.len());
    for _ in 0..bots {
        scored_against.add_node(());
    }
    for meeting in games {
        let [first, second] = [meeting.first, meeting.second].map(|bot| NodeIndex::new(bot as usize));
        if meeting.first_scored {
            scored_against.add_edge(first, second, ());
        }
        if meeting.second_scored {
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
    if sets.len() < 2 {
        return sets;
    }
    let mut set_of = vec![0; bots];
    for (number, set) in sets.iter().enumerate() {
        for &bot in set {
            set_of[bot] = number;
        }
    }
    let mut played = vec![0.0; sets.len()];
    for meeting in games {
        let [first, second] = [meeting.first, meeting.second].map(|bot| set_of[bot as usize]);
        if first == second {
            played[first] += meeting.games;
        }
    }
    sets.sort_by(|one, other| {
        let games = |set: &[usize]| played[set_of[set[0]]];
        (other.len().cmp(&one.len()))
            .then_with(|| games(other).total_cmp(&games(one)))
            .then_with(|| one[0].cmp(&other[0]))
    });
    sets
}

/// Games of two bots on any seats, and which of them scored at least half a point.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Meeting {
    pub first: u32,
    pub second: u32,
    pub games: f64,
    pub first_scored: bool,
    pub second_scored: bool,
}

/// Yields all pairs of bots that met, among those with new numbers. A pair can occur more than once.
pub(super) fn meetings<'f>(
    duels: &'f [Duel],
    tables: impl Iterator<Item = (&'f Seating, u64)>,
    renumber: impl Fn(usize) -> Option<u32> + Copy,
) -> impl Iterator<Item = Meeting> {
    let of_duels = duels.iter().filter_map(move |duel| {
        Some(Meeting {
            first: renumber(duel.first as usize)?,
            second: renumber(duel.second as usize)?,
            games: duel.games(),
            first_scored: duel.wins + duel.draws > 0.0,
            second_scored: duel.losses + duel.draws > 0.0,
        })
    });
    let of_tables = tables.flat_map(move |(table, games)| {
        table.pairs().filter_map(move |(one, other, score)| {
            Some(Meeting {
                first: renumber(one.members[0].0 as usize)?,
                second: renumber(other.members[0].0 as usize)?,
                games: games as f64,
                first_scored: score != Score::Loss,
                second_scored: score != Score::Win,
            })
        })
    });
    of_duels.chain(of_tables).filter(|meeting| meeting.first != meeting.second)
}

/// Returns true if all bots are one [comparable set](comparable_sets), as they usually are. It takes one bit
/// of memory for each pair of bots, less than the games of most fields take.
pub(super) fn is_one_set(bots: usize, games: impl Iterator<Item = Meeting>) -> bool {
    let words = bots.div_ceil(64);
    let (mut beaten, mut beaten_by) = (vec![0_u64; bots * words], vec![0_u64; bots * words]);
    let set = |rows: &mut [u64], row: u32, column: u32| {
        rows[row as usize * words + column as usize / 64] |= 1 << (column % 64);
    };
    for Meeting { first, second, first_scored, second_scored, .. } in games {
        if first_scored {
            set(&mut beaten, first, second);
            set(&mut beaten_by, second, first);
        }
        if second_scored {
            set(&mut beaten, second, first);
            set(&mut beaten_by, first, second);
        }
    }
    [beaten, beaten_by].iter().all(|rows| {
        let mut reached = vec![0_u64; words];
        let mut waiting = vec![0_usize];
        reached[0] = 1;
        let mut count = 0;
        while let Some(bot) = waiting.pop() {
            count += 1;
            for (index, word) in rows[bot * words..(bot + 1) * words].iter().enumerate() {
                let mut new = word & !reached[index];
                reached[index] |= new;
                while new != 0 {
                    waiting.push(index * 64 + new.trailing_zeros() as usize);
                    new &= new - 1;
                }
            }
        }
        count == bots
    })
}

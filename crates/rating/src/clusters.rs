//! Clusters of games that are not independent: those of one opening pair, and those that repeat an earlier
//! game move for move.

use petgraph::unionfind::UnionFind;

/// Collects games that may not be independent. Their order does not matter.
#[derive(Clone, Debug, Default)]
pub(super) struct ClusterBuilder {
    /// For each game: the digest of its players, moves and result (0 for none), and its key.
    games: Vec<(u64, u64)>,
    /// The digest of each game's pair (0 for none), up to the last game that belongs to a pair.
    pairs: Vec<u64>,
}

/// A game with its digests; 0 means none.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
struct KnownGame {
    /// The digest of the players, the moves and the result.
    play: u64,
    /// The digest of its pair.
    pair: u64,
    key: u64,
}

/// The reason why games depend on each other.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(super) enum Dependency {
    /// They are the same game repeated, which adds no information.
    Repeat,
    /// They share an opening. Their results show how they depend on each other.
    Pair,
}

/// Games that are not independent.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub(super) struct Cluster {
    pub dependency: Dependency,
    /// The keys of the games, sorted, each with its number of games.
    pub games: Box<[(u64, u64)]>,
}

/// The clusters of all games.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Clusters {
    /// Each distinct cluster with its number of occurrences, in an order that depends only on the keys.
    pub kinds: Vec<(Cluster, u64)>,
    /// The number of games that repeat an earlier one move for move.
    pub repeated: u64,
}

impl ClusterBuilder {
    /// Adds a game: its key, the digest of its pair, and the digest of its players, moves and result.
    pub fn add(&mut self, key: u64, pair: Option<u64>, play: Option<u64>) {
        if let Some(pair) = pair {
            self.pairs.resize(self.games.len(), 0);
            self.pairs.push(pair.max(1));
        }
        self.games.push((play.map_or(0, |play| play.max(1)), key));
    }

    /// Adds all games of another collection, with translated keys.
    pub fn merge(&mut self, other: &ClusterBuilder, translate: impl Fn(u64) -> u64) {
        if !other.pairs.is_empty() {
            self.pairs.resize(self.games.len(), 0);
            self.pairs.extend(&other.pairs);
        }
        self.games.extend(other.games.iter().map(|(play, key)| (*play, translate(*key))));
    }

    /// The clusters of at least two games, with translated keys.
    pub fn clusters(&self, translate: impl Fn(u64) -> u64) -> Clusters {
        if !self.has_clusters() {
            return Clusters::default();
        }
        let pairs = self.pairs.iter().copied().chain(std::iter::repeat(0));
        let mut games: Vec<KnownGame> = (self.games.iter().zip(pairs))
            .map(|((play, key), pair)| KnownGame { play: *play, pair, key: translate(*key) })
            .collect();
        games.sort_unstable();
        let mut sets = UnionFind::<u32>::new(games.len());
        let mut repeated = 0;
        for (index, two) in games.windows(2).enumerate() {
            if two[0].play == two[1].play && two[0].play != 0 {
                sets.union(index as u32, index as u32 + 1);
                repeated += 1;
            }
        }
        let mut paired: Vec<u32> =
            (0..games.len() as u32).filter(|index| games[*index as usize].pair != 0).collect();
        paired.sort_unstable_by_key(|index| (games[*index as usize].pair, *index));
        for two in paired.windows(2) {
            if games[two[0] as usize].pair == games[two[1] as usize].pair {
                sets.union(two[0], two[1]);
            }
        }
        Clusters { kinds: counted(clusters(&games, sets)), repeated }
    }

    /// Returns true if there may be clusters. This takes less memory than finding them.
    fn has_clusters(&self) -> bool {
        if !self.pairs.is_empty() {
            return true;
        }
        let mut plays: Vec<u64> =
            self.games.iter().map(|(play, _)| *play).filter(|play| *play != 0).collect();
        plays.sort_unstable();
        plays.windows(2).any(|two| two[0] == two[1])
    }
}

/// Returns each distinct cluster with its number of occurrences.
fn counted(mut clusters: Vec<Cluster>) -> Vec<(Cluster, u64)> {
    clusters.sort_unstable();
    let mut counted: Vec<(Cluster, u64)> = Vec::new();
    for cluster in clusters {
        match counted.last_mut() {
            Some((last, times)) if *last == cluster => *times += 1,
            _ => counted.push((cluster, 1)),
        }
    }
    counted
}

/// Makes a cluster of each set of at least two games.
fn clusters(games: &[KnownGame], sets: UnionFind<u32>) -> Vec<Cluster> {
    let labelled = sets.into_labeling().into_iter().zip(games);
    let mut members: Vec<(u32, u64, bool)> =
        labelled.map(|(label, game)| (label, game.key, game.pair != 0)).collect();
    members.sort_unstable();
    (members.chunk_by(|one, other| one.0 == other.0))
        .filter(|members| members.len() > 1)
        .map(|members| {
            let is_paired = members.iter().any(|(.., paired)| *paired);
            let kinds = members.chunk_by(|one, other| one.1 == other.1);
            Cluster {
                dependency: if is_paired { Dependency::Pair } else { Dependency::Repeat },
                games: kinds.map(|kind| (kind[0].1, kind.len() as u64)).collect(),
            }
        })
        .collect()
}

//! Which games say less together than as many others: those of one opening
//! pair, and those that were played before, move for move.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A bundle's number.
type Number = u32;

/// Marks the number of a bundle where the code of a game could stand too. No code has this bit.
const BUNDLE: u64 = 1 << 62;

type ByDigest<T> = HashMap<u64, T, BuildHasherDefault<AsItIs>>;

/// Collects games that are not independent, in the order in which they come.
#[derive(Clone, Debug, Default)]
pub(super) struct Bundler {
    by_pair: ByDigest<Number>,
    /// The code of the only game of these moves so far, or a bundle.
    by_play: ByDigest<u64>,
    /// For each bundle one that it belongs to, itself if to no other.
    parents: Vec<Number>,
    /// For each bundle what ties its games together.
    ties: Vec<Tie>,
    games: Vec<(Number, u64)>,
    repeated: u64,
}

/// What ties games together.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(super) enum Tie {
    /// They are the same game again: the second says nothing new.
    Repeat,
    /// The same opening: what they say together is to be seen from the results.
    Pair,
}

/// Games that are not independent.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub(super) struct Bundle {
    pub tie: Tie,
    /// The games' codes, sorted, each with how often it is there.
    pub games: Box<[(u64, u64)]>,
}

impl Bundler {
    /// Takes the next game: its code, the digest of its pair, and that of who
    /// played what and how it ended.
    pub fn add(&mut self, code: u64, pair: Option<u64>, play: Option<u64>) {
        let own = pair.map(|pair| self.of_pair(pair));
        let number = match play {
            Some(play) => self.of_play(play, code, own),
            None => own,
        };
        self.games.extend(number.map(|number| (number, code)));
    }

    fn of_pair(&mut self, pair: u64) -> Number {
        if let Some(number) = self.by_pair.get(&pair) {
            return *number;
        }
        let number = self.new_bundle(Tie::Pair);
        self.by_pair.insert(pair, number);
        number
    }

    /// The bundle of a game that may have been played before.
    fn of_play(&mut self, play: u64, code: u64, own: Option<Number>) -> Option<Number> {
        let Some(seen) = self.by_play.get(&play).copied() else {
            self.by_play.insert(play, own.map_or(code, |number| BUNDLE | u64::from(number)));
            return own;
        };
        self.repeated += 1;
        if seen & BUNDLE == 0 {
            let number = own.unwrap_or_else(|| self.new_bundle(Tie::Repeat));
            self.by_play.insert(play, BUNDLE | u64::from(number));
            self.games.push((number, seen));
            return Some(number);
        }
        let seen = (seen & !BUNDLE) as Number;
        if let Some(own) = own {
            self.join(own, seen);
        }
        Some(seen)
    }

    fn new_bundle(&mut self, tie: Tie) -> Number {
        let number = Number::try_from(self.parents.len()).expect("memory ends before 2^32 bundles");
        self.parents.push(number);
        self.ties.push(tie);
        number
    }

    fn join(&mut self, one: Number, other: Number) {
        let (one, other) = (root(&mut self.parents, one), root(&mut self.parents, other));
        self.parents[one as usize] = other;
        self.ties[other as usize] = self.ties[one as usize].max(self.ties[other as usize]);
    }

    /// Takes all games of another collection, whose codes mean something else here.
    pub fn merge(&mut self, other: &Bundler, code: impl Fn(u64) -> u64) {
        let first = self.parents.len() as Number;
        self.parents.extend(other.parents.iter().map(|parent| parent + first));
        self.ties.extend(&other.ties);
        self.games.extend(other.games.iter().map(|(number, own)| (number + first, code(*own))));
        for (pair, number) in &other.by_pair {
            match self.by_pair.get(pair).copied() {
                Some(known) => self.join(number + first, known),
                None => {
                    self.by_pair.insert(*pair, number + first);
                }
            }
        }
        self.repeated += other.repeated;
        for (&play, &theirs) in &other.by_play {
            let theirs = if theirs & BUNDLE == 0 { code(theirs) } else { theirs + u64::from(first) };
            match self.by_play.get(&play).copied() {
                None => {
                    self.by_play.insert(play, theirs);
                }
                Some(ours) => {
                    self.repeated += 1;
                    let number = self.same_play(ours, theirs);
                    self.by_play.insert(play, BUNDLE | u64::from(number));
                }
            }
        }
    }

    /// Puts two games, or the bundles that they are in, into one bundle.
    fn same_play(&mut self, one: u64, other: u64) -> Number {
        let [one, other] = [one, other].map(|seen| match seen & BUNDLE {
            0 => Err(seen),
            _ => Ok((seen & !BUNDLE) as Number),
        });
        match (one, other) {
            (Ok(one), Ok(other)) => {
                self.join(one, other);
                one
            }
            (Ok(number), Err(code)) | (Err(code), Ok(number)) => {
                self.games.push((number, code));
                number
            }
            (Err(one), Err(other)) => {
                let number = self.new_bundle(Tie::Repeat);
                self.games.extend([(number, one), (number, other)]);
                number
            }
        }
    }

    /// How many games were played before, move for move.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The bundles of more than one game, each kind once with its number, in
    /// an order that depends on the codes only.
    pub fn bundles(&self, code: impl Fn(u64) -> u64) -> Vec<(Bundle, u64)> {
        let mut parents = self.parents.clone();
        let mut games: Vec<(Number, u64)> =
            self.games.iter().map(|(number, own)| (root(&mut parents, *number), code(*own))).collect();
        games.sort_unstable();
        let mut bundles: Vec<Bundle> = (games.chunk_by(|one, other| one.0 == other.0))
            .filter(|games| games.len() > 1)
            .map(|games| {
                let kinds = games.chunk_by(|one, other| one.1 == other.1);
                Bundle {
                    tie: self.ties[games[0].0 as usize],
                    games: kinds.map(|kind| (kind[0].1, kind.len() as u64)).collect(),
                }
            })
            .collect();
        bundles.sort_unstable();
        let mut counted: Vec<(Bundle, u64)> = Vec::new();
        for bundle in bundles {
            match counted.last_mut() {
                Some((last, times)) if *last == bundle => *times += 1,
                _ => counted.push((bundle, 1)),
            }
        }
        counted
    }
}

/// The bundle that stands for all that were joined with this one.
fn root(parents: &mut [Number], mut number: Number) -> Number {
    while parents[number as usize] != number {
        let above = parents[parents[number as usize] as usize];
        parents[number as usize] = above;
        number = above;
    }
    number
}

/// Spreads the bits of a number over all of it (the finalizer of SplitMix64).
pub(super) fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Keys that are digests already need no hashing.
#[derive(Copy, Clone, Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = mixed(self.0 ^ u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

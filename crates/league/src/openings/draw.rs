//! The choice of the opening for each game.
//!
//! It depends only on the entrants that meet, the number of their encounter and the master seed: more bots and more
//! rounds change no game's opening.

use sha2::{Digest, Sha256};

use super::{Opening, Openings, Order};
use crate::file::Tournament;
use crate::schedule::Pairing;
use linesman_types::random::scatter;

/// Chooses the openings of the games of a tournament.
#[derive(Clone, Debug)]
pub struct Drawer {
    openings: Openings,
    /// The entrants' names in the tournament's order.
    names: Vec<String>,
    seed: u64,
}

/// The start of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Drawn<'d> {
    /// The opening.
    pub opening: &'d Opening,
    /// The key of the encounter, the same for all its games: the names of its entrants in order, joined by
    /// `~`, then `#` and the number of the encounter: `greedy~random#1`.
    pub pair: String,
}

impl Drawer {
    /// The drawer for the games of this tournament; `None` if they start as usual.
    pub fn of(tournament: &Tournament) -> Option<Drawer> {
        let names = tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        Some(Drawer::new(tournament.openings.clone()?, names, tournament.seed))
    }

    /// The drawer for games of entrants with these names.
    pub(crate) fn new(openings: Openings, names: Vec<String>, seed: u64) -> Drawer {
        Drawer { openings, names, seed }
    }

    /// The start of a game of the tournament's schedule.
    pub fn draw(&self, pairing: &Pairing) -> Drawn<'_> {
        let who = self.who(pairing);
        let opening = &self.openings.list[self.index(&who, pairing.encounter)];
        Drawn { opening, pair: format!("{who}#{}", pairing.encounter) }
    }

    /// The index in the list of the opening of a game of the tournament's schedule.
    pub fn place(&self, pairing: &Pairing) -> usize {
        self.index(&self.who(pairing), pairing.encounter)
    }

    /// The names of the entrants of a game, sorted and joined, after the stage of the game.
    fn who(&self, pairing: &Pairing) -> String {
        let mut names: Vec<&str> =
            pairing.entrants.values().map(|entrant| self.names[*entrant].as_str()).collect();
        names.sort_unstable();
        names.dedup();
        // The part before the bots in an id is a stage with encounters of its own.
        let stage = pairing.id.rfind('/').map_or("", |slash| &pairing.id[..=slash]);
        format!("{stage}{}", names.join("~"))
    }

    /// The index in the list of the opening of an encounter; encounters are numbered from 1.
    fn index(&self, who: &str, encounter: u64) -> usize {
        let length = self.openings.list.len() as u64;
        let (cycle, place) = ((encounter - 1) / length, (encounter - 1) % length);
        let place = match self.openings.order {
            Order::Sequential => place,
            Order::Random => {
                // In each cycle, every opening is used once before any is used again.
                let digest = Sha256::digest(format!("{}:{who}:{cycle}", self.seed).as_bytes());
                shuffled(place, length, digest.into())
            }
        };
        usize::try_from(place).expect("a list's places are numbers of its length")
    }
}

/// The destination of a place when the first `places` places are shuffled, without a list of them: a Feistel
/// network on the least even number of bits that holds them all, repeated while it leads outside (cycle
/// walking; Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
fn shuffled(place: u64, places: u64, key: [u8; 32]) -> u64 {
    let half = (u64::BITS - (places - 1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut at = place;
    loop {
        let (mut left, mut right) = (at >> half, at & mask);
        for word in key.chunks_exact(8) {
            let word = word.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
            (left, right) = (right, left ^ (scatter(right ^ word) & mask));
        }
        at = left << half | right;
        if at < places {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_takes_every_place_once_and_not_all_alike() {
        let mut orders = std::collections::BTreeSet::new();
        for places in [1, 2, 3, 5, 16, 17, 100, 1_000] {
            for key in 0..20_u8 {
                let key: [u8; 32] = Sha256::digest([key]).into();
                let order: Vec<u64> = (0..places).map(|place| shuffled(place, places, key)).collect();
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..places).collect::<Vec<_>>());
                orders.insert(order);
            }
        }
        // One place can have one order, two can have two, three can have six.
        assert!(orders.len() > 5 * 20, "{}", orders.len());
    }

    #[test]
    fn every_place_can_come_first() {
        let firsts: std::collections::BTreeSet<u64> =
            (0..200_u8).map(|key| shuffled(0, 7, Sha256::digest([key]).into())).collect();
        assert_eq!(firsts.len(), 7);
    }
}

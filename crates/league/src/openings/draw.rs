//! The choice of the opening for each game.
//!
//! It depends only on the list of openings, the entrants that meet, the number of their encounter and the master seed:
//! additional bots and rounds change no game's opening.

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

/// The opening that was drawn for a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Drawn<'d> {
    pub opening: &'d Opening,
    /// The key of the encounter, the same for all of its games: the sorted names of its entrants, joined by `~`, then
    /// `#` and the number of the encounter: `greedy~random#1`.
    pub pair: String,
}

impl Drawer {
    /// Creates the drawer of a tournament; `None` if its games start from the usual position.
    pub fn of(tournament: &Tournament) -> Option<Drawer> {
        let names = tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        Some(Drawer::new(tournament.openings.clone()?, names, tournament.seed))
    }

    pub(crate) fn new(openings: Openings, names: Vec<String>, seed: u64) -> Drawer {
        Drawer { openings, names, seed }
    }

    /// Draws the opening of a game of the tournament's schedule.
    pub fn draw(&self, pairing: &Pairing) -> Drawn<'_> {
        let meeting = self.meeting(pairing);
        let opening = &self.openings.list[self.index(&meeting, pairing.encounter)];
        Drawn { opening, pair: format!("{meeting}#{}", pairing.encounter) }
    }

    /// Returns the index, in the list of openings, of the opening of a game of the tournament's schedule.
    pub fn place(&self, pairing: &Pairing) -> usize {
        self.index(&self.meeting(pairing), pairing.encounter)
    }

    /// Returns the stage of a game and the names of its entrants, sorted and joined.
    fn meeting(&self, pairing: &Pairing) -> String {
        let mut names: Vec<&str> =
            pairing.entrants.values().map(|entrant| self.names[*entrant].as_str()).collect();
        names.sort_unstable();
        names.dedup();
        // The part of an id before the bots is a stage with its own encounters.
        let stage = pairing.id.rfind('/').map_or("", |slash| &pairing.id[..=slash]);
        format!("{stage}{}", names.join("~"))
    }

    /// Returns the index, in the list of openings, of the opening of an encounter; encounters are numbered from 1.
    fn index(&self, meeting: &str, encounter: u64) -> usize {
        let length = self.openings.list.len() as u64;
        let (cycle, place) = ((encounter - 1) / length, (encounter - 1) % length);
        let place = match self.openings.order {
            Order::Sequential => place,
            Order::Random => {
                // In each cycle, every opening is used once before any is used again.
                let digest = Sha256::digest(format!("{}:{meeting}:{cycle}", self.seed).as_bytes());
                shuffled(place, length, digest.into())
            }
        };
        usize::try_from(place).expect("a list's places are numbers of its length")
    }
}

/// Returns the destination of a place when `places` places are shuffled, without a list of them: a Feistel network on
/// the smallest even number of bits that can hold all places, repeated while it leads outside (cycle walking; Black
/// and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
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
    fn shuffles_are_permutations_and_differ() {
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
        // The shortest lists have only 1, 2 and 6 orders.
        assert!(orders.len() > 5 * 20, "{}", orders.len());
    }

    #[test]
    fn every_place_can_come_first() {
        let firsts: std::collections::BTreeSet<u64> =
            (0..200_u8).map(|key| shuffled(0, 7, Sha256::digest([key]).into())).collect();
        assert_eq!(firsts.len(), 7);
    }
}

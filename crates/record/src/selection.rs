//! The choice of the records that count when a game has several.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::identity_hasher::IdentityHasher;
use crate::outcome::{Ended, Outcome};
use linesman_types::random::digest;

/// The verdict on a record: it counts, or the reason why it does not.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Standing {
    /// It is the game's record.
    Counts,
    /// The game was void because of the host, and is played again.
    ToBeReplayed,
    /// An earlier record of the same game counts.
    Duplicate,
}

/// Decides record by record which ones count: the first one of each game that is not void because of the
/// host.
///
/// A game is its id within its league. For ids that differ only in the number at their end, such as
/// `greedy~random~7` and `greedy~random~8`, sixteen bytes hold 64 games; an id of another form takes sixteen
/// bytes by itself.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The key is a digest of everything but the last six bits of the number; the value has a bit for each
    /// combination of these.
    seen: HashMap<u64, u64, BuildHasherDefault<IdentityHasher>>,
    games: usize,
    duplicates: u64,
    to_be_replayed: u64,
}

impl Selection {
    /// Decides whether this record counts. Call it once for each record, in order.
    pub fn judge(&mut self, outcome: &Outcome<'_>) -> Standing {
        self.judge_game(outcome.league.as_deref(), &outcome.id, &outcome.result)
    }

    /// Does the same for a record of which only the league, the id and the result are known.
    pub fn judge_game(&mut self, league: Option<&str>, id: &str, result: &Ended) -> Standing {
        if *result == Ended::VoidHost {
            self.to_be_replayed += 1;
            return Standing::ToBeReplayed;
        }
        let (block, bit) = place(league, id);
        let seen = self.seen.entry(block).or_default();
        if *seen & bit == 0 {
            *seen |= bit;
            self.games += 1;
            return Standing::Counts;
        }
        self.duplicates += 1;
        Standing::Duplicate
    }

    /// The number of games that count so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The number of records that did not count because an earlier one does.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// The number of records of games that are to be played again.
    pub fn to_be_replayed(&self) -> u64 {
        self.to_be_replayed
    }
}

/// The place of a game: a block, and the game's bit in it.
fn place(league: Option<&str>, id: &str) -> (u64, u64) {
    let digits = id.bytes().rev().take_while(u8::is_ascii_digit).count();
    // No more digits than fit into a number, and no leading zeros, which would be lost.
    let number = id[id.len() - digits.min(18)..].trim_start_matches('0');
    let rest = &id[..id.len() - number.len()];
    let number: u64 = number.parse().unwrap_or(0);
    (block_digest(league, rest, number / 64), 1 << (number % 64))
}

/// A digest of the part that the games of a block share. Among ten million different blocks the probability that two
/// have the same digest is one in 370,000.
fn block_digest(league: Option<&str>, rest: &str, number: u64) -> u64 {
    let of_league = digest(u64::from(league.is_some()), league.unwrap_or_default().as_bytes());
    digest(of_league ^ number.rotate_left(32), rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_game_has_a_place_of_its_own() {
        let mut ids: Vec<String> = [
            "",
            "0",
            "00",
            "1",
            "01",
            "001",
            "10",
            "100",
            "a",
            "a0",
            "a00",
            "a1",
            "a01",
            "aa",
            "12345678",
            "123456789",
            "12345678\0",
            "18446744073709551615",
            "118446744073709551615",
            "1000000000000000000",
            "10000000000000000000",
            "r1/ada~bob~1",
            "r2/ada~bob~1",
            "ada1",
            "ada~1~2",
            "ada~12",
            "\u{663}1",
        ]
        .map(str::to_owned)
        .to_vec();
        ids.extend((1..2_000).map(|number| format!("ada~bob~{number}")));
        ids.extend((0..2_000).map(|number| format!("bot{number:04}~bot{:04}~1", number + 1)));
        let leagues = [None, Some(""), Some("a"), Some("ada~bob~1")];
        let places: HashSet<(u64, u64)> =
            leagues.iter().flat_map(|league| ids.iter().map(|id| place(*league, id))).collect();
        assert_eq!(places.len(), leagues.len() * ids.len());
        let blocks: HashSet<u64> =
            (1..64).map(|number| place(None, &format!("ada~bob~{number}")).0).collect();
        assert_eq!(blocks.len(), 1);
    }
}

//! The seats of bots that meet, from round to round.
//!
//! The seating of the first round depends only on the names of the bots that meet, so that neither other bots nor
//! their order in the file change a game that has been played.

use arrayvec::ArrayVec;
use sha2::{Digest, Sha256};

use linesman_types::seat::{BySeat, MAX_SEATS};

/// Indices of entrants or bots in the order of their seats.
pub(super) type SeatNumbers = ArrayVec<usize, MAX_SEATS>;

/// The circular orders of three bots, as indices into their sorted names. The second is the reverse of the first.
const THREE: [&[usize]; 2] = [&[0, 1, 2], &[0, 2, 1]];

/// The circular orders of four bots. Each is followed by its reverse.
const FOUR: [&[usize]; 6] =
    [&[0, 1, 2, 3], &[0, 3, 2, 1], &[0, 2, 1, 3], &[0, 3, 1, 2], &[0, 1, 3, 2], &[0, 2, 3, 1]];

/// Returns all pairs of these entrants, each once.
pub(super) fn pairs(entrants: &[usize]) -> impl Iterator<Item = [usize; 2]> + '_ {
    let others = |index: usize| entrants[index + 1..].iter();
    (0..entrants.len()).flat_map(move |index| others(index).map(move |other| [entrants[index], *other]))
}

/// Returns the number of circular orders at a table with three or four seats.
pub(super) fn orders_of_table(seats: usize) -> u64 {
    if seats == 3 { THREE.len() as u64 } else { FOUR.len() as u64 }
}

/// The seating of three or four bots in each round.
pub(super) struct TableRotation {
    /// The bots in the order of their names.
    bots: SeatNumbers,
    /// The index of the first order, where an order and its reverse count as one.
    first: u64,
    /// 1 to begin with the reverse of that order.
    reversed: u64,
}

impl TableRotation {
    /// Creates the seating of bots. `names` has the names of all bots.
    pub(super) fn of(mut bots: SeatNumbers, names: &[String]) -> TableRotation {
        bots.sort_unstable_by_key(|bot| &names[*bot]);
        let sorted: ArrayVec<&str, MAX_SEATS> = bots.iter().map(|bot| names[*bot].as_str()).collect();
        let digest = Sha256::digest(sorted.join("~").as_bytes());
        TableRotation { bots, first: u64::from(digest[0]) % 3, reversed: u64::from(digest[1]) % 2 }
    }

    /// Returns the bots in seat order, with `first` at seat 1, in a round counted from 0.
    pub(super) fn seated(&self, first: usize, round: u64) -> BySeat<usize> {
        // Reversed in every other round, so that each pair of rounds is balanced.
        let reversed = (round + self.reversed) % 2;
        let order = match self.bots.len() {
            3 => THREE[reversed as usize],
            _ => FOUR[((round / 2 + self.first) % 3 * 2 + reversed) as usize],
        };
        let start = order.iter().position(|index| self.bots[*index] == first).unwrap_or(0);
        BySeat::from_fn(order.len(), |seat| self.bots[order[(start + seat.index()) % order.len()]])
    }
}

/// For each round, true for each team of two whose second member sits first. Over four rounds every member has every
/// seat with every other member at every other seat.
const MEMBERS: [[bool; 2]; 4] = [[false, false], [true, true], [false, true], [true, false]];

/// Returns the number of orders in which the members of two teams can sit, given the team that begins.
pub(super) fn orders_of_members(choices: [bool; 2]) -> u64 {
    choices.into_iter().map(|choice| if choice { 2 } else { 1 }).product()
}

/// Returns true for each team whose members exchange seats in a round, counted from 0.
///
/// `choices` is true for each team with two bots, the team whose name sorts first before the other. In the return game,
/// which the other begins, the choice is inverted.
pub(super) fn exchanges_seats(choices: [bool; 2], round: u64, is_return: bool) -> [bool; 2] {
    let orders = orders_of_members(choices);
    let order = if orders == 4 { MEMBERS[(round % 4) as usize] } else { [!round.is_multiple_of(2); 2] };
    [0, 1].map(|team| choices[team] && order[team] != is_return)
}

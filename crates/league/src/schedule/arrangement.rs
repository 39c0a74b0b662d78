//! The seats of bots that meet, from round to round.
//!
//! The seating of the first round depends only on the names of the bots that meet, so that neither other bots nor
//! their order in the file change a game that has been played.

use arrayvec::ArrayVec;
use sha2::{Digest, Sha256};

use linesman_types::seat::MAX_SEATS;

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
#[derive(Copy, Clone, Debug)]
pub(super) struct TableRotation {
    seats: usize,
    /// The index of the first order, where an order and its reverse count as one.
    first: u64,
    /// 1 to begin with the reverse of that order.
    reversed: u64,
}

impl TableRotation {
    /// Creates the seating of bots with these names, which must be sorted.
    pub(super) fn of(names: &[&str]) -> TableRotation {
        let digest = Sha256::digest(names.join("~").as_bytes());
        TableRotation {
            seats: names.len(),
            first: u64::from(digest[0]) % 3,
            reversed: u64::from(digest[1]) % 2,
        }
    }

    /// Returns the circular order in a round counted from 0, as indices into the sorted names.
    pub(super) fn order(self, round: u64) -> &'static [usize] {
        // Reversed in every other round, so that each pair of rounds is balanced.
        let reversed = (round + self.reversed) % 2;
        if self.seats == 3 {
            THREE[reversed as usize]
        } else {
            FOUR[((round / 2 + self.first) % 3 * 2 + reversed) as usize]
        }
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
/// `choices` is true for each team with two bots. In the return game, the choice is inverted.
pub(super) fn exchanges_seats(choices: [bool; 2], round: u64, is_return: IsReturn) -> [bool; 2] {
    let orders = orders_of_members(choices);
    let order = if orders == 4 { MEMBERS[(round % 4) as usize] } else { [!round.is_multiple_of(2); 2] };
    let inverted = is_return == IsReturn::Yes;
    [choices[0] && order[0] != inverted, choices[1] && order[1] != inverted]
}

/// The first or the second game of two teams.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum IsReturn {
    /// The team whose name sorts first begins.
    No,
    /// The other team begins.
    Yes,
}

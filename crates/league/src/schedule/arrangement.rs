//! The seating of bots that meet, from round to round.
//!
//! The arrangement of the first round depends only on the names of the bots that meet, so that neither other bots nor
//! the order of the file change a game that has been played.

use arrayvec::ArrayVec;
use sha2::{Digest, Sha256};

use linesman_types::seat::MAX_SEATS;

/// Numbers of entrants or of bots in the order of their seats.
pub(super) type SeatNumbers = ArrayVec<usize, MAX_SEATS>;

/// The ways in which three bots can sit round a table: their order, as positions in the order of their names. The
/// second is the reverse of the first.
const THREE: [&[usize]; 2] = [&[0, 1, 2], &[0, 2, 1]];

/// The same for four. Each way is followed by its reverse.
const FOUR: [&[usize]; 6] =
    [&[0, 1, 2, 3], &[0, 3, 2, 1], &[0, 2, 1, 3], &[0, 3, 1, 2], &[0, 1, 3, 2], &[0, 2, 3, 1]];

/// The pairs of these, each once.
pub(super) fn pairs(entrants: &[usize]) -> impl Iterator<Item = [usize; 2]> + '_ {
    let others = |number: usize| entrants[number + 1..].iter();
    (0..entrants.len()).flat_map(move |number| others(number).map(move |other| [entrants[number], *other]))
}

/// Number of ways to sit round a table with this number of seats.
pub(super) fn ways(seats: usize) -> u64 {
    if seats == 3 { THREE.len() as u64 } else { FOUR.len() as u64 }
}

/// The seating of three or four bots in each round.
#[derive(Copy, Clone, Debug)]
pub(super) struct RoundTheTable {
    seats: usize,
    /// The first way, where a way and its reverse count as one.
    turn: u64,
    /// 1 to begin with the reverse of that way.
    backwards: u64,
}

impl RoundTheTable {
    /// The seating of bots with these names, which must be sorted.
    pub(super) fn of(names: &[&str]) -> RoundTheTable {
        let digest = Sha256::digest(names.join("~").as_bytes());
        RoundTheTable {
            seats: names.len(),
            turn: u64::from(digest[0]) % 3,
            backwards: u64::from(digest[1]) % 2,
        }
    }

    /// The order round the table, as positions in the order of the names, in a round counted from 0.
    pub(super) fn way(self, round: u64) -> &'static [usize] {
        // Reversed in every other round, so that each pair of rounds is balanced.
        let backwards = (round + self.backwards) % 2;
        if self.seats == 3 {
            THREE[backwards as usize]
        } else {
            FOUR[((round / 2 + self.turn) % 3 * 2 + backwards) as usize]
        }
    }
}

/// The members of two teams that sit first, where there is a choice: for each round, true for the second
/// member of a team. Over four rounds every member meets every seat with every other member at every other
/// seat.
const MEMBERS: [[bool; 2]; 4] = [[false, false], [true, true], [false, true], [true, false]];

/// Number of ways in which the members of two teams can sit, not counting the team that begins.
pub(super) fn ways_of_members(choices: [bool; 2]) -> u64 {
    choices.into_iter().map(|choice| if choice { 2 } else { 1 }).product()
}

/// True for each team whose members exchange seats in a round, counted from 0.
///
/// `choices` is true for each team with two bots. In the game in which the other team begins (`is_return`), the choice
/// is inverted.
pub(super) fn members_change(choices: [bool; 2], round: u64, is_return: IsReturn) -> [bool; 2] {
    let ways = ways_of_members(choices);
    let way = if ways == 4 { MEMBERS[(round % 4) as usize] } else { [!round.is_multiple_of(2); 2] };
    let flipped = is_return == IsReturn::Yes;
    [choices[0] && way[0] != flipped, choices[1] && way[1] != flipped]
}

/// The first or the second game of two teams.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum IsReturn {
    /// The team whose name comes first begins.
    No,
    /// The other one begins.
    Yes,
}

//! The order of play of one round of a gauntlet, computed without a list. Each table has one challenger; its other
//! entrants belong to the field.
//!
//! A pass contains each table once. A round has one pass per seat, and in each pass a different entrant of a table has
//! seat 1.

use super::arrangement::SeatNumbers;
use super::rotations::{greatest_common_divisor, inverse, stride};

/// The entrants that meet at each place of a round.
#[derive(Clone, Debug)]
pub(super) struct Gauntlet {
    sides: usize,
    challengers: Vec<usize>,
    field: Vec<usize>,
    /// The index of each entrant among the challengers or in the field.
    numbers: Vec<usize>,
    pub is_challenger: Vec<bool>,
    /// Number of combinations of opponents from the field that a challenger can meet.
    combinations: u64,
    /// Step between consecutive combinations, which spreads the games of each member of the field.
    stride: u64,
}

/// Returns the number of games in a round; `None` if it overflows.
pub(super) fn games_per_round(challengers: usize, field: usize, sides: usize) -> Option<u64> {
    let combinations = choose(field as u64, sides as u64 - 1)?;
    combinations.checked_mul(challengers as u64)?.checked_mul(sides as u64)
}

/// Returns the number of combinations of `picked` of `total` elements; `None` if it overflows.
fn choose(total: u64, picked: u64) -> Option<u64> {
    let mut combinations: u64 = 1;
    for number in 0..picked {
        // The division leaves no remainder: the result is the number of combinations of `number + 1` elements.
        combinations = combinations.checked_mul(total.checked_sub(number)?)? / (number + 1);
    }
    Some(combinations)
}

impl Gauntlet {
    /// Creates a gauntlet of `entrants` entrants. The challengers must be distinct and leave enough others to fill a
    /// table.
    pub(super) fn new(entrants: usize, challengers: &[usize], sides: usize) -> Gauntlet {
        let mut is_challenger = vec![false; entrants];
        challengers.iter().for_each(|entrant| is_challenger[*entrant] = true);
        let (challengers, field): (Vec<usize>, Vec<usize>) =
            (0..entrants).partition(|entrant| is_challenger[*entrant]);
        let mut numbers = vec![0; entrants];
        for group in [&challengers, &field] {
            group.iter().enumerate().for_each(|(number, entrant)| numbers[*entrant] = number);
        }
        let combinations = choose(field.len() as u64, sides as u64 - 1).unwrap_or(0);
        let stride = stride(combinations);
        Gauntlet { sides, challengers, field, numbers, is_challenger, combinations, stride }
    }

    /// Returns the number of games of a round in which an entrant has a given seat; it is the same for all seats.
    pub(super) fn games_at_a_seat(&self, entrant: usize) -> u64 {
        if self.is_challenger[entrant] {
            return self.combinations;
        }
        // At each table, all entrants except the challenger belong to the field.
        let games_per_challenger = self.combinations * (self.sides as u64 - 1) / self.field.len() as u64;
        games_per_challenger * self.challengers.len() as u64
    }

    fn games_per_pass(&self) -> u64 {
        self.combinations * self.challengers.len() as u64
    }

    /// Returns the entrants that meet at a place of the round, with seat 1 first.
    pub(super) fn meeting_at(&self, place: u64) -> SeatNumbers {
        let (pass, table) = (place / self.games_per_pass(), place % self.games_per_pass());
        let mut members = SeatNumbers::new();
        let shift = if self.sides == 2 {
            let (larger, smaller) = self.pair(table);
            let (challenger, opponent) =
                if self.has_larger_field() { (smaller, larger) } else { (larger, smaller) };
            members.extend([self.challengers[challenger as usize], self.field[opponent as usize]]);
            self.turn(table)
        } else {
            let number = table % self.challengers.len() as u64;
            let step = table / self.challengers.len() as u64;
            // Each challenger begins with a different combination, so that the field is spread among them.
            let combination =
                (u128::from(step + number) * u128::from(self.stride)) % u128::from(self.combinations);
            members.push(self.challengers[number as usize]);
            let opponents = self.combination(combination as u64);
            members.extend(opponents.into_iter().map(|number| self.field[number]));
            step
        };
        members.rotate_left(((shift + pass) % self.sides as u64) as usize);
        members
    }

    /// Returns the place at which these entrants meet with the first of them at seat 1 and the others in any order;
    /// `None` unless exactly one of them is a challenger.
    pub(super) fn place(&self, meeting: &[usize]) -> Option<u64> {
        let mut challengers = meeting.iter().filter(|entrant| self.is_challenger[**entrant]);
        let challenger = *challengers.next()?;
        if challengers.next().is_some() {
            return None;
        }
        let number = self.numbers[challenger];
        let mut others: SeatNumbers = meeting
            .iter()
            .filter(|entrant| **entrant != challenger)
            .map(|other| self.numbers[*other])
            .collect();
        others.sort_unstable();
        let (table, shift) = if self.sides == 2 {
            let (larger, smaller) =
                if self.has_larger_field() { (others[0], number) } else { (number, others[0]) };
            let table = self.table(larger as u64, smaller as u64);
            (table, self.turn(table))
        } else {
            let (combinations, number) = (self.combinations, number as u64);
            let combination = u128::from(self.number_of_combination(&others));
            let position =
                combination * u128::from(inverse(self.stride, combinations)) % u128::from(combinations);
            let step = (position as u64 + combinations - number % combinations) % combinations;
            (step * self.challengers.len() as u64 + number, step)
        };
        // `meeting_at` puts the challenger before the members of the field.
        let first = if meeting[0] == challenger {
            0
        } else {
            1 + others.iter().position(|other| *other == self.numbers[meeting[0]])?
        } as u64;
        let sides = self.sides as u64;
        let pass = (first + sides - shift % sides) % sides;
        Some(pass * self.games_per_pass() + table)
    }

    fn has_larger_field(&self) -> bool {
        self.field.len() > self.challengers.len()
    }

    /// The sizes of the larger and the smaller of the two groups: challengers and field.
    fn group_sizes(&self) -> (u64, u64) {
        let (one, other) = (self.challengers.len() as u64, self.field.len() as u64);
        (one.max(other), one.min(other))
    }

    /// Returns a member of the larger group and one of the smaller group. Both advance by one from game to game, the
    /// smaller group by one more whenever the same pairs would repeat.
    fn pair(&self, table: u64) -> (u64, u64) {
        let (large, small) = self.group_sizes();
        let round_trip = large * small / greatest_common_divisor(large, small);
        (table % large, (table + table / round_trip) % small)
    }

    /// Returns the table at which two members meet: the inverse of [`pair`](Self::pair).
    fn table(&self, larger: u64, smaller: u64) -> u64 {
        let (large, small) = self.group_sizes();
        let common = greatest_common_divisor(large, small);
        let extra = (smaller % common + common - larger % common) % common;
        // Chinese remainder theorem for the larger group's index and the smaller group's index less its extra steps.
        let ahead = (smaller + 2 * small - extra % small - larger % small) % small / common;
        let rounds = ahead * inverse(large / common, small / common) % (small / common);
        larger + large * rounds + extra * (large * small / common)
    }

    /// Returns a number whose parity decides which side begins. As far as possible, it alternates from game to game of
    /// every entrant.
    fn turn(&self, table: u64) -> u64 {
        let (large, small) = self.group_sizes();
        if (large / small).is_multiple_of(2) { table / small + table / large } else { table / small }
    }

    /// Returns the combination with this number, sorted. The largest member follows from the number of combinations
    /// that have only smaller members, and then the others in turn.
    fn combination(&self, mut number: u64) -> SeatNumbers {
        let mut members = SeatNumbers::new();
        let mut limit = self.field.len() as u64;
        for picked in (1..self.sides as u64).rev() {
            let below = |member: u64| choose(member, picked).unwrap_or(u64::MAX);
            // The largest member with at most `number` combinations below it.
            let (mut low, mut high) = (picked - 1, limit - 1);
            while low < high {
                let middle = (low + high).div_ceil(2);
                if below(middle) <= number { low = middle } else { high = middle - 1 }
            }
            number -= below(low);
            limit = low;
            members.push(low as usize);
        }
        members.reverse();
        members
    }

    fn number_of_combination(&self, members: &[usize]) -> u64 {
        let below = |(member, picked): (&usize, u64)| choose(*member as u64, picked).unwrap_or(0);
        members.iter().zip(1..).map(below).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn every_challenger_meets_the_field_from_every_seat_and_places_invert_meetings() {
        for sides in 2..=4 {
            for challengers in 1..=5_usize {
                for field in sides - 1..=8 {
                    let entrants = challengers + field;
                    // The challengers are spread among the others.
                    let indices: Vec<usize> =
                        (0..challengers).map(|number| number * entrants / challengers).collect();
                    let gauntlet = Gauntlet::new(entrants, &indices, sides);
                    let games = games_per_round(challengers, field, sides).expect("it is small");
                    let mut met: BTreeMap<(BTreeSet<usize>, usize), u32> = BTreeMap::new();
                    for place in 0..games {
                        let meeting = gauntlet.meeting_at(place);
                        assert_eq!(meeting.len(), sides);
                        assert_eq!(meeting.iter().filter(|entrant| indices.contains(entrant)).count(), 1);
                        assert_eq!(gauntlet.place(&meeting), Some(place), "{meeting:?}");
                        *met.entry((meeting.iter().copied().collect(), meeting[0])).or_default() += 1;
                    }
                    assert_eq!(met.len() as u64, games, "{challengers} against {field}, {sides} seats");
                    assert!(met.keys().all(|(table, _)| table.len() == sides));
                    assert!(met.values().all(|count| *count == 1));
                }
            }
        }
    }

    #[test]
    fn a_table_without_a_challenger_or_with_two_has_no_place() {
        let gauntlet = Gauntlet::new(6, &[0, 3], 2);
        assert_eq!(gauntlet.place(&[1, 2]), None);
        assert_eq!(gauntlet.place(&[0, 3]), None);
        assert!(gauntlet.place(&[5, 3]).is_some());
    }

    #[test]
    fn seats_and_opponents_are_nearly_balanced_at_any_time() {
        for (challengers, field, sides) in [(1, 9, 2), (3, 8, 2), (9, 4, 2), (2, 8, 3), (1, 9, 4), (3, 7, 4)]
        {
            let indices: Vec<usize> = (0..challengers).collect();
            let gauntlet = Gauntlet::new(challengers + field, &indices, sides);
            let games = games_per_round(challengers, field, sides).expect("it is small");
            let mut first = vec![0_i64; challengers];
            let mut played = vec![0_i64; challengers + field];
            for place in 0..games {
                let meeting = gauntlet.meeting_at(place);
                meeting.iter().for_each(|entrant| played[*entrant] += 1);
                if meeting[0] < challengers {
                    first[meeting[0]] += 1;
                }
                for (began, games) in first.iter().zip(&played) {
                    let fair = *games as f64 / sides as f64;
                    assert!(
                        (*began as f64 - fair).abs() <= 1.5,
                        "{challengers}:{field}, {sides} seats: {began} of {games}"
                    );
                }
                let spread =
                    |group: &[i64]| group.iter().max().unwrap_or(&0) - group.iter().min().unwrap_or(&0);
                assert!(spread(&played[..challengers]) <= 1, "{challengers}:{field}, {sides} seats");
            }
        }
    }
}

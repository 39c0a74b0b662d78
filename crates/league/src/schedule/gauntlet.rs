//! The order of play of one round of a gauntlet, computed without a list. Each table has one challenger; its other
//! entrants belong to the field.
//!
//! A pass contains each table once. A round has as many passes as there are seats, and in each pass a different entrant
//! of a table has seat 1.

use super::arrangement::SeatNumbers;
use super::rotations::{common_divisor, inverse, stride};

/// The entrants that meet at each place of a round.
#[derive(Clone, Debug)]
pub(super) struct Gauntlet {
    sides: usize,
    challengers: Vec<usize>,
    field: Vec<usize>,
    /// The index of each entrant among the challengers or in the field.
    numbers: Vec<usize>,
    is_challenger: Vec<bool>,
    /// Number of different groups from the field that a challenger can meet; such a group is a company.
    companies: u64,
    /// Step between consecutive companies, which spreads the games of each member of the field.
    stride: u64,
}

/// Number of games in a round; `None` if it overflows.
pub(super) fn games_a_round(challengers: usize, field: usize, sides: usize) -> Option<u64> {
    let companies = choose(field as u64, sides as u64 - 1)?;
    companies.checked_mul(challengers as u64)?.checked_mul(sides as u64)
}

/// Number of ways to pick `picked` of `of` elements; `None` if it overflows.
fn choose(of: u64, picked: u64) -> Option<u64> {
    let mut ways: u64 = 1;
    for number in 0..picked {
        // The division leaves no remainder: the result is the number of ways to pick `number + 1` elements.
        ways = ways.checked_mul(of.checked_sub(number)?)? / (number + 1);
    }
    Some(ways)
}

impl Gauntlet {
    /// A gauntlet among `entrants` entrants. The challengers must be different and leave enough others for a
    /// table.
    pub(super) fn new(entrants: usize, challengers: &[usize], sides: usize) -> Gauntlet {
        let mut is_challenger = vec![false; entrants];
        challengers.iter().for_each(|entrant| is_challenger[*entrant] = true);
        let of = |kind: bool| (0..entrants).filter(|entrant| is_challenger[*entrant] == kind).collect();
        let (challengers, field): (Vec<usize>, Vec<usize>) = (of(true), of(false));
        let mut numbers = vec![0; entrants];
        for group in [&challengers, &field] {
            group.iter().enumerate().for_each(|(number, entrant)| numbers[*entrant] = number);
        }
        let companies = choose(field.len() as u64, sides as u64 - 1).unwrap_or(0);
        Gauntlet { sides, challengers, field, numbers, is_challenger, companies, stride: stride(companies) }
    }

    /// True if an entrant is one of the challengers.
    pub(super) fn is_challenger(&self, entrant: usize) -> bool {
        self.is_challenger[entrant]
    }

    /// Number of games of a round in which an entrant has a given seat; it is the same for all seats.
    pub(super) fn games_at_a_seat(&self, entrant: usize) -> u64 {
        if self.is_challenger(entrant) {
            return self.companies;
        }
        // At each table all except the challenger belong to the field.
        let own = self.companies * (self.sides as u64 - 1) / self.field.len() as u64;
        own * self.challengers.len() as u64
    }

    fn games_a_pass(&self) -> u64 {
        self.companies * self.challengers.len() as u64
    }

    /// The entrants that meet at a place of the round, with seat 1 first.
    pub(super) fn meeting_at(&self, place: u64) -> SeatNumbers {
        let (pass, table) = (place / self.games_a_pass(), place % self.games_a_pass());
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
            // Each challenger begins at a different company, so that the field is spread among them.
            let company = (u128::from(step + number) * u128::from(self.stride)) % u128::from(self.companies);
            members.push(self.challengers[number as usize]);
            members.extend(self.company(company as u64).into_iter().map(|number| self.field[number]));
            step
        };
        members.rotate_left(((shift + pass) % self.sides as u64) as usize);
        members
    }

    /// The place at which these entrants meet with the first of them at seat 1 and the others in any order; `None` if
    /// they do not have exactly one challenger.
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
            let company = u128::from(self.number_of_company(&others));
            let at = company * u128::from(inverse(self.stride, self.companies)) % u128::from(self.companies);
            let step = (at as u64 + self.companies - number as u64 % self.companies) % self.companies;
            (step * self.challengers.len() as u64 + number as u64, step)
        };
        // The members in their order: the challenger, then those of the field.
        let first = if meeting[0] == challenger {
            0
        } else {
            1 + others.iter().position(|other| *other == self.numbers[meeting[0]])?
        } as u64;
        let sides = self.sides as u64;
        let pass = (first + sides - shift % sides) % sides;
        Some(pass * self.games_a_pass() + table)
    }

    fn has_larger_field(&self) -> bool {
        self.field.len() > self.challengers.len()
    }

    /// With two sides: the sizes of the larger and the smaller of the two groups, challengers and field.
    fn groups(&self) -> (u64, u64) {
        let (one, other) = (self.challengers.len() as u64, self.field.len() as u64);
        (one.max(other), one.min(other))
    }

    /// The pair of a member of the larger group and one of the smaller group. Both advance by one from game
    /// to game, the smaller group by one more whenever the same pairs would repeat.
    fn pair(&self, table: u64) -> (u64, u64) {
        let (large, small) = self.groups();
        let round_trip = large * small / common_divisor(large, small);
        (table % large, (table + table / round_trip) % small)
    }

    /// The table at which two members meet: the inverse of [`pair`](Self::pair).
    fn table(&self, larger: u64, smaller: u64) -> u64 {
        let (large, small) = self.groups();
        let common = common_divisor(large, small);
        let extra = (smaller % common + common - larger % common) % common;
        // Chinese remainders: the larger group's count, and the smaller group's count less its extra steps.
        let ahead = (smaller + 2 * small - extra % small - larger % small) % small / common;
        let rounds = ahead * inverse(large / common, small / common) % (small / common);
        larger + large * rounds + extra * (large * small / common)
    }

    /// A number whose parity decides who begins. It alternates from game to game of every entrant, as far as possible.
    fn turn(&self, table: u64) -> u64 {
        let (large, small) = self.groups();
        if (large / small).is_multiple_of(2) { table / small + table / large } else { table / small }
    }

    /// The company with a number, sorted. The largest member follows from the number of companies that have only
    /// smaller members, and then the others in turn.
    fn company(&self, number: u64) -> SeatNumbers {
        let mut rest = number;
        let mut members = SeatNumbers::new();
        let mut limit = self.field.len() as u64;
        for picked in (1..self.sides as u64).rev() {
            let below = |member: u64| choose(member, picked).unwrap_or(u64::MAX);
            // The last member whose number of companies below does not exceed the rest.
            let (mut low, mut high) = (picked - 1, limit - 1);
            while low < high {
                let middle = (low + high).div_ceil(2);
                if below(middle) <= rest { low = middle } else { high = middle - 1 }
            }
            rest -= below(low);
            limit = low;
            members.push(low as usize);
        }
        members.reverse();
        members
    }

    fn number_of_company(&self, members: &[usize]) -> u64 {
        let below = |(member, picked): (&usize, u64)| choose(*member as u64, picked).unwrap_or(0);
        members.iter().zip(1..).map(below).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn every_challenger_meets_the_field_from_every_seat_and_every_table_has_its_place() {
        for sides in 2..=4 {
            for challengers in 1..=5_usize {
                for field in sides - 1..=8 {
                    let entrants = challengers + field;
                    // Challengers may be anywhere among the others.
                    let own: Vec<usize> =
                        (0..challengers).map(|number| number * entrants / challengers).collect();
                    let gauntlet = Gauntlet::new(entrants, &own, sides);
                    let games = games_a_round(challengers, field, sides).expect("it is small");
                    let mut met: BTreeMap<(BTreeSet<usize>, usize), u32> = BTreeMap::new();
                    for place in 0..games {
                        let meeting = gauntlet.meeting_at(place);
                        assert_eq!(meeting.len(), sides);
                        assert_eq!(meeting.iter().filter(|entrant| own.contains(entrant)).count(), 1);
                        assert_eq!(gauntlet.place(&meeting), Some(place), "{meeting:?}");
                        *met.entry((meeting.iter().copied().collect(), meeting[0])).or_default() += 1;
                    }
                    assert_eq!(met.len() as u64, games, "{challengers} against {field}, {sides} seats");
                    assert!(met.keys().all(|(table, _)| table.len() == sides));
                    assert!(met.values().all(|times| *times == 1));
                }
            }
        }
    }

    #[test]
    fn a_table_without_a_challenger_or_with_two_is_none() {
        let gauntlet = Gauntlet::new(6, &[0, 3], 2);
        assert_eq!(gauntlet.place(&[1, 2]), None);
        assert_eq!(gauntlet.place(&[0, 3]), None);
        assert!(gauntlet.place(&[5, 3]).is_some());
    }

    #[test]
    fn at_any_time_seats_and_opponents_are_about_even() {
        for (challengers, field, sides) in [(1, 9, 2), (3, 8, 2), (9, 4, 2), (2, 8, 3), (1, 9, 4), (3, 7, 4)]
        {
            let own: Vec<usize> = (0..challengers).collect();
            let gauntlet = Gauntlet::new(challengers + field, &own, sides);
            let games = games_a_round(challengers, field, sides).expect("it is small");
            let mut first = vec![0_i64; challengers];
            let mut played = vec![0_i64; challengers + field];
            for place in 0..games {
                let meeting = gauntlet.meeting_at(place);
                meeting.iter().for_each(|entrant| played[*entrant] += 1);
                if meeting[0] < challengers {
                    first[meeting[0]] += 1;
                }
                for (began, all) in first.iter().zip(&played) {
                    let fair = *all as f64 / sides as f64;
                    assert!(
                        (*began as f64 - fair).abs() <= 1.5,
                        "{challengers}:{field}, {sides} seats: {began} of {all}"
                    );
                }
                let spread =
                    |group: &[i64]| group.iter().max().unwrap_or(&0) - group.iter().min().unwrap_or(&0);
                assert!(spread(&played[..challengers]) <= 1, "{challengers}:{field}, {sides} seats");
            }
        }
    }
}

//! The entrants of a schedule, their seating and the ids of their games.

use std::collections::HashMap;

use super::arrangement::{self, SeatNumbers, TableRotation};
use super::{Pairing, game_id, game_seed};
use crate::file::Entrant;
use linesman_types::seat::{BySeat, MAX_SEATS, Seat, Side, Teams};

/// The entrants, and the teams of their games.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub names: Vec<String>,
    by_name: HashMap<String, usize>,
    pub entrants: Vec<Entrant>,
    /// The entrant of each bot, if every bot plays for itself.
    pub of_bot: Vec<usize>,
    /// The entrant of each set of bots, by their sorted indices.
    of_team: HashMap<Vec<usize>, usize>,
    pub teams: Teams,
    master_seed: u64,
}

/// The numbers that distinguish a game from the others of the same entrants.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Numbered<'p> {
    /// Its place in the order of play.
    pub index: u64,
    /// The part of its id before the names.
    pub prefix: &'p str,
    /// The round that determines the seats, counted from 0.
    pub round: u64,
    /// The number of this round among those with this prefix, counted from 0.
    pub round_of_prefix: u64,
    /// The number of its encounter among those of these entrants, from 1.
    pub encounter: u64,
}

impl Field {
    /// Creates a field of entrants, each of which consists of one or more of the named bots.
    ///
    /// # Panics
    /// If no table can have this number of seats, or if an entrant has an unknown bot.
    pub(super) fn new(
        names: Vec<String>,
        mut entrants: Vec<Entrant>,
        teams: &Teams,
        master_seed: u64,
    ) -> Field {
        assert!((2..=MAX_SEATS).contains(&teams.seats()), "no table has {} seats", teams.seats());
        // Games must not depend on the order of a team's bots in the file.
        for entrant in &mut entrants {
            entrant.bots.sort_unstable_by_key(|bot| &names[*bot]);
        }
        let mut of_bot = vec![0; names.len()];
        for (index, entrant) in entrants.iter().enumerate() {
            entrant.bots.iter().for_each(|bot| of_bot[*bot] = index);
        }
        let of_team = |(index, entrant): (usize, &Entrant)| (sorted(&entrant.bots), index);
        Field {
            by_name: names.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect(),
            of_bot,
            of_team: entrants.iter().enumerate().map(of_team).collect(),
            names,
            entrants,
            teams: teams.clone(),
            master_seed,
        }
    }

    /// Returns one seat of each side, which represents it.
    pub(super) fn representatives(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.teams.sides()).filter_map(|side| self.teams.members(Side::from_index(side)).next())
    }

    /// Returns a game of a meeting, whose entrants are with two sides in the order of their first moves, otherwise with
    /// seat 1 first and the others in any order.
    pub(super) fn pairing(&self, meeting: &SeatNumbers, numbered: Numbered<'_>) -> Pairing {
        let Numbered { index, prefix, round, round_of_prefix, encounter } = numbered;
        let bots = self.bots(meeting, round);
        let times = round_of_prefix / self.orders(meeting) + 1;
        let id = format!("{prefix}{}", game_id(bots.values().map(|bot| self.names[*bot].as_str()), times));
        let seed = game_seed(self.master_seed, &id);
        let entrants = match self.teams.sides() {
            2 => BySeat::from_fn(self.teams.seats(), |seat| meeting[self.teams.side(seat).index()]),
            _ => bots.map(|_, bot| self.of_bot[*bot]),
        };
        Pairing { index, id, bots, entrants, times, encounter, seed }
    }

    /// Returns the bots of a meeting in seat order.
    pub(super) fn bots(&self, meeting: &SeatNumbers, round: u64) -> BySeat<usize> {
        self.seated(meeting, self.rotation(meeting).as_ref(), round)
    }

    /// Returns the entrants of the game with this id, which has no prefix, and the round of seats, counted from 0.
    pub(super) fn meeting_of_id(&self, id: &str) -> Option<(SeatNumbers, u64)> {
        let (names, number) = id.rsplit_once('~')?;
        if number.starts_with(['0', '+']) {
            return None;
        }
        let number: u64 = number.parse().ok()?;
        let mut bots = SeatNumbers::new();
        for name in names.split('~') {
            bots.try_push(*self.by_name.get(name)?).ok()?;
        }
        if bots.len() != self.teams.seats() {
            return None;
        }
        let meeting = self.meeting_of(&bots)?;
        let first = self.first_round_of(&meeting, &bots)?;
        let round = (number - 1).checked_mul(self.orders(&meeting))?.checked_add(first)?;
        Some((meeting, round))
    }

    /// Returns the round of seats, counted from 0, in which three or four entrants sit in this order; `None` with two
    /// sides, where only the entrant that begins is chosen.
    pub(super) fn round_of_order(&self, meeting: &SeatNumbers) -> Option<u64> {
        if self.teams.sides() == 2 {
            return None;
        }
        self.first_round_of(meeting, &self.first_bots(meeting))
    }

    /// Returns the first round of seats, counted from 0, in which the bots of a meeting sit in this order.
    fn first_round_of(&self, meeting: &SeatNumbers, bots: &SeatNumbers) -> Option<u64> {
        let rotation = self.rotation(meeting);
        let seated = |round: u64| self.seated(meeting, rotation.as_ref(), round);
        (0..self.orders(meeting)).find(|round| seated(*round).as_slice() == bots.as_slice())
    }

    /// Returns the entrants whose bots sit in these seats.
    fn meeting_of(&self, bots: &SeatNumbers) -> Option<SeatNumbers> {
        let meeting: SeatNumbers = if self.teams.sides() == self.teams.seats() {
            bots.iter().map(|bot| self.of_bot[*bot]).collect()
        } else {
            let entrant_of_side = |side: usize| {
                let members: Vec<usize> =
                    self.teams.members(Side::from_index(side)).map(|seat| bots[seat.index()]).collect();
                self.of_team.get(&sorted(&members)).copied()
            };
            (0..self.teams.sides()).map(entrant_of_side).collect::<Option<SeatNumbers>>()?
        };
        let has_duplicate = (1..meeting.len()).any(|index| meeting[..index].contains(&meeting[index]));
        (!has_duplicate).then_some(meeting)
    }

    /// Number of orders in which the bots of a meeting can sit. Over that number of rounds, each is used once.
    fn orders(&self, meeting: &SeatNumbers) -> u64 {
        match self.teams.sides() {
            2 => arrangement::orders_of_members(self.choices([meeting[0], meeting[1]])),
            _ => arrangement::orders_of_table(meeting.len()),
        }
    }

    /// Returns true for each entrant of a pair that has two bots.
    fn choices(&self, pair: [usize; 2]) -> [bool; 2] {
        pair.map(|entrant| self.entrants[entrant].bots.len() > 1)
    }

    fn first_bots(&self, meeting: &SeatNumbers) -> SeatNumbers {
        meeting.iter().map(|entrant| self.entrants[*entrant].bots[0]).collect()
    }

    /// Returns the seating of the bots of a meeting in each round; `None` with two sides.
    fn rotation(&self, meeting: &SeatNumbers) -> Option<TableRotation> {
        (self.teams.sides() > 2).then(|| TableRotation::of(self.first_bots(meeting), &self.names))
    }

    /// Returns the bots of a meeting in seat order, in a round counted from 0.
    fn seated(&self, meeting: &SeatNumbers, rotation: Option<&TableRotation>, round: u64) -> BySeat<usize> {
        match rotation {
            Some(rotation) => rotation.seated(self.entrants[meeting[0]].bots[0], round),
            None => self.seated_in_sides([meeting[0], meeting[1]], round),
        }
    }

    fn seated_in_sides(&self, pair: [usize; 2], round: u64) -> BySeat<usize> {
        let [begins, other] = pair.map(|entrant| &self.entrants[entrant]);
        let exchanges = if begins.name < other.name {
            arrangement::exchanges_seats(self.choices(pair), round, false)
        } else {
            let [one, two] = pair;
            let [two, one] = arrangement::exchanges_seats(self.choices([two, one]), round, true);
            [one, two]
        };
        BySeat::from_fn(self.teams.seats(), |seat| {
            let side = self.teams.side(seat);
            let member = self.teams.members(side).position(|member| member == seat).unwrap_or(0);
            let bots = &[begins, other][side.index()].bots;
            let member = if exchanges[side.index()] { bots.len() - 1 - member % bots.len() } else { member };
            bots[member % bots.len()]
        })
    }
}

/// Returns the distinct numbers in ascending order.
fn sorted(numbers: &[usize]) -> Vec<usize> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

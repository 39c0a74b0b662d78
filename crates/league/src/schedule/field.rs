//! The entrants of a schedule, their seating and the ids of their games.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::arrangement::{self, IsReturn, RoundTheTable, SeatNumbers};
use super::{Pairing, game_id, game_seed};
use crate::file::Entrant;
use linesman_types::seat::{BySeat, MAX_SEATS, Side, Teams};

/// The entrants, and the kind of their games.
#[derive(Clone, Debug)]
pub(super) struct Field {
    names: Vec<String>,
    by_name: HashMap<String, usize>,
    entrants: Vec<Entrant>,
    /// The entrant of each bot, if every bot plays for itself.
    of_bot: Vec<usize>,
    /// The entrant of the bots of a team, in the order of their numbers.
    of_team: HashMap<Vec<usize>, usize>,
    teams: Teams,
    master_seed: u64,
}

/// The facts that determine the seats of a meeting, apart from the round.
enum Seating {
    /// Two sides: nothing else.
    Sides,
    /// More than two sides: the bots in the order of their names, and their seating.
    Table { bots: SeatNumbers, table: RoundTheTable },
}

/// The number of a game among those of the same entrants.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Numbered<'p> {
    /// Its place in the order of play.
    pub index: u64,
    /// The prefix of the names in its id.
    pub prefix: &'p str,
    /// The round of seats in which it is played, counted from 0.
    pub round: u64,
    /// The number of this round of seats under this prefix, counted from 0.
    pub round_of_prefix: u64,
    /// The number of its encounter among those of these entrants.
    pub encounter: u64,
}

impl Field {
    /// A field of entrants, each of which consists of one or more of the named bots.
    ///
    /// # Panics
    /// If a table can't have this number of seats, or an entrant names an unknown bot.
    pub(super) fn new(
        names: Vec<String>,
        mut entrants: Vec<Entrant>,
        teams: &Teams,
        master_seed: u64,
    ) -> Field {
        assert!((2..=MAX_SEATS).contains(&teams.seats()), "no table has {} seats", teams.seats());
        // The order in the file makes no difference.
        for entrant in &mut entrants {
            entrant.bots.sort_unstable_by_key(|bot| &names[*bot]);
        }
        let mut of_bot = vec![0; names.len()];
        for (index, entrant) in entrants.iter().enumerate() {
            entrant.bots.iter().for_each(|bot| of_bot[*bot] = index);
        }
        Field {
            by_name: names.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect(),
            of_bot,
            of_team: entrants.iter().enumerate().map(|(index, own)| (sorted(&own.bots), index)).collect(),
            names,
            entrants,
            teams: teams.clone(),
            master_seed,
        }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    pub(super) fn teams(&self) -> &Teams {
        &self.teams
    }

    /// The entrant that a bot plays for, if every bot plays for itself.
    pub(super) fn entrant_of(&self, bot: usize) -> usize {
        self.of_bot[bot]
    }

    /// A game of a meeting: with two sides in the order in which they first move, otherwise with seat 1 first
    /// and the others in any order.
    pub(super) fn pairing(&self, meeting: &SeatNumbers, numbered: Numbered<'_>) -> Pairing {
        let Numbered { index, prefix, round, round_of_prefix, encounter } = numbered;
        let bots = self.bots(meeting, round);
        let times = round_of_prefix / self.ways(meeting) + 1;
        let plain = game_id(bots.values().map(|bot| self.names[*bot].as_str()), times);
        let id = format!("{prefix}{plain}");
        let seed = game_seed(self.master_seed, &id);
        let entrants = match self.teams.sides() {
            2 => BySeat::from_fn(self.teams.seats(), |seat| meeting[self.teams.side(seat).index()]),
            _ => bots.map(|_, bot| self.of_bot[*bot]),
        };
        Pairing { index, id, bots, entrants, times, encounter, seed }
    }

    /// The bots of a meeting in seat order.
    pub(super) fn bots(&self, meeting: &SeatNumbers, round: u64) -> BySeat<usize> {
        self.seated(meeting, &self.seating(meeting), round)
    }

    /// The entrants of the game of an id without a prefix, and the round of seats, counted from 0.
    pub(super) fn meeting_of_id(&self, id: &str) -> Option<(SeatNumbers, u64)> {
        let (names, times) = id.rsplit_once('~')?;
        if times.starts_with(['0', '+']) {
            return None;
        }
        let times: u64 = times.parse().ok()?;
        let mut bots = SeatNumbers::new();
        for name in names.split('~') {
            bots.try_push(*self.by_name.get(name)?).ok()?;
        }
        if bots.len() != self.teams.seats() {
            return None;
        }
        let meeting = self.meeting_of(&bots)?;
        let seating = self.seating(&meeting);
        let is_so = |round: &u64| self.seated(&meeting, &seating, *round).as_slice() == bots.as_slice();
        let first = (0..self.ways(&meeting)).find(is_so)?;
        let round = (times - 1).checked_mul(self.ways(&meeting))?.checked_add(first)?;
        Some((meeting, round))
    }

    /// The round of seats, counted from 0, in which three or four entrants sit in this order; `None` with two
    /// sides, where only the beginner is chosen.
    pub(super) fn round_of_order(&self, meeting: &SeatNumbers) -> Option<u64> {
        if self.teams.sides() == 2 {
            return None;
        }
        let seating = self.seating(meeting);
        let bots = meeting.iter().map(|entrant| self.entrants[*entrant].bots[0]);
        let is_so = |round: &u64| {
            let sat = self.seated(meeting, &seating, *round);
            bots.clone().eq(sat.values().copied())
        };
        (0..self.ways(meeting)).find(is_so)
    }

    /// The meeting of bots in these seats.
    fn meeting_of(&self, bots: &SeatNumbers) -> Option<SeatNumbers> {
        let meeting: SeatNumbers = if self.teams.sides() == self.teams.seats() {
            bots.iter().map(|bot| self.of_bot[*bot]).collect()
        } else {
            let of_side = |side: usize| {
                let own: Vec<usize> =
                    self.teams.members(Side::from_index(side)).map(|seat| bots[seat.index()]).collect();
                self.of_team.get(&sorted(&own)).copied()
            };
            (0..self.teams.sides()).map(of_side).collect::<Option<SeatNumbers>>()?
        };
        let is_twice = (1..meeting.len()).any(|number| meeting[..number].contains(&meeting[number]));
        (!is_twice).then_some(meeting)
    }

    /// Number of ways in which the bots of a meeting can sit. Each is used once in that number of rounds.
    fn ways(&self, meeting: &SeatNumbers) -> u64 {
        match self.teams.sides() {
            2 => arrangement::ways_of_members(self.choices([meeting[0], meeting[1]])),
            _ => arrangement::ways(meeting.len()),
        }
    }

    /// True for each entrant of a pair that has two bots.
    fn choices(&self, pair: [usize; 2]) -> [bool; 2] {
        pair.map(|entrant| self.entrants[entrant].bots.len() > 1)
    }

    /// The facts that determine the seats of a meeting, apart from the round.
    fn seating(&self, meeting: &SeatNumbers) -> Seating {
        if self.teams.sides() == 2 {
            return Seating::Sides;
        }
        let mut bots: SeatNumbers = meeting.iter().map(|entrant| self.entrants[*entrant].bots[0]).collect();
        bots.sort_unstable_by_key(|bot| &self.names[*bot]);
        let names: ArrayVec<&str, MAX_SEATS> = bots.iter().map(|bot| self.names[*bot].as_str()).collect();
        let table = RoundTheTable::of(&names);
        Seating::Table { bots, table }
    }

    /// The bots of a meeting in seat order, in a round counted from 0.
    fn seated(&self, meeting: &SeatNumbers, seating: &Seating, round: u64) -> BySeat<usize> {
        match seating {
            Seating::Sides => self.seated_in_sides([meeting[0], meeting[1]], round),
            Seating::Table { bots, table } => {
                let way = table.way(round);
                let first = self.entrants[meeting[0]].bots[0];
                let start = way.iter().position(|own| bots[*own] == first).unwrap_or(0);
                BySeat::from_fn(way.len(), |seat| bots[way[(start + seat.index()) % way.len()]])
            }
        }
    }

    fn seated_in_sides(&self, pair: [usize; 2], round: u64) -> BySeat<usize> {
        let [begins, other] = pair.map(|entrant| &self.entrants[entrant]);
        let change = if begins.name < other.name {
            arrangement::members_change(self.choices(pair), round, IsReturn::No)
        } else {
            let [one, two] = pair;
            let [one, two] = arrangement::members_change(self.choices([two, one]), round, IsReturn::Yes);
            [two, one]
        };
        BySeat::from_fn(self.teams.seats(), |seat| {
            let side = self.teams.side(seat);
            let number = self.teams.members(side).position(|own| own == seat).unwrap_or(0);
            let bots = &[begins, other][side.index()].bots;
            let number = if change[side.index()] { bots.len() - 1 - number % bots.len() } else { number };
            bots[number % bots.len()]
        })
    }
}

/// The distinct numbers in order.
fn sorted(numbers: &[usize]) -> Vec<usize> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

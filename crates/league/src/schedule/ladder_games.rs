//! The games of a ladder that are known so far, encounter by encounter.

use super::arrangement::SeatNumbers;
use super::field::{Field, Numbered};
use super::ladder::{Ladder, Reason, sorted};
use super::{Extended, Length, Pairing};
use linesman_types::seat::{BySeat, Place};

/// The encounters of a ladder, in the order in which they became known.
#[derive(Clone, Debug)]
pub(super) struct LadderGames {
    ladder: Ladder,
    sides: usize,
    /// The entrants that meet, and the number of their encounter.
    encounters: Vec<(SeatNumbers, u64)>,
    max_games: Option<u64>,
}

impl LadderGames {
    /// Creates a ladder that ends after `max_games` games, or never if that is `None`.
    pub(super) fn new(entrants: usize, sides: usize, max_games: Option<u64>) -> LadderGames {
        let ladder = Ladder::new(entrants, sides);
        LadderGames { ladder, sides, encounters: Vec::new(), max_games }
    }

    pub(super) fn length(&self) -> Length {
        self.max_games.map_or(Length::Endless, Length::Exactly)
    }

    pub(super) fn known(&self) -> u64 {
        (self.encounters.len() * self.sides) as u64
    }

    fn has_room(&self) -> bool {
        self.max_games.is_none_or(|most| self.known() + self.sides as u64 <= most)
    }

    pub(super) fn pairing(&self, field: &Field, index: u64) -> Option<Pairing> {
        let number = usize::try_from(index).ok()?;
        let (table, encounter) = self.encounters.get(number / self.sides)?;
        // The entrant that begins the first game changes from encounter to encounter.
        let first = (number % self.sides + first_member(*encounter, self.sides)) % self.sides;
        let mut meeting = table.clone();
        meeting[..=first].rotate_right(1);
        let round = encounter - 1;
        let numbered = Numbered { index, prefix: "", round, round_of_prefix: round, encounter: *encounter };
        Some(field.pairing(&meeting, numbered))
    }

    pub(super) fn index_of(&self, field: &Field, id: &str) -> Option<u64> {
        let (meeting, round) = field.meeting_of_id(id)?;
        let (table, encounter) = (sorted(&meeting), round.checked_add(1)?);
        let first = table.iter().position(|entrant| *entrant == meeting[0])?;
        let index = self.ladder.known.get(&(table, encounter))?;
        let game = (first + self.sides - first_member(encounter, self.sides)) % self.sides;
        Some((index * self.sides + game) as u64)
    }

    /// Like [`LadderGames::index_of`], but adds the encounter if it is not known yet.
    pub(super) fn take_up(&mut self, field: &Field, id: &str) -> Option<u64> {
        if let Some(index) = self.index_of(field, id) {
            return Some(index);
        }
        let (meeting, round) = field.meeting_of_id(id)?;
        if !self.has_room() {
            return None;
        }
        self.begin(sorted(&meeting), round.checked_add(1)?);
        self.index_of(field, id)
    }

    fn begin(&mut self, table: SeatNumbers, encounter: u64) {
        self.ladder.begin(&table, encounter);
        self.encounters.push((table, encounter));
    }

    pub(super) fn enter(&mut self, field: &Field, index: u64, places: Option<&BySeat<Place>>) {
        let Some(pairing) = self.pairing(field, index) else { return };
        let seats = || field.representatives();
        let entrants: Vec<usize> = seats().map(|seat| pairing.entrants[seat]).collect();
        let places: Option<Vec<usize>> =
            places.and_then(|places| seats().map(|seat| Some(places.get(seat)?.number())).collect());
        self.ladder.enter(&entrants, places.as_deref());
    }

    /// Plans one more encounter, without these bots.
    pub(super) fn extend(&mut self, field: &Field, withdrawn: &[usize]) -> Extended {
        if self.begin_next(field, withdrawn).is_some() { Extended::Yes } else { Extended::No }
    }

    /// Begins the next encounter, if there is one. Returns the reason for it.
    fn begin_next(&mut self, field: &Field, withdrawn: &[usize]) -> Option<Reason> {
        if !self.has_room() {
            return None;
        }
        let is_out = |entrant: usize| field.entrants[entrant].bots.iter().any(|bot| withdrawn.contains(bot));
        let (table, encounter, reason) = self.ladder.next(&is_out)?;
        self.begin(table, encounter);
        Some(reason)
    }

    /// Returns the first games of the next encounters if no more results arrive, with the reasons.
    pub(super) fn preview(&self, field: &Field, encounters: usize) -> Vec<(Pairing, Reason)> {
        let mut future = self.clone();
        let next = |_| {
            let index = future.known();
            let reason = future.begin_next(field, &[])?;
            Some((future.pairing(field, index)?, reason))
        };
        (0..encounters).map_while(next).collect()
    }
}

/// Returns the index of the member of a table that has seat 1 in the first game of an encounter.
fn first_member(encounter: u64, sides: usize) -> usize {
    ((encounter - 1) % sides as u64) as usize
}

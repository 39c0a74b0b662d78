//! Checks that the games of each encounter match.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use crate::format::GameRecord;
use crate::identity_hasher::digest;
use crate::text::printable;
use crate::verify::violation::ViolationKind;
use linesman_types::seat::{MAX_SEATS, Teams};

/// The encounters so far, with what their games have in common. Each takes a few hundred bytes, whatever its
/// games.
#[derive(Debug, Default)]
pub(super) struct Pairs(HashMap<u64, Pair>);

#[derive(Debug)]
struct Pair {
    /// The start of its games, as a digest.
    opening: u64,
    /// The entrants, sorted.
    entrants: Places,
    /// The seat, or side, of each entrant in each game so far.
    seatings: ArrayVec<Places, MAX_SEATS>,
}

/// Entrants by seat, or by side in games of teams; each as a digest.
type Places = ArrayVec<u64, MAX_SEATS>;

impl Pairs {
    /// Adds a record that counts; `teams` are those of its game.
    ///
    /// # Errors
    /// A contradiction to the earlier games of its encounter.
    pub(super) fn add(&mut self, record: &GameRecord, teams: Option<Teams>) -> Result<(), ViolationKind> {
        let (Some(key), Some(teams), Ok(outcome)) = (&record.pair, teams, record.outcome()) else {
            return Ok(());
        };
        let sides = outcome.by_sides(&teams);
        let seating: Places = sides.bots.values().map(|name| digest(&**name)).collect();
        let mut entrants = seating.clone();
        entrants.sort_unstable();
        let opening = record.opening.as_ref().map(|opening| (&opening.token, &opening.moves));
        let opening = digest((&record.game, record.option_texts(), opening));
        let pair = self.0.entry(digest((&record.league, key))).or_insert_with(|| Pair {
            opening,
            entrants: entrants.clone(),
            seatings: ArrayVec::new(),
        });
        let shown = || printable(key, 80);
        if pair.opening != opening {
            return Err(ViolationKind::OtherOpening { pair: shown() });
        }
        if pair.entrants != entrants {
            return Err(ViolationKind::OtherEntrants { pair: shown() });
        }
        let is_repeated = |seat: &usize| pair.seatings.iter().any(|earlier| earlier[*seat] == seating[*seat]);
        if let Some(seat) = (0..seating.len()).find(is_repeated) {
            let name = sides.bots.values().nth(seat).map_or("", |name| name);
            return Err(ViolationKind::SameSeat {
                pair: shown(),
                name: printable(name, 80),
                number: seat + 1,
            });
        }
        // An entrant that has had every seat repeats one in the next game, so there is always room.
        pair.seatings.push(seating);
        Ok(())
    }
}

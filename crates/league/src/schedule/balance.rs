//! The balance of seats and opponents after a number of games.

use std::fmt;

use super::field::Field;
use super::fixed::{Fixed, Meetings};
use linesman_types::seat::balance::{Seated, Uneven, max_uneven, max_uneven_meetings};

/// Maximum number of games to count one by one.
const MAX_COUNTED: u64 = 4_000_000;

/// The imbalance of a schedule that ends in the middle of a round.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Imbalance {
    /// Number of games after which the schedule ends.
    pub games: u64,
    /// Number of games at the end of that round.
    pub round_ends: u64,
    /// The quantity that is uneven.
    pub uneven: Uneven,
    /// A number of games whose multiples leave seats balanced.
    pub balanced: u64,
}

impl fmt::Display for Imbalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Imbalance { games, round_ends, uneven, balanced } = self;
        write!(f, "after {games} of {round_ends} games, {uneven}")?;
        if balanced < round_ends && matches!(uneven, Uneven::Seats { .. }) {
            write!(f, "; seats are balanced after every {balanced} games")?;
        }
        Ok(())
    }
}

impl Fixed {
    pub(super) fn imbalance(&self, field: &Field) -> Option<Imbalance> {
        let Fixed { games, games_per_round, .. } = *self;
        let rest = games % games_per_round;
        if rest == 0 {
            return None;
        }
        let (entrants, sides) = (&field.entrants, field.teams.sides());
        let balanced = match &self.meetings {
            Meetings::Rotations(rotations) => rotations.games_per_block(),
            // The order of play keeps seats and opponents nearly balanced at any time.
            Meetings::Gauntlet(_) if sides == 2 => return None,
            Meetings::Circle(_) | Meetings::Gauntlet(_) => games_per_round,
        };
        let counts_all = rest <= MAX_COUNTED;
        if !counts_all && balanced == games_per_round {
            // The order of play keeps seats nearly balanced at any time.
            return None;
        }
        let blocks = if counts_all { 0 } else { rest / balanced };
        let (seats, meetings) = self.counts(field, blocks, games - rest + blocks * balanced);
        let name = |entrant: usize| entrants[entrant].name.as_str();
        let seated = if sides < field.teams.seats() { Seated::Sides } else { Seated::Seats };
        let uneven_among = |is_member: &dyn Fn(usize) -> bool| {
            let members = seats.iter().enumerate().filter(|(entrant, _)| is_member(*entrant));
            max_uneven(seated, members.map(|(entrant, counts)| (name(entrant), counts.as_slice())))
        };
        let uneven = if let Meetings::Gauntlet(gauntlet) = &self.meetings {
            // Challengers play more games than the others, which don't meet every entrant.
            let among =
                |challengers: bool| uneven_among(&|entrant| gauntlet.is_challenger[entrant] == challengers);
            among(true).or_else(|| among(false))
        } else {
            uneven_among(&|_| true).or_else(|| {
                let pairs = (0..entrants.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
                let counts = pairs.map(|(one, other)| ([name(other), name(one)], meetings[one][other]));
                if counts_all { max_uneven_meetings(counts) } else { None }
            })
        };
        uneven.map(|uneven| Imbalance { games, round_ends: games - rest + games_per_round, uneven, balanced })
    }

    /// Counts the games of each entrant in each seat, and against each other entrant, at the end of the schedule.
    ///
    /// The games from `first` on are counted one by one. Before them, the last round has `blocks` blocks with balanced
    /// seats; the meetings in these are not counted.
    fn counts(&self, field: &Field, blocks: u64, first: u64) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
        let Fixed { games, games_per_round, .. } = *self;
        let rounds = games / games_per_round;
        let (entrants, sides) = (field.entrants.len(), field.teams.sides());
        let at_a_seat = |entrant: usize| match &self.meetings {
            Meetings::Gauntlet(gauntlet) => rounds * gauntlet.games_at_a_seat(entrant),
            Meetings::Circle(_) | Meetings::Rotations(_) => {
                rounds * (games_per_round / entrants as u64) + blocks * sides as u64
            }
        };
        let mut seats: Vec<Vec<u64>> = (0..entrants).map(|entrant| vec![at_a_seat(entrant); sides]).collect();
        let meetings_per_round =
            games_per_round * (sides * (sides - 1)) as u64 / (entrants * (entrants - 1)) as u64;
        let mut meetings = vec![vec![rounds * meetings_per_round; entrants]; entrants];
        for index in first..games {
            let meeting = self.meeting(index);
            let order: Vec<usize> = if sides == 2 {
                meeting.to_vec()
            } else {
                let bots = field.bots(&meeting, index / games_per_round);
                bots.values().map(|bot| field.of_bot[*bot]).collect()
            };
            for (seat, entrant) in order.iter().enumerate() {
                seats[*entrant][seat] += 1;
                for other in order.iter().filter(|other| *other != entrant) {
                    meetings[*entrant][*other] += 1;
                }
            }
        }
        (seats, meetings)
    }
}

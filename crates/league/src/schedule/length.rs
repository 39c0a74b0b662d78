//! The length of schedules: the number of games and rounds, and the maximum size of fields.

use crate::file::{PairingOptions, ScheduleKind, Tournament};
use crate::schedule::knockout::Deciding;
use crate::schedule::{MOST_GAMES, MOST_IN_LADDER, MOST_IN_SWISS, gauntlet, knockout};
use linesman_types::seat::Teams;

/// The reason why such a schedule does not exist.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// A bot would have two seats.
    #[error("a game with {seats} seats needs at least {seats} bots, not {bots}")]
    TooFewBots {
        /// Number of bots.
        bots: usize,
        /// Number of seats.
        seats: usize,
    },
    /// A team would play itself.
    #[error("a game of two teams needs at least two teams, not {teams}")]
    TooFewTeams {
        /// Number of teams.
        teams: usize,
    },
    /// More games than the maximum.
    #[error("the schedule has more than {MOST_GAMES} games")]
    TooManyGames,
    /// More entrants than a schedule of this kind can pair in reasonable time.
    #[error("a `{kind}` takes at most {most} entrants, not {entrants}")]
    TooManyEntrants {
        /// The kind of schedule.
        kind: &'static str,
        /// The maximum that it takes.
        most: usize,
        /// Number of entrants.
        entrants: usize,
    },
    /// The rest of the field does not fill a table.
    #[error("a gauntlet needs opponents for its challengers: at least {needed}, not {field}")]
    TooSmallField {
        /// The number that is needed.
        needed: usize,
        /// Number of opponents.
        field: usize,
    },
    /// Entrants would have to meet again; with more than two sides they do so long before.
    #[error("a `swiss` of {entrants} entrants has at most {most} rounds, not {rounds}")]
    TooManyRounds {
        /// The number of entrants.
        entrants: usize,
        /// The maximum number of rounds.
        most: u32,
        /// The requested number of rounds.
        rounds: u32,
    },
    /// This kind of schedule pairs two sides only.
    #[error("a `{kind}` needs a game of two sides, but this one has {sides}")]
    NotTwoSides {
        /// The kind of schedule.
        kind: &'static str,
        /// Number of sides.
        sides: usize,
    },
}

/// Number of games in which everyone meets everyone from every seat, `rounds` times: `n (n-1) rounds` with
/// two sides; with more, the number of combinations of bots, times seats, times rounds.
///
/// # Errors
/// Fewer bots (or teams) than sides, or more than [`MOST_GAMES`].
pub fn number_of_games(entrants: usize, teams: &Teams, rounds: u32) -> Result<u64, ScheduleError> {
    let sides = teams.sides();
    enough(entrants, teams)?;
    let too_many = ScheduleError::TooManyGames;
    let mut games = u64::from(rounds);
    for taken in 0..sides {
        games = games.checked_mul((entrants - taken) as u64).ok_or(too_many)?;
    }
    // With seat 1 given, the others of a combination sit in only one of their orders.
    let games = games / (1..sides as u64).product::<u64>();
    if games > MOST_GAMES { Err(too_many) } else { Ok(games) }
}

fn enough(entrants: usize, teams: &Teams) -> Result<(), ScheduleError> {
    let sides = teams.sides();
    match entrants < sides {
        false => Ok(()),
        true if sides < teams.seats() => Err(ScheduleError::TooFewTeams { teams: entrants }),
        true => Err(ScheduleError::TooFewBots { bots: entrants, seats: sides }),
    }
}

/// Maximum number of games of a schedule, over all rounds.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct MaxGames(u64);

impl MaxGames {
    /// The number.
    pub fn games(self) -> u64 {
        self.0
    }

    /// The maximum for a tournament.
    ///
    /// # Errors
    /// Such a schedule does not exist.
    pub fn of(tournament: &Tournament) -> Result<MaxGames, ScheduleError> {
        let (number, teams) = (tournament.entrants.len(), tournament.game.teams());
        MaxGames::of_plan(tournament.schedule, number, &teams, tournament.rounds, &tournament.pairing)
    }

    /// The maximum for a number of entrants.
    ///
    /// # Errors
    /// Such a schedule does not exist.
    pub fn of_plan(
        kind: ScheduleKind,
        entrants: usize,
        teams: &Teams,
        rounds: u32,
        options: &PairingOptions,
    ) -> Result<MaxGames, ScheduleError> {
        let challengers = options.challengers.len();
        let deciding = Deciding { best_of: options.best_of, sudden_death: options.sudden_death };
        let sides = teams.sides();
        let word = kind.word();
        enough(entrants, teams)?;
        let two_sides =
            || if sides == 2 { Ok(()) } else { Err(ScheduleError::NotTwoSides { kind: word, sides }) };
        let at_most = |most: usize| match entrants > most {
            true => Err(ScheduleError::TooManyEntrants { kind: word, most, entrants }),
            false => Ok(()),
        };
        let games = match kind {
            ScheduleKind::RoundRobin => Some(number_of_games(entrants, teams, rounds)?),
            ScheduleKind::Gauntlet => {
                let field = entrants - challengers.min(entrants);
                if field < sides - 1 {
                    return Err(ScheduleError::TooSmallField { needed: sides - 1, field });
                }
                let a_round = gauntlet::games_a_round(challengers, field, sides);
                a_round.and_then(|games| games.checked_mul(u64::from(rounds)))
            }
            ScheduleKind::Swiss => {
                at_most(MOST_IN_SWISS)?;
                // With an odd number of entrants, each has one bye. With more than two sides, rematches begin long
                // before this limit.
                let most = (entrants - 1 + entrants % 2) as u32;
                if rounds > most {
                    return Err(ScheduleError::TooManyRounds { entrants, most, rounds });
                }
                let a_round = (entrants / sides * sides) as u64;
                Some(a_round * u64::from(rounds))
            }
            ScheduleKind::Knockout => {
                two_sides()?;
                knockout::most_games(entrants, deciding)
            }
            ScheduleKind::Ladder => {
                at_most(MOST_IN_LADDER)?;
                Some(0)
            }
        };
        match games {
            Some(games) if games <= MOST_GAMES => Ok(MaxGames(games)),
            _ => Err(ScheduleError::TooManyGames),
        }
    }
}

//! The length of schedules: the number of games and rounds, and the maximum number of entrants.

use crate::file::{PairingOptions, ScheduleKind};
use crate::schedule::knockout::Deciding;
use crate::schedule::{MAX_GAMES, MAX_LADDER_ENTRANTS, MAX_SWISS_ENTRANTS, gauntlet, knockout};
use linesman_types::seat::Teams;

/// The reason why a schedule is impossible.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// A bot would have two seats.
    #[error("a game with {seats} seats needs at least {seats} bots, not {bots}")]
    TooFewBots { bots: usize, seats: usize },
    /// A team would play itself.
    #[error("a game of two teams needs at least two teams, not {teams}")]
    TooFewTeams { teams: usize },
    /// More games than the maximum.
    #[error("the schedule has more than {MAX_GAMES} games")]
    TooManyGames,
    /// More entrants than a schedule of this kind can pair in reasonable time.
    #[error("a `{kind}` takes at most {most} entrants, not {entrants}")]
    TooManyEntrants {
        kind: &'static str,
        /// The maximum number of entrants.
        most: usize,
        entrants: usize,
    },
    /// The challengers don't have enough opponents to fill a table.
    #[error("a gauntlet needs opponents for its challengers: at least {needed}, not {field}")]
    TooSmallField {
        /// The minimum number of opponents.
        needed: usize,
        /// Number of opponents.
        field: usize,
    },
    /// Entrants would have to meet again. With more than two sides, they do so long before this limit.
    #[error("a `swiss` of {entrants} entrants has at most {most} rounds, not {rounds}")]
    TooManyRounds {
        entrants: usize,
        /// The maximum number of rounds.
        most: u32,
        /// The requested number of rounds.
        rounds: u32,
    },
    /// This kind of schedule supports only two sides.
    #[error("a `{kind}` needs a game of two sides, but this game has {sides}")]
    NotTwoSides { kind: &'static str, sides: usize },
}

/// Returns the number of games in which everyone meets everyone from every seat, `rounds` times: `n (n-1) rounds`
/// with two sides; with more, the number of combinations of bots, times seats, times rounds.
pub(super) fn number_of_games(entrants: usize, teams: &Teams, rounds: u32) -> Result<u64, ScheduleError> {
    let sides = teams.sides();
    check_entrants(entrants, teams)?;
    let too_many = ScheduleError::TooManyGames;
    let mut games = u64::from(rounds);
    for taken in 0..sides {
        games = games.checked_mul((entrants - taken) as u64).ok_or(too_many)?;
    }
    // Once seat 1 is given, the others of a combination sit in only one order.
    let games = games / (1..sides as u64).product::<u64>();
    if games > MAX_GAMES { Err(too_many) } else { Ok(games) }
}

fn check_entrants(entrants: usize, teams: &Teams) -> Result<(), ScheduleError> {
    let sides = teams.sides();
    match entrants < sides {
        false => Ok(()),
        true if sides < teams.seats() => Err(ScheduleError::TooFewTeams { teams: entrants }),
        true => Err(ScheduleError::TooFewBots { bots: entrants, seats: sides }),
    }
}

/// Returns the maximum number of games of a schedule, over all rounds.
///
/// # Errors
/// The schedule is impossible.
pub(crate) fn max_games(
    kind: ScheduleKind,
    entrants: usize,
    teams: &Teams,
    rounds: u32,
    options: &PairingOptions,
) -> Result<u64, ScheduleError> {
    let challengers = options.challengers.len();
    let sides = teams.sides();
    let word = kind.word();
    check_entrants(entrants, teams)?;
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
            let games_per_round = gauntlet::games_per_round(challengers, field, sides);
            games_per_round.and_then(|games| games.checked_mul(u64::from(rounds)))
        }
        ScheduleKind::Swiss => {
            at_most(MAX_SWISS_ENTRANTS)?;
            // With an odd number of entrants, each has one bye.
            let most = (entrants - 1 + entrants % 2) as u32;
            if rounds > most {
                return Err(ScheduleError::TooManyRounds { entrants, most, rounds });
            }
            let games_per_round = (entrants / sides * sides) as u64;
            Some(games_per_round * u64::from(rounds))
        }
        ScheduleKind::Knockout => {
            if sides != 2 {
                return Err(ScheduleError::NotTwoSides { kind: word, sides });
            }
            let deciding = Deciding { best_of: options.best_of, sudden_death: options.sudden_death };
            knockout::max_games(entrants, deciding)
        }
        ScheduleKind::Ladder => {
            at_most(MAX_LADDER_ENTRANTS)?;
            Some(0)
        }
    };
    match games {
        Some(games) if games <= MAX_GAMES => Ok(games),
        _ => Err(ScheduleError::TooManyGames),
    }
}

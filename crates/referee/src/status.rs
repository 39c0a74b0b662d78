//! The status of a game, for observers.

use std::time::Duration;

use crate::GameTime;
use crate::seat_state::SeatProgress;
use crate::state_machine::{Core, Phase};
use linesman_types::seat::{BySeat, Seat};

/// The status of a game at a moment.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Status {
    /// The game's id in the records.
    pub id: String,
    /// The moment.
    pub at: GameTime,
    /// Number of plies that have been played, those of the opening included.
    pub plies: usize,
    /// The activity.
    pub doing: Doing,
}

/// The activity of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Doing {
    /// It has not started: one of its bots is still busy with another game. Only a driver knows that.
    Waking(Seat),
    /// No move has been asked for: the progress of each seat's bot.
    Preparing(BySeat<Readiness>),
    /// A seat is being asked for its move.
    Asking {
        /// The seat that is asked.
        seat: Seat,
        /// The time for which its clock has been running.
        since: Duration,
        /// The time that it may use for this move, without the margin.
        limit: Duration,
        /// The time on each seat's clock; a seat's limit for each move if there are no clocks.
        clocks: BySeat<Duration>,
    },
    /// It is over.
    Over,
}

/// The progress of a bot before the first move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Readiness {
    /// It was started, and `ugiok` is awaited.
    Starting(Wait),
    /// The game was announced to it, and `readyok` is awaited.
    GettingReady(Wait),
    /// It is ready.
    Ready,
    /// It has failed.
    Failed,
}

/// A wait for a bot that has to get ready.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Wait {
    /// Its end.
    pub until: GameTime,
    /// The part of it that was granted beyond the limit, because the host kept the bot waiting.
    pub granted: Duration,
}

impl Core {
    /// Returns the status of the game at this moment.
    pub fn status(&self, at: GameTime) -> Status {
        let moves = self.moves.iter().filter(|played| !played.is_elimination);
        Status {
            id: self.setup.id.clone(),
            at,
            plies: self.setup.opening_moves.len() + moves.count(),
            doing: match (self.phase, &self.turn) {
                (Phase::Finished, _) => Doing::Over,
                (Phase::Playing, Some(turn)) => Doing::Asking {
                    seat: turn.seat,
                    since: turn.used(at).unwrap_or_default(),
                    limit: turn.limit,
                    clocks: self.seats.map(|seat, _| self.clock.limit(seat)),
                },
                _ => Doing::Preparing(self.seats.map(|_, state| {
                    let wait = |until| Wait { until, granted: state.ready_extension.granted() };
                    match state.progress {
                        SeatProgress::Handshake { until } => Readiness::Starting(wait(until)),
                        SeatProgress::GettingReady { until } => Readiness::GettingReady(wait(until)),
                        SeatProgress::Playing | SeatProgress::Out => Readiness::Ready,
                        SeatProgress::Failed => Readiness::Failed,
                    }
                })),
            },
        }
    }
}

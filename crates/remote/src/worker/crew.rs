//! The bots that a worker has prepared.

use std::num::NonZeroU64;
use std::time::Duration;

use crate::wire::Pack;

#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum CrewState {
    None,
    Loading(String),
    Ready(ReadyCrew),
    Failed { plan: String, until: Duration },
    Ending,
}

/// The bots of a plan, ready to play.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ReadyCrew {
    /// The digest of the plan.
    pub plan: String,
    /// The reason why each bot can't play here; `None` if it can.
    pub refusals: Vec<Option<String>>,
    pub entrants: usize,
    pub seats: usize,
    /// Minimum speed of a worker, in positions per second.
    pub least_speed: Option<NonZeroU64>,
}

/// Returns the reason why these bots can't play a pack; `None` if they can.
pub(super) fn why_refused(pack: &Pack, crew: &ReadyCrew) -> Option<String> {
    let ReadyCrew { refusals, entrants, seats, .. } = crew;
    pack.games.iter().find_map(|game| {
        if let Err(error) = game.assignment(refusals.len(), *entrants, *seats) {
            return Some(error.to_string());
        }
        game.bots.iter().find_map(|bot| refusals.get(*bot).cloned().flatten())
    })
}

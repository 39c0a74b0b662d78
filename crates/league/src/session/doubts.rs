//! Doubts about a plan that arise before anything is started.

use super::event::{Observers, Preparation};
use crate::bots::{Identity, Program};
use crate::file::{ScheduleKind, Tournament};
use crate::schedule::Schedule;

pub(super) fn report_doubts(
    tournament: &Tournament,
    schedule: &Schedule,
    identities: &[Identity],
    observers: &mut Observers<'_>,
) {
    if let Some(openings) = &tournament.openings {
        let (openings, rounds) = (openings.list.len() as u64, u64::from(tournament.rounds));
        if rounds > openings {
            observers.prepare(Preparation::OpeningsReused { openings, rounds });
        }
    }
    if let Some(asked) = tournament.max_games
        && schedule.games() < asked
    {
        let (rounds, games) = (tournament.rounds, schedule.games());
        observers.prepare(Preparation::FewerGames { rounds, games, asked });
    }
    let bots = may_repeat(tournament, identities);
    if !bots.is_empty() {
        observers.prepare(Preparation::MayRepeat(&bots));
    }
}

/// Returns the bots that would repeat their games if they were deterministic; empty if all games differ.
///
/// The built-in bots choose among equal moves by the game's id and don't repeat games. Nothing is known about other
/// programs before they have played.
fn may_repeat<'i>(tournament: &Tournament, identities: &'i [Identity]) -> Vec<&'i str> {
    let has_rematches = match tournament.schedule {
        ScheduleKind::RoundRobin | ScheduleKind::Gauntlet => tournament.rounds > 1,
        ScheduleKind::Swiss => false,
        ScheduleKind::Knockout | ScheduleKind::Ladder => true,
    };
    // A test has its own message for this.
    if tournament.openings.is_some() || tournament.test.is_some() || !has_rematches {
        return Vec::new();
    }
    let unknown = identities.iter().filter(|identity| identity.program != Program::ThisBinary);
    let unknown: Vec<&str> = unknown.map(|identity| identity.name.as_str()).collect();
    // A bot that varies its moves makes all of its games differ, so a repeat needs other bots in all seats.
    if unknown.len() >= tournament.game.teams().seats() { unknown } else { Vec::new() }
}

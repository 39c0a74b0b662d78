//! The games of a run that are in flight, on this or other machines: chooses the next game, and processes the results.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::dispatcher::{Assignment, AttemptOutcome, Consequences, Dispatcher};
use crate::fair_play::{FairPlay, HostSample, Retry};
use crate::file::Tournament;
use crate::session::event::RunEvent;
use crate::withdrawal::{Part, Withdrawals};
use linesman_types::seat::BySeat;
use linesman_types::verdict::Verdict;

/// The games of a run that are in flight: handed out and not finished. Each has a `G`, which describes it.
pub(crate) struct OpenGames<G> {
    pub(crate) dispatcher: Dispatcher,
    pub(crate) fair: FairPlay,
    withdrawals: Withdrawals,
    /// The games by their numbers. A hash table would double its capacity to grow.
    in_flight: BTreeMap<u64, G>,
    last_number: u64,
    /// True if no more games will be handed out.
    is_over: bool,
}

/// The answer of [`OpenGames::next`].
pub(crate) enum NextOpen {
    Game(Assignment),
    /// No game is available now. Has an event if the wait for a quieter host starts.
    Wait(Option<RunEvent<'static>>),
    /// No more games will be available.
    Done,
}

impl<G> OpenGames<G> {
    pub(crate) fn new(dispatcher: Dispatcher, fair: FairPlay, withdrawals: Withdrawals) -> OpenGames<G> {
        let in_flight = BTreeMap::new();
        OpenGames { dispatcher, fair, withdrawals, in_flight, last_number: 0, is_over: false }
    }

    /// Returns the next game to be played now. `sample` is called if only games remain that an overloaded host spoiled.
    pub(crate) fn next(&mut self, sample: impl FnOnce() -> HostSample) -> NextOpen {
        if self.is_over {
            return NextOpen::Done;
        }
        let OpenGames { dispatcher, fair, .. } = self;
        dispatcher.retry(|tries| fair.may_retry_early(tries));
        if let Some(assignment) = dispatcher.hand_out() {
            return NextOpen::Game(assignment);
        }
        if !self.in_flight.is_empty() {
            // A game in flight may have to be played again, or other games may depend on its result.
            return NextOpen::Wait(None);
        }
        let games = dispatcher.spoiled();
        if games == 0 {
            self.is_over = true;
            return NextOpen::Done;
        }
        match fair.may_retry(sample()) {
            Retry::Waiting { at_most, began } => {
                NextOpen::Wait(began.then_some(RunEvent::Waiting { games, at_most }))
            }
            Retry::Now => {
                dispatcher.retry(|_| true);
                dispatcher.hand_out().map_or(NextOpen::Wait(None), NextOpen::Game)
            }
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Adds a game that was handed out. Returns its number.
    pub(crate) fn add(&mut self, game: G) -> u64 {
        self.last_number += 1;
        self.in_flight.insert(self.last_number, game);
        self.last_number
    }

    pub(crate) fn len(&self) -> u64 {
        self.in_flight.len() as u64
    }

    pub(crate) fn get(&self, number: u64) -> Option<&G> {
        self.in_flight.get(&number)
    }

    /// Takes the end of a game, and withdraws its bots that broke too many games in a row. Returns an event for each.
    pub(crate) fn withdraw_broken(
        &mut self,
        tournament: &Tournament,
        bots: &BySeat<usize>,
        verdict: &Verdict,
        parts: &BySeat<Part>,
        duration: Duration,
    ) -> Vec<RunEvent<'static>> {
        let withdrawn = self.withdrawals.played(bots, verdict, parts, duration).into_iter();
        let event = withdrawn.map(|(bot, row)| {
            self.dispatcher.withdraw(bot);
            RunEvent::Withdrawn { bot: tournament.bots[bot].name.clone(), row: Some(row) }
        });
        event.collect()
    }

    /// Takes the outcome of a game and removes it. Returns the events that report its consequences.
    pub(crate) fn finished(
        &mut self,
        number: u64,
        assignment: &Assignment,
        outcome: &AttemptOutcome,
    ) -> impl Iterator<Item = RunEvent<'static>> + use<G> {
        self.in_flight.remove(&number);
        events_of(self.dispatcher.finished(assignment, outcome))
    }
}

/// Returns the event of a game that starts in this slot.
pub(crate) fn began(slot: usize, assignment: &Assignment, tournament: &Tournament) -> RunEvent<'static> {
    let pairing = &assignment.pairing;
    RunEvent::Began {
        slot,
        id: pairing.id.clone(),
        attempt: assignment.attempt,
        bots: pairing.bots.map(|_, bot| tournament.bots[*bot].name.clone()),
        entrants: pairing.entrants.map(|_, entrant| tournament.entrants[*entrant].name.clone()),
    }
}

fn events_of(consequences: Consequences) -> impl Iterator<Item = RunEvent<'static>> {
    let Consequences { cancelled, taken_up, drawn_otherwise } = consequences;
    let taken_up = (!taken_up.is_empty()).then_some(RunEvent::TakenUp(taken_up));
    let drawn_otherwise = (!drawn_otherwise.is_empty()).then_some(RunEvent::DrawnOtherwise(drawn_otherwise));
    let cancelled = (cancelled > 0).then_some(RunEvent::Cancelled(cancelled));
    taken_up.into_iter().chain(drawn_otherwise).chain(cancelled)
}

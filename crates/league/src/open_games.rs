//! The games of a run that are out, wherever they are played: what is handed out next, and what follows from a result.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::dispatcher::{Assignment, AttemptOutcome, Consequences, Dispatcher};
use crate::fair_play::{FairPlay, HostSample, Retry};
use crate::file::Tournament;
use crate::session::event::RunEvent;
use crate::withdrawal::{Part, Withdrawals};
use linesman_types::seat::BySeat;
use linesman_types::verdict::Verdict;

/// The games of a run that are out, each with what is kept of it meanwhile.
pub(crate) struct OpenGames<G> {
    pub(crate) dispatcher: Dispatcher,
    pub(crate) fair: FairPlay,
    withdrawals: Withdrawals,
    /// The games by their number. A hash table would grow to twice its size.
    out: BTreeMap<u64, G>,
    numbers: u64,
    /// True if no more games will be handed out.
    is_over: bool,
}

/// The answer of [`OpenGames::next`].
pub(crate) enum NextOpen {
    Game(Assignment),
    /// No game for now; with an event if the wait for a quieter host begins.
    Wait(Option<RunEvent<'static>>),
    /// No game is left.
    Done,
}

impl<G> OpenGames<G> {
    pub(crate) fn new(dispatcher: Dispatcher, fair: FairPlay, withdrawals: Withdrawals) -> OpenGames<G> {
        OpenGames { dispatcher, fair, withdrawals, out: BTreeMap::new(), numbers: 0, is_over: false }
    }

    /// The next game to be played now. `sample` is called if only games are left that an overloaded host spoiled.
    pub(crate) fn next(&mut self, sample: impl FnOnce() -> HostSample) -> NextOpen {
        if self.is_over {
            return NextOpen::Done;
        }
        let OpenGames { dispatcher, fair, .. } = self;
        dispatcher.retry(|tries| fair.may_retry_early(tries));
        if let Some(assignment) = dispatcher.hand_out() {
            return NextOpen::Game(assignment);
        }
        if !self.out.is_empty() {
            // A game that is out may be played again, or other games may depend on its result.
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

    /// Notes that a game is out. Returns its number.
    pub(crate) fn add(&mut self, game: G) -> u64 {
        self.numbers += 1;
        self.out.insert(self.numbers, game);
        self.numbers
    }

    pub(crate) fn len(&self) -> u64 {
        self.out.len() as u64
    }

    pub(crate) fn get(&self, number: u64) -> Option<&G> {
        self.out.get(&number)
    }

    /// Withdraws the bots that are broken in too many games in a row, now that a game of these bots has ended. Returns
    /// an event for each.
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

    /// Takes the outcome of a game, which is no longer out. Returns the events that report its consequences.
    pub(crate) fn finished(
        &mut self,
        number: u64,
        assignment: &Assignment,
        outcome: &AttemptOutcome,
    ) -> impl Iterator<Item = RunEvent<'static>> + use<G> {
        self.out.remove(&number);
        events_of(self.dispatcher.finished(assignment, outcome))
    }
}

/// The event of a game that begins in this slot.
pub(crate) fn began(slot: usize, assignment: &Assignment, tournament: &Tournament) -> RunEvent<'static> {
    let pairing = &assignment.pairing;
    RunEvent::Began {
        slot,
        id: pairing.id.clone(),
        attempt: assignment.attempt,
        bots: pairing.bots.map(|_, bot| tournament.bots[*bot].name.clone()),
        entrants: pairing.entrants.map(|_, own| tournament.entrants[*own].name.clone()),
    }
}

/// The events that report the consequences of a game for the remaining ones.
fn events_of(consequences: Consequences) -> impl Iterator<Item = RunEvent<'static>> {
    let Consequences { cancelled, taken_up, drawn_otherwise } = consequences;
    let taken_up = (!taken_up.is_empty()).then_some(RunEvent::TakenUp { records: taken_up });
    let drawn_otherwise =
        (!drawn_otherwise.is_empty()).then_some(RunEvent::DrawnOtherwise { records: drawn_otherwise });
    let cancelled = (cancelled > 0).then_some(RunEvent::Cancelled { games: cancelled });
    taken_up.into_iter().chain(drawn_otherwise).chain(cancelled)
}

//! A check in progress: its results, and the facts about the bot that later items use.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use linesman_driver::now;
use linesman_games::Setup;
use linesman_types::verdict::FaultKind;

use super::arena::{Arena, BotOutput, Bout, Order};
use super::item::{CheckItem, ItemFailure, ItemOutcome, ItemResult, Observation, SkipReason};
use super::plan::{BotCheck, Stopped};
use super::positions::{Positions, StartPosition};

pub(super) struct Checker<'c> {
    pub(super) check: &'c BotCheck,
    on_item: &'c mut dyn FnMut(CheckItem),
    pub(super) results: Vec<ItemResult>,
    pub(super) output: Arc<Mutex<BotOutput>>,
    /// The games that the bot plays.
    pub(super) candidates: Vec<Candidate>,
    pub(super) failed_game: Option<FailedGame>,
}

/// A game that the bot plays.
pub(super) struct Candidate {
    pub(super) setup: Arc<dyn Setup>,
    pub(super) positions: Positions,
    /// The game with other numbers of seats, each with positions of all phases.
    pub(super) others: Vec<(Vec<StartPosition>, Arc<dyn Setup>)>,
}

/// A game in which the bot failed.
pub(super) struct FailedGame {
    pub(super) setup: Arc<dyn Setup>,
    pub(super) failure: ItemFailure,
}

/// The judgement of an item, and the figures that are reported with it.
pub(super) struct Judged {
    pub(super) outcome: ItemOutcome,
    pub(super) observed: Vec<Observation>,
}

impl Judged {
    pub(super) fn new(outcome: ItemOutcome) -> Judged {
        Judged { outcome, observed: Vec::new() }
    }

    pub(super) fn skipped(why: SkipReason) -> Judged {
        Judged::new(ItemOutcome::Skipped(why))
    }

    /// Judges nothing but a game itself, and reports figures about it.
    pub(super) fn of_game(bout: Bout, observed: impl FnOnce(&Bout) -> Vec<Observation>) -> Judged {
        let observed = observed(&bout);
        Judged { outcome: bout.outcome(), observed }
    }
}

impl<'c> Checker<'c> {
    pub(super) fn new(check: &'c BotCheck, on_item: &'c mut dyn FnMut(CheckItem)) -> Checker<'c> {
        Checker {
            check,
            on_item,
            results: Vec::new(),
            output: Arc::default(),
            candidates: Vec::new(),
            failed_game: None,
        }
    }

    pub(super) fn arena(&self) -> Arena<'c> {
        Arena::new(self.check, &self.check.spec, &self.output)
    }

    /// Plays one game in a new process.
    pub(super) fn play(&self, order: &Order<'_>) -> Result<Bout, Stopped> {
        self.arena().play_last(order)
    }

    pub(super) fn wants(&self, item: CheckItem) -> bool {
        self.check.items.contains(&item)
    }

    /// Tries an item if it is wanted.
    pub(super) fn judge(
        &mut self,
        item: CheckItem,
        game: Option<&'static str>,
        attempt: impl FnOnce(&mut Checker<'c>) -> Result<Judged, Stopped>,
    ) -> Result<(), Stopped> {
        if self.wants(item) { self.judge_always(item, game, attempt) } else { Ok(()) }
    }

    /// Tries an item on which others depend. If it is not wanted, only its failure is reported.
    pub(super) fn judge_always(
        &mut self,
        item: CheckItem,
        game: Option<&'static str>,
        attempt: impl FnOnce(&mut Checker<'c>) -> Result<Judged, Stopped>,
    ) -> Result<(), Stopped> {
        if !self.check.stop.may_begin() {
            return Err(Stopped);
        }
        (self.on_item)(item);
        let begun = now();
        let judged = attempt(self)?;
        self.add_result(item, game, judged, now() - begun);
        Ok(())
    }

    /// Adds a judgement to the results. That of an item that is not wanted is added only if it is a failure.
    pub(super) fn add_result(
        &mut self,
        item: CheckItem,
        game: Option<&'static str>,
        judged: Judged,
        took: Duration,
    ) {
        let Judged { outcome, observed } = judged;
        if self.wants(item) || outcome.failure().is_some() {
            self.results.push(ItemResult { item, game, outcome, observed, took });
        }
    }

    /// True if the bot was not ready for any game. Further attempts would take long, and one failure is enough.
    pub(super) fn is_never_ready(&self) -> bool {
        let mut failures = self.results.iter().filter_map(|result| result.outcome.failure());
        let is_not_ready = |failure: &ItemFailure| {
            failure.fault_record().is_some_and(|fault| fault.kind() == FaultKind::NotReady)
        };
        self.candidates.is_empty() && failures.any(is_not_ready)
    }

    /// Returns all results, in the order of the items. Items that were not tried are skipped for this reason.
    pub(super) fn end(mut self, why: SkipReason) -> Vec<ItemResult> {
        for item in &self.check.items {
            if !self.results.iter().any(|result| result.item == *item) {
                self.add_result(*item, None, Judged::skipped(why.clone()), Duration::ZERO);
            }
        }
        let place = |result: &ItemResult| CheckItem::ALL.iter().position(|item| *item == result.item);
        self.results.sort_by_key(place);
        self.results
    }
}

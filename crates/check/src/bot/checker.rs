//! A check in progress: its results, and the knowledge of the bot that later items use.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use linesman_driver::now;
use linesman_games::Setup;
use linesman_types::verdict::FaultKind;

use super::arena::{Arena, Bout, Heard, Order};
use super::item::{CheckItem, ItemFailure, ItemOutcome, ItemResult, Observation, SkipReason};
use super::plan::{BotCheck, Stopped};
use super::positions::{Positions, StartPosition};

/// A check in progress.
pub(super) struct Checker<'c> {
    pub(super) check: &'c BotCheck,
    begins: &'c mut dyn FnMut(CheckItem),
    results: Vec<ItemResult>,
    /// The output of the bot besides its moves.
    pub(super) heard: Arc<Mutex<Heard>>,
    /// The games that it plays.
    pub(super) candidates: Vec<Candidate>,
    /// The first game in which it failed.
    pub(super) trouble: Option<Trouble>,
}

/// A game that the bot plays.
pub(super) struct Candidate {
    pub(super) setup: Arc<dyn Setup>,
    pub(super) positions: Positions,
    /// The game with other numbers of seats, and positions of all phases of it.
    pub(super) others: Vec<(Vec<StartPosition>, Arc<dyn Setup>)>,
}

/// A game in which the bot failed.
pub(super) struct Trouble {
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

    /// The judgement of a game in which nothing but the game itself counts.
    pub(super) fn of_game(bout: Bout, observed: impl FnOnce(&Bout) -> Vec<Observation>) -> Judged {
        let observed = observed(&bout);
        Judged { outcome: bout.outcome(), observed }
    }
}

impl<'c> Checker<'c> {
    pub(super) fn new(check: &'c BotCheck, begins: &'c mut dyn FnMut(CheckItem)) -> Checker<'c> {
        Checker {
            check,
            begins,
            results: Vec::new(),
            heard: Arc::default(),
            candidates: Vec::new(),
            trouble: None,
        }
    }

    /// A place for games of the bot.
    pub(super) fn arena(&self) -> Arena<'c> {
        Arena::new(self.check, &self.check.spec, &self.heard)
    }

    /// Plays one game, in a process of its own.
    pub(super) fn play(&self, order: &Order<'_>) -> Result<Bout, Stopped> {
        self.arena().play_last(order)
    }

    pub(super) fn wants(&self, item: CheckItem) -> bool {
        self.check.items.contains(&item)
    }

    /// Tries an item that is wanted.
    pub(super) fn judge(
        &mut self,
        item: CheckItem,
        game: Option<&'static str>,
        attempt: impl FnOnce(&mut Checker<'c>) -> Result<Judged, Stopped>,
    ) -> Result<(), Stopped> {
        if self.wants(item) { self.judge_always(item, game, attempt) } else { Ok(()) }
    }

    /// Tries an item on which others depend. If it was not asked for, only its failure is reported.
    pub(super) fn judge_always(
        &mut self,
        item: CheckItem,
        game: Option<&'static str>,
        attempt: impl FnOnce(&mut Checker<'c>) -> Result<Judged, Stopped>,
    ) -> Result<(), Stopped> {
        if !self.check.stop.may_begin() {
            return Err(Stopped);
        }
        (self.begins)(item);
        let begun = now();
        let judged = attempt(self)?;
        self.tell(item, game, judged, now() - begun);
        Ok(())
    }

    /// Adds a judgement to the results.
    pub(super) fn tell(
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

    /// True if the bot was not ready for any game: it takes long to find that out, and one failure shows it.
    pub(super) fn is_never_ready(&self) -> bool {
        let mut failures = self.results.iter().filter_map(|result| result.outcome.failure());
        let is_not_ready = |failure: &ItemFailure| {
            failure.fault_record().is_some_and(|fault| fault.kind() == FaultKind::NotReady)
        };
        self.candidates.is_empty() && failures.any(is_not_ready)
    }

    /// The results until now.
    pub(super) fn results(&self) -> &[ItemResult] {
        &self.results
    }

    /// The results until now, for corrections.
    pub(super) fn results_mut(&mut self) -> &mut Vec<ItemResult> {
        &mut self.results
    }

    /// All results, in the order of the items. Those that were not tried are skipped for this reason.
    pub(super) fn end(mut self, why: SkipReason) -> Vec<ItemResult> {
        for item in &self.check.items {
            if !self.results.iter().any(|result| result.item == *item) {
                self.tell(*item, None, Judged::skipped(why.clone()), Duration::ZERO);
            }
        }
        let place = |result: &ItemResult| CheckItem::ALL.iter().position(|item| *item == result.item);
        self.results.sort_by_key(place);
        self.results
    }
}

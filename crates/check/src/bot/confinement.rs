//! The sandbox as the cause of a failure: the same game is played without it.

use std::sync::Arc;

use linesman_types::verdict::FaultKind;

use super::arena::{Arena, BoutEnd, Order};
use super::checker::{Checker, FailedGame, Judged};
use super::item::{CheckItem, ItemFailure, ItemOutcome, ItemProblem, Observation, SkipReason};
use super::plan::Stopped;
use super::positions::StartPosition;

/// Plays the first game in which the bot failed again, without the sandbox.
pub(super) fn compare(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    // The sandbox may be the reason why a bot plays nothing.
    checker.judge_always(CheckItem::Sandbox, None, |checker| {
        let check = checker.check;
        let Some(unconfined) = &check.unconfined else {
            return Ok(Judged::skipped(SkipReason::NoSandbox));
        };
        let failed = checker.failed_game.take().filter(|game| may_be_of_sandbox(&game.failure));
        let Some(FailedGame { setup, failure }) = failed else {
            return Ok(Judged::new(ItemOutcome::Passed));
        };
        let start = StartPosition::usual(&*setup);
        let order = Order::new(&*setup, &start, check.extent.limit(), check.extent.resignation_turn());
        let bout = Arena::new(check, unconfined, &Arc::default()).play_last(&order)?;
        if bout.end == BoutEnd::Good && !bout.moves.is_empty() {
            let failure = ItemFailure { problem: ItemProblem::FailsOnlyInSandbox, ..failure };
            return Ok(Judged::new(ItemOutcome::Failed(Box::new(failure))));
        }
        Ok(Judged { outcome: ItemOutcome::Passed, observed: vec![Observation::FailsAlike] })
    })
}

/// True for a failure that the sandbox can cause when it blocks something.
fn may_be_of_sandbox(failure: &ItemFailure) -> bool {
    match failure.fault_record().map(|fault| fault.kind()) {
        Some(
            FaultKind::NotStarted
            | FaultKind::NotReady
            | FaultKind::Time
            | FaultKind::Crash
            | FaultKind::ClosedOutput
            | FaultKind::Limit,
        )
        | None => true,
        Some(
            FaultKind::IllegalMove
            | FaultKind::NotAMove
            | FaultKind::Protocol
            | FaultKind::Overload
            | FaultKind::Other(_),
        ) => false,
    }
}

//! The circumstances of failures: a game is played again with one thing changed, to find what makes the difference.

use linesman_types::time_control::TimeControl;
use linesman_types::verdict::FaultKind;

use super::arena::{Arena, Bout, BoutEnd, Order};
use super::checker::Checker;
use super::item::{Circumstance, ItemOutcome};
use super::plan::Stopped;

/// Number of games without a failure after which the bot is taken not to fail.
const ATTEMPTS: usize = 2;

/// Returns the outcome of a game, with the circumstances if the bot failed. `before` is the game that the same
/// process played before it, if any.
pub(super) fn outcome(
    checker: &Checker<'_>,
    bout: Bout,
    order: &Order<'_>,
    before: Option<&Order<'_>>,
) -> Result<ItemOutcome, Stopped> {
    let id = bout.record.id.clone();
    let mut outcome = bout.outcome();
    let ItemOutcome::Failed(failure) = &mut outcome else { return Ok(outcome) };
    let kind = failure.fault_record().map(|fault| fault.kind());
    if let Some(kind) = kind.filter(is_examined) {
        // The `game` line stays the same, so that a bot that takes its seed from it repeats its choices.
        let order = Order { id: Some(&id), ..order.clone() };
        failure.circumstances = circumstances(checker, &order, before, &kind)?;
    }
    Ok(outcome)
}

/// True if the circumstances of a failure are examined. Late moves have items and figures of their own.
fn is_examined(kind: &FaultKind) -> bool {
    match kind {
        FaultKind::NotStarted
        | FaultKind::NotReady
        | FaultKind::Crash
        | FaultKind::ClosedOutput
        | FaultKind::IllegalMove
        | FaultKind::NotAMove
        | FaultKind::Protocol => true,
        FaultKind::Time | FaultKind::Limit | FaultKind::Overload | FaultKind::Other(_) => false,
    }
}

fn circumstances(
    checker: &Checker<'_>,
    order: &Order<'_>,
    before: Option<&Order<'_>>,
    kind: &FaultKind,
) -> Result<Vec<Circumstance>, Stopped> {
    let fails = |orders: &[&Order<'_>]| fails(checker.arena(), orders);
    let is_good = |order: &Order<'_>| never_fails(|| checker.arena(), order);
    let found_if = |is_so: bool, found| if is_so { vec![found] } else { Vec::new() };
    if let Some(before) = before
        && is_good(order)?
    {
        // A second failure after the same preceding game is no coincidence.
        return Ok(found_if(fails(&[before, order])? == Some(true), Circumstance::OnlyAfterOthers));
    }
    if let TimeControl::Clock { .. } = order.control {
        let limit = checker.check.extent.limit();
        let plain = Order { control: TimeControl::MoveTime(limit), max_move_time: None, ..order.clone() };
        if is_good(&plain)? {
            return Ok(vec![Circumstance::OnlyWithClocks]);
        }
    }
    if let Some(start) = order.start.by_moves()
        && is_good(&Order { start: &start, ..order.clone() })?
    {
        return Ok(vec![Circumstance::OnlyByToken]);
    }
    let Some(unconfined) = checker.check.unconfined.as_ref().filter(|_| may_be_of_sandbox(kind)) else {
        return Ok(Vec::new());
    };
    let unconfined = || Arena::new(checker.check, unconfined, &Default::default());
    Ok(found_if(never_fails(unconfined, order)?, Circumstance::FailsOnlyInSandbox))
}

/// True for a failure that the sandbox can cause when it blocks something.
fn may_be_of_sandbox(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::NotStarted | FaultKind::NotReady | FaultKind::Crash | FaultKind::ClosedOutput)
}

/// Plays a game in several new processes. Returns true if the bot never fails.
fn never_fails<'c>(arena: impl Fn() -> Arena<'c>, order: &Order<'_>) -> Result<bool, Stopped> {
    for _ in 0..ATTEMPTS {
        if fails(arena(), &[order])? != Some(false) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Plays these games in one new process. Returns true if the bot fails in the last one, and `None` if the host was
/// too busy for a judgement.
fn fails(mut arena: Arena<'_>, orders: &[&Order<'_>]) -> Result<Option<bool>, Stopped> {
    let mut last = None;
    for order in orders {
        last = Some(arena.play(order)?.end);
    }
    arena.close();
    Ok(match last {
        Some(BoutEnd::Fault) => Some(true),
        Some(BoutEnd::Good | BoutEnd::Resigned) => Some(false),
        Some(BoutEnd::HostBusy(_)) | None => None,
    })
}

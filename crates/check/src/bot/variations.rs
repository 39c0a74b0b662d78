//! The circumstances of failures: a game is played once more with one thing changed, to see what makes the difference.

use linesman_types::time_control::TimeControl;
use linesman_types::verdict::FaultKind;

use super::arena::{Arena, Bout, BoutEnd, Order};
use super::checker::Checker;
use super::item::{Circumstance, ItemOutcome};
use super::plan::Stopped;

/// Number of games without a failure after which a bot counts as not failing.
const TRIES: usize = 2;

/// The outcome of a game, for a failed one with its circumstances. `before` is the game that the same process
/// played before it, if any.
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
    if let Some(kind) = kind.filter(may_depend) {
        // The `game` line is the same, so that a bot that is seeded by it repeats its choices.
        let order = Order { id: Some(&id), ..order.clone() };
        failure.circumstances = circumstances(checker, &order, before, &kind)?;
    }
    Ok(outcome)
}

/// True for a failure that is examined. Late moves have items and figures of their own.
fn may_depend(kind: &FaultKind) -> bool {
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
    let is_never = |order: &Order<'_>| never_fails(|| checker.arena(), order);
    let found_if = |is_so: bool, found| if is_so { vec![found] } else { Vec::new() };
    if let Some(before) = before
        && is_never(order)?
    {
        // A second failure after the other game is no coincidence.
        return Ok(found_if(fails(&[before, order])? == Some(true), Circumstance::OnlyAfterOthers));
    }
    if let TimeControl::Clock { .. } = order.control {
        let limit = checker.check.extent.limit();
        let plain = Order { control: TimeControl::MoveTime(limit), most_a_move: None, ..order.clone() };
        if is_never(&plain)? {
            return Ok(vec![Circumstance::OnlyWithClocks]);
        }
    }
    if let Some(start) = order.start.by_moves()
        && is_never(&Order { start: &start, ..order.clone() })?
    {
        return Ok(vec![Circumstance::OnlyByToken]);
    }
    let Some(unconfined) = checker.check.unconfined.as_ref().filter(|_| is_end(kind)) else {
        return Ok(Vec::new());
    };
    let unconfined = || Arena::new(checker.check, unconfined, &Default::default());
    Ok(found_if(never_fails(unconfined, order)?, Circumstance::OnlyInSandbox))
}

/// True for a failure that a refusal of the sandbox can cause.
fn is_end(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::NotStarted | FaultKind::NotReady | FaultKind::Crash | FaultKind::ClosedOutput)
}

/// True if the bot plays this game without a failure in several new processes.
fn never_fails<'c>(arena: impl Fn() -> Arena<'c>, order: &Order<'_>) -> Result<bool, Stopped> {
    for _ in 0..TRIES {
        if fails(arena(), &[order])? != Some(false) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Plays these games in one new process. True if the bot fails in the last one; `None` if the host was too busy
/// for a judgement.
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

//! The end of the process.

use std::time::Duration;

use linesman_protocol::ToBot;

use super::checker::{Candidate, Checker, Judged};
use super::item::{CheckItem, ItemFailure, ItemOutcome, ItemProblem, Observation, SkipReason};
use super::plan::Stopped;
use super::raw_talk::{RawTalk, TRIES};

/// Tells the bot to exit in one way, and returns the time until its end.
type Farewell = fn(RawTalk, Duration, bool) -> Result<Duration, Box<ItemFailure>>;

/// Tells the bot to exit in both ways, before it has moved and after: the first move may start a thread that
/// keeps the process alive.
pub(super) fn try_all(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    let ways: [(CheckItem, Farewell); 2] = [
        (CheckItem::Quit, |mut talk, limit, has_moved| {
            talk.say(&[ToBot::Quit]);
            match talk.ends_within(limit) {
                Some(time) => Ok(time),
                None => Err(Box::new(talk.failure(ItemProblem::StillRunning { limit, has_moved }))),
            }
        }),
        (CheckItem::EndOfInput, RawTalk::ends_without_input),
    ];
    for (item, farewell) in ways {
        checker.judge(item, None, |checker| Ok(leave(checker, farewell)))?;
    }
    Ok(())
}

fn leave(checker: &Checker<'_>, farewell: Farewell) -> Judged {
    if checker.is_never_ready() {
        return Judged::skipped(SkipReason::NotReady);
    }
    let mut longest = Duration::ZERO;
    for has_moved in [false, true] {
        match leave_once(checker, farewell, has_moved) {
            Ok(time) => longest = longest.max(time),
            Err(Some(failure)) => return Judged::new(ItemOutcome::of(*failure)),
            // It does not move, which other items report.
            Err(None) if has_moved => {}
            Err(None) => return Judged::skipped(SkipReason::NotMeasured),
        }
    }
    Judged { outcome: ItemOutcome::Passed, observed: vec![Observation::Ended(longest)] }
}

/// # Errors
/// The evidence if the process runs on in every try; `None` if it does not get so far.
fn leave_once(
    checker: &Checker<'_>,
    farewell: Farewell,
    has_moved: bool,
) -> Result<Duration, Option<Box<ItemFailure>>> {
    let mut last = None;
    for _ in 0..TRIES {
        let talk = ready(checker).and_then(|mut talk| {
            let own = checker.candidates.first();
            let moves = |own: &Candidate| talk.plays_after(&[], &*own.setup).is_some();
            if !has_moved || own.is_some_and(moves) {
                return Ok(talk);
            }
            talk.end();
            Err(None)
        });
        match talk.and_then(|talk| farewell(talk, checker.check.spec.quit, has_moved).map_err(Some)) {
            Ok(time) => return Ok(time),
            Err(failure) => last = failure,
        }
    }
    Err(last)
}

/// A process that is ready for a game.
///
/// # Errors
/// The evidence of the missing answer; `None` if the process could not be started.
pub(super) fn ready(checker: &Checker<'_>) -> Result<RawTalk, Option<Box<ItemFailure>>> {
    let check = checker.check;
    let talk = RawTalk::introduced(check)?;
    let candidate = checker.candidates.first().map(|candidate| candidate.setup.clone());
    let setup = candidate.or_else(|| check.setup(*check.games.first()?)).ok_or(None)?;
    talk.ready_for(&*setup, check, "check~leave", false)
}

//! The exit of the process when it is asked to end.

use std::time::Duration;

use linesman_protocol::ToBot;

use super::checker::{Candidate, Checker, Judged};
use super::item::{CheckItem, ItemFailure, ItemOutcome, ItemProblem, Observation, SkipReason};
use super::plan::Stopped;
use super::raw_talk::{ATTEMPTS, RawTalk};

/// Asks the bot to exit, and returns the time until the process has ended.
type ExitRequest = fn(RawTalk, Duration, bool) -> Result<Duration, Box<ItemFailure>>;

/// Asks the bot to exit by `quit` and by the end of its input, both before its first move and after it: the first
/// move may start a thread that keeps the process alive.
pub(super) fn try_all(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    let requests: [(CheckItem, ExitRequest); 2] = [
        (CheckItem::Quit, |mut talk, limit, has_moved| {
            talk.say(&[ToBot::Quit]);
            match talk.wait_for_exit(limit) {
                Some(time) => Ok(time),
                None => Err(Box::new(talk.failure(ItemProblem::StillRunning { limit, has_moved }))),
            }
        }),
        (CheckItem::EndOfInput, RawTalk::close_input_and_wait),
    ];
    for (item, request) in requests {
        checker.judge(item, None, |checker| Ok(check_exit(checker, request)))?;
    }
    Ok(())
}

fn check_exit(checker: &Checker<'_>, request: ExitRequest) -> Judged {
    if checker.is_never_ready() {
        return Judged::skipped(SkipReason::NotReady);
    }
    let mut longest = Duration::ZERO;
    for has_moved in [false, true] {
        match try_exit(checker, request, has_moved) {
            Ok(time) => longest = longest.max(time),
            Err(Some(failure)) => return Judged::new(ItemOutcome::of(*failure)),
            // The bot does not move, which other items report.
            Err(None) if has_moved => {}
            Err(None) => return Judged::skipped(SkipReason::NotMeasured),
        }
    }
    Judged { outcome: ItemOutcome::Passed, observed: vec![Observation::Ended(longest)] }
}

/// Returns the time that a process took to exit.
///
/// # Errors
/// The failure of the last attempt: its evidence, or `None` if its process could not be started or made no move.
fn try_exit(
    checker: &Checker<'_>,
    request: ExitRequest,
    has_moved: bool,
) -> Result<Duration, Option<Box<ItemFailure>>> {
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let talk = ready(checker).and_then(|mut talk| {
            let candidate = checker.candidates.first();
            let moves = |candidate: &Candidate| talk.ask_first_move_after(&[], &*candidate.setup).is_some();
            if !has_moved || candidate.is_some_and(moves) {
                return Ok(talk);
            }
            talk.kill();
            Err(None)
        });
        match talk.and_then(|talk| request(talk, checker.check.spec.quit, has_moved).map_err(Some)) {
            Ok(time) => return Ok(time),
            Err(failure) => last = failure,
        }
    }
    Err(last)
}

/// Starts a process and makes it ready for a game.
///
/// # Errors
/// The evidence of the missing answer; `None` if the process could not be started, or if there is no setup.
pub(super) fn ready(checker: &Checker<'_>) -> Result<RawTalk, Option<Box<ItemFailure>>> {
    let check = checker.check;
    let talk = RawTalk::start_and_greet(check)?;
    let candidate = checker.candidates.first().map(|candidate| candidate.setup.clone());
    let setup = candidate.or_else(|| check.setup(*check.games.first()?)).ok_or(None)?;
    talk.ready_for(&*setup, check, "check~leave", false)
}

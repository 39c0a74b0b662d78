//! Thinking on the opponents' time: the bot answers only after `ponderhit` or `stop`.

use std::time::Duration;

use linesman_games::{Refusal, Table, legal_moves};
use linesman_protocol::{FromBot, GoLimit, ToBot, Variation};
use linesman_referee::{DEFAULT_MARGIN, MAX_STOPPING};
use linesman_types::seat::Seat;

use super::checker::{Checker, Judged};
use super::item::{CheckItem, ItemFailure, ItemOutcome, ItemProblem, SkipReason};
use super::plan::Stopped;
use super::raw_talk::{ATTEMPTS, RawTalk};

/// The lines that end a ponder search, in the order in which they are tried.
const ENDS: [ToBot; 2] = [ToBot::Stop, ToBot::PonderHit];

/// The result of an unsuccessful attempt.
enum Unsuccessful {
    Failed(Box<ItemFailure>),
    Skipped(SkipReason),
}

/// Lets the bot ponder, if it announces that it can.
pub(super) fn try_pondering(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    checker.judge(CheckItem::Ponder, None, |checker| {
        let mut last = SkipReason::NotMeasured;
        let mut failure = None;
        for _ in 0..ATTEMPTS {
            match ponder(checker) {
                Ok(()) => return Ok(Judged::new(ItemOutcome::Passed)),
                Err(Unsuccessful::Skipped(SkipReason::NotAnnounced)) => {
                    return Ok(Judged::skipped(SkipReason::NotAnnounced));
                }
                Err(Unsuccessful::Skipped(why)) => last = why,
                Err(Unsuccessful::Failed(latest)) => failure = Some(latest),
            }
        }
        Ok(failure.map_or(Judged::skipped(last), |failure| Judged::new(ItemOutcome::of(*failure))))
    })
}

/// Asks the bot for a move, and lets it ponder twice: the first search ends with `stop`, the second with `ponderhit`.
fn ponder(checker: &Checker<'_>) -> Result<(), Unsuccessful> {
    let skip = || Unsuccessful::Skipped(SkipReason::NotMeasured);
    let check = checker.check;
    let limit = check.extent.limit();
    let talk = RawTalk::start_and_greet(check).map_err(|_| skip())?;
    if !talk.has_announced("ponder") {
        return Err(Unsuccessful::Skipped(SkipReason::NotAnnounced));
    }
    let setup = checker.candidates.first().ok_or_else(skip)?.setup.clone();
    let mut talk = talk.ready_for(&*setup, check, "check~ponder", true).map_err(|_| skip())?;
    let (mut table, mut moves) = (setup.start(), Vec::new());
    talk.say(&talk.turn(&*table, &moves, ToBot::Go(GoLimit::MoveTime(limit))));
    let (mv, wanted) = answer(&mut talk, limit + MAX_STOPPING).ok_or_else(skip)?;
    table.play(&mv).map_err(|_| skip())?;
    moves.push(mv);
    if let Err((text, why)) = follow(&mut *table, &mut moves, &wanted) {
        let why = Box::new(why);
        return Err(Unsuccessful::Failed(Box::new(talk.failure(ItemProblem::CantPonderOn { text, why }))));
    }
    for end in ENDS {
        let order = talk.turn(&*table, &moves, ToBot::GoPonder(GoLimit::MoveTime(limit)));
        if let Err(problem) = search(&mut talk, &*table, order, (&end, limit)) {
            return Err(Unsuccessful::Failed(Box::new(talk.failure(problem))));
        }
    }
    Ok(())
}

/// Lets the bot ponder and ends the search.
fn search(
    talk: &mut RawTalk,
    table: &dyn Table,
    order: Vec<ToBot>,
    (end, limit): (&ToBot, Duration),
) -> Result<(), ItemProblem> {
    talk.say(&order);
    // Longer than the limit of its move, which does not apply while it ponders.
    if answer(talk, 2 * limit + DEFAULT_MARGIN).is_some() {
        return Err(ItemProblem::AnsweredEarly);
    }
    talk.say(std::slice::from_ref(end));
    let (to, timeout) = match *end == ToBot::Stop {
        true => ("stop", MAX_STOPPING),
        false => ("ponderhit", limit + DEFAULT_MARGIN),
    };
    let (text, _) = answer(talk, timeout).ok_or(ItemProblem::NoMove { to, limit: timeout })?;
    match table.fork().play(&text) {
        Ok(()) => Ok(()),
        Err(why) => Err(ItemProblem::RefusedMove { text, why: Box::new(why) }),
    }
}

/// Waits for the bot's next move, and returns it with the moves that the bot wants to ponder on.
fn answer(talk: &mut RawTalk, limit: Duration) -> Option<(String, Variation)> {
    let is_answer = |said: &FromBot| matches!(said, FromBot::BestMove { .. } | FromBot::Resign);
    let last = talk.hear_until(is_answer, limit)?.pop()?;
    Some(if let FromBot::BestMove { mv, ponder } = last {
        (mv.to_string(), ponder)
    } else {
        ("resign".to_owned(), Variation::default())
    })
}

/// Plays on until it is the turn of seat 1: first the moves that the bot wants to ponder on, then any moves.
fn follow(
    table: &mut dyn Table,
    moves: &mut Vec<String>,
    wanted: &Variation,
) -> Result<(), (String, Refusal)> {
    let mut wanted = wanted.moves();
    while !table.is_over() && table.to_move() != Seat::FIRST {
        let text = match wanted.next() {
            Some(text) => text.to_owned(),
            None => legal_moves(table).swap_remove(0),
        };
        table.play(&text).map_err(|why| (text.clone(), why))?;
        moves.push(text);
    }
    Ok(())
}

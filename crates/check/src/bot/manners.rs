//! Games with lines in unusual manners, and the judgement of the bot's own lines.

use super::arena::{Order, lock};
use super::checker::{Checker, Judged};
use super::item::{CheckItem, ItemFailure, ItemOutcome, ItemProblem, Observation};
use super::manner::Manner;
use super::plan::Stopped;
use super::positions::StartPosition;

/// The turn on which the partners resign.
const RESIGNATION_TURN: u32 = 3;

/// Plays a game in each manner.
pub(super) fn try_all(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    for (item, manner) in [
        (CheckItem::Whitespace, Manner::Spaced),
        (CheckItem::UnknownWords, Manner::Wordy),
        (CheckItem::LineEnds, Manner::CarriageReturns),
    ] {
        checker.judge(item, None, |checker| {
            let setup = &*checker.candidates[0].setup;
            let start = StartPosition::usual(setup);
            let order =
                Order { manner, ..Order::new(setup, &start, checker.check.extent.limit(), RESIGNATION_TURN) };
            Ok(Judged::of_game(checker.play(&order)?, |bout| vec![Observation::Moves(bout.moves.len())]))
        })?;
    }
    Ok(())
}

/// Judges the lines that the bot wrote in all its games.
pub(super) fn judge_stdout(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    checker.judge(CheckItem::Stdout, None, |checker| {
        let output = lock(&checker.output);
        if output.stray == 0 {
            return Ok(Judged::new(ItemOutcome::Passed));
        }
        let problem = ItemProblem::StrayLines { number: output.stray, first: output.first_stray.clone() };
        Ok(Judged::new(ItemOutcome::of(ItemFailure::outside_games(problem))))
    })
}

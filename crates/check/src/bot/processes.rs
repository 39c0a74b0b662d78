//! Several processes of the bot, in sequence and at the same time.

use std::sync::Arc;

use super::arena::Order;
use super::checker::{Checker, Judged};
use super::item::CheckItem;
use super::plan::Stopped;
use super::positions::StartPosition;

/// The turn on which the partners resign.
const RESIGNATION_TURN: u32 = 2;

/// Plays games in two processes, in sequence and at the same time.
pub(super) fn try_all(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    let setup = Arc::clone(&checker.candidates[0].setup);
    let start = StartPosition::usual(&*setup);
    let order = Order::new(&*setup, &start, checker.check.extent.limit(), RESIGNATION_TURN);
    checker.judge(CheckItem::Restart, None, |checker| {
        let first = checker.play(&order)?;
        let last = if first.is_bad() { first } else { checker.play(&order)? };
        Ok(Judged::new(last.outcome()))
    })?;
    checker.judge(CheckItem::TwoAtOnce, None, |checker| {
        let (mut one, mut other) = (checker.arena(), checker.arena());
        let mut last = one.play(&order)?;
        // Meanwhile the first process waits for its next game.
        for arena in [&mut other, &mut one] {
            if last.is_bad() {
                break;
            }
            last = arena.play(&order)?;
        }
        one.close();
        other.close();
        Ok(Judged::new(last.outcome()))
    })
}

//! Several processes of the bot, one after the other and at the same time.

use super::arena::{Arena, Bout, BoutEnd, Order};
use super::checker::{Checker, Judged};
use super::item::CheckItem;
use super::plan::Stopped;
use super::positions::StartPosition;

/// Number of turns of each game.
const TURNS: u32 = 2;

/// Starts processes.
pub(super) fn try_all(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    checker.judge(CheckItem::Restart, None, |checker| {
        let mut arena = checker.arena();
        let bout = play(checker, &mut arena)?;
        let _ = arena.close();
        if is_bad(&bout) {
            return Ok(Judged::new(bout.outcome()));
        }
        let mut arena = checker.arena();
        let bout = play(checker, &mut arena)?;
        let _ = arena.close();
        Ok(Judged::new(bout.outcome()))
    })?;
    checker.judge(CheckItem::TwoAtOnce, None, |checker| {
        let (mut one, mut other) = (checker.arena(), checker.arena());
        let mut last = play(checker, &mut one)?;
        // The first one waits for its next game meanwhile.
        for arena in [&mut other, &mut one] {
            if is_bad(&last) {
                break;
            }
            last = play(checker, arena)?;
        }
        let _ = (one.close(), other.close());
        Ok(Judged::new(last.outcome()))
    })
}

fn play(checker: &Checker<'_>, arena: &mut Arena<'_>) -> Result<Bout, Stopped> {
    let setup = &*checker.candidates[0].setup;
    let start = StartPosition::usual(setup);
    arena.play(&Order::new(setup, &start, checker.check.extent.limit(), TURNS))
}

fn is_bad(bout: &Bout) -> bool {
    matches!(bout.end, BoutEnd::Fault | BoutEnd::HostBusy(_))
}

//! Clocks and short times, in the first game that the bot plays.

use std::num::NonZeroU32;
use std::time::Duration;

use linesman_types::time_control::TimeControl;

use super::arena::{BoutEnd, Order};
use super::checker::{Checker, Judged};
use super::item::{CheckItem, ItemOutcome, Observation};
use super::plan::{Extent, Stopped};
use super::positions::StartPosition;
use super::variations::outcome;

/// The turn on which the partners resign in a game with clocks.
const RESIGNATION_TURN: u32 = 4;

/// The clocks of the bot and of its partners in the game where they differ, and the turn on which the partners
/// resign in it.
const LITTLE: Duration = Duration::from_secs(1);
const MUCH: Duration = Duration::from_secs(300);
const EARLY_RESIGNATION_TURN: u32 = 2;

/// The very short limit of a move.
const SHORT: Duration = Duration::from_millis(20);

/// The time on a clock that has almost run out.
const ALMOST_OUT: Duration = Duration::from_millis(1);

fn clock(base: Duration, increment: Duration, session: u32) -> TimeControl {
    TimeControl::Clock { base, increment, session: NonZeroU32::new(session) }
}

/// Tries every kind of clock.
pub(super) fn try_all(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    let extent = checker.check.extent;
    let base = match extent {
        Extent::Full => Duration::from_secs(3),
        Extent::Quick => Duration::from_secs(1),
    };
    let (limit, inc) = (extent.limit(), Duration::from_millis(100));
    for (item, control, max_move_time) in [
        (CheckItem::Clock, clock(base, inc, 0), None),
        (CheckItem::Sessions, clock(base, Duration::ZERO, 3), None),
        (CheckItem::MoveLimit, clock(Duration::from_secs(60), inc, 0), Some(limit)),
    ] {
        checker.judge(item, None, |checker| {
            let setup = &*checker.candidates[0].setup;
            let start = StartPosition::usual(setup);
            let order =
                Order { control, max_move_time, ..Order::new(setup, &start, limit, RESIGNATION_TURN) };
            play(checker, &order, max_move_time)
        })?;
    }
    checker.judge(CheckItem::OwnClock, None, |checker| own_clock(checker))?;
    checker.judge(CheckItem::ShortTime, None, |checker| short_time(checker))
}

/// Plays a game with clocks. Reports the longest move, with the limit if there is one.
fn play(checker: &Checker<'_>, order: &Order<'_>, limit: Option<Duration>) -> Result<Judged, Stopped> {
    let bout = checker.play(order)?;
    if bout.end == BoutEnd::Fault {
        return Ok(Judged::new(outcome(checker, bout, order, None)?));
    }
    Ok(Judged::of_game(bout, |bout| match limit {
        Some(limit) => vec![Observation::LongestOf { limit, used: bout.longest() }],
        None => vec![Observation::Moves(bout.moves.len()), Observation::Longest(bout.longest())],
    }))
}

/// Plays a game in which the bot has the second turn, and much less time than the others: a bot that reads another
/// seat's clock is late.
fn own_clock(checker: &Checker<'_>) -> Result<Judged, Stopped> {
    let candidate = &checker.candidates[0];
    let setup = &*candidate.setup;
    let opening = candidate.positions.phases.iter().find_map(|start| start.moves.first());
    let start = StartPosition::after(setup, opening.map_or(&[], std::slice::from_ref));
    let order = Order {
        control: clock(LITTLE, Duration::ZERO, 0),
        partners_control: Some(clock(MUCH, Duration::ZERO, 0)),
        ..Order::new(setup, &start, checker.check.extent.limit(), EARLY_RESIGNATION_TURN)
    };
    play(checker, &order, Some(LITTLE))
}

/// Plays with times so short that the bot has to answer at once, in a process that has played before.
fn short_time(checker: &Checker<'_>) -> Result<Judged, Stopped> {
    let setup = &*checker.candidates[0].setup;
    let start = StartPosition::usual(setup);
    let usual = Order::new(setup, &start, checker.check.extent.limit(), RESIGNATION_TURN);
    let mut arena = checker.arena();
    let mut observed = Vec::new();
    let short = [(TimeControl::MoveTime(SHORT), SHORT), (clock(ALMOST_OUT, Duration::ZERO, 0), ALMOST_OUT)];
    let usual_first = [(usual.control, None)].into_iter();
    for (control, limit) in usual_first.chain(short.map(|(control, limit)| (control, Some(limit)))) {
        let order = Order { control, ..usual.clone() };
        let bout = arena.play(&order)?;
        observed.extend(limit.map(|limit| Observation::LongestOf { limit, used: bout.longest() }));
        if bout.is_bad() {
            arena.close();
            return Ok(Judged { outcome: outcome(checker, bout, &order, None)?, observed });
        }
    }
    arena.close();
    Ok(Judged { outcome: ItemOutcome::Passed, observed })
}

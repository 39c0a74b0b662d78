//! Games of three or four seats, in which one goes out or a teammate resigns.

use std::sync::Arc;

use linesman_games::Setup;
use linesman_types::seat::Seat;

use super::arena::Order;
use super::arena_settings::Conduct;
use super::checker::{Checker, Judged};
use super::item::{CheckItem, ItemOutcome, Observation, SkipReason};
use super::plan::Stopped;
use super::positions::StartPosition;
use super::variations::outcome;

/// Number of turns of the seats that do not go out.
const TURNS: u32 = 5;

/// Plays such games of each game that the bot plays and that has enough seats.
pub(super) fn try_each(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    let is_long = |setup: &Arc<dyn Setup>| setup.teams().seats() > 2;
    let all: Vec<Vec<Arc<dyn Setup>>> = checker
        .candidates
        .iter()
        .map(|own| {
            let others = own.others.iter().map(|(_, setup)| setup);
            std::iter::once(&own.setup).chain(others).filter(|setup| is_long(setup)).cloned().collect()
        })
        .collect();
    if all.iter().all(Vec::is_empty) {
        checker.judge(CheckItem::DropOut, None, |_| Ok(Judged::skipped(SkipReason::NoSuchPosition)))?;
    }
    all.iter().filter(|setups| !setups.is_empty()).try_for_each(|setups| {
        checker.judge(CheckItem::DropOut, Some(setups[0].id()), |checker| play_each(checker, setups))
    })
}

/// Plays a game for each seat that can leave: of several sides the last one and the one after the bot, of a team
/// the teammate. One process plays them all, which shows if a game that ended early spoils the next.
fn play_each(checker: &Checker<'_>, setups: &[Arc<dyn Setup>]) -> Result<Judged, Stopped> {
    let starts: Vec<StartPosition> = setups.iter().map(|setup| StartPosition::usual(&**setup)).collect();
    let mut orders = Vec::new();
    for (setup, start) in setups.iter().zip(&starts) {
        let (teams, own) = (setup.teams(), start.to_move);
        let usual = Order::new(&**setup, start, checker.check.extent.limit(), TURNS);
        let leavers: Vec<Seat> = match teams.sides() {
            0..=2 => {
                Seat::all(teams.seats()).filter(|seat| *seat != own && teams.together(*seat, own)).collect()
            }
            seats => vec![Seat::from_index(seats - 1), own.next(seats)],
        };
        let ends = leavers.iter().map(|seat| Some(*seat));
        // The game after it is played to its end.
        let rest = (teams.sides() <= 2).then_some(None);
        for leaver in ends.chain(rest) {
            orders.push(Order { conduct: Conduct { leaver, ..usual.conduct }, ..usual.clone() });
        }
    }
    let mut arena = checker.arena();
    let mut moves = 0;
    for (index, order) in orders.iter().enumerate() {
        let bout = arena.play(order)?;
        moves += bout.moves.len();
        if bout.is_bad() {
            arena.close();
            let before = index.checked_sub(1).map(|before| &orders[before]);
            return Ok(Judged::new(outcome(checker, bout, order, before)?));
        }
    }
    arena.close();
    let observed = vec![Observation::Games(orders.len()), Observation::Moves(moves)];
    Ok(Judged { outcome: ItemOutcome::Passed, observed })
}

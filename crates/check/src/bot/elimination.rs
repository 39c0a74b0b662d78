//! Games with three or four seats, in which a seat is eliminated or a teammate resigns.

use std::sync::Arc;

use linesman_games::Setup;
use linesman_types::seat::Seat;

use super::arena::Order;
use super::arena_state::Conduct;
use super::checker::{Checker, Judged};
use super::item::{CheckItem, ItemOutcome, Observation, SkipReason};
use super::plan::Stopped;
use super::positions::StartPosition;
use super::variations::outcome;

/// The turn on which the partners that play to the end resign.
const RESIGNATION_TURN: u32 = 5;

/// Tries each game that the bot plays with each number of seats above two.
pub(super) fn try_each(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    let has_enough_seats = |setup: &Arc<dyn Setup>| setup.teams().seats() > 2;
    let all: Vec<Vec<Arc<dyn Setup>>> = checker
        .candidates
        .iter()
        .map(|candidate| {
            let others = candidate.others.iter().map(|(_, setup)| setup);
            let setups = std::iter::once(&candidate.setup).chain(others);
            setups.filter(|setup| has_enough_seats(setup)).cloned().collect()
        })
        .collect();
    if all.iter().all(Vec::is_empty) {
        checker.judge(CheckItem::Elimination, None, |_| Ok(Judged::skipped(SkipReason::NoSuchPosition)))?;
    }
    all.iter().filter(|setups| !setups.is_empty()).try_for_each(|setups| {
        checker.judge(CheckItem::Elimination, Some(setups[0].id()), |checker| play_each(checker, setups))
    })
}

/// Plays a game for each seat that resigns early: with more than two sides the last seat and the one after the
/// bot, otherwise the bot's teammate. One process plays all games, so that a game that ended early can affect the next.
fn play_each(checker: &Checker<'_>, setups: &[Arc<dyn Setup>]) -> Result<Judged, Stopped> {
    let starts: Vec<StartPosition> = setups.iter().map(|setup| StartPosition::usual(&**setup)).collect();
    let mut orders = Vec::new();
    for (setup, start) in setups.iter().zip(&starts) {
        let (teams, bot) = (setup.teams(), start.to_move);
        let usual = Order::new(&**setup, start, checker.check.extent.limit(), RESIGNATION_TURN);
        let resigners: Vec<Seat> = match teams.sides() {
            0..=2 => {
                Seat::all(teams.seats()).filter(|seat| *seat != bot && teams.together(*seat, bot)).collect()
            }
            _ => vec![Seat::from_index(teams.seats() - 1), bot.next(teams.seats())],
        };
        let early = resigners.iter().map(|seat| Some(*seat));
        // After a game that a teammate's resignation ended, another game is played in which nobody resigns early.
        let without = (teams.sides() <= 2).then_some(None);
        for early_resigner in early.chain(without) {
            orders.push(Order { conduct: Conduct { early_resigner, ..usual.conduct }, ..usual.clone() });
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

//! The games that the bot plays, and positions in them.

use std::sync::Arc;
use std::time::Duration;

use linesman_games::{Game, Setup};
use linesman_types::verdict::FaultKind;

use super::arena::{BoutEnd, Order};
use super::checker::{Candidate, Checker, FailedGame, Judged};
use super::item::{CheckItem, ItemFailure, ItemOutcome, ItemProblem, Observation, SkipReason};
use super::plan::Stopped;
use super::positions::{Positions, StartPosition, with_other_seat_numbers};
use super::variations::outcome;

/// Plays each game from its start, and finds out which ones the bot plays.
pub(super) fn play_each(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    // The failure in the first game that was given up at once is reported if the bot plays no game.
    let mut given_up = None;
    for game in &checker.check.games {
        checker.judge_always(CheckItem::Game, Some(game.id), |checker| play(game, checker, &mut given_up))?;
    }
    let has_failed = checker.results.iter().any(|result| result.outcome.failure().is_some());
    if let Some(failure) = given_up.filter(|_| checker.candidates.is_empty() && !has_failed) {
        let game = checker.check.games.first().map(|game| game.id);
        checker.results.retain(|result| result.item != CheckItem::Game || result.game != game);
        checker.add_result(CheckItem::Game, game, Judged::new(failure), Duration::ZERO);
    }
    Ok(())
}

fn play(
    game: &'static Game,
    checker: &mut Checker<'_>,
    given_up: &mut Option<ItemOutcome>,
) -> Result<Judged, Stopped> {
    let Some(setup) = checker.check.setup(game) else {
        return Ok(Judged::skipped(SkipReason::NothingPlayed));
    };
    if checker.is_never_ready() {
        return Ok(Judged::skipped(SkipReason::NotReady));
    }
    let extent = checker.check.extent;
    let start = StartPosition::usual(&*setup);
    let bout = checker.play(&Order::new(&*setup, &start, extent.limit(), extent.resignation_turn()))?;
    let observed = vec![Observation::Moves(bout.moves.len()), Observation::Longest(bout.longest())];
    let has_moved = !bout.moves.is_empty();
    let end = bout.end.clone();
    match end {
        BoutEnd::Good | BoutEnd::Resigned if has_moved => {
            let options = &checker.check.options;
            let positions = Positions::new(options, game, &setup);
            let others = with_other_seat_numbers(options, game, &*setup).into_iter();
            let others = others.map(|other| (Positions::phases(&*other), other)).collect();
            checker.candidates.push(Candidate { setup, positions, others });
            return Ok(Judged { outcome: ItemOutcome::Passed, observed });
        }
        BoutEnd::HostBusy(_) => return Ok(Judged::new(bout.outcome())),
        BoutEnd::Good | BoutEnd::Resigned | BoutEnd::Fault => {}
    }
    let problem = if end == BoutEnd::Fault { ItemProblem::Fault } else { ItemProblem::Resigned };
    let failure = bout.failure(problem);
    let kind = failure.fault_record().map(|fault| fault.kind());
    let gave_up_at_once = !has_moved && matches!(kind, None | Some(FaultKind::Crash | FaultKind::NotStarted));
    let word = failure.fault().map(|fault| fault.word());
    let failed_game = FailedGame { setup, failure: failure.clone() };
    if gave_up_at_once && !checker.check.are_named {
        checker.failed_game.get_or_insert(failed_game);
        let failure = ItemFailure { problem: ItemProblem::PlaysNothing, ..failure };
        given_up.get_or_insert(ItemOutcome::of(failure));
        let outcome = ItemOutcome::Skipped(SkipReason::NotPlayed);
        return Ok(Judged { outcome, observed: vec![Observation::GivenUp(word)] });
    }
    let is_first = !checker.results.iter().any(|result| result.outcome.failure().is_some());
    if is_first {
        checker.failed_game = Some(failed_game);
    }
    Ok(Judged { outcome: ItemOutcome::of(failure), observed })
}

/// A game with its options, and positions of it.
type GamePositions = (Arc<dyn Setup>, Vec<StartPosition>);

fn ask(checker: &Checker<'_>, (setup, starts): &GamePositions) -> Result<Judged, Stopped> {
    let mut arena = checker.arena();
    let mut longest = Duration::ZERO;
    let mut before = None;
    for start in starts {
        let order = Order::new(&**setup, start, checker.check.extent.limit(), 1);
        let bout = arena.play(&order)?;
        longest = longest.max(bout.longest());
        if bout.is_bad() {
            arena.close();
            return Ok(Judged::new(outcome(checker, bout, &order, before.as_ref())?));
        }
        before = Some(order);
    }
    arena.close();
    let observed = vec![Observation::Positions(starts.len()), Observation::Longest(longest)];
    Ok(Judged { outcome: ItemOutcome::Passed, observed })
}

/// Tries an item with each game that the bot plays and that has positions for the item.
fn ask_in_each(
    checker: &mut Checker<'_>,
    item: CheckItem,
    positions_of: impl Fn(&Candidate) -> Option<GamePositions>,
) -> Result<(), Stopped> {
    let all: Vec<GamePositions> = checker.candidates.iter().filter_map(positions_of).collect();
    if all.is_empty() {
        checker.judge(item, None, |_| Ok(Judged::skipped(SkipReason::NoSuchPosition)))?;
    }
    all.iter().try_for_each(|positions| {
        checker.judge(item, Some(positions.0.id()), |checker| ask(checker, positions))
    })
}

/// Returns each position twice: given by its moves, and by its token.
fn both_ways<'s>(
    setup: &Arc<dyn Setup>,
    starts: impl IntoIterator<Item = &'s StartPosition>,
) -> GamePositions {
    let starts = starts.into_iter().flat_map(|start| [start.clone(), start.by_token(&**setup)]);
    (Arc::clone(setup), starts.collect())
}

/// Asks for moves in positions of all phases and in rare ones, and with other numbers of seats in those of all phases.
pub(super) fn positions(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    let usual = |candidate: &Candidate| {
        let starts = candidate.positions.phases.iter().chain(&candidate.positions.rare);
        Some(both_ways(&candidate.setup, starts))
    };
    ask_in_each(checker, CheckItem::Positions, usual)?;
    let others: Vec<GamePositions> = checker
        .candidates
        .iter()
        .flat_map(|candidate| candidate.others.iter().map(|(phases, setup)| both_ways(setup, phases)))
        .collect();
    others.iter().try_for_each(|positions| {
        checker.judge(CheckItem::Positions, Some(positions.0.id()), |checker| {
            let mut judged = ask(checker, positions)?;
            judged.observed.push(Observation::Seats(positions.0.teams().seats()));
            Ok(judged)
        })
    })
}

/// Asks for a move in positions in which the bot can only pass.
pub(super) fn forced_passes(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    ask_in_each(checker, CheckItem::Pass, |candidate| {
        let (setup, start) = candidate.positions.pass.as_ref()?;
        Some(both_ways(setup, [start]))
    })
}

/// Asks for a move in positions before the last ply of a long game.
pub(super) fn full_boards(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    ask_in_each(checker, CheckItem::FullBoard, |candidate| {
        Some(both_ways(&candidate.setup, [&candidate.positions.fullest]))
    })
}

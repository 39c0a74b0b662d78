//! An engine that plays from the table of a solved game.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::proof::Prover;
use super::proven::Proven;
use super::retrograde;
use super::table::{KnownValues, SolvedTable, best_in_table};
use super::value::Value;
use crate::Engine;
use crate::alphabeta::AlphaBeta;
use crate::cant_follow::CantFollow;
use crate::chance::{SEED, fingerprint};
use crate::game_state::GameState;
use crate::searcher::{SearchTask, Searcher};
use crate::settings::{EngineOption, Settings};
use crate::time::{MoveTimer, OVERHEAD};
use linesman_games::Rules;
use linesman_games::solvable::{Keyed, Numbered, Outcome, QuickCheck, Solvable};
use linesman_protocol::Said;
use linesman_types::time_control::Work;

pub(crate) const OPTIONS: &[EngineOption] = &[OVERHEAD, SEED];

/// Plays from the table: wins as quickly and loses as slowly as possible. Among moves of equal value, it prefers those
/// after which most of the opponent's answers are mistakes.
///
/// If the table does not have the position, half of the time is used for a proof, and [`AlphaBeta`] has the rest.
pub(crate) struct Perfect<R: Rules> {
    table: Option<Arc<SolvedTable>>,
    game: Option<Solvable<R::Position>>,
    proven: Proven,
    fallback: AlphaBeta<R>,
}

/// Binary logarithm of the number of words for bounds that are proven during a game. 2^20 words are 8 MiB.
const PROVEN_BITS: u32 = 20;

impl<R: Rules> Searcher<R> for Perfect<R> {
    fn new(settings: &Settings, rules: &R) -> Perfect<R> {
        Perfect {
            table: settings.table.clone(),
            game: None,
            proven: Proven::new(PROVEN_BITS),
            fallback: AlphaBeta::new(&Engine::AlphaBeta.settings(), rules),
        }
    }

    fn prepare(&mut self, game: &GameState<R>) -> Result<(), CantFollow> {
        let table = self.table.as_ref().ok_or(CantFollow::NoTable)?;
        self.game = Some(table.solvable(&game.rules, &game.options)?);
        Ok(())
    }

    fn forget(&mut self) {
        Searcher::<R>::forget(&mut self.fallback);
    }

    fn choose(&mut self, mut task: SearchTask<'_, R>) -> R::Move {
        task.chance.shuffle(&mut task.moves);
        let chosen = match (&self.game, self.table.as_ref().map(|table| &table.known)) {
            (Some(Solvable::Numbered(numbered)), Some(KnownValues::Numbered(bytes))) => {
                by_number(&**numbered, bytes, &mut task)
            }
            (Some(Solvable::Keyed(keyed)), Some(KnownValues::Keyed(known))) => {
                by_key(&**keyed, known, &self.proven, &mut task)
            }
            _ => None,
        };
        chosen.unwrap_or_else(|| self.fallback.choose(task))
    }
}

/// Chooses the best move if the value of every position is known.
fn by_number<R: Rules>(
    numbered: &dyn Numbered<R::Position>,
    bytes: &[u8],
    task: &mut SearchTask<'_, R>,
) -> Option<R::Move> {
    let SearchTask { game, moves, say, .. } = task;
    let value_of = |position: &R::Position| retrograde::value(bytes[numbered.number(position) as usize]);
    let mut replies = Vec::new();
    let judge = |mv: &R::Move| {
        let next = game.rules.after(&game.position, *mv);
        let value = value_after(game, &next, value_of(&next).before());
        // The opponent's answers that are worse than its best answer.
        replies.clear();
        game.rules.legal_moves(&next, &mut replies);
        let is_bad =
            |reply: &&R::Move| value_of(&game.rules.after(&next, **reply)).outcome() > value.outcome();
        let bad = replies.iter().filter(is_bad);
        let bad_in_thousand = bad.count() * 1000 / replies.len().max(1);
        (value.rank(), bad_in_thousand, value, *mv)
    };
    let best = moves.iter().map(judge).max_by_key(|(rank, bad, ..)| (*rank, *bad));
    let (_, _, value, mv) = best?;
    say(said(game, mv, moves.len() as u64, value.to_string()));
    Some(mv)
}

/// The value of a move under the limits on endless play.
fn value_after<R: Rules>(game: &GameState<R>, next: &R::Position, value: Value) -> Value {
    if game.rules.is_over(next) {
        return value;
    }
    if game.would_repeat(fingerprint(game.rules.repetition_key(next))) {
        return Value::Draw;
    }
    let ply = game.rules.ply(&game.position);
    value.within(game.max_plies.map(|max| max.saturating_sub(ply)))
}

/// Chooses the best move if only some positions are known and others can be proven; `None` if the proof is given up.
fn by_key<R: Rules>(
    keyed: &dyn Keyed<R::Position>,
    known: &[(u64, Outcome)],
    proven: &Proven,
    task: &mut SearchTask<'_, R>,
) -> Option<R::Move> {
    let SearchTask { game, moves, say, stopwatch, allowance, work, stop: order, .. } = task;
    let after = |mv: &R::Move| game.rules.after(&game.position, *mv);
    let (mv, best) = moves
        .iter()
        .map(|mv| (*mv, best_known::<R>(keyed, known, &after(mv))))
        .min_by_key(|(_, best)| *best)?;
    let nodes = moves.len() as u64;
    if best == Outcome::Loss {
        say(said(game, mv, nodes, "win".to_owned()));
        return Some(mv);
    }
    let budget = match work {
        Some(Work::Nodes(nodes)) => nodes.get().min(MAX_VISITED),
        Some(Work::Depth(_)) => MAX_VISITED_BY_DEPTH,
        None => MAX_VISITED,
    };
    // The same order gives the same move, whatever was proven before.
    let fresh = work.map(|_| Proven::new(PROVEN_BITS));
    let proven = fresh.as_ref().unwrap_or(proven);
    let half = allowance.soft / 2;
    let (stop, watch): (AtomicBool, MoveTimer) = (AtomicBool::new(false), stopwatch.clone());
    let mut visited = 0;
    let mut report = |more| {
        visited += more;
        let is_ordered = order.as_ref().is_some_and(|order| order.load(Relaxed));
        stop.store(is_ordered || watch.elapsed() >= half, Relaxed);
    };
    let mut prover = Prover::new(&game.rules, keyed, proven, &stop, &mut report).within(budget);
    let value = prover.value(&game.position);
    let held = value.filter(|value| *value > Outcome::Loss).and_then(|value| {
        let to = prover.holding(&game.position, value)?;
        Some((value, *moves.iter().find(|mv| after(mv) == to)?))
    });
    let (value, mv) = match held {
        Some(held) => held,
        None if best == Outcome::Draw => (Outcome::Draw, mv),
        None => {
            if let Some(Work::Nodes(nodes)) = work {
                let left = nodes.get().saturating_sub(visited);
                *nodes = NonZeroU64::new(left).unwrap_or(NonZeroU64::MIN);
            }
            return None;
        }
    };
    say(said(game, mv, nodes + visited, value.word().to_owned()));
    Some(mv)
}

/// The best outcome for the side to move that is not known to be impossible.
fn best_known<R: Rules>(
    keyed: &dyn Keyed<R::Position>,
    known: &[(u64, Outcome)],
    position: &R::Position,
) -> Outcome {
    match keyed.quick_check(position) {
        QuickCheck::Decided(outcome) => outcome,
        QuickCheck::Open { .. } => best_in_table(keyed, known, position).unwrap_or(Outcome::Win),
    }
}

/// The number of positions after which a proof is given up, even if there is more time.
const MAX_VISITED: u64 = 20_000_000;

/// The same if the referee sets a depth: a proof has no depth, and a search to a small depth should be short.
const MAX_VISITED_BY_DEPTH: u64 = 200_000;

fn said<R: Rules>(game: &GameState<R>, mv: R::Move, nodes: u64, text: String) -> Said {
    let pv = [game.rules.text_of(mv)].into_iter().collect();
    Said { nodes: Some(nodes), pv, text: Some(text), ..Said::default() }
}

//! An engine that looks one ply ahead, and at the opponent's wins.

use std::cmp::Reverse;

use super::chance::SEED;
use super::player::{Mind, Task};
use super::settings::{EngineOption, Settings};
use super::view::View;
use crate::games::Rules;
use crate::protocol::Said;

/// The options of the engine.
pub(super) const OPTIONS: &[EngineOption] = &[SEED];

/// The move after which the position looks best.
///
/// A win is taken. A move that lets the next seat win at once is played only
/// when every move does. Which of equal moves is played is left to chance.
pub(super) struct Greedy;

impl<R: Rules> Mind<R> for Greedy {
    fn new(_: &Settings, _: &R) -> Greedy {
        Greedy
    }

    fn choose(&mut self, task: Task<'_, R>) -> R::Move {
        let Task { game, mut moves, mut chance, say, .. } = task;
        let view = game.view();
        chance.shuffle(&mut moves);
        let mut nodes = moves.len() as u64;
        let mut judged: Vec<Judged<R>> = moves
            .into_iter()
            .map(|mv| {
                let mut position = game.position.clone();
                game.rules.play(&mut position, mv);
                let ended = view.ended(&game.rules, &position);
                let value = ended.unwrap_or_else(|| view.evaluation(&game.rules, &position));
                Judged { mv, position, value, is_over: ended.is_some() }
            })
            .collect();
        // Stable, so that chance has the word among equals.
        judged.sort_by_key(|judged| Reverse(judged.value));
        let mut replies = Vec::new();
        let safe = judged.iter().find(|judged| {
            if judged.is_over {
                return judged.value >= 0;
            }
            replies.clear();
            game.rules.legal_moves(&judged.position, &mut replies);
            !loses_at_once(&game.rules, &view, &judged.position, &replies, &mut nodes)
        });
        let Judged { mv, value, .. } = safe.unwrap_or(&judged[0]);
        say(Said {
            depth: Some(1),
            score_cp: Some(i64::from(*value)),
            nodes: Some(nodes),
            pv: vec![game.spell(*mv)],
            text: None,
        });
        *mv
    }
}

/// A move, where it leads, and how that looks.
struct Judged<R: Rules> {
    mv: R::Move,
    position: R::Position,
    value: i32,
    is_over: bool,
}

/// Whether another side's seat is to move and has a move by which this side loses.
fn loses_at_once<R: Rules>(
    rules: &R,
    view: &View,
    position: &R::Position,
    replies: &[R::Move],
    nodes: &mut u64,
) -> bool {
    if view.is_own(rules.to_move(position)) {
        return false;
    }
    replies.iter().any(|reply| {
        *nodes += 1;
        let mut next = position.clone();
        rules.play(&mut next, *reply);
        view.ended(rules, &next).is_some_and(|worth| worth < 0)
    })
}

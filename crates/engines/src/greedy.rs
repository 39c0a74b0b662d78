//! An engine that looks one ply ahead, and avoids immediate losses.

use std::cmp::Reverse;

use super::chance::SEED;
use super::game_state::GameState;
use super::limit::Limit;
use super::searcher::{SearchTask, Searcher};
use super::settings::{EngineOption, Settings};
use super::time::OVERHEAD;
use super::view::SideView;
use linesman_games::Rules;
use linesman_protocol::Said;
use linesman_types::time_control::Work;

pub(super) const OPTIONS: &[EngineOption] = &[OVERHEAD, SEED];

/// The minimum number of positions to visit, however short the time is. In most games these are all.
const MIN_NODES: u64 = 4_096;

/// Plays the move after which the position looks best.
///
/// It takes a win, and plays a move that lets the next seat win at once only if every move does. Equal moves are
/// chosen at random. With thousands of moves and little time, only some of the moves are evaluated.
pub(super) struct Greedy;

impl<R: Rules> Searcher<R> for Greedy {
    fn new(_: &Settings, _: &R) -> Greedy {
        Greedy
    }

    fn choose(&mut self, task: SearchTask<'_, R>) -> R::Move {
        // Only a number of positions that the referee sets may be lower than the minimum, which is small anyway.
        let limit = task.limit(None);
        let mut limit = match task.work {
            Some(Work::Nodes(_)) => limit,
            Some(Work::Depth(_)) | None => limit.at_least(MIN_NODES),
        };
        let SearchTask { game, mut moves, mut chance, say, .. } = task;
        let view = game.view();
        chance.shuffle(&mut moves);
        let mut judged: Vec<Judged<R>> = Vec::with_capacity(moves.len());
        for mv in moves {
            if limit.count().is_err() {
                break;
            }
            let position = game.rules.after(&game.position, mv);
            let ended = view.ended(&game.rules, &position);
            let value = ended.unwrap_or_else(|| view.evaluation(&game.rules, &position));
            judged.push(Judged { mv, value, is_over: ended.is_some() });
        }
        // The sort is stable, so that equal moves stay in random order.
        judged.sort_by_key(|judged| Reverse(judged.value));
        let mut replies = Vec::new();
        let safe = judged.iter().find(|judged| match judged.is_over {
            true => judged.value >= 0,
            false => {
                let next = game.rules.after(&game.position, judged.mv);
                !loses_at_once(game, &view, next, &mut replies, &mut limit)
            }
        });
        let Judged { mv, value, .. } = safe.unwrap_or(&judged[0]);
        say(Said {
            depth: Some(1),
            score_cp: Some(i64::from(*value)),
            nodes: Some(limit.nodes()),
            pv: [game.rules.text_of(*mv)].into_iter().collect(),
            ..Said::default()
        });
        *mv
    }
}

struct Judged<R: Rules> {
    mv: R::Move,
    value: i32,
    is_over: bool,
}

/// True if a seat of another side is to move and has a move that makes this side lose, as far as the limit allows the
/// search.
fn loses_at_once<R: Rules>(
    game: &GameState<R>,
    view: &SideView,
    position: R::Position,
    replies: &mut Vec<R::Move>,
    limit: &mut Limit,
) -> bool {
    let rules = &game.rules;
    if view.is_own(rules.to_move(&position)) {
        return false;
    }
    replies.clear();
    rules.legal_moves(&position, replies);
    replies.iter().take_while(|_| limit.count().is_ok()).any(|reply| {
        let next = rules.after(&position, *reply);
        view.ended(rules, &next).is_some_and(|value| value < 0)
    })
}

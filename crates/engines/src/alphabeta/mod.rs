//! An engine that searches as deep as its time allows: alpha-beta with iterative deepening, a transposition table and
//! move ordering.
//!
//! It searches for its own side against all others together (see [`SideView`](super::view::SideView)), so that the same
//! search works with two sides, with teams and with three or four seats.

mod search;
mod transposition;

use std::time::Duration;

use super::chance::SEED;
use super::game_state::GameState;
use super::limit::{Limit, NODES};
use super::searcher::{SearchTask, Searcher};
use super::settings::{EngineOption, Settings};
use super::time::{MoveTimer, OVERHEAD};
use super::view::WIN;
use linesman_games::Rules;
use linesman_protocol::Said;
use linesman_types::time_control::ClockKind;
use search::{AlphaBetaSearch, MAX_DEPTH};
use transposition::TranspositionTable;

pub(super) struct AlphaBeta<R: Rules> {
    depth: u8,
    nodes: Option<u64>,
    contempt: i32,
    table: TranspositionTable<R::Move>,
}

pub(super) const OPTIONS: &[EngineOption] = &[DEPTH, NODES, HASH, CONTEMPT, OVERHEAD, SEED];

const DEPTH: EngineOption = EngineOption {
    name: "Depth",
    about: "maximum number of plies to look ahead",
    default: MAX_DEPTH as i64,
    min: 1,
    max: MAX_DEPTH as i64,
};

const HASH: EngineOption = EngineOption {
    name: "Hash",
    about: "MiB of memory for positions searched before",
    default: 16,
    min: 1,
    max: 4_096,
};

const CONTEMPT: EngineOption = EngineOption {
    name: "Contempt",
    about: "how much less an endless game is worth than an even position",
    default: 300,
    min: 0,
    max: 10_000,
};

impl<R: Rules> Searcher<R> for AlphaBeta<R> {
    fn new(settings: &Settings, _: &R) -> AlphaBeta<R> {
        let mebibytes = usize::try_from(settings.get(&HASH)).expect("the range of `Hash` is small");
        AlphaBeta {
            depth: u8::try_from(settings.get(&DEPTH)).expect("the range of `Depth` ends at `MAX_DEPTH`"),
            nodes: Some(settings.get(&NODES)).filter(|nodes| *nodes > 0),
            contempt: i32::try_from(settings.get(&CONTEMPT)).expect("the range of `Contempt` is small"),
            table: TranspositionTable::new(mebibytes << 20),
        }
    }

    fn forget(&mut self) {
        self.table.forget();
    }

    fn choose(&mut self, task: SearchTask<'_, R>) -> R::Move {
        let (limit, ordered) = (task.limit(self.nodes), task.depth());
        let ordered = ordered.map(|plies| u8::try_from(plies).unwrap_or(u8::MAX));
        let max_depth = ordered.map_or(self.depth, |plies| plies.min(self.depth));
        if task.work.is_some() {
            // The same order gives the same move, whatever was searched before.
            self.table.forget();
        }
        let SearchTask { game, mut moves, mut chance, allowance, stopwatch, say, .. } = task;
        chance.shuffle(&mut moves);
        let view = game.view().with_contempt(self.contempt);
        let mut search = AlphaBetaSearch::new(game, view, &mut self.table, limit);
        let mut root = search.root(&moves);
        let report = |search: &AlphaBetaSearch<'_, R>, depth: u8, value: i32, mv: R::Move| Said {
            depth: Some(depth.into()),
            score_cp: Some(value.into()),
            nodes: Some(search.nodes()),
            pv: search.expected_line(mv, depth).into_iter().map(|mv| game.rules.text_of(mv)).collect(),
            ..Said::default()
        };
        let (mut value, mut best) = root.best();
        say(report(&search, 1, value, best));
        for depth in 2..=max_depth {
            let worth_it = moves.len() > 1 && !search::is_decided(value);
            if !worth_it || stopwatch.elapsed() >= allowance.soft {
                break;
            }
            let is_complete = search.deepen(&mut root, depth);
            let found = root.best();
            if is_complete || found.1 != best {
                (value, best) = found;
                say(report(&search, depth, value, best));
            }
            if !is_complete {
                break;
            }
        }
        best
    }
}

impl<R: Rules> AlphaBeta<R> {
    /// Searches these moves for one by which the side to move wins against any defense. Returns it with the number of
    /// plies until the win, if the number of positions in the settings is enough to prove it.
    pub(super) fn forced_win(&mut self, game: &GameState<R>, moves: &[R::Move]) -> Option<(R::Move, u32)> {
        self.table.forget();
        let limit = Limit::new(self.nodes, Duration::MAX, MoveTimer::start(ClockKind::Wall));
        let view = game.view().with_contempt(self.contempt);
        let mut search = AlphaBetaSearch::new(game, view, &mut self.table, limit);
        let mut root = search.root(moves);
        for depth in 2..=self.depth {
            if search::is_decided(root.best().0) || !search.deepen(&mut root, depth) {
                break;
            }
        }
        let (value, mv) = root.best();
        (value > 0 && search::is_decided(value)).then(|| (mv, (WIN - value).unsigned_abs().max(1)))
    }
}

//! An engine that grows a tree of the most promising moves: Monte Carlo tree search with the rules' evaluation instead
//! of games played to the end.

mod habits;
mod search;
mod shares;
mod tree;

use std::time::Duration;

use super::chance::SEED;
use super::game_state::GameState;
use super::limit::{Limit, NODES};
use super::random_games::each_position;
use super::searcher::{SearchTask, Searcher};
use super::settings::{EngineOption, Settings};
use super::time::{MoveTimer, OVERHEAD};
use super::view::WIN;
use habits::Habits;
use linesman_games::Rules;
use linesman_protocol::Said;
use linesman_types::seat::{BySeat, MAX_SEATS};
use linesman_types::time_control::ClockKind;
use search::TreeSearch;
use shares::{Judge, Shares};
use tree::Tree;

pub(super) struct Mcts<R: Rules> {
    nodes: Option<u64>,
    tie: f32,
    exploration: f32,
    scale: f32,
    weight: f32,
    habits: Habits<R>,
    tree: Tree<R::Move>,
}

pub(super) const OPTIONS: &[EngineOption] =
    &[NODES, HASH, EXPLORATION, SCALE, WEIGHT, CONTEMPT, OVERHEAD, SEED];

const HASH: EngineOption =
    EngineOption { name: "Hash", about: "MiB of memory for the tree", default: 64, min: 1, max: 4_096 };

const EXPLORATION: EngineOption = EngineOption {
    name: "Exploration",
    about: "how strongly the search favors moves that it knows little about, in hundredths",
    default: 100,
    min: 0,
    max: 10_000,
};

const SCALE: EngineOption = EngineOption {
    name: "Scale",
    about: "lead that gives winning odds of 2.7 to 1, in hundredths of the lead that half of all random games reach",
    default: 200,
    min: 1,
    max: 100_000,
};

const WEIGHT: EngineOption = EngineOption {
    name: "Weight",
    about: "weight of the best line against the mean of all lines, in hundredths",
    default: 60,
    min: 0,
    max: 100,
};

const CONTEMPT: EngineOption = EngineOption {
    name: "Contempt",
    about: "how much less an endless game is worth than an even position, in hundredths of a win",
    default: 15,
    min: 0,
    max: 50,
};

impl<R: Rules> Searcher<R> for Mcts<R> {
    fn new(settings: &Settings, rules: &R) -> Mcts<R> {
        let number = |option| u32::try_from(settings.get(option)).expect("the option's range is small");
        Mcts {
            nodes: Some(settings.get(&NODES)).filter(|nodes| *nodes > 0),
            tie: 0.5 - number(&CONTEMPT) as f32 / 100.0,
            exploration: number(&EXPLORATION) as f32 / 100.0,
            scale: number(&SCALE) as f32 / 100.0 * usual_lead(rules),
            weight: number(&WEIGHT) as f32 / 100.0,
            habits: Habits::new(),
            tree: Tree::new((number(&HASH) as usize) << 20),
        }
    }

    fn choose(&mut self, task: SearchTask<'_, R>) -> R::Move {
        let (limit, depth) = (task.limit(self.nodes), task.depth());
        let SearchTask { game, mut moves, mut chance, say, .. } = task;
        chance.shuffle(&mut moves);
        let judge = Judge::new(game.teams.clone(), game.max_plies, self.scale)
            .with_contempt(game.to_move(), self.tie);
        let (exploration, weight, greedy) = (self.exploration, self.weight, self.habits.watch(game));
        let mut search =
            TreeSearch::new(game, judge.clone(), &mut self.tree, limit, exploration, weight, greedy);
        let report = |search: &TreeSearch<'_, R>| {
            let best = search.best();
            let line = search.expected_line();
            let score = match best.share {
                share if best.exact && share >= 1.0 => WIN,
                share if best.exact && share <= 0.0 => -WIN,
                share => judge.hundredths(share) as i32,
            };
            Said {
                depth: Some(search.depth()),
                score_cp: Some(score.into()),
                nodes: Some(search.nodes()),
                pv: line.into_iter().map(|mv| game.rules.text_of(mv)).collect(),
                ..Said::default()
            }
        };
        let mut grown = search.plant(&moves);
        let mut next_report = FIRST_REPORT;
        let is_deep = |search: &TreeSearch<'_, R>| depth.is_some_and(|plies| search.depth() >= plies);
        while grown.is_ok() && moves.len() > 1 && !search.is_settled() && !is_deep(&search) {
            grown = search.visit();
            if search.visits() >= next_report {
                say(report(&search));
                next_report = next_report.saturating_mul(4);
            }
        }
        say(report(&search));
        search.best().mv
    }
}

impl<R: Rules> Mcts<R> {
    /// Searches the number of positions in the settings. Returns the expected score of each seat and the best move that
    /// was found; no move if the game is over.
    pub(super) fn expect(&mut self, game: &GameState<R>) -> (BySeat<f64>, Option<R::Move>) {
        let judge = Judge::new(game.teams.clone(), game.max_plies, self.scale);
        let by_seat = |shares: Shares| {
            BySeat::from_fn(game.teams.seats(), |seat| f64::from(shares.of(judge.side(seat))))
        };
        let mut moves = Vec::new();
        game.rules.legal_moves(&game.position, &mut moves);
        if let Some(shares) = judge.ended(&game.rules, &game.position) {
            return (by_seat(shares), None);
        }
        let limit = Limit::new(self.nodes, Duration::MAX, MoveTimer::start(ClockKind::Wall));
        let (exploration, weight, greedy) = (self.exploration, self.weight, [false; MAX_SEATS]);
        let mut search =
            TreeSearch::new(game, judge.clone(), &mut self.tree, limit, exploration, weight, greedy);
        let mut grown = search.plant(&moves);
        while grown.is_ok() && !search.is_settled() {
            grown = search.visit();
        }
        (by_seat(search.shares()), Some(search.best().mv))
    }
}

/// The number of visits before the first report.
const FIRST_REPORT: u32 = 256;

/// The usual lead if the rules know odds. With the default of the option `Scale`, the odds are taken as they are.
const USUAL_ODDS: f32 = 250.0;

/// Measures the median lead of one side over another in random games, in hundredths. It is the unit for other leads.
///
/// The meaning of a hundredth differs between games. In this unit, leads in different games mean about the same.
///
/// If the rules know odds, nothing is measured: see [`USUAL_ODDS`].
fn usual_lead<R: Rules>(rules: &R) -> f32 {
    if rules.odds(&rules.start()).is_some() {
        return USUAL_ODDS;
    }
    let judge = Judge::new(rules.teams(), None, 1.0);
    let mut leads = Vec::new();
    each_position(rules, |position| leads.extend(judge.leads(rules, position)));
    leads.retain(|lead| *lead > 0.0);
    if leads.is_empty() {
        return 1.0;
    }
    let usual = leads.len() / 2;
    *leads.select_nth_unstable_by(usual, f32::total_cmp).1
}

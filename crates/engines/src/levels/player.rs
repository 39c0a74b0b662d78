//! The engine that plays at a level.

use super::{LEVEL, Level};
use crate::alphabeta::{self, AlphaBeta};
use crate::chance::SEED;
use crate::engine::Engine;
use crate::greedy::Greedy;
use crate::mcts::{self, Mcts};
use crate::random::Random;
use crate::searcher::{SearchTask, Searcher};
use crate::settings::{EngineOption, Settings, Strength};
use crate::time::{Allowance, OVERHEAD};
use linesman_games::Rules;
use linesman_protocol::Said;

pub(crate) const OPTIONS: &[EngineOption] = &[LEVEL, OVERHEAD, SEED];

/// The whole of which [`Strength::random`] and [`Strength::greedy`] are shares.
const ALL: usize = 1_000;

/// Plays some moves at random, some greedily, and searches a fixed number of positions for the others.
///
/// The clock has no effect if there is enough time for the search. Otherwise the search stops in time, and the bot
/// reports that.
pub(crate) struct Leveled<R: Rules> {
    strength: Strength,
    search: Box<dyn Searcher<R>>,
}

impl<R: Rules> Searcher<R> for Leveled<R> {
    fn new(settings: &Settings, rules: &R) -> Leveled<R> {
        let number = u8::try_from(settings.get(&LEVEL)).expect("the option's range is small");
        let strength =
            settings.strength.unwrap_or_else(|| Level::find(R::ID, rules.teams().seats(), number).strength);
        let search: Box<dyn Searcher<R>> = match strength.search {
            // All moves are random or greedy, so nothing is ever searched.
            _ if usize::from(strength.random + strength.greedy) >= ALL => Box::new(Random),
            Engine::Random | Engine::Greedy | Engine::Perfect | Engine::Level => Box::new(Greedy),
            Engine::AlphaBeta => {
                Box::new(AlphaBeta::<R>::new(&settings_of(alphabeta::OPTIONS, strength), rules))
            }
            Engine::Mcts => Box::new(Mcts::<R>::new(&settings_of(mcts::OPTIONS, strength), rules)),
        };
        Leveled { strength, search }
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn choose(&mut self, task: SearchTask<'_, R>) -> R::Move {
        let SearchTask { game, moves, mut chance, allowance, work, stop, stopwatch, say } = task;
        let drawn = chance.below(ALL);
        let (random, greedy) = (usize::from(self.strength.random), usize::from(self.strength.greedy));
        // With a soft limit, the depth of a search would depend on the time.
        let allowance = Allowance { soft: allowance.hard, ..allowance };
        let timer = stopwatch.clone();
        let task =
            SearchTask { game, moves, chance, allowance, work, stop, stopwatch: timer, say: &mut *say };
        let mv = if drawn < random {
            Random.choose(task)
        } else if drawn < random + greedy {
            Greedy.choose(task)
        } else {
            self.search.choose(task)
        };
        if stopwatch.elapsed() >= allowance.hard {
            let text = "there was too little time for this level: the move may be weaker".to_owned();
            say(Said { text: Some(text), ..Said::default() });
        }
        mv
    }
}

/// The settings of the search of a strength.
fn settings_of(options: &'static [EngineOption], strength: Strength) -> Settings {
    let mut settings = Settings::new(options);
    settings.set("nodes", &strength.nodes.to_string()).expect("the table has only numbers that are in range");
    settings
}

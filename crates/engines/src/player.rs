//! An engine in a game, with the rules and the search of the engine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::alphabeta::AlphaBeta;
use super::cant_follow::CantFollow;
use super::chance::{Chance, SEED};
use super::engine::Engine;
use super::game_state::GameState;
use super::greedy::Greedy;
use super::levels::Leveled;
use super::mcts::Mcts;
use super::random::Random;
use super::searcher::{SearchTask, Searcher};
use super::settings::{EngineOption, Settings};
use super::solve::Perfect;
use super::time::{Allowance, MoveTimer, OVERHEAD};
use super::{alphabeta, greedy, levels, mcts, random, solve};
use linesman_games::{Rules, RulesVisitor, with_rules};
use linesman_protocol::{GameHeader, GoLimit, Position, Said};

impl Engine {
    /// The engine's options.
    pub fn options(self) -> &'static [EngineOption] {
        match self {
            Engine::Random => random::OPTIONS,
            Engine::Greedy => greedy::OPTIONS,
            Engine::AlphaBeta => alphabeta::OPTIONS,
            Engine::Mcts => mcts::OPTIONS,
            Engine::Perfect => solve::OPTIONS,
            Engine::Level => levels::OPTIONS,
        }
    }

    /// The engine's options at their defaults.
    pub fn settings(self) -> Settings {
        Settings::new(self.options())
    }
}

/// The order to choose a move.
pub(super) struct GoOrder<'o> {
    /// The limits, as the referee sent them.
    pub(super) going: &'o GoLimit,
    /// A timer that has been running since the order arrived.
    pub(super) stopwatch: MoveTimer,
    /// Set by another thread to end the search.
    pub(super) stop: Option<Arc<AtomicBool>>,
}

/// An engine in a game, without the game's types: the interface for the protocol.
pub(super) trait GamePlayer: Send {
    /// Starts another game if it is played by the same rules. Returns true if it is.
    fn plays_on(&mut self, header: &GameHeader) -> bool;
    /// Goes to the position of a `position` line.
    fn follow(&mut self, target: &Position) -> Result<(), CantFollow>;
    /// Chooses a move; `None` if there is no legal one.
    fn think(&mut self, order: GoOrder<'_>, say: &mut dyn FnMut(Said)) -> Option<String>;
}

/// Creates the player of an engine in the game that a `game` line announces.
pub(super) fn seat(
    engine: Engine,
    settings: &Settings,
    header: GameHeader,
) -> Result<Box<dyn GamePlayer>, CantFollow> {
    let game = header.game.clone();
    with_rules(&game, PlayerBuilder { engine, settings, header }).unwrap_or(Err(CantFollow::Game { game }))
}

struct PlayerBuilder<'s> {
    engine: Engine,
    settings: &'s Settings,
    header: GameHeader,
}

impl RulesVisitor for PlayerBuilder<'_> {
    type Output = Result<Box<dyn GamePlayer>, CantFollow>;

    fn visit<R: Rules>(self) -> Self::Output {
        match self.engine {
            Engine::Random => self.with_searcher::<R, Random>(),
            Engine::Greedy => self.with_searcher::<R, Greedy>(),
            Engine::AlphaBeta => self.with_searcher::<R, AlphaBeta<R>>(),
            Engine::Mcts => self.with_searcher::<R, Mcts<R>>(),
            Engine::Perfect => self.with_searcher::<R, Perfect<R>>(),
            Engine::Level => self.with_searcher::<R, Leveled<R>>(),
        }
    }
}

impl PlayerBuilder<'_> {
    fn with_searcher<R: Rules, S: Searcher<R> + 'static>(self) -> Result<Box<dyn GamePlayer>, CantFollow> {
        let value = |option| {
            if self.settings.options().contains(option) { self.settings.get(option) } else { 0 }
        };
        let game = GameState::<R>::new(self.header)?;
        let mut searcher = S::new(self.settings, &game.rules);
        searcher.prepare(&game)?;
        Ok(Box::new(EnginePlayer {
            seed: value(&SEED),
            overhead: Duration::from_millis(value(&OVERHEAD)),
            searcher,
            game,
        }))
    }
}

struct EnginePlayer<R: Rules, S> {
    game: GameState<R>,
    searcher: S,
    seed: u64,
    overhead: Duration,
}

impl<R: Rules, S: Searcher<R>> GamePlayer for EnginePlayer<R, S> {
    fn plays_on(&mut self, header: &GameHeader) -> bool {
        let is_same = self.game.same_rules(header);
        if is_same {
            self.game.restart(header.clone());
            self.searcher.forget();
        }
        is_same
    }

    fn follow(&mut self, target: &Position) -> Result<(), CantFollow> {
        self.game.follow(target)
    }

    fn think(&mut self, order: GoOrder<'_>, say: &mut dyn FnMut(Said)) -> Option<String> {
        let GoOrder { going, stopwatch, stop } = order;
        let game = &self.game;
        let mut moves = Vec::new();
        game.rules.legal_moves(&game.position, &mut moves);
        if moves.is_empty() {
            return None;
        }
        let seat = game.to_move();
        let ply = game.rules.ply(&game.position);
        let task = SearchTask {
            game,
            moves,
            chance: Chance::of((self.seed, &game.header.id, seat, ply)),
            allowance: Allowance::new(going, seat, self.overhead),
            work: match going {
                GoLimit::Work(work) => Some(*work),
                GoLimit::MoveTime(_) | GoLimit::Clocks(_) | GoLimit::Infinite => None,
            },
            stop,
            stopwatch,
            say,
        };
        Some(game.rules.text_of(self.searcher.choose(task)))
    }
}

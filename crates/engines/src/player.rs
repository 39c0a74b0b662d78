//! An engine seated at a game: the rules known, the search chosen.

use std::time::Duration;

use super::alphabeta::AlphaBeta;
use super::catalogue::Engine;
use super::chance::{Chance, SEED};
use super::following::{CantFollow, Following};
use super::greedy::Greedy;
use super::mcts::Mcts;
use super::random::Random;
use super::settings::Settings;
use super::solve::Perfect;
use super::time::{Allowance, OVERHEAD, Stopwatch};
use linesman_games::{Rules, RulesVisitor, with_rules};
use linesman_protocol::{GameHeader, Going, Position, Said};

/// How an engine thinks, once the rules are known.
pub(super) trait Mind<R: Rules>: Send {
    /// A mind with these settings for games by these rules.
    fn new(settings: &Settings, rules: &R) -> Self
    where
        Self: Sized;

    /// Prepares for games by these rules; there are minds that can't play all.
    fn prepare(&mut self, _game: &Following<R>) -> Result<(), CantFollow> {
        Ok(())
    }

    /// Forgets what it learnt in the last game.
    fn forget(&mut self) {}

    /// One of the legal moves, which are at least one.
    fn choose(&mut self, task: Task<'_, R>) -> R::Move;
}

/// What a mind decides about, and within what limits.
pub(super) struct Task<'t, R: Rules> {
    /// The game.
    pub(super) game: &'t Following<R>,
    /// The legal moves; never empty, in the order of the rules.
    pub(super) moves: Vec<R::Move>,
    /// What is left to chance.
    pub(super) chance: Chance,
    /// How long to think.
    pub(super) allowance: Allowance,
    /// Running since the `go` line.
    pub(super) stopwatch: Stopwatch,
    /// Where to say what has been found so far.
    pub(super) say: &'t mut dyn FnMut(Said),
}

/// An engine at a game, whatever the game: what the protocol's side sees.
pub(super) trait Player: Send {
    /// Takes part in another game if it is played by the same rules.
    fn plays_on(&mut self, header: &GameHeader) -> bool;
    /// Goes to where a `position` line says.
    fn follow(&mut self, told: &Position) -> Result<(), CantFollow>;
    /// The move to play; none if there is no legal one.
    fn think(&mut self, going: &Going, stopwatch: Stopwatch, say: &mut dyn FnMut(Said)) -> Option<String>;
}

/// Seats an engine at the game that a `game` line announced.
pub(super) fn seat(
    engine: Engine,
    settings: &Settings,
    header: GameHeader,
) -> Result<Box<dyn Player>, CantFollow> {
    let game = header.game.clone();
    with_rules(&game, Seating { engine, settings, header }).unwrap_or(Err(CantFollow::Game { game }))
}

struct Seating<'s> {
    engine: Engine,
    settings: &'s Settings,
    header: GameHeader,
}

impl RulesVisitor for Seating<'_> {
    type Output = Result<Box<dyn Player>, CantFollow>;

    fn visit<R: Rules>(self) -> Self::Output {
        match self.engine {
            Engine::Random => self.with_mind::<R, Random>(),
            Engine::Greedy => self.with_mind::<R, Greedy>(),
            Engine::AlphaBeta => self.with_mind::<R, AlphaBeta<R>>(),
            Engine::Mcts => self.with_mind::<R, Mcts<R>>(),
            Engine::Perfect => self.with_mind::<R, Perfect<R>>(),
        }
    }
}

impl Seating<'_> {
    fn with_mind<R: Rules, M: Mind<R> + 'static>(self) -> Result<Box<dyn Player>, CantFollow> {
        let value = |option| {
            if self.settings.options().contains(option) { self.settings.get(option) } else { 0 }
        };
        let game = Following::<R>::new(self.header)?;
        let mut mind = M::new(self.settings, &game.rules);
        mind.prepare(&game)?;
        Ok(Box::new(Seated {
            seed: value(&SEED),
            overhead: Duration::from_millis(value(&OVERHEAD)),
            mind,
            game,
        }))
    }
}

struct Seated<R: Rules, M> {
    game: Following<R>,
    mind: M,
    seed: u64,
    overhead: Duration,
}

impl<R: Rules, M: Mind<R>> Player for Seated<R, M> {
    fn plays_on(&mut self, header: &GameHeader) -> bool {
        let same = self.game.same_rules(header);
        if same {
            self.game.restart(header.clone());
            self.mind.forget();
        }
        same
    }

    fn follow(&mut self, told: &Position) -> Result<(), CantFollow> {
        self.game.follow(told)
    }

    fn think(&mut self, going: &Going, stopwatch: Stopwatch, say: &mut dyn FnMut(Said)) -> Option<String> {
        let game = &self.game;
        let mut moves = Vec::new();
        game.rules.legal_moves(&game.position, &mut moves);
        if moves.is_empty() {
            return None;
        }
        let seat = game.to_move();
        let ply = game.rules.ply(&game.position);
        let task = Task {
            game,
            moves,
            chance: Chance::of((self.seed, &game.header.id, seat, ply)),
            allowance: Allowance::new(going, seat, self.overhead),
            stopwatch,
            say,
        };
        Some(game.spell(self.mind.choose(task)))
    }
}

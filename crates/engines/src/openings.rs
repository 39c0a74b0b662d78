//! Searches for openings: positions at a number of plies from the start that are about even, and of which none is a
//! mirror image of another.
//!
//! If a game has few positions at that distance from its start, all of them are listed and counted. Otherwise random
//! games are played. Either way the result depends only on the arguments: a search is limited by the number of
//! positions that it visits, and reads no clock.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use super::alphabeta::AlphaBeta;
use super::cant_follow::CantFollow;
use super::chance::Chance;
use super::engine::Engine;
use super::game_state::GameState;
use super::random_games::each_position;
use super::searcher::{SearchTask, Searcher};
use super::time::{Allowance, MoveTimer};
use super::view::{SideView, WIN};
use linesman_games::limits::Limits;
use linesman_games::symmetry::canonical_token;
use linesman_games::{OptionValues, Rules, RulesVisitor, with_rules};
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;

/// The openings to search for.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Wanted {
    /// The number of plies from the start.
    pub plies: u32,
    /// The number of openings.
    pub count: usize,
    /// The seed of the random choices.
    pub seed: u64,
    /// The maximum distance from even, in hundredths of an evaluation; `None` for half of the median lead in random
    /// games.
    pub most: Option<u32>,
    /// The number of positions that the search visits to judge a position.
    pub nodes: u64,
}

/// An opening that was found.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct MadeOpening {
    /// The moves from the start.
    pub moves: Vec<String>,
    /// The value of the position for the seat to move, in hundredths of an evaluation. In a game with more than two
    /// sides, the lead of the best seat over the worst.
    pub score: i64,
}

/// The openings that were found, and figures on the search.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct MadeOpenings {
    /// The openings; fewer than wanted if there are no more.
    pub openings: Vec<MadeOpening>,
    /// The maximum distance from even that was allowed.
    pub most: u32,
    /// The number of positions that were judged.
    pub judged: u64,
    /// The number of different positions at that distance from the start in which the game is not over, if all of them
    /// were listed.
    pub all: Option<u64>,
    /// The numbers of judged positions by their distance from even.
    pub distances: BTreeMap<u64, u64>,
}

impl MadeOpenings {
    /// The number of judged positions in which the search found no forced win.
    pub fn undecided(&self) -> u64 {
        self.distances.range(..DECIDED).map(|(_, positions)| positions).sum()
    }

    /// The distance from even within which `count` of the judged positions are; `None` if fewer were judged.
    pub fn most_for(&self, count: u64) -> Option<u64> {
        let mut within = 0;
        let (distance, _) = self.distances.iter().find(|(_, positions)| {
            within += **positions;
            within >= count
        })?;
        Some(*distance)
    }
}

/// The progress of the search for openings.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Search {
    /// The number of openings that were found.
    pub found: u64,
    /// The number of positions that were judged.
    pub judged: u64,
}

/// The reason why no openings can be found.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum CantMake {
    /// The game can't be followed.
    #[error(transparent)]
    Follow(#[from] CantFollow),
    /// Every game is over after the wanted number of plies.
    #[error("every game of {game} is over after {plies} plies")]
    TooLong {
        /// The game's id.
        game: String,
        /// The wanted number of plies.
        plies: u32,
    },
}

/// Searches for openings of a game with these options.
///
/// # Errors
/// See [`CantMake`].
pub fn make(
    game: &str,
    options: &OptionValues,
    wanted: &Wanted,
    progress: &mut dyn FnMut(Search),
) -> Result<MadeOpenings, CantMake> {
    with_rules(game, Making { options, wanted, progress })
        .unwrap_or_else(|| Err(CantFollow::Game { game: game.to_owned() }.into()))
}

/// The minimum score of a forced win, which is [`WIN`] less the number of plies to the end.
const DECIDED: u64 = WIN as u64 - 10_000;

/// Maximum number of moves that are played to list all positions at a ply.
const MAX_LISTED: usize = 40_000;

/// The maximum number of random games: the number for each opening, and the number in addition.
const GAMES_PER_OPENING: u64 = 200;
const ADDITIONAL_GAMES: u64 = 20_000;

/// MiB of memory for the judge. It needs little, because it starts anew with each position.
const HASH: &str = "4";

struct Making<'m> {
    options: &'m OptionValues,
    wanted: &'m Wanted,
    progress: &'m mut dyn FnMut(Search),
}

/// A position and the moves that lead to it.
struct OpeningCandidate<R: Rules> {
    moves: Vec<R::Move>,
    position: R::Position,
}

impl RulesVisitor for Making<'_> {
    type Output = Result<MadeOpenings, CantMake>;

    fn visit<R: Rules>(self) -> Self::Output {
        let game = GameState::<R>::unplayed(2, "opening", self.options.to_string())?;
        let mut judge = Judge::new(game, self.wanted.nodes);
        let most = self.wanted.most.unwrap_or_else(|| judge.usual_lead().div_ceil(2));
        let too_long = || CantMake::TooLong { game: R::ID.to_owned(), plies: self.wanted.plies };
        if judge.game.max_plies.is_some_and(|most| self.wanted.plies >= most) {
            return Err(too_long());
        }
        let mut made =
            MadeOpenings { openings: Vec::new(), most, judged: 0, all: None, distances: BTreeMap::new() };
        match all_candidates(&judge.game.rules, self.wanted.plies) {
            Some(mut candidates) => {
                made.all = Some(candidates.len() as u64);
                if candidates.is_empty() {
                    return Err(too_long());
                }
                Chance::of(("openings", self.wanted.seed)).shuffle(&mut candidates);
                for candidate in candidates {
                    if made.openings.len() >= self.wanted.count {
                        break;
                    }
                    judge.take(candidate, &mut made);
                    (self.progress)(Search { found: made.openings.len() as u64, judged: made.judged });
                }
            }
            None => self.at_random(&mut judge, &mut made)?,
        }
        Ok(made)
    }
}

impl Making<'_> {
    /// Plays random games until enough openings are found, or the maximum number of games is reached.
    fn at_random<R: Rules>(self, judge: &mut Judge<R>, made: &mut MadeOpenings) -> Result<(), CantMake> {
        let mut seen = HashSet::new();
        let games =
            (self.wanted.count as u64).saturating_mul(GAMES_PER_OPENING).saturating_add(ADDITIONAL_GAMES);
        let mut buffer = Vec::new();
        for number in 0..games {
            if made.openings.len() >= self.wanted.count {
                break;
            }
            let rules = &judge.game.rules;
            let mut chance = Chance::of(("openings", self.wanted.seed, number));
            let mut candidate = OpeningCandidate::<R> { moves: Vec::new(), position: rules.start() };
            while candidate.moves.len() < self.wanted.plies as usize {
                let mv = rules.random_move(&candidate.position, &mut buffer, |end| chance.below(end));
                // There is no move if the game is over.
                let Some(mv) = mv else { break };
                rules.play(&mut candidate.position, mv);
                candidate.moves.push(mv);
            }
            let goes_on =
                candidate.moves.len() == self.wanted.plies as usize && !rules.is_over(&candidate.position);
            if goes_on && seen.insert(canonical_token(rules, &candidate.position)) {
                judge.take(candidate, made);
                (self.progress)(Search { found: made.openings.len() as u64, judged: made.judged });
            }
        }
        if seen.is_empty() {
            return Err(CantMake::TooLong { game: R::ID.to_owned(), plies: self.wanted.plies });
        }
        Ok(())
    }
}

/// Lists the positions at this ply in which the game is not over, one of each set of symmetric ones; `None` if there
/// are too many.
fn all_candidates<R: Rules>(rules: &R, plies: u32) -> Option<Vec<OpeningCandidate<R>>> {
    let mut candidates: Vec<OpeningCandidate<R>> =
        vec![OpeningCandidate { moves: Vec::new(), position: rules.start() }];
    let mut listed = 0;
    for _ in 0..plies {
        let mut next = Vec::new();
        let mut seen = HashSet::new();
        for candidate in &candidates {
            let mut moves = Vec::new();
            rules.legal_moves(&candidate.position, &mut moves);
            listed += moves.len();
            if listed > MAX_LISTED {
                return None;
            }
            for mv in moves {
                let position = rules.after(&candidate.position, mv);
                if !rules.is_over(&position) && seen.insert(canonical_token(rules, &position)) {
                    let moves = candidate.moves.iter().copied().chain([mv]).collect();
                    next.push(OpeningCandidate { moves, position });
                }
            }
        }
        candidates = next;
    }
    Some(candidates)
}

/// Judges how far positions are from even.
struct Judge<R: Rules> {
    game: GameState<R>,
    searcher: AlphaBeta<R>,
}

impl<R: Rules> Judge<R> {
    fn new(game: GameState<R>, nodes: u64) -> Judge<R> {
        let mut settings = Engine::AlphaBeta.settings();
        for (name, value) in [("Nodes", nodes.to_string().as_str()), ("Hash", HASH), ("Contempt", "0")] {
            settings.set(name, value).expect("the engine has these options, and they take such numbers");
        }
        Judge { searcher: AlphaBeta::new(&settings, &game.rules), game }
    }

    /// Judges a position, and keeps it if it is even enough.
    fn take(&mut self, candidate: OpeningCandidate<R>, made: &mut MadeOpenings) {
        if !self.goes_on(&candidate.moves) {
            return;
        }
        made.judged += 1;
        let score = match self.has_two_sides() {
            true => self.score(candidate.position),
            false => self.spread(&candidate.position),
        };
        *made.distances.entry(score.unsigned_abs()).or_default() += 1;
        if score.unsigned_abs() <= u64::from(made.most) {
            let moves = candidate.moves.iter().map(|mv| self.game.rules.text_of(*mv)).collect();
            made.openings.push(MadeOpening { moves, score });
        }
    }

    /// True if no limit on endless play ends the game within these moves.
    fn goes_on(&self, moves: &[R::Move]) -> bool {
        let rules = &self.game.rules;
        let mut position = rules.start();
        let mut limits = Limits::new(&self.game.options, rules, &position);
        for mv in moves {
            rules.play(&mut position, *mv);
            limits.reached(rules, &position);
        }
        !limits.is_over(rules, &position)
    }

    fn has_two_sides(&self) -> bool {
        self.game.teams.sides() == 2
    }

    /// Determines the median lead in random games, not counting even positions.
    fn usual_lead(&self) -> u32 {
        let rules = &self.game.rules;
        let view = SideView::new(self.game.teams.clone(), Seat::FIRST, None);
        let mut leads = Vec::new();
        each_position(rules, |position| {
            let lead = match self.has_two_sides() {
                true => i64::from(view.evaluation(rules, position)),
                false => self.spread(position),
            };
            leads.push(lead.unsigned_abs());
        });
        leads.retain(|lead| *lead > 0);
        leads.sort_unstable();
        leads.get(leads.len() / 2).map_or(2, |lead| u32::try_from(*lead).unwrap_or(u32::MAX))
    }

    /// Determines the value of a position for the seat to move.
    fn score(&mut self, position: R::Position) -> i64 {
        Searcher::<R>::forget(&mut self.searcher);
        self.game.position = position;
        let mut moves = Vec::new();
        self.game.rules.legal_moves(&self.game.position, &mut moves);
        let mut score = 0;
        let task = SearchTask {
            game: &self.game,
            moves,
            chance: Chance::of("judge"),
            allowance: Allowance { soft: Duration::MAX, hard: Duration::MAX },
            work: None,
            stop: None,
            stopwatch: MoveTimer::start(ClockKind::Wall),
            say: &mut |said| score = said.score_cp.unwrap_or(score),
        };
        self.searcher.choose(task);
        score
    }

    /// The lead of the best seat over the worst. It is used if there are more than two sides, because a search takes
    /// the view of one side.
    fn spread(&self, position: &R::Position) -> i64 {
        let values = self.game.rules.evaluate(position);
        let values = || values.values().map(|value| i64::from(*value));
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    }
}

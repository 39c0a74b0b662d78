//! The positions in which a bot is asked for a move: from games played at random, the same every time.

use std::sync::Arc;

use linesman_games::options::OptionKind;
use linesman_games::{Game, OptionSpec, Rules, RulesVisitor, Setup, Table, with_rules};
use linesman_types::random::SplitMix64;
use linesman_types::seat::{MAX_SEATS, Seat};

use super::plan::{GivenOptions, setup_with};

/// Number of random games from which positions are taken.
const GAMES: u64 = 12;

/// Number of random games that are searched for a forced pass.
const MOST_GAMES: u64 = 400;

/// Number of random games that are searched for rare positions.
const GAMES_FOR_RARE: u64 = 40;

/// Maximum number of plies of a random game: endless play says nothing.
const MOST_PLIES: usize = 150;

/// The tenths of a game at which positions are taken: early, in the middle, late.
const SHARES: [usize; 3] = [1, 5, 9];

/// The move of every game that does nothing, where no other is legal.
const PASS: &str = "pass";

/// A position from which a game starts.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct StartPosition {
    /// The token; none = the usual start.
    pub(super) token: Option<String>,
    /// The moves since.
    pub(super) moves: Vec<String>,
    /// The seat on move.
    pub(super) to_move: Seat,
    /// The moves from the usual start to it, if it is given by its token.
    played: Vec<String>,
}

impl StartPosition {
    /// The usual start.
    pub(super) fn usual(setup: &dyn Setup) -> StartPosition {
        StartPosition { token: None, moves: Vec::new(), to_move: setup.start().to_move(), played: Vec::new() }
    }

    /// The position after these moves; of moves that end the game, before the last.
    pub(super) fn after(setup: &dyn Setup, moves: &[String]) -> StartPosition {
        let mut table = setup.start();
        let mut start = StartPosition::usual(setup);
        for text in moves {
            let mut next = table.fork();
            if next.play(text).is_err() || next.is_over() {
                break;
            }
            table = next;
            start.moves.push(text.clone());
        }
        start.to_move = table.to_move();
        start
    }

    /// The same position by its token.
    pub(super) fn by_token(&self, setup: &dyn Setup) -> StartPosition {
        StartPosition {
            token: Some(self.table(setup).token()),
            moves: Vec::new(),
            to_move: self.to_move,
            played: self.moves.clone(),
        }
    }

    /// The same position by its moves, if it is given by its token.
    pub(super) fn by_moves(&self) -> Option<StartPosition> {
        self.token.as_ref()?;
        let moves = self.played.clone();
        Some(StartPosition { token: None, moves, to_move: self.to_move, played: Vec::new() })
    }

    /// The table with the position on it.
    pub(super) fn table(&self, setup: &dyn Setup) -> Box<dyn Table> {
        let token = self.token.as_deref().map(|token| setup.from_token(token));
        let mut table = token.and_then(Result::ok).unwrap_or_else(|| setup.start());
        // They were played here before.
        self.moves.iter().for_each(|text| drop(table.play(text)));
        table
    }
}

/// Positions of a game.
#[derive(Clone)]
pub(super) struct Positions {
    /// Positions in the course of several games, from the first plies to the last.
    pub(super) phases: Vec<StartPosition>,
    /// The position before the last ply of the longest game.
    pub(super) fullest: StartPosition,
    /// Positions that random games reach rarely: with few legal moves, and with many that lose at once.
    pub(super) rare: Vec<StartPosition>,
    /// A position in which the seat on move can only pass, of the game with these options.
    pub(super) pass: Option<(Arc<dyn Setup>, StartPosition)>,
}

impl Positions {
    pub(super) fn new(given: &GivenOptions, game: &Game, setup: &Arc<dyn Setup>) -> Positions {
        let games = sorted_games(&**setup, GAMES);
        let longest = games.last().cloned().unwrap_or_default();
        Positions {
            phases: phases_of(&**setup, &games),
            fullest: StartPosition::after(&**setup, &longest),
            rare: with_rules(setup.id(), RareSearch { setup: &**setup }).unwrap_or_default(),
            pass: forced_pass(given, game, setup),
        }
    }

    /// The positions of all phases alone.
    pub(super) fn phases(setup: &dyn Setup) -> Vec<StartPosition> {
        phases_of(setup, &sorted_games(setup, SHARES.len() as u64))
    }

    /// Positions from which short games start, one after the other.
    pub(super) fn short(&self) -> impl Iterator<Item = &StartPosition> + Clone {
        self.phases.iter().chain([&self.fullest])
    }
}

/// This number of games at random, the shortest first.
fn sorted_games(setup: &dyn Setup, number: u64) -> Vec<Vec<String>> {
    let mut games = walks(setup, number).games;
    games.sort_by_key(Vec::len);
    games
}

/// A position of each phase. A later one is of a longer game.
fn phases_of(setup: &dyn Setup, games: &[Vec<String>]) -> Vec<StartPosition> {
    let phases = SHARES.iter().zip([0, games.len() / 2, games.len().saturating_sub(1)]);
    let phases = phases.filter_map(|(share, game)| {
        let moves = games.get(game)?;
        Some(StartPosition::after(setup, &moves[..moves.len() * share / 10]))
    });
    phases.collect()
}

/// A position with a forced pass. Where games at random reach none, one number option is set to its minimum.
fn forced_pass(
    given: &GivenOptions,
    game: &Game,
    usual: &Arc<dyn Setup>,
) -> Option<(Arc<dyn Setup>, StartPosition)> {
    let least = |spec: &OptionSpec| match &spec.kind {
        OptionKind::Integer { min, .. } => setup_with(given, game, spec.name, min.value(usual.options())),
        OptionKind::Flag { .. } | OptionKind::Text { .. } => None,
    };
    let setups = std::iter::once(Arc::clone(usual)).chain(game.options.iter().filter_map(least));
    setups.into_iter().find_map(|setup| {
        let moves = walks(&*setup, MOST_GAMES).before_pass?;
        let start = StartPosition::after(&*setup, &moves);
        (start.moves.len() == moves.len()).then_some((setup, start))
    })
}

/// The game with each number of seats above two, except for the usual number.
pub(super) fn with_more_seats(given: &GivenOptions, game: &Game, usual: &dyn Setup) -> Vec<Arc<dyn Setup>> {
    let mut found: Vec<Arc<dyn Setup>> = Vec::new();
    for spec in game.options {
        let OptionKind::Integer { min, max, .. } = &spec.kind else { continue };
        let (min, max) = (min.value(usual.options()), max.value(usual.options()));
        // A larger value can't be a number of seats.
        for value in min..=max.min(MAX_SEATS as i64) {
            let Some(setup) = setup_with(given, game, spec.name, value) else { continue };
            let seats = |setup: &dyn Setup| setup.teams().seats();
            let known = found.iter().map(|known| seats(&**known)).chain([seats(usual), 2]);
            if known.into_iter().all(|known| known != seats(&*setup)) {
                found.push(setup);
            }
        }
    }
    found
}

/// Games at random. At most `most` are played to find a forced pass.
fn walks(setup: &dyn Setup, most: u64) -> RandomGames {
    with_rules(setup.id(), RandomWalk { setup, most }).unwrap_or_default()
}

/// Games played at random.
#[derive(Default)]
struct RandomGames {
    games: Vec<Vec<String>>,
    /// The moves before a forced pass.
    before_pass: Option<Vec<String>>,
}

struct RandomWalk<'s> {
    setup: &'s dyn Setup,
    most: u64,
}

impl RulesVisitor for RandomWalk<'_> {
    type Output = RandomGames;

    fn visit<R: Rules>(self) -> RandomGames {
        let mut walks = RandomGames::default();
        let Ok(rules) = R::with_options(self.setup.options()) else { return walks };
        let text = |mv: &R::Move| rules.text_of(*mv);
        for seed in 0..self.most {
            if seed >= GAMES && walks.before_pass.is_some() {
                break;
            }
            let moves = played::<R>(&rules, &mut SplitMix64(seed));
            if walks.before_pass.is_none() {
                let at = moves.iter().position(|mv| text(mv) == PASS);
                walks.before_pass = at.map(|at| moves[..at].iter().map(text).collect());
            }
            if seed < GAMES {
                walks.games.push(moves.iter().map(text).collect());
            }
        }
        walks
    }
}

/// A search for positions in which no move wins at once: the one with the fewest legal moves, and the one in which
/// the largest share of them loses at once.
struct RareSearch<'s> {
    setup: &'s dyn Setup,
}

impl RulesVisitor for RareSearch<'_> {
    type Output = Vec<StartPosition>;

    fn visit<R: Rules>(self) -> Vec<StartPosition> {
        let Ok(rules) = R::with_options(self.setup.options()) else { return Vec::new() };
        let (mut fewest, mut losing) = (None, None);
        let mut legal = Vec::new();
        for seed in 0..GAMES_FOR_RARE {
            let moves = played::<R>(&rules, &mut SplitMix64(seed));
            let mut position = rules.start();
            for (ply, mv) in moves.iter().enumerate() {
                legal.clear();
                rules.legal_moves(&position, &mut legal);
                // Passes have an item of their own.
                let is_pass = matches!(legal[..], [only] if rules.text_of(only) == PASS);
                if !is_pass && let Some(lost) = lost_at_once(&rules, &position, &legal) {
                    let number = legal.len() as f64;
                    keep_better(&mut fewest, number.recip(), &moves[..ply]);
                    keep_better(&mut losing, lost as f64 / number, &moves[..ply]);
                }
                rules.play(&mut position, *mv);
            }
        }
        let found = fewest.into_iter().chain(losing.filter(|(share, _)| *share > 0.0));
        let starts = found.map(|(_, moves)| {
            let moves: Vec<String> = moves.iter().map(|mv| rules.text_of(*mv)).collect();
            StartPosition::after(self.setup, &moves)
        });
        starts.collect()
    }
}

/// Keeps the higher of two ranks, with the moves to its position.
fn keep_better<M: Copy>(best: &mut Option<(f64, Vec<M>)>, rank: f64, moves: &[M]) {
    if best.as_ref().is_none_or(|(highest, _)| rank > *highest) {
        *best = Some((rank, moves.to_vec()));
    }
}

/// Number of the legal moves that lose the game at once; `None` if one wins it.
fn lost_at_once<R: Rules>(rules: &R, position: &R::Position, legal: &[R::Move]) -> Option<usize> {
    let mover = rules.to_move(position);
    let mut lost = 0;
    for mv in legal {
        let next = rules.after(position, *mv);
        let Some(ending) = rules.is_over(&next).then(|| rules.ending(&next)).flatten() else { continue };
        let own = ending.places[mover];
        let others = || ending.places.iter().map(|(_, place)| *place);
        if others().all(|place| own <= place) && others().any(|place| own < place) {
            return None;
        }
        lost += usize::from(others().any(|place| place < own));
    }
    Some(lost)
}

fn played<R: Rules>(rules: &R, random: &mut SplitMix64) -> Vec<R::Move> {
    let (mut position, mut moves, mut buffer) = (rules.start(), Vec::new(), Vec::new());
    let mut below = |end: usize| usize::try_from(random.below(end as u64)).unwrap_or(0);
    while moves.len() < MOST_PLIES && !rules.is_over(&position) {
        let Some(mv) = rules.random_move(&position, &mut buffer, &mut below) else { break };
        rules.play(&mut position, mv);
        moves.push(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_games::{Ending, GAMES, Refusal, legal_moves};

    /// True if the game's notation has a pass.
    fn can_pass(setup: &dyn Setup) -> bool {
        !matches!(setup.start().play(PASS), Err(Refusal::NotAMove(_)))
    }

    /// Determines whether the last move of some random game loses it.
    struct CanLoseAtOnce<'s>(&'s dyn Setup);

    impl RulesVisitor for CanLoseAtOnce<'_> {
        type Output = bool;

        fn visit<R: Rules>(self) -> bool {
            let rules = R::with_options(self.0.options()).expect("the options are right");
            (0..GAMES_FOR_RARE).any(|seed| {
                let mut position = rules.start();
                let mut mover = rules.to_move(&position);
                for mv in played::<R>(&rules, &mut SplitMix64(seed)) {
                    mover = rules.to_move(&position);
                    rules.play(&mut position, mv);
                }
                let loses =
                    |ending: Ending| ending.places.iter().any(|(_, other)| other < &ending.places[mover]);
                rules.ending(&position).is_some_and(loses)
            })
        }
    }

    #[test]
    fn every_game_has_positions_of_all_phases_and_those_with_a_pass_a_forced_one() {
        for game in GAMES {
            let setup = game.configure(&[]).expect("it has defaults");
            let positions = Positions::new(&[], game, &setup);
            let plies: Vec<usize> = positions.phases.iter().map(|start| start.moves.len()).collect();
            assert!(plies.is_sorted() && plies[0] < plies[2], "{}: {plies:?}", game.id);
            for start in positions.phases.iter().chain([&positions.fullest]) {
                for start in [start.clone(), start.by_token(&*setup)] {
                    let table = start.table(&*setup);
                    assert!(!table.is_over() && table.to_move() == start.to_move, "{}: {start:?}", game.id);
                }
            }
            assert_eq!(positions.pass.is_some(), can_pass(&*setup), "{}", game.id);
            let can_lose_at_once =
                with_rules(game.id, CanLoseAtOnce(&*setup)).expect("it is in the registry");
            assert_eq!(positions.rare.len(), 1 + usize::from(can_lose_at_once), "{}", game.id);
            for start in &positions.rare {
                let legal = legal_moves(&*start.table(&*setup)).len();
                assert!(legal < legal_moves(&*setup.start()).len(), "{}: {start:?}", game.id);
            }
            if let Some((setup, start)) = &positions.pass {
                for start in [start.clone(), start.by_token(&**setup)] {
                    assert_eq!(legal_moves(&*start.table(&**setup)), [PASS]);
                }
            }
        }
    }
}

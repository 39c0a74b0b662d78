//! The positions in which a bot is asked for a move. They come from random games, which are the same every time.

use std::sync::Arc;

use linesman_games::options::OptionKind;
use linesman_games::{Game, OptionSpec, Rules, RulesVisitor, Setup, Table, with_rules};
use linesman_types::random::SplitMix64;
use linesman_types::seat::{MAX_SEATS, Seat};

use super::plan::{GivenOptions, setup_with};

/// Number of random games from which positions are taken.
const RANDOM_GAMES: u64 = 12;

/// Maximum number of random games that are searched for a forced pass.
const GAMES_FOR_PASS: u64 = 400;

/// Number of random games that are searched for rare positions.
const GAMES_FOR_RARE: u64 = 40;

/// Maximum number of plies of a random game, since play may be endless.
const MAX_PLIES: usize = 150;

/// The early, middle and late points of a game at which positions are taken, in tenths of its length.
const PHASES: [usize; 3] = [1, 5, 9];

/// The spelling of a pass in every game that has one.
const PASS: &str = "pass";

/// A position from which a game starts.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct StartPosition {
    /// The token; `None` for the usual start.
    pub(super) token: Option<String>,
    /// The moves since then.
    pub(super) moves: Vec<String>,
    pub(super) to_move: Seat,
    /// The moves from the usual start to the position, if it is given by its token.
    played: Vec<String>,
}

impl StartPosition {
    pub(super) fn usual(setup: &dyn Setup) -> StartPosition {
        StartPosition { token: None, moves: Vec::new(), to_move: setup.start().to_move(), played: Vec::new() }
    }

    /// The position after these moves, or before the move that ends the game.
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

    /// The same position, given by its token.
    pub(super) fn by_token(&self, setup: &dyn Setup) -> StartPosition {
        StartPosition {
            token: Some(self.table(setup).token()),
            moves: Vec::new(),
            to_move: self.to_move,
            played: self.moves.clone(),
        }
    }

    /// The same position, given by its moves; `None` if it is not given by its token.
    pub(super) fn by_moves(&self) -> Option<StartPosition> {
        self.token.as_ref()?;
        let moves = self.played.clone();
        Some(StartPosition { token: None, moves, to_move: self.to_move, played: Vec::new() })
    }

    /// Creates a table with the position on it.
    pub(super) fn table(&self, setup: &dyn Setup) -> Box<dyn Table> {
        let token = self.token.as_deref().map(|token| setup.from_token(token));
        let mut table = token.and_then(Result::ok).unwrap_or_else(|| setup.start());
        // They were legal when the position was found.
        self.moves.iter().for_each(|text| drop(table.play(text)));
        table
    }
}

/// Positions of a game, by the reason why they are tried.
#[derive(Clone)]
pub(super) struct Positions {
    /// An early, a middle and a late position.
    pub(super) phases: Vec<StartPosition>,
    /// The position before the last ply of the longest random game.
    pub(super) fullest: StartPosition,
    /// Positions that are rare in random games: with few legal moves, and with many that lose at once.
    pub(super) rare: Vec<StartPosition>,
    /// A position in which the seat on move can only pass, and the game with the options that lead to it.
    pub(super) pass: Option<(Arc<dyn Setup>, StartPosition)>,
}

impl Positions {
    pub(super) fn new(given: &GivenOptions, game: &Game, setup: &Arc<dyn Setup>) -> Positions {
        let games = sorted_games(&**setup, RANDOM_GAMES);
        let longest = games.last().cloned().unwrap_or_default();
        Positions {
            phases: phases_of(&**setup, &games),
            fullest: StartPosition::after(&**setup, &longest),
            rare: with_rules(setup.id(), RareSearch { setup: &**setup }).unwrap_or_default(),
            pass: forced_pass(given, game, setup),
        }
    }

    /// Returns an early, a middle and a late position of a game.
    pub(super) fn phases(setup: &dyn Setup) -> Vec<StartPosition> {
        phases_of(setup, &sorted_games(setup, PHASES.len() as u64))
    }

    /// The positions from which short games start.
    pub(super) fn short(&self) -> impl Iterator<Item = &StartPosition> + Clone {
        self.phases.iter().chain([&self.fullest])
    }
}

/// Plays this number of random games, and returns them with the shortest first.
fn sorted_games(setup: &dyn Setup, number: u64) -> Vec<Vec<String>> {
    let mut games = random_games(setup, number).games;
    games.sort_by_key(Vec::len);
    games
}

/// Takes the positions of the phases. Those of later phases come from longer games.
fn phases_of(setup: &dyn Setup, games: &[Vec<String>]) -> Vec<StartPosition> {
    let phases = PHASES.iter().zip([0, games.len() / 2, games.len().saturating_sub(1)]);
    let phases = phases.filter_map(|(tenths, game)| {
        let moves = games.get(game)?;
        Some(StartPosition::after(setup, &moves[..moves.len() * tenths / 10]))
    });
    phases.collect()
}

/// Searches for a position with a forced pass. If random games with the usual options reach none, each integer option
/// in turn is set to its minimum.
fn forced_pass(
    given: &GivenOptions,
    game: &Game,
    usual: &Arc<dyn Setup>,
) -> Option<(Arc<dyn Setup>, StartPosition)> {
    let with_minimum = |spec: &OptionSpec| match &spec.kind {
        OptionKind::Integer { min, .. } => setup_with(given, game, spec.name, min.value(usual.options())),
        OptionKind::Flag { .. } | OptionKind::Text { .. } => None,
    };
    let setups = std::iter::once(Arc::clone(usual)).chain(game.options.iter().filter_map(with_minimum));
    setups.into_iter().find_map(|setup| {
        let moves = random_games(&*setup, GAMES_FOR_PASS).before_pass?;
        let start = StartPosition::after(&*setup, &moves);
        (start.moves.len() == moves.len()).then_some((setup, start))
    })
}

/// Configures the game with each number of seats above two, except for the usual number.
pub(super) fn with_other_seat_numbers(
    given: &GivenOptions,
    game: &Game,
    usual: &dyn Setup,
) -> Vec<Arc<dyn Setup>> {
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

/// Plays at most `max_games` random games. After the first [`RANDOM_GAMES`] it stops once one has had a forced pass.
fn random_games(setup: &dyn Setup, max_games: u64) -> RandomGames {
    with_rules(setup.id(), RandomGamesPlayer { setup, max_games }).unwrap_or_default()
}

#[derive(Default)]
struct RandomGames {
    /// The moves of the first [`RANDOM_GAMES`] games.
    games: Vec<Vec<String>>,
    /// The moves before the first forced pass.
    before_pass: Option<Vec<String>>,
}

struct RandomGamesPlayer<'s> {
    setup: &'s dyn Setup,
    max_games: u64,
}

impl RulesVisitor for RandomGamesPlayer<'_> {
    type Output = RandomGames;

    fn visit<R: Rules>(self) -> RandomGames {
        let mut random_games = RandomGames::default();
        let Ok(rules) = R::with_options(self.setup.options()) else { return random_games };
        let text = |mv: &R::Move| rules.text_of(*mv);
        for seed in 0..self.max_games {
            if seed >= RANDOM_GAMES && random_games.before_pass.is_some() {
                break;
            }
            let moves = play_random_game::<R>(&rules, &mut SplitMix64(seed));
            if random_games.before_pass.is_none() {
                let at = moves.iter().position(|mv| text(mv) == PASS);
                random_games.before_pass = at.map(|at| moves[..at].iter().map(text).collect());
            }
            if seed < RANDOM_GAMES {
                random_games.games.push(moves.iter().map(text).collect());
            }
        }
        random_games
    }
}

/// A search among the positions in which no move wins at once. It finds the one with the fewest legal moves, and the
/// one with the largest share of moves that lose at once.
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
            let moves = play_random_game::<R>(&rules, &mut SplitMix64(seed));
            let mut position = rules.start();
            for (ply, mv) in moves.iter().enumerate() {
                legal.clear();
                rules.legal_moves(&position, &mut legal);
                // Forced passes have an item of their own.
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

/// Keeps the position with the higher rank, by the moves that lead to it.
fn keep_better<M: Copy>(best: &mut Option<(f64, Vec<M>)>, rank: f64, moves: &[M]) {
    if best.as_ref().is_none_or(|(highest, _)| rank > *highest) {
        *best = Some((rank, moves.to_vec()));
    }
}

/// Counts the legal moves that lose the game at once; `None` if one wins it.
fn lost_at_once<R: Rules>(rules: &R, position: &R::Position, legal: &[R::Move]) -> Option<usize> {
    let mover = rules.to_move(position);
    let mut lost = 0;
    for mv in legal {
        let next = rules.after(position, *mv);
        let Some(ending) = rules.is_over(&next).then(|| rules.ending(&next)).flatten() else { continue };
        let own_place = ending.places[mover];
        let others = || ending.places.iter().map(|(_, place)| *place);
        if others().all(|place| own_place <= place) && others().any(|place| own_place < place) {
            return None;
        }
        lost += usize::from(others().any(|place| place < own_place));
    }
    Some(lost)
}

fn play_random_game<R: Rules>(rules: &R, random: &mut SplitMix64) -> Vec<R::Move> {
    let (mut position, mut moves, mut buffer) = (rules.start(), Vec::new(), Vec::new());
    let mut below = |end: usize| usize::try_from(random.below(end as u64)).unwrap_or(0);
    while moves.len() < MAX_PLIES && !rules.is_over(&position) {
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
                for mv in play_random_game::<R>(&rules, &mut SplitMix64(seed)) {
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
    fn every_game_has_positions_of_all_kinds() {
        let mut rare = Vec::new();
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
            rare.push(positions.rare.len());
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
        assert!([1, 2].iter().all(|number| rare.contains(number)), "{rare:?}");
    }
}

//! The positions in which a bot is asked: from games played at random, the same every time.

use std::sync::Arc;

use linesman_games::options::OptionKind;
use linesman_games::{Game, OptionSpec, Rules, RulesVisitor, Setup, Table, with_rules};
use linesman_types::random::SplitMix64;
use linesman_types::seat::Seat;

/// Number of random games from which positions are taken.
const GAMES: u64 = 12;

/// Number of random games that are searched for a forced pass.
const MOST_GAMES: u64 = 400;

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
}

impl StartPosition {
    /// The usual start.
    pub(super) fn usual(setup: &dyn Setup) -> StartPosition {
        StartPosition { token: None, moves: Vec::new(), to_move: setup.start().to_move() }
    }

    /// The position after these moves; of moves that end the game, before the last.
    fn after(setup: &dyn Setup, moves: &[String]) -> StartPosition {
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
        StartPosition { token: Some(self.table(setup).token()), moves: Vec::new(), to_move: self.to_move }
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
    /// A position in which the seat on move can only pass, of the game with these options.
    pub(super) pass: Option<(Arc<dyn Setup>, StartPosition)>,
}

impl Positions {
    pub(super) fn of(game: &dyn Game, setup: &dyn Setup) -> Positions {
        let walks = walks(setup);
        let mut games = walks.games;
        games.sort_by_key(Vec::len);
        let longest = games.last().cloned().unwrap_or_default();
        // A later phase is of a longer game.
        let phases = SHARES.iter().zip([0, games.len() / 2, games.len().saturating_sub(1)]);
        let phases = phases.filter_map(|(share, game)| {
            let moves = games.get(game)?;
            Some(StartPosition::after(setup, &moves[..moves.len() * share / 10]))
        });
        Positions {
            phases: phases.collect(),
            fullest: StartPosition::after(setup, &longest),
            pass: forced_pass(game),
        }
    }

    /// Positions from which short games start, one after the other.
    pub(super) fn short(&self) -> impl Iterator<Item = &StartPosition> {
        self.phases.iter().chain([&self.fullest]).cycle()
    }
}

/// A position with a forced pass. Where games at random reach none, one number option is set to its minimum.
fn forced_pass(game: &dyn Game) -> Option<(Arc<dyn Setup>, StartPosition)> {
    let usual = game.configure(&[]).ok()?;
    let least = |spec: &OptionSpec| match &spec.kind {
        OptionKind::Integer { min, .. } => {
            game.configure(&[(spec.name, &min.value(usual.options()).to_string())]).ok()
        }
        OptionKind::Flag { .. } | OptionKind::Text { .. } => None,
    };
    let setups = std::iter::once(Arc::clone(&usual)).chain(game.options().iter().filter_map(least));
    setups.into_iter().find_map(|setup| {
        let moves = walks(&*setup).before_pass?;
        let start = StartPosition::after(&*setup, &moves);
        (start.moves.len() == moves.len()).then_some((setup, start))
    })
}

fn walks(setup: &dyn Setup) -> RandomGames {
    with_rules(setup.id(), RandomWalk { setup }).unwrap_or_default()
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
}

impl RulesVisitor for RandomWalk<'_> {
    type Output = RandomGames;

    fn visit<R: Rules>(self) -> RandomGames {
        let mut walks = RandomGames::default();
        let Ok(rules) = R::with_options(self.setup.options()) else { return walks };
        let text = |mv: &R::Move| {
            let mut text = String::new();
            rules.write_move(*mv, &mut text);
            text
        };
        for seed in 0..MOST_GAMES {
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
    use linesman_games::{GAMES, legal_moves};

    #[test]
    fn every_game_has_positions_of_all_phases_and_those_with_a_pass_a_forced_one() {
        for game in GAMES {
            let setup = game.configure(&[]).expect("it has defaults");
            let positions = Positions::of(*game, &*setup);
            let plies: Vec<usize> = positions.phases.iter().map(|start| start.moves.len()).collect();
            assert!(plies.is_sorted() && plies[0] < plies[2], "{}: {plies:?}", game.id());
            for start in positions.phases.iter().chain([&positions.fullest]) {
                for start in [start.clone(), start.by_token(&*setup)] {
                    let table = start.table(&*setup);
                    assert!(!table.is_over() && table.to_move() == start.to_move, "{}: {start:?}", game.id());
                }
            }
            let has_pass = ["quixo-teams", "tandem"].contains(&game.id());
            assert_eq!(positions.pass.is_some(), has_pass, "{}", game.id());
            if let Some((setup, start)) = &positions.pass {
                for start in [start.clone(), start.by_token(&**setup)] {
                    assert_eq!(legal_moves(&*start.table(&**setup)), [PASS]);
                }
            }
        }
    }
}

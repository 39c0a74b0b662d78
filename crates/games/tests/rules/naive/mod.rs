//! Second implementations of the games, slow and obvious, written from the
//! rules alone: only the list of games comes from the crate.
//!
//! Boards are arrays, moves are lists of small structures, child positions are
//! clones, and lines are found by examining all of them. Only names and tokens
//! are text. The tests compare the rules with these twins move by move; the
//! benchmark of the rules measures against them.

/// A straightforward implementation of a game: the twin of its rules.
pub trait Slow: Clone {
    /// The name of the game.
    const ID: &'static str;
    /// A whole turn.
    type Move: Clone;

    /// Makes the start under options given as names and values.
    fn start(options: &[(&str, &str)]) -> Self;

    /// Reads a token that was printed.
    fn from_token(options: &[(&str, &str)], token: &str) -> Self;

    /// The position's token.
    fn token(&self) -> String;

    /// Every legal move, in any order; none after the end.
    fn moves(&self) -> Vec<Self::Move>;

    /// The move's spelling.
    fn name(&self, mv: &Self::Move) -> String;

    /// Plays a legal move.
    fn play(&mut self, mv: &Self::Move);

    /// Returns the place of each seat and the word of the reason, if the rules have
    /// ended the game.
    fn outcome(&self) -> Option<(Vec<usize>, &'static str)>;

    /// Returns the place of each seat if the game ended here by a limit.
    fn tie(&self) -> Vec<usize>;

    /// Eliminates a seat, numbered from 1, from a game of three or more sides.
    fn eliminate(&mut self, seat: usize) {
        panic!("{} goes on without nobody, not even seat {seat}", Self::ID);
    }
}

/// An action on a twin whose game's name is known only at run time.
pub trait Visitor {
    type Output;
    fn visit<S: Slow>(self) -> Self::Output;
}

/// A module for each registered game.
macro_rules! twins {
    ($($module:ident),*) => {
        $(pub mod $module;)*

        /// Calls the visitor with the twin of a game; `None` if the game is unknown.
        pub fn with_twin<V: Visitor>(id: &str, visitor: V) -> Option<V::Output> {
            match id {
                $($module::Game::ID => Some(visitor.visit::<$module::Game>()),)*
                _ => None,
            }
        }
    };
}

linesman_games::each_game!(twins);

/// Counts the sequences of legal moves of this length by playing every move.
pub fn perft<S: Slow>(game: &S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for mv in game.moves() {
        let mut next = game.clone();
        next.play(&mv);
        nodes += perft(&next, depth - 1);
    }
    nodes
}

/// Reads a number option, or takes its default.
fn number(options: &[(&str, &str)], name: &str, default: usize) -> usize {
    match options.iter().find(|(option, _)| *option == name) {
        Some((_, value)) => value.parse().expect("the option is a number"),
        None => default,
    }
}

/// Names a square: column from the left, rank from the bottom, both from 0.
fn square_name(column: usize, rank: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, rank + 1)
}

/// The four directions to the next square: columns to the right, ranks up.
const NEIGHBOURS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The four directions of lines.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

//! Second implementations of the games, slow and obvious, written from the
//! rules alone: the crate is used for the list of games only.
//!
//! Boards are arrays, moves a list of small structures, a child position is a
//! clone, and a line is found by looking at all lines. Text comes in only at the
//! edge. The tests compare the real rules with these move by move; the
//! benchmark of the rules measures against them.

/// A game as one would write it down first.
pub trait Slow: Clone {
    /// The name of the game that it is the twin of.
    const ID: &'static str;
    /// A whole turn.
    type Move: Clone;

    /// The start under options given as names and values.
    fn start(options: &[(&str, &str)]) -> Self;

    /// The position of a token that a printer has printed.
    fn from_token(options: &[(&str, &str)], token: &str) -> Self;

    /// The position's token.
    fn token(&self) -> String;

    /// Every legal move, in any order; none after the end.
    fn moves(&self) -> Vec<Self::Move>;

    /// The move's spelling.
    fn name(&self, mv: &Self::Move) -> String;

    /// Plays a legal move.
    fn play(&mut self, mv: &Self::Move);

    /// The place of each seat and the word of the reason, if the rules have
    /// ended the game.
    fn outcome(&self) -> Option<(Vec<usize>, &'static str)>;

    /// The place of each seat if the game ended here by a limit: all first.
    fn tie(&self) -> Vec<usize>;

    /// Takes out a seat, numbered from 1, where three or more sides play.
    fn withdraw(&mut self, seat: usize) {
        panic!("{} goes on without nobody, not even seat {seat}", Self::ID);
    }
}

/// Something to be done with a twin whose game's name is known only at run time.
pub trait Visitor {
    type Output;
    fn visit<S: Slow>(self) -> Self::Output;
}

/// A file for each game of the registry.
macro_rules! twins {
    ($($module:ident),*) => {
        $(pub mod $module;)*

        /// The way from a game's name to its twin.
        pub fn with_twin<V: Visitor>(id: &str, visitor: V) -> Option<V::Output> {
            match id {
                $($module::Game::ID => Some(visitor.visit::<$module::Game>()),)*
                _ => None,
            }
        }
    };
}

linesman_games::each_game!(twins);

/// Sequences of legal moves of this length, each move made.
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

/// The number that an option is given, or its default.
fn number(options: &[(&str, &str)], name: &str, default: usize) -> usize {
    match options.iter().find(|(own, _)| *own == name) {
        Some((_, value)) => value.parse().expect("the option is a number"),
        None => default,
    }
}

/// A square's name: column from the left, rank from the bottom, both from 0.
fn square_name(column: usize, rank: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, rank + 1)
}

/// The four directions to the next square: columns to the right, ranks up.
const NEIGHBOURS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The four directions of lines.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

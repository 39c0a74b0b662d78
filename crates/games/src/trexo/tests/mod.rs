//! Tests of Trexo, on positions made by hand and on any text.

mod endings;
mod moves;
mod notation;
mod options;
mod play;

use super::*;
use crate::notation::Square;
use crate::testkit;

/// Makes the rules with the usual number of tiles and length of lines.
fn rules(size: usize) -> Trexo {
    Trexo::new(size, 60, 5)
}

fn position(rules: &Trexo, token: &str) -> Position {
    testkit::position(rules, token)
}

/// Plays moves from the start, each of which must be legal.
#[track_caller]
fn after(rules: &Trexo, moves: &str) -> Position {
    let mut position = rules.start();
    for text in moves.split_whitespace() {
        testkit::play(rules, &mut position, text);
    }
    position
}

fn token(rules: &Trexo, position: &Position) -> String {
    rules.token_of(position)
}

fn spelled(rules: &Trexo, mv: Move) -> String {
    rules.text_of(mv)
}

fn legal(rules: &Trexo, position: &Position) -> Vec<String> {
    testkit::legal(rules, position)
}

/// Makes the token of a board of six rows on which only these cells are covered, each given as square and cell
/// (`a1 xe1`), at the ply that follows from the levels.
fn small(cells: &str) -> String {
    let mut rows = vec![vec!["."; 6]; 6];
    let words: Vec<&str> = cells.split_whitespace().collect();
    let mut levels = 0;
    for pair in words.chunks_exact(2) {
        let (square, rest) = Square::parse_prefix(pair[0]).expect("a square");
        assert_eq!(rest, "");
        rows[5 - square.rank()][square.file()] = pair[1];
        levels += pair[1].get(2..).and_then(|level| level.parse::<u32>().ok()).unwrap_or_default();
    }
    let rows: Vec<String> = rows.into_iter().map(|row| row.join(",")).collect();
    format!("{}:{}:{}", rows.join("/"), levels / 2 % 2 + 1, levels / 2)
}

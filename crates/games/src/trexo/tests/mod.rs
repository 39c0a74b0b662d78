//! Tests of Trexo, on positions made by hand and on any text.

mod endings;
mod moves;
mod notation;
mod options;
mod play;

use super::*;
use crate::notation::Square;

/// The rules with the usual number of tiles and length of lines.
fn rules(size: usize) -> Trexo {
    Trexo::new(size, 60, 5)
}

fn position(rules: &Trexo, token: &str) -> Position {
    rules.parse_position(token).unwrap_or_else(|error| panic!("`{token}`: {error}"))
}

/// Plays moves from the start, each of which must be legal.
#[track_caller]
fn after(rules: &Trexo, moves: &str) -> Position {
    let mut position = rules.start();
    for text in moves.split_whitespace() {
        let mv = rules.parse_move(text).expect("a move");
        assert!(rules.is_legal(&position, mv, &mut Vec::new()), "{text}: {}", rules.refusal(&position, mv));
        rules.play(&mut position, mv);
    }
    position
}

fn token(rules: &Trexo, position: &Position) -> String {
    let mut text = String::new();
    rules.write_position(position, &mut text);
    text
}

fn spelled(rules: &Trexo, mv: Move) -> String {
    let mut text = String::new();
    rules.write_move(mv, &mut text);
    text
}

fn legal(rules: &Trexo, position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    rules.legal_moves(position, &mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(|mv| spelled(rules, mv)).collect();
    texts.sort();
    texts
}

/// A board of six rows on which only these cells are covered, each given as
/// square and cell (`a1 xe1`), at the ply that the levels make.
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

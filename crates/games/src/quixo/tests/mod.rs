//! Tests of Quixo, on positions made by hand and on any text.

mod endings;
mod moves;
mod notation;

use super::*;

/// The rules and a position on a board of this size.
fn position(size: usize, token: &str) -> (Quixo, Position) {
    let rules = Quixo::new(size);
    let position = rules.parse_position(token).unwrap_or_else(|error| panic!("`{token}`: {error}"));
    (rules, position)
}

fn token(rules: &Quixo, position: &Position) -> String {
    let mut text = String::new();
    rules.write_position(position, &mut text);
    text
}

fn spelled(rules: &Quixo, mv: Move) -> String {
    let mut text = String::new();
    rules.write_move(mv, &mut text);
    text
}

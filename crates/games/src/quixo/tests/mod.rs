//! Tests of Quixo, on positions made by hand and on any text.

mod endings;
mod moves;
mod notation;

use super::*;
use crate::testkit;

/// Makes the rules and a position on a board of this size.
fn position(size: usize, token: &str) -> (Quixo, Position) {
    let rules = Quixo::new(size);
    let position = testkit::position(&rules, token);
    (rules, position)
}

fn token(rules: &Quixo, position: &Position) -> String {
    rules.token_of(position)
}

fn spelled(rules: &Quixo, mv: Move) -> String {
    rules.text_of(mv)
}

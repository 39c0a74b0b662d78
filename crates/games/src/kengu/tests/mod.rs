//! Tests of Kengu, on positions made by hand and on any text.

mod endings;
mod moves;
mod notation;

use super::*;
use crate::testkit;

fn position(token: &str) -> Position {
    testkit::position(&Kengu, token)
}

fn token(position: &Position) -> String {
    Kengu.token_of(position)
}

fn spelled(mv: Move) -> String {
    Kengu.text_of(mv)
}

fn legal(position: &Position) -> Vec<String> {
    testkit::legal(&Kengu, position)
}

#[track_caller]
fn after(before: &str, mv: &str) -> Position {
    let mut position = position(before);
    testkit::play(&Kengu, &mut position, mv);
    position
}

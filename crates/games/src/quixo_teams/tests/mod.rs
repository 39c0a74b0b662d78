//! Tests of Quixo for teams, on positions made by hand and on any text.

mod endings;
mod evaluate;
mod moves;
mod notation;
mod scene;
mod turns;

use super::*;
use crate::testkit;

/// A position in which seat 1 has no cube to take: all border cubes show
/// noughts or point at seat 3.
const STUCK: &str = "nwnen/w.s.w/n.e.n/e.s.e/nwnen:1:40";

#[track_caller]
fn position(token: &str) -> (QuixoTeams, Position) {
    let rules = QuixoTeams::new();
    let position = testkit::position(&rules, token);
    (rules, position)
}

fn token(rules: &QuixoTeams, position: &Position) -> String {
    rules.token_of(position)
}

fn spelled(rules: &QuixoTeams, mv: Move) -> String {
    rules.text_of(mv)
}

fn legal(rules: &QuixoTeams, position: &Position) -> Vec<String> {
    testkit::legal(rules, position)
}

/// Returns the squares from which a cube may be taken.
fn takeable(token: &str) -> Vec<String> {
    let (rules, position) = position(token);
    let mut squares: Vec<String> = legal(&rules, &position).iter().map(|mv| mv[..2].to_owned()).collect();
    squares.dedup();
    squares
}

#[track_caller]
fn play(rules: &QuixoTeams, position: &mut Position, mv: &str) {
    testkit::play(rules, position, mv);
}

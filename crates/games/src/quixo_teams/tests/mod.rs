//! Tests of Quixo for teams, on positions made by hand and on any text.

mod endings;
mod evaluate;
mod moves;
mod notation;
mod scene;
mod turns;

use super::*;

/// A position in which seat 1 has no cube to take: all cubes of the border
/// show noughts or point at seat 3.
const STUCK: &str = "nwnen/w.s.w/n.e.n/e.s.e/nwnen:1:40";

/// The rules and a position.
#[track_caller]
fn position(token: &str) -> (QuixoTeams, Position) {
    let rules = QuixoTeams::new();
    let position = rules.parse_position(token).unwrap_or_else(|error| panic!("`{token}`: {error}"));
    (rules, position)
}

fn token(rules: &QuixoTeams, position: &Position) -> String {
    let mut text = String::new();
    rules.write_position(position, &mut text);
    text
}

fn spelled(rules: &QuixoTeams, mv: Move) -> String {
    let mut text = String::new();
    rules.write_move(mv, &mut text);
    text
}

/// The legal moves as text, in order.
fn legal(rules: &QuixoTeams, position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    rules.legal_moves(position, &mut moves);
    assert_eq!(rules.count_legal_moves(position, &mut Vec::new()), moves.len() as u64);
    let mut texts: Vec<String> = moves.into_iter().map(|mv| spelled(rules, mv)).collect();
    texts.sort();
    texts
}

/// The squares from which a cube may be taken.
fn takeable(token: &str) -> Vec<String> {
    let (rules, position) = position(token);
    let mut squares: Vec<String> = legal(&rules, &position).iter().map(|mv| mv[..2].to_owned()).collect();
    squares.dedup();
    squares
}

/// Plays a legal move.
#[track_caller]
fn play(rules: &QuixoTeams, position: &mut Position, mv: &str) {
    let mv = rules.parse_move(mv).expect("a move");
    assert!(rules.is_legal(position, mv, &mut Vec::new()), "{}", rules.refusal(position, mv));
    rules.play(position, mv);
}

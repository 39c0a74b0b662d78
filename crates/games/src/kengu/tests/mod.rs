//! Tests of Kengu, on positions made by hand and on any text.

mod endings;
mod moves;
mod notation;

use super::*;

fn position(token: &str) -> Position {
    Kengu.parse_position(token).unwrap_or_else(|error| panic!("`{token}`: {error}"))
}

fn token(position: &Position) -> String {
    let mut text = String::new();
    Kengu.write_position(position, &mut text);
    text
}

fn spelled(mv: Move) -> String {
    let mut text = String::new();
    Kengu.write_move(mv, &mut text);
    text
}

fn legal(position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    Kengu.legal_moves(position, &mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(spelled).collect();
    texts.sort();
    texts
}

/// The position after a legal move.
#[track_caller]
fn after(before: &str, mv: &str) -> Position {
    let mut position = position(before);
    let mv = Kengu.parse_move(mv).expect("a move");
    assert!(Kengu.is_legal(&position, mv, &mut Vec::new()), "{}", Kengu.refusal(&position, mv));
    Kengu.play(&mut position, mv);
    position
}

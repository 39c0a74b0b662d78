//! Helpers for the tests of games: positions and moves.

use crate::rules::Rules;

/// The position of a token, which can be read.
#[track_caller]
pub(crate) fn position<R: Rules>(rules: &R, token: &str) -> R::Position {
    rules.parse_position(token).unwrap_or_else(|error| panic!("`{token}`: {error}"))
}

/// The legal moves as text, in order.
#[track_caller]
pub(crate) fn legal<R: Rules>(rules: &R, position: &R::Position) -> Vec<String> {
    let mut moves = Vec::new();
    rules.legal_moves(position, &mut moves);
    assert_eq!(rules.count_legal_moves(position, &mut Vec::new()), moves.len() as u64);
    let mut texts: Vec<String> = moves.into_iter().map(|mv| rules.text_of(mv)).collect();
    texts.sort();
    texts
}

/// Plays a legal move.
#[track_caller]
pub(crate) fn play<R: Rules>(rules: &R, position: &mut R::Position, text: &str) {
    let mv = rules.parse_move(text).expect("a move");
    assert!(rules.is_legal(position, mv, &mut Vec::new()), "{text}: {}", rules.refusal(position, mv));
    rules.play(position, mv);
}

/// Holds that a move is not legal, and what is said against it.
#[track_caller]
pub(crate) fn refused<R: Rules>(rules: &R, position: &R::Position, text: &str, expected: &str) {
    let mv = rules.parse_move(text).expect("a move");
    assert!(!rules.is_legal(position, mv, &mut Vec::new()), "{text} is legal");
    assert!(!legal(rules, position).contains(&text.to_owned()), "{text} is listed");
    assert_eq!(rules.refusal(position, mv).why, expected);
}

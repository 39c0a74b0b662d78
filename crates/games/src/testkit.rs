//! Helpers for the tests of games: positions and moves.

use std::sync::Arc;

use crate::options::split_options;
use crate::rules::Rules;
use crate::table::Setup;

/// Sets up a registered game with these options.
#[track_caller]
pub(crate) fn setup(game: &str, options: &str) -> Arc<dyn Setup> {
    let game = crate::find(game).expect("it is in the registry");
    let given = split_options(options).expect("options have values");
    game.configure(&given).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads the position of a valid token.
#[track_caller]
pub(crate) fn position<R: Rules>(rules: &R, token: &str) -> R::Position {
    rules.parse_position(token).unwrap_or_else(|error| panic!("`{token}`: {error}"))
}

/// Lists the legal moves as text, in order.
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

/// Checks that a move is illegal, and the reason for its refusal.
#[track_caller]
pub(crate) fn refused<R: Rules>(rules: &R, position: &R::Position, text: &str, expected: &str) {
    let mv = rules.parse_move(text).expect("a move");
    assert!(!rules.is_legal(position, mv, &mut Vec::new()), "{text} is legal");
    assert!(!legal(rules, position).contains(&text.to_owned()), "{text} is listed");
    assert_eq!(rules.refusal(position, mv).why, expected);
}

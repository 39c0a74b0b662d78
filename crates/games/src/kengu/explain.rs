//! Which rule a move breaks, in words.

use crate::kengu::board;
use crate::kengu::moves::Flip;
use crate::kengu::notation::{card_at, cards_word, write_move};
use crate::kengu::{Move, Position, scene};
use crate::notation::{Illegal, Square};
use crate::scene::lines_in_words;

/// What is wrong with a move that is not legal, the first thing that a player
/// would be told.
pub(super) fn which_rule_is_broken(position: &Position, mv: Move) -> Illegal {
    let broken = if position.is_over() {
        Some("the game is over".to_owned())
    } else {
        wrong_flip(position, mv).or_else(|| wrong_place(position, mv))
    };
    Illegal { why: broken.unwrap_or_else(|| format!("`{}` is not legal here", spelled(mv))) }
}

fn spelled(mv: Move) -> String {
    let mut text = String::new();
    write_move(mv, &mut text);
    text
}

fn wrong_flip(position: &Position, mv: Move) -> Option<String> {
    let Some((from, to)) = mv.flip() else {
        let example = position.flips().next()?;
        let theirs = cards_word(position.to_move().next(2));
        return Some(format!(
            "no card is flipped, but one of the opponent's {theirs} must be if possible, for example `{}` onto `{}`",
            board::square(example.from),
            board::square(example.to)
        ));
    };
    match card_at(position, from) {
        None => return Some(format!("there is no card at `{from}` to flip")),
        Some((seat, _)) if seat == position.to_move() => {
            let theirs = cards_word(seat.next(2));
            return Some(format!(
                "the card at `{from}` is the mover's own; only the opponent's {theirs} may be flipped"
            ));
        }
        Some(_) => {}
    }
    let beside: Vec<Square> =
        board::squares(board::BESIDE[board::index(from) as usize]).map(board::square).collect();
    if !beside.contains(&to) {
        let beside: Vec<String> = beside.iter().map(|square| format!("`{square}`")).collect();
        let (last, others) = beside.split_last().expect("every square has neighbours");
        return Some(format!(
            "`{to}` is not next to `{from}`: a card is flipped over an edge, from `{from}` onto {} or {last}",
            others.join(", ")
        ));
    }
    card_at(position, to)
        .map(|_| format!("there is already a card at `{to}`; a card must be flipped onto an empty square"))
}

/// What is wrong behind a flip that can be made, or without one where none can.
fn wrong_place(position: &Position, mv: Move) -> Option<String> {
    let flip = mv.flip_numbers();
    let losing = flip.is_some_and(|flip| position.loses(flip));
    match (mv.flip(), mv.placed()) {
        (Some((from, to)), None) if !losing => Some(format!(
            "the flip `{from}{to}` leaves the opponent without a line, so a card must be placed after it, as in `{}`",
            spelled(example(position, from, to)?)
        )),
        (Some((from, to)), Some(_)) if losing => {
            let Flip { from: left, to: reached } = flip?;
            let line = lines_in_words(&scene::lines(
                position.to_move().next(2),
                position.theirs().flipped(left, reached),
            ));
            Some(format!(
                "the flip `{from}{to}` leaves the opponent with a line ({line}) and so loses at once: \
                 no card is placed after it, so the move is only `{from}{to}`"
            ))
        }
        (Some((_, to)), Some((on, _))) if on == to => {
            Some(format!("the flipped card is now at `{on}`; a card must be placed on an empty square"))
        }
        (_, Some((on, _))) => card_at(position, on)
            .map(|_| format!("there is already a card at `{on}`; a card must be placed on an empty square")),
        _ => None,
    }
}

/// The flip with a card placed on the square that it leaves.
fn example(position: &Position, from: Square, to: Square) -> Option<Move> {
    let (_, colour) = card_at(position, from)?;
    Move::new(Some((from, to)), Some((from, colour)))
}

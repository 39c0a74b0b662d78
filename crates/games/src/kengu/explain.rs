//! Explanations of the rules that moves break. `notation` explains why a text is not a move.

use crate::grid::one_of;
use crate::kengu::board;
use crate::kengu::moves::Flip;
use crate::kengu::notation::{card_at, cards_word};
use crate::kengu::{Kengu, Move, Position, ending};
use crate::notation::{Illegal, Square};
use crate::rules::Rules;
use crate::scene::lines_in_words;

/// Returns the rule that an illegal move breaks: the first that a player needs to know.
pub(super) fn broken_rule(position: &Position, mv: Move) -> Illegal {
    wrong_flip(position, mv)
        .or_else(|| wrong_place(position, mv))
        .unwrap_or_else(|| Illegal::new("illegal", format!("`{}` is not legal here", Kengu.text_of(mv))))
}

fn wrong_flip(position: &Position, mv: Move) -> Option<Illegal> {
    let Some((from, to)) = mv.flip() else {
        let safe = position.flips().find(|flip| !position.loses(*flip));
        let example = safe.or_else(|| position.flips().next())?;
        let theirs = cards_word(position.to_move().next(2));
        let (from, to) = (board::square(example.from), board::square(example.to));
        let as_in = match safe {
            Some(_) => format!("for example `{from}` onto `{to}`"),
            None => {
                format!("even though every flip loses here: the move is a flip alone, such as `{from}{to}`")
            }
        };
        let why =
            format!("no card is flipped, but one of the opponent's {theirs} must be if possible, {as_in}");
        return Some(Illegal::new("must-flip", why));
    };
    match card_at(position, from) {
        None => return Some(Illegal::new("no-card", format!("there is no card at `{from}` to flip"))),
        Some((seat, _)) if seat == position.to_move() => {
            let theirs = cards_word(seat.next(2));
            let why = format!(
                "the card at `{from}` is the mover's own; only the opponent's {theirs} may be flipped"
            );
            return Some(Illegal::new("own-card", why));
        }
        Some(_) => {}
    }
    let beside: Vec<Square> =
        board::squares(board::NEIGHBOURS[board::index(from) as usize]).map(board::square).collect();
    if !beside.contains(&to) {
        let beside = one_of(beside.iter().map(|square| format!("`{square}`")));
        let why = format!(
            "`{to}` is not next to `{from}`: a card is flipped over an edge, from `{from}` onto {beside}"
        );
        return Some(Illegal::new("not-beside", why));
    }
    let why = format!("there is already a card at `{to}`; a card must be flipped onto an empty square");
    card_at(position, to).map(|_| Illegal::new("flip-onto-card", why))
}

/// Returns the mistake in a move whose flip is possible, or that has no flip because none is possible.
fn wrong_place(position: &Position, mv: Move) -> Option<Illegal> {
    let flip = mv.flip_numbers();
    let losing = flip.is_some_and(|flip| position.loses(flip));
    match (mv.flip(), mv.placed()) {
        (Some((from, to)), None) if !losing => {
            let why = format!(
                "the flip `{from}{to}` leaves the opponent without a line, so a card must be placed after it, as in `{}`",
                Kengu.text_of(example(position, from, to)?)
            );
            Some(Illegal::new("must-place", why))
        }
        (Some((from, to)), Some(_)) if losing => {
            let Flip { from: left, to: reached } = flip?;
            let line = lines_in_words(&ending::lines(
                position.to_move().next(2),
                position.theirs().flipped(left, reached),
            ));
            let why = format!(
                "the flip `{from}{to}` leaves the opponent with a line ({line}) and so loses at once: \
                 no card is placed after it, so the move is only `{from}{to}`"
            );
            Some(Illegal::new("losing-flip", why))
        }
        (Some((_, to)), Some((on, _))) if on == to => {
            let why = format!("the flipped card is now at `{on}`; a card must be placed on an empty square");
            Some(Illegal::new("occupied", why))
        }
        (_, Some((on, _))) => {
            let why = format!("there is already a card at `{on}`; a card must be placed on an empty square");
            card_at(position, on).map(|_| Illegal::new("occupied", why))
        }
        _ => None,
    }
}

/// Returns an example for a message: the flip, with a card placed on the square that it leaves.
fn example(position: &Position, from: Square, to: Square) -> Option<Move> {
    let (_, colour) = card_at(position, from)?;
    Move::new(Some((from, to)), Some((from, colour)))
}

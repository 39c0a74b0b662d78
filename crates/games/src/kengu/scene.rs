//! Scenes of positions.

use crate::kengu::board::{self, Colour, SIZE, SQUARES};
use crate::kengu::notation::{card_at, symbol};
use crate::kengu::{Move, Position};
use crate::notation::Square;
use crate::scene::{self, Mark, MarkKind, Piece, Scene, Tint};
use linesman_types::seat::{Seat, Side};

/// Number of cards that each seat has.
const CARDS: u32 = SQUARES as u32 / 2;

pub(super) fn draw(position: &Position, last: Option<Move>) -> Scene {
    let pieces = board::squares(!position.empty()).map(board::square).filter_map(|square| {
        let (seat, colour) = card_at(position, square)?;
        let piece = Piece::plain(symbol(seat, colour), Side::from_index(seat.index()));
        Some((square, Piece { tint: Some(tint(colour)), ..piece }))
    });
    let drawn = scene::Board::with_pieces(SIZE, SIZE, pieces);
    let flip = last.and_then(Move::flip);
    let left = flip.map(|(from, _)| from);
    let reached = flip.map(|(_, to)| to).into_iter().chain(last.and_then(Move::placed).map(|(on, _)| on));
    let mark = |kind, squares: Vec<Square>| Mark { kind, board: 0, squares };
    let mut marks =
        vec![mark(MarkKind::From, left.into_iter().collect()), mark(MarkKind::To, reached.collect())];
    marks.retain(|mark| !mark.squares.is_empty());
    Scene { boards: vec![drawn], marks, captions: vec![stock(position)] }
}

/// Returns the colour of a card that shows `colour`.
pub(super) fn tint(colour: Colour) -> Tint {
    match colour {
        Colour::Red => Tint('r'),
        Colour::Yellow => Tint('y'),
    }
}

/// Lists the number of cards that each seat has left to place.
fn stock(position: &Position) -> String {
    let left = Seat::all(2).map(|seat| {
        let left = CARDS.saturating_sub(position.cards(seat).count());
        format!("{} {left}", symbol(seat, Colour::Red))
    });
    format!("cards to place: {}", left.collect::<Vec<_>>().join(", "))
}

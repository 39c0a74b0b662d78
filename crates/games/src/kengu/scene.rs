//! Scenes of positions, and the end of a game in words.

use crate::ending::{Ending, LINE};
use crate::kengu::board::{self, Cards, Colour, SIZE, SQUARES};
use crate::kengu::notation::{card_at, cards_word, symbol};
use crate::kengu::{ALL_CARDS, FLIP};
use crate::kengu::{Move, Position};
use crate::notation::Square;
use crate::scene::{self, Mark, MarkKind, Piece, Scene, Tint, lines_in_words};
use linesman_types::clause::Clause;
use linesman_types::seat::{Seat, Side, Teams};

/// Number of cards that each seat has.
const CARDS: u32 = SQUARES as u32 / 2;

/// The lines of a seat's cards.
pub(super) fn lines(seat: Seat, cards: Cards) -> Vec<Mark> {
    let side = Side::from_index(seat.index());
    cards.lines().map(|(_, line)| Mark::line(side, board::squares(line).map(board::square))).collect()
}

/// The end of the game, if it has ended.
pub(super) fn ending(position: &Position) -> Option<Ending> {
    let teams = Teams::singles(2);
    let waiting = position.to_move();
    let mover = waiting.next(2);
    let won = |winner: Seat, reason, why: Clause| {
        Ending::won_by(teams.side(winner), &teams, reason, lines(winner, position.cards(winner)), why)
    };
    if position.is_lost_by_flip() {
        let line = described(waiting, position.own());
        let lost = format_args!(" has lost: its flip left the opponent with {line}");
        return Some(won(waiting, FLIP, Clause::default().seat(mover).words(lost)));
    }
    if position.is_won_by_line() {
        let line = described(mover, position.theirs());
        let rescue = if position.can_be_flipped() == 0 {
            "can't flip any card"
        } else {
            "can't break it with any flip"
        };
        let why = Clause::default().seat(mover).words(format_args!(" has {line}, and "));
        let why = why.seat(waiting).words(format_args!(" {rescue}"));
        return Some(won(mover, LINE, why));
    }
    let why = "all cards are placed and there is no winning line";
    position.is_full().then(|| Ending::drawn(&teams, ALL_CARDS, why))
}

/// A seat's lines in words: `three red crosses in a row (a1 to c1)`.
fn described(seat: Seat, cards: Cards) -> String {
    let mut colours: Vec<&str> = cards.lines().map(|(colour, _)| colour.word()).collect();
    colours.dedup();
    let squares = lines_in_words(&lines(seat, cards));
    format!("three {} {} in a row ({squares})", colours.join(" and three "), cards_word(seat))
}

/// The position as a picture.
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
    marks.extend(ending(position).into_iter().flat_map(|ending| ending.marks));
    Scene { boards: vec![drawn], marks, captions: vec![stock(position)] }
}

/// The colour of a card that shows `colour`.
pub(super) fn tint(colour: Colour) -> Tint {
    match colour {
        Colour::Red => Tint('r'),
        Colour::Yellow => Tint('y'),
    }
}

/// The cards that each seat has left to place.
fn stock(position: &Position) -> String {
    let left = Seat::all(2).map(|seat| {
        let left = CARDS.saturating_sub(position.cards(seat).count());
        format!("{} {left}", symbol(seat, Colour::Red))
    });
    format!("cards to place: {}", left.collect::<Vec<_>>().join(", "))
}

//! Moves and positions as text, and why a text is not a move.

use std::fmt::Write;

use crate::grid::{Token, write_symbols};
use crate::kengu::board::{self, Cards, Colour, SIZE};
use crate::kengu::{Move, Position};
use crate::notation::{NotAMove, NotAPosition, Square, bad_position};
use linesman_types::seat::Seat;

/// The symbols of each seat's cards that show red, then yellow.
const SYMBOLS: [[char; 2]; 2] = [['X', 'x'], ['O', 'o']];

/// The symbol of a seat's card that shows a colour.
pub(super) fn symbol(seat: Seat, colour: Colour) -> char {
    SYMBOLS[seat.index()][colour as usize]
}

/// The name of a seat's cards.
pub(super) fn cards_word(seat: Seat) -> &'static str {
    ["crosses", "noughts"][seat.index()]
}

/// Returns the owner and the colour of the card on a square.
pub(super) fn card_at(position: &Position, square: Square) -> Option<(Seat, Colour)> {
    Seat::all(2).find_map(|seat| {
        let colour = position.cards(seat).colour_at(board::index(square))?;
        Some((seat, colour))
    })
}

fn letter(colour: Colour) -> char {
    match colour {
        Colour::Red => 'r',
        Colour::Yellow => 'y',
    }
}

pub(super) fn write_move(mv: Move, text: &mut String) {
    let mut joint = "";
    if let Some((from, to)) = mv.flip() {
        write!(text, "{from}{to}").expect("writing to a string can't fail");
        joint = "/";
    }
    if let Some((on, colour)) = mv.placed() {
        write!(text, "{joint}{on}{}", letter(colour)).expect("writing to a string can't fail");
    }
}

pub(super) fn parse_move(text: &str) -> Result<Move, NotAMove> {
    read_move(text).ok_or_else(|| NotAMove {
        why: "a move is a flip and a card placed with red or yellow up, such as `b2b3/a1r`; without a flip it is \
              `a1r`, and a flip that loses at once is only `b2b3`; squares go from `a1` to `d4`"
            .to_owned(),
    })
}

fn read_move(text: &str) -> Option<Move> {
    match text.split_once('/') {
        Some((flip, place)) => Move::new(Some(Square::parse_pair(flip)?), Some(read_place(place)?)),
        None => match Square::parse_pair(text) {
            Some(flip) => Move::new(Some(flip), None),
            None => Move::new(None, Some(read_place(text)?)),
        },
    }
}

fn read_place(text: &str) -> Option<(Square, Colour)> {
    let (on, rest) = Square::parse_prefix(text)?;
    let colour = match rest {
        "r" => Colour::Red,
        "y" => Colour::Yellow,
        _ => return None,
    };
    Some((on, colour))
}

pub(super) fn write_position(position: &Position, text: &mut String) {
    let symbol_at = |square| card_at(position, square).map(|(seat, colour)| symbol(seat, colour));
    write_symbols(SIZE, symbol_at, position.to_move(), position.ply(), text);
}

pub(super) fn parse_position(token: &str) -> Result<Position, NotAPosition> {
    let token = Token::split(token)?;
    let mut cards = [Cards::default(); 2];
    token.symbols(SIZE, "square", SYMBOLS.as_flattened(), |square, number| {
        let (seat, colour) = (number / 2, Colour::ALL[number % 2]);
        cards[seat] = cards[seat].with(board::index(square), colour);
    })?;
    let ply = token.ply(2, u8::MAX.into(), "must be a number")?;
    let position = Position::new(cards, ply as u8);
    check_counts(&position)?;
    Ok(position)
}

/// Checks the numbers of cards: each move places one, except for a flip that loses at once.
fn check_counts(position: &Position) -> Result<(), NotAPosition> {
    let ply = position.ply();
    let lacks_one = |seat: Seat| seat != position.to_move() && position.is_lost_by_flip();
    for seat in Seat::all(2) {
        let cards = position.cards(seat).count();
        let moves = if seat == Seat::FIRST { ply.div_ceil(2) } else { ply / 2 };
        if cards == moves || (lacks_one(seat) && cards + 1 == moves) {
            continue;
        }
        let named = cards_word(seat);
        let mut why = format!("the number of {named} is {cards}, but at ply {ply} it must be {moves}");
        if seat != position.to_move() && cards + 1 == moves {
            why.push_str(", or one less after a losing flip, which leaves the seat to move with a line");
        }
        return Err(bad_position("fields 1 and 3", why));
    }
    Ok(())
}

//! The evaluation of a position, without search.

use crate::grid::two_sided;
use crate::kengu::Position;
use crate::kengu::board::{self, Cards, Colour, LINES};
use linesman_types::seat::{BySeat, Seat};

/// The value of a line by its number of own cards of one colour, if its other
/// squares are empty.
const ALIKE: [i32; 4] = [0, 3, 20, 60];
/// The additional value of a card in such a line that can't be flipped.
const FIXED: i32 = 6;

pub(super) fn evaluate(position: &Position) -> BySeat<i32> {
    two_sided(2, position.winner().map(Seat::index), |side| {
        if position.is_full() { 0 } else { potential(position, Seat::from_index(side)) }
    })
}

/// Evaluates a seat's cards: lines that can still be filled, with more for cards that can't be flipped.
fn potential(position: &Position, seat: Seat) -> i32 {
    let own: Cards = position.cards(seat);
    let theirs = position.cards(seat.next(2)).squares();
    let fixed = own.squares() & !board::neighbours(position.empty());
    let mut worth = 0;
    for colour in Colour::ALL {
        let showing = own.showing(colour);
        for line in LINES {
            let alike = showing & line;
            let others = (theirs | own.squares()) & line & !alike;
            if alike != 0 && others == 0 {
                worth += ALIKE[alike.count_ones() as usize];
                worth += FIXED * (alike & fixed).count_ones() as i32;
            }
        }
    }
    worth
}

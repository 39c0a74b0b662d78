//! The evaluation of a position, without search.

use crate::grid::{WON, zero_sum};
use crate::kengu::Position;
use crate::kengu::board::{self, Cards, Colour, LINES};
use linesman_types::seat::{BySeat, Seat};

/// The value of a line by the number of its cards that show one colour, the
/// other squares being empty.
const ALIKE: [i32; 4] = [0, 3, 20, 60];
/// The value that a card in such a line adds if it can't be flipped.
const FIXED: i32 = 6;

/// The value of the position for each seat.
pub(super) fn evaluate(position: &Position) -> BySeat<i32> {
    let first = match position.winner() {
        Some(Seat::FIRST) => WON,
        Some(_) => -WON,
        None if position.is_over() => 0,
        None => potential(position, Seat::FIRST) - potential(position, Seat::SECOND),
    };
    zero_sum(2, first)
}

/// The prospects of a seat's cards: lines that can still be filled, more for cards that can't be flipped.
fn potential(position: &Position, seat: Seat) -> i32 {
    let own: Cards = position.cards(seat);
    let theirs = position.cards(seat.next(2)).squares();
    let fixed = own.squares() & !board::beside(position.empty());
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

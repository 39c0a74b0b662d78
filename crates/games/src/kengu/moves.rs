//! Moves: a flip, then a card placed.

use crate::kengu::board::{self, Colour};
use crate::notation::Square;

/// A move: the flip, if there is one, and the placed card, if there is one.
///
/// Holds any squares from `a1` to `d4`; the rules decide if the move is legal.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Move(pub(super) u16);

/// A flipped card: its squares before and after, by number.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Flip {
    pub(super) from: u32,
    pub(super) to: u32,
}

// From and to of the flip in four bits each, then the square and the colour of
// the card placed, then whether there is a flip and whether a card is placed.
const TO: u32 = 4;
pub(super) const ON: u32 = 8;
const COLOUR: u32 = 12;
const FLIPS: u16 = 1 << 13;
const PLACES: u16 = 1 << 14;

impl Move {
    /// Makes a move with a flip, a placed card or both; none if there is neither or a square is off the board.
    pub(crate) fn new(flip: Option<(Square, Square)>, place: Option<(Square, Colour)>) -> Option<Move> {
        let on_board = |square: Square| square.is_within(board::SIZE).then(|| board::index(square));
        let flip = match flip {
            Some((from, to)) => flipping(Flip { from: on_board(from)?, to: on_board(to)? }),
            None => 0,
        };
        let place = match place {
            Some((on, colour)) => placing(on_board(on)?, colour),
            None => 0,
        };
        (flip | place != 0).then_some(Move(flip | place))
    }

    /// Lists every move that is legal in some position: a placed card, a flip that loses at once, or both.
    pub(super) fn all() -> impl Iterator<Item = Move> {
        let squares = || (0..board::SQUARES as u32).map(board::square);
        let is_beside =
            |from: Square, to: Square| from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank()) == 1;
        let pairs = squares().flat_map(move |from| squares().map(move |to| (from, to)));
        let flips = pairs.filter(move |(from, to)| is_beside(*from, *to)).map(Some).chain([None]);
        let places = squares().flat_map(|on| Colour::ALL.map(|colour| Some((on, colour)))).chain([None]);
        let all = flips.flat_map(move |flip| places.clone().filter_map(move |place| Move::new(flip, place)));
        all.filter(|mv| match (mv.flip(), mv.placed()) {
            (Some((_, to)), Some((on, _))) => to != on,
            (Some(_), None) | (None, _) => true,
        })
    }

    /// The squares from which and to which the opponent's card is flipped.
    pub(crate) fn flip(self) -> Option<(Square, Square)> {
        self.flip_numbers().map(|flip| (board::square(flip.from), board::square(flip.to)))
    }

    /// The square on which the mover's card is placed, and the colour that it shows.
    pub(crate) fn placed(self) -> Option<(Square, Colour)> {
        self.placed_number().map(|(on, colour)| (board::square(on), colour))
    }

    pub(super) fn flip_numbers(self) -> Option<Flip> {
        let flip = Flip { from: u32::from(self.0) & 15, to: u32::from(self.0 >> TO) & 15 };
        (self.0 & FLIPS != 0).then_some(flip)
    }

    pub(super) fn placed_number(self) -> Option<(u32, Colour)> {
        let colour = if self.0 >> COLOUR & 1 == 0 { Colour::Red } else { Colour::Yellow };
        (self.0 & PLACES != 0).then_some((u32::from(self.0 >> ON) & 15, colour))
    }
}

pub(super) fn flipping(flip: Flip) -> u16 {
    FLIPS | flip.from as u16 | (flip.to as u16) << TO
}

pub(super) fn placing(on: u32, colour: Colour) -> u16 {
    PLACES | (on as u16) << ON | (colour as u16) << COLOUR
}

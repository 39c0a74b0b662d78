//! Moves: a flip, then a card placed.

use arrayvec::ArrayVec;

use crate::kengu::board::{self, Colour, SQUARES};
use crate::kengu::position::Position;
use crate::notation::Square;

/// A move: the flip, if there is one, and the card placed, if one is.
///
/// Any squares of `a1` to `d4`; whether the move is legal is the rules' to say.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Move(u16);

/// A card turned over: where it lay and where it lies then, by number.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Flip {
    pub(super) from: u32,
    pub(super) to: u32,
}

// From and to of the flip in four bits each, then the square and the colour of
// the card placed, then whether there is a flip and whether a card is placed.
const TO: u32 = 4;
const ON: u32 = 8;
const COLOUR: u32 = 12;
const FLIPS: u16 = 1 << 13;
const PLACES: u16 = 1 << 14;

impl Move {
    /// A move that flips and places; nothing if a square is not on the board
    /// or if it does neither.
    pub fn new(flip: Option<(Square, Square)>, place: Option<(Square, Colour)>) -> Option<Move> {
        let on_board = |square: Square| {
            (square.file() < board::SIZE && square.rank() < board::SIZE).then(|| board::index(square))
        };
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

    /// From where and to where the opponent's card is flipped.
    pub fn flip(self) -> Option<(Square, Square)> {
        self.flip_numbers().map(|flip| (board::square(flip.from), board::square(flip.to)))
    }

    /// The square on which the mover's card is placed, and the colour that it shows.
    pub fn placed(self) -> Option<(Square, Colour)> {
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

fn flipping(flip: Flip) -> u16 {
    FLIPS | flip.from as u16 | (flip.to as u16) << TO
}

fn placing(on: u32, colour: Colour) -> u16 {
    PLACES | (on as u16) << ON | (colour as u16) << COLOUR
}

/// Appends every legal move of a position in which the game goes on.
pub(super) fn generate(position: &Position, moves: &mut Vec<Move>) {
    let mut places: ArrayVec<u16, { 2 * SQUARES }> = ArrayVec::new();
    for on in board::squares(position.empty()) {
        places.extend(Colour::ALL.map(|colour| placing(on, colour)));
    }
    if position.can_be_flipped() == 0 {
        moves.extend(places.iter().map(|place| Move(*place)));
        return;
    }
    for flip in position.flips() {
        let flipped = flipping(flip);
        if position.loses(flip) {
            moves.push(Move(flipped));
            continue;
        }
        // The square that the card left is empty now, in place of the one that it went to.
        let moved = (flip.to ^ flip.from) as u16;
        let went_to = flip.to as u16;
        moves.extend(places.iter().map(|place| {
            let on = place >> ON & 15;
            let swap = if on == went_to { moved << ON } else { 0 };
            Move(flipped | (place ^ swap))
        }));
    }
}

/// How many moves [`generate`] makes.
pub(super) fn count(position: &Position) -> u64 {
    let places = 2 * u64::from(position.empty().count_ones());
    if position.can_be_flipped() == 0 {
        return places;
    }
    position.flips().map(|flip| if position.loses(flip) { 1 } else { places }).sum()
}

/// Returns true if a move is among those that [`generate`] makes.
pub(super) fn is_legal(position: &Position, mv: Move) -> bool {
    let Some(flip) = mv.flip_numbers() else {
        let free = |(on, _)| position.empty() >> on & 1 == 1;
        return position.can_be_flipped() == 0 && mv.placed_number().is_some_and(free);
    };
    let theirs = position.theirs().squares() >> flip.from & 1 == 1;
    let onto = board::BESIDE[flip.from as usize] & position.empty() & (1 << flip.to);
    if !theirs || onto == 0 {
        return false;
    }
    match mv.placed_number() {
        None => position.loses(flip),
        Some((on, _)) => (position.empty() ^ onto | 1 << flip.from) >> on & 1 == 1 && !position.loses(flip),
    }
}

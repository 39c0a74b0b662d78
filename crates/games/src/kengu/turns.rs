//! The legal moves of a position: listed, counted, or examined one by one.

use arrayvec::ArrayVec;

use crate::kengu::board::{self, Colour, SQUARES};
use crate::kengu::moves::{ON, flipping, placing};
use crate::kengu::{Move, Position};

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
        // The square that the card left is empty now, in place of the one that it moved to.
        let moved = (flip.to ^ flip.from) as u16;
        let went_to = flip.to as u16;
        moves.extend(places.iter().map(|place| {
            let on = place >> ON & 15;
            let swap = if on == went_to { moved << ON } else { 0 };
            Move(flipped | (place ^ swap))
        }));
    }
}

/// Number of moves that [`generate`] makes.
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

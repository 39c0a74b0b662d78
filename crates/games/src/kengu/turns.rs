//! The legal moves of a position: listing, counting and checking them.

use arrayvec::ArrayVec;

use crate::kengu::board::{self, Colour, SQUARES};
use crate::kengu::moves::{ON, flipping, placing};
use crate::kengu::{Move, Position};

/// Appends every legal move of a position in which the game is not over.
pub(super) fn generate(position: &Position, moves: &mut Vec<Move>) {
    let mut places: ArrayVec<u16, { 2 * SQUARES }> = ArrayVec::new();
    for on in board::squares(position.empty()) {
        places.extend(Colour::ALL.map(|colour| placing(on, colour)));
    }
    if position.flippable() == 0 {
        moves.extend(places.iter().map(|place| Move(*place)));
        return;
    }
    for flip in position.flips() {
        let flipped = flipping(flip);
        if position.loses(flip) {
            moves.push(Move(flipped));
            continue;
        }
        // The square that the card left is empty now, instead of the square that it moved to.
        let moved = (flip.to ^ flip.from) as u16;
        let reached = flip.to as u16;
        moves.extend(places.iter().map(|place| {
            let on = place >> ON & 15;
            let swap = if on == reached { moved << ON } else { 0 };
            Move(flipped | (place ^ swap))
        }));
    }
}

/// Counts the moves that [`generate`] appends.
pub(super) fn count(position: &Position) -> u64 {
    let places = 2 * u64::from(position.empty().count_ones());
    if position.flippable() == 0 {
        return places;
    }
    position.flips().map(|flip| if position.loses(flip) { 1 } else { places }).sum()
}

/// Returns true if [`generate`] would append a move.
pub(super) fn is_legal(position: &Position, mv: Move) -> bool {
    let Some(flip) = mv.flip_numbers() else {
        let free = |(on, _)| position.empty() >> on & 1 == 1;
        return position.flippable() == 0 && mv.placed_number().is_some_and(free);
    };
    let theirs = position.theirs().squares() >> flip.from & 1 == 1;
    let onto = board::NEIGHBOURS[flip.from as usize] & position.empty() & (1 << flip.to);
    if !theirs || onto == 0 {
        return false;
    }
    match mv.placed_number() {
        None => position.loses(flip),
        Some((on, _)) => (position.empty() ^ onto | 1 << flip.from) >> on & 1 == 1 && !position.loses(flip),
    }
}

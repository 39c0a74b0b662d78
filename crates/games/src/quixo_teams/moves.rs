//! Moves: a push of a cube with its dot, or a pass.

use crate::quixo;
use crate::quixo::board::Geometry;
use crate::quixo::listing::Listing;
use crate::quixo::moves::Slides;
use crate::quixo_teams::Dot;
use linesman_types::seat::Side;

/// A move: a push, or a pass.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Move {
    /// A cube is taken and put back.
    Push(Push),
    /// There is no cube to take.
    Pass,
}

/// A cube that is taken and put back with its dot in some direction.
///
/// Holds any two squares of the board; the rules decide if the push is legal.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Push {
    /// The squares where the cube is taken and put back.
    pub cube: quixo::Move,
    /// The direction of its dot afterwards.
    pub dot: Dot,
}

/// Maximum number of moves of the cubes on one side of the border: three each, and two in
/// the corners, all with two dots.
pub(super) const MAX_MOVES: usize = 26;

/// Lists the moves of a side, by the border squares of their cubes.
pub(super) fn listing(board: &Geometry, slides: &Slides, side: Side) -> Listing<Move, MAX_MOVES> {
    let dots = Dot::ALL.into_iter().filter(move |dot| dot.side() == side);
    let with_dots = |cube: &quixo::Move| {
        let cube = *cube;
        dots.clone().map(move |dot| Move::Push(Push { cube, dot }))
    };
    Listing::new(board, Move::Pass, |from| slides.from(from).iter().flat_map(with_dots).collect())
}

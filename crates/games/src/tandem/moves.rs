//! Moves: a seat's steps on either board in one turn.

use crate::tandem::board::Window;

/// The number for no square.
const NOWHERE: u8 = u8::MAX;

/// A whole turn: a step on each board and the windows that they score, or a pass.
///
/// Holds any squares from `a1` to `i9`; the rules decide if the move is legal.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Move(pub(super) [Half; 2]);

/// The part of a turn on one board.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(super) struct Half {
    from: u8,
    to: u8,
    first: u8,
    last: u8,
}

impl Half {
    const NONE: Half = Half { from: NOWHERE, to: NOWHERE, first: NOWHERE, last: NOWHERE };

    /// Makes a step that lays a tile from the stock or, with a square that it leaves, slides one.
    pub(super) fn new(from: Option<u8>, to: u8, window: Option<Window>) -> Half {
        let half = Half { from: from.unwrap_or(NOWHERE), to, ..Half::NONE };
        match window {
            Some(Window { first, last }) => Half { first, last, ..half },
            None => half,
        }
    }

    /// The square that a slide leaves.
    pub(super) fn from(self) -> Option<u8> {
        (self.from != NOWHERE).then_some(self.from)
    }

    /// The square that is reached.
    pub(super) fn to(self) -> u8 {
        self.to
    }

    /// The window that is scored.
    pub(super) fn window(self) -> Option<Window> {
        (self.first != NOWHERE).then_some(Window { first: self.first, last: self.last })
    }
}

impl Move {
    /// Moves nothing on either board.
    pub const PASS: Move = Move([Half::NONE; 2]);

    /// The parts on both boards; none for the pass.
    pub(super) fn halves(self) -> Option<[Half; 2]> {
        (self != Move::PASS).then_some(self.0)
    }
}

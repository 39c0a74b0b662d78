//! The boards mirrored, turned and exchanged, if their colours allow it: the images of all squares of one
//! colour, on both boards, must have one colour.

use crate::notation::Square;
use crate::symmetry::{GridSymmetry, OF_A_SQUARE};
use crate::tandem::board::{self, Window};
use crate::tandem::layout::Layout;
use crate::tandem::moves::Half;
use crate::tandem::{Move, Position};

/// One way to view both boards.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Symmetry {
    /// The view of each board.
    sights: [GridSymmetry; 2],
    /// True if the boards are exchanged.
    exchanged: bool,
    files: usize,
    ranks: usize,
}

impl Symmetry {
    /// All symmetries of a layout; the first changes nothing.
    pub(super) fn all_of(layout: &Layout) -> Vec<Symmetry> {
        let (files, ranks) = (layout.width, layout.height);
        let sights =
            || (0..OF_A_SQUARE).map(GridSymmetry::new).filter(|sight| files == ranks || !sight.turns_rows());
        let mut all = Vec::new();
        for exchanged in [false, true] {
            for first in sights() {
                for second in sights() {
                    let one = Symmetry { sights: [first, second], exchanged, files, ranks };
                    if one.keeps_colours(layout) {
                        all.push(one);
                    }
                }
            }
        }
        all
    }

    fn keeps_colours(self, layout: &Layout) -> bool {
        layout.colours.iter().all(|(_, squares)| {
            let mut seen = [0, 1].into_iter().flat_map(|board| {
                board::squares(squares[board])
                    .map(move |square| layout.tint(self.board(board), self.square(board, square)))
            });
            let first = seen.next();
            seen.all(|tint| Some(tint) == first)
        })
    }

    /// The board in whose place a board is shown.
    fn board(self, board: usize) -> usize {
        if self.exchanged { 1 - board } else { board }
    }

    fn square(self, board: usize, square: u8) -> u8 {
        let seen: Square = self.sights[board].square(board::square(square), self.files, self.ranks);
        board::index(seen)
    }

    pub(super) fn position(self, position: &Position) -> Position {
        let mut seen = *position;
        for (own, tiles) in seen.tiles.iter_mut().zip(&position.tiles) {
            for (number, set) in tiles.iter().enumerate() {
                own[self.board(number)] = board::squares(*set)
                    .map(|square| board::bit(self.square(number, square)))
                    .fold(0, |all, one| all | one);
            }
        }
        seen
    }

    pub(super) fn mv(self, mv: Move) -> Move {
        let Some(halves) = mv.halves() else { return mv };
        let [first, second] = [0, 1].map(|board| self.half(board, halves[board]));
        Move::new(if self.exchanged { [second, first] } else { [first, second] })
    }

    fn half(self, board: usize, half: Half) -> Half {
        let square = |own| self.square(board, own);
        let window = half.window().map(|window| {
            let [first, last] = [window.first, window.last].map(|end| board::square(square(end)));
            // In another view the other end may come first.
            Window::between(first, last)
                .or_else(|| Window::between(last, first))
                .expect("a row is seen as a row")
        });
        Half::new(half.from().map(square), square(half.to()), window)
    }
}

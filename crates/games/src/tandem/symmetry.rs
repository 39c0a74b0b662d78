//! The boards mirrored, rotated and swapped, if their colours allow it: the images of all squares of one
//! colour, on both boards, must have one colour.

use crate::notation::Square;
use crate::symmetry::{GridSymmetry, OF_A_SQUARE};
use crate::tandem::board::{self, Window};
use crate::tandem::layout::Layout;
use crate::tandem::moves::Half;
use crate::tandem::{Move, Position};

/// A symmetry of both boards.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Symmetry {
    grids: [GridSymmetry; 2],
    swapped: bool,
    files: usize,
    ranks: usize,
}

impl Symmetry {
    /// Returns all symmetries of a layout; the first changes nothing.
    pub(super) fn all_of(layout: &Layout) -> Vec<Symmetry> {
        let (files, ranks) = (layout.width, layout.height);
        let grids =
            || (0..OF_A_SQUARE).map(GridSymmetry::new).filter(|grid| files == ranks || !grid.turns_rows());
        let mut all = Vec::new();
        for swapped in [false, true] {
            for first in grids() {
                for second in grids() {
                    let symmetry = Symmetry { grids: [first, second], swapped, files, ranks };
                    if symmetry.keeps_colours(layout) {
                        all.push(symmetry);
                    }
                }
            }
        }
        all
    }

    fn keeps_colours(self, layout: &Layout) -> bool {
        layout.colours.iter().all(|(_, squares)| {
            let mut tints = [0, 1].into_iter().flat_map(|board| {
                board::squares(squares[board])
                    .map(move |square| layout.tint(self.board(board), self.square(board, square)))
            });
            let first = tints.next();
            tints.all(|tint| Some(tint) == first)
        })
    }

    /// Returns the image of a board, by index.
    fn board(self, board: usize) -> usize {
        if self.swapped { 1 - board } else { board }
    }

    fn square(self, board: usize, square: u8) -> u8 {
        let image: Square = self.grids[board].square(board::square(square), self.files, self.ranks);
        board::index(image)
    }

    pub(super) fn position(self, position: &Position) -> Position {
        let mut image = *position;
        for (image_tiles, tiles) in image.tiles.iter_mut().zip(&position.tiles) {
            for (number, set) in tiles.iter().enumerate() {
                image_tiles[self.board(number)] = board::squares(*set)
                    .map(|square| board::bit(self.square(number, square)))
                    .fold(0, |set, bit| set | bit);
            }
        }
        image
    }

    pub(super) fn mv(self, mv: Move) -> Move {
        let Some(halves) = mv.halves() else { return mv };
        let [first, second] = [0, 1].map(|board| self.half(board, halves[board]));
        Move(if self.swapped { [second, first] } else { [first, second] })
    }

    fn half(self, board: usize, half: Half) -> Half {
        let square = |square| self.square(board, square);
        let window = half.window().map(|window| {
            let [first, last] = [window.first, window.last].map(|end| board::square(square(end)));
            // The other end of the image may be the first.
            Window::between(first, last)
                .or_else(|| Window::between(last, first))
                .expect("a row is seen as a row")
        });
        Half::new(half.from().map(square), square(half.to()), window)
    }
}

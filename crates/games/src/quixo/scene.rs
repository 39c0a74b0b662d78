//! The scene of a position.

use crate::quixo::board;
use crate::quixo::notation::symbol;
use crate::quixo::{Move, Position, Quixo};
use crate::scene::{self, Mark, MarkKind, Piece, Scene};
use linesman_types::clause::Clause;
use linesman_types::seat::{Seat, Side};

/// Returns the marks of a move: the square where its cube was taken, and the square where it was put back.
pub(crate) fn marks_of(mv: Move) -> [Mark; 2] {
    [Mark::on(MarkKind::From, mv.from()), Mark::on(MarkKind::To, mv.to())]
}

impl Quixo {
    /// Returns the full lines of a seat's symbol.
    pub(super) fn winning_lines(&self, position: &Position, seat: Seat) -> Vec<Mark> {
        self.board.full_lines(position.cubes(seat), Side::from_index(seat.index()))
    }

    pub(super) fn why_won(&self, position: &Position, winner: Seat, lines: &[Mark]) -> Clause {
        let mover = position.to_move().next(2);
        let own = scene::lines_in_words(lines);
        let symbol = symbol(winner);
        if winner == mover {
            return Clause::default()
                .seat(winner)
                .words(format_args!(" has made a full line of `{symbol}`: {own}"));
        }
        let too = scene::even_with(&self.winning_lines(position, mover), "its");
        Clause::default().seat(mover).words(format_args!(
            " has made a full line of the opponent's `{symbol}` ({own}) and so has lost{too}"
        ))
    }

    pub(super) fn draw(&self, position: &Position, last: Option<Move>) -> Scene {
        let pieces = Seat::all(2).flat_map(|seat| {
            let piece = Piece::plain(symbol(seat), Side::from_index(seat.index()));
            board::squares(position.cubes(seat)).map(move |index| (board::square(index), piece.clone()))
        });
        let drawn = scene::Board::with_pieces(self.board.size, self.board.size, pieces);
        let marks = last.map(marks_of).into_iter().flatten().collect();
        Scene { boards: vec![drawn], marks, captions: Vec::new() }
    }
}

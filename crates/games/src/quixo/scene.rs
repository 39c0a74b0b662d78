//! The scene of a position.

use crate::quixo::board;
use crate::quixo::notation::SYMBOLS;
use crate::quixo::{Move, Position, Quixo};
use crate::scene::{self, Mark, MarkKind, Piece, Scene};
use linesman_types::clause::Clause;
use linesman_types::seat::{Seat, Side};

/// Returns the marks of a move: the square where its cube was taken, and the square where it was put back.
pub(crate) fn marks_of(mv: Move) -> [Mark; 2] {
    [Mark::on(MarkKind::From, mv.from()), Mark::on(MarkKind::To, mv.to())]
}

impl Quixo {
    pub(super) fn symbol(&self, seat: Seat) -> char {
        SYMBOLS[seat.index()]
    }

    /// Returns the full lines of a seat's symbol.
    pub(super) fn winning_lines(&self, position: &Position, seat: Seat) -> Vec<Mark> {
        self.board.full_lines(position.cubes(seat), Side::from_index(seat.index()))
    }

    /// Explains why a seat has won.
    pub(super) fn why_won(&self, position: &Position, winner: Seat, lines: &[Mark]) -> Clause {
        let mover = position.to_move().next(2);
        let own = scene::lines_in_words(lines);
        let symbol = self.symbol(winner);
        if winner == mover {
            return Clause::default()
                .seat(winner)
                .words(format_args!(" has made a full line of `{symbol}`: {own}"));
        }
        let too = match scene::lines_in_words(&self.winning_lines(position, mover)) {
            none if none.is_empty() => String::new(),
            lines => format!(", even with a line of its own ({lines})"),
        };
        Clause::default().seat(mover).words(format_args!(
            " has made a full line of the opponent's `{symbol}` ({own}) and so has lost{too}"
        ))
    }

    /// Describes the position as a scene.
    pub(super) fn draw(&self, position: &Position, last: Option<Move>) -> Scene {
        let pieces = Seat::all(2).flat_map(|seat| {
            let piece = Piece::plain(self.symbol(seat), Side::from_index(seat.index()));
            board::squares(position.cubes(seat)).map(move |index| (board::square(index), piece.clone()))
        });
        let drawn = scene::Board::with_pieces(self.size(), self.size(), pieces);
        let mut marks: Vec<Mark> = last.map(marks_of).into_iter().flatten().collect();
        if let Some(winner) = self.winner(position) {
            marks.extend(self.winning_lines(position, winner));
        }
        Scene { boards: vec![drawn], marks, captions: Vec::new() }
    }
}

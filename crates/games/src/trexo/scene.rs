//! The scene of a position, and its end in words.

use crate::scene::{self, Mark, MarkKind, Piece, Pointer, Scene};
use crate::trexo::board;
use crate::trexo::notation::{SYMBOLS, seat_at};
use crate::trexo::{Move, Position, Trexo};
use linesman_types::clause::Clause;
use linesman_types::seat::{Seat, Side};

impl Trexo {
    /// Returns the lines of a seat's symbol, each in its full length.
    pub(super) fn lines(&self, position: &Position, seat: Seat) -> Vec<Mark> {
        let lines = self.board.full_lines(position.shown(seat));
        let side = Side::from_index(seat.index());
        lines.into_iter().map(|squares| Mark::line(side, squares)).collect()
    }

    pub(super) fn why_won(&self, position: &Position, winner: Seat, lines: &[Mark]) -> Clause {
        let mover = position.to_move().next(2);
        let symbol = SYMBOLS[winner.index()];
        let squares = scene::lines_in_words(lines);
        let line = match lines {
            [line] => format!("a line of {} `{symbol}`", line.squares.len()),
            _ => format!("lines of `{symbol}`"),
        };
        if winner == mover {
            return Clause::default().seat(winner).words(format_args!(" has made {line}: {squares}"));
        }
        let too = scene::even_with(&self.lines(position, mover), "its");
        Clause::default()
            .seat(mover)
            .words(format_args!(" has made {line} for the opponent ({squares}) and so has lost{too}"))
    }

    pub(super) fn why_out_of_stock(&self) -> String {
        let tiles = match self.tiles {
            1 => "the only tile is laid".to_owned(),
            tiles => format!("all {tiles} tiles are laid"),
        };
        format!("{tiles} and nobody has a line of {}", self.board.line)
    }

    pub(super) fn why_blocked(&self, position: &Position) -> String {
        let left = self.tiles - position.ply();
        format!(
            "there is no room for another tile ({left} left): neighboring squares differ in level or are halves of one tile"
        )
    }

    pub(super) fn draw(&self, position: &Position, last: Option<Move>) -> Scene {
        let covered = (position.shown(Seat::FIRST) | position.shown(Seat::SECOND)).numbers();
        let pieces = covered.filter_map(|number| Some((board::square(number), piece(position, number)?)));
        let drawn = scene::Board::with_pieces(self.board.size, self.board.size, pieces);
        let mark = |mv: Move| Mark { kind: MarkKind::To, board: 0, squares: vec![mv.cross(), mv.nought()] };
        let marks = last.map(mark).into_iter().collect();
        let captions = vec![format!("{} of {} tiles left", self.tiles - position.ply(), self.tiles)];
        Scene { boards: vec![drawn], marks, captions }
    }
}

fn piece(position: &Position, number: u8) -> Option<Piece> {
    let seat = seat_at(position, number)?;
    let cell = position.cell(number);
    // The joint to a covered half is not visible.
    let other = position.cell(board::neighbour(number, cell.joint()));
    let joint = (other.level() == cell.level()).then(|| Pointer::Joint(cell.joint()));
    Some(Piece {
        pointer: joint,
        level: Some(u32::from(cell.level())),
        ..Piece::plain(SYMBOLS[seat.index()], Side::from_index(seat.index()))
    })
}

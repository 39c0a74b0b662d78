//! The scene of a position.

use crate::scene::{self, Counter, Mark, MarkKind, Piece, Scene};
use crate::tandem::board;
use crate::tandem::moves::Half;
use crate::tandem::token;
use crate::tandem::{Move, Position, Tandem};
use linesman_types::clause::Clause;
use linesman_types::seat::{Seat, Side};

impl Tandem {
    /// Explains the end of a game in which all seats have passed.
    pub(super) fn why_passes(&self, position: &Position) -> Clause {
        let remaining: Vec<Seat> = Seat::all(self.seats).filter(|seat| position.is_in(*seat)).collect();
        let why = Clause::from(format!("all {} seats have passed in a row; points: ", remaining.len()));
        remaining.iter().enumerate().fold(why, |why, (index, seat)| {
            let why = if index > 0 { why.words(", ") } else { why };
            why.seat(*seat).words(format_args!(" {}", position.points(*seat)))
        })
    }

    pub(super) fn draw(&self, position: &Position, last: Option<Move>) -> Scene {
        let boards = (0..2).map(|number| self.draw_board(position, number)).collect();
        let mut marks = Vec::new();
        for (board, half) in last.and_then(Move::halves).into_iter().flatten().enumerate() {
            mark_half(position, board, half, &mut marks);
        }
        let captions = Seat::all(self.seats).map(|seat| self.caption(position, seat)).collect();
        Scene { boards, marks, captions }
    }

    pub(super) fn list_counters(&self, position: &Position) -> Vec<Counter> {
        let by_seat = |name, max, number: &dyn Fn(Seat) -> u8| {
            let counter = |seat| Counter { name, seat: Some(seat), number: number(seat).into(), most: max };
            Seat::all(self.seats).map(counter).collect::<Vec<_>>()
        };
        let tiles = i16::from(self.tiles);
        let mut counters = by_seat("stock", tiles, &|seat| position.stock(seat));
        counters.extend(by_seat("points", tiles, &|seat| position.points(seat)));
        if self.seats > 2 {
            counters.extend(by_seat("out", 1, &|seat| u8::from(!position.is_in(seat))));
        }
        let (number, max) = (position.passes.into(), self.seats as i16);
        counters.push(Counter { name: "passes in a row", seat: None, number, most: max });
        counters
    }

    fn draw_board(&self, position: &Position, number: usize) -> scene::Board {
        let mut drawn = scene::Board::new(self.layout.width, self.layout.height);
        drawn.title = Some(format!("board {}", number + 1));
        for index in board::squares(self.area) {
            let cell = drawn.cell_mut(board::square(index));
            cell.fill = Some(self.layout.tint(number, index));
            cell.piece = position
                .owner(number, index)
                .map(|seat| Piece::plain(token::symbol(seat), Side::from_index(seat.index())));
        }
        drawn
    }

    fn caption(&self, position: &Position, seat: Seat) -> String {
        let (stock, points) = (position.stock(seat), position.points(seat));
        let points = format!("{points} of {} points", self.points);
        match position.eliminated().position(|out| out == seat) {
            Some(number) => format!("seat {seat}: out ({} to go), {points}", ordinal(number + 1)),
            None => format!("seat {seat}: {points}, {stock} in stock"),
        }
    }
}

fn ordinal(number: usize) -> String {
    let ending = match number {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn mark_half(position: &Position, board: usize, half: Half, marks: &mut Vec<Mark>) {
    if let Some(from) = half.from() {
        marks.push(Mark { board, ..Mark::on(MarkKind::From, board::square(from)) });
    }
    marks.push(Mark { board, ..Mark::on(MarkKind::To, board::square(half.to())) });
    if let Some(window) = half.window() {
        let side = Side::from_index(position.previous_in().index());
        marks.push(Mark { kind: MarkKind::Line(side), board, squares: window.squares().collect() });
    }
}

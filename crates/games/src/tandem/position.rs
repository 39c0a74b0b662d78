//! Positions: sets of squares, stocks, points, and eliminated seats.

use crate::tandem::board;
use crate::tandem::moves::Half;
use linesman_types::seat::{MAX_SEATS, Seat};

/// A position of Tandem; the rules hold its layout and the number of seats.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Position {
    /// The tiles of each seat on either board.
    pub(super) tiles: [[u128; 2]; MAX_SEATS],
    pub(super) stocks: [u8; MAX_SEATS],
    pub(super) points: [u8; MAX_SEATS],
    /// The numbers of the eliminated seats, in the order of elimination; 0 after the last one.
    pub(super) eliminated: [u8; MAX_SEATS],
    /// Number of passes in a row.
    pub(super) passes: u8,
    pub(super) seats: u8,
    pub(super) to_move: Seat,
    pub(super) ply: u32,
}

impl Position {
    /// Empty boards, full stocks.
    pub(super) fn start(seats: usize, tiles: u8) -> Position {
        Position {
            tiles: [[0; 2]; MAX_SEATS],
            stocks: std::array::from_fn(|seat| if seat < seats { tiles } else { 0 }),
            points: [0; MAX_SEATS],
            eliminated: [0; MAX_SEATS],
            passes: 0,
            seats: seats as u8,
            to_move: Seat::FIRST,
            ply: 0,
        }
    }

    /// The seat whose turn it is.
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    pub(crate) fn ply(&self) -> u32 {
        self.ply
    }

    /// Number of seats, including eliminated ones.
    pub(crate) fn seats(&self) -> usize {
        usize::from(self.seats)
    }

    pub(crate) fn stock(&self, seat: Seat) -> u8 {
        self.stocks[seat.index()]
    }

    pub(crate) fn points(&self, seat: Seat) -> u8 {
        self.points[seat.index()]
    }

    /// The eliminated seats, in the order of elimination.
    pub(crate) fn eliminated(&self) -> impl ExactSizeIterator<Item = Seat> + '_ {
        let number = self.eliminated.iter().take_while(|number| **number != 0).count();
        self.eliminated[..number].iter().map(|number| Seat::from_index(usize::from(*number) - 1))
    }

    /// Returns true if a seat has not been eliminated.
    pub(crate) fn is_in(&self, seat: Seat) -> bool {
        !self.eliminated.contains(&(seat.number() as u8))
    }

    pub(super) fn seats_in(&self) -> usize {
        self.seats() - self.eliminated().len()
    }

    /// Returns the squares of the largest board without a tile.
    pub(super) fn empty(&self, board: usize) -> u128 {
        !self.tiles.iter().fold(0, |set, tiles| set | tiles[board])
    }

    /// Returns the seat whose tile lies on a square.
    pub(super) fn owner(&self, board: usize, square: u8) -> Option<Seat> {
        let seat = self.tiles.iter().position(|tiles| tiles[board] & board::bit(square) != 0)?;
        Some(Seat::from_index(seat))
    }

    /// Returns the remaining seat whose turn is next after another seat's.
    pub(super) fn next_in(&self, seat: Seat) -> Seat {
        let mut next = seat.next(self.seats());
        while next != seat && !self.is_in(next) {
            next = next.next(self.seats());
        }
        next
    }

    /// Returns the remaining seat whose turn is directly before that of the seat to move.
    pub(super) fn previous_in(&self) -> Seat {
        let mut previous = self.to_move;
        loop {
            let next = self.next_in(previous);
            if next == self.to_move {
                return previous;
            }
            previous = next;
        }
    }

    pub(super) fn pass(&mut self) {
        self.passes += 1;
        self.end_turn();
    }

    /// Plays a legal step on each board and scores the windows of the move.
    pub(super) fn push(&mut self, halves: [Half; 2]) {
        let mover = self.to_move.index();
        for (half, tiles) in halves.into_iter().zip(&mut self.tiles[mover]) {
            match half.from() {
                Some(from) => *tiles &= !board::bit(from),
                None => self.stocks[mover] -= 1,
            }
            *tiles |= board::bit(half.to());
            if let Some(window) = half.window() {
                *tiles &= !window.set();
                self.stocks[mover] += window.length() as u8 - 1;
                self.points[mover] += 1;
            }
        }
        self.passes = 0;
        self.end_turn();
    }

    fn end_turn(&mut self) {
        // A token can contain the maximum ply. It then decreases so that the seat to move is still right.
        self.ply = self.ply.checked_add(1).unwrap_or(u32::MAX - u32::from(self.seats - 1));
        self.to_move = self.next_in(self.to_move);
    }

    /// Eliminates a seat, except the last remaining one.
    pub(super) fn eliminate(&mut self, seat: Seat) {
        if !self.is_in(seat) || self.seats_in() < 2 {
            return;
        }
        // The ply and the passes do not change, so the token is sufficient: the game ends when the number of
        // passes in a row reaches the number of remaining seats.
        let count = self.eliminated().len();
        self.eliminated[count] = seat.number() as u8;
        if self.to_move == seat {
            self.to_move = self.next_in(seat);
        }
    }
}

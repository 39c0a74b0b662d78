//! Numbered boards for the solver: every arrangement of blank, own and opponent's cubes, as the seat to move
//! sees them.
//!
//! A board's number has a base-3 digit for each square, lowest for `a1`, then
//! `b1` and on through the ranks: 0 blank, 1 own, 2 the opponent's.

use crate::quixo::board::{self, RANK};
use crate::quixo::moves::Slide;
use crate::quixo::{Position, Quixo};
use crate::rules::Rules;
use crate::solvable::{Numbered, PositionStatus, Unsolvable};
use linesman_types::seat::Seat;

/// The size of the largest board whose numbers fit.
const MAX_SIZE: usize = 4;

pub(super) struct Boards {
    rules: Quixo,
    /// The number of arrangements of two ranks.
    two_ranks: u32,
    /// The own and the opponent's cubes of two ranks, by number.
    cubes: Vec<[u16; 2]>,
    /// The part that the own cubes of a rank add to a number, by rank and set of squares.
    worth: [[u32; 1 << MAX_SIZE]; MAX_SIZE],
    /// Every move, and what an own cube on the square that it takes from adds to a number.
    slides: Vec<(Slide, u32)>,
}

impl Boards {
    pub(super) fn new(rules: &Quixo) -> Result<Boards, Unsolvable> {
        let size = rules.board.size;
        if size > MAX_SIZE {
            let squares = size * size;
            return Err(Unsolvable::because(format_args!(
                "a board of {size} by {size} cubes has 3^{squares} positions (about {:.0e}), too many to examine; \
                 use `size` 3 or {MAX_SIZE}",
                3f64.powi(squares as i32)
            )));
        }
        let mut boards = Boards {
            rules: rules.clone(),
            two_ranks: 3u32.pow(2 * size as u32),
            cubes: Vec::new(),
            worth: [[0; 1 << MAX_SIZE]; MAX_SIZE],
            slides: Vec::new(),
        };
        for (rank, worth) in boards.worth.iter_mut().enumerate().take(size) {
            for (squares, worth) in worth.iter_mut().enumerate() {
                let files = (0..size).filter(|file| squares >> file & 1 == 1);
                *worth = files.map(|file| 3u32.pow((rank * size + file) as u32)).sum();
            }
        }
        boards.cubes = (0..boards.two_ranks).map(|number| two_ranks(size, number)).collect();
        for from in board::squares(rules.board.border) {
            let worth = boards.number_of(1 << from);
            let moves = rules.slides.from(from).iter();
            boards.slides.extend(moves.filter_map(|mv| Some((*rules.slides.get(*mv)?, worth))));
        }
        Ok(boards)
    }

    /// Returns what own cubes on these squares add to a number.
    fn number_of(&self, cubes: u64) -> u32 {
        let rank =
            |rank: usize| self.worth[rank][(cubes >> (RANK as usize * rank)) as usize % (1 << MAX_SIZE)];
        (0..MAX_SIZE).map(rank).sum()
    }

    /// Returns the own and the opponent's cubes of a board.
    fn cubes_of(&self, number: u32) -> [u64; 2] {
        let lower = self.cubes[(number % self.two_ranks) as usize];
        let upper = self.cubes[(number / self.two_ranks) as usize];
        [0, 1].map(|side| u64::from(lower[side]) | u64::from(upper[side]) << (2 * RANK))
    }
}

fn two_ranks(size: usize, mut number: u32) -> [u16; 2] {
    let mut cubes = [0, 0];
    for square in 0..2 * size {
        if let Some(side) = (number % 3).checked_sub(1) {
            cubes[side as usize] |= 1 << (square / size * RANK as usize + square % size);
        }
        number /= 3;
    }
    cubes
}

impl Numbered<Position> for Boards {
    fn positions(&self) -> u32 {
        3u32.pow((self.rules.board.size * self.rules.board.size) as u32)
    }

    fn number(&self, position: &Position) -> u32 {
        let mover = position.to_move();
        self.number_of(position.cubes(mover)) + 2 * self.number_of(position.cubes(mover.next(2)))
    }

    fn status(&self, number: u32) -> PositionStatus {
        // Seat 1 stands for the seat to move.
        let position = Position::new(self.cubes_of(number), 0);
        match self.rules.winner(&position) {
            Some(Seat::FIRST) => PositionStatus::Won,
            Some(_) => PositionStatus::Lost,
            None => PositionStatus::Open {
                moves: self.rules.count_legal_moves(&position, &mut Vec::new()) as u32,
            },
        }
    }

    fn before(&self, number: u32, numbers: &mut Vec<u32>) {
        let [own, movers] = self.cubes_of(number);
        for (slide, worth) in &self.slides {
            if movers & slide.placed == 0 {
                continue;
            }
            // The cube that was taken was blank or the mover's.
            let blank = self.number_of(slide.undo(movers)) + 2 * self.number_of(slide.undo(own));
            numbers.extend([blank, blank + worth]);
        }
    }
}

//! Precomputed lists of moves.

use crate::quixo::board::{self, Geometry, RANK};

/// The moves of the border cubes: for each side of the border and each set of its
/// squares, the moves of all cubes there, so that listing moves takes four copies
/// of a fixed length. A side has at most `N` moves.
#[derive(Clone, Debug)]
pub(crate) struct Listing<M, const N: usize> {
    /// First rank, last rank, and the squares between them in the first and the last file.
    sides: [Box<[Block<M, N>; SETS]>; 4],
    last: u32,
    between: u64,
    /// Every move, with the bit of its cube's square.
    all: Vec<(u64, M)>,
}

/// The moves of some squares; those after the first `count` are fillers.
#[derive(Copy, Clone, Debug)]
struct Block<M, const N: usize> {
    moves: [M; N],
    count: u8,
}

/// Number of sets of squares in a row or column of 8.
const SETS: usize = 256;

impl<M: Copy, const N: usize> Listing<M, N> {
    /// Lists the moves that `moves_from` returns for each square of the border; `filler` is any move.
    ///
    /// # Panics
    /// If a side has more than `N` moves.
    pub(crate) fn new(board: &Geometry, filler: M, moves_from: impl Fn(u32) -> Vec<M>) -> Self {
        let last = board.size as u32 - 1;
        let inner = 1..last;
        let block = |squares: &mut dyn Iterator<Item = u32>| {
            let mut block = Block { moves: [filler; N], count: 0 };
            for mv in squares.flat_map(&moves_from) {
                block.moves[usize::from(block.count)] = mv;
                block.count += 1;
            }
            block
        };
        let side = |squares: &[u32], first_bit: usize| {
            let chosen = |set: usize| {
                let has = move |number: usize| set >> (number + first_bit) & 1 == 1;
                block(&mut squares.iter().enumerate().filter(|(number, _)| has(*number)).map(|(_, at)| *at))
            };
            Box::new(std::array::from_fn(chosen))
        };
        let rank = |rank: u32| (0..=last).map(|file| rank * RANK + file).collect::<Vec<u32>>();
        let file = |file: u32| inner.clone().map(|rank| rank * RANK + file).collect::<Vec<u32>>();
        let between = file(0).into_iter().chain(file(last)).fold(0, |set, index| set | 1 << index);
        let sides = [side(&rank(0), 0), side(&rank(last), 0), side(&file(0), 1), side(&file(last), 1)];
        let all = board::squares(board.border)
            .flat_map(|from| moves_from(from).into_iter().map(move |mv| (1 << from, mv)))
            .collect();
        Listing { sides, last, between, all }
    }

    /// Counts the moves of the cubes on a set of border squares.
    pub(crate) fn count(&self, squares: u64) -> usize {
        self.blocks(squares).iter().map(|block| usize::from(block.count)).sum()
    }

    /// Appends the moves of the cubes on a set of border squares.
    pub(crate) fn append(&self, squares: u64, moves: &mut Vec<M>) {
        for block in self.blocks(squares) {
            let end = moves.len() + usize::from(block.count);
            // A copy of a fixed length is fastest; the excess is removed.
            moves.extend_from_slice(&block.moves);
            moves.truncate(end);
        }
    }

    /// Draws one of the moves of the cubes on a nonempty set of border squares, with
    /// equal probabilities.
    #[inline]
    pub(crate) fn draw(&self, squares: u64, mut below: impl FnMut(usize) -> usize) -> M {
        // In most positions most moves are possible, so few draws are rejected.
        loop {
            let (square, mv) = self.all[below(self.all.len())];
            if square & squares != 0 {
                return mv;
            }
        }
    }

    fn blocks(&self, squares: u64) -> [&Block<M, N>; 4] {
        let between = squares & self.between;
        let [low, high, left, right] = &self.sides;
        [
            &low[usize::from(board::rank_of(squares, 0))],
            &high[usize::from(board::rank_of(squares, self.last))],
            &left[usize::from(board::file_of(between, 0))],
            &right[usize::from(board::file_of(between, self.last))],
        ]
    }
}

//! The geometry of the board: its squares, their neighbours and the lines.
//!
//! A square's number is `4 * rank + file`. A set of squares is a `u16`; the
//! cards of a seat are two sets in one `u32` (see [`Cards`]).

pub(super) use crate::grid::squares;
use crate::notation::Square;

/// The number of files, and of ranks.
pub(super) const SIZE: usize = 4;
pub(super) const SQUARES: usize = SIZE * SIZE;

pub(super) fn index(square: Square) -> u32 {
    (square.rank() * SIZE + square.file()) as u32
}

pub(super) fn square(index: u32) -> Square {
    Square::new(index as usize % SIZE, index as usize / SIZE)
}

const FIRST_FILE: u16 = 0x1111;
const LAST_FILE: u16 = 0x8888;

/// Returns the neighbours of the squares of a set, which can include squares of the set.
pub(super) const fn neighbours(set: u16) -> u16 {
    (set << 4) | (set >> 4) | ((set & !LAST_FILE) << 1) | ((set & !FIRST_FILE) >> 1)
}

pub(super) const NEIGHBOURS: [u16; SQUARES] = {
    let mut all = [0; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        all[index] = neighbours(1 << index);
        index += 1;
    }
    all
};

/// The directions of lines: the step from square to square, and the squares at
/// which a line of three can start.
const DIRECTIONS: [(u32, u16); 4] = [(1, 0x3333), (4, 0x00ff), (5, 0x0033), (3, 0x00cc)];

/// Number of lines: two in each row and column, eight on diagonals.
pub(super) const LINE_COUNT: usize = 24;

/// Every line: three squares in a row.
pub(super) const LINES: [u16; LINE_COUNT] = {
    let mut lines = [0; LINE_COUNT];
    let mut count = 0;
    let mut direction = 0;
    while direction < DIRECTIONS.len() {
        let (step, starts) = DIRECTIONS[direction];
        let mut index = 0;
        while index < SQUARES as u32 {
            if starts & (1 << index) != 0 {
                lines[count] = (1 << index) | (1 << (index + step)) | (1 << (index + 2 * step));
                count += 1;
            }
            index += 1;
        }
        direction += 1;
    }
    lines
};

/// A colour that a card can show.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Colour {
    /// Red, `r` in moves.
    Red,
    /// Yellow, `y` in moves.
    Yellow,
}

impl Colour {
    /// Both colours.
    pub const ALL: [Colour; 2] = [Colour::Red, Colour::Yellow];

    /// The colour's name for people.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Yellow => "yellow",
        }
    }
}

/// The cards of one seat on the board: the squares of those that show red in the
/// lower half of the bits, and of those that show yellow in the upper half.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
pub(super) struct Cards(u32);

impl Cards {
    /// Returns the squares of the cards that show a colour.
    pub(super) fn showing(self, colour: Colour) -> u16 {
        match colour {
            Colour::Red => self.0 as u16,
            Colour::Yellow => (self.0 >> 16) as u16,
        }
    }

    /// The squares of all cards.
    pub(super) fn squares(self) -> u16 {
        self.showing(Colour::Red) | self.showing(Colour::Yellow)
    }

    pub(super) fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the colour of the card on a square, if there is one.
    pub(super) fn colour_at(self, index: u32) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| self.showing(*colour) & (1 << index) != 0)
    }

    /// Returns the cards with another one added.
    pub(super) fn with(self, index: u32, colour: Colour) -> Cards {
        Cards(self.0 | 1 << (index + 16 * colour as u32))
    }

    /// Returns the cards with the card on one square flipped onto another, which is empty.
    pub(super) fn flipped(self, from: u32, to: u32) -> Cards {
        let turned = self.0 & (0x0001_0001 << from);
        // The card moves to the other half, for the other colour, and to the other square.
        Cards((self.0 ^ turned) | (turned.rotate_left(16) >> from) << to)
    }

    /// Returns true if three cards in a row show the same colour.
    pub(super) fn has_line(self) -> bool {
        // From the starts of lines, no line reaches from one half of the bits
        // into the other.
        let set = self.0;
        let from = |(step, starts): (u32, u16)| {
            set & (set >> step) & (set >> (2 * step)) & (u32::from(starts) * 0x0001_0001)
        };
        let [ranks, files, rising, falling] = DIRECTIONS.map(from);
        (ranks | files | rising | falling) != 0
    }

    /// Returns the lines with their colours.
    pub(super) fn lines(self) -> impl Iterator<Item = (Colour, u16)> {
        Colour::ALL.into_iter().flat_map(move |colour| {
            let showing = self.showing(colour);
            LINES.into_iter().filter(move |line| showing & line == *line).map(move |line| (colour, line))
        })
    }
}

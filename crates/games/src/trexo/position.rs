//! Positions: the visible part of each square, and the possible places of tiles.

use std::hash::{Hash, Hasher};

use crate::scene::Direction;
use crate::trexo::board::{Geometry, RANK, SQUARES, Squares, neighbour};
use crate::trexo::moves::Move;
use linesman_types::seat::Seat;

/// A position of Trexo. The rules hold the size of the board.
///
/// The possible places of tiles, the existence of lines and the hash key follow from the squares; they are kept
/// so that no query examines the whole board.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Position {
    /// The hash key of all squares: equal positions have equal keys.
    key: u64,
    /// Number of tiles laid. Its parity determines the seat to move.
    ply: u16,
    /// For each seat, true if there is a line of its symbol.
    lined: [bool; 2],
    /// The squares that show each seat's symbol.
    shown: [Squares; 2],
    /// The squares that a tile can cover together with their eastern neighbour.
    east_open: Squares,
    /// The squares that a tile can cover together with their northern neighbour.
    north_open: Squares,
    /// The visible half on each square.
    cells: [TopHalf; SQUARES],
}

/// The level of the visible half on a square, and the direction of its tile's other half.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct TopHalf(u16);

impl TopHalf {
    pub(super) const EMPTY: TopHalf = TopHalf(0);

    pub(super) fn new(level: u16, joint: Direction) -> TopHalf {
        TopHalf(level << 2 | joint as u16)
    }

    /// The level of the visible half, 1 on the board; 0 if there is none.
    pub(super) fn level(self) -> u16 {
        self.0 >> 2
    }

    /// The direction of the tile's other half; meaningless on an empty square.
    pub(super) fn joint(self) -> Direction {
        Direction::ALL[usize::from(self.0 & 3)]
    }

    /// Returns the part of the key for a square with this half and a seat's symbol.
    fn key(self, number: u8, seat: usize) -> u64 {
        let mixed = (u64::from(self.0) << 16 | (seat as u64) << 8 | u64::from(number)).wrapping_add(1);
        let mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ mixed >> 32
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl Position {
    pub(super) fn start(board: &Geometry) -> Position {
        Position {
            key: 0,
            ply: 0,
            lined: [false; 2],
            shown: [Squares::NONE; 2],
            east_open: board.with_east,
            north_open: board.with_north,
            cells: [TopHalf::EMPTY; SQUARES],
        }
    }

    /// Makes the position that shows these halves.
    pub(super) fn new(
        board: &Geometry,
        shown: [Squares; 2],
        cells: [TopHalf; SQUARES],
        ply: u32,
    ) -> Position {
        let ply = u16::try_from(ply).expect("no more than the tiles, of which there are 512 at most");
        let mut key = 0;
        for (seat, set) in shown.iter().enumerate() {
            for number in set.numbers() {
                key ^= cells[usize::from(number)].key(number, seat);
            }
        }
        let lined = shown.map(|set| board.lines(set).iter().any(|starts| !starts.is_empty()));
        let mut position = Position { key, ply, lined, shown, cells, ..Position::start(board) };
        let (east, north) = (Direction::East, Direction::North);
        position.east_open =
            board.with_east.numbers().filter(|number| position.carries(*number, east)).collect();
        position.north_open =
            board.with_north.numbers().filter(|number| position.carries(*number, north)).collect();
        position
    }

    /// Returns true if a tile can lie on a square and its neighbour: both are at one
    /// level, and above the board they don't belong to one tile.
    fn carries(&self, number: u8, direction: Direction) -> bool {
        let (one, other) = (self.cell(number), self.cell(neighbour(number, direction)));
        one.level() == other.level() && (one.level() == 0 || one.joint() != direction)
    }

    /// The seat whose turn it is.
    pub fn to_move(&self) -> Seat {
        Seat::from_index(self.mover())
    }

    /// The number of tiles laid.
    pub(crate) fn ply(&self) -> u32 {
        u32::from(self.ply)
    }

    /// The squares that show a seat's symbol.
    pub(super) fn shown(&self, seat: Seat) -> Squares {
        self.shown[seat.index()]
    }

    /// Returns true if there is a line of a seat's symbol.
    pub(super) fn is_lined(&self, seat: Seat) -> bool {
        self.lined[seat.index()]
    }

    pub(super) fn is_any_lined(&self) -> bool {
        self.lined[0] | self.lined[1]
    }

    pub(super) fn cell(&self, number: u8) -> TopHalf {
        self.cells[usize::from(number)]
    }

    /// Returns the squares that a tile can cover together with their eastern
    /// neighbour, then those with their northern neighbour.
    pub(super) fn open(&self) -> [Squares; 2] {
        [self.east_open, self.north_open]
    }

    /// Returns true if the two halves are on squares that a tile can cover.
    pub(super) fn has_room(&self, mv: Move) -> bool {
        let [east_open, north_open] = self.open();
        let first = mv.cross.min(mv.nought);
        match mv.cross.abs_diff(mv.nought) {
            1 => east_open.contains(first),
            RANK => north_open.contains(first),
            _ => false,
        }
    }

    /// Appends both moves for every pair of squares that a tile can cover.
    pub(super) fn every_move(&self, moves: &mut Vec<Move>) {
        let [east_open, north_open] = self.open();
        let before = moves.len();
        let all = 2 * (east_open.count() + north_open.count()) as usize;
        moves.resize(before + all, Move { cross: 0, nought: 0 });
        let mut places = moves[before..].chunks_exact_mut(2);
        for (open, step) in [(east_open, 1), (north_open, RANK)] {
            for (one, pair) in open.numbers().zip(&mut places) {
                pair[0] = Move { cross: one, nought: one + step };
                pair[1] = Move { cross: one + step, nought: one };
            }
        }
    }

    /// Returns true if there is no room for a tile.
    pub(super) fn is_blocked(&self) -> bool {
        (self.east_open | self.north_open).is_empty()
    }

    /// Returns the squares that a tile can cover.
    pub(super) fn coverable(&self) -> Squares {
        self.east_open | self.east_open.up(1) | self.north_open | self.north_open.up(u32::from(RANK))
    }

    pub(super) fn lay(&mut self, board: &Geometry, mv: Move) {
        let level = self.cell(mv.cross).level() + 1;
        let [joint, back] = mv.joints();
        self.cover(mv.cross, 0, TopHalf::new(level, joint));
        self.cover(mv.nought, 1, TopHalf::new(level, back));
        self.reopen(mv.cross, level);
        self.reopen(mv.nought, level);
        match joint {
            Direction::East => self.east_open.remove(mv.cross),
            Direction::West => self.east_open.remove(mv.nought),
            Direction::North => self.north_open.remove(mv.cross),
            Direction::South => self.north_open.remove(mv.nought),
        }
        self.east_open = self.east_open & board.with_east;
        self.north_open = self.north_open & board.with_north;
        self.lined =
            [board.has_line_at(self.shown[0], mv.cross), board.has_line_at(self.shown[1], mv.nought)];
        self.ply += 1;
    }

    /// Puts half a tile on a square.
    fn cover(&mut self, number: u8, seat: usize, cell: TopHalf) {
        let below = self.cell(number);
        if below.level() > 0 {
            let shows = usize::from(self.shown[1].contains(number));
            self.key ^= below.key(number, shows);
        }
        self.key ^= cell.key(number, seat);
        self.shown[seat].insert(number);
        self.shown[1 - seat].remove(number);
        self.cells[usize::from(number)] = cell;
    }

    /// Updates the open pairs of a newly covered square and its neighbours.
    ///
    /// A neighbour at the same level is half of another tile, unless it is the other half of this one: a half
    /// never points at a lower square, so no half at this level already points here.
    fn reopen(&mut self, number: u8, level: u16) {
        let level_with = |other: u8| self.cell(other).level() == level;
        let [north, east, south, west] = Direction::ALL.map(|direction| neighbour(number, direction));
        let [to_north, to_east, to_south, to_west] = [north, east, south, west].map(level_with);
        self.east_open.set(number, to_east);
        self.east_open.set(west, to_west);
        self.north_open.set(number, to_north);
        self.north_open.set(south, to_south);
    }

    fn mover(&self) -> usize {
        usize::from(self.ply & 1)
    }
}

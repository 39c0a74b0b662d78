//! Scenes: the contents of a picture of a position, without its drawing.
//!
//! A game describes its position once as a [`Scene`]; the terminal, SVG images and the page draw scenes,
//! so a new game needs no drawing code.

use std::fmt;

use crate::notation::Square;
use linesman_types::seat::{Seat, Side};

/// The scene of a position.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Scene {
    /// The boards, from left to right.
    pub boards: Vec<Board>,
    /// The squares of the last move and, at the end, those that decided the game.
    pub marks: Vec<Mark>,
    /// Lines of text that belong to the position, such as stocks and points.
    pub captions: Vec<String>,
}

/// One board of a scene.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Board {
    /// The name of the board, if there are several.
    pub title: Option<String>,
    /// The number of files.
    pub width: usize,
    /// The number of ranks.
    pub height: usize,
    /// The cells, rank by rank from `a1`: `height * width` of them.
    pub cells: Vec<Cell>,
    /// The shape of the cells.
    pub shape: Shape,
    /// Edges of the board that belong to a side.
    pub edges: Vec<Edge>,
}

/// The shape of a board's cells.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Shape {
    /// Squares.
    #[default]
    Squares,
    /// Hexagons. Each rank lies half a cell to the right of the one below it, so that a cell touches those in
    /// the same file above and below, and those to the north-west and south-east, but not those on the other
    /// diagonal.
    Hexagons,
}

/// An edge of a board that belongs to a side.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Edge {
    /// The place of the edge.
    pub at: Direction,
    /// The side that it belongs to.
    pub side: Side,
    /// The symbol of the side, for pictures without colour.
    pub symbol: char,
}

impl Board {
    /// Makes an empty board.
    pub fn new(width: usize, height: usize) -> Board {
        let cells = vec![Cell::default(); width * height];
        Board { title: None, width, height, cells, shape: Shape::Squares, edges: Vec::new() }
    }

    /// Makes a board with these pieces.
    pub fn with_pieces(
        width: usize,
        height: usize,
        pieces: impl IntoIterator<Item = (Square, Piece)>,
    ) -> Board {
        let mut board = Board::new(width, height);
        for (square, piece) in pieces {
            board.cell_mut(square).piece = Some(piece);
        }
        board
    }

    /// The cell of a square on the board.
    pub fn cell(&self, square: Square) -> &Cell {
        &self.cells[square.rank() * self.width + square.file()]
    }

    /// The mutable cell of a square on the board.
    pub fn cell_mut(&mut self, square: Square) -> &mut Cell {
        &mut self.cells[square.rank() * self.width + square.file()]
    }
}

/// One square of a board.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Cell {
    /// The colour of the square itself, if the game has coloured squares: the same in all positions.
    pub fill: Option<Tint>,
    /// The piece on it, seen from above.
    pub piece: Option<Piece>,
    /// Number of the group to which the cell belongs. A thick border separates the cells of different groups.
    pub group: usize,
}

/// A piece on a square.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Piece {
    /// The symbol that it shows.
    pub symbol: char,
    /// The side that it belongs to.
    pub side: Side,
    /// The colour that it shows, if the game's pieces have their own colours.
    pub tint: Option<Tint>,
    /// The direction in which it points, or in which its other half lies.
    pub pointer: Option<Pointer>,
    /// Its level (1 = on the board), if pieces can be stacked.
    pub level: Option<u32>,
}

impl Piece {
    /// Makes a piece that shows only its symbol.
    pub fn plain(symbol: char, side: Side) -> Piece {
        Piece { symbol, side, tint: None, pointer: None, level: None }
    }
}

/// A property that a game's pieces can show, besides their side.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum PieceProperty {
    /// A direction.
    Pointer,
    /// A level, up to this one.
    Level(i16),
    /// This colour.
    Tint(Tint),
}

/// A number of a position that is not on a board, such as a stock.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Counter {
    /// The name of the counted thing.
    pub name: &'static str,
    /// The seat that owns it, if it belongs to a single seat.
    pub seat: Option<Seat>,
    /// The number at present.
    pub number: i16,
    /// The maximum possible number.
    pub most: i16,
}

/// A direction on the board, and its meaning on a piece.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Pointer {
    /// A dot that points at a player.
    Dot(Direction),
    /// The joint to the other half of the same tile.
    Joint(Direction),
}

/// A side of a square.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Direction {
    /// Up, to the higher rank.
    North,
    /// To the right, to the later file.
    East,
    /// Down.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All directions, clockwise from the north and in the order of their codes: the planes of observations and the cells
    /// of Trexo depend on it.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

    /// The word for it: `north`.
    pub fn word(self) -> &'static str {
        match self {
            Direction::North => "north",
            Direction::East => "east",
            Direction::South => "south",
            Direction::West => "west",
        }
    }
}

/// A colour by name; the program that draws it chooses its appearance.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Tint(pub char);

impl Tint {
    /// The colour's common name, if it has one.
    pub fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            'r' => "red",
            'o' => "orange",
            'y' => "yellow",
            'g' => "green",
            't' => "teal",
            'b' => "blue",
            'p' => "purple",
            'n' => "brown",
            'w' => "white",
            'k' => "black",
            _ => return None,
        })
    }
}

/// The name or, if there is none, the letter.
impl fmt::Display for Tint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "`{}`", self.0),
        }
    }
}

/// Squares to mark on one board.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Mark {
    /// The meaning of the mark.
    pub kind: MarkKind,
    /// The board's index.
    pub board: usize,
    /// The squares. A line is drawn through them in this order.
    pub squares: Vec<Square>,
}

impl Mark {
    /// Makes a mark on one square of the first board.
    pub fn on(kind: MarkKind, square: Square) -> Mark {
        Mark { kind, board: 0, squares: vec![square] }
    }

    /// Makes a finished line of a side on the first board.
    pub fn line(side: Side, squares: impl IntoIterator<Item = Square>) -> Mark {
        Mark { kind: MarkKind::Line(side), board: 0, squares: squares.into_iter().collect() }
    }
}

/// Describes lines by their ends: `a1 to e1 and a1 to a5`.
pub fn lines_in_words(lines: &[Mark]) -> String {
    let ends = lines.iter().filter_map(|line| Some((line.squares.iter().min()?, line.squares.iter().max()?)));
    let lines: Vec<String> = ends.map(|(first, last)| format!("{first} to {last}")).collect();
    lines.join(" and ")
}

/// Describes the lines of those who have lost by making another's: `, even with a line of its own (a1 to e1)`. Empty if
/// there are none.
pub(crate) fn even_with(lines: &[Mark], whose: &str) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!(", even with a line of {whose} own ({})", lines_in_words(lines))
}

/// The meaning of a mark.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum MarkKind {
    /// The last move took something from here.
    From,
    /// The last move put something here.
    To,
    /// A finished line of a side.
    Line(Side),
}

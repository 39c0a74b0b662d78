//! Positions as arrays of numbers, for programs that learn.
//!
//! An observation is a stack of planes, each with a number for every square of a board. It is made from the
//! [scene](crate::scene) and the counters, and it is relative to the seat that observes: its own side and its own
//! counters are first, and the others follow in turn order.

use crate::scene::{Board, Cell, Counter, Direction, PieceProperty, Pointer, Scene, Tint};
use crate::table::{Setup, Table};
use linesman_types::seat::{Seat, Teams};

/// The planes of a game's observations.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Planes {
    /// The planes, in order.
    pub planes: Vec<Plane>,
    /// The number of rows of each plane.
    pub height: usize,
    /// The number of columns of each plane.
    pub width: usize,
}

/// The description of one plane.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Plane {
    /// The meaning of its numbers.
    pub name: String,
    /// Its maximum number. The minimum is 0.
    pub most: i16,
}

impl Planes {
    /// Lists the planes of a game with its options fixed.
    pub fn of(setup: &dyn Setup) -> Planes {
        let view = Observable::of(setup, &*setup.start());
        let plane = |layer: &Layer| Plane { name: view.name(layer), most: view.max(layer) };
        Planes { planes: view.layers().iter().map(plane).collect(), height: view.height, width: view.width }
    }
}

/// Returns the position as the seat `observer` sees it: plane by plane, and row by row from the highest rank.
pub fn observe(setup: &dyn Setup, table: &dyn Table, observer: Seat) -> Vec<i16> {
    let view = Observable::of(setup, table);
    let mut numbers = Vec::new();
    for layer in view.layers() {
        match view.constant(&layer, table, observer) {
            Some(number) => numbers.resize(numbers.len() + view.height * view.width, number),
            None => view.squares(&layer, observer, &mut numbers),
        }
    }
    numbers
}

/// The content of a plane.
enum Layer {
    /// The seat to move.
    Turn,
    /// The seat of the observer, in games of teams: teammates see the same pieces but have different seats.
    OwnSeat(Seat),
    /// A counter, by its index.
    Counter(usize),
    /// The squares of a board, by its index.
    Squares(usize, SquareLayer),
}

/// The property of a square that a plane shows.
#[derive(Copy, Clone)]
enum SquareLayer {
    /// A piece of the side at this distance in turn order from the observer's side.
    Side(usize),
    /// A piece that points in this direction.
    Pointer(Direction),
    /// The level of the piece, up to this one.
    Level(i16),
    /// A piece that shows this colour.
    Piece(Tint),
    /// A square of this colour.
    Fill(Tint),
}

/// The parts of a position that its planes show.
struct Observable {
    teams: Teams,
    scene: Scene,
    properties: Vec<PieceProperty>,
    counters: Vec<Counter>,
    height: usize,
    width: usize,
}

impl Observable {
    fn of(setup: &dyn Setup, table: &dyn Table) -> Observable {
        let scene = table.scene();
        let largest = |length: fn(&Board) -> usize| scene.boards.iter().map(length).max().unwrap_or_default();
        let (height, width) = (largest(|board| board.height), largest(|board| board.width));
        let properties = setup.piece_properties();
        Observable { teams: setup.teams(), properties, counters: table.counters(), height, width, scene }
    }

    fn layers(&self) -> Vec<Layer> {
        let mut layers = vec![Layer::Turn];
        if self.teams.sides() < self.teams.seats() {
            layers.extend(Seat::all(self.teams.seats()).map(Layer::OwnSeat));
        }
        for (index, board) in self.scene.boards.iter().enumerate() {
            let squares = self.square_layers(board);
            layers.extend(squares.into_iter().map(|layer| Layer::Squares(index, layer)));
        }
        layers.extend((0..self.counters.len()).map(Layer::Counter));
        layers
    }

    fn square_layers(&self, board: &Board) -> Vec<SquareLayer> {
        let mut layers: Vec<SquareLayer> = (0..self.teams.sides()).map(SquareLayer::Side).collect();
        for property in &self.properties {
            match property {
                PieceProperty::Pointer => layers.extend(Direction::ALL.map(SquareLayer::Pointer)),
                PieceProperty::Level(max) => layers.push(SquareLayer::Level(*max)),
                PieceProperty::Tint(tint) => layers.push(SquareLayer::Piece(*tint)),
            }
        }
        // Squares keep their colours, so every position has the same planes.
        let mut fills: Vec<Tint> = board.cells.iter().filter_map(|cell| cell.fill).collect();
        fills.sort_unstable_by_key(|tint| tint.0);
        fills.dedup();
        layers.extend(fills.into_iter().map(SquareLayer::Fill));
        layers
    }

    fn max(&self, layer: &Layer) -> i16 {
        match layer {
            Layer::Counter(index) => self.counters[*index].most,
            Layer::Squares(_, SquareLayer::Level(max)) => *max,
            Layer::Turn | Layer::OwnSeat(_) | Layer::Squares(..) => 1,
        }
    }

    fn name(&self, layer: &Layer) -> String {
        match layer {
            Layer::Turn => "own turn".to_owned(),
            Layer::OwnSeat(seat) => format!("own seat is {seat}"),
            Layer::Counter(index) => {
                let Counter { name, seat, .. } = self.counters[*index];
                // The name is for seat 1, which observes the seats in seat order.
                seat.map_or_else(|| name.to_owned(), |seat| format!("{name}, {}", whose(seat.index())))
            }
            Layer::Squares(index, layer) => {
                let board = self.scene.boards[*index].title.as_ref();
                let board = board.map_or_else(String::new, |title| format!("{title}: "));
                format!("{board}{}", layer.name())
            }
        }
    }

    /// Returns the number of a plane that has one number for all squares.
    fn constant(&self, layer: &Layer, table: &dyn Table, observer: Seat) -> Option<i16> {
        match layer {
            Layer::Turn => Some((table.to_move() == observer).into()),
            Layer::OwnSeat(seat) => Some((*seat == observer).into()),
            Layer::Counter(index) => {
                let Counter { name, seat, number, .. } = self.counters[*index];
                let Some(seat) = seat else { return Some(number) };
                let seats = self.teams.seats();
                let seen = Some(Seat::from_index((observer.index() + seat.index()) % seats));
                self.counters
                    .iter()
                    .find(|counter| counter.name == name && counter.seat == seen)
                    .map(|counter| counter.number)
            }
            Layer::Squares(..) => None,
        }
    }

    fn squares(&self, layer: &Layer, observer: Seat, numbers: &mut Vec<i16>) {
        let Layer::Squares(index, layer) = layer else { return };
        let board = &self.scene.boards[*index];
        let (own, sides) = (self.teams.side(observer).index(), self.teams.sides());
        for rank in (0..self.height).rev() {
            for file in 0..self.width {
                let is_on_board = rank < board.height && file < board.width;
                let cell = is_on_board.then(|| &board.cells[rank * board.width + file]);
                numbers.push(cell.map_or(0, |cell| layer.number(cell, own, sides)));
            }
        }
    }
}

impl SquareLayer {
    fn name(self) -> String {
        match self {
            SquareLayer::Side(distance) => format!("pieces, {}", whose(distance)),
            SquareLayer::Pointer(direction) => format!("pieces that point {}", direction.word()),
            SquareLayer::Level(_) => "levels of the pieces".to_owned(),
            SquareLayer::Piece(tint) => format!("pieces that show {tint}"),
            SquareLayer::Fill(tint) => format!("squares of {tint}"),
        }
    }

    /// Returns the number of a square, for an observer of the side with index `own` of `sides` sides.
    fn number(self, cell: &Cell, own: usize, sides: usize) -> i16 {
        let piece = cell.piece.as_ref();
        match self {
            SquareLayer::Side(distance) => {
                piece.is_some_and(|piece| piece.side.index() == (own + distance) % sides).into()
            }
            SquareLayer::Pointer(direction) => {
                let pointer = piece.and_then(|piece| piece.pointer).map(|pointer| match pointer {
                    Pointer::Dot(direction) | Pointer::Joint(direction) => direction,
                });
                (pointer == Some(direction)).into()
            }
            SquareLayer::Level(max) => {
                let level = piece.and_then(|piece| piece.level).unwrap_or_default();
                i16::try_from(level).map_or(max, |level| level.min(max))
            }
            SquareLayer::Piece(tint) => piece.is_some_and(|piece| piece.tint == Some(tint)).into(),
            SquareLayer::Fill(tint) => (cell.fill == Some(tint)).into(),
        }
    }
}

/// Names the owner at this distance in turn order from the observer.
fn whose(distance: usize) -> String {
    if distance == 0 { "own".to_owned() } else { format!("other {distance}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::setup;

    /// Returns the planes that are not all 0, by name, with their numbers.
    fn seen(game: &str, options: &str, token: &str, observer: Seat) -> Vec<(String, Vec<i16>)> {
        let setup = setup(game, options);
        let table = setup.from_token(token).expect("a token of the game");
        let planes = Planes::of(&*setup);
        let numbers = observe(&*setup, &*table, observer);
        let each = numbers.chunks(planes.height * planes.width).map(<[i16]>::to_vec);
        let named = planes.planes.iter().map(|plane| plane.name.clone()).zip(each);
        named.filter(|(_, numbers)| numbers.iter().any(|number| *number != 0)).collect()
    }

    fn plane(name: &str, numbers: &[i16]) -> (String, Vec<i16>) {
        (name.to_owned(), numbers.to_vec())
    }

    #[test]
    fn an_observer_sees_its_own_pieces_first_and_rows_from_the_top() {
        let token = "x../..o/..x:2:3";
        let (crosses, noughts) = ([1, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(
            seen("quixo", "size=3", token, Seat::SECOND),
            [plane("own turn", &[1; 9]), plane("pieces, own", &noughts), plane("pieces, other 1", &crosses)]
        );
        assert_eq!(
            seen("quixo", "size=3", token, Seat::FIRST),
            [plane("pieces, own", &crosses), plane("pieces, other 1", &noughts)]
        );
    }

    #[test]
    fn counters_have_planes() {
        let token = "../..|../..:1:6:3,2,4:1,2,0:1";
        let options = "players=3,tiles=4,line=2,points=3,layout=rg/gr|gr/rg";
        let all = seen("tandem", options, token, Seat::SECOND);
        let constant: Vec<(&str, i16)> = all
            .iter()
            .filter(|(name, _)| !name.starts_with("board"))
            .map(|(name, numbers)| (name.as_str(), numbers[0]))
            .collect();
        let expected = [
            ("stock, own", 2),
            ("stock, other 1", 4),
            ("stock, other 2", 3),
            ("points, own", 2),
            ("points, other 2", 1),
            ("passes in a row", 1),
        ];
        assert_eq!(constant, expected);
        assert!(all.contains(&plane("board 2: squares of red", &[0, 1, 1, 0])), "{all:?}");
    }

    #[test]
    fn teammates_see_their_seats_and_pieces_show_all_properties() {
        let third = Seat::from_index(2);
        let names: Vec<String> = seen("quixo-teams", "", "n..../...../...../...../.....:2:1", third)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["own seat is 3", "pieces, own", "pieces that point north"]);
        let board = "xe1,ow1,.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,.:2:1";
        let all = seen("trexo", "size=6,tiles=9", board, Seat::FIRST);
        let levels: Vec<i16> = (0..36).map(|square| i16::from(square < 2)).collect();
        assert!(all.contains(&plane("levels of the pieces", &levels)), "{all:?}");
    }
}

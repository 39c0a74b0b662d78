//! Tandem: lay tiles on two boards at once, always on one colour.
//!
//! Two to four seats play, each for itself, on two boards of the same size
//! whose squares are coloured. A turn has a step on each board, and the two
//! squares that it reaches must have one colour. A step lays a tile from the
//! seat's stock or slides one of its tiles to an empty square of that board:
//! with two or more tiles in stock both steps lay, with one tile exactly one
//! step lays, and with none both slide.
//!
//! After the turn, if `line` tiles of the mover are in a row on a board (a window), one window there is scored:
//! its tiles leave the board, one becomes a point, the others return to the stock for later turns. The mover
//! chooses among several windows. A seat with enough points wins at once; the others are placed by their points.
//! A seat without a possible turn passes, and when all remaining seats have passed in a row, points decide the
//! places.
//!
//! A turn is one move. The colours of the boards are data: see the files in
//! `layouts/`.

mod board;
mod evaluate;
mod explain;
mod layout;
mod moves;
mod notation;
mod odds;
mod position;
mod scene;
mod symmetry;
#[cfg(test)]
mod tests;
mod token;
mod turns;

use crate::ending::Ending;
use crate::limits;
use crate::notation::{Illegal, NotAMove, NotAPosition, counted};
use crate::options::{Bound, OptionError, OptionKind, OptionSpec, OptionValues};
use crate::rules::Rules;
use crate::scene::{Counter, Scene};
use crate::solvable::{Solvable, Unsolvable};
use linesman_types::clause::Clause;
use linesman_types::seat::{BySeat, Seat, Teams};
use linesman_types::verdict::Reason;

use layout::Layout;
use symmetry::Symmetry;

/// The reason if a seat has enough points.
pub const POINTS: Reason = Reason::new("points", "on points");
/// The reason if all seats passed in a row.
pub const PASSES: Reason = Reason::new("passes", "when everyone passed");

pub use moves::Move;
pub use position::Position;

/// The rules of Tandem on one layout.
#[derive(Clone, Debug)]
pub struct Tandem {
    seats: usize,
    line: usize,
    tiles: u8,
    points: u8,
    layout: Layout,
    /// All squares of a board.
    area: u128,
    /// Every window of a board.
    windows: Vec<u128>,
    /// The symmetries of the boards.
    symmetries: Vec<Symmetry>,
}

fn chosen_layout(values: &OptionValues) -> Layout {
    Layout::of(values.text("layout")).expect("the option takes nothing else")
}

fn longer_side(values: &OptionValues) -> i64 {
    let layout = chosen_layout(values);
    layout.width.max(layout.height) as i64
}

impl Tandem {
    /// Returns the seat that has enough points to win.
    fn winner(&self, position: &Position) -> Option<Seat> {
        Seat::all(self.seats).find(|seat| position.points(*seat) >= self.points)
    }

    fn all_have_passed(&self, position: &Position) -> bool {
        usize::from(position.passes) >= position.seats_in()
    }
}

impl Rules for Tandem {
    const ID: &'static str = "tandem";
    const TITLE: &'static str = "Tandem";
    const ABOUT: &'static str =
        "lay tiles on two boards at once, on squares of the same color, and score rows of your own";
    const REASONS: &'static [Reason] = &[POINTS, PASSES];
    const BREAKABLE: &'static [&'static str] = &[
        "pass",
        "off-board",
        "no-tile",
        "not-own",
        "stock",
        "same-square",
        "occupied",
        "colors",
        "must-score",
        "window-length",
        "no-window",
    ];
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::fixed("players", "the number of seats", 2, (2, 4)),
        OptionSpec {
            name: "layout",
            about: "the colors of the two boards",
            kind: OptionKind::Text { default: layout::DEFAULT, form: &layout::FORM },
        },
        OptionSpec::number(
            "line",
            "the number of tiles in a row that score",
            Bound::By(|before| {
                let usual = if before.integer("players") == 2 { 5 } else { 4 };
                usual.min(longer_side(before))
            }),
            (Bound::Fixed(2), Bound::By(longer_side)),
        ),
        OptionSpec::fixed("tiles", "the number of tiles per seat", 14, (1, 81)),
        OptionSpec::fixed("points", "the number of points that wins the game", 3, (1, 9)),
        limits::max_plies(Bound::By(|before| 60 * before.integer("players"))),
        limits::repetition(),
    ];

    type Position = Position;
    type Move = Move;

    fn with_options(values: &OptionValues) -> Result<Tandem, OptionError> {
        let small = |name| u8::try_from(values.count(name)).expect("the option's range is small");
        let layout = chosen_layout(values);
        let line = values.count("line");
        let windows = board::all_windows(layout.width, layout.height, line);
        Ok(Tandem {
            seats: values.count("players"),
            line,
            tiles: small("tiles"),
            points: small("points"),
            area: board::area(layout.width, layout.height),
            windows: windows.into_iter().map(board::Window::set).collect(),
            symmetries: Symmetry::all_of(&layout),
            layout,
        })
    }

    fn teams(&self) -> Teams {
        Teams::singles(self.seats)
    }

    fn start(&self) -> Position {
        Position::start(self.seats, self.tiles)
    }

    fn to_move(&self, position: &Position) -> Seat {
        position.to_move()
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn repetition_key(&self, position: &Position) -> Position {
        Position { ply: 0, ..*position }
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if self.is_over(position) {
            return;
        }
        let before = moves.len();
        self.list_turns(position, moves);
        if moves.len() == before {
            moves.push(Move::PASS);
        }
    }

    fn random_move(
        &self,
        position: &Position,
        _: &mut Vec<Move>,
        mut below: impl FnMut(usize) -> usize,
    ) -> Option<Move> {
        if self.is_over(position) {
            return None;
        }
        let turns = self.count_turns(position);
        let number = below(usize::try_from(turns.max(1)).expect("every turn fits into memory"));
        Some(self.turn(position, number as u64).unwrap_or(Move::PASS))
    }

    fn count_legal_moves(&self, position: &Position, _: &mut Vec<Move>) -> u64 {
        if self.is_over(position) { 0 } else { self.count_turns(position).max(1) }
    }

    fn is_legal(&self, position: &Position, mv: Move, _: &mut Vec<Move>) -> bool {
        !self.is_over(position) && self.allows(position, mv)
    }

    fn play(&self, position: &mut Position, mv: Move) {
        match mv.halves() {
            Some(halves) => position.push(halves),
            None => position.pass(),
        }
    }

    fn ending(&self, position: &Position) -> Option<Ending> {
        let scores = self.tie_break_scores(position);
        let (reason, why) = if let Some(winner) = self.winner(position) {
            let points = counted(position.points(winner).into(), "point", "points");
            (POINTS, Clause::default().seat(winner).words(format_args!(" has scored {points}")))
        } else if self.all_have_passed(position) {
            (PASSES, self.why_passes(position))
        } else {
            return None;
        };
        let places = BySeat::by_measure(&self.teams(), |seat| scores[seat]);
        Some(Ending { places, reason, marks: Vec::new(), why })
    }

    fn is_over(&self, position: &Position) -> bool {
        self.winner(position).is_some() || self.all_have_passed(position)
    }

    /// Returns the points. An eliminated seat is below all remaining seats and all seats that were eliminated later.
    fn tie_break_scores(&self, position: &Position) -> BySeat<i32> {
        let mut scores = BySeat::from_fn(self.seats, |seat| i32::from(position.points(seat)));
        for (number, seat) in position.eliminated().enumerate() {
            scores[seat] = number as i32 - self.seats as i32;
        }
        scores
    }

    fn evaluate(&self, position: &Position) -> BySeat<i32> {
        evaluate::evaluate(self, position)
    }

    fn odds(&self, position: &Position) -> Option<BySeat<i32>> {
        Some(odds::odds(self, position))
    }

    fn eliminate(&self, position: &mut Position, seat: Seat) {
        position.eliminate(seat);
    }

    fn explain(&self, position: &Position, mv: Move) -> Illegal {
        self.broken_rule(position, mv)
    }

    fn write_move(&self, mv: Move, text: &mut String) {
        notation::write_move(mv, text);
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotAMove> {
        notation::parse_move(text)
    }

    fn write_position(&self, position: &Position, text: &mut String) {
        token::write(self, position, text);
    }

    fn parse_position(&self, token: &str) -> Result<Position, NotAPosition> {
        token::parse(self, token)
    }

    fn scene(&self, position: &Position, last: Option<Move>) -> Scene {
        self.draw(position, last)
    }

    fn actions(&self) -> Vec<String> {
        notation::actions(self.area, &board::all_windows(self.layout.width, self.layout.height, self.line))
    }

    fn first_action<'t>(&self, text: &'t str) -> &'t str {
        notation::first_action(text)
    }

    fn counters(&self, position: &Position) -> Vec<Counter> {
        self.list_counters(position)
    }

    fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    fn transformed(&self, position: &Position, symmetry: usize) -> Position {
        self.symmetries[symmetry].position(position)
    }

    fn transformed_move(&self, _: &Position, mv: Move, symmetry: usize) -> Move {
        self.symmetries[symmetry].mv(mv)
    }

    fn solvable(&self) -> Result<Solvable<Position>, Unsolvable> {
        let ways = (self.seats as f64 + 1.0).powi(2 * self.area.count_ones() as i32);
        Err(Unsolvable::because(format_args!(
            "it has too many positions: the tiles on both boards can lie in about {ways:.0e} ways, without counting \
             stocks and points"
        )))
    }
}

//! Outcomes, scenes, games and mistakes as JSON.

use linesman_games::options::{Flag, OptionValue};
use linesman_games::scene::{Board, Cell, Edge, Mark, MarkKind, Piece, Pointer, Scene, Shape, Tint};
use linesman_games::{Ending, NotAPosition, Refusal};
use linesman_types::seat::{Seat, Side, Teams};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Game, Mistake};

/// The end of a game.
#[derive(Serialize)]
pub struct OutcomeJson {
    /// The place of each seat, in turn order: 1 for first place.
    pub places: Vec<usize>,
    /// The share of its opponents that each seat beat, with ties counted half.
    pub scores: Vec<f64>,
    /// The word of the rule that ended the game.
    pub reason: &'static str,
    /// The squares that decided the game.
    pub marks: Vec<MarkJson>,
    /// The reason, with seats and squares: a clause without a full stop.
    pub why: String,
}

impl OutcomeJson {
    pub(crate) fn of(ending: &Ending, teams: &Teams) -> OutcomeJson {
        OutcomeJson {
            places: ending.places.values().map(|place| place.number()).collect(),
            scores: Seat::all(teams.seats()).map(|seat| ending.places.score(teams, seat)).collect(),
            reason: ending.reason.word(),
            marks: ending.marks.iter().map(MarkJson::of).collect(),
            why: ending.why.to_string(),
        }
    }
}

/// The contents of a picture of a position.
#[derive(Serialize)]
pub struct SceneJson {
    boards: Vec<BoardJson>,
    marks: Vec<MarkJson>,
    captions: Vec<String>,
}

impl SceneJson {
    pub(crate) fn of(scene: &Scene) -> SceneJson {
        SceneJson {
            boards: scene.boards.iter().map(BoardJson::of).collect(),
            marks: scene.marks.iter().map(MarkJson::of).collect(),
            captions: scene.captions.clone(),
        }
    }
}

#[derive(Serialize)]
struct BoardJson {
    title: Option<String>,
    width: usize,
    height: usize,
    shape: &'static str,
    /// Rank by rank from `a1`.
    cells: Vec<CellJson>,
    edges: Vec<EdgeJson>,
}

impl BoardJson {
    fn of(board: &Board) -> BoardJson {
        BoardJson {
            title: board.title.clone(),
            width: board.width,
            height: board.height,
            shape: match board.shape {
                Shape::Squares => "squares",
                Shape::Hexagons => "hexagons",
            },
            cells: board.cells.iter().map(CellJson::of).collect(),
            edges: board.edges.iter().map(EdgeJson::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct EdgeJson {
    at: &'static str,
    side: usize,
    symbol: char,
}

impl EdgeJson {
    fn of(edge: &Edge) -> EdgeJson {
        EdgeJson { at: edge.at.word(), side: edge.side.index(), symbol: edge.symbol }
    }
}

#[derive(Serialize)]
struct CellJson {
    fill: Option<String>,
    piece: Option<PieceJson>,
    group: usize,
}

impl CellJson {
    fn of(cell: &Cell) -> CellJson {
        CellJson {
            fill: cell.fill.map(color),
            piece: cell.piece.as_ref().map(PieceJson::of),
            group: cell.group,
        }
    }
}

#[derive(Serialize)]
struct PieceJson {
    symbol: char,
    side: usize,
    tint: Option<String>,
    pointer: Option<PointerJson>,
    level: Option<u32>,
}

#[derive(Serialize)]
struct PointerJson {
    kind: &'static str,
    direction: &'static str,
}

impl PieceJson {
    fn of(piece: &Piece) -> PieceJson {
        let pointer = piece.pointer.map(|pointer| match pointer {
            Pointer::Dot(direction) => PointerJson { kind: "dot", direction: direction.word() },
            Pointer::Joint(direction) => PointerJson { kind: "joint", direction: direction.word() },
        });
        let (symbol, side, level) = (piece.symbol, piece.side.index(), piece.level);
        PieceJson { symbol, side, tint: piece.tint.map(color), pointer, level }
    }
}

/// Marked squares of one board.
#[derive(Serialize)]
pub struct MarkJson {
    kind: &'static str,
    board: usize,
    squares: Vec<String>,
    side: Option<usize>,
}

impl MarkJson {
    fn of(mark: &Mark) -> MarkJson {
        let (kind, side) = match mark.kind {
            MarkKind::From => ("from", None),
            MarkKind::To => ("to", None),
            MarkKind::Line(side) => ("line", Some(Side::index(side))),
        };
        let squares = mark.squares.iter().map(ToString::to_string).collect();
        MarkJson { kind, board: mark.board, squares, side }
    }
}

/// Returns the name of a color or, if it has none, its letter.
fn color(tint: Tint) -> String {
    tint.name().map_or_else(|| tint.0.to_string(), str::to_owned)
}

/// A game with its options.
#[derive(Serialize)]
pub struct GameJson<'g> {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    page: &'static str,
    options: Map<String, Value>,
    seats: usize,
    sides: Vec<usize>,
    actions: &'g [String],
    planes: Vec<PlaneJson<'g>>,
    height: usize,
    width: usize,
}

#[derive(Serialize)]
struct PlaneJson<'g> {
    name: &'g str,
    most: i16,
}

impl Game {
    /// The options with their values.
    pub fn options(&self) -> Map<String, Value> {
        let json = |value: &OptionValue| match value {
            OptionValue::Integer(number) => Value::from(*number),
            OptionValue::Flag(flag) => Value::from(*flag == Flag::On),
            OptionValue::Text(text) => Value::from(text.as_str()),
        };
        self.setup.options().iter().map(|(name, value)| (name.to_owned(), json(value))).collect()
    }

    /// Describes the game.
    pub fn description(&self) -> GameJson<'_> {
        let planes = self.planes.planes.iter();
        GameJson {
            name: self.about.id,
            title: self.about.title,
            about: self.about.about,
            page: self.about.page,
            options: self.options(),
            seats: self.setup.teams().seats(),
            sides: self.sides(),
            actions: self.actions.texts(),
            planes: planes.map(|plane| PlaneJson { name: &plane.name, most: plane.most }).collect(),
            height: self.planes.height,
            width: self.planes.width,
        }
    }
}

/// A mistake.
#[derive(Serialize)]
pub struct MistakeJson {
    /// The name of its class in other languages.
    pub kind: &'static str,
    /// The mistake, for people.
    pub why: String,
    /// The code of the rule that an illegal move breaks.
    pub rule: Option<&'static str>,
    /// The place of the mistake in a token.
    pub place: Option<String>,
}

impl Mistake {
    /// Describes the mistake.
    pub fn description(&self) -> MistakeJson {
        let (kind, rule, place) = match self {
            Mistake::NoGame { .. } => ("NoSuchGame", None, None),
            Mistake::Options { .. } => ("BadOption", None, None),
            Mistake::NotAPosition(NotAPosition { place, .. }) => ("NotAPosition", None, Some(place.clone())),
            Mistake::Refused(Refusal::NotAMove(_)) => ("NotAMove", None, None),
            Mistake::Refused(Refusal::Illegal(illegal)) => ("IllegalMove", Some(illegal.rule), None),
            Mistake::NoSeat { .. } => ("NoSuchSeat", None, None),
        };
        MistakeJson { kind, why: self.to_string(), rule, place }
    }
}

/// Writes a value as JSON.
pub fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and numbers can be written")
}

//! The data of the page: serializable forms of a replay's parts, as `types.js` describes them.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::Serialize;

use crate::replay::{FaultNote, Frame, PlayedMove, Player, Replay};
use linesman_games::scene::{Board, Cell, Direction, Edge, Mark, MarkKind, Piece, Pointer, Shape};
use linesman_types::seat::Seat;

/// The version of the data that this program writes and its page reads.
const VERSION: u32 = 1;

/// A replay as the page reads it.
#[derive(Serialize)]
pub(super) struct ReplayData<'f> {
    v: u32,
    id: &'f str,
    league: Option<&'f str>,
    game: &'f str,
    title: &'f str,
    options: &'f str,
    sides: Vec<String>,
    seats: Vec<&'f Player>,
    time_control: Option<&'f str>,
    margin_ms: Option<u64>,
    started: Option<&'f str>,
    cells: Vec<CellData>,
    frames: Vec<FrameData<'f>>,
    verdict: &'f str,
    faults: &'f [FaultNote],
    transcript: &'f [String],
    broken: Option<String>,
}

#[derive(Serialize)]
struct FrameData<'f> {
    token: &'f str,
    to_move: Option<usize>,
    played: Option<&'f PlayedMove>,
    clocks_ms: Option<Vec<u64>>,
    boards: Vec<BoardData<'f>>,
    marks: Vec<MarkData>,
    captions: &'f [String],
}

#[derive(Serialize)]
struct BoardData<'f> {
    title: Option<&'f str>,
    width: usize,
    height: usize,
    /// Indices into the replay's cells.
    cells: Vec<usize>,
    /// The shape of the cells, unless they are squares.
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edges: Vec<EdgeData>,
}

#[derive(Serialize)]
struct EdgeData {
    at: &'static str,
    side: usize,
}

#[derive(Serialize)]
struct CellData {
    fill: Option<char>,
    piece: Option<PieceData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<NonZeroUsize>,
}

#[derive(Serialize)]
struct PieceData {
    symbol: char,
    side: usize,
    tint: Option<char>,
    pointer: Option<PointerData>,
    level: Option<u32>,
}

#[derive(Serialize)]
struct PointerData {
    kind: &'static str,
    direction: &'static str,
}

#[derive(Serialize)]
struct MarkData {
    kind: &'static str,
    board: usize,
    /// Indices into the board's cells.
    squares: Vec<usize>,
}

/// Converts a replay.
pub(super) fn replay(replay: &Replay) -> ReplayData<'_> {
    let mut palette = Palette::default();
    let frames = replay.frames.iter().map(|frame| frame_data(frame, &mut palette)).collect();
    ReplayData {
        v: VERSION,
        id: &replay.id,
        league: replay.league.as_deref(),
        game: replay.game,
        title: replay.title,
        options: &replay.options,
        sides: replay.sides(),
        seats: replay.seats.values().collect(),
        time_control: replay.time_control.as_deref(),
        margin_ms: replay.margin.map(milliseconds),
        started: replay.started.as_deref(),
        cells: palette.0.into_iter().map(cell).collect(),
        frames,
        verdict: &replay.verdict,
        faults: &replay.faults,
        transcript: &replay.transcript,
        broken: replay.broken.as_ref().map(ToString::to_string),
    }
}

/// The distinct cells, to which boards refer by number.
#[derive(Default)]
struct Palette<'f>(Vec<&'f Cell>);

impl<'f> Palette<'f> {
    fn index(&mut self, cell: &'f Cell) -> usize {
        self.0.iter().position(|known| *known == cell).unwrap_or_else(|| {
            self.0.push(cell);
            self.0.len() - 1
        })
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn frame_data<'f>(frame: &'f Frame, palette: &mut Palette<'f>) -> FrameData<'f> {
    let boards = &frame.scene.boards;
    FrameData {
        token: &frame.token,
        to_move: frame.to_move.map(Seat::number),
        played: frame.played.as_ref(),
        clocks_ms: frame.clocks.as_ref().map(|clocks| clocks.values().copied().map(milliseconds).collect()),
        boards: boards.iter().map(|board| board_data(board, palette)).collect(),
        marks: frame.scene.marks.iter().map(|mark| mark_data(mark, boards)).collect(),
        captions: &frame.scene.captions,
    }
}

fn board_data<'f>(board: &'f Board, palette: &mut Palette<'f>) -> BoardData<'f> {
    BoardData {
        title: board.title.as_deref(),
        width: board.width,
        height: board.height,
        cells: board.cells.iter().map(|cell| palette.index(cell)).collect(),
        shape: match board.shape {
            Shape::Squares => None,
            Shape::Hexagons => Some("hexagons"),
        },
        edges: board.edges.iter().map(edge).collect(),
    }
}

fn edge(edge: &Edge) -> EdgeData {
    EdgeData { at: direction(edge.at), side: edge.side.index() }
}

fn cell(cell: &Cell) -> CellData {
    CellData {
        fill: cell.fill.map(|tint| tint.0),
        piece: cell.piece.as_ref().map(piece),
        group: NonZeroUsize::new(cell.group),
    }
}

fn piece(piece: &Piece) -> PieceData {
    PieceData {
        symbol: piece.symbol,
        side: piece.side.index(),
        tint: piece.tint.map(|tint| tint.0),
        pointer: piece.pointer.map(|pointer| match pointer {
            Pointer::Dot(towards) => PointerData { kind: "dot", direction: direction(towards) },
            Pointer::Joint(towards) => PointerData { kind: "joint", direction: direction(towards) },
        }),
        level: piece.level,
    }
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "north",
        Direction::East => "east",
        Direction::South => "south",
        Direction::West => "west",
    }
}

fn mark_data(mark: &Mark, boards: &[Board]) -> MarkData {
    let width = boards.get(mark.board).map_or(0, |board| board.width);
    MarkData {
        kind: match mark.kind {
            MarkKind::From => "from",
            MarkKind::To => "to",
            MarkKind::Line(_) => "line",
        },
        board: mark.board,
        squares: mark.squares.iter().map(|square| square.rank() * width + square.file()).collect(),
    }
}

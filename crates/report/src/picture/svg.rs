//! A scene as SVG: one self-contained picture without scripts or fonts of its own.
//!
//! Every shape has a class (`square`, `piece side-1`, `mark-to` ...), so that a page can restyle the picture.
//! The attributes alone make it complete.

use super::marks::{LastMove, Marks};
use crate::markup::{Html, html};
use crate::truncate::whole_words;
use linesman_games::notation::Square;
use linesman_games::scene::{
    Board, Cell, Direction, Edge, Mark, MarkKind, Piece, Pointer, Scene, Shape, Tint,
};
use linesman_types::seat::Side;

/// The length of a square's side.
const SQUARE: usize = 40;
/// Space for rank numbers on the left and for file letters below.
const LABEL: usize = 18;
/// Space between a piece and the edge of its square.
const RIM: usize = 4;
/// Space between a piece and the edge of a coloured square.
const COLOURED_RIM: usize = 9;
/// Space between a piece and the edge of a hexagon.
const HEXAGON_RIM: usize = 8;
/// The distance from a rank of hexagons to the next.
const HEXAGON_RANK: usize = 35;
/// Distances from the centre of a hexagon down to its lower corner, and to those at its sides.
const HEXAGON: (usize, usize) = (23, 12);
/// Space between boards and around everything.
const GAP: usize = 12;
/// The height of a line of text.
const TEXT: usize = 18;
/// Generous estimate of the width of a letter in a caption.
const LETTER: usize = 8;

/// Draws a picture as one `<svg>` element. `title` is its text for screen readers.
pub fn draw(scene: &Scene, title: &str) -> String {
    let widths: Vec<usize> = scene.boards.iter().map(|board| LABEL + size_of(board).0).collect();
    let width = widths.iter().map(|width| width + GAP).sum::<usize>() + GAP;
    let head = if scene.boards.iter().any(|board| board.title.is_some()) { TEXT } else { 0 };
    let tallest = scene.boards.iter().map(|board| size_of(board).1 + LABEL).max().unwrap_or(0);
    let room = width.saturating_sub(GAP + LABEL + GAP) / LETTER;
    let captions: Vec<String> =
        scene.captions.iter().flat_map(|caption| whole_words(caption, room)).collect();
    let height = GAP + head + tallest + captions.len() * TEXT + GAP;

    let mut picture = Picture::default();
    picture.line(html!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif">"#; width, height));
    picture.line(html!("<title>{}</title>", title));
    picture.line(
        html!(r##"<rect class="ground" width="{width}" height="{height}" fill="#ffffff"/>"##; width, height),
    );
    let mut left = GAP;
    for (number, board) in scene.boards.iter().enumerate() {
        let frame = Frame { left: left + LABEL, top: GAP + head, height: board.height, shape: board.shape };
        if let Some(title) = &board.title {
            let y = frame.top - TEXT / 3;
            picture.text("title", (frame.left, y), 14, "start", title);
        }
        picture.board(scene, number, &frame);
        left += widths[number] + GAP;
    }
    for (number, caption) in captions.iter().enumerate() {
        let y = GAP + head + tallest + (number + 1) * TEXT - TEXT / 3;
        picture.text("caption", (GAP + LABEL, y), 14, "start", caption);
    }
    picture.line(html!("</svg>"));
    picture.0.into_string()
}

/// Returns the width and height of a board.
fn size_of(board: &Board) -> (usize, usize) {
    let ranks_above = board.height.saturating_sub(1);
    match board.shape {
        Shape::Squares => (board.width * SQUARE, board.height * SQUARE),
        Shape::Hexagons => {
            (board.width * SQUARE + ranks_above * SQUARE / 2, ranks_above * HEXAGON_RANK + 2 * HEXAGON.0)
        }
    }
}

/// The place of a board in the picture.
struct Frame {
    left: usize,
    top: usize,
    height: usize,
    shape: Shape,
}

impl Frame {
    fn corner(&self, square: Square) -> (usize, usize) {
        let (x, above) = (self.left + square.file() * SQUARE, self.height - 1 - square.rank());
        match self.shape {
            Shape::Squares => (x, self.top + above * SQUARE),
            Shape::Hexagons => {
                (x + square.rank() * SQUARE / 2, self.top + HEXAGON.0 - SQUARE / 2 + above * HEXAGON_RANK)
            }
        }
    }

    /// Returns the corners of a cell on one of its sides, from west to east and from south to north.
    fn corners(&self, square: Square, side: Direction) -> Vec<(usize, usize)> {
        let (x, y) = self.centre(square);
        let half = SQUARE / 2;
        let (far, near) = match self.shape {
            Shape::Squares => (None, half),
            Shape::Hexagons => (Some(HEXAGON.0), HEXAGON.1),
        };
        let across = |y: usize, tip: Option<usize>| -> Vec<(usize, usize)> {
            let corners = [Some((x - half, y)), tip.map(|tip| (x, tip)), Some((x + half, y))];
            corners.into_iter().flatten().collect()
        };
        match side {
            Direction::North => across(y - near, far.map(|far| y - far)),
            Direction::South => across(y + near, far.map(|far| y + far)),
            Direction::East => vec![(x + half, y + near), (x + half, y - near)],
            Direction::West => vec![(x - half, y + near), (x - half, y - near)],
        }
    }

    fn outline(&self, square: Square) -> String {
        let mut outline = self.corners(square, Direction::North);
        outline.extend(self.corners(square, Direction::South).into_iter().rev());
        points(outline)
    }

    fn centre(&self, square: Square) -> (usize, usize) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2, y + SQUARE / 2)
    }
}

#[derive(Default)]
struct Picture(Html);

impl Picture {
    fn line(&mut self, line: Html) {
        self.0.line(line);
    }

    fn text(&mut self, class: &str, (x, y): (usize, usize), size: usize, anchor: &str, text: &str) {
        self.line(html!(r##"<text class="{class}" x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="#222222">{text}</text>"##; class, x, y, size, anchor, text));
    }

    fn board(&mut self, scene: &Scene, number: usize, frame: &Frame) {
        let board = &scene.boards[number];
        for square in squares(board) {
            self.cell(board.cell(square), frame, square);
        }
        self.borders(board, frame);
        for square in squares(board) {
            self.last_move(Marks::of(scene, number, square), frame, square);
        }
        for mark in scene.marks.iter().filter(|mark| mark.board == number) {
            self.finished_line(mark, frame);
        }
        for rank in 0..board.height {
            let (x, y) = frame.corner(Square::new(0, rank));
            self.text("label", (x - 6, y + SQUARE / 2 + 4), 12, "end", &(rank + 1).to_string());
        }
        for file in 0..board.width {
            let (x, y) = frame.corner(Square::new(file, 0));
            let letter = char::from(b'a' + file as u8).to_string();
            let below = if frame.shape == Shape::Hexagons { HEXAGON.0 - SQUARE / 2 } else { 0 };
            self.text("label", (x + SQUARE / 2, y + SQUARE + below + 14), 12, "middle", &letter);
        }
    }

    fn cell(&mut self, cell: &Cell, frame: &Frame, square: Square) {
        let (x, y) = frame.corner(square);
        let fill = cell.fill.map_or("#f3ead7", tint_colour);
        let rim = match frame.shape {
            Shape::Hexagons => {
                let points = frame.outline(square);
                self.line(html!(r##"<polygon class="square" points="{points}" fill="{fill}" stroke="#6b5b45"/>"##; points, fill));
                HEXAGON_RIM
            }
            Shape::Squares => {
                self.line(html!(r##"<rect class="square" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{fill}" stroke="#6b5b45"/>"##; x, y, SQUARE, fill));
                // A square's own colour must stay visible around the piece on it.
                if cell.fill.is_some() { COLOURED_RIM } else { RIM }
            }
        };
        if let Some(piece) = &cell.piece {
            self.piece(piece, frame, square, rim);
        }
        if let Some(tint) = cell.fill.filter(|_| frame.shape == Shape::Squares) {
            self.text("tint", (x + 5, y + 8), 8, "middle", &tint.0.to_string());
        }
    }

    fn piece(&mut self, piece: &Piece, frame: &Frame, square: Square, rim: usize) {
        let (x, y) = frame.corner(square);
        let (inner, side) = (SQUARE - 2 * rim, piece.side.index() + 1);
        let ground = piece.tint.map_or("#fffdf8", tint_colour);
        self.line(html!(r##"<rect class="piece side-{side}" x="{x}" y="{y}" width="{inner}" height="{inner}" rx="5" fill="{ground}" stroke="#222222"/>"##; side, x = x + rim, y = y + rim, inner, ground));
        if let Some(tint) = piece.tint {
            // Colours that some people confuse also differ in stripes.
            self.stripes(tint, (x + 4, y + 4), inner);
        }
        self.symbol(piece, frame, square);
        match piece.pointer {
            Some(Pointer::Dot(direction)) => {
                let (x, y) = towards(frame.centre(square), direction, SQUARE / 2 - 8);
                self.line(html!(r##"<circle class="dot" cx="{x}" cy="{y}" r="3" fill="#222222"/>"##; x, y));
            }
            Some(Pointer::Joint(direction)) => self.joint(direction, frame.corner(square), ground),
            None => {}
        }
        if let Some(level) = piece.level.filter(|level| *level > 1) {
            self.text("level", (x + SQUARE - 6, y + SQUARE - 6), 9, "end", &level.to_string());
        }
    }

    /// Draws half of the joint between the two halves of a tile.
    fn joint(&mut self, direction: Direction, (x, y): (usize, usize), ground: &str) {
        let (length, breadth) = (6, SQUARE - 16);
        let near = SQUARE - 5;
        let (left, top, width, height) = match direction {
            Direction::North => (x + 8, y + 5 - length, breadth, length),
            Direction::East => (x + near, y + 8, length, breadth),
            Direction::South => (x + 8, y + near, breadth, length),
            Direction::West => (x + 5 - length, y + 8, length, breadth),
        };
        self.line(html!(r##"<rect class="joint" x="{left}" y="{top}" width="{width}" height="{height}" fill="{ground}"/>"##; left, top, width, height, ground));
        let sides = match direction {
            Direction::North | Direction::South => {
                format!("M{left} {top}v{height}M{} {top}v{height}", left + width)
            }
            Direction::East | Direction::West => {
                format!("M{left} {top}h{width}M{left} {}h{width}", top + height)
            }
        };
        self.line(html!(r##"<path class="joint-side" d="{sides}" stroke="#222222"/>"##; sides));
    }

    fn stripes(&mut self, tint: Tint, (x, y): (usize, usize), side: usize) {
        let Some(direction) = stripes_of(tint) else { return };
        let path: String = (1..2 * side / STRIPES)
            .map(|number| {
                // The stripe crosses the left or lower edge at `near`, and the upper or right one at `far`.
                let (near, far) = ((number * STRIPES).min(side), (number * STRIPES).saturating_sub(side));
                let (from, to) = match direction {
                    Stripes::Rising => ((far, near), (near, far)),
                    Stripes::Falling => ((far, side - near), (near, side - far)),
                };
                format!("M{} {}L{} {}", x + from.0, y + from.1, x + to.0, y + to.1)
            })
            .collect();
        self.line(html!(r##"<path class="stripes" d="{path}" fill="none" stroke="#222222" stroke-opacity="0.25"/>"##; path));
    }

    fn symbol(&mut self, piece: &Piece, frame: &Frame, square: Square) {
        let (x, y) = frame.centre(square);
        let arm = SQUARE / 5;
        let colour = side_colour(piece.side);
        let stroke = html!(r#"class="symbol" fill="none" stroke="{colour}" stroke-width="4""#; colour);
        match piece.symbol {
            'x' | 'X' => {
                let (left, right, top, bottom) = (x - arm, x + arm, y - arm, y + arm);
                self.line(html!(r#"<path {stroke} d="M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}"/>"#; stroke, left, top, right, bottom));
            }
            'o' | 'O' => {
                self.line(html!(r#"<circle {stroke} cx="{x}" cy="{y}" r="{arm}"/>"#; stroke, x, y, arm))
            }
            symbol => self.text("symbol", (x, y + 7), 20, "middle", &symbol.to_string()),
        }
    }

    fn last_move(&mut self, marks: Marks, frame: &Frame, square: Square) {
        let Some(last) = marks.last else { return };
        let (x, y) = frame.corner(square);
        let (class, dashes) = match last {
            LastMove::From => ("mark-from", Html::literal(r#" stroke-dasharray="5 4""#)),
            LastMove::To => ("mark-to", Html::default()),
        };
        if frame.shape == Shape::Hexagons {
            let points = frame.outline(square);
            self.line(html!(r##"<polygon class="{class}" points="{points}" fill="none" stroke="#b35900" stroke-width="3"{dashes}/>"##; class, points, dashes));
            return;
        }
        let inner = SQUARE - 3;
        self.line(html!(r##"<rect class="{class}" x="{x}.5" y="{y}.5" width="{inner}" height="{inner}" fill="none" stroke="#b35900" stroke-width="3"{dashes}/>"##; class, x = x + 1, y = y + 1, inner, dashes));
    }

    /// Draws the borders between groups of cells, and the edges that belong to a side.
    fn borders(&mut self, board: &Board, frame: &Frame) {
        for square in squares(board) {
            let (file, rank) = (square.file(), square.rank());
            let neighbours = [
                (Direction::East, (file + 1 < board.width).then(|| Square::new(file + 1, rank))),
                (Direction::North, (rank + 1 < board.height).then(|| Square::new(file, rank + 1))),
            ];
            for (side, other) in neighbours {
                if other.is_some_and(|other| board.cell(other).group != board.cell(square).group) {
                    let points = points(frame.corners(square, side));
                    self.line(html!(r##"<polyline class="group" points="{points}" fill="none" stroke="#3b2f1e" stroke-width="4"/>"##; points));
                }
            }
        }
        for Edge { at, side, .. } in &board.edges {
            let cells: Vec<Square> = match at {
                Direction::North => {
                    (0..board.width).map(|file| Square::new(file, board.height - 1)).collect()
                }
                Direction::South => (0..board.width).map(|file| Square::new(file, 0)).collect(),
                Direction::East => (0..board.height).map(|rank| Square::new(board.width - 1, rank)).collect(),
                Direction::West => (0..board.height).map(|rank| Square::new(0, rank)).collect(),
            };
            let points = points(cells.into_iter().flat_map(|square| frame.corners(square, *at)));
            self.line(html!(r##"<polyline class="edge side-{side}" points="{points}" fill="none" stroke="{colour}" stroke-width="6"/>"##; side = side.index() + 1, points, colour = side_colour(*side)));
        }
    }

    fn finished_line(&mut self, mark: &Mark, frame: &Frame) {
        let MarkKind::Line(side) = mark.kind else { return };
        let points = points(mark.squares.iter().map(|square| frame.centre(*square)));
        self.line(html!(r##"<polyline class="mark-line side-{side}" points="{points}" fill="none" stroke="#c2185b" stroke-width="6" stroke-opacity="0.6" stroke-linecap="round"/>"##; side = side.index() + 1, points));
    }
}

/// Formats points in the notation of SVG.
fn points(points: impl IntoIterator<Item = (usize, usize)>) -> String {
    points.into_iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<String>>().join(" ")
}

fn squares(board: &Board) -> impl Iterator<Item = Square> + use<> {
    let width = board.width;
    (0..board.height).flat_map(move |rank| (0..width).map(move |file| Square::new(file, rank)))
}

fn towards((x, y): (usize, usize), direction: Direction, by: usize) -> (usize, usize) {
    match direction {
        Direction::North => (x, y - by),
        Direction::East => (x + by, y),
        Direction::South => (x, y + by),
        Direction::West => (x - by, y),
    }
}

fn side_colour(side: Side) -> &'static str {
    ["#0b5cad", "#a33b00", "#1b6e2d", "#7a1fa2"][side.index() % 4]
}

fn tint_colour(tint: Tint) -> &'static str {
    match tint.0 {
        'r' => "#ef9a9a",
        'o' => "#ffcc80",
        'y' => "#fff59d",
        'g' => "#a5d6a7",
        'b' => "#90caf9",
        'p' => "#ce93d8",
        't' => "#80cbc4",
        'n' => "#bcaaa4",
        'w' => "#ffffff",
        'k' => "#9e9e9e",
        _ => "#e0e0e0",
    }
}

/// Distance between stripes on a piece.
const STRIPES: usize = 8;

enum Stripes {
    Rising,
    Falling,
}

/// Returns the stripes that a colour has on a piece, if it has any.
fn stripes_of(tint: Tint) -> Option<Stripes> {
    match tint.0 {
        'r' | 'b' => Some(Stripes::Rising),
        'g' | 'p' => Some(Stripes::Falling),
        _ => None,
    }
}

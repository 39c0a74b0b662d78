//! A scene as lines of text for a terminal.
//!
//! A cell is a piece's symbol, or `.` without a piece, followed by the other facts about the square: the
//! piece's colour, its direction (`^` `>` `v` `<`), its level, the square's colour. Brackets around a cell
//! mark it: `(` if the last move took something here, `[` if it put something here, and `{`, or `}` after
//! another bracket, if the square is part of a finished line.
//!
//! If numbers would make a board too wide, a level is one character, such as `A` for 10.

use anstyle::{Ansi256Color, AnsiColor, Color, Style};

use super::marks::{LastMove, Marks, SquareChoice};
use super::{Facing, Highlights};
use linesman_games::notation::Square;
use linesman_games::scene::{Board, Cell, Direction, Edge, MarkKind, Piece, Pointer, Scene, Shape, Tint};
use linesman_types::seat::Side;

/// Width of a typical terminal, in columns.
pub const USUAL_WIDTH: usize = 80;

/// Text that is drawn in one style.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Span {
    /// The text, without line ends.
    pub text: String,
    /// Its style if there is colour.
    pub style: Style,
}

impl Span {
    pub(super) fn new(text: impl Into<String>, style: Style) -> Span {
        Span { text: text.into(), style }
    }

    pub(super) fn plain(text: impl Into<String>) -> Span {
        Span::new(text, Style::new())
    }
}

/// One line of a picture.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Line(pub Vec<Span>);

impl Line {
    /// Returns the line's text without styles.
    pub fn text(&self) -> String {
        self.0.iter().map(|span| span.text.as_str()).collect()
    }

    pub(super) fn width(&self) -> usize {
        self.0.iter().map(|span| span.text.chars().count()).sum()
    }

    fn pad(&mut self, width: usize) {
        let missing = width.saturating_sub(self.width());
        self.0.push(Span::plain(" ".repeat(missing)));
    }

    /// Removes trailing blanks, and joins neighbouring spans of the same style.
    fn tidy(self) -> Line {
        let mut tidy: Vec<Span> = Vec::new();
        for span in self.0 {
            match tidy.last_mut() {
                Some(last) if last.style == span.style => last.text.push_str(&span.text),
                _ => tidy.push(span),
            }
        }
        while let Some(last) = tidy.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            tidy.pop();
        }
        Line(tidy)
    }
}

/// Draws a picture with escape sequences for its colours; each line has a line end.
pub fn coloured(scene: &Scene, width: usize) -> String {
    let mut picture = String::new();
    for line in lines(scene, width) {
        for span in line.0 {
            let style = span.style;
            picture.push_str(&format!("{style}{}{style:#}", span.text));
        }
        picture.push('\n');
    }
    picture
}

/// Draws a picture without colours; each line has a line end.
pub fn plain(scene: &Scene, width: usize) -> String {
    lines(scene, width).into_iter().map(|line| line.text() + "\n").collect()
}

/// Draws a picture line by line, in at most `width` columns if possible: the boards side by side or, if they
/// don't fit, one below the other; then the captions and a legend of the brackets in use.
pub fn lines(scene: &Scene, width: usize) -> Vec<Line> {
    lines_facing(scene, width, Facing::FirstRankBelow, &Highlights::default())
}

/// Returns the minimum number of columns in which a picture need not be cut.
pub fn min_width(scene: &Scene) -> usize {
    let columns = Columns::of(scene).with_short_levels();
    let widths = scene.boards.iter().map(|board| board_width(board, &columns, Spacing::Shared));
    widths.max().unwrap_or(0)
}

/// Draws the same as [`lines`], seen from one side.
pub(super) fn lines_facing(
    scene: &Scene,
    width: usize,
    facing: Facing,
    highlights: &Highlights,
) -> Vec<Line> {
    let full = Columns::of(scene);
    let short = full.with_short_levels();
    let (columns, spacing) = [(&full, Spacing::Wide), (&full, Spacing::Shared)]
        .into_iter()
        .find(|(columns, spacing)| {
            scene.boards.iter().all(|board| board_width(board, columns, *spacing) <= width)
        })
        .unwrap_or((&short, Spacing::Shared));
    let draw = |board| draw_board(scene, board, (columns, spacing), facing, highlights);
    let blocks: Vec<Vec<Line>> = (0..scene.boards.len()).map(draw).collect();
    let mut lines = place(blocks, width);
    lines.extend(below(scene));
    lines.extend(columns.legend());
    lines.into_iter().map(Line::tidy).collect()
}

/// Returns the lines below the boards: the captions, and a legend of the brackets in use.
pub(super) fn below(scene: &Scene) -> impl Iterator<Item = Line> + '_ {
    let captions = scene.captions.iter().map(|caption| Line(vec![Span::plain(caption.as_str())]));
    captions.chain(legend(scene))
}

/// Space between cells.
#[derive(Copy, Clone, Eq, PartialEq)]
enum Spacing {
    /// Each cell has room for a bracket on both sides.
    Wide,
    /// Neighbours share the space between them.
    Shared,
}

const BETWEEN_BOARDS: usize = 4;

pub(super) fn place(blocks: Vec<Vec<Line>>, width: usize) -> Vec<Line> {
    let widths: Vec<usize> =
        blocks.iter().map(|block| block.iter().map(Line::width).max().unwrap_or(0)).collect();
    let together = widths.iter().sum::<usize>() + BETWEEN_BOARDS * widths.len().saturating_sub(1);
    if together > width {
        return blocks.into_iter().flatten().collect();
    }
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = vec![Line::default(); height];
    let mut start = 0;
    for (block, block_width) in blocks.into_iter().zip(widths) {
        for (line, part) in lines.iter_mut().zip(block) {
            line.pad(start);
            line.0.extend(part.0);
        }
        start += block_width + BETWEEN_BOARDS;
    }
    lines
}

/// Returns the width of rank numbers, including a blank after them.
pub(super) fn label_width(board: &Board) -> usize {
    board.height.to_string().len() + 1
}

fn board_width(board: &Board, columns: &Columns, spacing: Spacing) -> usize {
    let cells = board.width * step(columns, spacing) + usize::from(spacing == Spacing::Shared);
    let edges = [Direction::East, Direction::West].map(|at| 2 * usize::from(edge(board, at).is_some()));
    let shifts = shift(board, board.height.saturating_sub(1), columns, spacing);
    label_width(board) + cells + breaks(board).len() + edges[0] + edges[1] + shifts
}

/// Returns the number of columns from one cell to the next.
fn step(columns: &Columns, spacing: Spacing) -> usize {
    columns.width() + if spacing == Spacing::Wide { 2 } else { 1 }
}

/// Returns the number of columns by which a row is shifted to the right of the lowest one, `above` rows below it.
fn shift(board: &Board, above: usize, columns: &Columns, spacing: Spacing) -> usize {
    match board.shape {
        Shape::Squares => 0,
        Shape::Hexagons => above * step(columns, spacing) / 2,
    }
}

/// Returns the edge of the board in a direction, if it belongs to a side.
fn edge(board: &Board, at: Direction) -> Option<&Edge> {
    board.edges.iter().find(|edge| edge.at == at)
}

/// True if two cells belong to different groups.
pub(super) fn are_apart(board: &Board, one: Square, other: Square) -> bool {
    board.cell(one).group != board.cell(other).group
}

/// Returns the files after which a rule is needed, because the cells on its two sides are in different groups in some
/// rank.
fn breaks(board: &Board) -> Vec<usize> {
    let apart = |file: usize, rank| are_apart(board, Square::new(file, rank), Square::new(file + 1, rank));
    let last = board.width.saturating_sub(1);
    (0..last).filter(|file| (0..board.height).any(|rank| apart(*file, rank))).collect()
}

/// A board of a scene while it is drawn.
struct BoardDrawing<'s> {
    scene: &'s Scene,
    number: usize,
    board: &'s Board,
    columns: &'s Columns,
    spacing: Spacing,
    facing: Facing,
    highlights: &'s Highlights,
    /// The files that a rule can follow.
    breaks: Vec<usize>,
    /// Number of columns from one cell to the next.
    step: usize,
    /// Number of columns of rank numbers.
    margin: usize,
    /// Number of columns of an edge in the west.
    west: usize,
}

fn draw_board(
    scene: &Scene,
    number: usize,
    (columns, spacing): (&Columns, Spacing),
    facing: Facing,
    highlights: &Highlights,
) -> Vec<Line> {
    let board = &scene.boards[number];
    let mut drawing = BoardDrawing {
        scene,
        number,
        board,
        columns,
        spacing,
        facing,
        highlights,
        breaks: breaks(board),
        step: step(columns, spacing),
        margin: label_width(board),
        west: 0,
    };
    drawing.west = 2 * usize::from(drawing.edge_at(Direction::West).is_some());
    drawing.lines()
}

impl BoardDrawing<'_> {
    fn lines(&self) -> Vec<Line> {
        let BoardDrawing { board, facing, margin, .. } = *self;
        let mut lines = Vec::new();
        if let Some(title) = &board.title {
            lines.push(Line(vec![Span::new(format!("{:margin$} {title}", ""), Style::new().bold())]));
        }
        lines.extend(self.edge_row(Direction::North, board.height));
        let mut earlier: Option<usize> = None;
        for (row, rank) in facing.ranks(board).enumerate() {
            let rule = earlier.and_then(|other| self.rule_between(rank, other));
            lines.extend(rule.map(|rule| {
                Line(vec![Span::plain(" ".repeat(margin + self.west)), Span::new(rule.trim_end(), DIM)])
            }));
            earlier = Some(rank);
            lines.push(self.rank_line(row, rank));
        }
        lines.extend(self.edge_row(Direction::South, 0));
        lines.push(self.file_names());
        lines
    }

    /// Returns the rule between two neighbouring ranks, if they have squares of different groups.
    fn rule_between(&self, rank: usize, other: usize) -> Option<String> {
        let board = self.board;
        let is_apart = |file: usize| are_apart(board, Square::new(file, rank), Square::new(file, other));
        if !(0..board.width).any(is_apart) {
            return None;
        }
        let mut rule = String::new();
        for file in self.facing.files(board) {
            rule.push_str(&if is_apart(file) { "-" } else { " " }.repeat(self.step));
            if self.is_break(file) {
                rule.push('+');
            }
        }
        Some(rule)
    }

    /// True if a break follows a file as it is seen.
    fn is_break(&self, file: usize) -> bool {
        match self.facing {
            Facing::FirstRankBelow => self.breaks.contains(&file),
            Facing::FirstRankAbove => file > 0 && self.breaks.contains(&(file - 1)),
        }
    }

    /// Returns the edge that is seen on a side.
    fn edge_at(&self, side: Direction) -> Option<&Edge> {
        edge(self.board, self.facing.seen(side))
    }

    fn edge_row(&self, side: Direction, above: usize) -> Option<Line> {
        let edge = self.edge_at(side)?;
        let indent = self.margin + 1 + self.west + shift(self.board, above, self.columns, self.spacing);
        let step = self.step;
        let row: String = (0..self.board.width).map(|_| format!("{:<step$}", edge.symbol)).collect();
        Some(Line(vec![Span::plain(" ".repeat(indent)), Span::new(row.trim_end(), edge_style(edge))]))
    }

    fn edge_span(&self, side: Direction) -> Option<Span> {
        self.edge_at(side).map(|edge| Span::new(edge.symbol, edge_style(edge)))
    }

    fn rank_line(&self, row: usize, rank: usize) -> Line {
        let BoardDrawing { board, columns, spacing, facing, .. } = *self;
        let digits = self.margin - 1;
        let mut line = Line(vec![Span::new(format!("{:>digits$} ", rank + 1), DIM)]);
        let indent = shift(board, board.height - 1 - row, columns, spacing);
        if indent > 0 {
            line.0.push(Span::plain(" ".repeat(indent)));
        }
        if let Some(symbol) = self.edge_span(Direction::West) {
            line.0.extend([symbol, Span::plain(" ")]);
        }
        let mut closing = ' ';
        for (column, file) in facing.files(board).enumerate() {
            let square = Square::new(file, rank);
            let marks = Marks::of(self.scene, self.number, square).with(self.highlights, self.number, square);
            let (opening, next_closing) = brackets(marks);
            // If two brackets meet in one place, the opening one is more informative.
            let shared = if opening == ' ' && spacing == Spacing::Shared { closing } else { opening };
            line.0.push(under_cursor(bracket(shared), marks));
            let spans = columns.spans(board.cell(square), marks, '.', facing);
            line.0.extend(spans.into_iter().map(|span| under_cursor(span, marks)));
            closing = next_closing;
            if spacing == Spacing::Wide || column + 1 == board.width {
                line.0.push(under_cursor(bracket(closing), marks));
            }
            if self.is_break(file) {
                let next = if facing == Facing::FirstRankBelow { file + 1 } else { file - 1 };
                let is_apart = are_apart(board, square, Square::new(next, rank));
                line.0.push(Span::new(if is_apart { '|' } else { ' ' }, DIM));
            }
        }
        if let Some(symbol) = self.edge_span(Direction::East) {
            line.0.extend([Span::plain(" "), symbol]);
        }
        line
    }

    fn file_names(&self) -> Line {
        let name = |file: usize| {
            let width = self.step + usize::from(self.is_break(file));
            format!("{:<width$}", char::from(b'a' + file as u8))
        };
        let files: String = self.facing.files(self.board).map(name).collect();
        Line(vec![Span::new(format!("{:1$} {2}", "", self.margin + self.west, files.trim_end()), DIM)])
    }
}

fn edge_style(edge: &Edge) -> Style {
    Style::new().fg_color(Some(side_colour(edge.side))).bold()
}

/// Inverts a part of a cell if the cursor is there.
pub(super) fn under_cursor(span: Span, marks: Marks) -> Span {
    if marks.cursor { Span { style: span.style.invert(), ..span } } else { span }
}

pub(super) fn brackets(marks: Marks) -> (char, char) {
    let (opening, closing) = brackets_of_last_move(marks);
    match marks.choice {
        None => (opening, closing),
        // The mark of the last move stays visible.
        Some(SquareChoice::Target) => (if opening == ' ' { '‹' } else { opening }, '›'),
        Some(SquareChoice::Chosen) => ('«', '»'),
    }
}

fn brackets_of_last_move(marks: Marks) -> (char, char) {
    match (marks.last, marks.line) {
        (None, false) => (' ', ' '),
        (None, true) => ('{', '}'),
        (Some(LastMove::From), false) => ('(', ')'),
        (Some(LastMove::From), true) => ('(', '}'),
        (Some(LastMove::To), false) => ('[', ']'),
        (Some(LastMove::To), true) => ('[', '}'),
    }
}

fn bracket(bracket: char) -> Span {
    Span::new(bracket, if bracket == ' ' { Style::new() } else { Style::new().bold() })
}

fn legend(scene: &Scene) -> Option<Line> {
    let has = |wanted: fn(&MarkKind) -> bool| scene.marks.iter().any(|mark| wanted(&mark.kind));
    let words = [
        (has(|kind| *kind == MarkKind::From), "( taken"),
        (has(|kind| *kind == MarkKind::To), "[ put"),
        (has(|kind| matches!(kind, MarkKind::Line(_))), "} line"),
    ];
    let words: Vec<&str> = words.into_iter().filter(|(used, _)| *used).map(|(_, word)| word).collect();
    (!words.is_empty()).then(|| Line(vec![Span::new(words.join("   "), DIM)]))
}

/// The notation of levels.
#[derive(Copy, Clone, Eq, PartialEq, Default)]
enum Levels {
    #[default]
    Numbers,
    /// As one letter or digit: up to 9 a digit, then `A` for 10 to `Z` for 35, then `+`.
    Signs,
}

impl Levels {
    /// Returns the level of a cell's piece; empty if it has none.
    fn of(self, cell: &Cell) -> String {
        let Some(level) = cell.piece.as_ref().and_then(|piece| piece.level) else { return String::new() };
        match self {
            Levels::Numbers => level.to_string(),
            Levels::Signs => {
                let sign = char::from_digit(level, 36).unwrap_or('+');
                sign.to_ascii_uppercase().to_string()
            }
        }
    }
}

/// The parts that the cells of a scene have, so that equal parts are aligned.
#[derive(Copy, Clone, Default)]
pub(super) struct Columns {
    tint: bool,
    pointer: bool,
    level: usize,
    levels: Levels,
    fill: bool,
    /// True if a piece shows a letter that is also the letter of a fill.
    is_fill_upper: bool,
}

impl Columns {
    /// Returns the parts that the cells of a scene have.
    pub(super) fn of(scene: &Scene) -> Columns {
        let cells = || scene.boards.iter().flat_map(|board| &board.cells);
        let columns = cells().fold(Columns::default(), Columns::with);
        let is_fill = |letter| cells().any(|cell| cell.fill == Some(Tint(letter)));
        let is_fill_upper =
            columns.fill && cells().filter_map(|cell| cell.piece.as_ref()).any(|piece| is_fill(piece.symbol));
        Columns { is_fill_upper, ..columns }
    }

    fn with(self, cell: &Cell) -> Columns {
        let piece = cell.piece.as_ref();
        Columns {
            tint: self.tint || piece.is_some_and(|piece| piece.tint.is_some()),
            pointer: self.pointer || piece.is_some_and(|piece| piece.pointer.is_some()),
            level: self.level.max(self.levels.of(cell).len()),
            levels: self.levels,
            fill: self.fill || cell.fill.is_some(),
            ..self
        }
    }

    /// Limits levels to one column.
    fn with_short_levels(self) -> Columns {
        match self.level {
            0 | 1 => self,
            _ => Columns { level: 1, levels: Levels::Signs, ..self },
        }
    }

    /// Returns the legend of the notation of cells, if one is needed.
    fn legend(&self) -> Option<Line> {
        let words = "levels above 9: A = 10, B = 11 ... Z = 35, + = more";
        (self.levels == Levels::Signs).then(|| Line(vec![Span::new(words, DIM)]))
    }

    pub(super) fn width(&self) -> usize {
        1 + usize::from(self.tint) + usize::from(self.pointer) + self.level + usize::from(self.fill)
    }

    /// Returns a cell's text, with `empty` instead of a missing piece.
    pub(super) fn spans(&self, cell: &Cell, marks: Marks, empty: char, facing: Facing) -> Vec<Span> {
        let piece = cell.piece.as_ref();
        let mut text = String::from(piece.map_or(empty, |piece| piece.symbol));
        if self.tint {
            text.push(piece.and_then(|piece| piece.tint).map_or(' ', |tint| tint.0));
        }
        if self.pointer {
            text.push(piece.and_then(|piece| piece.pointer).map_or(' ', |pointer| arrow(pointer, facing)));
        }
        text.push_str(&format!("{:<width$}", self.levels.of(cell), width = self.level));
        let mut style = match piece {
            Some(piece) => Style::new().fg_color(Some(piece_colour(piece))).bold(),
            None => DIM,
        };
        if marks.line {
            style = style.invert();
        }
        let mut spans = vec![Span::new(text, style)];
        if self.fill {
            let letter = cell.fill.map_or(' ', |tint| tint.0);
            // Without colour, too, letters of fills and of pieces must differ.
            let letter = if self.is_fill_upper { letter.to_ascii_uppercase() } else { letter };
            let colour = cell.fill.and_then(tint_colour);
            spans.push(Span::new(letter, Style::new().fg_color(colour)));
        }
        spans
    }
}

fn arrow(pointer: Pointer, facing: Facing) -> char {
    match pointer {
        Pointer::Dot(direction) | Pointer::Joint(direction) => match facing.seen(direction) {
            Direction::North => '^',
            Direction::East => '>',
            Direction::South => 'v',
            Direction::West => '<',
        },
    }
}

pub(super) const DIM: Style = Style::new().dimmed();

fn piece_colour(piece: &Piece) -> Color {
    piece.tint.and_then(tint_colour).unwrap_or_else(|| side_colour(piece.side))
}

/// Teal, orange, green and purple that are legible on black and on white alike, unlike the terminal's own
/// sixteen colours.
const SIDES: [Ansi256Color; 4] = [Ansi256Color(31), Ansi256Color(166), Ansi256Color(28), Ansi256Color(133)];

/// A yellow that is legible on white.
pub(crate) const DARK_YELLOW: Ansi256Color = Ansi256Color(136);

/// Returns the colour of a side in the terminal.
pub fn side_colour(side: Side) -> Color {
    SIDES[side.index() % SIDES.len()].into()
}

fn tint_colour(tint: Tint) -> Option<Color> {
    Some(match tint.0 {
        'r' => AnsiColor::Red.into(),
        'o' => Ansi256Color(166).into(),
        'y' => DARK_YELLOW.into(),
        'g' => AnsiColor::Green.into(),
        'b' => AnsiColor::Blue.into(),
        'p' => AnsiColor::Magenta.into(),
        't' => AnsiColor::Cyan.into(),
        'n' => Ansi256Color(137).into(),
        _ => return None,
    })
}

//! A scene for a full screen: boards with ruled squares if there is room, otherwise as [`terminal`] draws
//! them.

use anstyle::Style;

use super::marks::Marks;
use super::terminal::{self, Columns, DARK_YELLOW, DIM, Line, Span};
use super::{Facing, Highlights};
use linesman_games::notation::Square;
use linesman_games::scene::{Board, Scene, Shape};

/// The room for a picture.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Room {
    /// In columns.
    pub width: usize,
    /// In lines.
    pub height: usize,
}

const LAST_MOVE: Style = DARK_YELLOW.on_default().bold();

/// Draws a picture line by line. If even the compact picture does not fit, the caller cuts it.
pub fn lines(scene: &Scene, facing: Facing, room: Room) -> Vec<Line> {
    lines_with(scene, facing, room, &Highlights::default())
}

/// Draws the same as [`lines`], with squares highlighted for a person: `‹` can be chosen, `«` has been chosen.
pub fn lines_with(scene: &Scene, facing: Facing, room: Room, highlights: &Highlights) -> Vec<Line> {
    let has_frame = |board: &Board| board.shape == Shape::Squares && board.edges.is_empty();
    if !scene.boards.iter().all(has_frame) {
        return terminal::lines_facing(scene, room.width, facing, highlights);
    }
    let columns = Columns::of(scene);
    let blocks =
        (0..scene.boards.len()).map(|board| draw_board(scene, board, &columns, facing, highlights)).collect();
    let mut lines = terminal::place(blocks, room.width);
    let fits = lines.iter().all(|line| line.width() <= room.width);
    lines.extend(terminal::below(scene));
    if fits && lines.len() <= room.height {
        return lines;
    }
    terminal::lines_facing(scene, room.width, facing, highlights)
}

fn draw_board(
    scene: &Scene,
    number: usize,
    columns: &Columns,
    facing: Facing,
    highlights: &Highlights,
) -> Vec<Line> {
    let board = &scene.boards[number];
    let inner = columns.width() + 2;
    let margin = terminal::label_width(board);
    let rule = |ranks: Option<(usize, usize)>, left: &str, joint: &str, right: &str| {
        let is_thick = |file| {
            ranks.is_some_and(|(one, other)| {
                terminal::are_apart(board, Square::new(file, one), Square::new(file, other))
            })
        };
        let cells = facing.files(board).map(|file| if is_thick(file) { "━" } else { "─" }.repeat(inner));
        let row = cells.collect::<Vec<String>>().join(joint);
        Line(vec![Span::plain(" ".repeat(margin)), Span::new(format!("{left}{row}{right}"), DIM)])
    };
    let mut lines = Vec::new();
    if let Some(title) = &board.title {
        lines.push(Line(vec![Span::new(format!("{:margin$} {title}", ""), Style::new().bold())]));
    }
    let mut above: Option<usize> = None;
    for rank in facing.ranks(board) {
        lines.push(match above {
            None => rule(None, "┌", "┬", "┐"),
            Some(other) => rule(Some((other, rank)), "├", "┼", "┤"),
        });
        above = Some(rank);
        let mut left: Option<Square> = None;
        let digits = margin - 1;
        let mut line = Line(vec![Span::new(format!("{:>digits$} ", rank + 1), DIM)]);
        for file in facing.files(board) {
            let square = Square::new(file, rank);
            let marks = Marks::of(scene, number, square).with(highlights, number, square);
            let (opening, closing) = terminal::brackets(marks);
            let is_thick = left.is_some_and(|left| terminal::are_apart(board, left, square));
            left = Some(square);
            line.0.push(Span::new(if is_thick { "┃" } else { "│" }, DIM));
            let mut cell = vec![Span::new(opening, LAST_MOVE)];
            cell.extend(columns.spans(board.cell(square), marks, ' ', facing));
            cell.push(Span::new(closing, LAST_MOVE));
            line.0.extend(cell.into_iter().map(|span| terminal::under_cursor(span, marks)));
        }
        line.0.push(Span::new("│", DIM));
        lines.push(line);
    }
    lines.push(rule(None, "└", "┴", "┘"));
    let letters: String = facing
        .files(board)
        .map(|file| format!("  {:<inner$}", char::from(b'a' + file as u8), inner = inner - 1))
        .collect();
    lines.push(Line(vec![Span::new(format!("{:margin$}{}", "", letters.trim_end()), DIM)]));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_games::scene::{Direction, Piece, Pointer};
    use linesman_types::seat::Side;

    fn scene(size: &str, token: &str, moves: &[&str]) -> Scene {
        let setup = linesman_games::find("quixo").and_then(|game| game.configure(&[("size", size)]).ok());
        let mut table =
            setup.expect("the options are in range").from_token(token).expect("the token is right");
        moves.iter().for_each(|text| table.play(text).expect("the move is legal"));
        table.scene()
    }

    fn drawn(scene: &Scene, facing: Facing, width: usize, height: usize) -> String {
        let lines = lines(scene, facing, Room { width, height });
        lines.iter().map(|line| line.text().trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn squares_are_ruled_where_there_is_room() {
        let scene = scene("3", "x.o/.../...:1:2", &["c1a1"]);
        insta::assert_snapshot!(drawn(&scene, Facing::FirstRankBelow, 40, 9), @r"
          ┌───┬───┬───┐
        3 │ x │   │ o │
          ├───┼───┼───┤
        2 │   │   │   │
          ├───┼───┼───┤
        1 │[x]│   │( )│
          └───┴───┴───┘
            a   b   c
        ( taken   [ put
        ");
    }

    #[test]
    fn a_turned_board_has_its_first_square_at_the_top_right() {
        let scene = scene("3", "x.o/.../...:1:2", &["c1a1"]);
        insta::assert_snapshot!(drawn(&scene, Facing::FirstRankAbove, 40, 9), @r"
          ┌───┬───┬───┐
        1 │( )│   │[x]│
          ├───┼───┼───┤
        2 │   │   │   │
          ├───┼───┼───┤
        3 │ o │   │ x │
          └───┴───┴───┘
            c   b   a
        ( taken   [ put
        ");
    }

    #[test]
    fn squares_are_highlighted_for_a_person() {
        let scene = scene("3", "x.o/.../...:1:2", &["c1a1"]);
        let on = |text: &str| (0, Square::parse_prefix(text).expect("it is a square").0);
        let highlights = Highlights {
            targets: vec![on("a2"), on("a1"), on("c3")],
            chosen: vec![on("b1")],
            cursor: Some(on("c3")),
        };
        let drawn = |width, height| {
            let lines = lines_with(&scene, Facing::FirstRankBelow, Room { width, height }, &highlights);
            let inverted = lines.iter().flat_map(|line| &line.0);
            let inverted =
                inverted.filter(|span| span.style.get_effects().contains(anstyle::Effects::INVERT));
            let inverted: String = inverted.map(|span| span.text.as_str()).collect();
            let text: String = lines.iter().map(|line| line.text().trim_end().to_owned() + "\n").collect();
            (text, inverted)
        };
        let (framed, inverted) = drawn(40, 9);
        insta::assert_snapshot!(framed, @r"
          ┌───┬───┬───┐
        3 │ x │   │‹o›│
          ├───┼───┼───┤
        2 │‹ ›│   │   │
          ├───┼───┼───┤
        1 │[x›│« »│( )│
          └───┴───┴───┘
            a   b   c
        ( taken   [ put
        ");
        assert_eq!(inverted, "‹o›");
        let (tight, inverted) = drawn(40, 5);
        insta::assert_snapshot!(tight, @r"
        3  x  . ‹o›
        2 ‹.› .  .
        1 [x›«.»(.)
           a  b  c
        ( taken   [ put
        ");
        assert_eq!(inverted, "‹o›");
    }

    #[test]
    fn pointers_turn_with_the_board() {
        let mut scene = Scene { boards: vec![Board::new(4, 1)], ..Scene::default() };
        let directions = [Direction::North, Direction::East, Direction::South, Direction::West];
        for (cell, direction) in scene.boards[0].cells.iter_mut().zip(directions) {
            let pointer = Some(Pointer::Dot(direction));
            cell.piece = Some(Piece { pointer, ..Piece::plain('x', Side::from_index(0)) });
        }
        let picture = |facing| drawn(&scene, facing, 40, 9).lines().nth(1).map(str::to_owned);
        assert_eq!(picture(Facing::FirstRankBelow).as_deref(), Some("1 │ x^ │ x> │ xv │ x< │"));
        assert_eq!(picture(Facing::FirstRankAbove).as_deref(), Some("1 │ x> │ x^ │ x< │ xv │"));
        for (facing, row) in [(Facing::FirstRankBelow, "1  x^ "), (Facing::FirstRankAbove, "1  x> ")] {
            assert!(drawn(&scene, facing, 18, 2).starts_with(row), "also without room");
        }
    }

    #[test]
    fn without_room_the_board_is_compact_and_still_turned() {
        let scene = scene("3", "x.o/.../...:1:2", &[]);
        insta::assert_snapshot!(drawn(&scene, Facing::FirstRankAbove, 40, 7), @r"
        1  .  .  .
        2  .  .  .
        3  o  .  x
           c  b  a
        ");
    }
}

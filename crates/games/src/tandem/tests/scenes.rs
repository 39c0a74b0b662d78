use super::*;
use crate::notation::Square;
use crate::scene::{MarkKind, Tint};
use linesman_types::seat::{Seat, Side};

#[test]
fn both_boards_show_their_colours_and_tiles() {
    let scene = table("", &setup("").start().token()).scene();
    let titles: Vec<Option<&str>> = scene.boards.iter().map(|board| board.title.as_deref()).collect();
    assert_eq!(titles, [Some("board 1"), Some("board 2")]);
    let corner = Square::new(0, 5);
    assert_eq!(scene.boards[0].cell(corner).fill, Some(Tint('r')));
    assert_eq!(scene.boards[1].cell(corner).fill, Some(Tint('o')));

    let scene = table(PLAIN, &plain("12../..../..../....|..../..../..../....")).scene();
    let pieces: Vec<(char, usize)> = scene.boards[0]
        .cells
        .iter()
        .flat_map(|cell| &cell.piece)
        .map(|piece| (piece.symbol, piece.side.index()))
        .collect();
    assert_eq!(pieces, [('1', 0), ('2', 1)]);
    assert_eq!(scene.captions, ["seat 1: 0 of 3 points, 7 in stock", "seat 2: 0 of 3 points, 7 in stock"]);
}

#[test]
fn captions_name_the_eliminated_seats() {
    let options = format!("{PLAIN},players=4");
    let mut table =
        table(&options, &token("..../..../..../....|..../..../..../....", 1, 8, 8, &[0, 1, 0, 0], 0));
    table.eliminate(Seat::new(3).expect("a seat"));
    table.eliminate(Seat::SECOND);
    assert_eq!(
        table.scene().captions,
        [
            "seat 1: 0 of 3 points, 8 in stock",
            "seat 2: out (2nd to go), 1 of 3 points",
            "seat 3: out (1st to go), 0 of 3 points",
            "seat 4: 0 of 3 points, 8 in stock",
        ]
    );
}

#[test]
fn the_last_move_and_its_window_are_marked() {
    let mut table = table(PLAIN, &plain("11../..../..../....|..../..../..../...."));
    table.play("1c4/2a1!1a4c4").expect("it is legal");
    let scene = table.scene();
    let marks: Vec<(MarkKind, usize, String)> = scene
        .marks
        .iter()
        .map(|mark| {
            let squares: Vec<String> = mark.squares.iter().map(ToString::to_string).collect();
            (mark.kind, mark.board, squares.join(" "))
        })
        .collect();
    assert_eq!(
        marks,
        [
            (MarkKind::To, 0, "c4".to_owned()),
            (MarkKind::Line(Side::from_index(0)), 0, "a4 b4 c4".to_owned()),
            (MarkKind::To, 1, "a1".to_owned()),
        ]
    );
}

#[test]
fn both_squares_of_a_slide_are_marked() {
    let options = "layout=aaa/aaa/aaa|aaa/aaa/aaa,line=3,tiles=2";
    let mut table = table(options, &token("1../.../...|1../.../...", 1, 4, 2, &[0, 0], 0));
    table.play("1a3c1/2a3b2").expect("it is legal");
    let kinds: Vec<(MarkKind, usize)> =
        table.scene().marks.iter().map(|mark| (mark.kind, mark.board)).collect();
    assert_eq!(kinds, [(MarkKind::From, 0), (MarkKind::To, 0), (MarkKind::From, 1), (MarkKind::To, 1)]);
}

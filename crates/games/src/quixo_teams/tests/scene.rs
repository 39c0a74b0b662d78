use super::*;
use crate::Square;
use crate::scene::{Direction, Pointer};

#[test]
fn dots_point_at_their_owner() {
    let (rules, position) = position("swne./...../...../...../.....:1:4");
    let scene = rules.scene(&position, None);
    for (file, symbol, side, direction) in [
        (0, 'x', 0, Direction::South),
        (1, 'o', 1, Direction::West),
        (2, 'x', 0, Direction::North),
        (3, 'o', 1, Direction::East),
    ] {
        let piece = scene.boards[0].cell(Square::new(file, 4)).piece.as_ref().expect("a cube");
        assert_eq!(
            (piece.symbol, piece.side.index(), piece.pointer),
            (symbol, side, Some(Pointer::Dot(direction)))
        );
    }
    assert_eq!(scene.boards[0].cells.iter().filter(|cell| cell.piece.is_some()).count(), 4);
}

#[track_caller]
fn captions(token: &str, mv: Option<&str>, expected: &[&str]) {
    let (rules, mut position) = position(token);
    let mv = mv.map(|mv| rules.parse_move(mv).expect("a move"));
    if let Some(mv) = mv {
        rules.play(&mut position, mv);
    }
    let scene = rules.scene(&position, mv);
    assert_eq!(scene.captions[0], "seat 1 south, 2 west, 3 north, 4 east");
    assert_eq!(scene.captions[1..], *expected);
}

#[test]
fn captions_name_the_restrictions_of_the_mover() {
    captions("...../...../...../...../.....:1:0", None, &["first round: blank cubes only"]);
    captions("swn../...../...../...../.....:4:3", Some("a1a5e"), &[]);
    captions("swne./...../...../...../.....:1:4", None, &[]);
    captions(STUCK, None, &["seat 1 has no cube to take and must pass"]);
    captions(STUCK, Some("pass"), &["the last move was a pass"]);
}

#[test]
fn the_last_push_is_marked_and_a_pass_marks_nothing() {
    let (rules, mut position) = position("swne./...../...../...../.....:1:4");
    let mv = rules.parse_move("b1b5n").expect("a move");
    rules.play(&mut position, mv);
    let marks: Vec<String> = rules
        .scene(&position, Some(mv))
        .marks
        .iter()
        .map(|mark| format!("{:?} {:?}", mark.kind, mark.squares))
        .collect();
    assert_eq!(marks, ["From [b1]", "To [b5]"]);
    let (_, passed) = self::position(&STUCK.replace("1:40", "2:41"));
    assert_eq!(rules.scene(&passed, Some(Move::Pass)).marks, []);
}

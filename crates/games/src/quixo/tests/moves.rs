//! The effects of moves, and the refusals of those that are not legal.

use super::*;

#[track_caller]
fn pushed(size: usize, before: &str, mv: &str, after: &str) {
    let (rules, mut position) = position(size, before);
    let mv = rules.parse_move(mv).expect("a move");
    assert!(rules.is_legal(&position, mv, &mut Vec::new()), "{}", rules.refusal(&position, mv));
    rules.play(&mut position, mv);
    assert_eq!(token(&rules, &position), after);
}

#[test]
fn a_line_is_pushed_towards_the_gap() {
    let before = ".xo.x/...../...../...../o.xo.:1:6";
    pushed(5, before, "a5e5", "xo.xx/...../...../...../o.xo.:2:7");
    pushed(5, before, "d5e5", ".xoxx/...../...../...../o.xo.:2:7");
    pushed(5, before, "d5a5", "x.xox/...../...../...../o.xo.:2:7");
    pushed(5, before, "c1c5", ".xx.x/..o../...../...../o..o.:2:7");
    pushed(5, before, "d5d1", ".xo.x/...../...../...o./o.xx.:2:7");
    pushed(8, &format!("{}o......x:2:1", "......../".repeat(7)).replace('o', "."), "a8h8", &{
        format!(".......o/{}.......x:1:2", "......../".repeat(6))
    });
}

#[track_caller]
fn refused(size: usize, before: &str, mv: &str, expected: &str) {
    let (rules, position) = position(size, before);
    testkit::refused(&rules, &position, mv, expected);
}

#[test]
fn each_kind_of_illegal_move_has_its_explanation() {
    let open = "x..o/..../..../....:1:2";
    refused(4, open, "e1a1", "there is no cube at `e1`: the board goes from `a1` to `d4`");
    refused(4, open, "a5a1", "there is no cube at `a5`: the board goes from `a1` to `d4`");
    refused(4, open, "b2b1", "`b2` is not on the border; only cubes on the border may be taken");
    refused(
        4,
        open,
        "d4a4",
        "the cube at `d4` shows the opponent's `o`; only blank cubes and the mover's own (`x`) may be taken",
    );
    refused(4, open, "a4a4", "the cube may not be put back at `a4`, where it was taken");
    refused(
        4,
        open,
        "a4d1",
        "`d1` is not an end of the row or column of `a4`: the cube may go to `d4` or `a1`",
    );
    refused(
        4,
        open,
        "b1b3",
        "`b3` is not an end of the row or column of `b1`: the cube may go to `a1`, `d1` or `b4`",
    );
    refused(
        4,
        open,
        "b1b5",
        "`b5` is not an end of the row or column of `b1`: the cube may go to `a1`, `d1` or `b4`",
    );
    refused(3, "xxx/.o./o..:2:5", "a1c1", "the game is over");
}

#[test]
fn the_opponents_cubes_are_those_of_the_other_symbol() {
    let (rules, crosses) = position(3, "x.o/.../...:1:2");
    let (_, noughts) = position(3, "x.o/.../x..:2:3");
    let from = |position| {
        let mut moves = Vec::new();
        rules.legal_moves(position, &mut moves);
        let mut squares: Vec<String> = moves.iter().map(|mv| mv.from().to_string()).collect();
        squares.sort();
        squares.dedup();
        squares
    };
    assert_eq!(from(&crosses), ["a1", "a2", "a3", "b1", "b3", "c1", "c2"]);
    assert_eq!(from(&noughts), ["a2", "b1", "b3", "c1", "c2", "c3"]);
}

#[test]
fn the_last_move_is_marked() {
    let (rules, mut position) = position(4, "..../..../..../....:1:0");
    let mv = rules.parse_move("b1b4").expect("a move");
    rules.play(&mut position, mv);
    let marks: Vec<String> = rules
        .scene(&position, Some(mv))
        .marks
        .iter()
        .map(|mark| format!("{:?} {:?}", mark.kind, mark.squares))
        .collect();
    assert_eq!(marks, ["From [b1]", "To [b4]"]);
    assert_eq!(rules.scene(&position, None).marks, []);
}

#[test]
fn nearly_full_lines_are_worth_more_and_a_win_is_worth_most() {
    let value = |text| {
        let (rules, position) = position(4, text);
        let values = rules.evaluate(&position);
        assert_eq!(values[Seat::FIRST], -values[Seat::SECOND]);
        values[Seat::FIRST]
    };
    assert_eq!(value("..../..../..../....:1:0"), 0);
    let apart = value("xo../.x../o.../..xo:1:6");
    let three = value("xxx./o.../.o../...o:1:6");
    let won = value("xxxx/o.../.o../...o:2:7");
    assert!(apart < three && three < won, "{apart} {three} {won}");
    assert!(value("ooo./x.../.x../...x:2:7") < 0);
}

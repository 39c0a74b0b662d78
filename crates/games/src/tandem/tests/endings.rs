//! The ends of games by points, passes and limits, and the places.

use super::*;
use crate::limits::BY_LENGTH;
use crate::limits::BY_REPETITION;
use crate::tandem::PASSES;
use crate::tandem::POINTS;
use linesman_types::verdict::Reason;

#[track_caller]
fn ending(options: &str, token: &str) -> (Reason, Vec<usize>, String) {
    let ending = table(options, token).ending().expect("the game is over");
    let places = ending.places.values().map(|place| place.number()).collect();
    (ending.reason, places, ending.why.to_string())
}

#[test]
fn a_seat_with_enough_points_wins_at_once() {
    let mut table = table(PLAIN, &token("11../..../..../....|..../..../..../....", 1, 20, 8, &[2, 1], 0));
    assert!(!table.is_over());
    table.play("1c4/2a1!1a4c4").expect("it is legal");
    let ending = table.ending().expect("three points win");
    assert_eq!((ending.reason, ending.why.to_string().as_str()), (POINTS, "seat 1 has scored 3 points"));
    assert_eq!(ending.places.values().map(|place| place.number()).collect::<Vec<_>>(), [1, 2]);
    assert!(crate::legal_moves(&*table).is_empty());
    assert_eq!(table.play("1b1/2b1").expect_err("it is over").to_string(), "the game is over");
}

#[test]
fn two_points_in_one_turn_can_exceed_the_number_needed() {
    let start = token("11../..../..../....|11../..../..../....", 1, 20, 8, &[2, 2], 0);
    let over = after(PLAIN, &start, "1c4/2c4!1a4c4!2a4c4");
    assert_eq!(ending(PLAIN, &over), (POINTS, vec![1, 2], "seat 1 has scored 4 points".to_owned()));
}

#[test]
fn the_others_are_placed_by_their_points() {
    let options = format!("{PLAIN},players=4");
    let boards = "..../..../..../....|..../..../..../....";
    for (points, places) in
        [([3, 1, 2, 0], [1, 3, 2, 4]), ([3, 1, 1, 0], [1, 2, 2, 4]), ([4, 0, 0, 0], [1, 2, 2, 2])]
    {
        let (reason, found, _) = ending(&options, &token(boards, 2, 9, 8, &points, 0));
        assert_eq!((reason, found.as_slice()), (POINTS, &places[..]), "{points:?}");
    }
}

/// Options under which each seat has one tile, but a turn needs one on each board: no seat can move.
const STUCK: &str = "layout=ab/ba|ba/ab,line=2,tiles=1";

#[test]
fn only_a_seat_without_a_turn_passes() {
    let start = setup(STUCK).start();
    assert_eq!(crate::legal_moves(&*start), ["pass"]);
    assert_eq!(
        refusal("", &setup("").start().token(), "pass"),
        "a seat may pass only when it has no other turn"
    );
    assert_eq!(after(STUCK, &start.token(), "pass"), "../..|../..:2:1:1,1:0,0:1");
}

#[test]
fn points_decide_the_places_when_all_seats_pass_in_a_row() {
    let mut stuck = setup(STUCK).start();
    stuck.play("pass").expect("there is nothing else");
    assert!(!stuck.is_over());
    stuck.play("pass").expect("there is nothing else");
    let over = stuck.ending().expect("both have passed");
    assert_eq!(over.reason, PASSES);
    assert_eq!(over.why.to_string(), "all 2 seats have passed in a row; points: seat 1 0, seat 2 0");
    let options = format!("{PLAIN},players=3");
    let boards = "..../..../..../....|..../..../..../....";
    let (reason, places, _) = ending(&options, &token(boards, 1, 9, 8, &[1, 2, 1], 3));
    assert_eq!((reason, places), (PASSES, vec![2, 1, 2]));
}

#[test]
fn a_full_board_leaves_only_the_pass() {
    let options = "layout=abc/bca|cab/abc,line=3,tiles=5";
    let start = token("121/212|.../...", 1, 6, 5, &[0, 0], 0);
    assert_eq!(legal(options, &start), ["pass"]);
    assert!(refusal(options, &start, "1a1/2a1").contains("occupied"));
}

#[test]
fn a_turn_ends_the_row_of_passes() {
    let options = "layout=aaa/aaa/aaa|aaa/aaa/aaa,line=3,tiles=2";
    let start = token("1../.../...|1../.../...", 1, 4, 2, &[0, 0], 1);
    assert!(after(options, &start, "1a3a1/2a3a1").ends_with(":0,0:0"));
}

#[test]
fn points_decide_the_places_at_the_limits() {
    let options = format!("{PLAIN},max_plies=20");
    let boards = "..../..../..../....|..../..../..../....";
    let (reason, places, _) = ending(&options, &token(boards, 1, 20, 8, &[1, 2], 0));
    assert_eq!((reason, places), (BY_LENGTH, vec![2, 1]));

    // Both seats slide back and forth until the start occurs for the second time.
    let options = "layout=aaa/aaa/aaa|aaa/aaa/aaa,line=3,tiles=3,repetition=2";
    let mut table = table(options, &token("1.1/.../..2|1../.../..2", 1, 4, 3, &[0, 1], 0));
    for mv in ["1a3b2/2a3b2", "1c1c2/2c1c2", "1b2a3/2b2a3", "1c2c1/2c2c1"] {
        assert!(!table.is_over(), "{mv}");
        table.play(mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
    }
    let ending = table.ending().expect("the start has come up again");
    assert_eq!(ending.reason, BY_REPETITION);
    let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
    assert_eq!(places, [2, 1]);
}

#[test]
fn the_limits_have_their_defaults() {
    assert!(setup("").options().to_string().ends_with("max_plies=120,repetition=3"));
    assert!(setup("players=4").options().to_string().ends_with("max_plies=240,repetition=3"));
}

#[test]
fn enough_points_take_precedence_over_the_limits() {
    let options = format!("{PLAIN},max_plies=21");
    let start = token("11../..../..../....|..../..../..../....", 1, 20, 8, &[2, 1], 0);
    let over = after(&options, &start, "1c4/2a1!1a4c4");
    assert_eq!(ending(&options, &over).0, POINTS);
}

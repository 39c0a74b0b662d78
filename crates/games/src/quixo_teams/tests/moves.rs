//! The effects of moves on cubes and dots, and the refusals of those that are not legal.

use super::*;

#[track_caller]
fn pushed(before: &str, mv: &str, after: &str) {
    let (rules, mut position) = position(before);
    play(&rules, &mut position, mv);
    assert_eq!(token(&rules, &position), after);
}

#[test]
fn a_cube_shows_the_movers_symbol_and_the_chosen_dot() {
    let before = "...../...../...../...../.....:1:0";
    pushed(before, "c1c5n", "..n../...../...../...../.....:2:1");
    pushed(before, "c1c5s", "..s../...../...../...../.....:2:1");
    let before = "..n../...../...../...../.....:2:1";
    pushed(before, "c1c5w", "..w../..n../...../...../.....:3:2");
    pushed(before, "c1c5e", "..e../..n../...../...../.....:3:2");
}

#[test]
fn pushed_cubes_keep_their_dots() {
    let before = "swne./...../...../...../....e:1:8";
    pushed(before, "a5e5n", "wne.n/...../...../...../....e:2:9");
    pushed(before, "e5a5n", "nswne/...../...../...../....e:2:9");
    let before = "s...w/s...e/n..../w..../e....:3:10";
    pushed(before, "a3a5s", "s...w/s...e/s..../w..../e....:4:11");
    pushed(before, "a3a1n", "s...w/s...e/w..../e..../n....:4:11");
}

#[test]
fn a_cube_turned_to_the_teammate_is_out_of_reach() {
    let (rules, mut position) = position("swne./...../...../...../.....:1:4");
    play(&rules, &mut position, "a5a1n");
    assert_eq!(token(&rules, &position), ".wne./...../...../...../n....:2:5");
    assert!(takeable(".wne./...../...../...../n....:3:6").contains(&"a1".to_owned()));
    assert!(!takeable(".wne./...../...../...../n....:1:8").contains(&"a1".to_owned()));
}

#[track_caller]
fn refused(before: &str, mv: &str, expected: &str) {
    let (rules, position) = position(before);
    testkit::refused(&rules, &position, mv, expected);
}

const OPEN: &str = "swne./...../...../...../.....:1:4";

#[test]
fn a_cube_inside_the_board_is_refused() {
    refused(OPEN, "b2b1n", "`b2` is not on the border; only cubes on the border may be taken");
}

#[test]
fn a_cube_that_is_not_blank_is_refused_in_the_first_round() {
    refused(
        "...../...../...../...../nw...:3:2",
        "a1a5n",
        "the cube at `a1` shows `x`; in the first round only blank cubes may be taken",
    );
    refused(
        "...../...../...../...../nw...:3:2",
        "b1b5n",
        "the cube at `b1` shows `o`; in the first round only blank cubes may be taken",
    );
}

#[test]
fn the_opponents_cube_is_refused() {
    refused(
        OPEN,
        "b5b1n",
        "the cube at `b5` shows the opponents' `o`; only blank cubes and the team's own (`x`) may be taken",
    );
    refused(
        &OPEN.replace(":1:4", ":4:7"),
        "a5a1e",
        "the cube at `a5` shows the opponents' `x`; only blank cubes and the team's own (`o`) may be taken",
    );
}

#[test]
fn the_teammates_cube_is_refused() {
    refused(
        OPEN,
        "c5c1n",
        "the dot of the cube at `c5` points north, at seat 3, so seat 1 may not take it; only its teammate may",
    );
    refused(
        &OPEN.replace(":1:4", ":4:7"),
        "b5b1w",
        "the dot of the cube at `b5` points west, at seat 2, so seat 4 may not take it; only its teammate may",
    );
}

#[test]
fn putting_a_cube_back_on_its_square_is_refused() {
    refused(OPEN, "a5a5n", "the cube may not be put back at `a5`, where it was taken");
}

#[test]
fn an_end_of_another_line_is_refused() {
    refused(
        OPEN,
        "a5e1n",
        "`e1` is not an end of the row or column of `a5`: the cube may go to `e5` or `a1`",
    );
    refused(
        OPEN,
        "b1b3n",
        "`b3` is not an end of the row or column of `b1`: the cube may go to `a1`, `e1` or `b5`",
    );
}

#[test]
fn a_dot_that_points_at_an_opponent_is_refused() {
    refused(
        OPEN,
        "a5a1w",
        "the dot must point at the mover or its teammate, so seat 1 must turn it south (`s`) or north (`n`), not west",
    );
    refused(
        &OPEN.replace(":1:4", ":2:5"),
        "b1b5n",
        "the dot must point at the mover or its teammate, so seat 2 must turn it west (`w`) or east (`e`), not north",
    );
}

#[test]
fn a_pass_is_refused_while_there_is_a_cube_to_take() {
    refused(
        OPEN,
        "pass",
        "seat 1 may pass only when it has no cube to take, but it can take the one at `a1`",
    );
    refused(
        "...../...../...../...../.....:1:0",
        "pass",
        "seat 1 may pass only when it has no cube to take, but it can take the one at `a1`",
    );
}

#[test]
fn a_refusal_says_that_a_seat_must_pass() {
    refused(
        STUCK,
        "a1a5n",
        "the dot of the cube at `a1` points north, at seat 3, so seat 1 may not take it; only its teammate may; \
         seat 1 has no cube to take, so `pass` is its only move",
    );
    refused(
        STUCK,
        "b2b1n",
        "`b2` is not on the border; only cubes on the border may be taken; \
         seat 1 has no cube to take, so `pass` is its only move",
    );
}

#[test]
fn nothing_can_be_played_after_the_end() {
    for mv in ["a1e1n", "pass"] {
        refused("nsnsn/...w./..e../.w.../.....:2:9", mv, "the game is over");
    }
}

//! Positions as text: printed tokens can be read, and each error names its place.

use super::*;

#[track_caller]
fn wrong(options: &str, token: &str, place: &str, why: &str) {
    let Err(error) = setup(options).from_token(token) else { panic!("`{token}` is read") };
    assert_eq!((error.place.as_str(), error.why.as_str()), (place, why), "{token}");
}

/// Checks the error of a wrong token under [`PLAIN`].
#[track_caller]
fn wrong_plain(token: &str, place: &str, why: &str) {
    wrong(PLAIN, token, place, why);
}

const BOARDS: &str = "..../..../..../....|..../..../..../....";

#[test]
fn the_start_has_a_token_for_every_number_of_seats() {
    let boards = "....../....../....../....../....../......|....../....../....../....../....../......";
    assert_eq!(setup("").start().token(), format!("{boards}:1:0:14,14:0,0:0"));
    assert_eq!(setup("players=3").start().token(), format!("{boards}:1:0:14,14,14:0,0,0:0"));
    assert_eq!(setup("players=4").start().token(), format!("{boards}:1:0:14,14,14,14:0,0,0,0:0"));
}

#[test]
fn fields_and_boards() {
    wrong_plain(
        "x",
        "1 of 6 or 7 fields",
        "a position consists of the boards, the seat to move, the ply, the stocks, the points, the passes, \
         the seats that are out, if any, joined by `:`",
    );
    wrong_plain("..../..:1:0:8,8:0,0:0", "field 1", "there must be two boards, joined by `|`, not 1");
    wrong_plain(
        "..../..../....|..../..../..../....:1:0:8,8:0,0:0",
        "board 1",
        "the board must have 4 rows, not 3",
    );
    wrong_plain(
        "..../..../..../....|..../.../..../....:1:0:8,8:0,0:0",
        "board 2, row 2 from the top",
        "the row must have 4 squares, not 3",
    );
    for cell in ["3", "x", "0"] {
        wrong_plain(
            &format!("..../..{cell}./..../....|..../..../..../....:1:0:8,8:0,0:0"),
            "board 1, row 2 from the top, column 3",
            &format!("a square must be `.` or a seat from 1 to 2, not '{cell}'"),
        );
    }
}

#[test]
fn numbers() {
    let number = |what: &str, text: &str| {
        format!("{what} must be a number from 0 to 4294967295 without a sign or leading zeros, not {text:?}")
    };
    wrong_plain(&format!("{BOARDS}:3:0:8,8:0,0:0"), "field 2", "the seat to move must be 1 to 2, not \"3\"");
    wrong_plain(
        &format!("{BOARDS}:01:0:8,8:0,0:0"),
        "field 2",
        "the seat to move must be 1 to 2, not \"01\"",
    );
    wrong_plain(&format!("{BOARDS}:1:00:8,8:0,0:0"), "field 3", &number("the ply", "00"));
    wrong_plain(
        &format!("{BOARDS}:1:0:8,+8:0,0:0"),
        "field 4, number 2",
        &number("the stock of seat 2", "+8"),
    );
    wrong_plain(&format!("{BOARDS}:1:0:8,8:,0:0"), "field 5, number 1", &number("the points of seat 1", ""));
    wrong_plain(
        &format!("{BOARDS}:1:0:8,8:0,0:-1"),
        "field 6",
        &number("the number of passes in a row", "-1"),
    );
    wrong_plain(
        &format!("{BOARDS}:1:0:8:0,0:0"),
        "field 4",
        "there must be 2 numbers, one for each seat, not 1",
    );
    wrong_plain(
        &format!("{BOARDS}:1:0:8,8:0,0,0:0"),
        "field 5",
        "there must be 2 numbers, one for each seat, not 3",
    );
    wrong_plain(
        &format!("{BOARDS}:1:0:300,8:0,0:0"),
        "field 4, number 1",
        "each seat has 8 tiles, so seat 1 can't have 300 here",
    );
}

#[test]
fn the_ply_determines_the_seat_to_move() {
    wrong_plain(
        &format!("{BOARDS}:2:0:8,8:0,0:0"),
        "fields 2 and 3",
        "at ply 0 it is seat 1's turn, not seat 2's",
    );
    let options = format!("{PLAIN},players=3");
    wrong(
        &options,
        &format!("{BOARDS}:1:5:8,8,8:0,0,0:0"),
        "fields 2 and 3",
        "at ply 5 it is seat 3's turn, not seat 1's",
    );
    // This does not hold after an elimination.
    let token = format!("{BOARDS}:1:5:8,8,8:0,0,0:0:!2");
    assert_eq!(table(&options, &token).token(), token);
}

#[test]
fn each_seats_tiles_add_up() {
    wrong_plain(
        "1.../..../..../....|..../..../..../....:1:2:8,8:0,0:0",
        "fields 1, 4 and 5",
        "seat 1 has 9 tiles (1 on the boards, 8 in stock, 0 as points), not 8",
    );
    wrong_plain(
        "1.../..../..../2...|..../..../..../...2:1:2:6,5:1,0:0",
        "fields 1, 4 and 5",
        "seat 2 has 7 tiles (2 on the boards, 5 in stock, 0 as points), not 8",
    );
}

#[test]
fn at_most_one_seat_has_won_and_it_moved_last() {
    wrong_plain(
        &token(BOARDS, 1, 20, 8, &[3, 3], 0),
        "field 5",
        "seats 1 and 2 both have enough points to win (3)",
    );
    wrong_plain(
        &token(BOARDS, 1, 20, 8, &[3, 0], 0),
        "fields 2 and 5",
        "seat 1 has 3 points, and 3 are enough to win, but it did not move last",
    );
    wrong_plain(
        &token(BOARDS, 1, 0, 8, &[0, 3], 0),
        "fields 2 and 5",
        "seat 2 has 3 points, and 3 are enough to win, but it did not move last",
    );
    assert!(table(PLAIN, &token(BOARDS, 1, 20, 8, &[0, 3], 0)).is_over());
    let three = format!("{PLAIN},players=3");
    // With seat 2 out, seat 1 moves before seat 3.
    assert!(table(&three, &(token(BOARDS, 3, 20, 8, &[3, 0, 0], 0) + ":!2")).is_over());
    wrong(
        &three,
        &(token(BOARDS, 3, 20, 8, &[0, 3, 0], 0) + ":!2"),
        "fields 2 and 5",
        "seat 2 has 3 points, and 3 are enough to win, but it did not move last",
    );
}

#[test]
fn no_window_is_left_unscored() {
    for (boards, place, ends) in [
        ("..../.222/..../....|..../..../..../....", "board 1", "`b3` to `d3`"),
        ("..../..../..../....|...2/..2./.2../....", "board 2", "`b2` to `d4`"),
        ("..../..../..../....|.2../..2./...2/....", "board 2", "`b4` to `d2`"),
        ("2.../2.../2.../....|..../..../..../....", "board 1", "`a2` to `a4`"),
    ] {
        wrong_plain(
            &token(boards, 1, 20, 8, &[0, 0], 0),
            place,
            &format!("seat 2 has 3 tiles in a row from {}; such a row is scored as soon as it is made", ends),
        );
    }
}

#[test]
fn passes() {
    wrong_plain(
        &token(BOARDS, 1, 20, 8, &[0, 0], 3),
        "field 6",
        "there can't be 3 passes in a row with 2 seats still in",
    );
    let three = format!("{PLAIN},players=3");
    wrong(
        &three,
        &(token(BOARDS, 1, 20, 8, &[0, 0, 0], 3) + ":!2"),
        "field 6",
        "there can't be 3 passes in a row with 2 seats still in",
    );
    wrong_plain(
        &token(BOARDS, 2, 1, 8, &[0, 0], 2),
        "fields 3 and 6",
        "there are more passes (2) than plies (1)",
    );
}

#[test]
fn seats_that_are_out() {
    let three = format!("{PLAIN},players=3");
    let start = token(BOARDS, 1, 20, 8, &[0, 0, 0], 0);
    let wrong = |eliminated: &str, place: &str, why: &str| {
        wrong(&three, &format!("{start}:{eliminated}"), place, why)
    };
    wrong("", "field 7", "write each seat that is out as `!` and its number, not \"\"");
    wrong("3", "field 7", "write each seat that is out as `!` and its number, not \"3\"");
    wrong("!", "field 7", "a seat that is out must be 1 to 3, not \"\"");
    wrong("!4", "field 7", "a seat that is out must be 1 to 3, not \"4\"");
    wrong("!02", "field 7", "a seat that is out must be 1 to 3, not \"02\"");
    wrong("!2!2", "field 7", "seat 2 is named twice");
    wrong("!3!1", "fields 2 and 7", "seat 1 is out and can't be the seat to move");
    wrong("!3!2!1", "fields 2 and 7", "seat 1 is out and can't be the seat to move");
    let token = format!("{start}:!3!2");
    assert_eq!(table(&three, &token).token(), token);
}

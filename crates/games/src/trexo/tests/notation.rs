//! Moves and positions as text: round trips, and refused texts.

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn every_move_that_is_printed_reads_the_same(cross in 0..=255u8, nought in 0..=255u8) {
        let mv = Move::new(board::square(cross), board::square(nought)).expect("both are within a1 to p16");
        prop_assert_eq!(rules(6).parse_move(&spelled(&rules(6), mv)), Ok(mv));
    }

    #[test]
    fn a_move_that_is_read_prints_the_same(text in "[a-q][0-9]{1,2}[a-qA-Q][0-9]{1,2}|\\PC*") {
        if let Ok(mv) = rules(6).parse_move(&text) {
            prop_assert_eq!(spelled(&rules(6), mv), text);
        }
    }

    #[test]
    fn a_position_that_is_read_prints_the_same(
        text in "(\\.,|[xo][nesw][012],){5}\\.(/(\\.,){5}\\.){5}:[12]:[0-3]|[.xonesw,/:0-9]*|\\PC*"
    ) {
        match rules(6).parse_position(&text) {
            Ok(position) => prop_assert_eq!(token(&rules(6), &position), text),
            Err(error) => prop_assert!(!error.why.is_empty() && !error.place.is_empty()),
        }
    }
}

#[test]
fn text_that_is_a_move_on_no_board_is_refused() {
    for text in [
        "", "a", "a1", "a1a", "a1b1c1", "q1p1", "p1q1", "a17a16", "a16a17", "a0a1", "a01a2", "A1a2", " a1a2",
        "a1a2 ", "a1-a2", "a1,a2", "é1a1", "a1a100",
    ] {
        assert!(rules(16).parse_move(text).is_err(), "{text:?}");
    }
    // Off this board, or not a place for a tile.
    for text in ["p16o16", "a1p16", "d4d4"] {
        assert!(rules(6).parse_move(text).is_ok(), "{text:?}");
    }
}

#[test]
fn a_cell_keeps_its_joint_when_the_other_half_is_covered() {
    let rules = rules(6);
    assert_eq!(token(&rules, &rules.start()), small(""));
    assert_eq!(token(&rules, &after(&rules, "a1b1")), small("a1 xe1 b1 ow1"));
    let covered = "a1 xe1 b1 xe2 c1 ow2 d1 ow1";
    assert_eq!(token(&rules, &after(&rules, "a1b1 c1d1 b1c1")), small(covered));
    assert_eq!(token(&rules, &after(&rules, "a1a2 b2b1")), small("a1 xn1 a2 os1 b1 on1 b2 xs1"));
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let error = rules(6).parse_position(text).expect_err("the token is wrong");
    assert_eq!(error.to_string(), expected, "{text:?}");
}

/// Checks the refusal of a token with these cells.
#[track_caller]
fn refused_cells(cells: &str, expected: &str) {
    refused(&small(cells), expected);
}

#[test]
fn errors_in_a_token_name_the_mistake_and_its_place() {
    let rows = |last: &str| format!("{}{last}", ".,.,.,.,.,./".repeat(5));
    let empty = rows(".,.,.,.,.,.");
    let fields = "a position consists of the rows, the seat to move and the ply, joined by `:`";
    refused("", &format!("{fields} (1 of 3 fields)"));
    refused(&format!("{empty}:1"), &format!("{fields} (2 of 3 fields)"));
    refused(&format!("{empty}:1:0:"), &format!("{fields} (4 of 3 fields)"));
    refused(&format!("{}:1:0", rows("").trim_end_matches('/')), "there are 5 rows, not 6 (field 1)");
    refused(&format!("{}:1:0", rows(".,.,.,.,.,./.,.,.,.,.,.")), "there are 7 rows, not 6 (field 1)");
    let row = "(row 6 from the top)";
    refused(&format!("{}:1:0", rows("")), &format!("the row has 1 cells (separated by `,`), not 6 {row}"));
    refused(
        &format!("{}:1:0", rows("......")),
        &format!("the row has 1 cells (separated by `,`), not 6 {row}"),
    );
    refused(
        &format!("{}:1:0", rows(".,.,.,.,.")),
        &format!("the row has 5 cells (separated by `,`), not 6 {row}"),
    );
    refused(
        &format!("{}:1:0", rows(".,.,.,.,.,.,.")),
        &format!("the row has 7 cells (separated by `,`), not 6 {row}"),
    );
    for seat in ["0", "3", "01", "", "x", "é"] {
        refused(
            &format!("{empty}:{seat}:0"),
            &format!("the seat to move must be 1 or 2, not {seat:?} (field 2)"),
        );
    }
    for ply in ["", "00", "+0", "-1", "0 ", "x", "61", "4294967296", "99999999999999999999"] {
        refused(
            &format!("{empty}:1:{ply}"),
            &format!(
                "the ply (the number of tiles laid) must be 0 to 60, without a sign or leading zeros, not {ply:?} (field 3)"
            ),
        );
    }
    refused(&format!("{empty}:2:0"), "at ply 0 it is seat 1's turn, not seat 2's (fields 2 and 3)");
    refused(&format!("{empty}:1:1"), "at ply 1 it is seat 2's turn, not seat 1's (fields 2 and 3)");
}

#[test]
fn errors_in_a_cell_name_the_mistake_and_its_place() {
    let place = "(row 2 from the top, column 3)";
    for cell in ["", "..", "z", "Xe1", "é", "x", "xE1", "x1e", "e1", " xe1", "xx1"] {
        refused(
            &small("c5 #").replace('#', cell),
            &format!(
                "{cell:?} is not a cell: write `.`, or `x` or `o`, the side of the tile's other half (`n`, `e`, `s` or `w`) and the level, such as `xe1` {place}"
            ),
        );
    }
    for cell in ["xe", "xe0", "xe01", "xe+1", "xe-1", "xe513", "xe1.", "xe99999999999"] {
        refused(
            &small("c5 #").replace('#', cell),
            &format!(
                "the level in {cell:?} must be a number from 1 to 512 without a sign or leading zeros {place}"
            ),
        );
    }
}

#[test]
fn the_levels_add_up_to_twice_the_ply() {
    let one = small("a1 xe1 b1 ow1");
    assert!(one.ends_with(":2:1"));
    refused(
        &one.replace(":2:1", ":1:0"),
        "the levels add up to 2, but at ply 0 they must add up to 0 (fields 1 and 3)",
    );
    refused(
        &one.replace(":2:1", ":1:2"),
        "the levels add up to 2, but at ply 2 they must add up to 4 (fields 1 and 3)",
    );
    // No ply gives an odd sum.
    refused_cells(
        "a1 xe1 b1 xw1 c1 ow1",
        "the levels add up to 3, but at ply 1 they must add up to 2 (fields 1 and 3)",
    );
}

#[test]
fn the_ply_is_at_most_the_number_of_tiles() {
    let (two, text) = (Trexo::new(6, 2, 5), small("a1 xe1 b1 xe2 c1 ow2 d1 ow1"));
    assert_eq!(
        two.parse_position(&text).map_err(|error| error.to_string()),
        Err("the ply (the number of tiles laid) must be 0 to 2, without a sign or leading zeros, not \"3\" (field 3)"
            .to_owned())
    );
    assert!(Trexo::new(6, 3, 5).parse_position(&text).is_ok());
}

#[test]
fn a_half_points_at_a_square_of_at_least_its_level() {
    let corner = "(row 6 from the top, column 1)";
    let opposite = "(row 1 from the top, column 6)";
    for (cells, expected) in [
        ("a1 xw1 b1 ow1", format!("the half on `a1` points off the board {corner}")),
        ("a1 xs1 b1 ow1", format!("the half on `a1` points off the board {corner}")),
        ("f6 xn1 f5 on1", format!("the half on `f6` points off the board {opposite}")),
        ("f6 xe1 f5 on1", format!("the half on `f6` points off the board {opposite}")),
        ("a1 xn1 b1 ow1", format!("the half on `a1` points at `a2`, which is empty {corner}")),
        (
            "a1 xe2 b1 ow1 c1 xw1",
            format!("the half on `a1` at level 2 points at `b1`, which is only at level 1 {corner}"),
        ),
    ] {
        refused_cells(cells, &expected);
    }
    // The higher half needs its partner too, but the lower half does not.
    for cells in ["a1 xe1 b1 xe2 c1 ow2 d1 ow1", "a1 xe1 b1 on2 b2 xs2 b3 os1"] {
        let position = position(&rules(6), &small(cells));
        assert_eq!(token(&rules(6), &position), small(cells));
    }
}

#[test]
fn halves_at_one_level_that_point_at_each_other_are_a_tile() {
    let corner = "(row 6 from the top, column 1)";
    refused_cells(
        "a1 xe1 b1 oe1 c1 xw1 d1 ow1",
        &format!(
            "the half on `a1` points at `b1` at the same level, but that half does not point back {corner}"
        ),
    );
    refused_cells(
        "a1 xe1 b1 xw1",
        &format!("`a1` and `b1` are halves of one tile but show the same symbol {corner}"),
    );
    refused_cells(
        "a1 on1 a2 os1",
        "`a2` and `a1` are halves of one tile but show the same symbol (row 5 from the top, column 1)",
    );
}

#[test]
fn a_token_can_have_a_pile_as_high_as_the_stock() {
    let rules = Trexo::new(6, 512, 5);
    for level in [100, 512] {
        let text = small(&format!("c3 xn{level} c4 os{level}"));
        let position = position(&rules, &text);
        assert_eq!(token(&rules, &position), text);
        assert_eq!(position.cell(board::number(Square::new(2, 2))).level(), level);
    }
}

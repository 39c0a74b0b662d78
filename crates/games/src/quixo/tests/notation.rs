//! Moves and positions as text: round trips, and refused texts.

use proptest::prelude::*;

use super::*;

/// Makes positions that the checks allow: any cubes, and a ply late enough for them.
fn any_position() -> impl Strategy<Value = (usize, Position)> {
    (3usize..=8).prop_flat_map(|size| {
        let cubes = proptest::collection::vec(0..3usize, size * size);
        (Just(size), cubes, 0..1000u32).prop_map(|(size, cubes, later)| {
            let mut sets = [0u64; 2];
            for (index, cube) in cubes.into_iter().enumerate() {
                if let Some(seat) = cube.checked_sub(1) {
                    sets[seat] |= 1 << (index / size * 8 + index % size);
                }
            }
            // All boards are blank at ply 0; later both symbols occur.
            if sets[0] == 0 {
                return (size, Position::START);
            }
            if sets[1] == 0 {
                return (size, Position::new([1, 0], 1));
            }
            let [crosses, noughts] = sets.map(u64::count_ones);
            let min_ply = (2 * crosses - 1).max(2 * noughts);
            (size, Position::new(sets, min_ply + later))
        })
    })
}

proptest! {
    #[test]
    fn every_position_that_is_printed_reads_the_same((size, position) in any_position()) {
        let rules = Quixo::new(size);
        let text = token(&rules, &position);
        prop_assert_eq!(rules.parse_position(&text), Ok(position));
    }

    #[test]
    fn every_move_that_is_printed_reads_the_same(from in 0..64u32, to in 0..64u32, size in 3usize..=8) {
        let mv = Move::new(board::square(from), board::square(to)).expect("both are within a1 to h8");
        let rules = Quixo::new(size);
        let text = spelled(&rules, mv);
        prop_assert_eq!(text.len(), 4);
        prop_assert_eq!(rules.parse_move(&text), Ok(mv));
    }

    #[test]
    fn a_move_that_is_read_prints_the_same(text in "[a-i][0-9]{1,2}[a-iA-H][0-9]{1,2}|\\PC*") {
        let rules = Quixo::new(5);
        if let Ok(mv) = rules.parse_move(&text) {
            prop_assert_eq!(spelled(&rules, mv), text);
        }
    }

    #[test]
    fn a_position_that_is_read_prints_the_same(
        text in "[.xo]{3}/[.xo]{3}/[.xo]{3}:[0-3]:[0-9]{1,2}|[.xo/:0-9]*|\\PC*"
    ) {
        let rules = Quixo::new(3);
        match rules.parse_position(&text) {
            Ok(position) => prop_assert_eq!(token(&rules, &position), text),
            Err(error) => prop_assert!(!error.why.is_empty() && !error.place.is_empty()),
        }
    }
}

#[test]
fn text_that_is_a_move_on_no_board_is_refused() {
    let rules = Quixo::new(3);
    for text in [
        "", "a", "a1", "a1a", "a1a1a", "i1a1", "a1i1", "a9a1", "a0a1", "A1a3", " a1a3", "a1a3 ", "a1-a3",
        "a1a10", "é1a1",
    ] {
        assert!(rules.parse_move(text).is_err(), "{text:?}");
    }
    // Beyond this board, but not beyond every board.
    for text in ["a1h8", "h8a1", "d4d4"] {
        assert!(rules.parse_move(text).is_ok(), "{text:?}");
    }
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let error = Quixo::new(3).parse_position(text).expect_err("the token is wrong");
    assert_eq!(error.to_string(), expected, "{text:?}");
}

#[test]
fn errors_in_a_position_name_the_mistake_and_its_place() {
    let fields = "a position consists of the rows, the seat to move and the ply, joined by `:`";
    refused("", &format!("{fields} (1 of 3 fields)"));
    refused(".../.../...:1", &format!("{fields} (2 of 3 fields)"));
    refused(".../.../...:1:0:", &format!("{fields} (4 of 3 fields)"));
    refused(".../...:1:0", "there are 2 rows, not 3 (field 1)");
    refused(".../.../.../...:1:0", "there are 4 rows, not 3 (field 1)");
    refused(".../..../...:1:0", "the row has 4 cubes, not 3 (row 2 from the top)");
    refused(".../.../..:1:0", "the row has 2 cubes, not 3 (row 3 from the top)");
    refused("..X/.../...:1:0", "a cube must be `.`, `x` or `o`, not 'X' (row 1 from the top, column 3)");
    refused(".../.é./...:1:0", "a cube must be `.`, `x` or `o`, not 'é' (row 2 from the top, column 2)");
    refused(".../.../...:3:0", "the seat to move must be 1 or 2, not \"3\" (field 2)");
    refused(".../.../...:01:0", "the seat to move must be 1 or 2, not \"01\" (field 2)");
    for ply in ["", "00", "+0", "-1", "0 ", "x", "4294967296", "99999999999999999999"] {
        refused(
            &format!(".../.../...:1:{ply}"),
            &format!(
                "the ply must be a number from 0 to 4294967295 without a sign or leading zeros, not {ply:?} (field 3)"
            ),
        );
    }
    refused(".../.../...:2:0", "at ply 0 it is seat 1's turn, not seat 2's (fields 2 and 3)");
    refused("x../.../...:1:1", "at ply 1 it is seat 2's turn, not seat 1's (fields 2 and 3)");
}

#[test]
fn the_numbers_of_cubes_are_checked_at_their_limits() {
    let at = "(fields 1 and 3)";
    refused("x../.../...:1:0", &format!("1 cube shows `x`, but at ply 0 its seat has made 0 moves {at}"));
    refused("xx./.../...:2:1", &format!("2 cubes show `x`, but at ply 1 its seat has made 1 move {at}"));
    refused("xx./o../...:1:2", &format!("2 cubes show `x`, but at ply 2 its seat has made 1 move {at}"));
    refused("x../oo./...:2:3", &format!("2 cubes show `o`, but at ply 3 its seat has made 1 move {at}"));
    refused("xo./.../...:2:1", &format!("1 cube shows `o`, but at ply 1 its seat has made 0 moves {at}"));
    refused(".../.../...:2:1", &format!("no cube shows `x`, but at ply 1 its seat has moved {at}"));
    refused("x../.../...:1:2", &format!("no cube shows `o`, but at ply 2 its seat has moved {at}"));
    refused("o../.../...:1:2", &format!("no cube shows `x`, but at ply 2 its seat has moved {at}"));
    for text in [
        "x../.../...:2:1",
        "xo./.../...:1:2",
        "xx./o../...:2:3",
        "xx./oo./...:1:4",
        "x.o/.../...:2:4294967295",
    ] {
        let (rules, position) = position(3, text);
        assert_eq!(token(&rules, &position), text);
    }
}

#[test]
fn every_printed_token_can_be_read_at_any_ply() {
    let (rules, mut position) = position(3, "x.o/.../...:1:4294967294");
    for expected in ["xxo/.../...:2:4294967295", "xxo/.../o..:1:4294967294"] {
        let mv = if position.to_move() == Seat::FIRST { "b1b3" } else { "b1a1" };
        rules.play(&mut position, rules.parse_move(mv).expect("a move"));
        assert_eq!(token(&rules, &position), expected);
        assert_eq!(rules.parse_position(expected), Ok(position));
    }
}

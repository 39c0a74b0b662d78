//! Moves and positions as text: round trips, and refused texts.

use proptest::prelude::*;

use super::*;
use crate::quixo_teams::position::{FIRST_ROUND, SEATS};

/// Makes positions that the checks allow: any cubes, and a ply late enough for them.
fn any_position() -> impl Strategy<Value = Position> {
    let cubes = proptest::collection::vec(0..5usize, SIZE * SIZE);
    (cubes, 0..1000u32).prop_map(|(cubes, later)| {
        let mut sets = [0u64; SEATS];
        for (index, cube) in cubes.into_iter().enumerate() {
            if let Some(dot) = cube.checked_sub(1) {
                sets[dot] |= 1 << (index / SIZE * 8 + index % SIZE);
            }
        }
        let crosses = (sets[0] | sets[2]).count_ones();
        let noughts = (sets[1] | sets[3]).count_ones();
        let min_ply = (2 * crosses).max(2 * noughts).max(FIRST_ROUND + 1);
        Position::new(sets, min_ply + later)
    })
}

proptest! {
    #[test]
    fn every_position_that_is_printed_reads_the_same(position in any_position()) {
        let rules = QuixoTeams::new();
        let text = token(&rules, &position);
        prop_assert_eq!(rules.parse_position(&text), Ok(position));
    }

    #[test]
    fn every_push_that_is_printed_reads_the_same(from in 0..25usize, to in 0..25usize, dot in 0..4usize) {
        let square = |number| crate::Square::new(number % SIZE, number / SIZE);
        let cube = crate::quixo::Move::new(square(from), square(to)).expect("both are within a1 to h8");
        let mv = Move::Push(Push { cube, dot: Dot::ALL[dot] });
        let rules = QuixoTeams::new();
        let text = spelled(&rules, mv);
        prop_assert_eq!(text.len(), 5);
        prop_assert_eq!(rules.parse_move(&text), Ok(mv));
    }

    #[test]
    fn a_move_that_is_read_prints_the_same(text in "[a-f][0-6][a-fA-F][0-6][nesw]{0,2}|p?pass?|\\PC*") {
        let rules = QuixoTeams::new();
        if let Ok(mv) = rules.parse_move(&text) {
            prop_assert_eq!(spelled(&rules, mv), text);
        }
    }

    #[test]
    fn a_position_that_is_read_prints_the_same(
        text in "[.nesw]{5}(/[.nesw]{5}){4}:[0-5]:[0-9]{1,2}|[.nesw/:0-9]*|\\PC*"
    ) {
        let rules = QuixoTeams::new();
        if let Ok(position) = rules.parse_position(&text) {
            prop_assert_eq!(token(&rules, &position), text);
        }
    }
}

#[test]
fn text_that_is_never_a_move_is_refused() {
    let rules = QuixoTeams::new();
    let expected = "a move is two squares from `a1` to `e5`, where a cube is taken and where it is put back, \
                    and the direction of its dot, `n`, `e`, `s` or `w`, such as `c1c5n`; or it is `pass`";
    for text in [
        "", "c1", "c1c5", "c1c5x", "c1c5N", "C1c5n", "c1c5nn", " c1c5n", "c1c5n ", "c1 c5 n", "f1a1n",
        "a6a1n", "a1f1n", "a1a6n", "a01a1n", "a1a10n", "Pass", "pass ", "passn", "0000", "c1c5é",
    ] {
        assert_eq!(rules.parse_move(text).map_err(|error| error.why), Err(expected.to_owned()), "{text:?}");
    }
    for text in ["c1c5n", "c1c5w", "b2b2s", "a1e5e", "pass"] {
        assert!(rules.parse_move(text).is_ok(), "{text}");
    }
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let error = QuixoTeams::new().parse_position(text).expect_err(text);
    assert_eq!(error.to_string(), expected);
}

const BLANK: &str = "...../...../...../...../.....";

#[test]
fn errors_in_a_token_name_the_mistake_and_its_place() {
    refused(
        "",
        "a position consists of the rows, the seat to move and the ply, joined by `:` (1 of 3 fields)",
    );
    refused(
        &format!("{BLANK}:1:0:0"),
        "a position consists of the rows, the seat to move and the ply, joined by `:` (4 of 3 fields)",
    );
    refused("...../...../...../.....:1:0", "there are 4 rows, not 5 (field 1)");
    refused(&format!("{BLANK}/.....:1:0"), "there are 6 rows, not 5 (field 1)");
    refused("...../...../..../...../.....:1:0", "the row has 4 cubes, not 5 (row 3 from the top)");
    for cube in ['x', 'o', 'N', ' ', '5', 'é'] {
        refused(
            &format!("...../..{cube}../...../...../.....:1:0"),
            &format!("a cube must be `.`, `s`, `w`, `n` or `e`, not {cube:?} (row 2 from the top, column 3)"),
        );
    }
    for seat in ["0", "5", "", "01", "s"] {
        refused(
            &format!("{BLANK}:{seat}:0"),
            &format!("the seat to move must be 1, 2, 3 or 4, not {seat:?} (field 2)"),
        );
    }
    for ply in ["", "00", "+0", "-1", "0 ", "x", "4294967296"] {
        refused(
            &format!("{BLANK}:1:{ply}"),
            &format!(
                "the ply must be a number from 0 to 4294967295 without a sign or leading zeros, not {ply:?} (field 3)"
            ),
        );
    }
    refused(&format!("{BLANK}:2:0"), "at ply 0 it is seat 1's turn, not seat 2's (fields 2 and 3)");
    refused(
        "n..../...../...../...../.....:1:1",
        "at ply 1 it is seat 2's turn, not seat 1's (fields 2 and 3)",
    );
    refused(
        "nwse./...../...../...../.....:2:4",
        "at ply 4 it is seat 1's turn, not seat 2's (fields 2 and 3)",
    );
}

#[test]
fn the_numbers_of_cubes_are_checked_at_their_limits() {
    let at = "(fields 1 and 3)";
    let rest = "/...../...../...../.....";
    for (cubes, turn, count, symbol, seats, moves) in [
        ("n....", ":1:0", "1 cube shows", 'x', "1 and 3", "0 moves"),
        ("ns...", ":2:1", "2 cubes show", 'x', "1 and 3", "1 move"),
        ("wn...", ":2:1", "1 cube shows", 'o', "2 and 4", "0 moves"),
        ("nswe.", ":4:3", "2 cubes show", 'o', "2 and 4", "1 move"),
        ("nsnw.", ":1:4", "3 cubes show", 'x', "1 and 3", "2 moves"),
        ("nwnns", ":3:6", "4 cubes show", 'x', "1 and 3", "3 moves"),
        ("wwwee", ":2:9", "5 cubes show", 'o', "2 and 4", "4 moves"),
    ] {
        let ply = &turn[3..];
        refused(
            &format!("{cubes}{rest}{turn}"),
            &format!("{count} `{symbol}`, but at ply {ply} seats {seats} have made {moves} {at}"),
        );
    }
    for (cubes, turn, marked) in [
        (".....", ":2:1", "0 cubes show"),
        ("n....", ":3:2", "1 cube shows"),
        ("nw...", ":4:3", "2 cubes show"),
        ("ns...", ":4:3", "2 cubes show"),
        ("nws..", ":1:4", "3 cubes show"),
        ("ww...", ":1:4", "2 cubes show"),
    ] {
        let ply = &turn[3..];
        refused(
            &format!("{cubes}{rest}{turn}"),
            &format!(
                "{marked} a symbol, but at ply {ply} there must be {ply}: in the first round each move marks a blank cube \
                 {at}"
            ),
        );
    }
    for (cubes, turn) in [
        (".....", ":1:0"),
        ("n....", ":2:1"),
        ("nw...", ":3:2"),
        ("nws..", ":4:3"),
        ("nwse.", ":1:4"),
        (".....", ":2:5"),
        ("nwnns", ":4:7"),
        ("wwwwe", ":3:10"),
    ] {
        let text = format!("{cubes}{rest}{turn}");
        let (rules, position) = position(&text);
        assert_eq!(token(&rules, &position), text);
    }
}

#[test]
fn every_printed_token_can_be_read_at_any_ply() {
    let (rules, mut position) = position("s..../w..../...../n..../e....:3:4294967294");
    for (mv, expected) in [
        ("a2e2n", "s..../w..../...../....n/e....:4:4294967295"),
        ("a1e1e", "s..../w..../...../....n/....e:1:4294967292"),
    ] {
        play(&rules, &mut position, mv);
        assert_eq!(token(&rules, &position), expected);
        assert_eq!(rules.parse_position(expected), Ok(position));
    }
}

//! Moves and positions as text: round trips, and refused texts.

use proptest::prelude::*;

use super::*;
use crate::notation::Square;

/// Makes positions that the checks allow: cards of both seats on any squares.
fn any_position() -> impl Strategy<Value = Position> {
    let order = Just((0..16u32).collect::<Vec<_>>()).prop_shuffle();
    (order, proptest::collection::vec(0..2usize, 16), 0..=16u8).prop_map(|(squares, colours, ply)| {
        let mut cards = [board::Cards::default(); 2];
        for (number, (square, colour)) in squares.into_iter().zip(colours).take(usize::from(ply)).enumerate()
        {
            cards[number % 2] = cards[number % 2].with(square, Colour::ALL[colour]);
        }
        Position::new(cards, ply)
    })
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..16u32).prop_map(board::square)
}

fn any_colour() -> impl Strategy<Value = Colour> {
    (0..2usize).prop_map(|index| Colour::ALL[index])
}

proptest! {
    #[test]
    fn every_position_that_is_printed_reads_the_same(position in any_position()) {
        prop_assert_eq!(Kengu.parse_position(&token(&position)), Ok(position));
    }

    #[test]
    fn every_move_that_is_printed_reads_the_same(
        flip in proptest::option::of((any_square(), any_square())),
        place in proptest::option::of((any_square(), any_colour())),
    ) {
        let Some(mv) = Move::new(flip, place) else { return Ok(()) };
        prop_assert_eq!((mv.flip(), mv.placed()), (flip, place));
        prop_assert_eq!(Kengu.parse_move(&spelled(mv)), Ok(mv));
    }

    #[test]
    fn a_move_that_is_read_prints_the_same(
        text in "([a-e][0-5][a-e][0-5])?/?([a-e][0-5][a-z]?)?|\\PC*"
    ) {
        if let Ok(mv) = Kengu.parse_move(&text) {
            prop_assert_eq!(spelled(mv), text);
        }
    }

    #[test]
    fn a_position_that_is_read_prints_the_same(
        text in "[.Xo]{4}/[.xO]{4}/[.]{4}/[.]{4}:[12]:[0-9]|[.XxOo/:0-9]*|\\PC*"
    ) {
        match Kengu.parse_position(&text) {
            Ok(position) => prop_assert_eq!(token(&position), text),
            Err(error) => prop_assert!(!error.why.is_empty() && !error.place.is_empty()),
        }
    }

    #[test]
    fn legal_moves_are_those_listed(
        position in any_position(),
        flip in proptest::option::of((any_square(), any_square())),
        place in proptest::option::of((any_square(), any_colour())),
    ) {
        let Some(mv) = Move::new(flip, place) else { return Ok(()) };
        let listed = legal(&position);
        prop_assert_eq!(Kengu.is_legal(&position, mv, &mut Vec::new()), listed.contains(&spelled(mv)));
        prop_assert_eq!(Kengu.count_legal_moves(&position, &mut Vec::new()), listed.len() as u64);
        if !listed.contains(&spelled(mv)) {
            let why = Kengu.refusal(&position, mv).why;
            prop_assert!(!why.ends_with("is not legal here"), "{}", why);
        }
    }
}

#[test]
fn text_that_is_never_a_move_is_refused() {
    for text in [
        "",
        "a1",
        "a1r ",
        " a1r",
        "a1R",
        "a1b",
        "A1r",
        "e1r",
        "a5r",
        "a0r",
        "a10r",
        "a1r/",
        "/a1r",
        "b2b3/",
        "b2b3/a1",
        "b2b3/a1r/",
        "b2b3a1r",
        "b2b3/a1r/a2r",
        "b2/b3",
        "b2b5",
        "e2e3/a1r",
        "b2b3 /a1r",
        "a1r/b2b3",
        "b2b3/c2c3",
        "é1r",
        "b2-b3",
    ] {
        assert!(Kengu.parse_move(text).is_err(), "{text:?}");
    }
    for text in ["a1r", "d4y", "b2b3", "b2b3/a1r", "a1a1", "a1d4/d4y"] {
        assert!(Kengu.parse_move(text).is_ok(), "{text:?}");
    }
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let error = Kengu.parse_position(text).expect_err("the token is wrong");
    assert_eq!(error.to_string(), expected, "{text:?}");
}

#[test]
fn errors_in_a_position_name_the_mistake_and_its_place() {
    let fields = "a position consists of the rows, the seat to move and the ply, joined by `:`";
    refused("", &format!("{fields} (1 of 3 fields)"));
    refused("..../..../..../....:1", &format!("{fields} (2 of 3 fields)"));
    refused("..../..../..../....:1:0:", &format!("{fields} (4 of 3 fields)"));
    refused("..../..../....:1:0", "there are 3 rows, not 4 (field 1)");
    refused("..../..../..../..../....:1:0", "there are 5 rows, not 4 (field 1)");
    refused("..../...../..../....:1:0", "the row has 5 squares, not 4 (row 2 from the top)");
    refused("..../..../..../...:1:0", "the row has 3 squares, not 4 (row 4 from the top)");
    let symbols = "a square must be `.`, `X`, `x`, `O` or `o`";
    refused("..../..Y./..../....:1:0", &format!("{symbols}, not 'Y' (row 2 from the top, column 3)"));
    refused("é.../..../..../....:1:0", &format!("{symbols}, not 'é' (row 1 from the top, column 1)"));
    refused("..../..../..../....:3:0", "the seat to move must be 1 or 2, not \"3\" (field 2)");
    refused("..../..../..../....:01:0", "the seat to move must be 1 or 2, not \"01\" (field 2)");
    for ply in ["", "00", "+0", "-1", "0 ", "x", "99999999999999999999"] {
        refused(
            &format!("..../..../..../....:1:{ply}"),
            &format!("the ply must be a number without a sign or leading zeros, not {ply:?} (field 3)"),
        );
    }
    refused("..../..../..../....:2:0", "at ply 0 it is seat 1's turn, not seat 2's (fields 2 and 3)");
    refused("X.../..../..../....:1:1", "at ply 1 it is seat 2's turn, not seat 1's (fields 2 and 3)");
}

#[test]
fn the_numbers_of_cards_are_checked() {
    let at = "(fields 1 and 3)";
    let less = ", or one less after a losing flip, which leaves the seat to move with a line";
    refused(
        "X.../..../..../....:1:0",
        &format!("the number of crosses is 1, but at ply 0 it must be 0 {at}"),
    );
    refused(
        "O.../..../..../....:1:0",
        &format!("the number of noughts is 1, but at ply 0 it must be 0 {at}"),
    );
    refused(
        "XX../..../..../....:2:1",
        &format!("the number of crosses is 2, but at ply 1 it must be 1 {at}"),
    );
    refused(
        "..../..../..../....:2:1",
        &format!("the number of crosses is 0, but at ply 1 it must be 1{less} {at}"),
    );
    refused(
        "X.../..../..../....:1:2",
        &format!("the number of noughts is 0, but at ply 2 it must be 1{less} {at}"),
    );
    // One card can be missing only if the seat to move has a line, and only from the other seat's cards.
    refused(
        "XX../x.../oo../....:1:6",
        &format!("the number of noughts is 2, but at ply 6 it must be 3{less} {at}"),
    );
    refused(
        "XXX./..../o.../....:1:6",
        &format!("the number of noughts is 1, but at ply 6 it must be 3 {at}"),
    );
    refused(
        "OOO./..../XX../....:1:6",
        &format!("the number of crosses is 2, but at ply 6 it must be 3 {at}"),
    );
    for text in ["..../..../..../....:1:0", "XXX./..../oo../....:1:6", "OOO./..../XXX./....:2:7"] {
        assert_eq!(token(&position(text)), text);
    }
}

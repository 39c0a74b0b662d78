use proptest::prelude::*;

use super::*;

#[track_caller]
fn not_a_move(text: &str, words: &str) {
    let why = rules("").parse_move(text).expect_err("it is no move").why;
    assert!(why.contains(words), "{text}: {why}");
}

#[test]
fn moves_that_are_read_print_the_same() {
    for text in [
        "pass",
        "1c3/2d4",
        "1d4/2a1c3",
        "1a1i9/2i9a1",
        "1c3/2d4!1a3e3",
        "1c3/2d4!1a3e3!2a1e5",
        "1c3/2d4!2a5e1",
        "1c3/2d4!1c1c5",
    ] {
        let mv = rules("").parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(super::text(mv), text);
    }
}

#[test]
fn text_that_is_never_a_move_is_refused() {
    let shape = "a move is a step on board 1, `/`, a step on board 2";
    for text in [
        "",
        "PASS",
        " pass",
        "1c3",
        "1c3/",
        "/2d4",
        "1c3/2d4/",
        "1c3/2d4 ",
        "1C3/2d4",
        "1c0/2d4",
        "1j3/2d4",
        "1c10/2d4",
        "3c3/2d4",
        "1c3d4e5/2d4",
        "1c3/2d4!",
        "1c3/2d4!1a3",
        "1c3/2d4!3a3e3",
        "1c3/2d4!1a3e3f3",
        "c3/d4",
        "1c3!1a3e3",
        "1c03/2d4",
    ] {
        not_a_move(text, shape);
    }
}

#[test]
fn board_1_is_written_before_board_2() {
    not_a_move("2d4/1c3", "write the step on board 1 first");
    not_a_move("1d4/1c3", "write the step on board 1 first");
    not_a_move("1c3/2d4!2a1e1!1a3e3", "write the one on board 1 first");
    not_a_move("1c3/2d4!1a1e1!1a3e3", "at most one window per board");
}

#[test]
fn a_window_is_written_as_its_ends_the_lower_file_first() {
    not_a_move("1c3/2d4!1e3a3", "write the window `!1e3a3` as `!1a3e3`");
    not_a_move("1c3/2d4!1c5c1", "write the window `!1c5c1` as `!1c1c5`");
    not_a_move("1c3/2d4!2e1a5", "write the window `!2e1a5` as `!2a5e1`");
    not_a_move("1c3/2d4!1a1b3", "`a1` and `b3` are not the ends of a row, a column or a diagonal");
    not_a_move("1c3/2d4!1a1a1", "are not the ends of a row");
}

fn square() -> impl Strategy<Value = String> {
    "[a-i][1-9]"
}

proptest! {
    #[test]
    fn any_two_steps_are_read_and_printed(from in proptest::option::of(square()), to in square(), other in square()) {
        let text = format!("1{}{to}/2{other}", from.unwrap_or_default());
        let mv = rules("").parse_move(&text).expect("two steps");
        prop_assert_eq!(super::text(mv), text);
    }

    #[test]
    fn every_move_has_one_spelling(text in "[12a-i1-9/!]{0,24}") {
        if let Ok(mv) = rules("").parse_move(&text) {
            prop_assert_eq!(super::text(mv), text);
        }
    }
}

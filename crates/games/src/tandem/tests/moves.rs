//! Turns: permitted placements and slides, and scores.

use super::*;

const EMPTY: &str = "....../....../....../....../....../......|....../....../....../....../....../......";

#[test]
fn a_turn_reaches_one_colour_on_both_boards() {
    let rules = rules("");
    let legal = legal("", &token(EMPTY, 1, 0, 14, &[0, 0], 0));
    assert_eq!(legal.len(), 216);
    for mv in &legal {
        let halves = rules.parse_move(mv).expect("it is listed").halves().expect("nobody must pass");
        let colours = [0, 1].map(|board: usize| rules.layout.tint(board, halves[board].to()));
        assert_eq!(colours[0], colours[1], "{mv}");
    }
    assert_eq!(
        refusal("", &token(EMPTY, 1, 0, 14, &[0, 0], 0), "1a6/2a6"),
        "`a6` on board 1 is red and `a6` on board 2 is orange: both steps of a turn must reach the same color"
    );
}

#[test]
fn only_the_squares_reached_must_have_one_colour() {
    let options = "layout=ab/ba|ab/ba,line=2,tiles=2";
    let start = token("1./..|.1/..", 1, 4, 2, &[0, 0], 0);
    // The slides leave `a` on board 1 and `b` on board 2.
    assert_eq!(after(options, &start, "1a2b2/2b2a1"), ".1/..|../1.:2:5:0,2:0,0:0");
}

#[test]
fn with_two_or_more_tiles_in_stock_both_steps_lay() {
    let start = plain("1.../..../..../....|1.../..../..../....");
    assert!(legal(PLAIN, &start).iter().all(|mv| mv.len() == "1a1/2a1".len()));
    for mv in ["1a4a1/2b1", "1b1/2a4a1", "1a4a1/2a4a1"] {
        assert_eq!(
            refusal(PLAIN, &start, mv),
            "seat 1 has 6 tiles in stock, so both steps of its turn must lay one"
        );
    }
}

#[test]
fn with_one_tile_in_stock_exactly_one_step_lays() {
    let options = "layout=aa/aa|aa/aa,line=2,tiles=3";
    let start = token("1./..|1./..", 1, 4, 3, &[0, 0], 0);
    let legal = legal(options, &start);
    // The mover chooses the board on which to lay.
    assert!(legal.iter().any(|mv| mv.starts_with("1a1/2a2")), "{legal:?}");
    assert!(legal.iter().any(|mv| mv.starts_with("1a2a1/2a1")), "{legal:?}");
    for mv in ["1a1/2a1", "1a2a1/2a2a1"] {
        assert_eq!(
            refusal(options, &start, mv),
            "seat 1 has one tile in stock, so one step of its turn must lay it and the other must be a slide"
        );
    }
}

#[test]
fn with_no_tile_in_stock_both_steps_slide() {
    let options = "layout=aaa/aaa/aaa|aaa/aaa/aaa,line=3,tiles=2";
    let start = token("1../.../...|1../.../...", 1, 4, 2, &[0, 0], 0);
    let legal = legal(options, &start);
    assert_eq!(legal.len(), 8 * 8);
    assert!(legal.iter().all(|mv| mv.len() == "1a3a1/2a3a1".len()));
    for mv in ["1a1/2a1", "1a1/2a3a1", "1a3a1/2a1"] {
        assert_eq!(
            refusal(options, &start, mv),
            "seat 1 has no tile in stock, so both steps of its turn must be slides"
        );
    }
    assert_eq!(after(options, &start, "1a3c1/2a3b2"), ".../.../..1|.../.1./...:2:5:0,2:0,0:0");
}

#[test]
fn a_slide_must_end_on_another_square() {
    let options = "layout=aaa/aaa/aaa|aaa/aaa/aaa,line=3,tiles=2";
    let start = token("1../.../...|1../.../...", 1, 4, 2, &[0, 0], 0);
    assert_eq!(
        refusal(options, &start, "1a3a3/2a3a1"),
        "the slide on board 1 ends at `a3`, where it starts: a tile must slide to another square"
    );
}

#[test]
fn a_step_goes_to_an_empty_square_of_the_board() {
    let start = plain("12../..../..../....|..../..../..../....");
    assert_eq!(refusal(PLAIN, &start, "1b4/2a1"), "`b4` of board 1 is occupied by a tile of seat 2");
    assert_eq!(refusal(PLAIN, &start, "1a4/2a1"), "`a4` of board 1 is occupied by a tile of seat 1");
    assert_eq!(
        refusal(PLAIN, &start, "1a1/2e1"),
        "there is no square `e1` on board 2: both boards go from `a1` to `d4`"
    );
    assert_eq!(
        refusal(PLAIN, &start, "1a5a1/2a1"),
        "there is no square `a5` on board 1: both boards go from `a1` to `d4`"
    );
}

#[test]
fn only_own_tiles_of_the_steps_board_slide() {
    let options = "layout=aaa/aaa/aaa|aaa/aaa/aaa,line=3,tiles=2";
    let start = token("12./.../...|.../1../2..", 1, 4, 2, &[0, 0], 0);
    assert_eq!(
        refusal(options, &start, "1b3c1/2a2c1"),
        "the tile on `b3` of board 1 belongs to seat 2; seat 1 may slide only its own"
    );
    assert_eq!(refusal(options, &start, "1a2c1/2a2c1"), "there is no tile to slide on `a2` of board 1");
}

#[test]
fn a_window_gives_one_point_and_returns_the_other_tiles() {
    let start = plain("11../..../..../....|..../..../..../....");
    assert_eq!(
        after(PLAIN, &start, "1c4/2a1!1a4c4"),
        "..../..../..../....|..../..../..../1...:2:21:6,8:1,0:0"
    );
}

#[test]
fn a_window_can_be_a_row_a_column_or_either_diagonal() {
    for (boards, mv) in [
        ("11../..../..../....|..../..../..../....", "1c4/2a1!1a4c4"),
        ("1.../1.../..../....|..../..../..../....", "1a2/2a1!1a2a4"),
        ("..../..1./..../1...|..../..../..../....", "1b2/2a1!1a1c3"),
        ("1.../.1../..../....|..../..../..../....", "1c2/2a1!1a4c2"),
    ] {
        let mut table = table(PLAIN, &plain(boards));
        table.play(mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        assert_eq!(table.tie_break_scores().as_slice(), [1, 0], "{mv}");
    }
}

#[test]
fn a_turn_may_score_on_both_boards() {
    let start = plain("11../..../..../....|..../..../1.../1...");
    assert_eq!(
        after(PLAIN, &start, "1c4/2a3!1a4c4!2a1a3"),
        "..../..../..../....|..../..../..../....:2:21:6,8:2,0:0"
    );
    for mv in ["1c4/2a3!1a4c4", "1c4/2a3!2a1a3", "1c4/2a3"] {
        assert!(refusal(PLAIN, &start, mv).contains("must score"), "{mv}");
    }
}

#[test]
fn a_window_that_is_made_must_be_scored() {
    let start = plain("11../..../..../....|..../..../..../....");
    assert_eq!(
        refusal(PLAIN, &start, "1c4/2a1"),
        "the turn makes 3 in a row on board 1 and must score them: add `!1a4c4`"
    );
}

#[test]
fn the_mover_chooses_among_crossing_windows() {
    let start = plain("1.11/1.../..../....|..../..../..../....");
    // `a4` completes the row to `c4` and the column from `a2`.
    let legal = legal(PLAIN, &plain(".11./1.../1.../....|..../..../..../...."));
    let scoring: Vec<&str> =
        legal.iter().filter(|mv| mv.starts_with("1a4/2a1")).map(String::as_str).collect();
    assert_eq!(scoring, ["1a4/2a1!1a2a4", "1a4/2a1!1a4c4"]);
    assert_eq!(
        after(PLAIN, &plain(".11./1.../1.../....|..../..../..../...."), "1a4/2a1!1a2a4"),
        ".11./..../..../....|..../..../..../1...:2:21:4,8:1,0:0"
    );
    assert_eq!(
        after(PLAIN, &plain(".11./1.../1.../....|..../..../..../...."), "1a4/2a1!1a4c4"),
        "..../1.../1.../....|..../..../..../1...:2:21:4,8:1,0:0"
    );
    assert_eq!(
        refusal(PLAIN, &start, "1b4/2a1"),
        "the turn makes 3 in a row on board 1 and must score one window there: add `!1a4c4` or `!1b4d4`"
    );
}

#[test]
fn the_mover_chooses_a_window_of_a_longer_row() {
    let start = plain("1.11/..../..../....|..../..../..../....");
    assert_eq!(
        after(PLAIN, &start, "1b4/2a1!1a4c4"),
        "...1/..../..../....|..../..../..../1...:2:21:5,8:1,0:0"
    );
    assert_eq!(
        after(PLAIN, &start, "1b4/2a1!1b4d4"),
        "1.../..../..../....|..../..../..../1...:2:21:5,8:1,0:0"
    );
}

#[test]
fn a_window_has_the_exact_length_and_only_the_movers_tiles() {
    let start = plain("1.11/22../..../....|..../..../..../....");
    assert_eq!(refusal(PLAIN, &start, "1b4/2a1!1a4d4"), "`!1a4d4` spans 4 squares, but a window has 3");
    assert_eq!(
        refusal(PLAIN, &start, "1c3/2a1!1a3c3"),
        "`!1a3c3` is not a window of seat 1: after the turn, `a3` holds a tile of seat 2"
    );
    assert_eq!(
        refusal(PLAIN, &start, "1a1/2a1!1a1c1"),
        "`!1a1c1` is not a window of seat 1: after the turn, `b1` is empty"
    );
    assert_eq!(
        refusal(PLAIN, &start, "1b4/2a1!1b4d4!2a1c1"),
        "`!2a1c1` is not a window of seat 1: after the turn, `b1` is empty"
    );
    assert_eq!(
        refusal(PLAIN, &start, "1b4/2a1!1c4e4"),
        "`!1c4e4` is not a window of seat 1: after the turn, `e4` is not on the board"
    );
}

#[test]
fn a_tile_that_slides_away_is_not_part_of_a_window() {
    let options = "layout=aaaa/aaaa/aaaa/aaaa|aaaa/aaaa/aaaa/aaaa,line=3,tiles=4";
    let start = token("11../..../.1../....|1.../..../..../....", 1, 8, 4, &[0, 0], 0);
    assert_eq!(
        refusal(options, &start, "1a4c4/2a4a1!1a4c4"),
        "`!1a4c4` is not a window of seat 1: after the turn, `a4` is the square that the slide leaves"
    );
    // The third tile slides into the row.
    assert_eq!(
        after(options, &start, "1b2c4/2a4a1!1a4c4"),
        "..../..../..../....|..../..../..../1...:2:9:2,4:1,0:0"
    );
}

#[test]
fn returned_tiles_are_for_later_turns() {
    let options = "layout=aaaa/aaaa/aaaa/aaaa|aaaa/aaaa/aaaa/aaaa,line=3,tiles=4";
    let start = token("11../..../..../....|1.../..../..../....", 1, 8, 4, &[0, 0], 0);
    // The last tile scores on board 1, but the step on board 2 must still be a slide.
    assert_eq!(
        refusal(options, &start, "1c4/2a1!1a4c4"),
        "seat 1 has one tile in stock, so one step of its turn must lay it and the other must be a slide"
    );
    let then = after(options, &start, "1c4/2a4a1!1a4c4");
    assert_eq!(then, "..../..../..../....|..../..../..../1...:2:9:2,4:1,0:0");
    // Two tiles return, so the next turn lays both.
    let mut table = table(options, &then);
    table.play("1d1/2d1").expect("seat 2 lays");
    table.play("1a1/2b1").expect("seat 1 lays both");
}

#[test]
fn rows_of_other_seats_score_nothing_for_the_mover() {
    let start = plain("22../..../..../....|..../..../..../....");
    assert_eq!(after(PLAIN, &start, "1c4/2a1"), "221./..../..../....|..../..../..../1...:2:21:6,6:0,0:0");
}

#[test]
fn the_step_on_board_1_is_written_first() {
    let rules = rules("");
    let refused = rules.parse_move("2d4/1c3").expect_err("board 2 is first");
    assert_eq!(refused.why, "write the step on board 1 first, then the one on board 2, as in `1c3/2d4`");
}

#[test]
fn a_drawn_turn_is_the_listed_turn_of_its_number() {
    let rules = rules("");
    let mut position = rules.start();
    let (mut slides, mut moves) = (false, Vec::new());
    for ply in 0..30 {
        moves.clear();
        rules.legal_moves(&position, &mut moves);
        slides |= moves[0].halves().is_some_and(|halves| halves[0].from().is_some());
        for number in [0, moves.len() / 3, moves.len() - 1] {
            let drawn = rules.random_move(&position, &mut Vec::new(), |end| {
                assert_eq!(end, moves.len());
                number
            });
            assert_eq!(drawn, Some(moves[number]), "{number} at ply {ply}");
        }
        rules.play(&mut position, moves[ply * 7_919 % moves.len()]);
        if rules.is_over(&position) {
            break;
        }
    }
    assert!(slides, "no step moved a tile");
}

//! The values of positions, for engines.

use super::*;

fn worth(options: &str, token: &str) -> Vec<i32> {
    let rules = rules(options);
    rules.evaluate(&position(&rules, token)).as_slice().to_vec()
}

#[test]
fn the_start_is_even() {
    for players in 2..=4 {
        let options = format!("players={players}");
        assert_eq!(worth(&options, &setup(&options).start().token()), vec![0; players]);
    }
}

#[test]
fn points_and_open_rows_raise_the_value() {
    let boards = "..../..../..../....|..../..../..../....";
    let ahead = worth(PLAIN, &token(boards, 1, 20, 8, &[1, 0], 0));
    assert!(ahead[0] > 0 && ahead[1] < 0, "{ahead:?}");
    let pair = worth(PLAIN, &plain("11../..../..../....|..../..../..../...."));
    let apart = worth(PLAIN, &plain("1..1/..../..../....|..../..../..../...."));
    let blocked = worth(PLAIN, &plain("112./..../..../....|..../..../..../...."));
    assert!(pair[0] > apart[0] && pair[0] > blocked[0], "{pair:?} {apart:?} {blocked:?}");
}

#[test]
fn a_win_has_the_highest_value_and_an_eliminated_seat_the_lowest() {
    let options = format!("{PLAIN},players=3");
    let boards = "11../1.../..../....|11../1.../..../....";
    let won = worth(&options, &token(boards, 3, 20, 8, &[0, 3, 2], 0));
    assert_eq!(won, [-100_000, 100_000, -100_000]);
    let out = worth(&options, &(token(boards, 3, 20, 8, &[0, 2, 2], 0) + ":!1"));
    assert_eq!(out[0], -100_000);
}

fn odds(options: &str, token: &str) -> Vec<i32> {
    let rules = rules(options);
    let odds = rules.odds(&position(&rules, token)).expect("odds are known");
    odds.as_slice().to_vec()
}

#[test]
fn the_odds_of_the_start_are_even() {
    for players in 2..=4 {
        let options = format!("players={players}");
        let odds = odds(&options, &setup(&options).start().token());
        assert!(odds.iter().all(|value| *value == odds[0]), "{odds:?}");
    }
}

#[test]
fn an_eliminated_seat_has_the_worst_odds_and_a_winning_turn_the_best() {
    let options = format!("{PLAIN},players=3");
    let boards = "..../..../..../....|..../..../..../....";
    let out = odds(&options, &(token(boards, 3, 20, 8, &[0, 2, 2], 0) + ":!1"));
    assert!(out[0] < out[1].min(out[2]), "{out:?}");
    // Seat 1 has two tiles of a row of three, needs one point and is to move.
    let wins = odds(PLAIN, &token("11../..../..../....|..../..../..../....", 1, 20, 8, &[2, 2], 0));
    let later = odds(PLAIN, &token("11../..../..../....|..../..../..../....", 2, 21, 8, &[2, 2], 0));
    assert!(wins[0] > wins[1] + 3_000, "{wins:?}");
    assert!(wins[0] > later[0] + 3_000, "the other can still take the square: {wins:?} {later:?}");
}

#[test]
fn a_row_that_no_tile_can_reach_is_not_a_winning_turn() {
    let boards = "11../..../..../....|..../..../..../....";
    let with = odds(PLAIN, &token(boards, 1, 20, 8, &[2, 2], 0));
    let without = odds(&PLAIN.replace("tiles=8", "tiles=4"), &token(boards, 1, 20, 4, &[2, 2], 0));
    assert!(with[0] > without[0] + 3_000, "{with:?} {without:?}");
}

//! What positions are worth, for engines.

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
fn points_and_open_rows_are_good() {
    let boards = "..../..../..../....|..../..../..../....";
    let ahead = worth(PLAIN, &token(boards, 1, 20, 8, &[1, 0], 0));
    assert!(ahead[0] > 0 && ahead[1] < 0, "{ahead:?}");
    let pair = worth(PLAIN, &plain("11../..../..../....|..../..../..../...."));
    let apart = worth(PLAIN, &plain("1..1/..../..../....|..../..../..../...."));
    let shut = worth(PLAIN, &plain("112./..../..../....|..../..../..../...."));
    assert!(pair[0] > apart[0] && pair[0] > shut[0], "{pair:?} {apart:?} {shut:?}");
}

#[test]
fn won_is_more_than_anything_and_out_is_lost() {
    let options = format!("{PLAIN},players=3");
    let boards = "11../1.../..../....|11../1.../..../....";
    let won = worth(&options, &token(boards, 3, 20, 8, &[0, 3, 2], 0));
    assert_eq!(won, [-100_000, 100_000, -100_000]);
    let out = worth(&options, &(token(boards, 3, 20, 8, &[0, 2, 2], 0) + ":!1"));
    assert_eq!(out[0], -100_000);
}

use super::*;

/// Returns the value of the position for team X.
#[track_caller]
fn value(text: &str) -> i32 {
    let (rules, position) = position(text);
    let values = rules.evaluate(&position);
    let [first, second, third, fourth] = values.as_slice() else { panic!("four seats") };
    assert_eq!((first, second), (third, fourth), "mates share what they have");
    assert_eq!(*first, -second);
    *first
}

#[test]
fn nearly_full_lines_are_worth_more_and_a_win_is_worth_most() {
    assert_eq!(value("...../...../...../...../.....:1:0"), 0);
    let apart = value("nw.../.sw../..e.n/...s./..we.:1:12");
    let four = value("nnss./w..../..e.w/..we./..w..:1:12");
    let won = value("nnsss/w..../..e.w/..we./..w..:2:13");
    assert!(apart < four && four < won, "{apart} {four} {won}");
    assert!(value("wwee./n..../..s.n/..ns./..n..:1:12") < 0);
}

#[test]
fn cubes_for_both_teammates_are_worth_more_than_cubes_for_one() {
    let shared = value("n.s.w/....e/...../...../.....:2:5");
    let hoarded = value("n.n.w/....e/...../...../.....:2:5");
    assert!(hoarded < shared, "{hoarded} {shared}");
}

//! The winning teams, and the explanations and marks of endings.

use super::*;
use crate::ending::LINE;
use crate::scene::MarkKind;

/// Plays a move and checks the winning side, its lines and the explanation.
#[track_caller]
fn check(before: &str, mv: &str, expected: Option<(usize, &[&str], &str)>) {
    let (rules, mut position) = position(before);
    play(&rules, &mut position, mv);
    let found = rules.ending(&position).map(|ending| {
        assert_eq!(ending.reason, LINE);
        let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
        let winner = if places == [1, 2, 1, 2] { 0 } else { 1 };
        assert_eq!(places, [1 + winner, 2 - winner, 1 + winner, 2 - winner]);
        let lines: Vec<String> = ending
            .marks
            .iter()
            .map(|mark| {
                assert!(matches!(mark.kind, MarkKind::Line(side) if side.index() == winner));
                mark.squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
            })
            .collect();
        (winner, lines, ending.why.to_string())
    });
    let expected = expected.map(|(winner, lines, why)| {
        (winner, lines.iter().map(|line| (*line).to_owned()).collect(), why.to_owned())
    });
    assert_eq!(found, expected, "{}", token(&rules, &position));
}

#[test]
fn a_line_wins_for_both_teammates_whatever_its_dots() {
    check(
        "...../wwee./...../...../ns.nn:1:8",
        "c5c1s",
        Some((0, &["a1 b1 c1 d1 e1"], "seat 1 has made a full line of `x` (a1 to e1) for itself and seat 3")),
    );
}

#[test]
fn a_column_and_a_long_diagonal_win_too() {
    check(
        "...../w..../e..ss/w..nn/ew.sn:4:15",
        "b5a5e",
        Some((1, &["a1 a2 a3 a4 a5"], "seat 4 has made a full line of `o` (a1 to a5) for itself and seat 2")),
    );
    check(
        "....n/.w.s./..w../.n.e./s.n.w:2:13",
        "b5a5w",
        Some((1, &["e1 d2 c3 b4 a5"], "seat 2 has made a full line of `o` (a5 to e1) for itself and seat 4")),
    );
}

#[test]
fn the_opponents_line_loses_for_both_teammates_even_with_an_own_line() {
    // Pushing file a down brings the noughts of rank 3 together.
    let before = "...../w..n./.eewe/...../s.n.n:1:12";
    check(
        before,
        "a1a5n",
        Some((
            1,
            &["a3 b3 c3 d3 e3"],
            "seat 1 has made a full line of the opponents' `o` (a3 to e3) and so has lost, together with seat 3",
        )),
    );
    // The same, but the top rank is also full of crosses.
    let before = ".snss/w..../.eewe/...../s....:1:12";
    check(
        before,
        "a1a5n",
        Some((
            1,
            &["a3 b3 c3 d3 e3"],
            "seat 1 has made a full line of the opponents' `o` (a3 to e3) and so has lost, together with \
             seat 3, even with a line of their own (a5 to e5)",
        )),
    );
}

#[test]
fn every_line_of_the_winners_is_shown() {
    let before = ".nssn/.ne../w.s.e/.w.n./.ee.s:1:40";
    check(before, "a2e2n", None);
    check(
        before,
        "a1a5s",
        Some((
            0,
            &["a5 b5 c5 d5 e5", "e1 d2 c3 b4 a5"],
            "seat 1 has made a full line of `x` (a5 to e5 and a5 to e1) for itself and seat 3",
        )),
    );
}

#[test]
fn a_finished_position_can_be_read_and_has_no_moves() {
    for (text, places) in [
        ("nsnsn/...w./..e../.w.../.....:2:9", [1, 2, 1, 2]),
        // Both have a line: the team that did not move last has won.
        ("nsnsn/wewew/...../...../.....:1:12", [1, 2, 1, 2]),
        ("nsnsn/wewew/...../...../.....:2:13", [2, 1, 2, 1]),
    ] {
        let (rules, position) = position(text);
        assert_eq!(token(&rules, &position), text);
        let ending = rules.ending(&position).expect("a line stands");
        let found: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
        assert_eq!(found, places, "{text}");
        assert_eq!(legal(&rules, &position), [""; 0]);
    }
}

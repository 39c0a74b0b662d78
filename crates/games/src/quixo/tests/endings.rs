//! The winners, and the marked lines.

use super::*;
use crate::ending::LINE;
use crate::scene::MarkKind;

/// Plays a move and checks the winner's seat and the marked lines.
#[track_caller]
fn check(size: usize, before: &str, mv: &str, expected: Option<(usize, &[&str])>) {
    let (rules, mut position) = position(size, before);
    let mv = rules.parse_move(mv).expect("a move");
    assert!(rules.is_legal(&position, mv, &mut Vec::new()), "{}", rules.refusal(&position, mv));
    rules.play(&mut position, mv);
    let ending = rules.ending(&position);
    let found = ending.map(|ending| {
        assert_eq!(ending.reason, LINE);
        let winner = Seat::all(2).find(|seat| ending.places[*seat].number() == 1).expect("somebody won");
        assert_eq!(ending.places[winner.next(2)].number(), 2);
        let lines: Vec<String> = ending
            .marks
            .iter()
            .map(|mark| {
                assert!(matches!(mark.kind, MarkKind::Line(side) if side.index() == winner.index()));
                mark.squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
            })
            .collect();
        (winner.number(), lines)
    });
    let expected =
        expected.map(|(seat, lines)| (seat, lines.iter().map(|line| (*line).to_owned()).collect()));
    assert_eq!(found, expected, "{}", token(&rules, &position));
}

#[test]
fn a_row_column_or_long_diagonal_wins() {
    check(5, "...../...../oooo./xxxx./.....:1:8", "e2e1", None);
    check(5, "...../...../oooo./xxxx./.....:1:8", "e2a2", Some((1, &["a2 b2 c2 d2 e2"])));
    check(4, "x.../x.../x.../.ooo:1:6", "a1d1", None);
    check(4, "x.o./x..o/x.o./....:1:6", "a1d1", None);
    check(4, "x.o./x.o./x..o/....:1:6", "b1a1", Some((1, &["a1 a2 a3 a4"])));
    check(4, "...o/x.o./.o../..xx:2:7", "b1a1", Some((2, &["a1 b2 c3 d4"])));
}

#[test]
fn a_line_is_found_on_every_size() {
    for size in 3..=8 {
        let rules = Quixo::new(size);
        for line in &rules.board.lines {
            let full = Position::new([0, *line], 2 * size as u32 + 1);
            assert_eq!(rules.winner(&full), Some(Seat::SECOND), "{}", token(&rules, &full));
            for missing in board::squares(*line) {
                let lacking = Position::new([1 << missing, line & !(1 << missing)], 21);
                assert_eq!(rules.winner(&lacking), None, "{}", token(&rules, &lacking));
            }
        }
        assert_eq!(rules.board.lines.len(), 2 * size + 2);
    }
}

#[test]
fn the_opponents_line_loses_even_with_an_own_line() {
    // Pushing the left column down brings the noughts of rank 2 together.
    check(3, "o.x/.oo/xx.:1:6", "a1a3", Some((2, &["a2 b2 c2"])));
    // The same, but the top rank is also full of crosses.
    check(3, "oxx/.oo/.x.:1:6", "a1a3", Some((2, &["a2 b2 c2"])));
}

#[test]
fn every_line_of_the_winner_is_shown() {
    check(3, ".xx/oxo/.ox:1:8", "a1a3", Some((1, &["a3 b3 c3", "c1 b2 a3"])));
}

#[test]
fn a_finished_position_can_be_read_and_has_no_moves() {
    for (text, winner) in [("xxx/.o./o..:2:5", 1), ("xxx/ooo/...:1:6", 1), ("xxx/ooo/...:2:7", 2)] {
        let (rules, position) = position(3, text);
        assert_eq!(token(&rules, &position), text);
        let ending = rules.ending(&position).expect("a line stands");
        let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
        assert_eq!(places, if winner == 1 { [1, 2] } else { [2, 1] }, "{text}");
        let mut moves = Vec::new();
        rules.legal_moves(&position, &mut moves);
        assert_eq!((moves.len(), rules.count_legal_moves(&position, &mut Vec::new())), (0, 0));
    }
}

//! The winners, the reasons, and games without a winner.

use super::*;
use crate::ending::LINE;
use crate::scene::MarkKind;
use crate::trexo::BLOCKED;
use crate::trexo::STOCK;

/// Plays moves of which only the last ends the game, and checks the winner, if any, the marked lines and the
/// explanation.
#[track_caller]
fn check(rules: &Trexo, moves: &str, winner: Option<usize>, lines: &[&str], why: &str) {
    let position = after(rules, moves);
    let ending = rules.ending(&position).unwrap_or_else(|| panic!("{moves} ends nothing"));
    let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
    let expected = match winner {
        Some(1) => [1, 2],
        Some(_) => [2, 1],
        None => [1, 1],
    };
    assert_eq!(places, expected, "{moves}");
    let found: Vec<String> = ending
        .marks
        .iter()
        .map(|mark| {
            let side = winner.map(|seat| seat - 1);
            assert!(matches!(mark.kind, MarkKind::Line(line_side) if Some(line_side.index()) == side));
            mark.squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(found, lines, "{moves}");
    assert_eq!(ending.why.to_string(), why, "{moves}");
    assert_eq!(ending.reason == LINE, winner.is_some());
    assert!(rules.is_over(&position));
    assert_eq!((legal(rules, &position).len(), rules.count_legal_moves(&position, &mut Vec::new())), (0, 0));
    assert_eq!(rules.parse_position(&token(rules, &position)), Ok(position));
}

#[track_caller]
fn goes_on(rules: &Trexo, moves: &str) {
    let position = after(rules, moves);
    assert_eq!(rules.ending(&position), None, "{moves}");
    assert!(!rules.is_over(&position));
}

/// Four crosses in rank 2 whose noughts make no line.
const FOUR: &str = "a2a1 b2b3 c2c1 d2d3";

#[test]
fn five_in_a_row_win_in_every_direction() {
    let rules = rules(10);
    goes_on(&rules, FOUR);
    let why = "seat 1 has made a line of 5 `x`: a2 to e2";
    check(&rules, &format!("{FOUR} e2f2"), Some(1), &["a2 b2 c2 d2 e2"], why);

    let upwards = "j10i10 a1b1 c2b2 a3b3 c4b4";
    goes_on(&rules, upwards);
    let why = "seat 2 has made a line of 5 `o`: b1 to b5";
    check(&rules, &format!("{upwards} a5b5"), Some(2), &["b1 b2 b3 b4 b5"], why);

    let rising = "a1a2 b2b1 c3c4 d4d3";
    goes_on(&rules, rising);
    let why = "seat 1 has made a line of 5 `x`: a1 to e5";
    check(&rules, &format!("{rising} e5e6"), Some(1), &["a1 b2 c3 d4 e5"], why);

    let falling = "j10i10 a7a6 b4b5 c5c4 d2d3";
    goes_on(&rules, falling);
    let why = "seat 2 has made a line of 5 `o`: a6 to e2";
    check(&rules, &format!("{falling} e3e2"), Some(2), &["e2 d3 c4 b5 a6"], why);
}

#[test]
fn more_than_five_in_a_row_are_one_line() {
    let why = "seat 1 has made a line of 6 `x`: a2 to f2";
    check(&rules(10), &format!("{FOUR} f2f1 j10i10 e2e3"), Some(1), &["a2 b2 c2 d2 e2 f2"], why);
}

#[test]
fn visible_symbols_count_at_any_level() {
    let higher = format!("{FOUR} f2e2 e1f1");
    goes_on(&rules(10), &higher);
    let why = "seat 1 has made a line of 6 `x`: a2 to f2";
    check(&rules(10), &format!("{higher} e2e1"), Some(1), &["a2 b2 c2 d2 e2 f2"], why);
}

#[test]
fn covered_symbols_do_not_count() {
    goes_on(&rules(10), &format!("{FOUR} d2c2 e2e1"));
}

#[test]
fn the_opponents_line_loses() {
    let why = "seat 2 has made a line of 5 `x` for the opponent (a2 to e2) and so has lost";
    check(&rules(10), &format!("j10i10 {FOUR} e2f2"), Some(1), &["a2 b2 c2 d2 e2"], why);
}

#[test]
fn the_opponents_line_loses_even_with_an_own_line() {
    let both = "a1a2 b1b2 c1c2 d1d2 e1e2";
    let why = "seat 1 has made a line of 5 `o` for the opponent (a2 to e2) and so has lost, \
               even with a line of its own (a1 to e1)";
    check(&rules(10), both, Some(2), &["a2 b2 c2 d2 e2"], why);
    let why = "seat 2 has made a line of 5 `x` for the opponent (a1 to e1) and so has lost, \
               even with a line of its own (a2 to e2)";
    check(&rules(10), &format!("j10i10 {both}"), Some(1), &["a1 b1 c1 d1 e1"], why);
}

#[test]
fn every_line_of_the_winner_is_shown() {
    let rules = Trexo::new(6, 60, 3);
    let why = "seat 1 has made lines of `x`: a1 to c1 and c1 to c3";
    check(&rules, "a1a2 b1b2 c2d2 c3b3 c1d1", Some(1), &["a1 b1 c1", "c1 c2 c3"], why);
}

#[test]
fn a_line_is_found_on_every_size_and_in_every_length() {
    for (size, line) in (6..=16).flat_map(|size| (3..=size).map(move |line| (size, line))) {
        let board = Geometry::new(size, line);
        let windows = board.windows.iter().map(|windows| windows.count() as usize).sum::<usize>();
        let room = size - line + 1;
        assert_eq!(windows, 2 * size * room + 2 * room * room);
        for (windows, step) in board.windows.into_iter().zip(board::STEPS) {
            for first in windows.numbers() {
                let squares = (0..line as u32).map(|place| first + (place * step) as u8);
                let full: board::Squares = squares.clone().collect();
                assert_eq!(board.full_lines(full).len(), 1);
                for square in squares.clone() {
                    assert!(board.has_line_at(full, square), "{size} {line}: {square} of {full:?}");
                }
                for missing in squares.clone() {
                    let mut lacking = full;
                    lacking.remove(missing);
                    assert_eq!(board.full_lines(lacking).len(), 0);
                    let other = if missing == first { first + step as u8 } else { first };
                    assert!(!board.has_line_at(lacking, other), "{size} {line}: {other} of {lacking:?}");
                }
            }
        }
    }
}

#[test]
fn the_game_is_drawn_when_the_stock_is_empty() {
    let three = Trexo::new(6, 3, 5);
    goes_on(&three, "a1a2 c1c2");
    check(&three, "a1a2 c1c2 e1e2", None, &[], "all 3 tiles are laid and nobody has a line of 5");
    let position = after(&three, "a1a2 c1c2 e1e2");
    assert_eq!(three.ending(&position).map(|ending| ending.reason), Some(STOCK));
    check(&Trexo::new(6, 1, 5), "a1a2", None, &[], "the only tile is laid and nobody has a line of 5");
}

#[test]
fn a_line_with_the_last_tile_wins() {
    let why = "seat 1 has made a line of 5 `x`: a1 to e5";
    let last = "a1a2 b2b1 c3c4 d4d3 e5e6";
    check(&Trexo::new(6, 5, 5), last, Some(1), &["a1 b2 c3 d4 e5"], why);
}

/// Makes the small board with tiles along the ranks on all squares except `a1` and `b1`; no two adjacent tiles are at
/// the same level.
fn one_place_left() -> String {
    let mut cells = String::new();
    for (rank, pair) in (0..6).flat_map(|rank| (0..3).map(move |pair| (rank, pair))).skip(1) {
        let level = 1 + (rank + pair) % 2;
        let [left, right] = if rank / 2 % 2 == 0 { ["x", "o"] } else { ["o", "x"] };
        let (west, east) = (Square::new(2 * pair, rank), Square::new(2 * pair + 1, rank));
        cells.push_str(&format!("{west} {left}e{level} {east} {right}w{level} "));
    }
    small(&cells)
}

#[test]
fn the_game_is_drawn_without_room_for_a_tile() {
    let rules = rules(6);
    let before = position(&rules, &one_place_left());
    assert_eq!(before.ply(), 26);
    assert_eq!(legal(&rules, &before), ["a1b1", "b1a1"]);
    let mut blocked = before;
    rules.play(&mut blocked, rules.parse_move("a1b1").expect("a move"));
    let ending = rules.ending(&blocked).expect("nothing can be laid");
    assert_eq!((ending.reason, ending.marks.len()), (BLOCKED, 0));
    assert_eq!(ending.places, BySeat::all_tied(&rules.teams()));
    assert_eq!(
        ending.why.to_string(),
        "there is no room for another tile (33 left): neighboring squares differ in level or are halves of one tile"
    );
    assert!(rules.is_over(&blocked));
    assert_eq!(rules.parse_position(&token(&rules, &blocked)), Ok(blocked));
    assert_eq!(rules.evaluate(&blocked)[Seat::FIRST], 0);
}

#[test]
fn an_empty_stock_takes_precedence_over_no_room() {
    let rules = Trexo::new(6, 27, 5);
    let mut last = position(&rules, &one_place_left());
    rules.play(&mut last, rules.parse_move("b1a1").expect("a move"));
    assert_eq!(rules.ending(&last).map(|ending| ending.reason), Some(STOCK));
}

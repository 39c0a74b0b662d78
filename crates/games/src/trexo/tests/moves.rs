//! The possible places of tiles, and the refusals of other moves.

use super::*;
use crate::trexo::STOCK;

#[test]
fn a_tile_fits_on_any_two_neighbours_either_way_round() {
    for (size, expected) in [(6, 120), (10, 360), (16, 960)] {
        let rules = rules(size);
        let moves = legal(&rules, &rules.start());
        assert_eq!(moves.len(), expected);
        assert!(["a1b1", "b1a1", "a1a2", "a2a1"].iter().all(|mv| moves.contains(&(*mv).to_owned())));
        let (last, left) = (Square::new(size - 1, size - 1), Square::new(size - 2, size - 1));
        assert!(moves.contains(&format!("{last}{left}")) && moves.contains(&format!("{left}{last}")));
    }
}

#[test]
fn a_tile_lies_on_the_board_or_on_two_different_tiles() {
    let rules = rules(6);
    let position = after(&rules, "a1b1 c1d1");
    let moves = legal(&rules, &position);
    // The board has 60 pairs of neighbours. Four pairs join a covered square with the bare rank above and one
    // with the square to the right; two pairs are the halves of one tile.
    assert_eq!(moves.len(), 2 * (60 - 5 - 2));
    for (text, listed) in [
        ("b1c1", true),
        ("c1b1", true),
        ("a1b1", false),
        ("b1a1", false),
        ("d1c1", false),
        ("d1e1", false),
        ("a1a2", false),
        ("a2b2", true),
        ("e1f1", true),
        ("f6f5", true),
    ] {
        assert_eq!(moves.contains(&text.to_owned()), listed, "{text}");
    }
}

#[test]
fn tiles_can_be_stacked_as_high_as_the_stock_allows() {
    let rules = Trexo::new(6, 512, 5);
    let mut position = rules.start();
    for level in 1..=255 {
        let tiles = if level % 2 == 1 { ["a1b1", "a2b2"] } else { ["a1a2", "b1b2"] };
        for text in tiles {
            let mv = rules.parse_move(text).expect("a move");
            assert!(rules.is_legal(&position, mv, &mut Vec::new()), "{text} at level {level}");
            rules.play(&mut position, mv);
        }
        assert_eq!(position.cell(0).level(), level);
    }
    for text in ["a1a2", "c1d1"] {
        assert!(!rules.is_over(&position));
        rules.play(&mut position, rules.parse_move(text).expect("a move"));
    }
    assert_eq!(position.cell(0).level(), 256);
    assert_eq!(rules.ending(&position).map(|ending| ending.reason), Some(STOCK));
    let text = token(&rules, &position);
    assert!(text.ends_with("/os256,ow255,.,.,.,./xn256,ow255,xe1,ow1,.,.:1:512"), "{text}");
}

#[track_caller]
fn refused(position: &Position, rules: &Trexo, text: &str, expected: &str) {
    testkit::refused(rules, position, text, expected);
}

#[test]
fn each_kind_of_illegal_move_has_its_explanation() {
    let rules = rules(10);
    // One tile on two others in rank 4, and one elsewhere.
    let position = after(&rules, "d4e4 f4g4 e4f4 a1a2");
    for (text, expected) in [
        ("j10k10", "there is no square `k10`: a tile must lie on the board, which goes from `a1` to `j10`"),
        ("j11j10", "there is no square `j11`: a tile must lie on the board, which goes from `a1` to `j10`"),
        ("c3c3", "both halves of the tile are on `c3`: a tile must cover two squares"),
        (
            "c3d2",
            "`c3` and `d2` have no side in common: a tile must cover two neighbors in a row or a column",
        ),
        (
            "c3c5",
            "`c3` and `c5` have no side in common: a tile must cover two neighbors in a row or a column",
        ),
        (
            "j1a2",
            "`j1` and `a2` have no side in common: a tile must cover two neighbors in a row or a column",
        ),
        ("d4d5", "`d4` is at level 1 and `d5` is empty: both halves of a tile must rest at the same level"),
        (
            "d4e4",
            "`d4` is at level 1 and `e4` is at level 2: both halves of a tile must rest at the same level",
        ),
        ("b1a1", "`b1` is empty and `a1` is at level 1: both halves of a tile must rest at the same level"),
        ("e4f4", "`e4` and `f4` are the two halves of one tile: a tile must rest on two different tiles"),
        ("a2a1", "`a2` and `a1` are the two halves of one tile: a tile must rest on two different tiles"),
    ] {
        refused(&position, &rules, text, expected);
    }
    let over = after(&Trexo::new(10, 1, 5), "a1a2");
    refused(&over, &Trexo::new(10, 1, 5), "c1c2", "the game is over");
}

#[test]
fn halves_of_different_tiles_carry_a_tile_at_any_level() {
    let rules = rules(6);
    let before = "a1b1 c1d1 a2b2 c2d2 b1c1 b2c2";
    let position = after(&rules, before);
    assert!(legal(&rules, &position).contains(&"b1b2".to_owned()));
    let position = after(&rules, &format!("{before} b1b2"));
    refused(
        &position,
        &rules,
        "b2b1",
        "`b2` and `b1` are the two halves of one tile: a tile must rest on two different tiles",
    );
    refused(
        &position,
        &rules,
        "b1c1",
        "`b1` is at level 3 and `c1` is at level 2: both halves of a tile must rest at the same level",
    );
    assert!(legal(&rules, &position).contains(&"c1c2".to_owned()));
}

#[test]
fn the_last_tile_and_visible_joints_are_shown() {
    let rules = rules(6);
    let last = rules.parse_move("b1c1").expect("a move");
    let scene = rules.draw(&after(&rules, "a1b1 c1d1 b1c1"), Some(last));
    let shown = |file| {
        let cell = scene.boards[0].cell(Square::new(file, 0));
        let piece = cell.piece.as_ref()?;
        Some(format!("{}{:?}{:?}", piece.symbol, piece.pointer, piece.level))
    };
    assert_eq!(shown(0).as_deref(), Some("xNoneSome(1)"));
    assert_eq!(shown(1).as_deref(), Some("xSome(Joint(East))Some(2)"));
    assert_eq!(shown(2).as_deref(), Some("oSome(Joint(West))Some(2)"));
    assert_eq!(shown(3).as_deref(), Some("oNoneSome(1)"));
    assert_eq!(shown(4), None);
    let marks: Vec<String> =
        scene.marks.iter().map(|mark| format!("{:?} {:?}", mark.kind, mark.squares)).collect();
    assert_eq!(marks, ["To [b1, c1]"]);
    assert_eq!(scene.captions, ["57 of 60 tiles left"]);
    assert_eq!(rules.draw(&rules.start(), None).marks, []);
}

#[test]
fn nearly_full_windows_are_worth_more_and_a_win_is_worth_most() {
    let rules = rules(10);
    let value = |moves| {
        let values = rules.evaluate(&after(&rules, moves));
        assert_eq!(values[Seat::FIRST], -values[Seat::SECOND]);
        values[Seat::FIRST]
    };
    assert_eq!(value(""), 0);
    // Crosses are together in rank 5, noughts are apart.
    let two = value("d5d4 e5e6 a1b1 j10i10");
    let three = value("d5d4 e5e6 f5f4 j10i10");
    let four = value("d5d4 e5e6 f5f4 g5g6");
    let won = value("d5d4 e5e6 f5f4 g5g6 h5i5");
    assert!(two < three && three < four && four < won, "{two} {three} {four} {won}");
    assert!(value("d4d5 e6e5 f4f5 g6g5") < 0);
    // The same four have a lower value with the opponent to move.
    assert!(value("a10b10 d5d4 e5e6 f5f4 g5g6") < four);
}

#[test]
fn a_square_that_cannot_be_covered_closes_its_windows() {
    let rules = rules(6);
    let value = |cells: &str| rules.evaluate(&position(&rules, &small(cells)))[Seat::FIRST];
    let four = "a1 xn1 a2 os1 b1 xn1 b2 os1 c1 xn1 c2 os1 d1 xn1 d2 os1";
    let (open, closed) = (value(four), value(&format!("{four} e1 oe2 f1 xw2")));
    assert!(closed < 0 && 0 < open, "{closed} {open}");
}

//! The winners, the reasons, and the marked lines.

use super::*;
use crate::ending::LINE;
use crate::kengu::ALL_CARDS;
use crate::kengu::FLIP;
use crate::scene::MarkKind;
use linesman_types::verdict::Reason;

/// Plays a move and checks the end of the game: the winner (0 = none), the reason, the marked lines and the
/// explanation.
#[track_caller]
fn ends(before: &str, mv: &str, winner: usize, reason: Reason, lines: &[&str], why: &str) {
    let position = after(before, mv);
    ended(&position, winner, reason, lines, why);
    assert_eq!(legal(&position), [] as [&str; 0]);
    assert_eq!(Kengu.count_legal_moves(&position, &mut Vec::new()), 0);
}

#[track_caller]
fn ended(position: &Position, winner: usize, reason: Reason, lines: &[&str], why: &str) {
    let ending = Kengu.ending(position).unwrap_or_else(|| panic!("{} goes on", token(position)));
    let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
    assert_eq!(places, [[1, 1], [1, 2], [2, 1]][winner], "{}", token(position));
    assert_eq!(ending.reason, reason);
    let shown: Vec<String> = ending
        .marks
        .iter()
        .map(|mark| {
            assert!(matches!(mark.kind, MarkKind::Line(side) if side.index() + 1 == winner));
            mark.squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(shown, lines);
    assert_eq!(ending.why.to_string(), why);
}

#[track_caller]
fn goes_on(before: &str, mv: &str) -> Position {
    let position = after(before, mv);
    assert_eq!(Kengu.ending(&position), None);
    assert!(!Kengu.is_over(&position) && !legal(&position).is_empty());
    position
}

#[test]
fn a_line_wins_if_the_opponent_has_no_flip() {
    ends(
        "oxXo/x.OX/oxX./xOoo:1:14",
        "d1d2/b3y",
        1,
        LINE,
        &["b2 b3 b4"],
        "seat 1 has three yellow crosses in a row (b2 to b4), and seat 2 can't flip any card",
    );
}

#[test]
fn a_line_wins_if_every_flip_leaves_it() {
    ends(
        "OxOx/o.oX/XxOX/o..X:2:13",
        "d1c1/b3r",
        2,
        LINE,
        &["c2 b3 a4"],
        "seat 2 has three red noughts in a row (a4 to c2), and seat 1 can't break it with any flip",
    );
}

#[test]
fn a_line_wins_if_the_flip_that_breaks_it_makes_another() {
    // Only the card at a2 of the red line can be flipped, and on a3 it makes a yellow line
    // with those at b3 and c3.
    ends(
        "x..o/.xxO/XXox/Oo.o:1:12",
        "c2c1/c2r",
        1,
        LINE,
        &["a2 b2 c2"],
        "seat 1 has three red crosses in a row (a2 to c2), and seat 2 can't break it with any flip",
    );
}

#[test]
fn every_line_of_the_winner_is_marked() {
    ends(
        "..OX/.o.X/xXX./OO.o:1:10",
        "c4b4/d2r",
        1,
        LINE,
        &["b2 c2 d2", "d2 d3 d4"],
        "seat 1 has three red crosses in a row (b2 to d2 and d2 to d4), and seat 2 can't break it with any flip",
    );
    ends(
        "xx.x/XoOO/oX.o/XxoO:1:14",
        "c3c2/c4y",
        1,
        LINE,
        &["a4 b4 c4", "b4 c4 d4"],
        "seat 1 has three yellow crosses in a row (a4 to c4 and b4 to d4), and seat 2 can't break it with any flip",
    );
}

#[test]
fn a_line_that_can_be_broken_does_not_win_yet() {
    let open = goes_on("..../X.../XXO./o.o.:1:6", "a1b1/a4r");
    assert_eq!(token(&open), "X.../X.../XXO./.Oo.:2:7");
    // The game continues if the opponent breaks the line, and is lost for the opponent otherwise.
    goes_on(&token(&open), "a4b4/d4r");
    ends(
        &token(&open),
        "b2b3",
        1,
        FLIP,
        &["a2 a3 a4"],
        "seat 2 has lost: its flip left the opponent with three red crosses in a row (a2 to a4)",
    );
}

#[test]
fn a_placed_card_does_not_break_a_line() {
    // Nothing that seat 2 could place on b1 or anywhere breaks a2 to a4.
    let open = position("X.../X.../XXO./.Oo.:2:7");
    let saving: Vec<String> = legal(&open).into_iter().filter(|text| text.contains('/')).collect();
    assert!(saving.iter().all(|text| ["a2a1", "a3b3", "a4b4"].contains(&&text[..4])), "{saving:?}");
    assert!(legal(&open).contains(&"b2b3".to_owned()));
}

#[test]
fn a_flip_that_gives_the_opponent_a_line_loses_at_once() {
    ends(
        ".oo./XO.x/O.XX/.oXX:2:11",
        "d3c3",
        1,
        FLIP,
        &["c1 c2 c3"],
        "seat 2 has lost: its flip left the opponent with three red crosses in a row (c1 to c3)",
    );
}

#[test]
fn a_losing_flip_is_forced_if_there_is_no_other() {
    let stuck = position("oXOx/XoXo/xXOx/.OxO:2:15");
    assert_eq!(legal(&stuck), ["a2a1"]);
    assert_eq!(Kengu.count_legal_moves(&stuck, &mut Vec::new()), 1);
    ends(
        "oXOx/XoXo/xXOx/.OxO:2:15",
        "a2a1",
        1,
        FLIP,
        &["a1 b2 c3"],
        "seat 2 has lost: its flip left the opponent with three red crosses in a row (a1 to c3)",
    );
}

#[test]
fn cards_of_two_colours_or_two_players_are_not_a_line() {
    goes_on("..../...o/.O../Xx..:1:4", "b2b3/c1r");
    let mixed = position("..../..../oO.x/XOX.:1:6");
    assert_eq!(Kengu.ending(&mixed), None);
}

#[test]
fn the_game_is_drawn_when_all_cards_are_placed_without_a_line() {
    ends(
        "OOxx/xoXX/.Oxo/xXOo:2:15",
        "a3a2/a3y",
        0,
        ALL_CARDS,
        &[],
        "all cards are placed and there is no winning line",
    );
}

#[test]
fn a_line_with_the_last_card_wins() {
    ends(
        ".Xxx/OXOX/OoxO/Xoox:2:15",
        "b4a4/b4r",
        2,
        LINE,
        &["d2 c3 b4"],
        "seat 2 has three red noughts in a row (b4 to d2), and seat 1 can't flip any card",
    );
}

#[test]
fn the_outcome_depends_only_on_the_token() {
    // If both have lines, the seat to move has won.
    let why = "seat 2 has lost: its flip left the opponent with three red crosses in a row (a1 to c1)";
    ended(&position("..../..../OOO./XXX.:1:6"), 1, FLIP, &["a1 b1 c1"], why);
    let why = "seat 1 has lost: its flip left the opponent with three red noughts in a row (a2 to c2)";
    ended(&position("...x/..../OOO./XXX.:2:7"), 2, FLIP, &["a2 b2 c2"], why);
    // The same with one card less, since none was placed.
    ended(&position("..../..../OOO./XXX.:2:7"), 2, FLIP, &["a2 b2 c2"], why);
    // The seat to move has no line, and can break that of the other seat.
    assert_eq!(Kengu.ending(&position("..../..../oO../XXX.:2:5")), None);
}

#[test]
fn every_line_is_found_in_each_colour() {
    let mut found = 0;
    for line in board::LINES {
        for colour in Colour::ALL {
            let mut cards = board::Cards::default();
            for square in board::squares(line) {
                assert!(!cards.has_line());
                cards = cards.with(square, colour);
            }
            assert!(cards.has_line());
            assert_eq!(cards.lines().collect::<Vec<_>>(), [(colour, line)]);
            found += 1;
        }
    }
    assert_eq!(found, 48);
}

/// Three squares are a line if and only if they are neighbours in a row.
#[test]
fn only_three_neighbours_in_a_row_are_a_line() {
    for (a, b, c) in (0..16).flat_map(|a| (a..16).flat_map(move |b| (b..16).map(move |c| (a, b, c)))) {
        let set = 1u16 << a | 1 << b | 1 << c;
        let [at, by, to] = [a, b, c].map(|index| (index % 4, index / 4));
        let step = (by.0 - at.0, by.1 - at.1);
        let in_row = (to.0 - by.0, to.1 - by.1) == step
            && step != (0, 0)
            && [step.0, step.1].iter().all(|part: &i32| part.abs() <= 1);
        assert_eq!(board::LINES.contains(&set), in_row, "{set:016b}");
    }
}

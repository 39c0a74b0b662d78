//! The effects of moves, and the refusals of those that are not legal.

use super::*;
use crate::scene::Tint;

#[test]
fn the_first_card_is_placed_without_a_flip() {
    let start = Kengu.start();
    assert_eq!(legal(&start).len(), 32);
    assert_eq!(token(&after("..../..../..../....:1:0", "a1r")), "..../..../..../X...:2:1");
    assert_eq!(token(&after("..../..../..../....:1:0", "c4y")), "..x./..../..../....:2:1");
}

#[test]
fn a_flipped_card_moves_over_an_edge_and_changes_its_colour() {
    let before = "..../..../.X../....:2:1";
    assert_eq!(token(&after(before, "b2b3/d4r")), "...O/.x../..../....:1:2");
    assert_eq!(token(&after(before, "b2c2/a1y")), "..../..../..x./o...:1:2");
    assert_eq!(token(&after("..x./O.../.X../....:2:3", "c4d4/d1y")), "...X/O.../.X../...o:1:4");
    // Never over a corner, and only onto the board.
    let flips = |text: &str| {
        let mut flips: Vec<String> = legal(&position(text)).iter().map(|text| text[..4].to_owned()).collect();
        flips.dedup();
        flips
    };
    assert_eq!(flips(before), ["b2a2", "b2b1", "b2b3", "b2c2"]);
    assert_eq!(flips("..../..../..../X...:2:1"), ["a1a2", "a1b1"]);
    assert_eq!(flips("..../...X/..../....:2:1"), ["d3c3", "d3d2", "d3d4"]);
}

#[test]
fn a_card_may_be_placed_on_the_square_that_the_flip_left() {
    assert_eq!(token(&after("..../..../.X../....:2:1", "b2b3/b2r")), "..../.x../.O../....:1:2");
}

#[test]
fn every_flip_is_combined_with_every_placement() {
    let moves = legal(&position("..../..../..../X...:2:1"));
    assert_eq!(moves.len(), 2 * 15 * 2);
    assert!(moves.contains(&"a1b1/a1y".to_owned()) && !moves.contains(&"a1b1/b1y".to_owned()));
}

#[test]
fn a_card_is_placed_alone_if_none_can_be_flipped() {
    // The noughts are enclosed by crosses.
    let enclosed = position("..xO/...X/..xO/.XoO:1:8");
    assert_eq!(legal(&enclosed).len(), 2 * 8);
    assert!(legal(&enclosed).iter().all(|text| text.len() == 3));
    assert_eq!(token(&after("..xO/...X/..xO/.XoO:1:8", "b4r")), ".XxO/...X/..xO/.XoO:2:9");
}

#[track_caller]
fn refused(before: &str, mv: &str, expected: &str) {
    let position = position(before);
    testkit::refused(&Kengu, &position, mv, expected);
}

const OPEN: &str = "..../..o./.X../x...:2:3";

#[test]
fn a_flip_may_not_be_left_out() {
    refused(
        OPEN,
        "d4r",
        "no card is flipped, but one of the opponent's crosses must be if possible, for example `a1` onto `b1`",
    );
    refused(
        "..../..o./.X../....:1:2",
        "d4r",
        "no card is flipped, but one of the opponent's noughts must be if possible, for example `c3` onto `c2`",
    );
}

#[test]
fn a_losing_flip_may_not_be_left_out_either() {
    refused(
        "oXOx/XoXo/xXOx/.OxO:2:15",
        "a1r",
        "no card is flipped, but one of the opponent's crosses must be if possible, even though every flip loses here: \
         the move is a flip alone, such as `a2a1`",
    );
}

#[test]
fn an_empty_square_is_not_flipped() {
    refused(OPEN, "d4d3/a4r", "there is no card at `d4` to flip");
    refused("..../..../..../....:1:0", "d4d3/a4r", "there is no card at `d4` to flip");
}

#[test]
fn an_own_card_is_not_flipped() {
    refused(
        OPEN,
        "c3d3/a4r",
        "the card at `c3` is the mover's own; only the opponent's crosses may be flipped",
    );
}

#[test]
fn a_card_is_flipped_onto_a_neighbouring_square() {
    refused(
        OPEN,
        "b2a3/a4r",
        "`a3` is not next to `b2`: a card is flipped over an edge, from `b2` onto `b1`, `a2`, `c2` or `b3`",
    );
    refused(
        OPEN,
        "a1a3/a4r",
        "`a3` is not next to `a1`: a card is flipped over an edge, from `a1` onto `b1` or `a2`",
    );
    refused(
        OPEN,
        "a1a1/a4r",
        "`a1` is not next to `a1`: a card is flipped over an edge, from `a1` onto `b1` or `a2`",
    );
    refused(
        "...x/..../..../....:2:1",
        "d4a3/a4r",
        "`a3` is not next to `d4`: a card is flipped over an edge, from `d4` onto `d3` or `c4`",
    );
}

#[test]
fn a_card_is_flipped_onto_an_empty_square() {
    let before = "..../.o../.X../x...:2:3";
    refused(
        before,
        "b2b3/a4r",
        "there is already a card at `b3`; a card must be flipped onto an empty square",
    );
    let before = "..../.o../xX../....:2:3";
    refused(
        before,
        "a2b2/a4r",
        "there is already a card at `b2`; a card must be flipped onto an empty square",
    );
}

#[test]
fn a_card_is_placed_on_an_empty_square() {
    refused(OPEN, "a1a2/c3r", "there is already a card at `c3`; a card must be placed on an empty square");
    refused(OPEN, "a1a2/b2y", "there is already a card at `b2`; a card must be placed on an empty square");
    refused(OPEN, "a1a2/a2r", "the flipped card is now at `a2`; a card must be placed on an empty square");
    refused(
        "XXo./xXo./XO../O...:2:9",
        "a4r",
        "there is already a card at `a4`; a card must be placed on an empty square",
    );
}

#[test]
fn a_card_must_be_placed_after_a_safe_flip() {
    refused(
        OPEN,
        "b2b3",
        "the flip `b2b3` leaves the opponent without a line, so a card must be placed after it, as in `b2b3/b2r`",
    );
}

#[test]
fn nothing_is_placed_after_a_losing_flip() {
    refused(
        ".oo./XO.x/O.XX/.oXX:2:11",
        "d3c3/a1r",
        "the flip `d3c3` leaves the opponent with a line (c1 to c3) and so loses at once: no card is placed after \
         it, so the move is only `d3c3`",
    );
}

#[test]
fn nothing_is_legal_after_the_end() {
    refused("..../..../OOO./XXX.:1:6", "a2a3/d4r", "the game is over");
    refused("OOxx/ooXX/XOxo/xXOo:1:16", "a1r", "the game is over");
}

#[test]
fn the_last_move_is_marked_and_symbols_differ_by_colour() {
    let position = after("..../..../.X../....:2:1", "b2b3/d4y");
    let mv = Kengu.parse_move("b2b3/d4y").expect("a move");
    let scene = Kengu.scene(&position, Some(mv));
    let marks: Vec<String> =
        scene.marks.iter().map(|mark| format!("{:?} {:?}", mark.kind, mark.squares)).collect();
    assert_eq!(marks, ["From [b2]", "To [b3, d4]"]);
    let pieces: Vec<_> = scene.boards[0]
        .cells
        .iter()
        .filter_map(|cell| cell.piece.as_ref())
        .map(|piece| (piece.symbol, piece.tint))
        .collect();
    assert_eq!(pieces, [('x', Some(Tint('y'))), ('o', Some(Tint('y')))]);
    assert_eq!(Kengu.scene(&position, None).marks, []);
    assert_eq!(scene.captions, ["cards to place: X 7, O 7"]);
}

#[test]
fn a_win_is_worth_most_and_cards_of_one_colour_more_than_of_two() {
    let value = |text| {
        let values = Kengu.evaluate(&position(text));
        assert_eq!(values[Seat::FIRST], -values[Seat::SECOND]);
        values[Seat::FIRST]
    };
    assert_eq!(value("..../..../..../....:1:0"), 0);
    let apart = value("O.../o.../..../X.x.:1:4");
    let alike = value("O.../o.../..../X.X.:1:4");
    let won = value("..../..../OOO./XXX.:1:6");
    assert!(apart < alike && alike < won, "{apart} {alike} {won}");
    assert!(value("...x/..../OOO./XXX.:2:7") < -1000);
    assert_eq!(value("OOxx/ooXX/XOxo/xXOo:1:16"), 0);
}

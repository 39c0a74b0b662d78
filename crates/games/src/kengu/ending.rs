//! The end of a game, with its reason in words.

use crate::ending::{Ending, LINE};
use crate::kengu::board::{self, Cards};
use crate::kengu::notation::cards_word;
use crate::kengu::{ALL_CARDS, FLIP, Position};
use crate::scene::{Mark, lines_in_words};
use linesman_types::clause::Clause;
use linesman_types::seat::{Seat, Side, Teams};

/// Returns the lines of a seat's cards.
pub(super) fn lines(seat: Seat, cards: Cards) -> Vec<Mark> {
    let side = Side::from_index(seat.index());
    cards.lines().map(|(_, line)| Mark::line(side, board::squares(line).map(board::square))).collect()
}

/// Returns the end of the game, if it has ended.
pub(super) fn ending(position: &Position) -> Option<Ending> {
    let teams = Teams::singles(2);
    let waiting = position.to_move();
    let mover = waiting.next(2);
    let won = |winner: Seat, reason, why: Clause| {
        Ending::won_by(winner, &teams, reason, lines(winner, position.cards(winner)), why)
    };
    if position.is_lost_by_flip() {
        let line = describe_lines(waiting, position.own());
        let lost = format_args!(" has lost: its flip left the opponent with {line}");
        return Some(won(waiting, FLIP, Clause::default().seat(mover).words(lost)));
    }
    if position.is_won_by_line() {
        let line = describe_lines(mover, position.theirs());
        let rescue =
            if position.flippable() == 0 { "can't flip any card" } else { "can't break it with any flip" };
        let why = Clause::default().seat(mover).words(format_args!(" has {line}, and "));
        let why = why.seat(waiting).words(format_args!(" {rescue}"));
        return Some(won(mover, LINE, why));
    }
    let why = "all cards are placed and there is no winning line";
    position.is_full().then(|| Ending::drawn(&teams, ALL_CARDS, why))
}

/// Describes a seat's lines: `three red crosses in a row (a1 to c1)`.
fn describe_lines(seat: Seat, cards: Cards) -> String {
    let mut colours: Vec<&str> = cards.lines().map(|(colour, _)| colour.word()).collect();
    colours.dedup();
    let squares = lines_in_words(&lines(seat, cards));
    format!("three {} {} in a row ({squares})", colours.join(" and three "), cards_word(seat))
}

//! Explanations of the rules that moves break. `notation` explains why a text is not a move.

use crate::grid::one_of;
use crate::notation::{Illegal, Square};
use crate::tandem::board::{self, Window};
use crate::tandem::moves::Half;
use crate::tandem::{Move, Position, Tandem};
use linesman_types::seat::Seat;

impl Tandem {
    /// Returns the rule that an illegal move breaks: the first that a player needs to know.
    pub(super) fn broken_rule(&self, position: &Position, mv: Move) -> Illegal {
        match mv.halves() {
            None => Illegal::new("pass", "a seat may pass only when it has no other turn"),
            Some(halves) => self.wrong_steps(position, halves),
        }
    }

    fn wrong_steps(&self, position: &Position, halves: [Half; 2]) -> Illegal {
        let both = || halves.into_iter().enumerate();
        let stray = both().find_map(|(board, half)| self.wrong_square(board, half));
        stray
            .or_else(|| both().find_map(|(board, half)| wrong_source(position, board, half)))
            .or_else(|| wrong_kinds(position, halves))
            .or_else(|| both().find_map(|(board, half)| wrong_goal(position, board, half)))
            .or_else(|| self.wrong_colours(halves))
            .or_else(|| both().find_map(|(board, half)| self.wrong_window(position, board, half)))
            .unwrap_or_else(|| {
                Illegal::new("illegal", format!("seat {} can't make this turn", position.to_move()))
            })
    }

    /// Finds a square that is off the boards.
    fn wrong_square(&self, board: usize, half: Half) -> Option<Illegal> {
        let stray =
            half.from().into_iter().chain([half.to()]).find(|square| self.area & board::bit(*square) == 0)?;
        let last = Square::new(self.layout.width - 1, self.layout.height - 1);
        let (square, number) = (named(stray), board + 1);
        let why =
            format!("there is no square {square} on board {number}: both boards go from `a1` to `{last}`");
        Some(Illegal::new("off-board", why))
    }

    fn wrong_colours(&self, halves: [Half; 2]) -> Option<Illegal> {
        let [one, other] = [0, 1].map(|board: usize| self.layout.tint(board, halves[board].to()));
        (one != other).then(|| {
            let why = format!(
                "{} on board 1 is {one} and {} on board 2 is {other}: both steps of a turn must reach the same color",
                named(halves[0].to()),
                named(halves[1].to())
            );
            Illegal::new("colors", why)
        })
    }

    fn wrong_window(&self, position: &Position, board: usize, half: Half) -> Option<Illegal> {
        let mover = position.to_move();
        let choices = self.windows_after(position, board, half);
        let number = board + 1;
        let Some(window) = half.window() else {
            let mut texts: Vec<String> = choices.iter().map(|window| spelled(number, *window)).collect();
            texts.sort();
            let why = match &texts[..] {
                [] => return None,
                [only] => format!(
                    "the turn makes {} in a row on board {number} and must score them: add `{only}`",
                    self.line
                ),
                texts => format!(
                    "the turn makes {} in a row on board {number} and must score one window there: add {}",
                    self.line,
                    one_of(texts.iter().map(|text| format!("`{text}`")))
                ),
            };
            return Some(Illegal::new("must-score", why));
        };
        let text = spelled(number, window);
        if !self.is_window(window) {
            let why = format!("`{text}` spans {} squares, but a window has {}", window.length(), self.line);
            return Some(Illegal::new("window-length", why));
        }
        let gap = window.squares().map(board::index).find(|square| {
            let left = half.from() == Some(*square);
            half.to() != *square && (left || position.owner(board, *square) != Some(mover))
        })?;
        let found = match position.owner(board, gap) {
            _ if self.area & board::bit(gap) == 0 => "is not on the board".to_owned(),
            Some(owner) if owner != mover => format!("holds a tile of seat {owner}"),
            Some(_) => "is the square that the slide leaves".to_owned(),
            None => "is empty".to_owned(),
        };
        let why = format!("`{text}` is not a window of seat {mover}: after the turn, {} {found}", named(gap));
        Some(Illegal::new("no-window", why))
    }
}

fn named(square: u8) -> String {
    format!("`{}`", board::square(square))
}

fn spelled(number: usize, window: Window) -> String {
    format!("!{number}{}{}", board::square(window.first), board::square(window.last))
}

/// Returns the rule that forbids a slide from its square.
fn wrong_source(position: &Position, board: usize, half: Half) -> Option<Illegal> {
    let mover = position.to_move();
    let from = half.from()?;
    let (square, number) = (named(from), board + 1);
    match position.owner(board, from) {
        None => {
            let why = format!("there is no tile to slide on {square} of board {number}");
            Some(Illegal::new("no-tile", why))
        }
        Some(owner) if owner != mover => {
            let why = format!(
                "the tile on {square} of board {number} belongs to seat {owner}; seat {mover} may slide only its own"
            );
            Some(Illegal::new("not-own", why))
        }
        Some(_) => None,
    }
}

/// Returns the rule on stocks that a turn breaks.
fn wrong_kinds(position: &Position, halves: [Half; 2]) -> Option<Illegal> {
    let mover = position.to_move();
    let slides = halves.iter().filter(|half| half.from().is_some()).count();
    let seat = Seat::number(mover);
    let why = match (position.stock(mover), slides) {
        (0, 2) | (1, 1) | (2.., 0) => return None,
        (0, _) => format!("seat {seat} has no tile in stock, so both steps of its turn must be slides"),
        (1, _) => format!(
            "seat {seat} has one tile in stock, so one step of its turn must lay it and the other must be a slide"
        ),
        (stock, _) => {
            format!("seat {seat} has {stock} tiles in stock, so both steps of its turn must lay one")
        }
    };
    Some(Illegal::new("stock", why))
}

/// Returns the rule that forbids a tile to reach its square.
fn wrong_goal(position: &Position, board: usize, half: Half) -> Option<Illegal> {
    let (square, number) = (named(half.to()), board + 1);
    let owner = position.owner(board, half.to())?;
    if half.from() == Some(half.to()) {
        let why = format!(
            "the slide on board {number} ends at {square}, where it starts: a tile must slide to another square"
        );
        return Some(Illegal::new("same-square", why));
    }
    Some(Illegal::new(
        "occupied",
        format!("{square} of board {number} is occupied by a tile of seat {owner}"),
    ))
}

//! The marks on a square.

use super::Highlights;
use linesman_games::notation::Square;
use linesman_games::scene::{MarkKind, Scene};

#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Marks {
    /// The effect of the last move here.
    pub(super) last: Option<LastMove>,
    /// True if the square belongs to a finished line.
    pub(super) line: bool,
    /// The choice that a person has here or has made.
    pub(super) choice: Option<SquareChoice>,
    /// True if the cursor is here.
    pub(super) cursor: bool,
}

/// A square in a move that a person is choosing.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum SquareChoice {
    /// It can be chosen.
    Target,
    Chosen,
}

/// The effect of the last move on a square.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum LastMove {
    /// It removed something.
    From,
    /// It placed something.
    To,
}

impl Marks {
    /// Returns the marks of a square of one of the scene's boards. A square that the last move both left and reached
    /// counts as reached.
    pub(super) fn of(scene: &Scene, board: usize, square: Square) -> Marks {
        let mut marks = Marks::default();
        let here = scene.marks.iter().filter(|mark| mark.board == board && mark.squares.contains(&square));
        for mark in here {
            match mark.kind {
                MarkKind::From => marks.last = marks.last.or(Some(LastMove::From)),
                MarkKind::To => marks.last = Some(LastMove::To),
                MarkKind::Line(_) => marks.line = true,
            }
        }
        marks
    }

    /// Adds the marks that guide a person.
    pub(super) fn with(self, highlights: &Highlights, board: usize, square: Square) -> Marks {
        let here = (board, square);
        let choice = if highlights.targets.contains(&here) {
            Some(SquareChoice::Target)
        } else {
            highlights.chosen.contains(&here).then_some(SquareChoice::Chosen)
        };
        Marks { choice, cursor: highlights.cursor == Some(here), ..self }
    }
}

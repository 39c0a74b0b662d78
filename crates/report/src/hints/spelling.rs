//! The legal move that a text in another spelling probably means.

use std::collections::BTreeSet;

use linesman_games::notation::Square;

/// The moves that are possible in a position, and the size of its board.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    pub(super) legal: Vec<String>,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// Maximum number of moves that a text may mean.
const MAX_MEANT: usize = 4;

/// Words for the ends of a row or column.
const WAYS: [(Way, &[&str]); 4] = [
    (Way::Top, &["top", "up", "north", "t", "u", "n"]),
    (Way::Bottom, &["bottom", "down", "south", "b", "d", "s"]),
    (Way::Left, &["left", "west", "l", "w"]),
    (Way::Right, &["right", "east", "r", "e"]),
];

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Way {
    Top,
    Bottom,
    Left,
    Right,
}

impl Choices {
    /// True if the text is a legal move.
    pub(super) fn has(&self, text: &str) -> bool {
        self.legal.iter().any(|legal| legal == text)
    }

    /// Returns the legal moves that a text may mean; empty if it resembles none or too many of them.
    pub(super) fn meant(&self, text: &str) -> Vec<&str> {
        let folded = folded(text);
        let same: Vec<&str> = self.filtered(|legal| !folded.is_empty() && self::folded(legal) == folded);
        if !same.is_empty() {
            return same;
        }
        let squares = self.squares(text);
        let meant = self.filtered(|legal| pair(legal).is_some_and(|pair| squares.contains(&pair)));
        if meant.len() > MAX_MEANT { Vec::new() } else { meant }
    }

    fn filtered(&self, is_meant: impl Fn(&str) -> bool) -> Vec<&str> {
        self.legal.iter().map(String::as_str).filter(|legal| is_meant(legal)).collect()
    }

    /// Returns the pairs of squares that numbers and directions may denote.
    fn squares(&self, text: &str) -> BTreeSet<(Square, Square)> {
        let Some(words) = words(text) else { return BTreeSet::new() };
        let way = words.iter().find_map(|word| match word {
            Word::Way(way) => Some(*way),
            Word::Number(_) | Word::Named(_) => None,
        });
        let numbers: Vec<usize> = words
            .iter()
            .filter_map(|word| match word {
                Word::Number(number) => Some(*number),
                Word::Way(_) | Word::Named(_) => None,
            })
            .collect();
        match (words.as_slice(), way) {
            ([Word::Named(from), Word::Way(way)], _) => [(*from, self.end(*from, *way))].into(),
            ([_, _, _], Some(way)) if numbers.len() == 2 => {
                self.readings(&numbers).iter().map(|from| (from[0], self.end(from[0], way))).collect()
            }
            ([_, _, _, _], None) if numbers.len() == 4 => {
                self.readings(&numbers).iter().map(|squares| (squares[0], squares[1])).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// Reads numbers as squares: column or row first, counted from 0 or 1, rows from the bottom or the top.
    fn readings(&self, numbers: &[usize]) -> Vec<Vec<Square>> {
        let mut readings = Vec::new();
        for first in [0, 1] {
            for (is_row_first, is_from_top) in [(false, false), (false, true), (true, false), (true, true)] {
                let square = |pair: &[usize]| {
                    let (file, rank) = if is_row_first { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
                    let (file, rank) = (file.checked_sub(first)?, rank.checked_sub(first)?);
                    let is_on_board = file < self.width && rank < self.height;
                    let rank = if is_from_top { (self.height - 1).checked_sub(rank)? } else { rank };
                    is_on_board.then(|| Square::new(file, rank))
                };
                readings.extend(numbers.chunks_exact(2).map(square).collect::<Option<Vec<_>>>());
            }
        }
        readings
    }

    /// Returns the end of a square's row or column in a direction.
    fn end(&self, from: Square, way: Way) -> Square {
        match way {
            Way::Top => Square::new(from.file(), self.height - 1),
            Way::Bottom => Square::new(from.file(), 0),
            Way::Left => Square::new(0, from.rank()),
            Way::Right => Square::new(self.width - 1, from.rank()),
        }
    }
}

/// A part of a move in another notation.
#[derive(Copy, Clone, Debug)]
enum Word {
    Number(usize),
    Way(Way),
    Named(Square),
}

/// Returns the parts of a text that is a move in another notation; `None` if it contains anything else.
fn words(text: &str) -> Option<Vec<Word>> {
    let lower = text.to_lowercase();
    let mut words = Vec::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let way = WAYS.iter().find(|(_, names)| names.contains(&word)).map(|(way, _)| *way);
        match (way, Square::parse_prefix(word)) {
            (Some(way), _) => words.push(Word::Way(way)),
            (None, Some((square, ""))) => words.push(Word::Named(square)),
            // `0141` is four numbers of one digit.
            (None, _) if word.len() == 4 => {
                let digits: Option<Vec<u32>> = word.chars().map(|digit| digit.to_digit(10)).collect();
                words.extend(digits?.into_iter().map(|digit| Word::Number(digit as usize)));
            }
            (None, _) => words.push(Word::Number(word.parse().ok().filter(|number| *number < 26)?)),
        }
    }
    Some(words)
}

/// Reads a move of two squares.
fn pair(legal: &str) -> Option<(Square, Square)> {
    let (from, rest) = Square::parse_prefix(legal)?;
    let (to, rest) = Square::parse_prefix(rest)?;
    rest.is_empty().then_some((from, to))
}

/// Converts a text to lower case, without blanks, brackets and other separators.
fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Choices {
        let setup =
            linesman_games::find("quixo").expect("it is there").configure(&[]).expect("it has defaults");
        Choices { legal: linesman_games::legal_moves(&*setup.start()), width: 5, height: 5 }
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(start().meant(text), expected, "{text}");
    }

    #[test]
    fn case_and_separators_do_not_hide_a_move() {
        for text in ["A2A1", "a2 a1", "a2-a1", "a2->a1", "(a2, a1)", "A2 to A1".replace(" to ", "-").as_str()]
        {
            check(text, &["a2a1"]);
        }
    }

    #[test]
    fn a_square_and_a_direction_are_a_move() {
        check("a2 top", &["a2a5"]);
        check("a2 left", &[]);
        check("A2 RIGHT", &["a2e2"]);
        // Column 0, or row 0 from either end: the legal ones are listed.
        check("(0, 1) top", &["a2a5", "a4a5", "b1b5"]);
    }

    #[test]
    fn four_numbers_are_two_squares() {
        assert!(start().meant("0 1 4 1").contains(&"a2e2"));
        assert!(start().meant("0141").contains(&"a2e2"));
    }

    #[test]
    fn other_texts_mean_no_move() {
        for text in ["", "hello", "Traceback (most recent call last):", "depth 3 score 12", "a1", "resign"] {
            check(text, &[]);
        }
    }
}

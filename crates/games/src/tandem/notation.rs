//! Moves as text, and why a text is not a move.

use std::fmt::Write;

use crate::notation::{NotAMove, Square};
use crate::tandem::board::{self, MAX_SIZE, Window};
use crate::tandem::moves::{Half, Move};

/// The move of a seat without another move.
pub(super) const PASS: &str = "pass";

pub(super) fn write_move(mv: Move, text: &mut String) {
    let Some(halves) = mv.halves() else {
        text.push_str(PASS);
        return;
    };
    for (number, half) in halves.into_iter().enumerate() {
        text.push_str(if number == 0 { "1" } else { "/2" });
        if let Some(from) = half.from() {
            write_square(from, text);
        }
        write_square(half.to(), text);
    }
    for (number, half) in halves.into_iter().enumerate() {
        if let Some(window) = half.window() {
            write!(text, "!{}", number + 1).expect("writing to a string can't fail");
            write_square(window.first, text);
            write_square(window.last, text);
        }
    }
}

/// Appends a square directly, without formatting, since lists of moves can be long.
fn write_square(index: u8, text: &mut String) {
    let square = board::square(index);
    text.push(char::from(b'a' + square.file() as u8));
    text.push(char::from(b'1' + square.rank() as u8));
}

/// Lists the actions that make up moves: steps and windows on either board, and the pass. There are too many moves
/// to list them all.
pub(super) fn actions(area: u128, windows: &[Window]) -> Vec<String> {
    let mut actions = vec![PASS.to_owned()];
    let squares = || board::squares(area).map(board::square);
    for (number, step) in [(1, "1"), (2, "/2")] {
        actions.extend(squares().map(|to| format!("{step}{to}")));
        let slides = squares().flat_map(|from| squares().map(move |to| (from, to)));
        actions.extend(slides.filter(|(from, to)| from != to).map(|(from, to)| format!("{step}{from}{to}")));
        let ends = windows.iter().map(|window| (board::square(window.first), board::square(window.last)));
        actions.extend(ends.map(|(first, last)| format!("!{number}{first}{last}")));
    }
    actions
}

/// Returns the first action of a move or of the rest of a move, up to the next step or window.
pub(super) fn first_action(text: &str) -> &str {
    let end = text.char_indices().skip(1).find(|(_, symbol)| matches!(symbol, '/' | '!'));
    end.map_or(text, |(end, _)| &text[..end])
}

pub(super) fn parse_move(text: &str) -> Result<Move, NotAMove> {
    let shape = || {
        NotAMove {
        why: "a move is a step on board 1, `/`, a step on board 2 and the windows that it scores, such as `1c3/2d4`, \
              `1d4/2a1c3` or `1c3/2d4!1a3e3`; or it is `pass`; a step is the board and the square of the tile laid, \
              or the board and the two squares of a slide, from `a1` to `i9`"
            .to_owned(),
    }
    };
    if text == PASS {
        return Ok(Move::PASS);
    }
    let mut parts = text.split('!');
    let steps = parts.next().and_then(|steps| steps.split_once('/')).ok_or_else(shape)?;
    let (first, second) = (read_step(steps.0).ok_or_else(shape)?, read_step(steps.1).ok_or_else(shape)?);
    if (first.board, second.board) != (0, 1) {
        let why = "write the step on board 1 first, then the one on board 2, as in `1c3/2d4`";
        return Err(NotAMove { why: why.to_owned() });
    }
    let mut windows = [None; 2];
    for part in parts {
        let (board, first, last) = read_window(part).ok_or_else(shape)?;
        let window =
            Window::between(first, last).ok_or_else(|| NotAMove { why: not_ends(board, first, last) })?;
        if windows[board..].iter().any(Option::is_some) {
            let why = "a turn scores at most one window per board; write the one on board 1 first";
            return Err(NotAMove { why: why.to_owned() });
        }
        windows[board] = Some(window);
    }
    let half =
        |step: &WrittenStep, window| Half::new(step.from.map(board::index), board::index(step.to), window);
    Ok(Move([half(&first, windows[0]), half(&second, windows[1])]))
}

fn not_ends(board: usize, first: Square, last: Square) -> String {
    let board = board + 1;
    if Window::between(last, first).is_some() {
        format!(
            "write the window `!{board}{first}{last}` as `!{board}{last}{first}`: the end in the lower file comes first, \
             or in a column the end in the lower rank"
        )
    } else {
        format!("`{first}` and `{last}` are not the ends of a row, a column or a diagonal")
    }
}

struct WrittenStep {
    board: usize,
    from: Option<Square>,
    to: Square,
}

fn read_step(text: &str) -> Option<WrittenStep> {
    let (board, rest) = read_board(text)?;
    let (one, rest) = read_square(rest)?;
    if rest.is_empty() {
        return Some(WrittenStep { board, from: None, to: one });
    }
    let (other, rest) = read_square(rest)?;
    rest.is_empty().then_some(WrittenStep { board, from: Some(one), to: other })
}

fn read_window(text: &str) -> Option<(usize, Square, Square)> {
    let (board, rest) = read_board(text)?;
    let (first, rest) = read_square(rest)?;
    let (last, rest) = read_square(rest)?;
    rest.is_empty().then_some((board, first, last))
}

/// Reads the number of a board at the start of a text.
fn read_board(text: &str) -> Option<(usize, &str)> {
    text.strip_prefix('1').map(|rest| (0, rest)).or_else(|| text.strip_prefix('2').map(|rest| (1, rest)))
}

/// Reads a square at the start of a text.
fn read_square(text: &str) -> Option<(Square, &str)> {
    Square::parse_prefix(text).filter(|(square, _)| square.is_within(MAX_SIZE))
}

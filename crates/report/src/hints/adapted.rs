//! Hints for bots that were written for another protocol, and that `linesman adapt` or a copy of its adapter runs.

use std::path::Path;

use linesman_types::verdict::Fault;

use super::clues::Clues;
use crate::describe::printable;

/// The page on such bots.
const GUIDE: &str = "docs/how-to/bring-your-bot.md";

/// Errors of programs that get unexpected values.
const VALUE_ERRORS: [&str; 6] =
    ["KeyError", "IndexError", "TypeError", "AttributeError", "ValueError", "RangeError"];

/// Answers that mean that a function returned nothing.
const NOTHING: [&str; 3] = ["None", "null", "undefined"];

/// True if a command starts an adapter.
pub fn is_adapted(command: &[String]) -> bool {
    let is_linesman = command.first().is_some_and(|program| program == "linesman")
        && command.get(1).is_some_and(|word| word == "adapt");
    let is_adapter = |word: &String| {
        Path::new(word)
            .file_name()
            .is_some_and(|name| name == "linesman_adapter.py" || name == "linesman_adapter.mjs")
    };
    is_linesman || command.iter().any(is_adapter)
}

fn has_value_error(stderr: &str) -> bool {
    VALUE_ERRORS.iter().any(|error| stderr.contains(error))
}

fn is_first_move(clues: &Clues<'_>) -> bool {
    clues.turn.as_ref().is_some_and(|turn| !turn.has_moved)
}

/// Returns the user's own shape, if the adapter reports that it failed.
fn failed_shape<'c>(clues: &Clues<'c>) -> Option<&'c str> {
    let mut words = clues.command.iter();
    let given = words.find_map(|word| match word.strip_prefix("--shape") {
        Some("") => Some(None),
        Some(rest) => rest.strip_prefix('=').map(Some),
        None => None,
    })?;
    let shape = given.or_else(|| words.next().map(String::as_str))?;
    clues.stderr.contains(&format!("{shape} failed:")).then_some(shape)
}

/// Returns the hint for a refused answer: the bot and linesman write moves or boards in different ways.
pub(super) fn answer(clues: &Clues<'_>) -> Option<String> {
    if !is_adapted(clues.command) {
        return None;
    }
    match clues.fault {
        Fault::NotAMove { text, .. } if NOTHING.contains(&&**text) => Some(format!(
            "let the bot return a move: it returned nothing (`{text}`); if it expects other cells than the letters of \
             the position, give `--cells`, such as `--cells 0/1/2`, or write a shape ({GUIDE})"
        )),
        Fault::NotAMove { .. } => Some(format!(
            "write a shape, whose function `answer` makes a move of what the bot returns ({GUIDE}, \"A shape of your \
             own\")"
        )),
        Fault::IllegalMove { .. } => Some(format!(
            "if the bot expects other cells than the letters of the position, give `--cells`, such as `--cells 0/1/2`; \
             if it numbers squares other than by row and column from the top left, write a shape ({GUIDE})"
        )),
        Fault::Crash { .. } if let Some(shape) = failed_shape(clues) => {
            Some(format!("correct the shape `{}`: the error was in it, and not in the bot", printable(shape)))
        }
        // A bot that fails at its first move may get unexpected values.
        Fault::Crash { .. } if is_first_move(clues) && has_value_error(clues.stderr) => Some(format!(
            "if the bot expects other cells or arguments than it is given, `--cells` and a shape change them ({GUIDE})"
        )),
        Fault::NotStarted { .. }
        | Fault::NotReady { .. }
        | Fault::Time { .. }
        | Fault::CpuClock { .. }
        | Fault::Crash { .. }
        | Fault::ClosedOutput { .. }
        | Fault::Protocol { .. }
        | Fault::Limit { .. } => None,
    }
}

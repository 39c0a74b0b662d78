//! Answers that are nearly right: without a line end, with another verb, or with a move in another spelling.

use linesman_protocol::FromBot;

use super::clues::{Clues, Turn};
use crate::describe::{grouped, printable};

/// Words that beginners send instead of `bestmove`.
const FOR_BESTMOVE: [&str; 6] = ["move", "play", "best", "answer", "mv", "moves"];

/// Maximum number of edits that turn a word into the intended verb.
const MAX_EDITS: usize = 2;

/// Returns the hint for a right answer without a line end. A complete line with a known verb is never stray.
pub(super) fn unfinished(clues: &Clues<'_>) -> Option<String> {
    let last = clues.stray.last()?;
    let is_answer = match FromBot::parse(last.as_bytes()) {
        Ok(
            FromBot::BestMove { .. }
            | FromBot::Resign
            | FromBot::UgiOk
            | FromBot::ReadyOk
            | FromBot::Feature(_),
        ) => true,
        Ok(
            FromBot::IdName(_)
            | FromBot::IdAuthor(_)
            | FromBot::Protocol(_)
            | FromBot::Option(_)
            | FromBot::Info(_)
            | FromBot::Tell(_)
            | FromBot::Unknown,
        )
        | Err(_) => false,
    };
    is_answer.then(|| {
        let how = match clues.awaited {
            "bestmove" => format!(", for example with {}", clues.language.answer()),
            _ => String::new(),
        };
        format!(
            "end each line with a newline and flush{how}: the bot answered `{}` without a newline at the end",
            printable(last)
        )
    })
}

/// Returns the hint for an answer with another verb, or without one.
pub(super) fn misspelled_verb(clues: &Clues<'_>) -> Option<String> {
    clues.stray.iter().rev().find_map(|line| hint_for_line(line, clues))
}

fn hint_for_line(line: &str, clues: &Clues<'_>) -> Option<String> {
    let line = line.trim();
    let choices = clues.turn.as_ref().and_then(|turn| turn.choices.as_ref());
    if let Some(choices) = choices {
        if choices.has(line) {
            return Some(format!("`{line}` is a legal move: answer `bestmove {line}`"));
        }
        if let [meant] = choices.meant(line)[..] {
            return Some(means(line, &[meant]));
        }
    }
    let rest = after_verb(line, clues.awaited)?;
    let is_move = clues.awaited == "bestmove";
    if is_move && rest.is_empty() {
        return None;
    }
    let meant = choices.map(|choices| if choices.has(rest) { vec![rest] } else { choices.meant(rest) });
    let answer = match meant.as_deref() {
        Some([meant, ..]) => format!("{} {meant}", clues.awaited),
        _ if is_move => format!("{} {}", clues.awaited, printable(rest)),
        _ => clues.awaited.to_owned(),
    };
    Some(format!("did you mean `{answer}`? The line `{}` was ignored", printable(line)))
}

/// Returns the text after a verb that was probably meant to be `awaited`.
fn after_verb<'l>(line: &'l str, awaited: &str) -> Option<&'l str> {
    let end = line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len());
    let (verb, rest) = line.split_at(end);
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ":=,".contains(c));
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (second, after) = rest.split_at(end);
    let edits = |word: &str| strsim::damerau_levenshtein(&word.to_lowercase(), awaited);
    let joined = edits(&format!("{verb}{second}"));
    let is_other_word = awaited == "bestmove" && FOR_BESTMOVE.contains(&verb.to_lowercase().as_str());
    if !second.is_empty() && joined < MAX_EDITS && joined < edits(verb) {
        Some(after.trim())
    } else if edits(verb) <= MAX_EDITS || is_other_word {
        Some(rest.trim())
    } else {
        None
    }
}

/// Returns the hint for a move in another spelling.
pub(super) fn misspelled_move(clues: &Clues<'_>) -> Option<String> {
    let Turn { choices, answer, .. } = clues.turn.as_ref()?;
    let text = clues.fault.refused_move()?;
    // The refused move is one word; the words after it are only in the transcript.
    let whole = answer.filter(|answer| answer.starts_with(text)).unwrap_or(text);
    let meant = choices.as_ref()?.meant(whole);
    (!meant.is_empty()).then(|| means(whole, &meant))
}

/// Common sizes of buffers that cut lines.
const BUFFERS: [usize; 10] = [256, 512, 1000, 1024, 2000, 2048, 4000, 4096, 8192, 10_000];

/// Returns the hint for a piece of a legal move: the `legal` line was read in pieces.
pub(super) fn cut_off(clues: &Clues<'_>) -> Option<String> {
    let turn = clues.turn.as_ref().filter(|turn| turn.had_legal)?;
    let text = clues.fault.refused_move()?;
    let mut legal: Vec<&str> = turn.choices.as_ref()?.legal.iter().map(String::as_str).collect();
    legal.sort_unstable();
    let mut length = "legal".len();
    let mut pieces = Vec::new();
    for word in legal {
        length += 1 + word.len();
        let is_piece = word.len() > text.len() && !text.is_empty();
        if is_piece && word.starts_with(text) {
            pieces.push((length - word.len() + text.len(), "beginning", word));
        } else if is_piece && word.ends_with(text) {
            pieces.push((length - text.len(), "end", word));
        }
    }
    // A buffer of 512 bytes holds 511 and the terminator of a C string.
    let is_at_end =
        |at: usize| BUFFERS.iter().any(|size| at.is_multiple_of(*size) || at.is_multiple_of(size - 1));
    let (at, part, word) = pieces.into_iter().find(|(at, _, _)| is_at_end(*at))?;
    Some(format!(
        "read whole lines, however long they are: `{}` is the {part} of the legal move `{word}`, cut after byte {}, \
         and the `legal` line had {} bytes; {}",
        printable(text),
        grouped(at as u64),
        grouped(length as u64),
        clues.language.long_lines()
    ))
}

fn means(text: &str, meant: &[&str]) -> String {
    let text = printable(text);
    match meant {
        [one] => format!("`{text}` probably means `{one}`: answer `bestmove {one}`"),
        several => format!(
            "`{text}` may mean `{}`: a square is a letter for its column and a number for its row, `a1` at the \
             bottom left, as in `bestmove {}`",
            several.join("` or `"),
            several[0]
        ),
    }
}

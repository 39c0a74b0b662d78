//! Bots that let their time run out: one waits for a line that does not come, another has not sent its own.

use linesman_types::verdict::{Fault, Stage};

use super::clues::Clues;
use super::language::Language;

/// A bot that has not asked for `legal` and does not get it.
pub(super) fn without_legal(clues: &Clues<'_>) -> Option<String> {
    clues.turn.as_ref().filter(|turn| !turn.had_legal && !turn.has_moved)?;
    let names_it = |line: &str| {
        let lower = line.to_lowercase();
        let is_error = ["error", "undefined", "not defined", "unbound", "uninitialized", "null", "nil"]
            .iter()
            .any(|word| lower.contains(word));
        (is_error && lower.contains("legal")) || lower.contains("empty sequence")
    };
    let why = "`legal` is sent only to bots that say `feature legal`";
    if clues.lines().any(names_it) {
        return Some(format!("print `feature legal` before `ugiok`: {why}"));
    }
    (clues.is_idle() && clues.stray.is_empty() && !Language::buffers(clues.language()))
        .then(|| format!("if the bot waits for `legal`, print `feature legal` before `ugiok`: {why}"))
}

/// A bot that did nothing in its time: its answer may be stuck in a buffer.
pub(super) fn idle(clues: &Clues<'_>) -> Option<String> {
    if !clues.stray.is_empty() || !Language::buffers(clues.language()) {
        return None;
    }
    let is_greeted = matches!(clues.fault, Fault::NotReady { stage: Stage::Handshake, .. });
    let is_asked_first = clues.is_idle() && clues.turn.as_ref().is_some_and(|turn| !turn.has_moved);
    let is_silent = is_asked_first || (is_greeted && clues.language().is_some());
    let legal = match clues.turn.as_ref() {
        Some(turn) if !turn.had_legal => "; `legal` is sent only to bots that say `feature legal`",
        Some(_) | None => "",
    };
    is_silent.then(|| {
        format!(
            "if the bot has printed an answer, flush its output, such as by {}: nothing arrived{legal}",
            clues.how_to_answer()
        )
    })
}

//! Hints for bots that let their time run out: they wait for a line that is never sent, or their own line was not sent.

use linesman_types::verdict::{ExitStatus, Fault, Stage};

use super::clues::Clues;
use crate::describe::printable;

/// Returns the hint for a bot that has not asked for `legal` and does not get it.
pub(super) fn without_legal(clues: &Clues<'_>) -> Option<String> {
    clues.turn.as_ref().filter(|turn| !turn.had_legal && !turn.has_moved)?;
    let is_about_legal = |line: &str| {
        let lower = line.to_lowercase();
        let is_error = ["error", "undefined", "not defined", "unbound", "uninitialized", "null", "nil"]
            .iter()
            .any(|word| lower.contains(word));
        (is_error && lower.contains("legal")) || lower.contains("empty sequence")
    };
    let why = "`legal` is sent only to bots that say `feature legal`";
    if clues.lines().any(is_about_legal) {
        return Some(format!("print `feature legal` before `ugiok`: {why}"));
    }
    (clues.is_idle() && clues.stray.is_empty() && !clues.language.buffers())
        .then(|| format!("if the bot waits for `legal`, print `feature legal` before `ugiok`: {why}"))
}

/// Returns the hint for a bot that printed something other than its answer.
pub(super) fn other_answer(clues: &Clues<'_>) -> Option<String> {
    let last = clues.stray.iter().map(|line| line.trim()).rfind(|line| !line.is_empty())?;
    clues.is_idle().then(|| {
        format!(
            "answer every `go` with `bestmove` and a move: the bot computed hardly anything while its clock ran, and \
             the last line that it printed was `{}`",
            printable(last)
        )
    })
}

/// Returns the hint for a bot that used hardly any CPU time: its answer may be stuck in a buffer.
pub(super) fn idle(clues: &Clues<'_>) -> Option<String> {
    if !clues.stray.is_empty() {
        return None;
    }
    if !clues.language.buffers() {
        let is_asked_first = clues.turn.as_ref().is_some_and(|turn| !turn.has_moved);
        return (clues.is_idle() && is_asked_first).then(|| {
            "load what the first move needs before `readyok`, and answer every `go`: the bot computed hardly anything \
             while the clock of its first move ran"
                .to_owned()
        });
    }
    let is_greeted = matches!(clues.fault, Fault::NotReady { stage: Stage::Handshake, .. });
    let is_asked_first = clues.is_idle() && clues.turn.as_ref().is_some_and(|turn| !turn.has_moved);
    let is_silent = is_asked_first || (is_greeted && clues.language.is_known());
    let legal = match clues.turn.as_ref() {
        Some(turn) if !turn.had_legal => "; `legal` is sent only to bots that say `feature legal`",
        Some(_) | None => "",
    };
    is_silent.then(|| {
        format!(
            "if the bot has printed an answer, flush its output, for example with {}: nothing arrived{legal}",
            clues.language.answer()
        )
    })
}

/// Returns the hint for an idle bot that has moved before: a path through its code may not flush, or not answer.
pub(super) fn idle_later(clues: &Clues<'_>) -> Option<String> {
    let is_silent = clues.stray.is_empty() && clues.is_idle();
    let turn = clues.turn.as_ref().filter(|turn| turn.has_moved && is_silent)?;
    let earlier = turn.longest_answer.map_or_else(String::new, |longest| {
        format!(", and its earlier answers came within {:.1} ms", longest.as_secs_f64() * 1_000.0)
    });
    let cure = match clues.language.buffers() {
        true => format!("flush after every `bestmove`, for example with {}", clues.language.answer()),
        false => "look for a way through the code that does not answer `go`, or that waits".to_owned(),
    };
    Some(format!("{cure}: the bot computed hardly anything while its clock ran{earlier}"))
}

/// Returns the hint for a bot that exited in a game without a message: a check may find the cause.
pub(super) fn ended(clues: &Clues<'_>) -> Option<String> {
    let turn = clues.turn.as_ref()?;
    let has_failed = matches!(clues.fault, Fault::Crash { status: ExitStatus::Code(1..), .. });
    if !has_failed || super::is_built_in(clues) || clues.lines().any(|line| !line.trim().is_empty()) {
        return None;
    }
    let when = if turn.has_moved { "after it had moved" } else { "before its first move" };
    let silent = clues.language.silent_end().map_or_else(String::new, |reason| format!("; {reason}"));
    Some(format!(
        "run `linesman check -- {}`, which tries other time limits and no sandbox: the bot ended without a message \
         {when}{silent}",
        shell_words::join(clues.command)
    ))
}

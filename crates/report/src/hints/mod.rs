//! Hints for the authors of bots: the probable cause of a failure and its remedy, from the evidence.
//!
//! The evidence is in the record: the fault, the stray lines, the transcript, the command and the position. The result
//! is a text for people, which no program parses.

mod adapted;
mod answers;
mod clues;
mod language;
mod programs;
mod silence;
mod spelling;
#[cfg(test)]
mod tests;

pub use adapted::is_adapted;
use clues::{Clues, Turn};
pub use language::BotLanguage;
use linesman_record::{FaultRecord, GameRecord};
use linesman_types::verdict::{Fault, Stage};

/// Returns a hint if the evidence fits.
type Remedy = fn(&Clues<'_>) -> Option<String>;

/// The remedies in order: the first that applies is used. Certain diagnoses precede likely ones.
const REMEDIES: [Remedy; 13] = [
    programs::interpreter,
    programs::windows_line_ends,
    programs::run_by_the_shell,
    programs::not_compiled,
    answers::unfinished,
    silence::without_legal,
    programs::error_on_stdout,
    answers::misspelled_verb,
    answers::misspelled_move,
    answers::cut_off,
    silence::other_answer,
    silence::idle,
    silence::idle_later,
];

/// True for the built-in bots, which have no author who could follow a hint.
fn is_built_in(clues: &Clues<'_>) -> bool {
    clues.command.first().is_some_and(|program| program == "linesman")
}

fn hint(clues: &Clues<'_>) -> Option<String> {
    if let Some(answer) = adapted::answer(clues) {
        return Some(answer);
    }
    if is_built_in(clues) {
        return None;
    }
    // The trace of a crash is shown and needs no hint, and its lines may look like answers.
    if matches!(clues.fault, Fault::Crash { .. }) && programs::has_trace(clues) {
        return None;
    }
    REMEDIES.iter().find_map(|remedy| remedy(clues))
}

/// Returns the hint for the author of a bot that failed in a game.
pub fn of_fault(record: &GameRecord, fault: &FaultRecord) -> Option<String> {
    let command = usize::from(fault.seat).checked_sub(1).and_then(|index| record.seats.get(index));
    let command = command.and_then(|seat| seat.command.as_deref()).unwrap_or_default();
    let command = shell_words::split(command).unwrap_or_default();
    let language = BotLanguage::of(&command);
    let clues = clues(record, fault, &command, language)?;
    hint(&clues).or_else(|| silence::ended(&clues))
}

/// Returns the hint for the author of a bot that failed in a game of its check. The check examines the failure itself,
/// and may know the language from the bot's source.
pub fn of_checked(
    record: &GameRecord,
    fault: &FaultRecord,
    command: &[String],
    language: BotLanguage,
) -> Option<String> {
    hint(&clues(record, fault, command, language)?)
}

fn clues<'c>(
    record: &'c GameRecord,
    fault: &'c FaultRecord,
    command: &'c [String],
    language: BotLanguage,
) -> Option<Clues<'c>> {
    let known = fault.fault.as_ref().ok()?;
    let stage = known.before_play();
    Some(Clues {
        fault: known,
        stray: &fault.stray_lines,
        stderr: &fault.stderr_tail,
        command,
        language,
        awaited: stage.map_or("bestmove", Stage::answer),
        turn: if stage.is_none() { Turn::of(record, fault) } else { None },
    })
}

/// Returns the hint for the author of a bot that did not pass its preflight check.
pub fn of_preflight(fault: &Fault, stray_lines: &[String], command: &[String]) -> Option<String> {
    let stderr = match fault {
        Fault::NotStarted { stderr_tail, .. }
        | Fault::Crash { stderr_tail, .. }
        | Fault::ClosedOutput { stderr_tail } => stderr_tail.as_str(),
        Fault::NotReady { .. }
        | Fault::Time { .. }
        | Fault::CpuClock { .. }
        | Fault::IllegalMove { .. }
        | Fault::NotAMove { .. }
        | Fault::Protocol { .. }
        | Fault::Limit { .. } => "",
    };
    let awaited = Stage::Handshake.answer();
    let language = BotLanguage::of(command);
    hint(&Clues { fault, stray: stray_lines, stderr, command, language, awaited, turn: None })
}

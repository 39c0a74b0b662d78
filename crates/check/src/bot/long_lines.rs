//! Lines as long as the longest that the bot receives in its games. A buffer of fixed size would cut them.

use linesman_games::legal_moves;

use super::checker::{Candidate, Checker, Judged};
use super::exiting::ready;
use super::item::{CheckItem, ItemOutcome, ItemProblem, Observation, SkipReason};
use super::plan::Stopped;
use super::raw_talk::ANSWER_TIMEOUT;

/// The word that a bot answers if it takes a piece of a line for a line, with the space after it.
const WORD: &str = "isready ";

/// The beginning of an unknown line.
const UNKNOWN: &str = "news ";

/// Sends long unknown lines before a turn. Each contains `isready` at other offsets, so that wherever lines are cut,
/// some piece begins with it. A bot that reads lines in pieces answers it.
pub(super) fn try_lines(checker: &mut Checker<'_>) -> Result<(), Stopped> {
    checker.judge(CheckItem::LongLines, None, |checker| {
        let Some(mut talk) = ready(checker).ok() else {
            return Ok(Judged::skipped(SkipReason::NotMeasured));
        };
        let (wants_state, wants_legal) = (talk.has_announced("state"), talk.has_announced("legal"));
        let of_candidate = |candidate| longest_line(candidate, wants_state, wants_legal);
        let lengths = checker.candidates.iter().map(of_candidate);
        let length = lengths.max().unwrap_or(0);
        let long = (0..WORD.len()).map(|shift| {
            let beginning = format!("{UNKNOWN}{} ", "x".repeat(shift));
            beginning.clone() + &WORD.repeat(length.saturating_sub(beginning.len()) / WORD.len())
        });
        let short = format!("{UNKNOWN}{WORD}");
        let setup = &*checker.candidates[0].setup;
        // A bot that looks for words anywhere in a line answers a short line as well, so that its answers to long
        // ones prove nothing.
        if talk.ask_first_move_after(&[short], setup) != Some(0) {
            talk.kill();
            return Ok(Judged::skipped(SkipReason::NotMeasured));
        }
        let observed = vec![Observation::LineLength(length)];
        let outcome = match talk.ask_first_move_after(&long.collect::<Vec<_>>(), setup) {
            Some(0) => {
                talk.kill();
                ItemOutcome::Passed
            }
            Some(answers) => ItemOutcome::of(talk.failure(ItemProblem::CutLines { length, answers })),
            None => {
                let limit = ANSWER_TIMEOUT;
                ItemOutcome::of(talk.failure(ItemProblem::NotReady { awaited: "bestmove", limit }))
            }
        };
        Ok(Judged { outcome, observed })
    })
}

/// The length in bytes of the longest line that the bot is sent in these positions.
fn longest_line(candidate: &Candidate, wants_state: bool, wants_legal: bool) -> usize {
    let setup = &*candidate.setup;
    let starts = candidate.positions.phases.iter().chain([&candidate.positions.fullest]);
    let lengths = starts.map(|start| {
        let table = start.table(setup);
        let words = |moves: &[String]| moves.iter().map(|text| text.len() + 1).sum::<usize>();
        let position = "position startpos moves".len() + words(&start.moves);
        let state = if wants_state { "state ".len() + table.token().len() } else { 0 };
        let legal = if wants_legal { "legal".len() + words(&legal_moves(&*table)) } else { 0 };
        position.max(state).max(legal)
    });
    lengths.max().unwrap_or(0)
}

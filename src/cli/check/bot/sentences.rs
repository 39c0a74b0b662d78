//! The results of a check in words.

use std::time::Duration;

use crate::check::bot::{Growth, ItemFailure, ItemOutcome, ItemProblem, ItemResult, Observation, SkipReason};
use crate::record::text::printable;
use crate::referee::core::DEFAULT_MARGIN;
use crate::report::describe::{counted, fault_sentence, grouped};
use crate::verdict::Fault;

/// Maximum length of a text from the bot in a sentence, in bytes.
const QUOTED: usize = 120;

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1_000.0)
}

fn mib(kib: u64) -> String {
    format!("{:.1} MiB", kib as f64 / 1024.0)
}

/// The level of detail about a failure.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Detail {
    /// Everything.
    Full,
    /// Without the grammar of moves, which is printed elsewhere.
    Brief,
}

/// The reason why an item failed or was skipped.
pub(super) fn reason(result: &ItemResult) -> Option<String> {
    reason_in(Detail::Full, result)
}

pub(super) fn reason_in(detail: Detail, result: &ItemResult) -> Option<String> {
    match &result.outcome {
        ItemOutcome::Passed => None,
        ItemOutcome::Failed(failure) => Some(problem(failure, detail)),
        ItemOutcome::Skipped(why) => Some(match why {
            SkipReason::NoHandshake => "the handshake failed".to_owned(),
            SkipReason::NotReady => "the bot was not ready for the game before".to_owned(),
            SkipReason::NothingPlayed => "the bot played no game".to_owned(),
            SkipReason::NotPlayed => "not played".to_owned(),
            SkipReason::NoSuchPosition => "no game that the bot plays has such a position".to_owned(),
            SkipReason::NotMeasured => "could not be measured".to_owned(),
            SkipReason::NotAnnounced => "the bot does not announce it".to_owned(),
            SkipReason::NoSandbox => "the bot runs without a sandbox".to_owned(),
            SkipReason::HostBusy(why) => printable(why, 2 * QUOTED),
        }),
    }
}

fn problem(failure: &ItemFailure, detail: Detail) -> String {
    let fault = || fault_in_words(failure, detail);
    match &failure.problem {
        ItemProblem::Fault => fault(),
        ItemProblem::Resigned => "the bot resigned at once".to_owned(),
        ItemProblem::PlaysNothing => match failure.fault_record() {
            Some(_) => format!("the bot plays no game: {}", fault()),
            None => "the bot plays no game: it resigned at once in each".to_owned(),
        },
        ItemProblem::Restarted { why, game } => {
            format!("before game {game}, the process was replaced: {}", printable(why, QUOTED))
        }
        ItemProblem::NotReady { awaited, limit } => {
            format!("no `{awaited}` within {:.1} s", limit.as_secs_f64())
        }
        ItemProblem::StillRunning { limit, has_moved } => {
            let when = if *has_moved { " once it had made a move" } else { "" };
            format!("the process was still running after {}{when}", ms(*limit))
        }
        ItemProblem::CutLines { length, answers } => {
            let times = if *answers == 1 { "once".to_owned() } else { format!("{answers} times") };
            format!(
                "the bot reads long lines in pieces: it answered the word `isready` within unknown lines of {} bytes \
                 {times}",
                grouped(*length as u64)
            )
        }
        ItemProblem::StrayLines { number, first } => {
            let first: Vec<String> =
                first.iter().map(|line| format!("`{}`", printable(line, QUOTED))).collect();
            let (lines, are) = if *number == 1 { ("line", "is") } else { ("lines", "are") };
            format!("{} {lines} of stdout {are} not of the protocol: {}", grouped(*number), first.join(", "))
        }
        ItemProblem::MemoryGrowth(Growth { early, late }) => {
            format!("memory grew from {} after the first games to {}", mib(*early), mib(*late))
        }
        ItemProblem::CpuGrowth(Growth { early, late }) => {
            format!("the CPU time of a game grew from {} to {}", ms(*early), ms(*late))
        }
        ItemProblem::BusyOffMove { busy, wall } => {
            format!("the bot was busy for {} while its opponents thought for {}", ms(*busy), ms(*wall))
        }
        ItemProblem::CantPonderOn { text, why } => {
            format!("the bot can't ponder on `{}`: {why}", printable(text, QUOTED))
        }
        ItemProblem::AnsweredEarly => "the bot answered `go ponder` before `ponderhit` or `stop`".to_owned(),
        ItemProblem::NoMove { to, limit } => format!("no `bestmove` within {} of `{to}`", ms(*limit)),
        ItemProblem::RefusedMove { text, why } => {
            format!("the bot answered `{}` after it had pondered: {why}", printable(text, QUOTED))
        }
        ItemProblem::FailsOnlyInSandbox => {
            format!("the bot plays without the sandbox, but not in it: {}", fault())
        }
    }
}

fn fault_in_words(failure: &ItemFailure, detail: Detail) -> String {
    let record = failure.game.as_ref().map(|(record, _)| record);
    let fault = failure.fault_record().cloned().map(|mut fault| {
        if let (Detail::Brief, Ok(Fault::NotAMove { why, .. })) = (detail, &mut fault.fault) {
            why.clear();
        }
        fault
    });
    let sentence = record.zip(fault).map(|(record, fault)| fault_sentence(record, &fault));
    sentence.unwrap_or_else(|| "the bot failed".to_owned())
}

/// The measurements in words.
pub(super) fn figures(observed: &[Observation]) -> Vec<String> {
    observed.iter().map(figure).filter(|text| !text.is_empty()).collect()
}

fn figure(observation: &Observation) -> String {
    match observation {
        Observation::Introduced { name, author, features, options } => {
            let name = name.as_ref().map(|name| printable(name, QUOTED));
            let author = author.as_ref().map(|author| format!("by {}", printable(author, QUOTED)));
            let features = (!features.is_empty()).then(|| format!("asks for {}", features.join(" and ")));
            let options = (*options > 0).then(|| counted(*options as u64, "option"));
            let parts: Vec<String> = [name, author, features, options].into_iter().flatten().collect();
            parts.join(", ")
        }
        Observation::Moves(moves) => counted(*moves as u64, "move"),
        Observation::Positions(positions) => counted(*positions as u64, "position"),
        Observation::Games(games) => counted(*games as u64, "game"),
        Observation::Spoiled(games) => {
            format!("the busy machine spoiled {}", counted(*games as u64, "game"))
        }
        Observation::LineLength(bytes) => format!("lines of {} bytes", grouped(*bytes as u64)),
        Observation::Seats(seats) => format!("with {seats} seats"),
        Observation::Longest(time) => format!("longest {}", ms(*time)),
        Observation::LongestOf { limit, used } => {
            format!("longest {}; limit {} + {} margin", ms(*used), ms(*limit), ms(DEFAULT_MARGIN))
        }
        Observation::Memory(Growth { early, late }) => format!("memory {}, then {}", mib(*early), mib(*late)),
        Observation::Cpu(Growth { early, late }) => format!("CPU a game {}, then {}", ms(*early), ms(*late)),
        Observation::OffMove { busy, wall } => format!("busy for {} of {}", ms(*busy), ms(*wall)),
        Observation::Start(time) => format!("`ugiok` after {}", ms(*time)),
        Observation::Ready(time) => format!("`readyok` after {}", ms(*time)),
        Observation::FirstMove { cold, warm } => {
            format!("{} in a new process, {} in the next game", ms(*cold), ms(*warm))
        }
        Observation::Repeats(true) => "same moves again (the bot can be repeated)".to_owned(),
        Observation::Repeats(false) => "other moves the second time (no fault; to be repeatable, seed random numbers with the `game` line)".to_owned(),
        Observation::Ended(time) => format!("after {}", ms(*time)),
        Observation::GivenUp(Some(fault)) => format!("failed before its first move (`{fault}`)"),
        Observation::GivenUp(None) => "resigned at once".to_owned(),
        Observation::FailsAlike => "fails without the sandbox as well".to_owned(),
    }
}

//! Advice for the author of a bot that failed in an item.

use super::super::super::play::diagnosis;
use crate::check::bot::{CheckItem, ItemFailure, ItemProblem};
use crate::league::session::Confinement;
use crate::report::hints::{self, Chore, how_to};
use crate::verdict::FaultKind;

/// The advice for a failure in an item, in the language of the bot.
pub(super) fn advice(
    item: CheckItem,
    failure: &ItemFailure,
    command: &[String],
    kept: &Confinement,
) -> Option<String> {
    if failure.problem == ItemProblem::OnlyWithoutSandbox {
        let cure = failure.fault_record().and_then(|fault| diagnosis::of_record(fault, kept));
        return Some(cure.unwrap_or_else(|| WITHOUT_A_REASON.to_owned()));
    }
    // The special feature of these items is the likely cause, whatever else the evidence looks like.
    if let Some(advice) = of_item(item, failure, command) {
        return Some(advice);
    }
    let hint = failure.game.as_ref().zip(failure.fault_record());
    let hint = hint.and_then(|((record, _), fault)| hints::of_fault(record, fault));
    let by_sandbox = || failure.fault_record().and_then(|fault| diagnosis::of_record(fault, kept));
    hint.or_else(by_sandbox).or_else(|| of_problem(item, failure, command))
}

const WITHOUT_A_REASON: &str = "allow what the bot reads elsewhere (`read = [\"PATH\"]`) or writes (`scratch = \
     \"64MiB\"`) in the tournament file, or set `sandbox = \"off\"` at its top";

const QUIT: &str = "exit at once when the line `quit` comes, also if other threads run";

const UNKNOWN_WORDS: &str =
    "ignore lines with an unknown first word, empty lines, and words after those that you know";

const GROWTH: &str = "clear tables and lists at `uginewgame`, and give large tables a fixed size";

const IDLE: &str = "stop all threads before you answer `bestmove`, and wait for input by a call that blocks, not in a \
     loop";

const SHARING: &str = "share nothing between processes: no file, port or lock with a fixed name";

const PASS: &str =
    "answer `bestmove pass` where `pass` is the only legal move; `linesman games GAME --rules` says when";

const PONDER: &str = "wait after `go ponder` until `ponderhit` or `stop` comes, and answer then, or do not announce \
     `feature ponder`";

/// The advice that follows from the item, whatever else the evidence looks like.
fn of_item(item: CheckItem, failure: &ItemFailure, command: &[String]) -> Option<String> {
    let to = |chore| how_to(chore, command);
    let told = match item {
        CheckItem::Whitespace => {
            format!("split lines at any number of blanks and tabs, such as by {}", to(Chore::SplitWords))
        }
        CheckItem::LineEnds => {
            format!("take a `\\r` at the end of a line for a blank: {} does so", to(Chore::SplitWords))
        }
        CheckItem::Stdout => {
            format!("write everything else to stderr, such as by {}", to(Chore::WriteToStderr))
        }
        CheckItem::EndOfInput if is_still_running(failure) => {
            format!("exit when stdin ends: read lines by {}", to(Chore::ReadToTheEnd))
        }
        CheckItem::Clock | CheckItem::Sessions | CheckItem::MoveLimit | CheckItem::ShortTime => {
            return is_late(failure).then(|| of_time(item).to_owned());
        }
        CheckItem::Quit if is_still_running(failure) => QUIT.to_owned(),
        CheckItem::UnknownWords => UNKNOWN_WORDS.to_owned(),
        CheckItem::Growth => GROWTH.to_owned(),
        CheckItem::Idle => IDLE.to_owned(),
        CheckItem::Restart | CheckItem::TwoAtOnce => SHARING.to_owned(),
        CheckItem::Pass => PASS.to_owned(),
        CheckItem::Ponder => PONDER.to_owned(),
        CheckItem::Handshake
        | CheckItem::Game
        | CheckItem::Positions
        | CheckItem::FullBoard
        | CheckItem::ManyGames
        | CheckItem::FirstMove
        | CheckItem::Determinism
        | CheckItem::Quit
        | CheckItem::EndOfInput
        | CheckItem::Sandbox => return None,
    };
    Some(told)
}

fn is_still_running(failure: &ItemFailure) -> bool {
    matches!(failure.problem, ItemProblem::StillRunning { .. })
}

fn is_late(failure: &ItemFailure) -> bool {
    failure.fault_record().is_some_and(|fault| fault.kind() == FaultKind::Time)
}

fn of_time(item: CheckItem) -> &'static str {
    match item {
        CheckItem::Sessions => {
            "plan the time `pNtime` of your seat N for the moves that `movestogo` names, not for the whole game"
        }
        CheckItem::MoveLimit => "use no more than `movetime`, also where the `go` line has clocks before it",
        CheckItem::ShortTime => {
            "answer at once, without a search, when hardly any time is left: below 50 ms, say"
        }
        _ => "plan the time `pNtime` of your seat N for about 30 more moves, and never use all of it",
    }
}

/// The advice that follows from the kind of problem alone.
fn of_problem(item: CheckItem, failure: &ItemFailure, command: &[String]) -> Option<String> {
    let told = match &failure.problem {
        ItemProblem::Restarted { .. } => {
            "answer `isready` after `gameover` as well, and write nothing between two games".to_owned()
        }
        ItemProblem::Resigned => {
            "answer `go` with a legal move, or leave out `--game` for a game that the bot does not play".to_owned()
        }
        ItemProblem::PlaysNothing => {
            "answer `go` with `bestmove` and a legal move in at least one game; `linesman talk` shows what the bot \
             is sent"
                .to_owned()
        }
        ItemProblem::NotReady { .. } => ready(command),
        ItemProblem::Fault => return of_fault(item, &failure.fault_record()?.kind(), command),
        ItemProblem::StillRunning { .. }
        | ItemProblem::StrayLines { .. }
        | ItemProblem::MemoryGrowth(_)
        | ItemProblem::CpuGrowth(_)
        | ItemProblem::BusyOffMove { .. }
        | ItemProblem::CantPonderOn { .. }
        | ItemProblem::AnsweredEarly
        | ItemProblem::NoMove { .. }
        | ItemProblem::RefusedMove { .. }
        | ItemProblem::OnlyWithoutSandbox => return None,
    };
    Some(told)
}

fn ready(command: &[String]) -> String {
    let answer = how_to(Chore::Answer, command);
    format!("answer `ugi` with `ugiok` and `isready` with `readyok`, and flush each line as in {answer}")
}

fn of_fault(item: CheckItem, kind: &FaultKind, command: &[String]) -> Option<String> {
    let told = match kind {
        FaultKind::NotStarted => {
            "run the command by hand: the bot has to wait for the line `ugi` and must not exit before `quit`"
        }
        FaultKind::NotReady => return Some(ready(command)),
        FaultKind::Time => {
            "stop thinking well before the limit in the `go` line, and begin to measure when you have read it"
        }
        FaultKind::Crash => {
            "catch the error that stderr shows; `linesman talk` lets you repeat the dialogue by hand"
        }
        FaultKind::ClosedOutput => "keep stdout open until `quit`",
        FaultKind::IllegalMove | FaultKind::NotAMove => of_moves(item),
        FaultKind::Protocol => {
            "compare the line with the protocol: `linesman talk` shows what the referee makes of each line"
        }
        FaultKind::Limit => {
            "use less, or raise the limit with `--limit` here and `limits` in the tournament file"
        }
        FaultKind::Overload | FaultKind::Other(_) => return None,
    };
    Some(told.to_owned())
}

fn of_moves(item: CheckItem) -> &'static str {
    match item {
        CheckItem::Game => {
            "print `feature legal` before `ugiok` to get all legal moves before each `go`; if the bot is not meant \
             to play this game, let it resign there, or name its games with `--game`"
        }
        CheckItem::Positions | CheckItem::FullBoard => {
            "set up the board anew from each `position` line: a game can begin at `position fen TOKEN` and with \
             any number of moves"
        }
        _ => "forget the last game at `uginewgame`, and set up the board anew from each `position` line",
    }
}

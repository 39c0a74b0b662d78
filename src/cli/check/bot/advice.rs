//! Advice for the author of a bot that failed an item.

use super::super::super::play::diagnosis;
use crate::check::bot::{CheckItem, Circumstance, ItemFailure, ItemProblem};
use crate::games::is_elimination;
use crate::league::session::Confinement;
use crate::process::isolation::Layers;
use crate::protocol::{FromBot, ToBot};
use crate::report::hints::{self, BotLanguage};
use crate::verdict::{Fault, FaultKind, Stage};

/// The advice for a failure of an item, in terms of the bot's language.
pub(super) fn advice(
    item: CheckItem,
    failure: &ItemFailure,
    command: &[String],
    language: BotLanguage,
    confinement: &Confinement,
) -> Option<String> {
    let diagnosis_with =
        |confinement: &Confinement| diagnosis::of_record(failure.fault_record()?, confinement);
    let of_sandbox = || diagnosis_with(confinement).unwrap_or_else(|| WITHOUT_A_REASON.to_owned());
    if failure.problem == ItemProblem::FailsOnlyInSandbox {
        return Some(of_sandbox());
    }
    if failure.is_so(Circumstance::FailsOnlyInSandbox) {
        return Some(format!("{}; the bot plays the same game without the sandbox", of_sandbox()));
    }
    // The special condition of these items is the likely cause, whatever the evidence suggests.
    if let Some(advice) = of_item(item, failure, language) {
        return Some(advice);
    }
    let hint = || {
        let (record, _) = failure.game.as_ref()?;
        hints::of_checked(record, failure.fault_record()?, command, language)
    };
    // Games without the sandbox were tried: only a message about a refusal makes it a suspect.
    let unsuspected = Confinement { layers: Layers::default(), ..confinement.clone() };
    let advice = hint().or_else(|| of_circumstances(failure, language));
    let advice = advice.or_else(|| diagnosis_with(&unsuspected));
    let advice = advice.or_else(|| of_problem(item, failure, language))?;
    Some(match more_time(failure) {
        Some(more) => format!("{advice}; {more}"),
        None => advice,
    })
}

/// The advice for the circumstance that made a difference when the game was played again.
fn of_circumstances(failure: &ItemFailure, language: BotLanguage) -> Option<String> {
    Some(match failure.circumstances.first()? {
        Circumstance::OnlyWithClocks => {
            let silent = if failure.stderr.trim().is_empty() { silent_end(language) } else { String::new() };
            format!(
                "look at what the bot does with the words of `go p1time ... p2time ... p1inc ... p2inc ...`: the \
                 same game with `go movetime` went well each time{silent}"
            )
        }
        Circumstance::OnlyByToken => BY_TOKEN.to_owned(),
        Circumstance::OnlyAfterOthers => AFTER_OTHERS.to_owned(),
        Circumstance::FailsOnlyInSandbox => return None,
    })
}

const BY_TOKEN: &str = "set up the board and the seat on move from the token in `position fen TOKEN`: the same position \
     by its moves (`position startpos moves ...`) went well";

const AFTER_OTHERS: &str = "forget everything about the last game at `uginewgame` and `game`: the same game went well as \
     the first one of a new process, and failed again after another game";

const WITHOUT_A_REASON: &str = "allow what the bot reads elsewhere (`read = [\"PATH\"]`) or writes (`scratch = \
     \"64MiB\"`) in the tournament file, or set `sandbox = \"off\"` at its top";

const AFTER_A_MOVE: &str = "; before its first move the bot does so: end what the first move started, such as a timer, a \
     thread or a thread pool, or make it a daemon, or end the process by a call such as `exit`";

const CORRECT: &str = "correct the error that stderr shows";

const QUIT: &str = "exit at once when the line `quit` comes, also if other threads run";

const UNKNOWN_WORDS: &str =
    "ignore lines with an unknown first word, empty lines, and words after those that you know";

const GROWTH: &str = "clear tables and lists at `uginewgame`, and give large tables a fixed size";

const IDLE: &str = "stop all threads before you answer `bestmove`, and wait for input by a call that blocks, not in a \
     loop";

const SHARING: &str = "share nothing between processes: no file, port or lock with a fixed name";

const ELIMINATION: &str = "read a word such as `!3` in the list of moves as the elimination of that seat: it is neither a \
     move nor a turn, and from there on the turns of that seat are skipped; a game can also end before the bot has \
     moved";

const PONDER: &str = "wait after `go ponder` until `ponderhit` or `stop` comes, and answer then, or do not announce \
     `feature ponder`";

const CLOCK: &str = "plan the time `pNtime` of your seat N for about 30 more moves, and never use all of it";

const OWN_CLOCK: &str = "read the clock of the seat that the `game` line gives the bot: `p2time` and `p2inc` for seat 2, \
     not always `p1time`";

const SESSIONS: &str =
    "plan the time `pNtime` of your seat N for the moves that `movestogo` names, not for the whole game";

const MOVE_LIMIT: &str = "use no more than `movetime`, also where the `go` line has clocks before it";

const SHORT_TIME: &str = "answer at once, without a search, when hardly any time is left: below 50 ms, say";

/// The advice for the item, whatever the evidence suggests.
fn of_item(item: CheckItem, failure: &ItemFailure, language: BotLanguage) -> Option<String> {
    let advice = match item {
        CheckItem::Whitespace => {
            format!("split lines at any number of blanks and tabs, for example with {}", language.words())
        }
        CheckItem::LineEnds => {
            format!("take a `\\r` at the end of a line for a blank: {} does so", language.words())
        }
        CheckItem::Stdout => match misspelled(failure) {
            Some((line, verb)) => format!("write the verb `{verb}` in lower case: `{line}` is no answer"),
            None => format!("write everything else to stderr, for example with {}", language.stderr()),
        },
        CheckItem::EndOfInput if is_still_running(failure) => match has_moved(failure) {
            true => format!("exit when stdin ends{AFTER_A_MOVE}"),
            false => format!("exit when stdin ends: read lines by {}", language.to_the_end()),
        },
        CheckItem::Clock => return if_late(failure, CLOCK),
        CheckItem::OwnClock => return if_late(failure, OWN_CLOCK),
        CheckItem::Sessions => return if_late(failure, SESSIONS),
        CheckItem::MoveLimit => return if_late(failure, MOVE_LIMIT),
        CheckItem::ShortTime => return if_late(failure, SHORT_TIME),
        CheckItem::Quit if is_still_running(failure) => match has_moved(failure) {
            true => format!("{QUIT}{AFTER_A_MOVE}"),
            false => QUIT.to_owned(),
        },
        CheckItem::LongLines if matches!(failure.problem, ItemProblem::CutLines { .. }) => {
            format!("read whole lines, however long they are: {}", language.long_lines())
        }
        // The bot may have failed before the first elimination.
        CheckItem::Elimination => return has_elimination(failure).then(|| ELIMINATION.to_owned()),
        CheckItem::UnknownWords => UNKNOWN_WORDS.to_owned(),
        CheckItem::Growth => GROWTH.to_owned(),
        CheckItem::Idle => IDLE.to_owned(),
        CheckItem::Restart | CheckItem::TwoAtOnce => SHARING.to_owned(),
        CheckItem::Pass => {
            let game = &failure.game.as_ref()?.0.game;
            let error = if shows_an_error(failure) { format!("{CORRECT}: ") } else { String::new() };
            format!(
                "{error}answer `bestmove pass` where `pass` is the only legal move; `linesman games {game} --rules` says \
                 when"
            )
        }
        CheckItem::Ponder => PONDER.to_owned(),
        CheckItem::Handshake
        | CheckItem::Game
        | CheckItem::Positions
        | CheckItem::FullBoard
        | CheckItem::LongLines
        | CheckItem::ManyGames
        | CheckItem::FirstMove
        | CheckItem::Determinism
        | CheckItem::Quit
        | CheckItem::EndOfInput
        | CheckItem::Sandbox => return None,
    };
    Some(advice)
}

/// The first stray line that would be an answer in lower case, and its verb in lower case.
fn misspelled(failure: &ItemFailure) -> Option<(&str, String)> {
    let ItemProblem::StrayLines { first, .. } = &failure.problem else { return None };
    first.iter().find_map(|line| {
        let verb = line.split_whitespace().next()?.to_lowercase();
        let answer = line.trim_start().to_lowercase();
        let is_answer = !matches!(FromBot::parse(answer.as_bytes()), Ok(FromBot::Unknown));
        is_answer.then_some((&**line, verb))
    })
}

/// True if the process ended with output on stderr.
fn shows_an_error(failure: &ItemFailure) -> bool {
    let kind = failure.fault_record().map(|fault| fault.kind());
    let has_ended = matches!(kind, Some(FaultKind::Crash | FaultKind::NotStarted));
    has_ended && !failure.stderr.trim().is_empty()
}

/// True if a `position` line to the bot had an elimination.
fn has_elimination(failure: &ItemFailure) -> bool {
    failure.sent().any(|message| {
        matches!(message, ToBot::Position(position) if position.moves.iter().any(|text| is_elimination(text)))
    })
}

fn is_still_running(failure: &ItemFailure) -> bool {
    matches!(failure.problem, ItemProblem::StillRunning { .. })
}

fn has_moved(failure: &ItemFailure) -> bool {
    matches!(failure.problem, ItemProblem::StillRunning { has_moved: true, .. })
}

/// The advice, if the bot was late.
fn if_late(failure: &ItemFailure, advice: &str) -> Option<String> {
    let is_late = failure.fault_record().is_some_and(|fault| fault.kind() == FaultKind::Time);
    is_late.then(|| advice.to_owned())
}

fn of_problem(item: CheckItem, failure: &ItemFailure, language: BotLanguage) -> Option<String> {
    let advice = match &failure.problem {
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
        ItemProblem::NotReady { .. } => ready(language),
        ItemProblem::Fault => return of_fault(item, failure, language),
        ItemProblem::StillRunning { .. }
        | ItemProblem::StrayLines { .. }
        | ItemProblem::CutLines { .. }
        | ItemProblem::MemoryGrowth(_)
        | ItemProblem::CpuGrowth(_)
        | ItemProblem::BusyOffMove { .. }
        | ItemProblem::CantPonderOn { .. }
        | ItemProblem::AnsweredEarly
        | ItemProblem::NoMove { .. }
        | ItemProblem::RefusedMove { .. }
        | ItemProblem::FailsOnlyInSandbox => return None,
    };
    Some(advice)
}

/// The advice about a program that ends without a message, to be added to another one.
fn silent_end(language: BotLanguage) -> String {
    language.silent_end().map_or_else(String::new, |advice| format!("; {advice}"))
}

fn ready(language: BotLanguage) -> String {
    let answer = language.answer();
    format!("answer `ugi` with `ugiok` and `isready` with `readyok`, and flush each line as in {answer}")
}

/// The advice to raise a time limit, since a bot that was not ready in time may only be slow.
fn more_time(failure: &ItemFailure) -> Option<String> {
    let record = failure.fault_record()?;
    let Ok(Fault::NotReady { stage, .. }) = record.fault else { return None };
    let key = match stage {
        Stage::Handshake => "start",
        Stage::Ready => "ready",
    };
    let advice = format!(
        "if it needs longer until `{}`, give it more time with `--limit {key}=30s` here and `limits.{key}` in the \
         tournament file",
        stage.answer()
    );
    record.stray_lines.is_empty().then_some(advice)
}

fn of_fault(item: CheckItem, failure: &ItemFailure, language: BotLanguage) -> Option<String> {
    let advice = match failure.fault_record()?.kind() {
        FaultKind::NotStarted if shows_an_error(failure) => CORRECT,
        FaultKind::NotStarted => {
            "run the command by hand: the bot has to wait for the line `ugi` and must not exit before `quit`"
        }
        FaultKind::NotReady => return Some(ready(language)),
        FaultKind::Time => {
            "stop thinking well before the limit in the `go` line, and begin to measure when you have read it"
        }
        FaultKind::Crash if failure.stderr.trim().is_empty() => {
            let repeat = "repeat the dialogue by hand with `linesman talk`: the bot ended without a message";
            return Some(format!("{repeat}{}", silent_end(language)));
        }
        FaultKind::Crash => {
            return Some(format!("{CORRECT}; `linesman talk` lets you repeat the dialogue by hand"));
        }
        FaultKind::ClosedOutput => "keep stdout open until `quit`",
        FaultKind::IllegalMove | FaultKind::NotAMove => return of_moves(item, failure),
        FaultKind::Protocol => {
            "compare the line with the protocol: `linesman talk` shows what the referee makes of each line"
        }
        FaultKind::Limit => {
            "use less, or raise the limit with `--limit` here and `limits` in the tournament file"
        }
        FaultKind::Overload | FaultKind::Other(_) => return None,
    };
    Some(advice.to_owned())
}

fn of_moves(item: CheckItem, failure: &ItemFailure) -> Option<String> {
    let (record, _) = failure.game.as_ref()?;
    let has_legal = failure.sent().any(|message| matches!(message, ToBot::Legal(_)));
    let game = &record.game;
    let rules = format!("`linesman games {game} --rules` (docs/games/{game}.md)");
    let ask = "print `feature legal` before `ugiok` to get all legal moves before each `go`";
    let is_first = record.moves.as_ref().is_none_or(|moves| moves.len() < record.seats.len());
    if item == CheckItem::Game && is_first && !has_legal {
        return Some(format!(
            "if the bot is not meant to play {game}, let it resign there, or name its games with `--game`; \
             otherwise {ask}"
        ));
    }
    Some(match &failure.fault_record()?.fault {
        Ok(Fault::IllegalMove { .. }) if has_legal => {
            format!("answer with a word of the last `legal` line, or correct the rule above: {rules}")
        }
        Ok(Fault::IllegalMove { .. }) => {
            format!("correct the rule above in the bot's own list of moves: {rules} explains it; or {ask}")
        }
        Ok(
            Fault::NotStarted { .. }
            | Fault::NotReady { .. }
            | Fault::Time { .. }
            | Fault::CpuClock { .. }
            | Fault::Crash { .. }
            | Fault::ClosedOutput { .. }
            | Fault::NotAMove { .. }
            | Fault::Protocol { .. }
            | Fault::Limit { .. },
        )
        | Err(_) => format!("write moves as {rules} says, or {ask} and answer with one of its words"),
    })
}

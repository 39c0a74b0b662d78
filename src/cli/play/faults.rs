//! Messages about bots that fail: which faults are shown, how many, and with which hints. `report/src/describe.rs`
//! makes the sentence about a fault.

use std::collections::BTreeMap;

use super::super::args::FaultArgs;
use super::super::error::{Exit, Failure};
use super::super::ui::Ui;
use crate::league::session::{Failing, Results};
use crate::record::text::printable;
use crate::record::{FaultRecord, GameRecord};
use crate::report::{describe, hints};
use crate::verdict::{Fault, FaultKind, Limit};

/// Number of faults of one kind of one bot that are shown in full.
const SHOWN_IN_FULL: u64 = 3;

const STDERR_LINES: usize = 6;

/// The exit status of a command after its games. It depends on the faults of the bots that still take part, in all
/// games of the league. Late moves due to overload are not faults.
pub(crate) fn judge(ui: &mut Ui, args: FaultArgs, results: &Results, exit: Exit) -> Exit {
    let faults = results.faults_by_bot();
    let Some(((name, games), others)) = faults.split_first() else { return exit };
    let of_others: u64 = others.iter().map(|(_, games)| games).sum();
    ui.count_faults(games + of_others);
    if !args.fail_on_fault || matches!(exit, Exit::Stopped | Exit::Signal(_)) {
        return exit;
    }
    let others = match others.len() {
        0 => String::new(),
        1 => format!(", and another bot in {of_others}"),
        bots => format!(", and {bots} other bots in {of_others}"),
    };
    ui.fail(&Failure::no(format_args!(
        "`{name}` failed in {}{others} (--fail-on-fault)",
        describe::counted(*games, "game")
    )))
}

/// Shows faults as they occur, but only the first ones of each kind of each bot.
#[derive(Debug, Default)]
pub(super) struct FaultNotes {
    by_bot_and_kind: BTreeMap<(String, FaultKind), Seen>,
}

/// The faults of one kind of one bot so far.
#[derive(Debug, Default)]
struct Seen {
    times: u64,
    /// The hint for the last of them.
    hint: Option<String>,
}

impl FaultNotes {
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        record: &GameRecord,
        diagnose: impl Fn(&FaultRecord) -> Option<String>,
    ) {
        for fault in &record.faults {
            let bot = describe::name(record, fault.seat);
            let seen = self.by_bot_and_kind.entry((bot, fault.kind())).or_default();
            seen.times += 1;
            if seen.times > SHOWN_IN_FULL {
                continue;
            }
            ui.note(format_args!("{}: {}", record.id, describe::fault_sentence(record, fault)));
            for line in evidence(fault) {
                ui.note(format_args!("    {line}"));
            }
            // The same hint is not repeated.
            let hint = hints::of_fault(record, fault).or_else(|| diagnose(fault));
            if let Some(hint) = hint.as_ref().filter(|hint| seen.hint.as_ref() != Some(hint)) {
                ui.note(format_args!("    hint: {hint}"));
            }
            seen.hint = hint;
        }
    }

    /// Reports the numbers of faults of which only the first ones were shown, in a line for each kind.
    pub(super) fn sum_up(&self, ui: &Ui) {
        let mut by_kind: BTreeMap<&FaultKind, Vec<(&str, u64)>> = BTreeMap::new();
        for ((bot, kind), Seen { times, .. }) in &self.by_bot_and_kind {
            if *times > SHOWN_IN_FULL {
                by_kind.entry(kind).or_default().push((bot, *times));
            }
        }
        for (kind, mut bots) in by_kind {
            bots.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
            let is_overload = *kind == FaultKind::Overload;
            let why = if is_overload { ": waited for a CPU" } else { "" };
            if let [(bot, times)] = bots[..] {
                let did = if is_overload { "was late" } else { "failed" };
                ui.note(format_args!(
                    "`{bot}` {did} {times} times (`{kind}`{why}); the first {SHOWN_IN_FULL} are shown"
                ));
                continue;
            }
            let counts: Vec<String> = bots.iter().map(|(bot, times)| format!("{bot} {times}")).collect();
            let counts: Vec<&str> = counts.iter().map(String::as_str).collect();
            let did = if is_overload { "late moves" } else { "faults" };
            ui.note(format_args!(
                "{did} (`{kind}`{why}): {}; the first {SHOWN_IN_FULL} of each bot are shown",
                describe::several(&counts)
            ));
        }
    }
}

/// The evidence of a fault: an excerpt of stderr, and lines printed instead of an answer.
fn evidence(fault: &FaultRecord) -> Vec<String> {
    let stderr = describe::stderr_excerpt(&fault.stderr_tail, STDERR_LINES);
    let mut lines: Vec<String> = stderr.iter().map(|line| format!("stderr | {line}")).collect();
    let stray = &fault.stray_lines[fault.stray_lines.len().saturating_sub(STDERR_LINES)..];
    lines.extend(stray.iter().map(|line| format!("stdout | {line}")));
    lines
}

/// The failure of a bot in the preflight check.
pub(super) fn start_failure(Failing { bot, failed, .. }: &Failing) -> Failure {
    let what = format!("bot `{}` {}", bot.name, did_not_start(&failed.fault));
    let mut failure = Failure::new(Exit::Wrong, what).cause(format_args!(
        "command `{}` in `{}`",
        shell_words::join(&bot.command),
        bot.folder.display()
    ));
    let stderr = match &failed.fault {
        Fault::NotStarted { stderr_tail, .. } | Fault::ClosedOutput { stderr_tail } => stderr_tail.as_str(),
        Fault::NotReady { .. }
        | Fault::Time { .. }
        | Fault::CpuClock { .. }
        | Fault::Crash { .. }
        | Fault::IllegalMove { .. }
        | Fault::NotAMove { .. }
        | Fault::Protocol { .. }
        | Fault::Limit { .. } => "",
    };
    for line in describe::stderr_excerpt(stderr, STDERR_LINES) {
        failure = failure.detail(format_args!("stderr | {}", printable(&line, 300)));
    }
    for line in &failed.stray_lines {
        failure = failure.detail(format_args!("stdout | {}", printable(line, 300)));
    }
    if matches!(failed.fault, Fault::NotReady { .. }) && failed.stray_lines.is_empty() {
        return failure
            .hint("check that the bot answers the line `ugi` with `ugiok` and flushes its output")
            .hint("use `--keep-going` to play anyway");
    }
    failure.hint("use `--keep-going` to play anyway: the bot then loses its games")
}

/// The rest of the sentence about a bot that did not start, after its name.
fn did_not_start(fault: &Fault) -> String {
    match fault {
        Fault::NotStarted { error, .. } => format!("can't be started: {error}"),
        Fault::NotReady { stage, limit, .. } => {
            format!("did not answer `{}` within {} ms", stage.answer(), limit.as_millis())
        }
        Fault::ClosedOutput { .. } => "closed its output before `ugiok`".to_owned(),
        Fault::Limit { which: Limit::Memory, limit, used } => {
            let (limit, used) = (limit >> 20, used.div_ceil(1 << 20));
            format!("used {used} MiB of memory before `ugiok`, more than its limit of {limit} MiB")
        }
        Fault::Limit { which: Limit::Processes, limit, used } => {
            format!("had {used} processes and threads before `ugiok`, more than its limit of {limit}")
        }
        Fault::Limit {
            which: which @ (Limit::Scratch | Limit::ScratchDepth | Limit::Hidden | Limit::CpuTime),
            ..
        } => format!("exceeded its limit `{}` before `ugiok`", which.word()),
        Fault::Limit { which: Limit::Stderr, limit, .. } => {
            format!("wrote more than {limit} bytes to stderr before `ugiok`")
        }
        Fault::Limit { which: Limit::Line | Limit::OutputOnMove | Limit::OutputOffMove, limit, .. } => {
            format!("printed more than {limit} bytes instead of `ugiok`")
        }
        other @ (Fault::Time { .. }
        | Fault::CpuClock { .. }
        | Fault::Crash { .. }
        | Fault::IllegalMove { .. }
        | Fault::NotAMove { .. }
        | Fault::Protocol { .. }) => format!("failed before `ugiok` ({})", other.word()),
    }
}

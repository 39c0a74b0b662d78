//! Compares the league of a hostile bot with its expected course.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::fixture::{Fixture, left_elsewhere};
use super::watch::{self, GAMES, Watched};
use super::{Before, Check, Done, Expected, Problem, Trial, host_memory, most_kib};
use crate::hostile::{DONE, ExpectedEnding, HostileBot, Reach};
use linesman_record::{FaultRecord, GameRecord, VoidKind};
use linesman_types::verdict::{Evidence, ExitStatus, Fault};

/// The hostile bot's name in its league.
const HOSTILE: &str = "hostile";

pub(super) fn judge(
    bot: &'static HostileBot,
    fixture: &Fixture,
    watched: &Watched,
    before: &Before<'_>,
) -> Trial {
    let layer = before.layer;
    let mut trial = Trial {
        bot,
        layer,
        verdicts: Vec::new(),
        time: Duration::ZERO,
        done: Vec::new(),
        peak_kib: watched.peak_kib,
        problems: Vec::new(),
    };
    let mut wrong = Problems(Vec::new());
    let is_refused = bot.right(layer).contains(&ExpectedEnding::Refused);
    if was_refused(watched, is_refused, &mut wrong) {
        trial.verdicts.push("refused".to_owned());
    }
    if !watched.left.is_empty() {
        wrong.say(Some(Check::Processes), &format!("still there: {}", watched.left.join(", ")));
    }
    if let Some(open) = watched.fewest_descriptors().filter(|open| *open > before.descriptors) {
        let good = before.descriptors;
        wrong.say(Some(Check::Descriptors), &format!("{open} were open, but {good} with good bots"));
    }
    if let Some((_, file)) = bot.litter.filter(|(from, _)| layer < *from)
        && fixture.take_away(file)
    {
        trial.done.push(Done { name: file.to_owned(), expected: Expected::Yes });
    }
    for change in fixture.changes().into_iter().chain(left_elsewhere()) {
        wrong.say(Some(Check::Files), &change);
    }
    if watched.peak_kib > most_kib(1) {
        wrong.say(Some(Check::Memory), &format!("the referee used {} KiB", watched.peak_kib));
    }
    if let Some(kib) = before.memory.and_then(taken_from_host) {
        wrong.say(Some(Check::HostMemory), &format!("{kib} KiB of shared memory were not freed"));
    }
    if !is_refused {
        let records = read(fixture, &mut wrong);
        look_at_verdicts(&mut trial, &records, &mut wrong);
        look_at_next_game(&records, &mut wrong);
        look_at_attempts(&mut trial, &records, fixture.folder(), &mut wrong);
    }
    let refused_all = !trial.done.iter().any(|done| bot.attempted().iter().any(|own| own.name == done.name));
    if refused_all && fixture.heard_something() {
        wrong.say(None, "the bot reached a listener");
    }
    trial.problems = wrong.0;
    trial
}

/// Returns true if the league was refused as it had to be; any other end that is wrong is a problem.
fn was_refused(watched: &Watched, must_be: bool, wrong: &mut Problems) -> bool {
    match watched.status {
        Some(status) if must_be && status.code() == Some(2) && watched.said.contains("error: ") => {
            return true;
        }
        Some(_) if must_be => wrong.say(None, "its league was started, not refused"),
        None => wrong.say(None, "the league had to be killed"),
        Some(status) if !status.success() => {
            wrong.say(None, &format!("the league ended with {status}: {}", last_line(&watched.said)));
        }
        Some(_) => {}
    }
    false
}

/// Maximum time for which other bots on trial may hold memory of the host.
const GIVEN_BACK_WITHIN: Duration = Duration::from_secs(10);

/// The growth of the host's memory that belongs to no process, in KiB, if it is large and lasts: other bots
/// on trial give theirs back.
///
/// A growth that was reported once counts as known in later trials.
fn taken_from_host(before: &AtomicU64) -> Option<u64> {
    let mut now = None;
    let taken = |now: u64| now.saturating_sub(before.load(Ordering::Relaxed));
    let given_back = watch::holds_within(GIVEN_BACK_WITHIN, || {
        now = host_memory::unowned_kib();
        now.is_none_or(|now| taken(now) <= host_memory::TOLERATED_KIB)
    });
    let now = now.filter(|_| !given_back)?;
    let taken = taken(now);
    before.store(now, Ordering::Relaxed);
    Some(taken)
}

pub(super) struct Problems(pub(super) Vec<Problem>);

impl Problems {
    pub(super) fn say(&mut self, check: Option<Check>, what: &str) {
        self.0.push(Problem { check, what: what.to_owned() });
    }
}

pub(super) fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or("no message")
}

/// All records; the last try of each game.
fn read(fixture: &Fixture, wrong: &mut Problems) -> Vec<GameRecord> {
    let text = fs::read_to_string(fixture.records()).unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        wrong.say(Some(Check::Record), "the last record is incomplete");
    }
    let mut records: Vec<GameRecord> = Vec::new();
    for line in text.lines() {
        match serde_json::from_str::<GameRecord>(line) {
            Ok(record) => {
                records.retain(|known| known.id != record.id);
                records.push(record);
            }
            Err(error) => wrong.say(Some(Check::Record), &format!("a record can't be read: {error}")),
        }
    }
    if records.len() != GAMES {
        wrong.say(Some(Check::Record), &format!("{} games have a record instead of {GAMES}", records.len()));
    }
    records
}

/// The seat of the hostile bot, from 1.
fn hostile_seat(record: &GameRecord) -> Option<u8> {
    let seat = record.seats.iter().position(|seat| seat.name == HOSTILE)?;
    u8::try_from(seat + 1).ok()
}

fn look_at_verdicts(trial: &mut Trial, records: &[GameRecord], wrong: &mut Problems) {
    let right = trial.bot.right(trial.layer);
    for (record, seat) in records.iter().filter_map(|record| Some((record, hostile_seat(record)?))) {
        trial.time = trial.time.max(Duration::from_millis(record.duration_ms.unwrap_or(0)));
        let own: Vec<&FaultRecord> = record.faults.iter().filter(|fault| fault.seat == seat).collect();
        let verdict = match (&record.void, own.as_slice()) {
            (Some(void), _) => format!("void: {}", void.kind.word()),
            (None, []) => "plays on".to_owned(),
            (None, faults) => in_words(faults[0]),
        };
        let is_right = match &record.void {
            None => right.iter().any(|outcome| fits(*outcome, own.first().copied())),
            // The machine was busy with others, so the fault can't be attributed.
            Some(void) => void.kind == VoidKind::Host && right.contains(&ExpectedEnding::Fails("time")),
        };
        if !is_right {
            wrong.say(None, &format!("{}: {verdict}", record.id));
        }
        if !trial.verdicts.contains(&verdict) {
            trial.verdicts.push(verdict);
        }
        if record.faults.iter().any(|fault| fault.seat != seat) {
            wrong.say(None, &format!("{}: the good bot was blamed", record.id));
        }
        for fault in own {
            if let Some(missing) = missing_evidence(fault) {
                wrong.say(
                    Some(Check::Record),
                    &format!("{}: a `{}` without {missing}", record.id, fault.word()),
                );
            }
        }
    }
}

/// A verdict as the table shows it.
pub(super) fn in_words(fault: &FaultRecord) -> String {
    let detail = match &fault.fault {
        Ok(Fault::Limit { which, .. }) => format!(" {}", which.word()),
        Ok(Fault::Crash { status: ExitStatus::Code(code), .. }) => format!(" exit {code}"),
        Ok(Fault::Crash { status: ExitStatus::Signal(signal), .. }) => {
            format!(" signal {signal}")
        }
        Ok(Fault::NotReady { stage, .. }) => format!(" {}", stage.answer()),
        Ok(
            Fault::NotStarted { .. }
            | Fault::Time { .. }
            | Fault::CpuClock { .. }
            | Fault::Crash { status: ExitStatus::Unknown, .. }
            | Fault::ClosedOutput { .. }
            | Fault::IllegalMove { .. }
            | Fault::NotAMove { .. }
            | Fault::Protocol { .. },
        )
        | Err(_) => String::new(),
    };
    format!("{}{detail}", fault.word())
}

pub(super) fn fits(outcome: ExpectedEnding, fault: Option<&FaultRecord>) -> bool {
    let Some(own) = fault else { return outcome == ExpectedEnding::Plays };
    match outcome {
        ExpectedEnding::Plays | ExpectedEnding::Refused => false,
        ExpectedEnding::Fails(word) => own.word() == word,
        ExpectedEnding::Exceeds(word) => {
            matches!(&own.fault, Ok(Fault::Limit { which, .. }) if which.word() == word)
        }
        ExpectedEnding::Exits(code) => has_status(own, ExitStatus::Code(code)),
        ExpectedEnding::Dies(signal) => has_status(own, ExitStatus::Signal(signal)),
    }
}

fn has_status(fault: &FaultRecord, expected: ExitStatus) -> bool {
    matches!(&fault.fault, Ok(Fault::Crash { status, .. }) if *status == expected)
}

/// The evidence that a verdict lacks.
pub(super) fn missing_evidence(fault: &FaultRecord) -> Option<&'static str> {
    let fault = match &fault.fault {
        Ok(fault) => fault,
        Err(_) => return Some("all that belongs to its kind"),
    };
    let (is_there, what) = match fault {
        Fault::NotStarted { error, .. } => (!error.is_empty(), "the step that failed"),
        Fault::Time { limit, used, .. }
        | Fault::CpuClock { limit, evidence: Evidence { cpu: used, .. }, .. } => {
            (used > limit, "a time over the limit")
        }
        Fault::IllegalMove { why, .. } => (!why.is_empty(), "the rule"),
        Fault::NotAMove { why, .. } | Fault::Protocol { expected: why, .. } => (!why.is_empty(), "a reason"),
        Fault::NotReady { .. } | Fault::Crash { .. } | Fault::ClosedOutput { .. } | Fault::Limit { .. } => {
            return None;
        }
    };
    (!is_there).then_some(what)
}

fn look_at_next_game(records: &[GameRecord], wrong: &mut Problems) {
    let good: Vec<&GameRecord> = records.iter().filter(|record| hostile_seat(record).is_none()).collect();
    for record in &good {
        let is_normal = record.faults.is_empty() && record.void.is_none() && record.places.is_some();
        if !is_normal {
            wrong.say(Some(Check::NextGame), &format!("{}, a game between good bots, failed", record.id));
        }
    }
    let is_last = records.last().is_some_and(|record| hostile_seat(record).is_none());
    if good.len() < 2 || !is_last {
        wrong.say(Some(Check::NextGame), "the last game was not one between good bots");
    }
}

fn holds_signals_by_namespaces_alone(record: &GameRecord) -> bool {
    let means = record.sandbox.as_ref().and_then(|used| used.held.get("signals"));
    means.is_some_and(|means| means == "bubblewrap")
}

fn look_at_attempts(trial: &mut Trial, records: &[GameRecord], folder: &Path, wrong: &mut Problems) {
    if trial.bot.attempted().is_empty() {
        return;
    }
    let reports: Vec<&str> = records
        .iter()
        .filter(|record| hostile_seat(record).is_some())
        .flat_map(|record| record.said.iter().flatten().flatten())
        .filter_map(|said| said.text.as_deref()?.split_once(DONE).map(|(_, done)| done))
        .collect();
    if reports.is_empty() {
        wrong.say(None, "it did not report what it tried");
    }
    let has_namespaces = |record: &GameRecord| {
        record.sandbox.as_ref().is_some_and(|used| used.layers.iter().any(|layer| layer == "bubblewrap"))
    };
    let own_folders = records.iter().all(has_namespaces);
    for attempt in trial.bot.attempted() {
        if !reports.iter().any(|report| report.split_whitespace().any(|word| word == attempt.name)) {
            continue;
        }
        let is_its_own = match attempt.reach {
            Reach::OwnSupervisor => records.iter().all(holds_signals_by_namespaces_alone),
            reach => own_folders && reach.is_own_in_namespaces(folder),
        };
        let expected = match trial.layer >= attempt.held_from {
            _ if is_its_own => Expected::Harmless,
            true => Expected::No,
            false => Expected::Yes,
        };
        if expected == Expected::No {
            wrong.say(None, &format!("`{}` was not refused", attempt.name));
        }
        trial.done.push(Done { name: attempt.name.to_owned(), expected });
    }
}

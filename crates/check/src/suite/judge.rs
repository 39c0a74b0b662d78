//! Compares the course of a hostile bot's league with what is expected.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::fixture::{Fixture, remove_shared_leftovers};
use super::watch::{self, GAMES, RECORDS, Watched};
use super::{Baseline, Check, Done, Expected, Problem, Trial, host_memory, max_kib};
use crate::hostile::{ExpectedEnding, HostileBot, Reach, SUCCEEDED};
use linesman_record::{FaultRecord, GameRecord, VoidKind};
use linesman_sandbox::isolation::Means;
use linesman_types::verdict::{Evidence, ExitStatus, Fault, FaultKind};

/// The hostile bot's name in its league.
const HOSTILE: &str = "hostile";

pub(super) fn judge(
    bot: &'static HostileBot,
    fixture: &Fixture,
    watched: &Watched,
    baseline: &Baseline<'_>,
) -> Trial {
    let mut trial = Trial {
        bot,
        layer: baseline.setting,
        verdicts: Vec::new(),
        time: Duration::ZERO,
        done: Vec::new(),
        peak_kib: watched.peak_kib,
        problems: Vec::new(),
    };
    let mut problems = Problems(Vec::new());
    let must_be_refused = bot.expected_in(baseline.setting).contains(&ExpectedEnding::Refused);
    if was_refused(watched, must_be_refused, &mut problems) {
        trial.verdicts.push("refused".to_owned());
    }
    problems.add_leftovers(watched);
    if let Some(open) = watched.fewest_descriptors().filter(|open| *open > baseline.descriptors) {
        let good = baseline.descriptors;
        problems.add(Some(Check::Descriptors), &format!("{open} were open, but {good} with good bots"));
    }
    if let Some((_, file)) = bot.litter.filter(|(from, _)| baseline.setting < *from)
        && fixture.remove_left(file)
    {
        trial.done.push(Done { name: file.to_owned(), expected: Expected::Yes });
    }
    for change in fixture.changes().into_iter().chain(remove_shared_leftovers()) {
        problems.add(Some(Check::Files), &change);
    }
    if watched.peak_kib > max_kib(1) {
        problems.add(Some(Check::Memory), &format!("the referee used {} KiB", watched.peak_kib));
    }
    if let Some(kib) = baseline.memory.and_then(lost_memory) {
        problems.add(Some(Check::HostMemory), &format!("{kib} KiB of shared memory were not freed"));
    }
    if !must_be_refused {
        let records = read_records(fixture, &mut problems);
        judge_verdicts(&mut trial, &records, &mut problems);
        judge_games_of_good_bots(&records, &mut problems);
        judge_attempts(&mut trial, &records, &fixture.folder, &mut problems);
    }
    let is_attempt = |done: &Done| bot.attempted().iter().any(|attempt| attempt.name == done.name);
    if !trial.done.iter().any(is_attempt) && fixture.was_contacted() {
        problems.add(None, "the bot reached a listener");
    }
    trial.problems = problems.0;
    trial
}

/// Returns true if the league had to be refused and was. Adds a problem if the league did not end as it should.
fn was_refused(watched: &Watched, must_be: bool, problems: &mut Problems) -> bool {
    match watched.status {
        Some(status) if must_be && status.code() == Some(2) && watched.stderr.contains("error: ") => {
            return true;
        }
        Some(_) if must_be => problems.add(None, "its league was started, not refused"),
        Some(_) | None => problems.add_bad_end(watched),
    }
    false
}

/// Maximum time for which the bots of concurrent trials may hold memory of the host.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(10);

/// The growth of the host's memory that belongs to no process, in KiB, if it is large and lasts longer than the
/// bots of concurrent trials. `before` is set to the new amount, so that later trials do not report the growth again.
fn lost_memory(before: &AtomicU64) -> Option<u64> {
    let mut now = None;
    let growth = |now: u64| now.saturating_sub(before.load(Ordering::Relaxed));
    let is_released = watch::becomes_true_within(RELEASE_TIMEOUT, || {
        now = host_memory::unowned_kib();
        now.is_none_or(|now| growth(now) <= host_memory::TOLERATED_KIB)
    });
    let now = now.filter(|_| !is_released)?;
    let growth = growth(now);
    before.store(now, Ordering::Relaxed);
    Some(growth)
}

pub(super) struct Problems(pub(super) Vec<Problem>);

impl Problems {
    pub(super) fn add(&mut self, check: Option<Check>, what: &str) {
        self.0.push(Problem { check, what: what.to_owned() });
    }

    /// Adds a league that failed or had to be killed.
    pub(super) fn add_bad_end(&mut self, watched: &Watched) {
        match watched.status {
            Some(status) if status.success() => {}
            Some(status) => {
                let last_line = watched.stderr.lines().last().unwrap_or("no message");
                self.add(None, &format!("the league ended with {status}: {last_line}"));
            }
            None => self.add(None, "the league had to be killed"),
        }
    }

    /// Adds what outlived a league.
    pub(super) fn add_leftovers(&mut self, watched: &Watched) {
        if !watched.leftovers.is_empty() {
            self.add(Some(Check::Processes), &format!("still there: {}", watched.leftovers.join(", ")));
        }
    }

    /// Adds the evidence that a record lacks for a fault.
    pub(super) fn add_missing_evidence(&mut self, record: &GameRecord, fault: &FaultRecord) {
        if let Some(missing) = missing_evidence(fault) {
            self.add(Some(Check::Record), &format!("{}: a `{}` without {missing}", record.id, fault.word()));
        }
    }
}

/// Reads the records: of each game, the one of the last attempt.
fn read_records(fixture: &Fixture, problems: &mut Problems) -> Vec<GameRecord> {
    let text = fs::read_to_string(fixture.folder.join(RECORDS)).unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        problems.add(Some(Check::Record), "the last record is incomplete");
    }
    let mut records: Vec<GameRecord> = Vec::new();
    for line in text.lines() {
        match serde_json::from_str::<GameRecord>(line) {
            Ok(record) => {
                records.retain(|known| known.id != record.id);
                records.push(record);
            }
            Err(error) => problems.add(Some(Check::Record), &format!("a record can't be read: {error}")),
        }
    }
    if records.len() != GAMES {
        problems
            .add(Some(Check::Record), &format!("{} games have a record instead of {GAMES}", records.len()));
    }
    records
}

/// The seat of the hostile bot, from 1.
fn hostile_seat(record: &GameRecord) -> Option<u8> {
    let seat = record.seats.iter().position(|seat| seat.name == HOSTILE)?;
    u8::try_from(seat + 1).ok()
}

fn judge_verdicts(trial: &mut Trial, records: &[GameRecord], problems: &mut Problems) {
    let expected = trial.bot.expected_in(trial.layer);
    for (record, seat) in records.iter().filter_map(|record| Some((record, hostile_seat(record)?))) {
        trial.time = trial.time.max(Duration::from_millis(record.duration_ms.unwrap_or(0)));
        let faults: Vec<&FaultRecord> = record.faults.iter().filter(|fault| fault.seat == seat).collect();
        let verdict = match (&record.void, faults.as_slice()) {
            (Some(void), _) => format!("void: {}", void.kind.word()),
            (None, []) => "plays on".to_owned(),
            (None, faults) => in_words(faults[0]),
        };
        let is_right = match &record.void {
            None => expected.iter().any(|ending| fits(ending, faults.first().copied())),
            // The host was busy with other processes, so the bot can't be blamed for a late move.
            Some(void) => {
                void.kind == VoidKind::Host && expected.contains(&ExpectedEnding::Fails(FaultKind::Time))
            }
        };
        if !is_right {
            problems.add(None, &format!("{}: {verdict}", record.id));
        }
        if !trial.verdicts.contains(&verdict) {
            trial.verdicts.push(verdict);
        }
        if record.faults.iter().any(|fault| fault.seat != seat) {
            problems.add(None, &format!("{}: the good bot was blamed", record.id));
        }
        for fault in faults {
            problems.add_missing_evidence(record, fault);
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

/// True if a game in which the bot committed this fault, or none, ended as expected.
pub(super) fn fits(expected: &ExpectedEnding, fault: Option<&FaultRecord>) -> bool {
    let Some(fault) = fault else { return *expected == ExpectedEnding::Plays };
    match expected {
        ExpectedEnding::Plays | ExpectedEnding::Refused => false,
        ExpectedEnding::Fails(kind) => fault.kind() == *kind,
        ExpectedEnding::Exceeds(limit) => {
            matches!(&fault.fault, Ok(Fault::Limit { which, .. }) if which == limit)
        }
        ExpectedEnding::Exits(code) => has_status(fault, ExitStatus::Code(*code)),
        ExpectedEnding::Dies(signal) => has_status(fault, ExitStatus::Signal(*signal)),
    }
}

fn has_status(fault: &FaultRecord, expected: ExitStatus) -> bool {
    matches!(&fault.fault, Ok(Fault::Crash { status, .. }) if *status == expected)
}

fn missing_evidence(fault: &FaultRecord) -> Option<&'static str> {
    let Ok(fault) = &fault.fault else { return Some("all that belongs to its kind") };
    let (is_present, what) = match fault {
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
    (!is_present).then_some(what)
}

fn judge_games_of_good_bots(records: &[GameRecord], problems: &mut Problems) {
    let good: Vec<&GameRecord> = records.iter().filter(|record| hostile_seat(record).is_none()).collect();
    for record in &good {
        let is_normal = record.faults.is_empty() && record.void.is_none() && record.places.is_some();
        if !is_normal {
            problems.add(Some(Check::NextGame), &format!("{}, a game between good bots, failed", record.id));
        }
    }
    let is_last = records.last().is_some_and(|record| hostile_seat(record).is_none());
    if good.len() < 2 || !is_last {
        problems.add(Some(Check::NextGame), "the last game was not one between good bots");
    }
}

/// True if only namespaces keep a bot from signalling other processes.
fn blocks_signals_by_namespaces_only(record: &GameRecord) -> bool {
    let means = record.sandbox.as_ref().and_then(|used| used.held.get("signals"));
    means.is_some_and(|means| means == Means::Bubblewrap.word())
}

fn judge_attempts(trial: &mut Trial, records: &[GameRecord], folder: &Path, problems: &mut Problems) {
    if trial.bot.attempted().is_empty() {
        return;
    }
    let reports: Vec<&str> = records
        .iter()
        .filter(|record| hostile_seat(record).is_some())
        .flat_map(|record| record.said.iter().flatten().flatten())
        .filter_map(|said| said.text.as_deref()?.split_once(SUCCEEDED).map(|(_, names)| names))
        .collect();
    if reports.is_empty() {
        problems.add(None, "it did not report what it tried");
    }
    let has_namespaces = |record: &GameRecord| {
        record.sandbox.as_ref().is_some_and(|used| used.layers.iter().any(|layer| layer == "bubblewrap"))
    };
    let all_have_namespaces = records.iter().all(has_namespaces);
    for attempt in trial.bot.attempted() {
        if !reports.iter().any(|report| report.split_whitespace().any(|word| word == attempt.name)) {
            continue;
        }
        let is_harmless = match attempt.reach {
            Reach::OwnSupervisor => records.iter().all(blocks_signals_by_namespaces_only),
            reach => all_have_namespaces && reach.is_own_in_namespaces(folder),
        };
        let expected = match trial.layer >= attempt.blocked_from {
            _ if is_harmless => Expected::Harmless,
            true => Expected::No,
            false => Expected::Yes,
        };
        if expected == Expected::No {
            problems.add(None, &format!("`{}` was not refused", attempt.name));
        }
        trial.done.push(Done { name: attempt.name.to_owned(), expected });
    }
}

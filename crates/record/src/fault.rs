//! The faults of bots in records: an enum in the program, flat fields in the line.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::evidence::{EvidenceRecord, microseconds};
use crate::text::{printable, printable_tail};
use linesman_types::seat::Seat;
use linesman_types::verdict::{Evidence, ExitStatus, Fault, FaultKind, Limit, SeatFault, Stage, Unit};

/// The maximum length of an explanation, in bytes.
pub(crate) const MAX_EXPLANATION: usize = 1_000;
/// The maximum length of what a bot wrote instead of a move, in bytes.
pub(crate) const MAX_ANSWER: usize = 200;
/// The maximum number of a bot's stray lines in a record.
pub const MAX_STRAY_LINES: usize = 8;
/// The maximum length of the end of a bot's stderr in a record, in bytes.
const RECORDED_STDERR: usize = 4_000;

/// A bot's fault, with the figures for this kind of fault.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(from = "FaultFields", into = "FaultFields")]
pub struct FaultRecord {
    /// The seat, from 1.
    pub seat: u8,
    /// The fault with all that belongs to its kind, or the fields of a fault that is of a later version
    /// or lacks something. Seat and stray lines are empty there.
    pub fault: Result<Fault, Box<FaultFields>>,
    /// The end of the bot's stderr, made printable.
    pub stderr_tail: String,
    /// The last lines of the bot's output with an unknown verb, made printable.
    pub stray_lines: Vec<String>,
    /// True if the bot failed on its turn and has never asked for the list of legal moves.
    pub without_legal: bool,
}

impl FaultRecord {
    /// The kind under which tables count it. The word of a later version's kind is made printable.
    pub fn kind(&self) -> FaultKind {
        match &self.fault {
            Ok(fault) => fault.kind(),
            Err(fields) if fields.overload => FaultKind::Overload,
            Err(fields) => FaultKind::from_word(&printable(&fields.fault, MAX_ANSWER)),
        }
    }

    /// Returns true if a move came late for no other reason than an overloaded host.
    pub fn is_overload(&self) -> bool {
        self.kind() == FaultKind::Overload
    }

    /// The word of the fault in the record. A late move is `time` even if the host explains it.
    pub fn word(&self) -> &str {
        match &self.fault {
            Ok(fault) => fault.word(),
            Err(fields) => &fields.fault,
        }
    }

    /// The time of a late move whose host load was measured, in microseconds, and that measurement.
    pub(crate) fn late(&self) -> Option<(u64, EvidenceRecord)> {
        match &self.fault {
            Ok(Fault::Time { used, evidence, .. }) => Some((microseconds(*used), evidence.as_ref()?.into())),
            Ok(Fault::CpuClock { wall, evidence, .. }) => Some((microseconds(*wall), evidence.into())),
            Ok(
                Fault::NotStarted { .. }
                | Fault::NotReady { .. }
                | Fault::Crash { .. }
                | Fault::ClosedOutput { .. }
                | Fault::IllegalMove { .. }
                | Fault::NotAMove { .. }
                | Fault::Protocol { .. }
                | Fault::Limit { .. },
            ) => None,
            Err(fields) => fields.wall_us.or(fields.used_us).zip(fields.evidence),
        }
    }
}

/// The flat fields of a fault in the line of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FaultFields {
    /// The seat, from 1.
    pub seat: u8,
    /// The kind: `not_started`, `not_ready`, `time`, `crash`, `closed_output`,
    /// `illegal_move`, `not_a_move`, `protocol`, `limit`.
    pub fault: String,
    /// `not_ready`: what the referee waited for, `ugiok` or `readyok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// `not_ready`, `time`, `limit`: the limit on its time, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_us: Option<u64>,
    /// `time`, `limit`: the time that the bot used, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_us: Option<u64>,
    /// `time`: the margin on top of the limit, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin_us: Option<u64>,
    /// `time` with the clock `cpu`: the wall time from `go` until the verdict, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_us: Option<u64>,
    /// `time` with the clock `cpu`: the limit on the wall time, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_bound_us: Option<u64>,
    /// `time`: what the machine reports about the time of the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceRecord>,
    /// `time`: how much of the time the machine took, in microseconds; `not_ready`: how much longer than the
    /// limit the referee waited, because the machine was busy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excuse_us: Option<u64>,
    /// `time`: true if the move was late only because the machine was overloaded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overload: bool,
    /// `time`: whether the move eventually arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<bool>,
    /// `limit`: the limit that the bot exceeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<String>,
    /// `limit`: the limit in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_bytes: Option<u64>,
    /// `limit`: the number of bytes that the bot used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_bytes: Option<u64>,
    /// `limit`: the limit as a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_count: Option<u64>,
    /// `limit`: the number that the bot had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_count: Option<u64>,
    /// `crash`, `not_started`: the exit status of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// `crash`, `not_started`: the signal that ended the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// `illegal_move`, `not_a_move`, `protocol`: what the bot wrote, made printable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The explanation: the rule that the move breaks, what was expected, or the step that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The end of the bot's stderr, made printable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
    /// The last lines of the bot's output with an unknown verb, made printable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stray_lines: Vec<String>,
    /// `time`, `crash`, `closed_output`: true if the bot has never sent `feature legal`, so that it got no list
    /// of legal moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_legal: bool,
}

impl From<FaultFields> for FaultRecord {
    fn from(mut fields: FaultFields) -> FaultRecord {
        let seat = std::mem::take(&mut fields.seat);
        let stray_lines = std::mem::take(&mut fields.stray_lines);
        let without_legal = std::mem::take(&mut fields.without_legal);
        let stderr_tail = fields.stderr_tail.clone().unwrap_or_default();
        let fault = known(&fields).map_err(|_| Box::new(fields));
        FaultRecord { seat, fault, stderr_tail, stray_lines, without_legal }
    }
}

impl From<FaultRecord> for FaultFields {
    fn from(record: FaultRecord) -> FaultFields {
        let FaultRecord { seat, fault, stderr_tail, stray_lines, without_legal } = record;
        let fields = match fault {
            Ok(fault) => FaultFields::from(&fault),
            Err(fields) => *fields,
        };
        let stderr_tail = Some(stderr_tail).filter(|tail| !tail.is_empty());
        FaultFields { seat, stderr_tail, stray_lines, without_legal, ..fields }
    }
}

impl From<&SeatFault> for FaultRecord {
    fn from(fault: &SeatFault) -> FaultRecord {
        // Texts are cut and times rounded as in the line, so that a record equals its line.
        let fields = FaultFields::from(&fault.fault);
        let (seat, stray_lines) = (fault.seat.number() as u8, kept_lines(&fault.stray_lines));
        FaultRecord::from(FaultFields { seat, stray_lines, without_legal: fault.without_legal, ..fields })
    }
}

impl TryFrom<&FaultRecord> for SeatFault {
    type Error = UnreadableVerdict;

    fn try_from(record: &FaultRecord) -> Result<SeatFault, UnreadableVerdict> {
        let seat = Seat::new(usize::from(record.seat)).ok_or(UnreadableVerdict::NoSeat(record.seat))?;
        let fault = match &record.fault {
            Ok(fault) => fault.clone(),
            Err(fields) => known(fields)?,
        };
        let stray_lines = record.stray_lines.clone();
        Ok(SeatFault { seat, fault, stray_lines, without_legal: record.without_legal })
    }
}

impl From<&Fault> for FaultFields {
    fn from(fault: &Fault) -> FaultFields {
        let words = |text: &str| Some(printable(text, MAX_EXPLANATION)).filter(|text| !text.is_empty());
        let answer = |text: &str| Some(printable(text, MAX_ANSWER));
        let stderr = |text: &str| Some(printable_tail(text, RECORDED_STDERR)).filter(|text| !text.is_empty());
        let mut fields = FaultFields { fault: fault.word().to_owned(), ..FaultFields::default() };
        match fault {
            Fault::NotStarted { error, status, stderr_tail } => {
                fields.why = words(error);
                fields.set_status(*status);
                fields.stderr_tail = stderr(stderr_tail);
            }
            Fault::NotReady { stage, limit, granted } => {
                fields.stage = Some(stage.answer().to_owned());
                fields.limit_us = Some(microseconds(*limit));
                fields.excuse_us = (!granted.is_zero()).then(|| microseconds(*granted));
            }
            Fault::Time { limit, used, margin, evidence, excuse, overload, moved } => {
                fields.limit_us = Some(microseconds(*limit));
                fields.used_us = Some(microseconds(*used));
                fields.margin_us = Some(microseconds(*margin));
                fields.evidence = evidence.as_ref().map(EvidenceRecord::from);
                fields.excuse_us = (evidence.is_some() || !excuse.is_zero()).then(|| microseconds(*excuse));
                fields.overload = *overload;
                fields.moved = *moved;
            }
            Fault::CpuClock { limit, margin, evidence, wall, wall_bound } => {
                fields.limit_us = Some(microseconds(*limit));
                fields.used_us = Some(microseconds(evidence.cpu));
                fields.margin_us = Some(microseconds(*margin));
                fields.evidence = Some(EvidenceRecord::from(evidence));
                fields.wall_us = Some(microseconds(*wall));
                fields.wall_bound_us = Some(microseconds(*wall_bound));
            }
            Fault::Crash { status, stderr_tail } => {
                fields.set_status(Some(*status));
                fields.stderr_tail = stderr(stderr_tail);
            }
            Fault::ClosedOutput { stderr_tail } => fields.stderr_tail = stderr(stderr_tail),
            Fault::IllegalMove { text, why } | Fault::NotAMove { text, why } => {
                fields.text = answer(text);
                fields.why = words(why);
            }
            Fault::Protocol { line, expected } => {
                fields.text = answer(line);
                fields.why = words(expected);
            }
            Fault::Limit { which, limit, used } => fields.set_limit(*which, *limit, *used),
        }
        fields
    }
}

impl FaultFields {
    fn set_status(&mut self, status: Option<ExitStatus>) {
        match status {
            Some(ExitStatus::Code(code)) => self.exit_code = Some(code),
            Some(ExitStatus::Signal(signal)) => self.signal = Some(signal),
            Some(ExitStatus::Unknown) | None => {}
        }
    }

    fn status(&self) -> Option<ExitStatus> {
        self.exit_code.map(ExitStatus::Code).or(self.signal.map(ExitStatus::Signal))
    }

    fn set_limit(&mut self, which: Limit, limit: u64, used: u64) {
        self.which = Some(which.word().to_owned());
        let (limit, used) = (Some(limit), Some(used));
        match which.unit() {
            Unit::Bytes => (self.limit_bytes, self.used_bytes) = (limit, used),
            Unit::Number => (self.limit_count, self.used_count) = (limit, used),
            Unit::Microseconds => (self.limit_us, self.used_us) = (limit, used),
        }
    }
}

/// Returns the fault in these fields.
fn known(fields: &FaultFields) -> Result<Fault, UnreadableVerdict> {
    let missing = |field| UnreadableVerdict::Missing { fault: fields.fault.clone(), field };
    let time = |field, value: Option<u64>| value.map(Duration::from_micros).ok_or_else(|| missing(field));
    let text = || fields.text.clone().ok_or_else(|| missing("text"));
    let why = fields.why.clone().unwrap_or_default();
    let stderr_tail = fields.stderr_tail.clone().unwrap_or_default();
    Ok(match fields.fault.as_str() {
        "not_started" => Fault::NotStarted { error: why, status: fields.status(), stderr_tail },
        "not_ready" => {
            let answer = fields.stage.as_deref().ok_or_else(|| missing("stage"))?;
            let stage = [Stage::Handshake, Stage::Ready].into_iter().find(|stage| stage.answer() == answer);
            let stage = stage.ok_or_else(|| unknown_word("faults.stage", answer))?;
            let granted = Duration::from_micros(fields.excuse_us.unwrap_or(0));
            Fault::NotReady { stage, limit: time("limit_us", fields.limit_us)?, granted }
        }
        "time" if fields.wall_bound_us.is_some() => Fault::CpuClock {
            limit: time("limit_us", fields.limit_us)?,
            margin: time("margin_us", fields.margin_us)?,
            evidence: fields.evidence.as_ref().ok_or_else(|| missing("evidence"))?.into(),
            wall: time("wall_us", fields.wall_us)?,
            wall_bound: time("wall_bound_us", fields.wall_bound_us)?,
        },
        "time" => Fault::Time {
            limit: time("limit_us", fields.limit_us)?,
            used: time("used_us", fields.used_us)?,
            margin: time("margin_us", fields.margin_us)?,
            evidence: fields.evidence.as_ref().map(Evidence::from),
            excuse: Duration::from_micros(fields.excuse_us.unwrap_or(0)),
            overload: fields.overload,
            moved: fields.moved,
        },
        "crash" => Fault::Crash { status: fields.status().unwrap_or(ExitStatus::Unknown), stderr_tail },
        "closed_output" => Fault::ClosedOutput { stderr_tail },
        "illegal_move" => Fault::IllegalMove { text: text()?, why },
        "not_a_move" => Fault::NotAMove { text: text()?, why },
        "protocol" => Fault::Protocol { line: text()?, expected: why },
        "limit" => limit_fault(fields)?,
        other => return Err(unknown_word("faults.fault", other)),
    })
}

fn limit_fault(fields: &FaultFields) -> Result<Fault, UnreadableVerdict> {
    let missing = |field| UnreadableVerdict::Missing { fault: fields.fault.clone(), field };
    let word = fields.which.as_deref().ok_or_else(|| missing("which"))?;
    let which = Limit::ALL.into_iter().find(|limit| limit.word() == word);
    let which = which.ok_or_else(|| unknown_word("faults.which", word))?;
    let [limit, used] = match which.unit() {
        Unit::Bytes => [("limit_bytes", fields.limit_bytes), ("used_bytes", fields.used_bytes)],
        Unit::Number => [("limit_count", fields.limit_count), ("used_count", fields.used_count)],
        Unit::Microseconds => [("limit_us", fields.limit_us), ("used_us", fields.used_us)],
    };
    let needed = |(field, value): (_, Option<u64>)| value.ok_or_else(|| missing(field));
    Ok(Fault::Limit { which, limit: needed(limit)?, used: needed(used)? })
}

pub(crate) fn unknown_word(field: &'static str, word: &str) -> UnreadableVerdict {
    UnreadableVerdict::Word { field, word: printable(word, MAX_ANSWER) }
}

/// Returns the last of a bot's stray lines, up to the maximum of a record.
pub(crate) fn kept_lines(lines: &[String]) -> Vec<String> {
    let last = &lines[lines.len().saturating_sub(MAX_STRAY_LINES)..];
    last.iter().map(|line| printable(line, MAX_ANSWER)).collect()
}

/// The reason why a record does not determine the verdict of its game.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum UnreadableVerdict {
    /// Places are missing, or impossible in any game, and the game is not void.
    #[error("`places` is missing or impossible")]
    NoPlaces,
    /// Places without a reason.
    #[error("`reason` is missing")]
    NoReason,
    /// A word that its field does not allow.
    #[error("`{field}` can't be `{word}`")]
    Word {
        /// The field.
        field: &'static str,
        /// The word, made printable.
        word: String,
    },
    /// A fault of a seat that no game has.
    #[error("`faults` names seat {0}, which no game has")]
    NoSeat(u8),
    /// A fault without a field that belongs to its kind.
    #[error("the fault `{fault}` has no `{field}`")]
    Missing {
        /// The kind of fault.
        fault: String,
        /// The missing field.
        field: &'static str,
    },
}

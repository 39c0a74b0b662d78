//! The results of a check as JSON.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::super::error::Failure;
use super::super::super::json;
use super::super::super::ui::Ui;
use super::sentences::reason;
use super::{CheckReport, untried};
use crate::check::bot::{Growth, ItemFailure, ItemResult, Observation};
use crate::record::format::OpeningRecord;
use crate::record::{FaultFields, TranscriptRecord};

#[derive(Serialize)]
struct CheckJson<'r> {
    command: &'r str,
    passed: usize,
    failed: usize,
    skipped: usize,
    /// True if the machine was too busy for some items.
    incomplete: bool,
    seconds: f64,
    items: Vec<ItemJson<'r>>,
}

/// The result of an item as JSON.
#[derive(Serialize)]
struct ItemJson<'r> {
    item: &'static str,
    /// The expected behaviour, in a sentence.
    about: &'static str,
    game: Option<&'static str>,
    result: &'static str,
    /// The reason for a failed or skipped item.
    reason: Option<String>,
    /// Measurements, which don't affect the result.
    found: Map<String, Value>,
    evidence: Option<EvidenceJson<'r>>,
    advice: Option<String>,
    seconds: f64,
}

/// The evidence of a failure.
#[derive(Serialize)]
struct EvidenceJson<'r> {
    game: Option<&'r str>,
    seat: Option<usize>,
    opening: Option<&'r OpeningRecord>,
    moves: Option<&'r [String]>,
    fault: Option<FaultFields>,
    /// The last lines between the referee and the bot, as in records.
    dialogue: &'r [TranscriptRecord],
    stderr: &'r str,
}

pub(super) fn print(report: &CheckReport, ui: &Ui) -> Result<(), Failure> {
    let items = report.results.iter().map(|result| ItemJson {
        item: result.item.word(),
        about: result.item.about(),
        game: result.game,
        result: result.outcome.word(),
        reason: reason(result),
        found: found(result),
        evidence: result.outcome.failure().map(evidence),
        advice: report.advice(result),
        seconds: seconds(result.took),
    });
    let (passed, failed, skipped) = (report.passed(), report.failed(), report.skipped());
    let command = &report.command_line;
    let (items, seconds) = (items.collect(), rounded(report.seconds));
    let incomplete = untried(&report.results).next().is_some();
    json::print(ui, &CheckJson { command, passed, failed, skipped, incomplete, seconds, items })
}

fn evidence(failure: &ItemFailure) -> EvidenceJson<'_> {
    let record = failure.game.as_ref().map(|(record, _)| record);
    EvidenceJson {
        game: record.map(|record| record.game.as_str()),
        seat: failure.game.as_ref().map(|(_, seat)| seat.number()),
        opening: record.and_then(|record| record.opening.as_ref()),
        moves: record.and_then(|record| record.moves.as_deref()),
        fault: failure.fault_record().cloned().map(FaultFields::from),
        dialogue: &failure.dialogue,
        stderr: &failure.stderr,
    }
}

/// Rounds to three decimals.
fn rounded(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}

fn seconds(time: Duration) -> f64 {
    rounded(time.as_secs_f64())
}

fn ms(time: Duration) -> Value {
    json!(rounded(time.as_secs_f64() * 1_000.0))
}

fn found(result: &ItemResult) -> Map<String, Value> {
    let mut found = Map::new();
    let mut longest_of = Vec::new();
    for observation in &result.observed {
        let mut add = |key: &str, value: Value| drop(found.insert(key.to_owned(), value));
        match observation {
            Observation::Introduced { name, author, features, options } => {
                add("name", json!(name));
                add("author", json!(author));
                add("features", json!(features));
                add("options", json!(options));
            }
            Observation::Moves(moves) => add("moves", json!(moves)),
            Observation::Positions(positions) => add("positions", json!(positions)),
            Observation::Games(games) => add("games", json!(games)),
            Observation::Spoiled(games) => add("spoiled", json!(games)),
            Observation::LineLength(bytes) => add("line_bytes", json!(bytes)),
            Observation::Seats(seats) => add("seats", json!(seats)),
            Observation::Longest(time) => add("longest_ms", ms(*time)),
            Observation::LongestOf { limit, used } => {
                longest_of.push(json!({ "limit_ms": ms(*limit), "used_ms": ms(*used) }));
            }
            Observation::Memory(Growth { early, late }) => {
                add("memory_kib", json!({ "early": early, "late": late }));
            }
            Observation::Cpu(Growth { early, late }) => {
                add("cpu_ms", json!({ "early": ms(*early), "late": ms(*late) }));
            }
            Observation::OffMove { busy, wall } => {
                add("off_move_busy_ms", ms(*busy));
                add("off_move_ms", ms(*wall));
            }
            Observation::Start(time) => add("ugiok_ms", ms(*time)),
            Observation::Ready(time) => add("readyok_ms", ms(*time)),
            Observation::FirstMove { cold, warm } => {
                add("first_move_ms", json!({ "cold": ms(*cold), "warm": ms(*warm) }));
            }
            Observation::Repeats(repeats) => add("repeats", json!(repeats)),
            Observation::Ended(time) => add("ended_ms", ms(*time)),
            Observation::GivenUp(fault) => add("given_up", json!(fault.unwrap_or("resigned"))),
            Observation::FailsAlike => add("fails_without_sandbox", json!(true)),
        }
    }
    if !longest_of.is_empty() {
        found.insert("longest".to_owned(), Value::Array(longest_of));
    }
    found
}

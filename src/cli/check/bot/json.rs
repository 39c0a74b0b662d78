//! The results of a check as JSON.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::super::super::error::Failure;
use super::super::super::json::{self, Object, value};
use super::super::super::ui::Ui;
use super::sentences::reason;
use super::{CheckReport, untried};
use crate::check::bot::{Growth, ItemFailure, ItemResult, Observation};
use crate::record::FaultFields;

pub(super) fn print(report: &CheckReport, ui: &Ui) -> Result<(), Failure> {
    let item = |result: &ItemResult| {
        Object(vec![
            ("item", value(result.item.word())),
            ("about", value(result.item.about())),
            ("game", value(result.game)),
            ("result", value(result.outcome.word())),
            ("reason", value(reason(result))),
            ("found", value(found(result))),
            ("evidence", value(result.outcome.failure().map(evidence))),
            ("advice", value(report.advice(result))),
            ("seconds", value(rounded(result.took.as_secs_f64()))),
        ])
    };
    let object = vec![
        ("command", value(&report.command_line)),
        ("passed", value(report.passed())),
        ("failed", value(report.failed())),
        ("skipped", value(report.skipped())),
        // The machine was too busy for some items.
        ("incomplete", value(untried(&report.results).next().is_some())),
        ("seconds", value(rounded(report.seconds))),
        ("items", json::array(report.results.iter().map(item))),
    ];
    ui.print_json(&Object(object))
}

fn evidence(failure: &ItemFailure) -> Object {
    let record = failure.game.as_ref().map(|(record, _)| record);
    Object(vec![
        ("game", value(record.map(|record| &record.game))),
        ("seat", value(failure.game.as_ref().map(|(_, seat)| seat.number()))),
        ("opening", value(record.and_then(|record| record.opening.as_ref()))),
        ("moves", value(record.and_then(|record| record.moves.as_ref()))),
        ("fault", value(failure.fault_record().cloned().map(FaultFields::from))),
        // The last lines between the referee and the bot, as in records.
        ("dialogue", value(&failure.dialogue)),
        ("stderr", value(&failure.stderr)),
    ])
}

/// Rounds to three decimals.
fn rounded(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}

fn ms(time: Duration) -> Value {
    json!(rounded(time.as_secs_f64() * 1_000.0))
}

/// The measurements, which don't affect the result.
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

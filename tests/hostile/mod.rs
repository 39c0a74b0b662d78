//! Tests with hostile bots: the hostile suite, their texts in every output, and
//! hostile bots in other languages.

mod scripts;
mod stopped;
mod suite;
mod texts;

use serde_json::Value;

/// Returns the only fault of a bot in a record, if any.
#[track_caller]
fn fault_of<'r>(record: &'r Value, name: &str) -> Option<&'r Value> {
    let seats = record["seats"].as_array().expect("a record has seats");
    let seat = seats.iter().position(|seat| seat["name"] == name)? + 1;
    let mut own = record["faults"].as_array()?.iter().filter(|fault| fault["seat"] == seat);
    let fault = own.next();
    assert!(own.next().is_none(), "one fault at most: {record}");
    fault
}

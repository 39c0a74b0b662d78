//! What no bot should do: the hostile suite, its words in every output, and some
//! in other languages.

mod scripts;
mod stopped;
mod suite;
mod texts;

use serde_json::Value;

/// The only fault of a seat in a record, if it has one.
#[track_caller]
fn fault_of<'r>(record: &'r Value, name: &str) -> Option<&'r Value> {
    let seats = record["seats"].as_array().expect("a record has seats");
    let seat = seats.iter().position(|seat| seat["name"] == name)? + 1;
    let mut own = record["faults"].as_array()?.iter().filter(|fault| fault["seat"] == seat);
    let fault = own.next();
    assert!(own.next().is_none(), "one fault at most: {record}");
    fault
}

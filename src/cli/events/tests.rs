//! `docs/reference/events.md` and the JSON schema describe the events, and every kind of reader is tolerated.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;
use crate::cli::events::format::Event;
use crate::cli::kept::check_file;
use crate::cli::schema::Schema;

fn document() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/events.md")
}

fn contract(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol").join(name)
}

/// The schema of a line: that of an event with its time.
fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Event).to_value();
    for kind in schema["oneOf"].as_array_mut().unwrap() {
        kind["properties"]["at"] = serde_json::json!({
            "type": "string",
            "description": "When the event was reported, in UTC, as in RFC 3339."
        });
        kind["required"].as_array_mut().unwrap().push("at".into());
    }
    schema
}

#[track_caller]
fn valid(line: &str) -> serde_json::Value {
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(Schema::new(schema()).check(&value), Ok(()), "{line}");
    value
}

#[test]
fn the_schema_file_matches_the_types() {
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    check_file(&contract("events.schema.json"), &text);
}

#[test]
fn the_document_names_every_event_and_field_and_its_examples_are_valid() {
    let document = fs::read_to_string(document()).unwrap();
    let schema = schema();
    for kind in schema["oneOf"].as_array().unwrap() {
        let name = kind["properties"]["event"]["const"].as_str().unwrap();
        assert!(document.contains(&format!("`{name}`")), "`{name}` is missing in events.md");
    }
    let parts = schema["$defs"].as_object().unwrap().values();
    for field in parts.filter_map(|part| part["properties"].as_object()).flat_map(|fields| fields.keys()) {
        assert!(document.contains(&format!("`{field}`")), "`{field}` is missing in events.md");
    }
    let blocks: Vec<&str> = document.split("```json\n").skip(1).collect();
    assert!(blocks.len() > 2);
    for block in blocks {
        valid(block.split("```").next().unwrap_or_default());
    }
}

/// A reader that takes one chunk for each permission.
struct Slow {
    may_read: Receiver<()>,
    read: Sender<String>,
}

impl io::Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A disconnected channel stands for a closed pipe.
        self.may_read.recv().map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        let _ = self.read.send(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn slow() -> (Events, Sender<()>, Receiver<String>) {
    let ((allow, may_read), (read, lines)) = (channel(), channel());
    (Events::to(Slow { may_read, read }).expect("threads start"), allow, lines)
}

fn warning(bytes: usize) -> Event {
    Event::Warning(Warning { text: "w".repeat(bytes) })
}

#[test]
fn emitting_never_waits_and_unread_events_are_bounded_and_counted() {
    let (events, allow, lines) = slow();
    let emitted = 100;
    for _ in 0..emitted {
        events.emit(&warning(1 << 20));
    }
    assert!(events.0.queue().bytes < MAX_QUEUED + (2 << 20));
    // From now on everything is read.
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        while allow.send(()).is_ok() {
            match lines.recv() {
                Ok(line) => text.push_str(&line),
                Err(_) => break,
            }
        }
        text
    });
    events.set_status("complete");
    assert!(events.finish(Exit::Done, None), "all is written");
    let text = reader.join().unwrap();
    let values: Vec<serde_json::Value> = text.lines().map(valid).collect();
    let warnings = values.iter().filter(|value| value["event"] == "warning").count();
    let lost: u64 = values.iter().filter_map(|value| value["lost"].as_u64()).sum();
    assert!((16..=18).contains(&warnings), "{warnings}");
    assert_eq!(warnings as u64 + lost, emitted);
    let last = values.last().unwrap();
    assert_eq!(
        (&last["event"], &last["status"], &last["exit"]),
        (&"run_finished".into(), &"complete".into(), &0.into())
    );
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let (events, allow, lines) = slow();
    allow.send(()).unwrap();
    events.emit(&warning(1));
    lines.recv().unwrap();
    drop(allow);
    events.emit(&warning(1));
    assert!(!events.finish(Exit::Done, None), "not all was read");
    events.emit(&warning(1));
    assert_eq!(events.0.queue().lines.len(), 0);
}

#[test]
fn the_last_event_has_the_failure() {
    let (events, allow, lines) = slow();
    allow.send(()).unwrap();
    let failure = Failure::new(Exit::Wrong, "bot `a` can't be started");
    assert!(events.finish(Exit::Wrong, Some(&failure)));
    let end = valid(&lines.recv().unwrap());
    assert_eq!(
        (&end["status"], &end["exit"], &end["error"]),
        (&"failed".into(), &2.into(), &"bot `a` can't be started".into())
    );
}

//! `docs/reference/records.md` and the JSON schema next to it must agree with the program.

use std::fs;
use std::path::{Path, PathBuf};

use super::SMALLEST;
use crate::kept::check_file;
use crate::schema::Schema;
use crate::testing::played;
use crate::verify::{Checked, Replayer};
use crate::{FaultFields, GameRecord, VoidKind, VoidRecord};

fn document() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/records.md")
}

fn contract(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol").join(name)
}

fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(GameRecord).to_value();
    // Readers accept only version 1, and so does the schema.
    schema["properties"]["v"]["const"] = 1.into();
    // One or the other, never both.
    schema["oneOf"] = serde_json::json!([{ "required": ["places"] }, { "required": ["void"] }]);
    schema["properties"]["seats"]["minItems"] = 2.into();
    schema["properties"]["seats"]["maxItems"] = linesman_types::seat::MAX_SEATS.into();
    // It belongs to the line, not to the record.
    schema["properties"]["check"] = serde_json::json!({
        "description": "Always the last field: the CRC-32 of all bytes of the line before its comma, as eight \
                        hexadecimal digits.",
        "type": "string",
    });
    schema
}

#[track_caller]
fn valid(record: &serde_json::Value) {
    assert_eq!(Schema::new(schema()).check(record), Ok(()), "{record}");
}

#[track_caller]
fn invalid(record: &str) {
    let record: serde_json::Value = serde_json::from_str(record).unwrap();
    assert!(Schema::new(schema()).check(&record).is_err(), "{record}");
}

#[test]
fn the_schema_file_matches_the_types() {
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    check_file(&contract("record.schema.json"), &text);
}

#[test]
fn records_keep_to_the_schema() {
    valid(&serde_json::from_str(SMALLEST).unwrap());
    for seed in 0..20 {
        valid(&serde_json::to_value(played(seed)).unwrap());
    }
    let fault = FaultFields { seat: 2, fault: "crash".to_owned(), signal: Some(9), ..FaultFields::default() };
    let void = VoidRecord {
        kind: VoidKind::Host,
        why: Some("the disk is full".to_owned()),
        ..VoidRecord::default()
    };
    let record = GameRecord { faults: vec![fault.into()], void: Some(void), places: None, ..played(1) };
    valid(&serde_json::to_value(record).unwrap());
}

#[test]
fn the_schema_refuses_what_readers_refuse() {
    invalid("[]");
    invalid(r#"{"v":1}"#);
    invalid(&SMALLEST.replace("\"v\":1", "\"v\":2"));
    invalid(&SMALLEST.replace("[1,2]", "[1,-2]"));
    invalid(&SMALLEST.replace("[1,2]", "[1,2],\"void\":{\"kind\":\"host\"}"));
    invalid(&SMALLEST.replace(",\"places\":[1,2]", ""));
    invalid(&SMALLEST.replace("{\"name\":\"A\"},", ""));
}

/// The JSON examples of records.md, in their order.
fn examples() -> Vec<String> {
    let document = fs::read_to_string(document()).unwrap();
    let blocks = document.split("```json\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_document_s_examples_are_correct_records() {
    let examples = examples();
    assert_eq!(examples[0].trim_end(), SMALLEST);
    let checked: Vec<Checked> = examples
        .iter()
        .map(|example| {
            valid(&serde_json::from_str(example).unwrap());
            let record: GameRecord = serde_json::from_str(example).unwrap();
            Replayer::default().check(&record).unwrap_or_else(|violation| panic!("{violation}: {example}"))
        })
        .collect();
    assert!(
        matches!(
            checked[..],
            [Checked::WithoutMoves, Checked::Replayed { .. }, Checked::Replayed { .. }, Checked::Void]
        ),
        "{checked:?}"
    );
}

#[test]
fn the_document_s_examples_have_only_known_fields() {
    for example in examples() {
        let written: serde_json::Value = serde_json::from_str(&example).unwrap();
        let record: GameRecord = serde_json::from_str(&example).unwrap();
        let mut again = serde_json::to_value(record).unwrap();
        if written.get("try").is_none() {
            again.as_object_mut().unwrap().remove("try");
        }
        assert_eq!(again, written);
    }
}

#[test]
fn the_document_names_every_field() {
    let document = fs::read_to_string(document()).unwrap();
    let schema = schema();
    let parts = schema["$defs"].as_object().unwrap().values().chain([&schema]);
    for part in parts {
        for field in part["properties"].as_object().unwrap().keys() {
            assert!(document.contains(&format!("| `{field}` |")), "`{field}` is missing in records.md");
        }
    }
}

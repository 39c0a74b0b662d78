//! The page of the book that lists every key of a tournament file, made from the [schema](super::schema).

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::schema;
use crate::kept::check_file;

/// The page.
fn page() -> String {
    let schema: Value = serde_json::from_str(&schema::json()).expect("the schema is JSON");
    let mut page = "# Tournament file\n\n\
        A tournament file is written in [TOML](https://toml.io). [`tournaments/example.toml`](../../tournaments/example.toml) \
        is a complete file with comments. An editor that knows TOML schemas completes and checks the keys by \
        [`tournaments/tournament.schema.json`](../../tournaments/tournament.schema.json).\n\n\
        ## Top level\n\nKeys without a default that are not marked as required are optional.\n"
        .to_owned();
    add_keys(&mut page, &schema);
    let definitions = schema["definitions"].as_object().expect("there are definitions");
    for (name, definition) in definitions {
        let description = sentence(&definition["description"]);
        let (heading, example) = match name.as_str() {
            "Bot" => ("`[[bots]]`", true),
            "Team" => ("`[[teams]]`", true),
            _ => (&*format!("`[{}]`", name.to_lowercase()), false),
        };
        let each = if example { " One table for each." } else { "" };
        writeln!(page, "\n## {heading}\n\n{description}{each}").expect("writing to a string can't fail");
        add_keys(&mut page, definition);
    }
    page
}

fn add_keys(page: &mut String, table: &Value) {
    page.push_str("\n| key | takes | default | meaning |\n| --- | --- | --- | --- |\n");
    let required: Vec<&str> =
        table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (key, value) in table["properties"].as_object().into_iter().flatten() {
        let default = match &value["default"] {
            Value::Null if required.contains(&key.as_str()) => "required".to_owned(),
            Value::Null => String::new(),
            default => format!("`{default}`"),
        };
        let row = format!("| `{key}` | {} | {default} | {} |", takes(value), sentence(&value["description"]));
        page.push_str(&row);
        page.push('\n');
    }
}

/// A description in one line, as a cell of a table.
fn sentence(text: &Value) -> String {
    text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// The values that a key takes, in words.
fn takes(value: &Value) -> String {
    if let Some(choices) = value["anyOf"].as_array().or(value["oneOf"].as_array()) {
        let choices: Vec<String> = choices.iter().map(takes).collect();
        return choices.join(if choices.iter().any(|choice| choice.contains('(')) { "; " } else { " or " });
    }
    if let Some(word) = value["const"].as_str() {
        let about = sentence(&value["description"]);
        return if about.is_empty() {
            format!("`\"{word}\"`")
        } else {
            format!("`\"{word}\"` ({})", about.trim_end_matches('.'))
        };
    }
    if let Some(name) = value["$ref"].as_str().and_then(|target| target.rsplit('/').next()) {
        return match name {
            "Bot" => "[bots](#bots)".to_owned(),
            "Team" => "[teams](#teams)".to_owned(),
            _ => format!("[a table](#{})", name.to_lowercase()),
        };
    }
    let number = |key: &str| value[key].as_f64().map(|number| number.to_string());
    match value["type"].as_str() {
        Some("boolean") => "`true` or `false`".to_owned(),
        Some("integer") => match (number("minimum"), number("maximum")) {
            (Some(least), Some(most)) => format!("a whole number from {least} to {most}"),
            (Some(least), None) => format!("a whole number from {least}"),
            _ => "a whole number".to_owned(),
        },
        Some("number") => "a number".to_owned(),
        Some("array") => match takes(&value["items"]).as_str() {
            "text" => "an array of texts".to_owned(),
            items => format!("an array of {items}"),
        },
        Some("object") => "a table of names and values".to_owned(),
        Some("string") => match value["pattern"].as_str() {
            Some(schema::DURATION) => "a time, such as `\"200ms\"` or `\"1.5s\"`",
            Some(schema::CLOCK) => "a clock, such as `\"60s+500ms\"`",
            Some(schema::SIZE) => "a size, such as `\"64MiB\"`",
            Some(schema::NAME | schema::FORMER_NAME) => "a name",
            _ => "text",
        }
        .to_owned(),
        _ => String::new(),
    }
}

#[test]
fn the_page_of_the_book_lists_what_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/tournament-file.md");
    check_file(&path, &page());
}

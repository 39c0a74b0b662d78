//! Generates the page of the book that lists every key of a tournament file.

use std::fmt::Write as _;

use super::key::KeyTable;
use super::keys::{TABLES, top};

/// Returns the content of `docs/reference/tournament-file.md`.
pub fn page() -> String {
    let mut page = "# Tournament file\n\n\
        A tournament file is written in [TOML](https://toml.io). [`tournaments/example.toml`](../../tournaments/example.toml) \
        is a complete file with comments. An editor that knows TOML schemas completes and checks the keys by \
        [`tournaments/tournament.schema.json`](../../tournaments/tournament.schema.json).\n\n\
        ## Top level\n\nKeys without a default that are not marked as required are optional.\n"
        .to_owned();
    add_keys(&mut page, &top::TABLE);
    let mut tables: Vec<&KeyTable> = TABLES.into_iter().filter(|table| !table.heading.is_empty()).collect();
    tables.sort_by_key(|table| table.definition);
    for table in tables {
        let each = if table.heading.starts_with("[[") { " One table for each." } else { "" };
        write!(page, "\n## `{}`\n\n{}{each}\n", table.heading, table.about).expect("a string takes all text");
        add_keys(&mut page, table);
    }
    page
}

fn add_keys(page: &mut String, table: &KeyTable) {
    page.push_str("\n| key | takes | default | meaning |\n| --- | --- | --- | --- |\n");
    let mut keys = table.keys.to_vec();
    keys.sort_by_key(|key| key.name());
    page.extend(keys.iter().map(|key| key.row()));
}

//! Generates the JSON schema of tournament files, with which editors complete and check keys.

use serde_json::{Map, Value as Json, json};

use super::keys::{TABLES, top};

/// Returns the content of `tournaments/tournament.schema.json`.
pub fn json() -> String {
    let mut schema = top::TABLE.schema();
    // Editors' TOML plugins understand draft 7.
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("linesman tournament");
    let definitions = TABLES.iter().filter(|table| !table.definition.is_empty());
    let definitions: Map<String, Json> =
        definitions.map(|table| (table.definition.to_owned(), table.schema())).collect();
    schema["definitions"] = Json::Object(definitions);
    format!("{schema:#}\n")
}

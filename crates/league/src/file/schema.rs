//! The JSON schema of tournament files, by which editors complete and check them, made from the keys.

use serde_json::{Map, Value as Json, json};

use super::keys::{TABLES, top};

/// The schema as it is shipped: `tournaments/tournament.schema.json`.
pub fn json() -> String {
    let mut schema = top::TABLE.schema();
    // Draft 7 is what editors' TOML plugins understand.
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("linesman tournament");
    let definitions = TABLES.iter().filter(|table| !table.definition.is_empty());
    let definitions: Map<String, Json> =
        definitions.map(|table| (table.definition.to_owned(), table.schema())).collect();
    schema["definitions"] = Json::Object(definitions);
    format!("{schema:#}\n")
}

//! JSON schemas to check the program's output against.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

/// A compiled schema.
pub struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    /// Compiles a schema.
    #[track_caller]
    pub fn new(schema: Value) -> Schema {
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.add_resource("schema.json", schema).expect("it has no other address");
        let index = compiler.compile("schema.json", &mut schemas).expect("it is a schema");
        Schema { schemas, index }
    }

    /// Checks a value; an error says what is wrong and where.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.schemas.validate(value, self.index).map_err(|error| error.to_string())
    }
}

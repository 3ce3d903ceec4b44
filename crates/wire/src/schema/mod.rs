//! The schema dialect of tool arguments: building (`tools.md` §3) and validating (§4).

mod build;
mod validate;

pub use validate::{InvalidInput, Issue};

use serde_json::{Map, Value};

use crate::names::ToolDefinitionError;

/// A tool's argument schema in the dialect, normalised: what is stored and sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    node: Value,
}

impl Schema {
    /// Inlines references, normalises and checks a JSON Schema (T6 to T12).
    pub fn build(schema: Value) -> Result<Self, ToolDefinitionError> {
        build::build(schema).map(|node| Self { node })
    }

    /// The normalised schema, as it goes on the wire.
    pub fn as_value(&self) -> &Value {
        &self.node
    }

    /// The normalised schema, as it goes on the wire.
    pub fn into_value(self) -> Value {
        self.node
    }

    /// Validates what the model sent: unknown members go, defaults come in (T13 to T16). Strict in type: a number
    /// is not text and a bool is no number; `2.0` is a whole number.
    pub fn validate(
        &self,
        tool_name: &str,
        args: &Map<String, Value>,
    ) -> Result<Map<String, Value>, InvalidInput> {
        validate::validate(&self.node, tool_name, args)
    }
}

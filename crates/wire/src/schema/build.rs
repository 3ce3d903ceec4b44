//! From any JSON Schema to the dialect: inline, normalise, check.

use serde_json::{Map, Value};

use crate::{
    limits,
    names::{ToolDefinitionCode as Code, ToolDefinitionError},
    text,
};

type Result<T> = std::result::Result<T, ToolDefinitionError>;

fn refuse<T>(code: Code, message: impl Into<String>) -> Result<T> {
    Err(ToolDefinitionError::new(code, message))
}

/// More nodes than any schema within the limits has; stops a definition that multiplies itself by reference.
const NODES_MAX: usize = 20_000;
/// Deeper than any schema within the limits; stops a walk before the stack ends.
const WALK_DEPTH: usize = 100;

pub(super) fn build(schema: Value) -> Result<Value> {
    let mut inliner = Inliner {
        defs: Map::new(),
        open: Vec::new(),
        nodes: 0,
    };
    let mut schema = schema;
    if let Value::Object(top) = &mut schema {
        match top.shift_remove("$defs") {
            Some(Value::Object(defs)) => inliner.defs = defs,
            Some(_) => return refuse(Code::ForbiddenKey, "$defs must be an object of definitions"),
            None => {}
        }
    }
    let node = inliner.inline(schema, 1)?;
    let node = normalise(node)?;
    let mut properties = 0;
    match node.as_object().and_then(|top| top.get("type")) {
        Some(Value::String(kind)) if kind == "object" => check(&node, 1, &mut properties)?,
        _ => {
            return refuse(
                Code::TopLevelNotObject,
                "the top of a parameter schema must have the type \"object\"",
            );
        }
    }
    let size = crate::encode(&node).len();
    if size > limits::SCHEMA_BYTES {
        return refuse(
            Code::SchemaTooLarge,
            format!(
                "the parameter schema takes {size} bytes; at most {} are allowed",
                limits::SCHEMA_BYTES
            ),
        );
    }
    Ok(node)
}

/// Applies `to` to every child schema: property values, `items`, elements of `anyOf`.
fn each_child(
    node: &mut Map<String, Value>,
    mut to: impl FnMut(Value) -> Result<Value>,
) -> Result<()> {
    for (key, value) in node.iter_mut() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for child in properties.values_mut() {
                    *child = to(child.take())?;
                }
            }
            ("items", child) => *child = to(child.take())?,
            ("anyOf", Value::Array(variants)) => {
                for child in variants {
                    *child = to(child.take())?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

struct Inliner {
    defs: Map<String, Value>,
    /// Definitions being resolved, to notice one that reaches itself.
    open: Vec<String>,
    nodes: usize,
}

impl Inliner {
    fn inline(&mut self, node: Value, depth: usize) -> Result<Value> {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return refuse(
                Code::SchemaTooLarge,
                "the parameter schema grows beyond every limit once its references are resolved",
            );
        }
        if depth > WALK_DEPTH {
            return refuse(
                Code::MaxDepthExceeded,
                "the parameter schema is nested too deeply",
            );
        }
        let Value::Object(node) = node else {
            return Ok(node);
        };
        let opened = self.open.len();
        let mut node = node;
        loop {
            node = merge_all_of(node);
            let Some(reference) = node.shift_remove("$ref") else {
                break;
            };
            let name = reference
                .as_str()
                .and_then(|text| text.strip_prefix("#/$defs/"))
                .map(str::to_owned);
            let Some((name, definition)) = name
                .and_then(|name| Some((self.defs.get(&name)?.clone(), name)))
                .map(|(d, n)| (n, d))
            else {
                return refuse(
                    Code::ForbiddenKey,
                    "a $ref must lead to a name in the top-level $defs",
                );
            };
            if self.open.contains(&name) {
                return refuse(
                    Code::RecursiveSchema,
                    "a definition of the parameter schema contains itself",
                );
            }
            self.open.push(name);
            let Value::Object(mut merged) = definition else {
                return refuse(
                    Code::NodeNotObject,
                    "a definition of the parameter schema is no object",
                );
            };
            // What stands beside the $ref wins over the definition.
            for (key, value) in node {
                merged.insert(key, value);
            }
            node = merged;
        }
        each_child(&mut node, |child| self.inline(child, depth + 1))?;
        self.open.truncate(opened);
        Ok(Value::Object(node))
    }
}

/// Merges an `allOf` of one object into its parent, whose keys win.
fn merge_all_of(mut node: Map<String, Value>) -> Map<String, Value> {
    while let Some(Value::Array(parts)) = node.get("allOf") {
        let [Value::Object(part)] = parts.as_slice() else {
            break;
        };
        let mut merged = part.clone();
        node.shift_remove("allOf");
        for (key, value) in node {
            merged.insert(key, value);
        }
        node = merged;
    }
    node
}

fn normalise(node: Value) -> Result<Value> {
    let Value::Object(mut node) = node else {
        return Ok(node);
    };
    node.shift_remove("title");
    node.shift_remove("$schema");
    match node.get("additionalProperties") {
        None => {}
        Some(Value::Bool(true)) => {
            node.shift_remove("additionalProperties");
        }
        Some(_) => {
            return refuse(
                Code::AdditionalPropertiesForbidden,
                "additionalProperties may only be true; leave it out",
            );
        }
    }
    if let Some(constant) = node.shift_remove("const")
        && !node.contains_key("enum")
    {
        node.insert("enum".to_owned(), Value::Array(vec![constant]));
    }
    each_child(&mut node, normalise)?;
    Ok(Value::Object(node))
}

fn check(node: &Value, depth: usize, properties: &mut usize) -> Result<()> {
    let Value::Object(node) = node else {
        return refuse(Code::NodeNotObject, "a schema must be an object");
    };
    if depth > limits::SCHEMA_DEPTH {
        return refuse(
            Code::MaxDepthExceeded,
            format!(
                "the parameter schema is more than {} levels deep",
                limits::SCHEMA_DEPTH
            ),
        );
    }
    for (key, value) in node {
        match key.as_str() {
            "type" => check_type(value)?,
            "description" => match value {
                Value::String(description) if text::is_clean(description, true) => {}
                _ => {
                    return refuse(
                        Code::InvalidText,
                        "a description must be text without control characters or --- lines",
                    );
                }
            },
            "required" => match value {
                Value::Array(names) if names.iter().all(Value::is_string) => {}
                _ => return refuse(Code::InvalidRequired, "required must be a list of names"),
            },
            "enum" => match value {
                Value::Array(values) if values.iter().all(is_scalar) => {}
                _ => {
                    return refuse(
                        Code::InvalidEnum,
                        "enum must be a list of texts, numbers or bools",
                    );
                }
            },
            "properties" => {
                let Value::Object(members) = value else {
                    return refuse(Code::InvalidProperties, "properties must be an object");
                };
                for (name, member) in members {
                    if !text::is_clean(name, false) {
                        return refuse(
                            Code::InvalidText,
                            "a property's name has control characters or begins with ---",
                        );
                    }
                    *properties += 1;
                    if *properties > limits::SCHEMA_PROPERTIES {
                        return refuse(
                            Code::MaxPropertiesExceeded,
                            format!(
                                "the parameter schema has more than {} properties",
                                limits::SCHEMA_PROPERTIES
                            ),
                        );
                    }
                    check(member, depth + 1, properties)?;
                }
            }
            "items" => check(value, depth + 1, properties)?,
            "anyOf" => {
                let Value::Array(variants) = value else {
                    return refuse(Code::InvalidAnyOf, "anyOf must be a list of schemas");
                };
                for variant in variants {
                    check(variant, depth + 1, properties)?;
                }
            }
            "default" => match value {
                Value::String(default) if !text::is_clean(default, false) => {
                    return refuse(
                        Code::InvalidText,
                        "a default has control characters or begins with ---",
                    );
                }
                Value::Array(_) | Value::Object(_) => {
                    return refuse(
                        Code::InvalidDefault,
                        "a default must be text, a number, a bool or null",
                    );
                }
                _ => {}
            },
            "minLength" | "maxLength" | "minimum" | "maximum" => {
                if !value.is_number() {
                    return refuse(Code::InvalidBound, format!("{key} must be a number"));
                }
            }
            _ => {
                return refuse(
                    Code::ForbiddenKey,
                    format!(
                        "the key {:?} is outside the schema dialect",
                        text::first(key, 40)
                    ),
                );
            }
        }
    }
    Ok(())
}

fn check_type(value: &Value) -> Result<()> {
    const TYPES: [&str; 7] = [
        "object", "string", "number", "integer", "boolean", "array", "null",
    ];
    match value {
        Value::String(kind) if TYPES.contains(&kind.as_str()) => Ok(()),
        _ => refuse(
            Code::ForbiddenType,
            format!("a type must be one of: {}", TYPES.join(", ")),
        ),
    }
}

fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_))
}

//! Arguments against a schema of the dialect, with the INVALID_INPUT text of `tools.md` §4.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::{limits, number};

/// One thing wrong with the arguments. Never contains a submitted value or an unknown key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// `address.city`, `items[2].sku`; `(root)` for the whole.
    pub path: String,
    /// A slug.
    pub code: &'static str,
    /// What was expected.
    pub constraint: String,
}

/// The arguments do not fit the schema. Its text is the reply to the model, at most 1024 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInput {
    /// The tool that was called.
    pub tool_name: String,
    /// All faults, in schema order.
    pub issues: Vec<Issue>,
}

impl std::error::Error for InvalidInput {}

impl std::fmt::Display for InvalidInput {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = self.issues.len().min(limits::INVALID_INPUT_LINES);
        loop {
            let text = self.text(shown);
            if shown == 0 || text.len() <= limits::INVALID_INPUT_BYTES {
                return to.write_str(&text);
            }
            shown -= 1;
        }
    }
}

impl InvalidInput {
    fn text(&self, shown: usize) -> String {
        let mut text = format!("INVALID_INPUT: {} rejected parameters:\n", self.tool_name);
        for issue in self.issues.iter().take(shown) {
            let _ = writeln!(text, "- {}: {}", issue.path, issue.constraint);
        }
        let hidden = self.issues.len() - shown;
        if hidden > 0 {
            let _ = writeln!(text, "- … and {hidden} more");
        }
        text.push_str("Fix the input and retry.");
        text
    }
}

pub(super) fn validate(
    schema: &Value,
    tool_name: &str,
    args: &Map<String, Value>,
) -> Result<Map<String, Value>, InvalidInput> {
    let mut issues = Vec::new();
    let seen = object(schema, args, "", &mut issues);
    if issues.is_empty() {
        Ok(seen)
    } else {
        Err(InvalidInput {
            tool_name: tool_name.to_owned(),
            issues,
        })
    }
}

/// Reads one value; faults are added to `issues`.
fn value(schema: &Value, given: &Value, path: &str, issues: &mut Vec<Issue>) -> Value {
    if let Some(Value::Array(variants)) = schema.get("anyOf") {
        return any_of(variants, given, path, issues);
    }
    let kind = schema.get("type").and_then(Value::as_str);
    if let Some(Value::Array(allowed)) = schema.get("enum") {
        if !allowed.iter().any(|candidate| same(candidate, given)) {
            issue(
                issues,
                path,
                "literal_error",
                format!("expected one of {}", listed(allowed)),
            );
        }
        return given.clone();
    }
    match (kind, given) {
        (Some("object"), Value::Object(members)) => {
            return Value::Object(object(schema, members, path, issues));
        }
        (Some("array"), Value::Array(items)) => {
            let read = |(index, item): (usize, &Value), issues: &mut Vec<Issue>| match schema
                .get("items")
            {
                Some(of) => value(of, item, &format!("{path}[{index}]"), issues),
                None => item.clone(),
            };
            return items
                .iter()
                .enumerate()
                .map(|item| read(item, issues))
                .collect();
        }
        (Some("string") | None, Value::String(text)) => length(schema, text, path, issues),
        (Some("integer"), Value::Number(_)) if number::is_whole(given) => {
            bounds(schema, given, path, issues)
        }
        (Some("number") | None, Value::Number(_)) => bounds(schema, given, path, issues),
        (Some("boolean"), Value::Bool(_)) | (Some("null"), Value::Null) | (None, _) => {}
        (Some(kind), _) => {
            let (code, constraint) = match kind {
                "object" => ("model_type", "expected an object"),
                "array" => ("list_type", "expected an array"),
                "string" => ("string_type", "expected a string"),
                "integer" => ("int_type", "expected an integer"),
                "number" => ("float_type", "expected a number"),
                "boolean" => ("bool_type", "expected a boolean"),
                _ => ("none_required", "invalid (none_required)"),
            };
            issue(issues, path, code, constraint.to_owned());
        }
    }
    given.clone()
}

/// One of several schemas. A nullable value reports as the plain type.
fn any_of(variants: &[Value], given: &Value, path: &str, issues: &mut Vec<Issue>) -> Value {
    let is_null = |variant: &&Value| variant.get("type").and_then(Value::as_str) == Some("null");
    let mut first_faults = None;
    for variant in variants {
        let mut faults = Vec::new();
        let read = value(variant, given, path, &mut faults);
        if faults.is_empty() {
            return read;
        }
        if !is_null(&variant) {
            first_faults.get_or_insert(faults);
        }
    }
    match (
        variants.iter().filter(|variant| !is_null(variant)).count(),
        first_faults,
    ) {
        (1, Some(faults)) => issues.extend(faults),
        _ => issue(issues, path, "any_of", "invalid (any_of)".to_owned()),
    }
    given.clone()
}

/// The members of an object. A schema without `properties` leaves the object as it is.
fn object(
    schema: &Value,
    given: &Map<String, Value>,
    path: &str,
    issues: &mut Vec<Issue>,
) -> Map<String, Value> {
    let required = |name: &str| {
        let names = schema.get("required").and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    let Some(Value::Object(properties)) = schema.get("properties") else {
        let names = schema.get("required").and_then(Value::as_array);
        for name in names
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter(|name| !given.contains_key(*name))
        {
            issue(
                issues,
                &member(path, name),
                "missing",
                "required".to_owned(),
            );
        }
        return given.clone();
    };
    let mut seen = Map::new();
    for (name, of) in properties {
        let path = member(path, name);
        match (given.get(name), of.get("default")) {
            (Some(given), _) => {
                let read = value(of, given, &path, issues);
                seen.insert(name.clone(), read);
            }
            (None, _) if required(name) => issue(issues, &path, "missing", "required".to_owned()),
            (None, Some(default)) => {
                seen.insert(name.clone(), default.clone());
            }
            (None, None) => {}
        }
    }
    seen
}

fn member(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn issue(issues: &mut Vec<Issue>, path: &str, code: &'static str, constraint: String) {
    let path = if path.is_empty() { "(root)" } else { path };
    issues.push(Issue {
        path: path.to_owned(),
        code,
        constraint,
    });
}

fn length(schema: &Value, text: &str, path: &str, issues: &mut Vec<Issue>) {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let count = text.chars().count() as f64;
    if let Some(least) = bound("minLength").filter(|least| count < *least) {
        issue(
            issues,
            path,
            "string_too_short",
            format!("must be at least {least} characters"),
        );
    } else if let Some(most) = bound("maxLength").filter(|most| count > *most) {
        issue(
            issues,
            path,
            "string_too_long",
            format!("must be at most {most} characters"),
        );
    }
}

fn bounds(schema: &Value, given: &Value, path: &str, issues: &mut Vec<Issue>) {
    let Some(number) = given.as_f64() else { return };
    let bound = |key: &str| {
        schema
            .get(key)
            .and_then(|bound| Some((bound.as_f64()?, bound)))
    };
    if let Some((_, least)) = bound("minimum").filter(|(least, _)| number < *least) {
        issue(
            issues,
            path,
            "greater_than_equal",
            format!("must be >= {least}"),
        );
    } else if let Some((_, most)) = bound("maximum").filter(|(most, _)| number > *most) {
        issue(
            issues,
            path,
            "less_than_equal",
            format!("must be <= {most}"),
        );
    }
}

/// Equal by value: `1` is `1.0`, but a bool is no number.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || left.as_f64() == right.as_f64()
        }
        _ => left == right,
    }
}

/// `'a', 'b' or 'c'`.
fn listed(allowed: &[Value]) -> String {
    let shown: Vec<String> = allowed
        .iter()
        .map(|value| match value {
            Value::String(text) => format!("'{text}'"),
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            other => other.to_string(),
        })
        .collect();
    match shown.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

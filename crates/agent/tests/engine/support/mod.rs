//! What the tests of this crate share: golden data with its macros, a fake carrier, a fake network.

pub mod carrier;
pub mod running;
pub mod script;

use serde_json::{Map, Value, json};

/// Lets everything that can run come to rest: time stands still until then.
pub async fn settle() {
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
}

/// The cases of a golden file, macros expanded.
pub fn cases(file: &str) -> Vec<(String, Value, Value)> {
    let path = format!("{}/../../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(!cases.is_empty());
    let part = |case: &Value, key: &str| expanded(&case[key]);
    cases
        .iter()
        .map(|case| {
            (
                case["name"].as_str().unwrap().to_owned(),
                part(case, "input"),
                part(case, "expect"),
            )
        })
        .collect()
}

/// `$repeat`, `$concat`, `$list`, `$ints`, `$keys`, `$merge` replaced by what they stand for.
pub fn expanded(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expanded).collect(),
        Value::Object(map) => macro_of(map).unwrap_or_else(|| {
            Value::Object(
                map.iter()
                    .map(|(key, value)| (key.clone(), expanded(value)))
                    .collect(),
            )
        }),
        other => other.clone(),
    }
}

fn macro_of(map: &Map<String, Value>) -> Option<Value> {
    let (key, given) = map.iter().next().filter(|_| map.len() == 1)?;
    let count = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    Some(match key.as_str() {
        "$repeat" => given[0].as_str().unwrap().repeat(count(&given[1])).into(),
        "$concat" => {
            let parts = given.as_array().unwrap().iter();
            parts
                .map(|part| expanded(part).as_str().unwrap().to_owned())
                .collect::<String>()
                .into()
        }
        "$list" => vec![expanded(&given[0]); count(&given[1])].into(),
        "$ints" => (0..given.as_u64().unwrap()).map(Value::from).collect(),
        "$keys" => {
            let (prefix, value) = (given[0].as_str().unwrap(), expanded(&given[2]));
            Value::Object(
                (0..count(&given[1]))
                    .map(|n| (format!("{prefix}{n}"), value.clone()))
                    .collect(),
            )
        }
        "$merge" => {
            let mut merged = Map::new();
            for part in given.as_array().unwrap() {
                merged.extend(expanded(part).as_object().unwrap().clone());
            }
            Value::Object(merged)
        }
        _ => return None,
    })
}

/// Compares by value; placeholders of the expectation accept what they stand for.
pub fn matches(expect: &Value, got: &Value) -> bool {
    match (expect, got) {
        (Value::String(text), _) if text == "JOB" || text == "<job>" => got
            .as_str()
            .is_some_and(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())),
        (Value::String(text), _) if text == "ANY_TEXT" || text == "<any>" => {
            got.as_str().is_some_and(|text| !text.is_empty())
        }
        (Value::String(text), _) if text == "ANY_NUMBER" => got.is_number(),
        (Value::String(text), _) if text == "<int>" => got.is_i64() || got.is_u64(),
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| matches(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| matches(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Fails with both values where they do not match.
pub fn same(what: &str, expect: &Value, got: &Value) {
    assert!(
        matches(expect, got),
        "{what}\nexpected {expect}\n     got {got}"
    );
}

/// The value without any `description` member, which is prose of our own.
pub fn without_prose(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_prose).collect(),
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| *key != "description");
            Value::Object(
                kept.map(|(key, value)| (key.clone(), without_prose(value)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

/// A start answer of the room lane with these members added.
pub fn start_answer(extra: &Value) -> Value {
    let mut answer = json!({"livekit_url": "wss://room.example", "token": "t", "room_name": "r", "session_id": "s-1"});
    if let Some(extra) = extra.as_object() {
        answer.as_object_mut().unwrap().extend(extra.clone());
    }
    answer
}

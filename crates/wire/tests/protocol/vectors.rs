//! Loading of golden data and the macros that stand for large values in it.

use serde_json::{Map, Value, json};

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) input: Value,
    pub(crate) expect: Value,
}

/// All cases of a file, macros expanded. Fails when there is none.
pub(crate) fn cases(file: &str) -> Vec<Case> {
    let path = format!(
        "{}/../../tests/vectors/{file}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{path}: {fault}"));
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(!cases.is_empty(), "{path} holds no case");
    cases
        .into_iter()
        .map(|case| Case {
            name: case["name"].as_str().unwrap().to_owned(),
            input: expand(&case["input"]),
            expect: expand(&case["expect"]),
        })
        .collect()
}

pub(crate) fn expand(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expand).collect(),
        Value::Object(map) => match (map.len(), map.iter().next()) {
            (1, Some((name, of))) if name.starts_with('$') => {
                expand_macro(name, of).unwrap_or_else(|| members(map))
            }
            _ => members(map),
        },
        other => other.clone(),
    }
}

fn members(map: &Map<String, Value>) -> Value {
    Value::Object(
        map.iter()
            .map(|(key, value)| (key.clone(), expand(value)))
            .collect(),
    )
}

fn expand_macro(name: &str, of: &Value) -> Option<Value> {
    let count = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    Some(match name {
        "$repeat" => of[0].as_str().unwrap().repeat(count(&of[1])).into(),
        "$concat" => of
            .as_array()
            .unwrap()
            .iter()
            .map(|part| expand(part).as_str().unwrap().to_owned())
            .collect::<String>()
            .into(),
        "$list" => vec![expand(&of[0]); count(&of[1])].into(),
        "$ints" => (0..of.as_u64().unwrap()).collect::<Vec<_>>().into(),
        "$keys" => {
            let prefix = of[0].as_str().unwrap();
            let value = expand(&of[2]);
            Value::Object(
                (0..count(&of[1]))
                    .map(|index| (format!("{prefix}{index}"), value.clone()))
                    .collect(),
            )
        }
        "$merge" => {
            let mut merged = Map::new();
            for part in of.as_array().unwrap() {
                merged.extend(expand(part).as_object().unwrap().clone());
            }
            Value::Object(merged)
        }
        // `{"$ref": …}` and the like are no macros.
        _ => return None,
    })
}

/// Equal as the golden data means it: numbers by value, members in any order, a null member like an absent one.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || left.as_f64() == right.as_f64()
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let null = Value::Null;
            let all = |a: &Map<String, Value>, b: &Map<String, Value>| {
                a.iter()
                    .all(|(key, value)| same(value, b.get(key).unwrap_or(&null)))
            };
            all(left, right) && all(right, left)
        }
        _ => left == right,
    }
}

/// As [`same`], but a null member is not an absent one: for what is written.
pub(crate) fn exactly(left: &Value, right: &Value) -> bool {
    fn keys(value: &Value, to: &mut Vec<String>, at: &str) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    let at = format!("{at}/{key}");
                    keys(value, to, &at);
                    to.push(at);
                }
            }
            Value::Array(items) => items
                .iter()
                .enumerate()
                .for_each(|(index, item)| keys(item, to, &format!("{at}/{index}"))),
            _ => {}
        }
    }
    let (mut of_left, mut of_right) = (Vec::new(), Vec::new());
    keys(left, &mut of_left, "");
    keys(right, &mut of_right, "");
    of_left.sort();
    of_right.sort();
    same(left, right) && of_left == of_right
}

#[test]
fn macros_stand_for_large_values() {
    assert_eq!(
        expand(&json!({"$concat": [{"$repeat": ["ab", 2]}, "c"]})),
        "ababc"
    );
    assert_eq!(
        expand(&json!([{"$ints": 3}, {"$list": [1, 2]}])),
        json!([[0, 1, 2], [1, 1]])
    );
    assert_eq!(
        expand(&json!({"$merge": [{"$keys": ["k", 2, null]}, {"z": 1}]})),
        json!({"k0": null, "k1": null, "z": 1})
    );
    assert_eq!(
        expand(&json!({"$ref": "#/$defs/a"})),
        json!({"$ref": "#/$defs/a"})
    );
    assert!(
        same(&json!({"a": 30, "b": null}), &json!({"a": 30.0}))
            && !exactly(&json!({"b": null}), &json!({}))
    );
}

//! What a verdict is bound to: a digest of everything that was decided on (C3).

use std::fmt;

use alidade_wire::{Map, Value};
use sha2::{Digest as _, Sha256};

/// SHA-256 over labelled, length-prefixed fields, so that no two different sets of fields read the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    pub(crate) fn of(fields: &[(&str, &[u8])]) -> Self {
        let mut hash = Sha256::new();
        for (label, bytes) in fields {
            for part in [label.as_bytes(), bytes] {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            }
        }
        Self(hash.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Compact JSON with the keys of every object in code-point order: one text per value.
#[must_use]
pub fn canonical(value: &Value) -> String {
    sorted(value).to_string()
}

pub(crate) fn canonical_map(map: &Map<String, Value>) -> String {
    Value::Object(sorted_map(map)).to_string()
}

fn sorted_map(map: &Map<String, Value>) -> Map<String, Value> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by(|a, b| a.0.cmp(b.0));
    entries
        .into_iter()
        .map(|(key, value)| (key.clone(), sorted(value)))
        .collect()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(sorted_map(map)),
        Value::Array(list) => Value::Array(list.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

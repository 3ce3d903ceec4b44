//! Shortening of a result that does not fit (`tools.md` §6.2): first all long strings to one common length, then
//! whole top-level entries, largest first.

use serde_json::{Map, Value, json};

use crate::{limits, text};

/// The key that marks a partial result.
pub const MARKER_KEY: &str = "cosmo_sdk_truncated";
/// What the mark says.
pub const MARKER_NOTE: &str = "partial result — do not answer as if it were complete; narrow the request or say what is missing.";

/// Cuts every string of more than `most` scalars, at any depth, keys excepted, where that saves bytes (T27, T28).
pub fn shrink(value: &Value, most: usize) -> Value {
    match value {
        Value::String(whole) => Value::String(shrink_text(whole, most)),
        Value::Array(items) => items.iter().map(|item| shrink(item, most)).collect(),
        Value::Object(map) => Value::Object(shrink_map(map, most)),
        other => other.clone(),
    }
}

fn shrink_map(map: &Map<String, Value>, most: usize) -> Map<String, Value> {
    map.iter()
        .map(|(key, value)| (key.clone(), shrink(value, most)))
        .collect()
}

fn shrink_text(whole: &str, most: usize) -> String {
    if text::longer_than(whole, most) {
        let kept = text::first(whole, most);
        if kept.len() + text::SUFFIX.len() < whole.len() {
            return format!("{kept}{}", text::SUFFIX);
        }
    }
    whole.to_owned()
}

/// The marked, shortened result whose envelope fits.
pub(super) fn fit(whole: &Map<String, Value>) -> Value {
    let original_bytes = bytes(whole);
    let fits = |candidate: &Map<String, Value>| {
        let marked = Value::Object(marked(candidate, original_bytes));
        super::success_envelope(&marked).len() <= limits::REPLY_BYTES
    };
    let strings_gone = shrink_map(whole, 0);
    if !fits(&strings_gone) {
        return Value::Object(marked(&drop_largest(strings_gone, fits), original_bytes));
    }
    // The largest allowance that fits lies in low..high; size never falls as the allowance grows.
    let (mut low, mut high) = (0, longest(whole) + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(&shrink_map(whole, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Value::Object(marked(&shrink_map(whole, low), original_bytes))
}

/// Removes the fewest entries from the front of the order by size (ties: later key first) that make it fit (T29).
fn drop_largest(
    map: Map<String, Value>,
    fits: impl Fn(&Map<String, Value>) -> bool,
) -> Map<String, Value> {
    let mut order: Vec<(usize, &String)> = map
        .iter()
        .map(|(key, value)| (bytes(&Map::from_iter([(key.clone(), value.clone())])), key))
        .collect();
    order.sort_by(|(size, key), (other_size, other_key)| (other_size, other_key).cmp(&(size, key)));
    let rest = |dropped: usize| -> Map<String, Value> {
        let gone: std::collections::HashSet<&str> = order
            .iter()
            .take(dropped)
            .map(|(_, key)| key.as_str())
            .collect();
        map.iter()
            .filter(|(key, _)| !gone.contains(key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    };
    // Each removal makes it smaller, so the smallest number can be searched for.
    let (mut too_few, mut enough) = (0, order.len());
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if fits(&rest(middle)) {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    rest(enough)
}

fn marked(map: &Map<String, Value>, original_bytes: usize) -> Map<String, Value> {
    let mut marked = map.clone();
    let mark =
        json!({ "note": MARKER_NOTE, "kept_bytes": bytes(map), "original_bytes": original_bytes });
    // A mark of the caller's own is overwritten where it stands (T32).
    marked.insert(MARKER_KEY.to_owned(), mark);
    marked
}

fn bytes(map: &Map<String, Value>) -> usize {
    crate::encode(map).len()
}

fn longest(map: &Map<String, Value>) -> usize {
    map.values().map(longest_in).max().unwrap_or(0)
}

fn longest_in(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.iter().map(longest_in).max().unwrap_or(0),
        Value::Object(map) => longest(map),
        _ => 0,
    }
}

//! One way to read JSON from outside: strict, with a place and a sentence for all that is wrong, and never the
//! value itself.

use std::cell::RefCell;

use serde_json::{Map, Value};

pub(crate) use crate::word::{Word, words};
use crate::{
    fault::{BadFrame, Problem},
    number, text,
};

/// Where the faults of one document are collected.
#[derive(Default)]
pub(crate) struct Problems(RefCell<Vec<Problem>>);

impl Problems {
    pub(crate) fn add(&self, loc: Vec<String>, kind: &'static str, msg: impl Into<String>) {
        self.0.borrow_mut().push(Problem {
            loc,
            msg: msg.into(),
            kind,
        });
    }

    pub(crate) fn into_vec(self) -> Vec<Problem> {
        self.0.into_inner()
    }
}

/// One value of the document and its place.
#[derive(Clone)]
pub(crate) struct Node<'a> {
    pub(crate) value: &'a Value,
    pub(crate) loc: Vec<String>,
    problems: &'a Problems,
}

impl<'a> Node<'a> {
    pub(crate) fn top(value: &'a Value, problems: &'a Problems) -> Self {
        Self {
            value,
            loc: Vec::new(),
            problems,
        }
    }

    pub(crate) fn wrong<T>(&self, kind: &'static str, msg: impl Into<String>) -> Option<T> {
        self.problems.add(self.loc.clone(), kind, msg);
        None
    }

    pub(crate) fn text(&self) -> Option<String> {
        match self.value {
            Value::String(text) => Some(text.clone()),
            _ => self.wrong("string_type", "must be text"),
        }
    }

    /// Text of `least` to `most` scalars.
    pub(crate) fn text_within(&self, least: usize, most: usize) -> Option<String> {
        let found = self.text()?;
        if text::longer_than(&found, most) {
            return self.wrong(
                "string_too_long",
                format!("must be at most {most} characters"),
            );
        }
        if least > 0 && !text::longer_than(&found, least - 1) {
            return self.wrong(
                "string_too_short",
                format!("must be at least {least} characters"),
            );
        }
        Some(found)
    }

    pub(crate) fn bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(found) => Some(*found),
            _ => self.wrong("bool_type", "must be true or false"),
        }
    }

    pub(crate) fn int(&self) -> Option<i64> {
        match number::whole(self.value) {
            Some(found) => Some(found),
            None => self.wrong("int_type", "must be a whole number"),
        }
    }

    pub(crate) fn int_within(&self, (least, most): (i64, i64)) -> Option<i64> {
        let found = self.int()?;
        if found < least {
            return self.wrong("greater_than_equal", format!("must be >= {least}"));
        }
        if found > most {
            return self.wrong("less_than_equal", format!("must be <= {most}"));
        }
        Some(found)
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self.value.as_f64().filter(|found| found.is_finite()) {
            Some(found) => Some(found),
            None => self.wrong("float_type", "must be a number"),
        }
    }

    pub(crate) fn number_within(&self, (least, most): (f64, f64)) -> Option<f64> {
        let found = self.number()?;
        if found < least {
            return self.wrong("greater_than_equal", format!("must be >= {least}"));
        }
        if found > most {
            return self.wrong("less_than_equal", format!("must be <= {most}"));
        }
        Some(found)
    }

    /// One of a closed set of words.
    pub(crate) fn word<T: Word>(&self) -> Option<T> {
        let Value::String(found) = self.value else {
            return self.wrong("string_type", "must be text");
        };
        match T::ALL.iter().find(|candidate| candidate.as_str() == found) {
            Some(word) => Some(*word),
            None => {
                let known: Vec<_> = T::ALL.iter().map(|word| word.as_str()).collect();
                self.wrong(
                    "literal_error",
                    format!("must be one of: {}", known.join(", ")),
                )
            }
        }
    }

    pub(crate) fn map(&self) -> Option<Map<String, Value>> {
        match self.value {
            Value::Object(map) => Some(map.clone()),
            _ => self.wrong("dict_type", "must be an object"),
        }
    }

    pub(crate) fn object(&self) -> Option<Obj<'a>> {
        match self.value {
            Value::Object(map) => Some(Obj {
                map,
                loc: self.loc.clone(),
                problems: self.problems,
            }),
            _ => self.wrong("dict_type", "must be an object"),
        }
    }

    pub(crate) fn items(&self) -> Option<Vec<Node<'a>>> {
        match self.value {
            Value::Array(items) => Some(
                items
                    .iter()
                    .enumerate()
                    .map(|(index, value)| Node {
                        value,
                        loc: below(&self.loc, &index.to_string()),
                        problems: self.problems,
                    })
                    .collect(),
            ),
            _ => self.wrong("list_type", "must be a list"),
        }
    }

    /// A list whose every element reads; none of it when one does not.
    pub(crate) fn list<T>(&self, read: impl Fn(&Node<'a>) -> Option<T>) -> Option<Vec<T>> {
        let read: Vec<Option<T>> = self.items()?.iter().map(read).collect();
        read.into_iter().collect()
    }
}

/// One object of the document and its place.
#[derive(Clone)]
pub(crate) struct Obj<'a> {
    pub(crate) map: &'a Map<String, Value>,
    pub(crate) loc: Vec<String>,
    problems: &'a Problems,
}

impl<'a> Obj<'a> {
    pub(crate) fn top(map: &'a Map<String, Value>, problems: &'a Problems) -> Self {
        Self {
            map,
            loc: Vec::new(),
            problems,
        }
    }

    pub(crate) fn at(
        map: &'a Map<String, Value>,
        loc: Vec<String>,
        problems: &'a Problems,
    ) -> Self {
        Self { map, loc, problems }
    }

    /// The member if it was written, also when it is null.
    pub(crate) fn given(&self, key: &str) -> Option<Node<'a>> {
        self.map.get(key).map(|value| Node {
            value,
            loc: below(&self.loc, key),
            problems: self.problems,
        })
    }

    /// The member of a field whose default is null: an explicit null equals absence.
    pub(crate) fn maybe(&self, key: &str) -> Option<Node<'a>> {
        self.given(key).filter(|node| !node.value.is_null())
    }

    /// The member of a required field.
    pub(crate) fn need(&self, key: &str) -> Option<Node<'a>> {
        let found = self.given(key);
        if found.is_none() {
            self.wrong::<()>(key, "missing", "is required");
        }
        found
    }

    pub(crate) fn wrong<T>(
        &self,
        key: &str,
        kind: &'static str,
        msg: impl Into<String>,
    ) -> Option<T> {
        self.problems.add(below(&self.loc, key), kind, msg);
        None
    }

    /// Refuses members outside `known`.
    pub(crate) fn only(&self, known: &[&str]) {
        for key in self.map.keys().filter(|key| !known.contains(&key.as_str())) {
            self.wrong::<()>(key, "extra_forbidden", "is not a member of this object");
        }
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.need(key)?.text()
    }

    pub(crate) fn int(&self, key: &str) -> Option<i64> {
        self.need(key)?.int()
    }

    pub(crate) fn bool(&self, key: &str) -> Option<bool> {
        self.need(key)?.bool()
    }

    /// A bool with a default; an explicit null is a wrong type.
    pub(crate) fn bool_or(&self, key: &str, default: bool) -> Option<bool> {
        self.given(key).map_or(Some(default), |node| node.bool())
    }

    /// A whole number with a default; an explicit null is a wrong type.
    pub(crate) fn int_or(&self, key: &str, default: i64) -> Option<i64> {
        self.given(key).map_or(Some(default), |node| node.int())
    }

    pub(crate) fn list_or_empty<T>(
        &self,
        key: &str,
        read: impl Fn(&Node<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.given(key)
            .map_or(Some(Vec::new()), |node| node.list(read))
    }

    pub(crate) fn map_or_empty(&self, key: &str) -> Option<Map<String, Value>> {
        self.given(key).map_or(Some(Map::new()), |node| node.map())
    }

    /// A field whose default is null. The outer `None` says that it was given and wrong.
    pub(crate) fn optional<T>(
        &self,
        key: &str,
        read: impl Fn(&Node<'a>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.maybe(key) {
            None => Some(None),
            Some(node) => read(&node).map(Some),
        }
    }
}

fn below(loc: &[String], key: &str) -> Vec<String> {
    let mut loc = loc.to_vec();
    loc.push(key.to_owned());
    loc
}

/// Takes a frame apart as far as its object and its type.
pub(crate) fn frame_object(bytes: &[u8]) -> Result<(String, Map<String, Value>), BadFrame> {
    let text = std::str::from_utf8(bytes).map_err(|_| BadFrame::NotUtf8)?;
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => match map.get("type") {
            Some(Value::String(raw_type)) => Ok((raw_type.clone(), map)),
            _ => Err(BadFrame::NoType),
        },
        Ok(_) => Err(BadFrame::NoType),
        Err(_) => Err(BadFrame::NotJson),
    }
}

/// Runs a reader and answers the first fault it found.
pub(crate) fn first_problem<T>(run: impl FnOnce(&Problems) -> Option<T>) -> Result<T, Problem> {
    let problems = Problems::default();
    let value = run(&problems);
    let mut faults = problems.into_vec().into_iter();
    match (value, faults.next()) {
        (Some(value), None) => Ok(value),
        (_, Some(problem)) => Err(problem),
        (None, None) => Err(Problem {
            loc: Vec::new(),
            msg: "is not readable".into(),
            kind: "invalid",
        }),
    }
}

//! The answer to a client-tool call: `{ok, result, error}`, never longer than 15,360 bytes (R68, R71, T24, T25).

mod shorten;

use serde::Serialize;
use serde_json::{Map, Value};

pub use shorten::{MARKER_KEY, MARKER_NOTE, shrink};

use crate::{limits, text};

#[derive(Serialize)]
struct Envelope<'a> {
    ok: bool,
    result: Option<&'a Value>,
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job_id: Option<&'a str>,
}

/// The failure for arguments that are no JSON (R70).
pub const ARGS_NOT_JSON: &str = "client tool args were not valid JSON";
/// The failure for arguments that are JSON but no object (R70).
pub const ARGS_NOT_OBJECT: &str = "client tool args must be a JSON object";

/// Reads the payload of a call: empty is `{}`; otherwise the error text of the failure reply (R70, T21).
pub fn arguments(payload: &str) -> Result<Map<String, Value>, &'static str> {
    if payload.is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(payload) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(ARGS_NOT_OBJECT),
        Err(_) => Err(ARGS_NOT_JSON),
    }
}

/// The reply of a tool that returned: an object, or null when it returned nothing. Too long a result is
/// shortened and marked as partial. Anything but an object or null is a fault of the tool and becomes a failure
/// (T23).
pub fn success(result: &Value) -> String {
    match result {
        Value::Null => success_envelope(result),
        Value::Object(map) => {
            let whole = success_envelope(result);
            if whole.len() <= limits::REPLY_BYTES {
                whole
            } else {
                success_envelope(&shorten::fit(map))
            }
        }
        _ => failure("the tool returned something other than an object"),
    }
}

/// The reply of a tool that failed. Too long a message is cut and ends in [`text::SUFFIX`] (T33).
pub fn failure(message: &str) -> String {
    fit_text(message, |error| {
        crate::encode(&Envelope {
            ok: false,
            result: None,
            error: Some(error),
            deferred: None,
            job_id: None,
        })
    })
}

/// The reply that a background tool has begun: the note is cut at 2048 scalars; an empty one leaves it out (R72).
pub fn deferred(note: &str, job_id: &str) -> String {
    deferred_fit(&text::capped(note, limits::JOB_TEXT_SCALARS), job_id)
}

/// As [`deferred`] with only the limit of the whole reply on the note.
pub fn deferred_fit(note: &str, job_id: &str) -> String {
    fit_text(note, |note| {
        let mut result = Map::new();
        if !note.is_empty() {
            result.insert("note".to_owned(), note.into());
        }
        let result = Value::Object(result);
        crate::encode(&Envelope {
            ok: true,
            result: Some(&result),
            error: None,
            deferred: Some(true),
            job_id: Some(job_id),
        })
    })
}

fn success_envelope(result: &Value) -> String {
    let result = (!result.is_null()).then_some(result);
    crate::encode(&Envelope {
        ok: true,
        result,
        error: None,
        deferred: None,
        job_id: None,
    })
}

/// Cuts a text until its envelope fits: each round takes away as many scalars as there are bytes too many.
fn fit_text(whole: &str, envelope: impl Fn(&str) -> String) -> String {
    let written = envelope(whole);
    if written.len() <= limits::REPLY_BYTES {
        return written;
    }
    let mut keep = whole.chars().count();
    while keep > 0 {
        let written = envelope(&format!("{}{}", text::first(whole, keep), text::SUFFIX));
        if written.len() <= limits::REPLY_BYTES {
            return written;
        }
        keep = keep.saturating_sub((written.len() - limits::REPLY_BYTES).max(1));
    }
    envelope(text::SUFFIX)
}

/// A reply as the server reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The tool returned this, or nothing.
    Success(Option<Map<String, Value>>),
    /// The tool failed with this message.
    Failure(String),
    /// The tool works in the background.
    Deferred {
        /// What to tell meanwhile; may be empty.
        note: String,
        /// The id of the later `tool_job_result`.
        job_id: String,
    },
}

/// A reply that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the client answered the tool call with something that is not a reply: {what}")]
pub struct BadReply {
    what: &'static str,
}

/// Reads a reply strictly in type, ignoring unknown members.
pub fn parse(reply: &str) -> Result<Reply, BadReply> {
    let bad = |what| BadReply { what };
    let Ok(Value::Object(map)) = serde_json::from_str(reply) else {
        return Err(bad("it is no JSON object"));
    };
    let Some(Value::Bool(ok)) = map.get("ok") else {
        return Err(bad("\"ok\" is missing or no bool"));
    };
    if !ok {
        return match map.get("error") {
            Some(Value::String(error)) => Ok(Reply::Failure(error.clone())),
            _ => Err(bad("\"error\" of a failure is missing or no text")),
        };
    }
    let result = match map.get("result") {
        None | Some(Value::Null) => None,
        Some(Value::Object(result)) => Some(result.clone()),
        Some(_) => return Err(bad("\"result\" is neither an object nor null")),
    };
    match map.get("deferred") {
        None | Some(Value::Null | Value::Bool(false)) => Ok(Reply::Success(result)),
        Some(Value::Bool(true)) => match map.get("job_id") {
            Some(Value::String(job_id)) if !job_id.is_empty() => {
                let note = result
                    .as_ref()
                    .and_then(|result| result.get("note"))
                    .and_then(Value::as_str);
                Ok(Reply::Deferred {
                    note: note.unwrap_or_default().to_owned(),
                    job_id: job_id.clone(),
                })
            }
            _ => Err(bad("a deferred reply has no \"job_id\"")),
        },
        Some(_) => Err(bad("\"deferred\" is no bool")),
    }
}

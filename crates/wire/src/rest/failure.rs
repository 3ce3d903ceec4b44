//! Failed answers: how a server writes them (S1, S2) and how a client reads them (R12).

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    error::{StartCode, slug},
    fault::Problem,
    limits,
    read::words,
    text,
};

words! {
    /// What kind of failure an envelope tells of.
    pub enum ErrorKind {
        /// A typed refusal.
        Api = "api_error",
        /// The body is malformed.
        Validation = "validation_error",
        /// A fault of the server.
        Internal = "internal_error",
    }
}

/// The envelope of every failure but authentication (S2).
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorBody {
    /// The kind.
    pub kind: ErrorKind,
    /// The slug, for typed refusals.
    pub code: Option<String>,
    /// A sentence.
    pub message: String,
    /// Faults of a malformed body; values are never in them.
    pub errors: Vec<Problem>,
    /// Further members, such as `limit` and `active`.
    pub extra: Map<String, Value>,
}

impl ErrorBody {
    /// A typed refusal.
    pub fn api(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Api,
            code: Some(code.into()),
            message: message.into(),
            errors: Vec::new(),
            extra: Map::new(),
        }
    }

    /// A malformed body.
    pub fn validation(errors: Vec<Problem>) -> Self {
        let message = match errors.as_slice() {
            [only] => format!("the request failed validation: {only}"),
            [first, others @ ..] => format!(
                "the request failed validation: {first} (+{} more)",
                others.len()
            ),
            [] => "the request failed validation".to_owned(),
        };
        Self {
            kind: ErrorKind::Validation,
            code: None,
            message,
            errors,
            extra: Map::new(),
        }
    }

    /// A fault of the server.
    pub fn internal(message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Internal,
            code: None,
            message: message.into(),
            errors: Vec::new(),
            extra: Map::new(),
        }
    }

    /// Adds a further member.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(key.to_owned(), value.into());
        self
    }

    /// The body as it is sent.
    pub fn to_value(&self) -> Value {
        let mut error = Map::new();
        error.insert("type".to_owned(), self.kind.as_str().into());
        if let Some(code) = &self.code {
            error.insert("code".to_owned(), code.as_str().into());
        }
        error.insert("message".to_owned(), self.message.as_str().into());
        error.extend(
            self.extra
                .iter()
                .map(|(key, value)| (key.clone(), value.clone())),
        );
        if !self.errors.is_empty() {
            error.insert("errors".to_owned(), self.errors.iter().map(fault).collect());
        }
        Value::Object(Map::from_iter([("error".to_owned(), Value::Object(error))]))
    }
}

impl Serialize for ErrorBody {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(to)
    }
}

fn fault(problem: &Problem) -> Value {
    let step = |step: &String| {
        step.parse::<u32>()
            .map_or_else(|_| Value::from(step.as_str()), Value::from)
    };
    let loc: Vec<Value> = std::iter::once(Value::from("body"))
        .chain(problem.loc.iter().map(step))
        .collect();
    serde_json::json!({ "loc": loc, "msg": problem.msg, "type": problem.kind })
}

/// The body of a 401 (S1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuthFailure {
    /// A sentence.
    pub detail: String,
}

/// What a failed answer says.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The server's slug, or `http_<status>`; an open set.
    pub server_code: String,
    /// A sentence, or the start of the raw body.
    pub message: String,
    /// The structured body, when there is one.
    pub detail: Option<Detail>,
}

/// The structured body of a refused start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// The members clients know by name: `code`, `message`, `limit`, `active`, and so on.
    pub known: Map<String, Value>,
    /// All others.
    pub extra: Map<String, Value>,
}

const KNOWN: [&str; 16] = [
    "code",
    "message",
    "limit",
    "active",
    "granted_minutes",
    "used_minutes",
    "balance_cents",
    "top_up_path",
    "meter",
    "included",
    "used",
    "reset_at",
    "provider",
    "allowed_providers",
    "plan",
    "upgrade_path",
];

/// Reads a failed answer by the ladder of `errors.md` §2.
pub fn read_failure(status: u16, body: &[u8]) -> Failure {
    let raw = String::from_utf8_lossy(body);
    let parsed = match serde_json::from_slice(body) {
        Ok(Value::Object(map)) => Some(map),
        _ => None,
    };
    let fallback = format!("http_{status}");
    let raw_text = || text::first(&raw, limits::RAW_BODY_SCALARS).to_owned();
    let Some(body) = parsed else {
        return Failure {
            server_code: fallback,
            message: raw_text(),
            detail: None,
        };
    };
    let (server_code, message) = match (body.get("error"), body.get("detail")) {
        (Some(Value::Object(error)), _) => from_envelope(error, &fallback, raw_text),
        (_, Some(Value::Object(detail))) if text_of(detail, "code").is_some() => (
            text_of(detail, "code").unwrap_or_default(),
            text_of(detail, "message").unwrap_or_default(),
        ),
        (_, Some(Value::String(detail))) => (fallback, detail.clone()),
        (_, Some(Value::Array(entries))) if !entries.is_empty() => {
            (slug::INVALID_SESSION_CONFIG.to_owned(), rendered(entries))
        }
        _ => (fallback, raw_text()),
    };
    Failure {
        server_code,
        message,
        detail: detail(&body),
    }
}

fn text_of(map: &Map<String, Value>, key: &str) -> Option<String> {
    map.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn from_envelope(
    error: &Map<String, Value>,
    fallback: &str,
    raw_text: impl Fn() -> String,
) -> (String, String) {
    let kind = || {
        text_of(error, "type")
            .filter(|kind| !kind.is_empty())
            .unwrap_or_else(|| fallback.to_owned())
    };
    match (text_of(error, "code"), error.get("message")) {
        (Some(code), Some(Value::String(message))) => (code, message.clone()),
        (_, Some(Value::Object(old))) if text_of(old, "code").is_some() => (
            text_of(old, "code").unwrap_or_default(),
            text_of(old, "message").unwrap_or_default(),
        ),
        (_, Some(Value::String(message))) => (kind(), message.clone()),
        _ => (kind(), raw_text()),
    }
}

fn rendered(entries: &[Value]) -> String {
    const SHOWN: usize = 5;
    let one = |entry: &Value| match entry {
        Value::Object(entry) => {
            let msg = text_of(entry, "msg").unwrap_or_else(|| "is invalid".to_owned());
            let steps = entry
                .get("loc")
                .and_then(Value::as_array)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let steps = match steps {
                [first, rest @ ..] if first == "body" => rest,
                steps => steps,
            };
            let path: Vec<String> = steps.iter().map(plain).collect();
            if path.is_empty() {
                msg
            } else {
                format!("{}: {msg}", path.join("."))
            }
        }
        other => plain(other),
    };
    let mut text = entries
        .iter()
        .take(SHOWN)
        .map(one)
        .collect::<Vec<_>>()
        .join("; ");
    if entries.len() > SHOWN {
        text.push_str(&format!(" (+{} more)", entries.len() - SHOWN));
    }
    text
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn detail(body: &Map<String, Value>) -> Option<Detail> {
    let structured = |key: &str| {
        body.get(key)
            .and_then(Value::as_object)
            .filter(|map| is_truthy(map.get("code")))
    };
    let found = structured("error").or_else(|| structured("detail"))?;
    let mut detail = Detail::default();
    for (key, value) in found {
        let side = if KNOWN.contains(&key.as_str()) {
            &mut detail.known
        } else {
            &mut detail.extra
        };
        side.insert(key.clone(), value.clone());
    }
    Some(detail)
}

fn is_truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Bool(true)) => true,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(map)) => !map.is_empty(),
    }
}

/// The closed code of a refused start (`errors.md` §3).
pub fn classify_start(status: u16, server_code: &str) -> StartCode {
    match server_code {
        slug::CONCURRENT_SESSION_LIMIT => StartCode::Busy,
        slug::FREE_MINUTES_EXHAUSTED | slug::PROVIDER_NOT_ENTITLED => StartCode::Entitlement,
        slug::VERSION_MISMATCH => StartCode::VersionMismatch,
        _ => match status {
            503 => StartCode::VoiceDisabled,
            400 | 422 => StartCode::Config,
            _ => StartCode::Rejected,
        },
    }
}

/// Seconds of a `Retry-After`: a whole number, a negative one counting as 0; a date, a fraction or nothing is
/// ignored.
pub fn retry_after(header: &str) -> Option<u64> {
    let seconds: i64 = header.trim().parse().ok()?;
    Some(u64::try_from(seconds).unwrap_or(0))
}

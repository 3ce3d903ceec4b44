//! The outcome of a background client tool, capped (R73, T42, T43).

use serde_json::{Map, Value, json};

use crate::{
    client::{ClientFrame, JobResult, JobStatus},
    limits, text,
};

/// A fresh job id: 32 hex characters of a random UUID.
pub fn new_id() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

/// How a background tool ended, as its handler said it.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It completed.
    Completed {
        /// For the record.
        result: Option<Map<String, Value>>,
        /// What the model hears.
        summary: Option<String>,
    },
    /// It failed with this message.
    Failed(String),
}

/// The `tool_job_result` frame of an outcome: texts cut at 2048 scalars, a result over 8,192 bytes replaced by a
/// mark, and the whole at most 12,248 bytes.
pub fn result_frame(job_id: &str, tool_name: &str, outcome: &Outcome) -> ClientFrame {
    let cap = |whole: &String| text::capped(whole, limits::JOB_TEXT_SCALARS);
    let mut frame = JobResult {
        job_id: job_id.to_owned(),
        tool_name: tool_name.to_owned(),
        status: JobStatus::Completed,
        result: None,
        summary: None,
        error: None,
    };
    match outcome {
        Outcome::Completed { result, summary } => {
            frame.result = result.as_ref().map(cap_result);
            frame.summary = summary.as_ref().map(cap);
        }
        Outcome::Failed(error) => {
            frame.status = JobStatus::Failed;
            frame.error = Some(cap(error));
        }
    }
    if too_long(&frame) && frame.result.is_some() {
        frame.result = json!({ "_truncated": true }).as_object().cloned();
    }
    let mut most = limits::JOB_TEXT_SCALARS;
    while too_long(&frame) && most > 0 {
        most /= 2;
        for text in [&mut frame.summary, &mut frame.error].into_iter().flatten() {
            *text = text::capped(text, most);
        }
    }
    ClientFrame::ToolJobResult(frame)
}

fn too_long(frame: &JobResult) -> bool {
    let written = ClientFrame::ToolJobResult(frame.clone()).encode();
    written.len() + limits::JOB_FRAME_ID_BYTES > limits::JOB_FRAME_BYTES
}

fn cap_result(result: &Map<String, Value>) -> Map<String, Value> {
    let size = spaced_map(result);
    if size <= limits::JOB_RESULT_BYTES {
        return result.clone();
    }
    Map::from_iter([
        ("_truncated".to_owned(), true.into()),
        ("_original_bytes".to_owned(), size.into()),
    ])
}

/// Length of the JSON with a space after each comma and colon and non-ASCII escaped.
fn spaced(value: &Value) -> usize {
    match value {
        Value::String(text) => escaped(text),
        Value::Array(items) => {
            2 + items.iter().map(spaced).sum::<usize>() + 2 * items.len().saturating_sub(1)
        }
        Value::Object(map) => spaced_map(map),
        other => crate::encode(other).len(),
    }
}

fn spaced_map(map: &Map<String, Value>) -> usize {
    let members: usize = map
        .iter()
        .map(|(key, value)| escaped(key) + 2 + spaced(value))
        .sum();
    2 + members + 2 * map.len().saturating_sub(1)
}

fn escaped(text: &str) -> usize {
    let scalars = text.chars().map(|c| match c {
        '"' | '\\' | '\u{8}' | '\u{c}' | '\n' | '\r' | '\t' => 2,
        ' '..='\u{7f}' => 1,
        c => 6 * c.len_utf16(),
    });
    2 + scalars.sum::<usize>()
}

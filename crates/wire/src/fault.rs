//! What is wrong with an input.

use std::fmt;

/// One thing wrong with a document: where, and what was expected. Never contains what was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Member names and list positions from the top, outermost first.
    pub loc: Vec<String>,
    /// A sentence without the submitted value.
    pub msg: String,
    /// A short slug of the kind of fault, such as `missing` or `string_type`.
    pub kind: &'static str,
}

impl fmt::Display for Problem {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.loc.is_empty() {
            write!(to, "{}", self.msg)
        } else {
            write!(to, "{}: {}", self.loc.join("."), self.msg)
        }
    }
}

/// A frame that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadFrame {
    /// The bytes are not UTF-8.
    #[error("the frame is not UTF-8 text")]
    NotUtf8,
    /// The text is not one JSON document.
    #[error("the frame is not one JSON document")]
    NotJson,
    /// The document is not an object with a text `type`.
    #[error("the frame is not a JSON object with a text \"type\"")]
    NoType,
    /// No frame of this direction has that type.
    #[error("no frame of this direction has the type {:?}", crate::text::first(.raw_type, 64))]
    UnknownType {
        /// The type as sent.
        raw_type: String,
    },
    /// The pieces of a large frame are not base64.
    #[error("a piece of a large frame is not standard base64")]
    Undecodable,
    /// The type is known but a member is missing or wrong.
    #[error("a {raw_type} frame is wrong at {problem}")]
    Wrong {
        /// The type as sent.
        raw_type: String,
        /// The first fault found.
        problem: Problem,
    },
}

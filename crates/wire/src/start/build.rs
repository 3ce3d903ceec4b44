//! What a client checks about its own start body before it sends anything (R22).

use serde_json::Value;

use super::{StartBody, check};
use crate::{fault::Problem, read::Problems};

/// A configuration that would be refused; nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session's configuration is not valid: {}", first(.problems))]
pub struct ConfigFault {
    /// All faults, with the place of each.
    pub problems: Vec<Problem>,
}

fn first(problems: &[Problem]) -> String {
    match problems {
        [only] => only.to_string(),
        [first, others @ ..] => format!("{first} (+{} more)", others.len()),
        [] => "it is not readable".to_owned(),
    }
}

/// Reads the body back by the client's own rules, so that both ends count by one reader.
pub(super) fn check_own(body: &StartBody) -> Result<(), ConfigFault> {
    read_own(&body.to_value()).map(|_| ())
}

pub(super) fn read_own(body: &Value) -> Result<StartBody, ConfigFault> {
    let problems = Problems::default();
    // A kind that no server runs cannot be written with our types; read from a file, it must not pass.
    let mut unknown_kinds = Vec::new();
    let read = check::read(body, &problems, check::Side::Client, &mut unknown_kinds);
    let problems = problems.into_vec();
    match read {
        Some(body) if problems.is_empty() => Ok(body),
        _ => {
            let unknown = unknown_kinds.into_iter().map(|msg| Problem {
                loc: vec!["agent".to_owned(), "tools".to_owned()],
                msg,
                kind: "union_tag_invalid",
            });
            Err(ConfigFault {
                problems: problems.into_iter().chain(unknown).collect(),
            })
        }
    }
}

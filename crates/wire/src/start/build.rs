//! What a client checks about its own start body before it sends anything (R22).

use super::{StartBody, check};
use crate::read::{Problem, Problems};

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
    let problems = Problems::default();
    let mut unknown_kinds = Vec::new();
    let read = check::read(
        &body.to_value(),
        &problems,
        check::Side::Client,
        &mut unknown_kinds,
    );
    let problems = problems.into_vec();
    if read.is_some() && problems.is_empty() {
        Ok(())
    } else {
        Err(ConfigFault { problems })
    }
}

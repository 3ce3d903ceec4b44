//! Why a session did not start.

use alidade_wire::{error::StartCode, rest::Detail};

/// Why a session did not start. When it reaches the caller, the session is torn down already.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct StartError {
    /// The closed code: safe to switch on.
    pub code: StartCode,
    /// What happened, in the server's words where it had its say.
    pub message: String,
    /// HTTP status of a rejection.
    pub status: Option<u16>,
    /// The server's own slug; an open set.
    pub server_code: Option<String>,
    /// When to try again, for `busy`.
    pub retry_after_seconds: Option<u64>,
    /// The structured body of a rejection.
    pub detail: Option<Box<Detail>>,
}

impl StartError {
    pub(crate) fn new(code: StartCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            status: None,
            server_code: None,
            retry_after_seconds: None,
            detail: None,
        }
    }

    pub(crate) fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    pub(crate) fn with_server_code(mut self, code: impl Into<String>) -> Self {
        self.server_code = Some(code.into());
        self
    }

    fn sentence(&self) -> String {
        let advice = match self.code {
            StartCode::Transport => "check that the backend runs and is reachable, then try again",
            StartCode::InvalidResponse => "the address may not be that of a backend",
            StartCode::Config => "change the agent or the session's options",
            StartCode::Busy => "end another session or try again later",
            StartCode::Entitlement => "the plan does not include this",
            StartCode::VersionMismatch => "update this program",
            StartCode::VoiceDisabled => "the backend offers no sessions now",
            StartCode::Rejected => "check the key and the account",
            StartCode::JoinFailed => "the room could not be joined; start again",
            StartCode::HandshakeFailed => "the backend ended the session before it was ready",
            StartCode::ReadyTimeout => "the agent did not get ready in time; start again",
        };
        if self.message.is_empty() {
            format!("{advice} ({})", self.code.as_str())
        } else {
            format!("{}: {advice} ({})", self.message, self.code.as_str())
        }
    }
}

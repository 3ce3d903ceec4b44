//! Remote procedure calls: what an application sees of them.

use std::time::Duration;

use tokio::sync::oneshot;

use crate::Participant;
use crate::limits::{MAX_RPC_ERROR_DATA_BYTES, MAX_RPC_ERROR_MESSAGE_BYTES};

/// LiveKit's RPC error codes.
pub mod code {
    /// The called side has no such method.
    pub const UNSUPPORTED_METHOD: u32 = 1400;
    /// Nobody in the room has the called identity.
    pub const RECIPIENT_NOT_FOUND: u32 = 1401;
    /// The request payload is longer than 15,360 bytes.
    pub const REQUEST_PAYLOAD_TOO_LARGE: u32 = 1402;
    /// The server cannot carry calls.
    pub const UNSUPPORTED_SERVER: u32 = 1403;
    /// The called side does not speak this version of RPC.
    pub const UNSUPPORTED_VERSION: u32 = 1404;
    /// The handler failed.
    pub const APPLICATION_ERROR: u32 = 1500;
    /// No acknowledgement within 7 s.
    pub const CONNECTION_TIMEOUT: u32 = 1501;
    /// No response within the response time.
    pub const RESPONSE_TIMEOUT: u32 = 1502;
    /// The called side left before it answered.
    pub const RECIPIENT_DISCONNECTED: u32 = 1503;
    /// The response payload is longer than 15,360 bytes.
    pub const RESPONSE_PAYLOAD_TOO_LARGE: u32 = 1504;
    /// The request could not be sent.
    pub const SEND_FAILED: u32 = 1505;
}

/// How a call failed, with LiveKit's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (RPC error {code})")]
pub struct RpcError {
    /// One of [`code`], or a number of the application's own.
    pub code: u32,
    /// A sentence, at most 256 bytes on the wire.
    pub message: String,
    /// Further data of the application.
    pub data: Option<String>,
}

impl RpcError {
    /// An error with this code and sentence.
    pub fn new(code: u32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The called side has no such method (1400).
    pub fn unsupported_method() -> Self {
        Self::new(
            code::UNSUPPORTED_METHOD,
            "Method not supported at destination",
        )
    }

    /// Nobody in the room has this identity (1401).
    pub fn recipient_not_found() -> Self {
        Self::new(code::RECIPIENT_NOT_FOUND, "Recipient not found")
    }

    /// The request payload is too long (1402).
    pub fn request_too_large() -> Self {
        Self::new(code::REQUEST_PAYLOAD_TOO_LARGE, "Request payload too large")
    }

    /// Another version of RPC is not spoken here (1404).
    pub fn unsupported_version() -> Self {
        Self::new(code::UNSUPPORTED_VERSION, "Unsupported RPC version")
    }

    /// The handler failed (1500).
    pub fn application(message: impl Into<String>) -> Self {
        Self::new(code::APPLICATION_ERROR, message)
    }

    /// No acknowledgement in time (1501).
    pub fn connection_timeout() -> Self {
        Self::new(code::CONNECTION_TIMEOUT, "Connection timeout")
    }

    /// No response in time (1502).
    pub fn response_timeout() -> Self {
        Self::new(code::RESPONSE_TIMEOUT, "Response timeout")
    }

    /// The called side left (1503).
    pub fn recipient_disconnected() -> Self {
        Self::new(code::RECIPIENT_DISCONNECTED, "Recipient disconnected")
    }

    /// The response payload is too long (1504).
    pub fn response_too_large() -> Self {
        Self::new(
            code::RESPONSE_PAYLOAD_TOO_LARGE,
            "Response payload too large",
        )
    }

    /// The request did not leave (1505).
    pub fn send_failed() -> Self {
        Self::new(code::SEND_FAILED, "Failed to send")
    }

    /// Cut down to what the wire carries.
    pub(crate) fn fit(mut self) -> Self {
        truncate(&mut self.message, MAX_RPC_ERROR_MESSAGE_BYTES);
        if let Some(data) = &mut self.data {
            truncate(data, MAX_RPC_ERROR_DATA_BYTES);
        }
        self
    }
}

fn truncate(text: &mut String, limit: usize) {
    if text.len() > limit {
        let mut end = limit;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}

/// What goes back to the caller.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) result: Result<String, RpcError>,
    /// Told when the response is in the channel.
    pub(crate) written: Option<oneshot::Sender<()>>,
}

impl From<Result<String, RpcError>> for Answer {
    fn from(result: Result<String, RpcError>) -> Self {
        Self {
            result,
            written: None,
        }
    }
}

/// A call that arrived and waits for its one answer.
///
/// Dropping it unanswered, also by a panic of the handler, answers with error 1500.
#[derive(Debug)]
pub struct RpcCall {
    /// Who calls. `None` when this side does not know the calling identity.
    pub caller: Option<Participant>,
    /// The identity the call names as its caller.
    pub caller_identity: String,
    /// Name of the method.
    pub method: String,
    /// The payload, at most 15,360 bytes.
    pub payload: String,
    /// How long the caller waits for the response.
    pub response_timeout: Duration,
    pub(crate) answer: Option<oneshot::Sender<Answer>>,
}

impl RpcCall {
    /// Answers the call. A payload above 15,360 bytes becomes error 1504.
    ///
    /// Does not wait: what is sent next may overtake the response. See [`RpcCall::reply_written`].
    pub fn reply(self, answer: Result<String, RpcError>) {
        self.give(answer.into());
    }

    /// Answers the call as [`RpcCall::reply`] does and completes when the response is written to
    /// the data channel, so that everything sent afterwards arrives after it. Completes also when
    /// the response can no longer be written, because the call is over on the other side or the
    /// connection is gone.
    pub async fn reply_written(self, answer: Result<String, RpcError>) {
        let (written, done) = oneshot::channel();
        self.give(Answer {
            result: answer,
            written: Some(written),
        });
        // An error means that the response is lost for good.
        let _ = done.await;
    }

    fn give(mut self, answer: Answer) {
        if let Some(sender) = self.answer.take() {
            // The call may be over on the other side already: nothing is left to answer then.
            let _ = sender.send(answer);
        }
    }

    /// Completes when nobody waits for the answer any more, because the response time is over or
    /// the connection is gone.
    pub async fn abandoned(&mut self) {
        if let Some(answer) = &mut self.answer {
            answer.closed().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RpcError;

    #[test]
    fn an_error_message_is_cut_at_a_character() {
        let error = RpcError::application("é".repeat(200)).fit();
        assert_eq!(error.message.len(), 256);
        let error = RpcError::application(format!("a{}", "é".repeat(200))).fit();
        assert_eq!(error.message.len(), 255);
    }
}

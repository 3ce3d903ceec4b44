//! Bodies of the HTTP control plane: answers, requests and failures (`rest.md`, `errors.md`).

mod answer;
mod failure;
mod instant;
mod secret;

pub use answer::{
    BadAnswer, DialAnswer, MintedToken, PreparedRoom, StartAnswer, Timings, Tokens, UsageAnswer,
    VerifyAnswer, Workspace, WsStartAnswer,
};
pub use failure::{
    AuthFailure, Detail, ErrorBody, ErrorKind, Failure, classify_start, read_failure, retry_after,
};
pub use instant::unix_micros;
pub use secret::Secret;

use serde::Serialize;

/// Paths of the endpoints, below the base URL.
pub mod path {
    /// Start in a room.
    pub const START: &str = "/api/v1/external/realtime/session/start";
    /// Start on a websocket.
    pub const WS_START: &str = "/api/v1/external/realtime/session/ws-start";
    /// Reserve a room.
    pub const PREPARE_ROOM: &str = "/api/v1/external/realtime/session/prepare-room";
    /// What a credential may do.
    pub const VERIFY: &str = "/api/v1/external/realtime/verify";
    /// Mint a user token.
    pub const MINT: &str = "/api/v1/external/auth/token";

    /// Usage of a session. The id is one path segment: anything unusual in it is percent-encoded.
    pub fn usage(session_id: &str) -> String {
        format!("/api/v1/external/sessions/{}/usage", segment(session_id))
    }

    /// Dial into a session. The id is one path segment: anything unusual in it is percent-encoded.
    pub fn dial(session_id: &str) -> String {
        format!(
            "/api/v1/external/realtime/session/{}/dial",
            segment(session_id)
        )
    }

    fn segment(text: &str) -> String {
        let mut written = String::new();
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
                written.push(byte as char);
            } else {
                written.push_str(&format!("%{byte:02X}"));
            }
        }
        written
    }
}

/// Names of headers, lower case.
pub mod header {
    /// `<sdk name>/<version>`.
    pub const SDK: &str = "x-cosmo-sdk";
    /// Name of a reserved room.
    pub const PREPARED_ROOM_NAME: &str = "x-cosmo-prepared-room-name";
    /// Grant of a reserved room.
    pub const PREPARED_ROOM_GRANT: &str = "x-cosmo-prepared-room-grant";
}

/// Asks to mint a user token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MintRequest {
    /// Who the token is for.
    pub external_user_id: String,
    /// Its life in seconds; left out unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<i64>,
}

/// Asks to dial a number into a session. Numbers are checked with [`crate::phone::normalise`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DialRequest {
    /// Who is called.
    pub phone_number: String,
    /// Who calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller_number: Option<String>,
}

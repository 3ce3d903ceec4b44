//! Who may send and call, readiness by attribute, and how a room's close is understood (`livekit-transport.md`).

use alidade_wire::Value;

use super::{CloseKind, RpcFailure, Sender};

/// Whether a data frame of that sender is for us (R64): the agent's, or the server's API.
#[must_use]
pub const fn accepts_data(sender: Sender) -> bool {
    matches!(sender, Sender::Agent | Sender::Server)
}

/// Whether that sender may call tools (R69): only the agent.
///
/// # Errors
/// What the caller is answered, RPC error 1500.
pub fn check_caller(sender: Sender) -> Result<(), RpcFailure> {
    if sender == Sender::Agent {
        return Ok(());
    }
    Err(RpcFailure {
        code: alidade_wire::error::rpc::APPLICATION,
        message: "client tools may only be invoked by the session agent".to_owned(),
    })
}

/// The one chance of the `cosmo.ready` attribute: the first value that is a `ready` object is handed on, unchanged;
/// others do not use the chance up.
#[derive(Debug, Default)]
pub struct ReadyAttribute {
    used: bool,
}

impl ReadyAttribute {
    /// Whether this value is to be handled as if it had arrived as a data frame.
    pub fn take(&mut self, sender: Sender, value: &str) -> bool {
        if self.used || sender != Sender::Agent {
            return false;
        }
        let ready = matches!(
            serde_json::from_str::<Value>(value),
            Ok(Value::Object(map)) if map.get("type").and_then(Value::as_str) == Some("ready")
        );
        self.used = ready;
        ready
    }
}

/// What a room's disconnect reason means, by its upper-case LiveKit name (R43).
#[must_use]
pub fn close_kind(reason: Option<&str>) -> CloseKind {
    match reason {
        Some("PARTICIPANT_REMOVED" | "ROOM_DELETED" | "ROOM_CLOSED") => CloseKind::ServerEnded,
        _ => CloseKind::TransportError,
    }
}

//! The seam to what carries frames and calls. No WebRTC here: a transport brings it.
//!
//! A transport joins once and gives a [`Link`] for what goes out; what comes in, it puts into the [`Inbox`] it was
//! given before the join, so that nothing that arrives early is lost (R32, R37). Who may send or call is decided
//! here, in [`rules`], from the kind of the participant the transport names.

mod inbox;
pub mod rules;

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

use alidade_wire::rest::Secret;
pub(crate) use inbox::inbox;
pub use inbox::{Call, Inbound, Inbox, ReplySlot, RpcFailure};

/// Which of the two carriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lane {
    /// A media room over WebRTC.
    Room,
    /// A single websocket.
    Websocket,
}

/// Who sent something, by kind; identities are never relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sender {
    /// A participant of kind agent; on the websocket, the far end.
    Agent,
    /// The server's API: no participant.
    Server,
    /// Any other participant, or one that cannot be resolved.
    Other,
}

/// How a carrier closed, as far as it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CloseKind {
    /// The server ended the session.
    ServerEnded,
    /// The carrier failed.
    TransportError,
}

/// What a join needs.
#[derive(Clone, Debug)]
pub struct JoinRequest {
    /// The room's or the socket's address.
    pub url: String,
    /// The join token, or the websocket's sub-protocol.
    pub token: Secret,
    /// Every method that must be answerable before the first call can arrive, in order.
    pub methods: Vec<String>,
    /// Name and version of this SDK.
    pub sdk: alidade_wire::start::SdkInfo,
    /// Longest time a join may take; 15 s is usual.
    pub timeout: Duration,
}

/// Why a join failed, in words without secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JoinFailure(pub String);

/// Something could not be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SendFailure(pub String);

/// A carrier that can be joined once per session.
#[async_trait]
pub trait Transport: Send + Sync {
    /// Which carrier it is.
    fn lane(&self) -> Lane {
        Lane::Room
    }

    /// Joins. What arrives from now on goes into the inbox, also before this returns; a close after a successful join
    /// is announced there once, last. Dropping the future gives up the join and leaves nothing behind.
    ///
    /// # Errors
    /// [`JoinFailure`].
    async fn join(&self, request: JoinRequest, inbox: Inbox) -> Result<Box<dyn Link>, JoinFailure>;
}

/// A joined carrier, for what goes out.
#[async_trait]
pub trait Link: Send + Sync {
    /// Sends one carrier frame, reliably and in order. Long frames were split before (R63).
    ///
    /// # Errors
    /// [`SendFailure`] where it did not leave.
    async fn send(&self, frame: Bytes) -> Result<(), SendFailure>;

    /// The `cosmo.ready` attributes of all participants of kind agent, as they are now.
    fn ready_attributes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Sends a byte stream to every participant of kind agent, and to nobody else (R76).
    ///
    /// # Errors
    /// [`SendFailure`] where it did not leave or nobody is there.
    async fn send_bytes(&self, topic: &str, bytes: Bytes) -> Result<(), SendFailure> {
        let _ = (topic, bytes);
        Err(SendFailure("this carrier has no byte streams".to_owned()))
    }

    /// Leaves; the carrier is gone when this returns.
    async fn leave(&self);
}

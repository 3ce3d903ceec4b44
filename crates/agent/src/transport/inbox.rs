//! What comes in from a carrier, in arrival order.

use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{CloseKind, Sender};

/// Bound of the inbox; a transport waits while it is full, so that nothing is lost.
const INBOX_MAX: usize = 256;

/// An error at the level of the call, below any tool's own failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (RPC error {code})")]
pub struct RpcFailure {
    /// One of `errors.md` §6.
    pub code: u32,
    /// A short sentence.
    pub message: String,
}

/// Where the one reply to a call goes. Dropping it unused must make the carrier answer with an error.
#[async_trait]
pub trait ReplySlot: Send {
    /// Writes the reply; returns once it is on the wire before anything sent later (T45), or is lost for good.
    async fn reply(self: Box<Self>, reply: Result<String, RpcFailure>);
}

/// A call of a method on this side.
pub struct Call {
    /// Who calls.
    pub caller: Sender,
    /// The method: a tool's name, or `screen_capture`.
    pub method: String,
    /// The arguments as sent.
    pub payload: String,
    /// Where the reply goes.
    pub slot: Box<dyn ReplySlot>,
    /// Cancelled when nobody waits for the reply any more.
    pub withdrawn: CancellationToken,
}

/// One thing that came in.
pub enum Inbound {
    /// A data frame.
    Data {
        /// Who sent it.
        sender: Sender,
        /// The bytes as sent.
        payload: Bytes,
    },
    /// A participant's `cosmo.ready` attribute, new or as seen at the join.
    ReadyAttribute {
        /// Whose.
        sender: Sender,
        /// Its value.
        value: String,
    },
    /// A call.
    Call(Call),
    /// The carrier is lost and recovers by itself.
    Reconnecting,
    /// The carrier is back.
    Reconnected,
    /// The carrier is gone for good.
    Closed {
        /// By whom.
        kind: CloseKind,
        /// In which words, if any.
        detail: Option<String>,
    },
}

/// Where a transport puts what comes in. Clones share it.
#[derive(Clone)]
pub struct Inbox(mpsc::Sender<Inbound>);

impl Inbox {
    /// Puts something in, waiting while it is full. False when the session no longer reads: stop then.
    pub async fn put(&self, inbound: Inbound) -> bool {
        self.0.send(inbound).await.is_ok()
    }

    /// Completes when the session no longer reads.
    pub async fn closed(&self) {
        self.0.closed().await;
    }
}

pub(crate) fn inbox() -> (Inbox, mpsc::Receiver<Inbound>) {
    let (put, take) = mpsc::channel(INBOX_MAX);
    (Inbox(put), take)
}

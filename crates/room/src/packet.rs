//! What applications send each other as one message.

use bytes::Bytes;

use crate::Participant;

/// A user packet as it arrived.
#[derive(Debug, Clone)]
pub struct UserPacket {
    /// Who sent it. `None` when the packet names nobody (sent through the server's API).
    pub sender: Option<Participant>,
    /// The sender's identity as written in the packet; empty when it names nobody. A non-empty
    /// identity without a `sender` is a participant this side does not know.
    pub sender_identity: String,
    /// The bytes, as sent.
    pub payload: Bytes,
    /// The topic, if any.
    pub topic: Option<String>,
}

/// A byte stream that arrived whole.
#[derive(Debug, Clone)]
pub struct ByteStream {
    /// Who sent it, if known.
    pub sender: Option<Participant>,
    /// Topic of the stream, for example `screen_capture`.
    pub topic: String,
    /// Name of the stream; empty when it has none.
    pub name: String,
    /// Media type, for example `image/jpeg`.
    pub mime_type: String,
    /// Further key-value data of the header.
    pub attributes: std::collections::BTreeMap<String, String>,
    /// The content.
    pub bytes: Bytes,
}

/// Why something could not be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The message is longer than a room can carry.
    #[error("the message has {bytes} bytes, a room carries at most {limit}; split it")]
    TooLarge {
        /// Length of the message in bytes.
        bytes: usize,
        /// Longest allowed length in bytes.
        limit: usize,
    },
    /// The connection is gone.
    #[error("the room connection is closed; join again")]
    Closed,
    /// The other side has not taken anything for a long time.
    #[error("the other side does not take messages; the connection may be broken")]
    Stalled,
}

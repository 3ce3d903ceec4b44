//! What crosses the data channels: user packets, calls and byte streams.
//!
//! One writer task per channel numbers and sends; one reader task per channel takes apart.

mod calls;
mod inlet;
mod outbox;
mod sequence;
mod streams;

pub(crate) use calls::Calls;
pub(crate) use inlet::{Inlet, Roster, Sink};
pub(crate) use outbox::{Outbox, Queued, Stamp, user_packet, write};
pub(crate) use streams::send_bytes;

use bytes::Bytes;
use livekit_protocol as proto;
use prost::Message as _;

use crate::limits::MAX_PACKET_BYTES;

/// Label of the ordered channel.
pub(crate) const RELIABLE: &str = "_reliable";
/// Label of the unordered channel without retransmission.
pub(crate) const LOSSY: &str = "_lossy";

/// Reads one message of a data channel. Anything unreadable is `None`.
pub(crate) fn decode(message: Bytes) -> Option<proto::DataPacket> {
    if message.len() > MAX_PACKET_BYTES + 1_536 {
        return None;
    }
    proto::DataPacket::decode(message).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use prost::Message as _;

    use super::decode;
    use livekit_protocol as proto;

    proptest! {
        #[test]
        fn garbage_is_refused_quietly(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
            let _ = decode(bytes.into());
        }

        #[test]
        fn a_damaged_packet_is_refused_quietly(at in 0usize..60, bit in 0u8..8) {
            let mut bytes = proto::DataPacket {
                participant_identity: "agent".into(),
                sequence: 7,
                value: Some(proto::data_packet::Value::User(proto::UserPacket {
                    payload: vec![1; 40],
                    ..Default::default()
                })),
                ..Default::default()
            }
            .encode_to_vec();
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            let _ = decode(bytes.into());
        }
    }
}

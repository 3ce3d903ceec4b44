//! Packets on their way out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bytes::{Bytes, BytesMut};
use livekit_protocol as proto;
use prost::Message as _;
use proto::data_packet::Value;
use tokio::sync::mpsc;
use webrtc::data_channel::DataChannel;

use crate::SendError;
use crate::limits::{MAX_PACKET_BYTES, MAX_USER_BYTES, OUTBOX_QUEUE, SEND_PATIENCE};

/// A packet in line, with the stay it was meant for.
pub(crate) type Queued = (u32, proto::DataPacket);

/// The line of packets in front of the reliable channel. It may outlive a stay: user packets then
/// wait for the next one, while calls and streams end with theirs.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    line: mpsc::Sender<Queued>,
    stay: Arc<AtomicU32>,
}

impl Outbox {
    pub(crate) fn new() -> (Self, mpsc::Receiver<Queued>) {
        let (line, packets) = mpsc::channel(OUTBOX_QUEUE);
        let stay = Arc::default();
        (Self { line, stay }, packets)
    }

    /// Begins a new stay and gives its number.
    pub(crate) fn next_stay(&self) -> u32 {
        self.stay.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Puts a packet in line, waiting for room.
    pub(crate) async fn send(&self, packet: proto::DataPacket) -> Result<(), SendError> {
        let bytes = packet.encoded_len();
        if bytes > MAX_PACKET_BYTES {
            return Err(SendError::TooLarge {
                bytes,
                limit: MAX_PACKET_BYTES,
            });
        }
        let queued = (self.stay.load(Ordering::Acquire), packet);
        match tokio::time::timeout(SEND_PATIENCE, self.line.send(queued)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(SendError::Closed),
            Err(_) => Err(SendError::Stalled),
        }
    }
}

/// A user packet to these identities, or to all.
pub(crate) fn user_packet(
    payload: Bytes,
    topic: Option<&str>,
    to: &[String],
) -> Result<proto::DataPacket, SendError> {
    if payload.len() > MAX_USER_BYTES {
        return Err(SendError::TooLarge {
            bytes: payload.len(),
            limit: MAX_USER_BYTES,
        });
    }
    Ok(packet(
        Value::User(proto::UserPacket {
            payload: payload.into(),
            topic: topic.map(str::to_owned),
            ..Default::default()
        }),
        to,
    ))
}

/// A reliable packet; the writer numbers it and names its sender.
pub(super) fn packet(value: Value, to: &[String]) -> proto::DataPacket {
    proto::DataPacket {
        destination_identities: to.to_vec(),
        value: Some(value),
        ..Default::default()
    }
}

/// Who writes, in which stay, and the number of the last packet written.
#[derive(Debug, Clone)]
pub(crate) struct Stamp {
    pub(crate) stay: u32,
    pub(crate) identity: String,
    pub(crate) sid: String,
    pub(crate) sequence: Arc<AtomicU32>,
}

/// Sends the line over an open channel until either ends. The only place that numbers packets, so
/// that their order on the wire is that of their numbers.
pub(crate) async fn write(
    channel: Arc<dyn DataChannel>,
    packets: &mut mpsc::Receiver<Queued>,
    stamp: Stamp,
) {
    let mut buffer = BytesMut::new();
    while let Some((stay, mut packet)) = packets.recv().await {
        if stay < stamp.stay && !matches!(packet.value, Some(Value::User(_))) {
            continue;
        }
        packet.participant_identity.clone_from(&stamp.identity);
        packet.participant_sid.clone_from(&stamp.sid);
        packet.sequence = stamp.sequence.fetch_add(1, Ordering::Relaxed) + 1;
        buffer.reserve(packet.encoded_len());
        if packet.encode(&mut buffer).is_err() {
            continue;
        }
        if let Err(error) = channel.send(buffer.split()).await {
            tracing::debug!(%error, "the data channel takes no more");
            return;
        }
    }
}

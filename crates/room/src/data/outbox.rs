//! Packets on their way out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use livekit_protocol as proto;
use prost::Message as _;
use proto::data_packet::Value;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use webrtc::data_channel::DataChannel;

use crate::SendError;
use crate::limits::{MAX_PACKET_BYTES, MAX_USER_BYTES, OUTBOX_QUEUE, SEND_PATIENCE};

/// Between two looks at what the channel has not got rid of.
const DRAIN_PAUSE: Duration = Duration::from_millis(2);

/// What stands in line, with the stay it was meant for.
#[derive(Debug)]
pub(crate) struct Queued {
    stay: u32,
    item: Item,
}

#[derive(Debug)]
enum Item {
    Packet {
        packet: Box<proto::DataPacket>,
        /// Told when the packet is in the channel.
        written: Option<oneshot::Sender<()>>,
    },
    /// Nothing to send: told when everything before it has arrived.
    Flush(oneshot::Sender<()>),
}

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
        self.send_noting(packet, None).await
    }

    /// Puts a packet in line, waiting for room. `written` is told when it is in the channel, and
    /// dropped when it never gets there.
    pub(super) async fn send_noting(
        &self,
        packet: proto::DataPacket,
        written: Option<oneshot::Sender<()>>,
    ) -> Result<(), SendError> {
        let bytes = packet.encoded_len();
        if bytes > MAX_PACKET_BYTES {
            return Err(SendError::TooLarge {
                bytes,
                limit: MAX_PACKET_BYTES,
            });
        }
        let packet = Box::new(packet);
        self.put(Item::Packet { packet, written }).await
    }

    /// Waits until everything in line has arrived at the other side, or never will. As long as the
    /// other side takes: the caller sets a limit.
    pub(crate) async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        if self.put(Item::Flush(done)).await.is_ok() {
            // An error means that the channel is gone, and with it what stood in line.
            let _ = flushed.await;
        }
    }

    async fn put(&self, item: Item) -> Result<(), SendError> {
        let queued = Queued {
            stay: self.stay.load(Ordering::Acquire),
            item,
        };
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

/// Sends the line over an open channel until either ends, or the stay does: what stands in line from
/// then on is for the next one. The only place that numbers packets, so that their order on the wire
/// is that of their numbers.
pub(crate) async fn write(
    channel: Arc<dyn DataChannel>,
    packets: &mut mpsc::Receiver<Queued>,
    stamp: Stamp,
    over: &CancellationToken,
) {
    let mut buffer = BytesMut::new();
    while let Some(Queued { stay, item }) = next(packets, over).await {
        let (mut packet, written) = match item {
            Item::Packet { packet, written } => (packet, written),
            Item::Flush(mut done) => {
                tokio::select! {
                    () = done.closed() => {}
                    () = drained(&*channel) => {
                        let _ = done.send(());
                    }
                }
                continue;
            }
        };
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
        if let Some(written) = written {
            // An error means that nobody waits for it.
            let _ = written.send(());
        }
    }
}

/// The first in line, unless the stay is over: then it is left to the next one.
async fn next(packets: &mut mpsc::Receiver<Queued>, over: &CancellationToken) -> Option<Queued> {
    tokio::select! {
        biased;
        () = over.cancelled() => None,
        queued = packets.recv() => queued,
    }
}

/// Waits until the other side has acknowledged all the channel was given, or the channel is closed.
async fn drained(channel: &dyn DataChannel) {
    while channel
        .outstanding_bytes()
        .await
        .is_ok_and(|bytes| bytes > 0)
    {
        // The channel's own notice of this goes to whoever reads it.
        tokio::time::sleep(DRAIN_PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::{Outbox, next, user_packet};

    #[tokio::test]
    async fn what_stands_in_line_when_a_stay_is_over_is_left_to_the_next() {
        let (outbox, mut line) = Outbox::new();
        let packet = user_packet("kept".into(), None, &[]);
        assert!(outbox.send(packet.unwrap_or_default()).await.is_ok());
        let over = CancellationToken::new();
        over.cancel();
        assert!(next(&mut line, &over).await.is_none());
        let stay = CancellationToken::new();
        assert!(next(&mut line, &stay).await.is_some());
    }
}

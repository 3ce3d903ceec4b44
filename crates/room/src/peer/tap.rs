//! An interceptor at the application's end of the chain.
//!
//! It takes arriving media packets out of the chain, because the queue behind it holds only 256
//! packets and drops the rest, which no retransmission brings back. It lets requests for key
//! pictures through to the sending track, which nothing else in the chain does. And it counts what
//! the connection has taken out of the queue in front of it, because a track that is withdrawn
//! before its last packet has left there is an error of the connection.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rtc::interceptor::{Attribute, Interceptor, Packet, StreamInfo, TaggedPacket};
use rtc::rtcp::payload_feedbacks::full_intra_request::FullIntraRequest;
use rtc::rtcp::payload_feedbacks::picture_loss_indication::PictureLossIndication;
use rtc::sansio::Protocol;
use rtc::shared::error::Error;
use tokio::sync::{mpsc, watch};

/// Media packets waiting to be put together. A picture of 16 MB fits.
pub(crate) const MEDIA_QUEUE: usize = 16_384;

/// How many media packets of each stream the connection has taken, by SSRC.
#[derive(Debug, Clone, Default)]
pub(crate) struct Taken(watch::Sender<HashMap<u32, u64>>);

impl Taken {
    fn count(&self, ssrc: u32) {
        self.0
            .send_modify(|taken| *taken.entry(ssrc).or_default() += 1);
    }

    /// Waits until so many packets of that stream were taken. The caller sets a limit: a closed
    /// connection takes none.
    pub(crate) async fn reached(&self, ssrc: u32, packets: u64) {
        let reached = |taken: &HashMap<u32, u64>| taken.get(&ssrc).copied().unwrap_or(0) >= packets;
        // An error cannot be: this is a sender of the same channel.
        let _ = self.0.subscribe().wait_for(reached).await;
    }

    /// Nobody asks about that stream any more.
    pub(crate) fn forget(&self, ssrc: u32) {
        self.0.send_modify(|taken| {
            taken.remove(&ssrc);
        });
    }
}

pub(crate) struct Tap {
    media: mpsc::Sender<rtc::rtp::packet::Packet>,
    dropped: Arc<AtomicU64>,
    taken: Taken,
    inward: VecDeque<TaggedPacket>,
    outward: VecDeque<TaggedPacket>,
}

impl Tap {
    pub(crate) fn new(
        media: mpsc::Sender<rtc::rtp::packet::Packet>,
        dropped: Arc<AtomicU64>,
        taken: Taken,
    ) -> Self {
        Self {
            media,
            dropped,
            taken,
            inward: VecDeque::new(),
            outward: VecDeque::new(),
        }
    }
}

impl Protocol<TaggedPacket, TaggedPacket, ()> for Tap {
    type Rout = TaggedPacket;
    type Wout = TaggedPacket;
    type Eout = ();
    type Error = Error;
    type Time = Instant;

    fn handle_read(&mut self, mut tagged: TaggedPacket) -> Result<(), Error> {
        match &mut tagged.message.packet {
            Packet::Rtp(packet) => {
                if self.media.try_send(std::mem::take(packet)).is_err() {
                    self.dropped.fetch_add(1, Ordering::Relaxed);
                }
                return Ok(());
            }
            Packet::Rtcp(packets) => {
                packets.retain(|packet| {
                    let packet = packet.as_any();
                    packet.is::<PictureLossIndication>() || packet.is::<FullIntraRequest>()
                });
                if packets.is_empty() {
                    return Ok(());
                }
                tagged.message.add(Attribute::DeliverToApplication);
            }
            #[allow(unreachable_patterns, reason = "the enum may grow")]
            _ => {}
        }
        self.inward.push_back(tagged);
        Ok(())
    }

    fn poll_read(&mut self) -> Option<TaggedPacket> {
        self.inward.pop_front()
    }

    fn handle_write(&mut self, tagged: TaggedPacket) -> Result<(), Error> {
        if let Packet::Rtp(packet) = &tagged.message.packet {
            self.taken.count(packet.header.ssrc);
        }
        self.outward.push_back(tagged);
        Ok(())
    }

    fn poll_write(&mut self) -> Option<TaggedPacket> {
        self.outward.pop_front()
    }

    fn handle_timeout(&mut self, _now: Instant) -> Result<(), Error> {
        Ok(())
    }

    fn poll_timeout(&mut self) -> Option<Instant> {
        None
    }
}

impl Interceptor for Tap {
    fn bind_local_stream(&mut self, _info: &StreamInfo) {}
    fn unbind_local_stream(&mut self, _info: &StreamInfo) {}
    fn bind_remote_stream(&mut self, _info: &StreamInfo) {}
    fn unbind_remote_stream(&mut self, _info: &StreamInfo) {}
}

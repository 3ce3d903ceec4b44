//! A picture cut into RTP packets.

use bytes::{BufMut, Bytes, BytesMut};
use rtc::rtp::header::Header;
use rtc::rtp::packet::Packet;

/// Bytes of VP8 data in one packet: with all headers and the authentication tag the datagram
/// stays under 1,200 bytes.
const DATA_BYTES: usize = 1_140;
/// Picture ids are written with 15 bits.
const PICTURE_ID_MASK: u16 = 0x7fff;

/// Cuts pictures of one stream into packets, numbering both.
#[derive(Debug)]
pub(crate) struct Packetiser {
    ssrc: u32,
    payload_type: u8,
    sequence: u16,
    picture_id: u16,
}

impl Packetiser {
    pub(crate) fn new(ssrc: u32, payload_type: u8, sequence: u16, picture_id: u16) -> Self {
        Self {
            ssrc,
            payload_type,
            sequence,
            picture_id: picture_id & PICTURE_ID_MASK,
        }
    }

    /// Which stream the packets belong to.
    pub(crate) fn ssrc(&self) -> u32 {
        self.ssrc
    }

    /// The packets of the next picture; none for empty data.
    pub(crate) fn cut(&mut self, data: &Bytes, rtp_time: u32) -> Vec<Packet> {
        let mut packets = Vec::with_capacity(data.len() / DATA_BYTES + 1);
        let mut start = 0;
        while start < data.len() {
            let end = (start + DATA_BYTES).min(data.len());
            packets.push(Packet {
                header: Header {
                    version: 2,
                    marker: end == data.len(),
                    payload_type: self.payload_type,
                    sequence_number: self.sequence,
                    timestamp: rtp_time,
                    ssrc: self.ssrc,
                    ..Header::default()
                },
                payload: self.payload(&data[start..end], start == 0),
            });
            self.sequence = self.sequence.wrapping_add(1);
            start = end;
        }
        if !data.is_empty() {
            self.picture_id = self.picture_id.wrapping_add(1) & PICTURE_ID_MASK;
        }
        packets
    }

    /// RFC 7741 §4.2: extension present, partition 0, 15-bit picture id.
    fn payload(&self, part: &[u8], first: bool) -> Bytes {
        let mut payload = BytesMut::with_capacity(4 + part.len());
        payload.put_u8(if first { 0x90 } else { 0x80 });
        payload.put_u8(0x80);
        payload.put_u16(0x8000 | self.picture_id);
        payload.put_slice(part);
        payload.freeze()
    }
}

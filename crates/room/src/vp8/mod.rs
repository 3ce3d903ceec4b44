//! VP8 over RTP: pictures to packets and back.
//!
//! Pure: no clocks but the instants handed in, no sockets.

mod assemble;
mod packetise;

pub(crate) use assemble::{Assembler, Verdict};
pub(crate) use packetise::Packetiser;

/// Width and height in pixels of a VP8 key picture, or `None` for any other data.
pub(crate) fn key_size(data: &[u8]) -> Option<(u16, u16)> {
    let [tag, _, _, 0x9d, 0x01, 0x2a, w0, w1, h0, h1, ..] = *data else {
        return None;
    };
    if tag & 1 != 0 {
        return None;
    }
    let side = |low: u8, high: u8| u16::from_le_bytes([low, high]) & 0x3fff;
    Some((side(w0, w1), side(h0, h1)))
}

/// Whether VP8 data is a key picture: the lowest bit of the first byte is 0.
pub(crate) fn is_key(data: &[u8]) -> bool {
    data.first().is_some_and(|tag| tag & 1 == 0)
}

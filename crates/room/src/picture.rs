//! One encoded picture on its way.

use std::time::Instant;

use bytes::Bytes;

/// A VP8 picture as the encoder made it and the decoder wants it.
#[derive(Clone)]
pub struct EncodedPicture {
    /// The VP8 data.
    pub data: Bytes,
    /// RTP time stamp of the picture, in 1/90,000 s, wrapping. Both ends of a room see the same
    /// number: it names the picture.
    pub rtp_time: u32,
    /// Whether the picture can be decoded without any earlier one.
    pub key: bool,
    /// When its last packet arrived, or when it was made.
    pub received: Instant,
}

impl EncodedPicture {
    /// A picture made just now.
    pub fn new(data: impl Into<Bytes>, rtp_time: u32, key: bool) -> Self {
        Self {
            data: data.into(),
            rtp_time,
            key,
            received: Instant::now(),
        }
    }
}

impl std::fmt::Debug for EncodedPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EncodedPicture")
            .field("bytes", &self.data.len())
            .field("rtp_time", &self.rtp_time)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

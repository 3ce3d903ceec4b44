//! Opus by libopus: 48 kHz, 20 ms a packet, one or two channels.

use bytes::Bytes;

/// Samples a second and channel.
pub const RATE: u32 = 48_000;

/// Samples a channel in one packet of 20 ms.
pub const SAMPLES: usize = 960;

/// Longest packet there is, in samples a channel: 120 ms.
const LONGEST: usize = 5760;

/// Room for one encoded packet, in bytes: the most an RTP packet takes unfragmented.
const LARGEST: usize = 1275;

/// How many channels lie side by side in the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channels {
    /// One.
    Mono,
    /// Left and right, interleaved.
    Stereo,
}

impl Channels {
    /// One or two.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Mono => 1,
            Self::Stereo => 2,
        }
    }

    fn theirs(self) -> ::opus::Channels {
        match self {
            Self::Mono => ::opus::Channels::Mono,
            Self::Stereo => ::opus::Channels::Stereo,
        }
    }
}

/// Why sound could not be encoded or decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SoundError {
    /// Not 20 ms of samples.
    #[error("a sound packet takes {expected} samples, but {got} were given")]
    Length {
        /// Samples of 20 ms in all channels.
        expected: usize,
        /// Samples that were given.
        got: usize,
    },
    /// libopus refused: damaged bytes, or a setting it does not take.
    #[error("the sound could not be coded: {0}")]
    Failed(String),
}

impl From<::opus::Error> for SoundError {
    fn from(error: ::opus::Error) -> Self {
        Self::Failed(error.description().to_owned())
    }
}

/// Encodes speech; silence costs next to nothing (DTX), and a lost packet can be guessed from the next
/// (in-band FEC).
pub struct Encoder {
    inner: ::opus::Encoder,
    channels: Channels,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("opus::Encoder")
            .field(&self.channels)
            .finish()
    }
}

impl Encoder {
    /// Begins a stream at `kbps` kilobits a second, kept between 6 and 510.
    ///
    /// # Errors
    /// [`SoundError::Failed`] where libopus does not start.
    pub fn new(channels: Channels, kbps: u32) -> Result<Self, SoundError> {
        let mut inner = ::opus::Encoder::new(RATE, channels.theirs(), ::opus::Application::Voip)?;
        inner.set_bitrate(::opus::Bitrate::Bits(kbps.clamp(6, 510) as i32 * 1000))?;
        inner.set_dtx(true)?;
        inner.set_inband_fec(true)?;
        inner.set_packet_loss_perc(5)?;
        Ok(Self { inner, channels })
    }

    /// Encodes 20 ms, [`SAMPLES`] a channel, interleaved. A packet of one or two bytes says "still
    /// silent" and need not be sent.
    ///
    /// # Errors
    /// [`SoundError::Length`] for another number of samples.
    pub fn encode(&mut self, samples: &[i16]) -> Result<Bytes, SoundError> {
        let expected = SAMPLES * self.channels.count();
        if samples.len() != expected {
            return Err(SoundError::Length {
                expected,
                got: samples.len(),
            });
        }
        Ok(self.inner.encode_vec(samples, LARGEST)?.into())
    }
}

/// Decodes one stream of sound.
pub struct Decoder {
    inner: ::opus::Decoder,
    channels: Channels,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("opus::Decoder")
            .field(&self.channels)
            .finish()
    }
}

impl Decoder {
    /// Begins a stream that is heard on this many channels, whatever was sent.
    ///
    /// # Errors
    /// [`SoundError::Failed`] where libopus does not start.
    pub fn new(channels: Channels) -> Result<Self, SoundError> {
        Ok(Self {
            inner: ::opus::Decoder::new(RATE, channels.theirs())?,
            channels,
        })
    }

    /// Samples of one packet, interleaved, 48 kHz; at most 120 ms.
    ///
    /// # Errors
    /// [`SoundError::Failed`] for bytes that are no Opus packet; the next packet is decoded again.
    pub fn decode(&mut self, packet: &[u8]) -> Result<Vec<i16>, SoundError> {
        if packet.is_empty() {
            return Err(SoundError::Failed("the packet is empty".into()));
        }
        self.filled(packet, LONGEST, false)
    }

    /// A guess at the 20 ms of a packet that was lost: from `next`, the packet after it, where that
    /// has come, else from what was heard last.
    ///
    /// # Errors
    /// [`SoundError::Failed`] where `next` is no Opus packet.
    pub fn conceal(&mut self, next: Option<&[u8]>) -> Result<Vec<i16>, SoundError> {
        let next = next.filter(|packet| !packet.is_empty());
        self.filled(next.unwrap_or_default(), SAMPLES, next.is_some())
    }

    fn filled(&mut self, packet: &[u8], room: usize, fec: bool) -> Result<Vec<i16>, SoundError> {
        let mut samples = vec![0; room * self.channels.count()];
        let each = self.inner.decode(packet, &mut samples, fec)?;
        samples.truncate(each * self.channels.count());
        Ok(samples)
    }
}

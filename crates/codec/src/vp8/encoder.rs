//! Pictures to VP8.

use std::time::Instant;

use alidade_picture::{Picture, Size};
use bytes::Bytes;
use vpx_sys::{self as vpx, vp8e_enc_control_id as control};

use super::{
    LARGEST_AREA, LONGEST_SIDE,
    context::{Context, EncoderConfig, Refusal},
    takes,
};

/// Ticks a second of the encoder's clock: the RTP clock of video.
const TICKS: u32 = 90_000;

/// What the pictures show. It decides where the encoder saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// Text, lines and flat colour.
    Screen,
    /// Photographs and moving things.
    Camera,
}

/// What matters more: the rate, or every letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quality {
    /// Keeps to the target rate; text may blur while things move.
    Live,
    /// Nearly loss-free, as large as it gets: for pictures that text is read from.
    Still,
}

/// How a stream is to be encoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VideoConfig {
    /// Width and height of every picture, in pixels; see [`super::fit`].
    pub size: Size,
    /// What the pictures show.
    pub kind: Content,
    /// What matters more; may be changed while the stream runs.
    pub quality: Quality,
    /// Rate to keep in [`Quality::Live`], in kilobits a second.
    pub target_kbps: u32,
    /// Pictures a second that are expected.
    pub per_second: u32,
}

impl VideoConfig {
    /// A live stream of this size at a rate that suits it, fifteen pictures a second.
    #[must_use]
    pub fn new(size: Size, kind: Content) -> Self {
        // 2.5 Mbit/s at 720p, growing with the square root of the area as the detail does.
        let area = size.pixels() as f64 / (1280.0 * 720.0);
        Self {
            size,
            kind,
            quality: Quality::Live,
            target_kbps: (2500.0 * area.sqrt()).clamp(150.0, 8000.0) as u32,
            per_second: 15,
        }
    }

    /// The same in another quality.
    #[must_use]
    pub fn quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }

    /// The same at another target rate, in kilobits a second.
    #[must_use]
    pub fn target_kbps(mut self, kbps: u32) -> Self {
        self.target_kbps = kbps;
        self
    }
}

/// One encoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedVideo {
    /// The VP8 frame as RTP payloads carry it, never empty.
    pub data: Bytes,
    /// Whether it can be decoded without earlier ones.
    pub key: bool,
}

/// Why a picture could not be encoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// No stream of this size is possible; scale to [`super::fit`] first.
    #[error(
        "a video of {0} is not possible; scale it to at most {LONGEST_SIDE} pixels a side and {LARGEST_AREA} pixels in all"
    )]
    Size(Size),
    /// The picture is not of the stream's size: scale it, or begin a new stream.
    #[error("the video is {expected}, but the picture is {got}")]
    OtherSize {
        /// Size of the stream.
        expected: Size,
        /// Size of the picture.
        got: Size,
    },
    /// libvpx refused.
    #[error("the video encoder failed: {0}")]
    Failed(String),
}

impl From<Refusal> for EncodeError {
    fn from(Refusal(text): Refusal) -> Self {
        Self::Failed(text)
    }
}

/// Encodes the pictures of one stream.
pub struct Encoder {
    context: Context,
    raw: EncoderConfig,
    config: VideoConfig,
    first: Option<Instant>,
    last: i64,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("vp8::Encoder").field(&self.config).finish()
    }
}

impl Encoder {
    /// Begins a stream.
    ///
    /// # Errors
    /// [`EncodeError::Size`] for a size VP8 does not take, [`EncodeError::Failed`] where libvpx does
    /// not start.
    pub fn new(config: VideoConfig) -> Result<Self, EncodeError> {
        if !takes(config.size) {
            return Err(EncodeError::Size(config.size));
        }
        let mut defaults = EncoderConfig::defaults()?;
        let raw = &mut defaults.0;
        raw.g_w = config.size.width;
        raw.g_h = config.size.height;
        raw.g_threads = 1;
        raw.g_timebase = vpx::vpx_rational {
            num: 1,
            den: TICKS as i32,
        };
        raw.g_pass = vpx::vpx_enc_pass::VPX_RC_ONE_PASS;
        raw.g_lag_in_frames = 0;
        raw.g_error_resilient = 0;
        // Every picture that goes in comes out: marks refer to it.
        raw.rc_dropframe_thresh = 0;
        raw.rc_resize_allowed = 0;
        raw.rc_undershoot_pct = 100;
        raw.rc_overshoot_pct = 15;
        raw.rc_buf_initial_sz = 500;
        raw.rc_buf_optimal_sz = 600;
        raw.rc_buf_sz = 1000;
        // Key pictures are made when the other end asks, not by the clock.
        raw.kf_mode = vpx::vpx_kf_mode::VPX_KF_FIXED;
        choose_rate(raw, &config);
        let mut context = Context::encoder(&defaults)?;
        context.control(control::VP8E_SET_TOKEN_PARTITIONS, 0)?;
        context.control(control::VP8E_SET_NOISE_SENSITIVITY, 0)?;
        choose_tools(&mut context, &config)?;
        Ok(Self {
            context,
            raw: defaults,
            config,
            first: None,
            last: -1,
        })
    }

    /// How the stream is encoded now.
    #[must_use]
    pub fn config(&self) -> &VideoConfig {
        &self.config
    }

    /// Changes rate and quality while the stream runs.
    ///
    /// # Errors
    /// [`EncodeError::Failed`] where libvpx refuses; the stream goes on as it was.
    pub fn adjust(&mut self, quality: Quality, target_kbps: u32) -> Result<(), EncodeError> {
        let config = VideoConfig {
            quality,
            target_kbps,
            ..self.config
        };
        if config == self.config {
            return Ok(());
        }
        let mut raw = self.raw;
        choose_rate(&mut raw.0, &config);
        self.context.configure(&raw)?;
        (self.raw, self.config) = (raw, config);
        choose_tools(&mut self.context, &config)?;
        Ok(())
    }

    /// Encodes one picture of the stream's size; a key picture where `force_key` says so, where it is
    /// the first, and never else. The time it was [taken](Picture::taken) steers the rate.
    ///
    /// # Errors
    /// [`EncodeError::OtherSize`] for a picture of another size, [`EncodeError::Failed`] where libvpx
    /// fails.
    pub fn encode(
        &mut self,
        picture: &Picture,
        force_key: bool,
    ) -> Result<EncodedVideo, EncodeError> {
        if picture.size() != self.config.size {
            return Err(EncodeError::OtherSize {
                expected: self.config.size,
                got: picture.size(),
            });
        }
        let step = TICKS / self.config.per_second.clamp(1, 120);
        let first = *self.first.get_or_insert(picture.taken());
        let since = picture.taken().saturating_duration_since(first);
        // A clock that stands still or runs back must not look like a thousand pictures a second.
        let earliest = self.last.saturating_add(i64::from(step / 2)).max(0);
        let time = ((since.as_secs_f64() * f64::from(TICKS)) as i64).max(earliest);
        self.last = time;
        let planes = picture.i420();
        let (data, key) = self.context.encode(&planes, time, step, force_key)?;
        if data.is_empty() {
            return Err(EncodeError::Failed("it gave no bytes".into()));
        }
        Ok(EncodedVideo {
            data: data.into(),
            key,
        })
    }
}

/// Quantiser steps and rate. VP8 knows 0 (finest) to 63.
fn choose_rate(raw: &mut vpx::vpx_codec_enc_cfg_t, config: &VideoConfig) {
    raw.rc_end_usage = vpx::vpx_rc_mode::VPX_CBR;
    let (finest, coarsest, kbps) = match (config.quality, config.kind) {
        // The rate is out of reach on purpose, so that the quantiser stays at its finest.
        (Quality::Still, _) => (4, 12, 1_000_000),
        (Quality::Live, Content::Screen) => (2, 44, config.target_kbps),
        (Quality::Live, Content::Camera) => (2, 56, config.target_kbps),
    };
    raw.rc_min_quantizer = finest;
    raw.rc_max_quantizer = coarsest;
    raw.rc_target_bitrate = kbps.clamp(50, 1_000_000);
}

fn choose_tools(context: &mut Context, config: &VideoConfig) -> Result<(), Refusal> {
    // Below zero the number is the speed itself, above it libvpx would choose by its own stopwatch.
    let speed = match (config.quality, config.kind) {
        (Quality::Still, _) => -6,
        (Quality::Live, Content::Screen) => -10,
        (Quality::Live, Content::Camera) => -8,
    };
    context.control(control::VP8E_SET_CPUUSED, speed)?;
    let screen = config.kind == Content::Screen;
    context.control(control::VP8E_SET_SCREEN_CONTENT_MODE, i32::from(screen))?;
    // Blocks that hardly change are skipped: on a screen that would leave remains of what was there.
    let threshold = if screen || config.quality == Quality::Still {
        0
    } else {
        100
    };
    context.control(control::VP8E_SET_STATIC_THRESHOLD, threshold)?;
    Ok(())
}

//! VP8 and Opus, encoded and decoded: what travels between the two ends of a room.
//!
//! What belongs here: the calls into libvpx and libopus behind types that cannot be used wrongly, and
//! the rate and quality choices that go with them. What does not: packets, clocks, devices.
//!
//! Everything here blocks and computes; async code runs it on a blocking thread. An encoder or decoder
//! belongs to one stream and may move between threads.
//!
//! ```
//! use alidade_codec::vp8::{Content, Decoder, Encoder, VideoConfig};
//! use alidade_picture::{Picture, PictureId, Size};
//!
//! let grey = Picture::from_rgb(PictureId(1), Size::new(5, 3), vec![128; 5 * 3 * 3])?;
//! let mut encoder = Encoder::new(VideoConfig::new(grey.size(), Content::Screen))?;
//! let sent = encoder.encode(&grey, false)?;
//! assert!(sent.key, "a stream begins with a key picture");
//!
//! let shown = Decoder::new()?.decode(&sent.data)?.expect("a picture");
//! assert_eq!(shown.size(), grey.size());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod opus;
pub mod vp8;

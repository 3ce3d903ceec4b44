//! VP8 by libvpx, one thread an encoder: on a busy machine more threads wait for each other longer
//! than they save.

mod context;
mod decoder;
mod encoder;

use alidade_picture::Size;

pub use decoder::{DecodeError, Decoder};
pub use encoder::{Content, EncodeError, EncodedVideo, Encoder, Quality, VideoConfig};

/// Longest side of a VP8 picture, in pixels: the format has fourteen bits for it.
pub const LONGEST_SIDE: u32 = 16_383;

/// Largest area this crate encodes or decodes, in pixels: an 8K picture. A codec keeps several pictures
/// of the stream's size, and ten bytes from the other end may claim any size.
pub const LARGEST_AREA: u64 = 7680 * 4320;

/// The size a picture must be scaled to before it is encoded: its own, where VP8 takes it, else the
/// largest of the same shape. Odd sides are fine.
#[must_use]
pub fn fit(size: Size) -> Size {
    size.fitted(LONGEST_SIDE, LARGEST_AREA)
}

/// Whether VP8 takes the size as it is.
#[must_use]
pub fn takes(size: Size) -> bool {
    !size.is_empty() && fit(size) == size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_leaves_what_fits_and_keeps_the_shape_of_the_rest() {
        for size in [
            Size::new(1, 1),
            Size::new(1919, 1081),
            Size::new(7680, 4320),
        ] {
            assert_eq!(fit(size), size);
        }
        let square = fit(Size::new(16_384, 16_384));
        assert!(takes(square) && square.width == square.height && square.width > 5000);
        let strip = fit(Size::new(40_000, 100));
        assert!(takes(strip) && strip.width == LONGEST_SIDE, "{strip}");
        assert!(!takes(Size::new(0, 5)));
    }
}

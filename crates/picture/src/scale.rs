//! Scaling rows of bytes: the one place that calls the scaling library.
//!
//! It is called with its pixel type fixed. Left open, it would be compiled for all of its pixel types
//! and every processor extension of each, minutes of work that nobody uses.

use fast_image_resize::{
    FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer,
    images::{TypedImage, TypedImageRef},
    pixels::{InnerPixel, U8, U8x3},
};

use crate::{PixelError, Size};

/// How pixels between pixels are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// Sharp both ways (Catmull-Rom): for what people look at and text is read from.
    Sharp,
    /// Straight lines between pixels (bilinear), averaging where it gets smaller.
    Linear,
    /// Two samples a pixel each way: for something far smaller, without a pass over every pixel.
    Sampled,
}

impl Scaling {
    fn way(self) -> ResizeAlg {
        match self {
            Self::Sharp => ResizeAlg::Convolution(FilterType::CatmullRom),
            Self::Linear => ResizeAlg::Convolution(FilterType::Bilinear),
            Self::Sampled => ResizeAlg::SuperSampling(FilterType::Bilinear, 3),
        }
    }
}

/// A rectangle in pixels of what is scaled; its edges may lie between pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downward.
    pub height: f64,
}

/// Rows of red, green and blue bytes without padding at another size; of `part` alone, where one is
/// given. Smoothing at the edge of a part looks a few pixels beyond it.
///
/// # Errors
/// [`PixelError`] where the bytes do not fit the size, a side is zero or the part leaves the picture.
pub fn scale_rgb(
    rgb: &[u8],
    from: Size,
    part: Option<Part>,
    to: Size,
    how: Scaling,
) -> Result<Vec<u8>, PixelError> {
    scale::<U8x3>(rgb, 3, from, part, to, how)
}

/// One plane of bytes at another size, sharp.
pub(crate) fn scale_plane(plane: &[u8], from: Size, to: Size) -> Result<Vec<u8>, PixelError> {
    scale::<U8>(plane, 1, from, None, to, Scaling::Sharp)
}

fn scale<P: PixelTrait + InnerPixel>(
    bytes: &[u8],
    channels: u64,
    from: Size,
    part: Option<Part>,
    to: Size,
    how: Scaling,
) -> Result<Vec<u8>, PixelError> {
    let failed = |e: &dyn std::fmt::Display| PixelError::Scale(e.to_string());
    crate::pixels::check_length(from, from.pixels().saturating_mul(channels), bytes.len())?;
    if to.is_empty() {
        return Err(PixelError::Empty);
    }
    let source =
        TypedImageRef::<P>::from_buffer(from.width, from.height, bytes).map_err(|e| failed(&e))?;
    let mut scaled = vec![0; (to.pixels() * channels) as usize];
    let mut target =
        TypedImage::<P>::from_buffer(to.width, to.height, &mut scaled).map_err(|e| failed(&e))?;
    let mut options = ResizeOptions::new().resize_alg(how.way());
    if let Some(part) = part {
        options = options.crop(part.left, part.top, part.width, part.height);
    }
    Resizer::new()
        .resize_typed(&source, &mut target, &options)
        .map_err(|e| failed(&e))?;
    drop(target);
    Ok(scaled)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn a_part_is_scaled_alone_and_a_part_outside_is_refused() {
        // Two columns of black, then ten of white.
        let rgb: Vec<u8> = (0..12 * 2)
            .flat_map(|i| [if i % 12 < 2 { 0 } else { 255 }; 3])
            .collect();
        let from = Size::new(12, 2);
        for how in [Scaling::Sharp, Scaling::Linear, Scaling::Sampled] {
            let right = Part {
                left: 6.0,
                top: 0.0,
                width: 6.0,
                height: 2.0,
            };
            let white = scale_rgb(&rgb, from, Some(right), Size::new(3, 1), how).unwrap();
            assert_eq!(white, [255; 9], "{how:?}");
            let left = Part { left: 0.0, ..right };
            let mixed = scale_rgb(&rgb, from, Some(left), Size::new(3, 1), how).unwrap();
            assert!(mixed[0] < 100 && mixed[8] > 200, "{how:?} {mixed:?}");
            let outside = Part { left: 7.0, ..right };
            assert!(scale_rgb(&rgb, from, Some(outside), Size::new(3, 1), how).is_err());
        }
        assert!(scale_rgb(&rgb[1..], from, None, Size::new(3, 1), Scaling::Sharp).is_err());
        assert!(scale_rgb(&rgb, from, None, Size::new(0, 1), Scaling::Sharp).is_err());
    }
}

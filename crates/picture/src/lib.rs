//! The picture: one video frame with its id, time, size and where it came from.
//!
//! A picture is cheap to clone: its pixels are shared and never change after it was made. Marks and
//! answers refer to a picture by its [`PictureId`], in coordinates normalised to it: 0 to 1, origin at
//! the top left, x to the right, y downward.
//!
//! What belongs here: the type, its pixels, conversion between the two pixel layouts, decoding of still
//! files under limits, scaling. What does not: capturing, codecs, drawing, finding.
//!
//! ```
//! use alidade_picture::{Picture, PictureId, Size};
//!
//! let grey = Picture::from_rgb(PictureId(1), Size::new(4, 2), vec![128; 4 * 2 * 3]).unwrap();
//! assert_eq!(grey.size(), Size::new(4, 2));
//! assert_eq!(grey.rgb().len(), 24);
//! ```

mod area;
mod decode;
mod pixels;
mod pool;
mod scale;

use std::{borrow::Cow, fmt, time::Instant};

pub use area::{Area, Spot};
pub use decode::{DecodeError, DecodeLimits, Fit, decode_file, decode_file_fitted, open_file};
pub use image;
pub use pixels::{I420, PixelError};
pub use pool::{Buffer, Pool};
pub use scale::{Part, Scaling, scale_rgb};

/// Which picture something was said about.
///
/// On a video track it is the 90 kHz RTP time stamp of the picture, the one number both ends of a
/// connection know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PictureId(pub u64);

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Size {
    /// A size in pixels.
    #[must_use]
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// Columns times rows.
    #[must_use]
    pub const fn pixels(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// True where a side is zero.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// The largest size of the same shape whose longer side is at most `side` and whose area is at
    /// most `pixels`; never larger than it was, and never below one pixel a side.
    #[must_use]
    pub fn fitted(self, side: u32, pixels: u64) -> Self {
        let longer = f64::from(self.width.max(self.height).max(1));
        let by_side = f64::from(side.max(1)) / longer;
        let by_area = (pixels.max(1) as f64 / self.pixels().max(1) as f64).sqrt();
        let factor = by_side.min(by_area);
        if factor >= 1.0 {
            return self;
        }
        // Rounding down keeps both limits; the sliver undoes what the division lost where a side comes
        // out whole. A side of a very thin picture stays at one pixel.
        let scaled = |value: u32| ((f64::from(value) * factor + 1e-6) as u32).max(1);
        let (mut width, mut height) = (scaled(self.width), scaled(self.height));
        // Only a side that was kept at one pixel can still break the limit on the area.
        if height == 1 {
            width = width.min(u32::try_from(pixels.max(1)).unwrap_or(u32::MAX));
        } else if width == 1 {
            height = height.min(u32::try_from(pixels.max(1)).unwrap_or(u32::MAX));
        }
        Self::new(width, height)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}

/// A rectangle in pixels of the source a picture was taken from (a monitor, a window, a camera).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// Left edge, in source pixels.
    pub x: i32,
    /// Top edge, in source pixels.
    pub y: i32,
    /// Width and height, in source pixels.
    pub size: Size,
}

/// How far the picture must be turned clockwise to stand upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// It stands upright.
    #[default]
    None,
    /// A quarter turn.
    Clockwise90,
    /// Half a turn.
    Clockwise180,
    /// Three quarter turns.
    Clockwise270,
}

/// The two layouts a picture's pixels come in.
#[derive(Clone)]
pub enum Pixels {
    /// Rows of red, green, blue bytes without padding, full range.
    Rgb8(Buffer),
    /// Planar Y, U, V at half resolution, BT.601 limited range: what VP8 speaks.
    I420(I420),
}

/// One video frame. See the crate's page.
#[derive(Clone)]
pub struct Picture {
    id: PictureId,
    taken: Instant,
    size: Size,
    region: Region,
    rotation: Rotation,
    pixels: Pixels,
}

impl Picture {
    /// A picture of red, green and blue bytes, taken now, that shows all of its source.
    ///
    /// # Errors
    /// [`PixelError`] where the buffer's length is not width × height × 3 or a side is zero.
    pub fn from_rgb(id: PictureId, size: Size, rgb: impl Into<Buffer>) -> Result<Self, PixelError> {
        let rgb = rgb.into();
        pixels::check_length(size, size.pixels().saturating_mul(3), rgb.len())?;
        Ok(Self::new(id, size, Pixels::Rgb8(rgb)))
    }

    /// A picture of planar pixels, taken now, that shows all of its source.
    ///
    /// # Errors
    /// [`PixelError`] where a side is zero.
    pub fn from_i420(id: PictureId, planes: I420) -> Result<Self, PixelError> {
        let size = planes.size();
        if size.is_empty() {
            return Err(PixelError::Empty);
        }
        Ok(Self::new(id, size, Pixels::I420(planes)))
    }

    fn new(id: PictureId, size: Size, pixels: Pixels) -> Self {
        let region = Region { x: 0, y: 0, size };
        Self {
            id,
            taken: Instant::now(),
            size,
            region,
            rotation: Rotation::None,
            pixels,
        }
    }

    /// The same pixels under another id.
    #[must_use]
    pub fn with_id(mut self, id: PictureId) -> Self {
        self.id = id;
        self
    }

    /// The same pixels, said to be taken at `taken`.
    #[must_use]
    pub fn with_time(mut self, taken: Instant) -> Self {
        self.taken = taken;
        self
    }

    /// The same pixels, said to show `region` of the source.
    #[must_use]
    pub fn with_region(mut self, region: Region) -> Self {
        self.region = region;
        self
    }

    /// The same pixels, said to need `rotation` to stand upright.
    #[must_use]
    pub fn with_rotation(mut self, rotation: Rotation) -> Self {
        self.rotation = rotation;
        self
    }

    /// Which picture this is.
    #[must_use]
    pub fn id(&self) -> PictureId {
        self.id
    }

    /// When it was taken.
    #[must_use]
    pub fn taken(&self) -> Instant {
        self.taken
    }

    /// Width and height in pixels of this picture.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The part of the source it shows, in source pixels.
    #[must_use]
    pub fn region(&self) -> Region {
        self.region
    }

    /// Picture pixels per source pixel, horizontally; 0.5 where it was halved.
    #[must_use]
    pub fn scale(&self) -> f64 {
        f64::from(self.size.width) / f64::from(self.region.size.width.max(1))
    }

    /// How it must be turned to stand upright.
    #[must_use]
    pub fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// The pixels as they are.
    #[must_use]
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// Rows of red, green, blue bytes; converted where the pixels are planar.
    #[must_use]
    pub fn rgb(&self) -> Cow<'_, [u8]> {
        match &self.pixels {
            Pixels::Rgb8(bytes) => Cow::Borrowed(bytes),
            Pixels::I420(planes) => Cow::Owned(planes.to_rgb()),
        }
    }

    /// The same picture with red, green, blue pixels, so that later readers share one conversion.
    #[must_use]
    pub fn into_rgb(self) -> Self {
        match self.pixels {
            Pixels::Rgb8(_) => self,
            Pixels::I420(ref planes) => {
                let rgb = Buffer::from(planes.to_rgb());
                Self {
                    pixels: Pixels::Rgb8(rgb),
                    ..self
                }
            }
        }
    }

    /// Planar pixels as VP8 wants them; shared where they already are.
    #[must_use]
    pub fn i420(&self) -> I420 {
        match &self.pixels {
            Pixels::Rgb8(bytes) => I420::from_rgb(self.size, bytes),
            Pixels::I420(planes) => planes.clone(),
        }
    }

    /// The picture at another size, keeping its id, time, region and pixel layout; the same where the
    /// size is.
    ///
    /// # Errors
    /// [`PixelError`] where a side is zero.
    pub fn scaled(&self, size: Size) -> Result<Self, PixelError> {
        if size.is_empty() {
            return Err(PixelError::Empty);
        }
        if size == self.size {
            return Ok(self.clone());
        }
        let pixels = match &self.pixels {
            Pixels::Rgb8(rgb) => {
                Pixels::Rgb8(scale_rgb(rgb, self.size, None, size, Scaling::Sharp)?.into())
            }
            Pixels::I420(planes) => Pixels::I420(planes.scaled(size)?),
        };
        Ok(Self {
            size,
            pixels,
            ..self.clone()
        })
    }

    /// Whether two pictures share the very same pixels in memory: a cheap "nothing changed".
    #[must_use]
    pub fn shares_pixels_with(&self, other: &Self) -> bool {
        match (&self.pixels, &other.pixels) {
            (Pixels::Rgb8(a), Pixels::Rgb8(b)) => Buffer::same(a, b),
            (Pixels::I420(a), Pixels::I420(b)) => I420::same(a, b),
            _ => false,
        }
    }
}

impl fmt::Debug for Picture {
    // Never the pixels: a picture may show anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Picture")
            .field("id", &self.id.0)
            .field("size", &format_args!("{}", self.size))
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn fitted_keeps_the_shape_and_both_limits() {
        assert_eq!(
            Size::new(4000, 3000).fitted(2000, u64::MAX),
            Size::new(2000, 1500)
        );
        assert_eq!(
            Size::new(640, 480).fitted(2000, u64::MAX),
            Size::new(640, 480)
        );
        let small = Size::new(16_384, 16_384).fitted(4096, 4_000_000);
        assert!(small.pixels() <= 4_000_000 && small.width == small.height);
        assert_eq!(
            Size::new(100_000, 1).fitted(1000, u64::MAX),
            Size::new(1000, 1)
        );
        // A side that comes out whole is not one pixel short.
        for width in (2..5000).step_by(7) {
            let size = Size::new(3 * width, 2 * width);
            assert_eq!(size.fitted(width, u64::MAX).width, width);
        }
        for (width, height) in [(100_000, 3), (3, 100_000), (40_000, 40_000), (1, 9)] {
            let size = Size::new(width, height).fitted(u32::MAX, 1000);
            assert!(size.pixels() <= 1000 && !size.is_empty(), "{size}");
        }
    }

    #[test]
    fn a_buffer_of_the_wrong_length_is_refused() {
        assert!(Picture::from_rgb(PictureId(1), Size::new(2, 2), vec![0; 11]).is_err());
        assert!(Picture::from_rgb(PictureId(1), Size::new(0, 2), Vec::new()).is_err());
    }

    #[test]
    fn rgb_survives_planar_pixels_within_a_few_levels() {
        let size = Size::new(6, 4);
        let rgb: Vec<u8> = [200, 40, 90].repeat(24);
        let picture = Picture::from_rgb(PictureId(1), size, rgb.clone()).unwrap();
        let back = Picture::from_i420(PictureId(1), picture.i420()).unwrap();
        for (a, b) in rgb.iter().zip(back.rgb().iter()) {
            assert!(a.abs_diff(*b) <= 3, "{a} became {b}");
        }
    }

    #[test]
    fn scaling_keeps_id_region_and_says_the_scale() {
        let picture = Picture::from_rgb(PictureId(9), Size::new(8, 4), vec![7; 96]).unwrap();
        let half = picture.scaled(Size::new(4, 2)).unwrap();
        assert_eq!(
            (half.id(), half.size(), half.region().size),
            (PictureId(9), Size::new(4, 2), Size::new(8, 4))
        );
        assert!((half.scale() - 0.5).abs() < 1e-9);
        assert!(half.rgb().iter().all(|v| *v == 7));
    }
}

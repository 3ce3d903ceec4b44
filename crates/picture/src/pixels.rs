//! The two pixel layouts and the way between them.

use yuv::{
    YuvChromaSubsampling, YuvConversionMode, YuvPlanarImage, YuvPlanarImageMut, YuvRange,
    YuvStandardMatrix,
};

use crate::{Buffer, Size, scale::scale_plane};

/// Why pixels could not be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PixelError {
    /// A side of zero pixels.
    #[error("a picture needs at least one pixel on each side")]
    Empty,
    /// The buffer does not belong to this size.
    #[error("a picture of {size} needs {needed} bytes, but {got} were given")]
    Length {
        /// The size that was claimed.
        size: Size,
        /// Bytes it needs.
        needed: u64,
        /// Bytes there are.
        got: usize,
    },
    /// The scaler refused.
    #[error("the picture could not be scaled: {0}")]
    Scale(String),
}

pub(crate) fn check_length(size: Size, needed: u64, got: usize) -> Result<(), PixelError> {
    if size.is_empty() {
        return Err(PixelError::Empty);
    }
    if needed != got as u64 {
        return Err(PixelError::Length { size, needed, got });
    }
    Ok(())
}

/// Planar pixels: Y at full size, U and V at half size rounded up, without row padding.
#[derive(Clone, Debug)]
pub struct I420 {
    size: Size,
    bytes: Buffer,
}

impl I420 {
    /// Bytes that planes of this size take.
    #[must_use]
    pub fn length(size: Size) -> u64 {
        size.pixels()
            .saturating_add(half(size).pixels().saturating_mul(2))
    }

    /// Planes that lie one behind the other.
    ///
    /// # Errors
    /// [`PixelError`] where the length does not fit the size or a side is zero.
    pub fn new(size: Size, bytes: impl Into<Buffer>) -> Result<Self, PixelError> {
        let bytes = bytes.into();
        check_length(size, Self::length(size), bytes.len())?;
        Ok(Self { size, bytes })
    }

    pub(crate) fn from_rgb(size: Size, rgb: &[u8]) -> Self {
        let chroma = half(size);
        let mut planes =
            YuvPlanarImageMut::<u8>::alloc(size.width, size.height, YuvChromaSubsampling::Yuv420);
        let done = yuv::rgb_to_yuv420(
            &mut planes,
            rgb,
            size.width * 3,
            YuvRange::Limited,
            YuvStandardMatrix::Bt601,
            YuvConversionMode::Balanced,
        );
        let mut bytes = Vec::with_capacity(Self::length(size) as usize);
        if done.is_ok() {
            copy_rows(&mut bytes, planes.y_plane.borrow(), planes.y_stride, size);
            copy_rows(&mut bytes, planes.u_plane.borrow(), planes.u_stride, chroma);
            copy_rows(&mut bytes, planes.v_plane.borrow(), planes.v_stride, chroma);
        }
        // Black, if a length was wrong: the constructors make sure that it is not.
        bytes.resize(Self::length(size) as usize, 128);
        Self {
            size,
            bytes: bytes.into(),
        }
    }

    pub(crate) fn to_rgb(&self) -> Vec<u8> {
        let size = self.size;
        let chroma = half(size);
        let mut rgb = vec![0; size.pixels() as usize * 3];
        let planes = YuvPlanarImage {
            y_plane: self.y(),
            y_stride: size.width,
            u_plane: self.u(),
            u_stride: chroma.width,
            v_plane: self.v(),
            v_stride: chroma.width,
            width: size.width,
            height: size.height,
        };
        let done = yuv::yuv420_to_rgb(
            &planes,
            &mut rgb,
            size.width * 3,
            YuvRange::Limited,
            YuvStandardMatrix::Bt601,
        );
        debug_assert!(done.is_ok(), "the constructor checked the lengths");
        rgb
    }

    /// Width and height of the Y plane.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Width and height of the U and V planes: half, rounded up.
    #[must_use]
    pub fn chroma_size(&self) -> Size {
        half(self.size)
    }

    /// Brightness, 16 to 235, `width` bytes a row.
    #[must_use]
    pub fn y(&self) -> &[u8] {
        &self.bytes[..self.size.pixels() as usize]
    }

    /// Blue difference, half size rounded up.
    #[must_use]
    pub fn u(&self) -> &[u8] {
        let start = self.size.pixels() as usize;
        &self.bytes[start..start + half(self.size).pixels() as usize]
    }

    /// Red difference, half size rounded up.
    #[must_use]
    pub fn v(&self) -> &[u8] {
        &self.bytes[(self.size.pixels() + half(self.size).pixels()) as usize..]
    }

    /// Every plane scaled by itself: a third of the work of going through red, green and blue.
    pub(crate) fn scaled(&self, to: Size) -> Result<Self, PixelError> {
        let (from_chroma, to_chroma) = (half(self.size), half(to));
        let mut bytes = scale_plane(self.y(), self.size, to)?;
        bytes.reserve_exact(2 * to_chroma.pixels() as usize);
        for plane in [self.u(), self.v()] {
            bytes.extend(scale_plane(plane, from_chroma, to_chroma)?);
        }
        Self::new(to, bytes)
    }

    pub(crate) fn same(a: &Self, b: &Self) -> bool {
        Buffer::same(&a.bytes, &b.bytes)
    }
}

fn half(size: Size) -> Size {
    Size::new(size.width.div_ceil(2), size.height.div_ceil(2))
}

fn copy_rows(to: &mut Vec<u8>, plane: &[u8], stride: u32, size: Size) {
    for row in plane
        .chunks(stride.max(1) as usize)
        .take(size.height as usize)
    {
        to.extend_from_slice(&row[..(size.width as usize).min(row.len())]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_size_goes_to_planes_and_back(width in 1u32..40, height in 1u32..40, level in 0u8..=255) {
            let size = Size::new(width, height);
            let planes = I420::from_rgb(size, &vec![level; size.pixels() as usize * 3]);
            prop_assert_eq!(planes.y().len() as u64, size.pixels());
            prop_assert_eq!(planes.u().len(), planes.v().len());
            for value in planes.to_rgb() {
                prop_assert!(value.abs_diff(level) <= 2);
            }
        }

        #[test]
        fn every_size_scales(w in 1u32..40, h in 1u32..40, tw in 1u32..40, th in 1u32..40) {
            let out = crate::scale_rgb(&vec![9; (w * h * 3) as usize], Size::new(w, h), None, Size::new(tw, th), crate::Scaling::Sharp).unwrap();
            prop_assert_eq!(out, vec![9; (tw * th * 3) as usize]);
        }
    }

    #[test]
    fn planar_pixels_are_scaled_as_they_are() {
        let from = Size::new(64, 48);
        let planes = I420::from_rgb(from, &[200, 60, 30].repeat(64 * 48));
        for to in [Size::new(32, 24), Size::new(31, 77), Size::new(1, 1)] {
            let scaled = planes.scaled(to).unwrap();
            assert_eq!(scaled.size(), to);
            for (a, b) in [
                (planes.y(), scaled.y()),
                (planes.u(), scaled.u()),
                (planes.v(), scaled.v()),
            ] {
                assert!(b.iter().all(|v| v.abs_diff(a[0]) <= 1), "{to}");
            }
        }
    }

    #[test]
    fn a_size_beyond_all_memory_is_refused_too() {
        let huge = Size::new(u32::MAX, u32::MAX);
        assert!(I420::new(huge, vec![0; 9]).is_err());
    }

    #[test]
    fn planes_of_a_wrong_length_are_refused() {
        assert!(I420::new(Size::new(3, 3), vec![0; 9 + 8]).is_ok());
        assert_eq!(
            I420::new(Size::new(3, 3), vec![0; 9])
                .unwrap_err()
                .to_string(),
            "a picture of 3×3 needs 17 bytes, but 9 were given"
        );
    }
}

//! The outermost edge: what is asked of a driver, and its raw pictures.

use alidade_picture::{I420, Picture, PictureId, Size};
use nokhwa::{
    Buffer,
    pixel_format::RgbFormat,
    utils::{FrameFormat, Resolution},
};
use yuv::{
    YuvBiPlanarImage, YuvConversionMode, YuvPackedImage, YuvPlanarImageMut, YuvRange,
    YuvStandardMatrix,
};

use crate::SourceError;

/// A way to open one camera. Called on the camera's thread; may block for ever.
pub(super) trait Driver: Send {
    /// Opens the camera and lets it run.
    fn open(self: Box<Self>) -> Result<Box<dyn Device>, SourceError>;
}

/// A running camera; let go when dropped. It stays on its thread.
pub(super) trait Device {
    /// Waits for the next picture, perhaps for ever.
    fn frame(&mut self) -> Result<Frame, SourceError>;
}

/// How a raw picture is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Motion JPEG.
    Mjpeg,
    /// Y, U, Y, V for every two pixels.
    Yuyv,
    /// All of Y, then U and V in turns.
    Nv12,
    /// Brightness alone.
    Grey,
    /// Red, green, blue.
    Rgb,
    /// Blue, green, red.
    Bgr,
}

/// A raw picture as a driver hands it out; the bytes may go on behind it.
pub(super) struct Frame {
    pub(super) size: Size,
    pub(super) layout: Layout,
    pub(super) bytes: Vec<u8>,
}

impl Frame {
    pub(super) fn decode(&self) -> Result<Picture, String> {
        if self.size.is_empty() || self.size.pixels() > 100_000_000 {
            return Err(format!("a size of {}", self.size));
        }
        match self.layout {
            Layout::Mjpeg => self.mjpeg(),
            Layout::Yuyv => self.yuyv(),
            Layout::Nv12 => self.nv12(),
            Layout::Grey => {
                let grey = self.exactly(self.size.pixels())?;
                self.rgb(grey.iter().flat_map(|level| [*level; 3]).collect())
            }
            Layout::Rgb => self.rgb(self.exactly(self.size.pixels() * 3)?.to_vec()),
            Layout::Bgr => {
                let mut bytes = self.exactly(self.size.pixels() * 3)?.to_vec();
                bytes.chunks_exact_mut(3).for_each(|pixel| pixel.swap(0, 2));
                self.rgb(bytes)
            }
        }
    }

    /// The first bytes, without what a driver left behind them.
    fn exactly(&self, length: u64) -> Result<&[u8], String> {
        usize::try_from(length)
            .ok()
            .and_then(|length| self.bytes.get(..length))
            .ok_or_else(|| format!("{} of {length} bytes", self.bytes.len()))
    }

    fn rgb(&self, bytes: Vec<u8>) -> Result<Picture, String> {
        Picture::from_rgb(PictureId(0), self.size, bytes).map_err(|e| e.to_string())
    }

    fn mjpeg(&self) -> Result<Picture, String> {
        let resolution = Resolution::new(self.size.width, self.size.height);
        let rgb = Buffer::new(resolution, &self.bytes, FrameFormat::MJPEG)
            .decode_image::<RgbFormat>()
            .map_err(|error| error.to_string())?;
        self.rgb(rgb.into_raw())
    }

    fn yuyv(&self) -> Result<Picture, String> {
        let Size { width, height } = self.size;
        // Pixels come in pairs: a row of odd width carries one more.
        let stride = width.div_ceil(2) * 4;
        let packed = YuvPackedImage {
            yuy: self.exactly(u64::from(stride) * u64::from(height))?,
            yuy_stride: stride,
            width,
            height,
        };
        let mut planes =
            YuvPlanarImageMut::<u8>::alloc(width, height, yuv::YuvChromaSubsampling::Yuv420);
        yuv::yuyv422_to_yuv420(&mut planes, &packed).map_err(|e| e.to_string())?;
        let half = Size::new(width.div_ceil(2), height.div_ceil(2));
        let mut bytes = Vec::with_capacity(I420::length(self.size) as usize);
        for (plane, stride, part) in [
            (planes.y_plane.borrow(), planes.y_stride, self.size),
            (planes.u_plane.borrow(), planes.u_stride, half),
            (planes.v_plane.borrow(), planes.v_stride, half),
        ] {
            for row in plane
                .chunks(stride.max(1) as usize)
                .take(part.height as usize)
            {
                bytes.extend_from_slice(row.get(..part.width as usize).unwrap_or(row));
            }
        }
        I420::new(self.size, bytes)
            .and_then(|planes| Picture::from_i420(PictureId(0), planes))
            .map_err(|error| error.to_string())
    }

    fn nv12(&self) -> Result<Picture, String> {
        let Size { width, height } = self.size;
        let pairs = width.div_ceil(2) * 2;
        let luma = self.size.pixels();
        let chroma = u64::from(pairs) * u64::from(height.div_ceil(2));
        let bytes = self.exactly(luma + chroma)?;
        let (y_plane, uv_plane) = bytes.split_at(luma as usize);
        let planes = YuvBiPlanarImage {
            y_plane,
            y_stride: width,
            uv_plane,
            uv_stride: pairs,
            width,
            height,
        };
        let mut rgb = vec![0; luma as usize * 3];
        yuv::yuv_nv12_to_rgb(
            &planes,
            &mut rgb,
            width * 3,
            YuvRange::Limited,
            YuvStandardMatrix::Bt601,
            YuvConversionMode::Balanced,
        )
        .map_err(|error| error.to_string())?;
        self.rgb(rgb)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    fn frame(layout: Layout, width: u32, height: u32, bytes: Vec<u8>) -> Frame {
        Frame {
            size: Size::new(width, height),
            layout,
            bytes,
        }
    }

    #[test]
    fn every_layout_gives_the_same_colour_and_stale_bytes_behind_it_do_not_matter() {
        // A strong red: Y 81, U 90, V 240 in BT.601, 255, 0, 0 in RGB.
        let red = [
            frame(
                Layout::Yuyv,
                4,
                2,
                [[81, 90, 81, 240].repeat(4), vec![9; 5]].concat(),
            ),
            frame(
                Layout::Nv12,
                4,
                2,
                [vec![81; 8], [90, 240].repeat(2), vec![9; 5]].concat(),
            ),
            frame(
                Layout::Rgb,
                4,
                2,
                [[255, 0, 0].repeat(8), vec![9; 5]].concat(),
            ),
            frame(
                Layout::Bgr,
                4,
                2,
                [[0, 0, 255].repeat(8), vec![9; 5]].concat(),
            ),
        ];
        for frame in red {
            let picture = frame.decode().unwrap();
            assert_eq!(picture.size(), frame.size);
            for pixel in picture.rgb().chunks(3) {
                assert!(
                    pixel[0] > 250 && pixel[1] < 5 && pixel[2] < 5,
                    "{:?} {pixel:?}",
                    frame.layout
                );
            }
        }
        let grey = frame(Layout::Grey, 2, 1, vec![7, 200]).decode().unwrap();
        assert_eq!(&*grey.rgb(), [7, 7, 7, 200, 200, 200]);
    }

    #[test]
    fn odd_sizes_are_decoded() {
        for (width, height) in [(1, 1), (3, 3), (5, 2), (2, 5)] {
            let pairs = (width as usize).div_ceil(2) * 2;
            let yuyv = vec![128; pairs * 2 * height as usize];
            let nv12 = vec![128; (width * height) as usize + pairs * (height as usize).div_ceil(2)];
            for (layout, bytes) in [(Layout::Yuyv, yuyv), (Layout::Nv12, nv12)] {
                let picture = frame(layout, width, height, bytes).decode().unwrap();
                assert_eq!(picture.size(), Size::new(width, height), "{layout:?}");
            }
        }
    }

    #[test]
    fn a_cut_or_empty_picture_is_an_error_in_every_layout() {
        for layout in [
            Layout::Mjpeg,
            Layout::Yuyv,
            Layout::Nv12,
            Layout::Grey,
            Layout::Rgb,
            Layout::Bgr,
        ] {
            for bytes in [vec![], vec![0xff, 0xd8, 0xff], vec![1; 7]] {
                let cut = frame(layout, 4, 4, bytes);
                let decoded = std::panic::catch_unwind(|| cut.decode());
                // Motion JPEG may end in a panic of its decoder: the caller catches it.
                assert!(!matches!(decoded, Ok(Ok(_))), "{layout:?}");
            }
            assert!(frame(layout, 0, 4, vec![1; 64]).decode().is_err());
            assert!(frame(layout, u32::MAX, 4, vec![1; 64]).decode().is_err());
        }
    }
}

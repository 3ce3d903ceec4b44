//! Still pictures from files and bytes, under limits: a small file may claim to be huge.

use std::{
    fs::{File, OpenOptions},
    io::{self, Cursor, Read},
    path::Path,
};

use image::{ImageDecoder, ImageReader, Limits, metadata::Orientation};

use crate::{Picture, PictureId, Size};

/// How large a still may be.
#[derive(Clone, Copy, Debug)]
pub struct DecodeLimits {
    /// Longest side, in pixels.
    pub side: u32,
    /// Width × height.
    pub pixels: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Default for DecodeLimits {
    /// 32,768 pixels a side, 300 megapixels in all, 512 MiB of file.
    fn default() -> Self {
        Self {
            side: 32_768,
            pixels: 300_000_000,
            bytes: 512 << 20,
        }
    }
}

/// Why a still could not be read.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// It could not be opened or read.
    #[error("the picture could not be read: {0}")]
    Io(#[from] std::io::Error),
    /// Not a format that is known here.
    #[error(
        "this is not a picture that can be read here; PNG, JPEG, WebP, GIF, BMP, TIFF, PNM and QOI can"
    )]
    Unknown,
    /// The format is known, the contents are broken.
    #[error("the picture is damaged: {0}")]
    Damaged(String),
    /// Larger than the limits.
    #[error(
        "the picture is too large ({0}); make it smaller than {1} pixels a side and {2} megapixels"
    )]
    TooLarge(String, u32, u64),
    /// A side of zero pixels.
    #[error("the picture is empty: it has no pixels")]
    Empty,
}

/// Reads a still from a file, upright (its orientation tag is applied), without its colour profile.
///
/// # Errors
/// [`DecodeError`], a sentence each.
pub fn decode_file(
    path: &Path,
    id: PictureId,
    limits: DecodeLimits,
) -> Result<Picture, DecodeError> {
    let file = open_file(path)?;
    let length = file.metadata()?.len();
    if length > limits.bytes {
        return Err(too_large(format!("{length} bytes"), limits));
    }
    // It may grow while it is read.
    let mut bytes = Vec::with_capacity(length as usize);
    file.take(limits.bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limits.bytes {
        return Err(too_large(format!("over {} bytes", limits.bytes), limits));
    }
    Picture::decode(&bytes, id, limits)
}

/// Opens a plain file to be read. A pipe, a device or a folder is refused and never waited for, also
/// where one takes the file's place between a look and the opening.
///
/// # Errors
/// What the system says; "it is not a file" for anything but one.
pub fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOCTTY,
    );
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a file",
        ));
    }
    Ok(file)
}

fn too_large(what: String, limits: DecodeLimits) -> DecodeError {
    DecodeError::TooLarge(what, limits.side, limits.pixels / 1_000_000)
}

impl Picture {
    /// Reads a still from the bytes of a file, upright.
    ///
    /// # Errors
    /// [`DecodeError`], a sentence each.
    pub fn decode(bytes: &[u8], id: PictureId, limits: DecodeLimits) -> Result<Self, DecodeError> {
        let damaged = |e: image::ImageError| match e {
            image::ImageError::Unsupported(_) => DecodeError::Unknown,
            other => DecodeError::Damaged(other.to_string()),
        };
        let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
        if reader.format().is_none() {
            return Err(DecodeError::Unknown);
        }
        let mut memory = Limits::default();
        // Room for one decoded picture with alpha and sixteen bits a channel.
        memory.max_alloc = Some(limits.pixels.saturating_mul(8));
        reader.limits(memory);
        let mut decoder = reader.into_decoder().map_err(damaged)?;
        let (width, height) = decoder.dimensions();
        let size = Size::new(width, height);
        if size.is_empty() {
            return Err(DecodeError::Empty);
        }
        if width.max(height) > limits.side || size.pixels() > limits.pixels {
            return Err(too_large(size.to_string(), limits));
        }
        // Sixteen bits a channel take twice the memory on the way.
        if decoder.total_bytes() > limits.pixels.saturating_mul(5) {
            return Err(too_large(format!("{size} in sixteen bits"), limits));
        }
        let turn = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let mut still = image::DynamicImage::from_decoder(decoder).map_err(damaged)?;
        still.apply_orientation(turn);
        let rgb = flattened(still);
        let size = Size::new(rgb.width(), rgb.height());
        Self::from_rgb(id, size, rgb.into_raw()).map_err(|e| DecodeError::Damaged(e.to_string()))
    }
}

/// Transparent pixels stand on white, as most viewers show them.
fn flattened(still: image::DynamicImage) -> image::RgbImage {
    if !still.color().has_alpha() {
        return still.into_rgb8();
    }
    let rgba = still.into_rgba8();
    let (width, height) = rgba.dimensions();
    // In place: a second buffer of a large picture would be hundreds of megabytes.
    let mut bytes = rgba.into_raw();
    let pixels = bytes.len() / 4;
    for pixel in 0..pixels {
        let (from, to) = (4 * pixel, 3 * pixel);
        let alpha = u16::from(bytes[from + 3]);
        for channel in 0..3 {
            let mixed = u16::from(bytes[from + channel]) * alpha + 255 * (255 - alpha);
            bytes[to + channel] = (mixed / 255) as u8;
        }
    }
    bytes.truncate(pixels * 3);
    image::RgbImage::from_raw(width, height, bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use image::{ImageFormat, Rgba, RgbaImage};

    fn png(width: u32, height: u32, pixel: [u8; 4]) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        RgbaImage::from_pixel(width, height, Rgba(pixel))
            .write_to(&mut bytes, ImageFormat::Png)
            .unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_transparent_picture_stands_on_white() {
        let picture = Picture::decode(
            &png(2, 1, [0, 0, 0, 0]),
            PictureId(1),
            DecodeLimits::default(),
        )
        .unwrap();
        assert_eq!(&*picture.rgb(), &[255; 6]);
    }

    #[test]
    fn unknown_damaged_and_too_large_have_their_own_sentences() {
        let limits = DecodeLimits {
            side: 16,
            pixels: 100,
            bytes: 1000,
        };
        let decode = |bytes: &[u8]| Picture::decode(bytes, PictureId(1), limits).unwrap_err();
        assert!(matches!(
            decode(b"hello there, no picture"),
            DecodeError::Unknown
        ));
        assert!(matches!(decode(b""), DecodeError::Unknown));
        let whole = png(8, 8, [1, 2, 3, 255]);
        assert!(matches!(
            decode(&whole[..whole.len() / 2]),
            DecodeError::Damaged(_)
        ));
        assert!(matches!(
            decode(&png(17, 1, [0; 4])),
            DecodeError::TooLarge(..)
        ));
        assert!(matches!(
            decode(&png(11, 10, [0; 4])),
            DecodeError::TooLarge(..)
        ));
    }

    #[test]
    fn half_transparent_pixels_are_mixed_with_white() {
        let picture = Picture::decode(
            &png(3, 2, [0, 100, 255, 51]),
            PictureId(1),
            DecodeLimits::default(),
        )
        .unwrap();
        assert_eq!(&*picture.rgb(), [204, 224, 255].repeat(6));
    }

    #[test]
    fn a_folder_and_a_pipe_are_refused_at_once() {
        let folder = std::env::temp_dir();
        let read = |path: &Path| decode_file(path, PictureId(1), DecodeLimits::default());
        let refused = read(&folder).unwrap_err().to_string();
        assert!(refused.contains("it is not a file"), "{refused}");
        #[cfg(unix)]
        {
            let pipe = folder.join(format!("alidade-picture-{}", std::process::id()));
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            assert!(made.unwrap().success());
            let refused = read(&pipe);
            std::fs::remove_file(&pipe).unwrap();
            assert!(matches!(refused, Err(DecodeError::Io(_))));
        }
    }

    #[test]
    fn a_file_longer_than_the_limit_is_not_read() {
        let path = std::env::temp_dir().join(format!("alidade-long-{}", std::process::id()));
        std::fs::write(&path, png(9, 9, [1, 2, 3, 255])).unwrap();
        let limits = DecodeLimits {
            bytes: 20,
            ..DecodeLimits::default()
        };
        let refused = decode_file(&path, PictureId(1), limits);
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(refused, Err(DecodeError::TooLarge(..))));
    }

    #[test]
    fn cutting_a_file_anywhere_never_panics() {
        let whole = png(5, 7, [9, 8, 7, 200]);
        for end in 0..whole.len() {
            let _ = Picture::decode(&whole[..end], PictureId(1), DecodeLimits::default());
        }
    }
}

//! Still pictures from files and bytes, under limits: a small file may claim to be huge.
//!
//! What is decoded is the pixels and the way up. Colour profiles and texts in a file are never unpacked:
//! two megabytes of them may stand for two gigabytes.

mod complete;
mod error;
mod png;
mod rows;
mod whole;

use std::{
    fs::{File, OpenOptions},
    io::{self, Cursor, Read},
    path::Path,
};

use image::{DynamicImage, ImageFormat, ImageReader, RgbImage, metadata::Orientation};

pub use error::DecodeError;

use crate::{Picture, PictureId, Region, Size};

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

impl DecodeLimits {
    fn check_bytes(self, length: u64) -> Result<(), DecodeError> {
        if length > self.bytes {
            return Err(DecodeError::too_large(
                format!("its file has {}", shown_bytes(length)),
                shown_bytes(self.bytes),
            ));
        }
        Ok(())
    }

    /// Names the limit that is broken, and no other.
    fn check_size(self, size: Size) -> Result<(), DecodeError> {
        if size.is_empty() {
            return Err(DecodeError::Empty);
        }
        let what = || format!("it has {size} pixels");
        if size.width.max(size.height) > self.side {
            let most = format!("{} pixels a side", self.side);
            return Err(DecodeError::too_large(what(), most));
        }
        if size.pixels() > self.pixels {
            let most = if self.pixels < 1_000_000 {
                format!("{} pixels in all", self.pixels)
            } else {
                format!("{} megapixels", self.pixels / 1_000_000)
            };
            return Err(DecodeError::too_large(what(), most));
        }
        Ok(())
    }
}

fn shown_bytes(bytes: u64) -> String {
    if bytes < 1_000_000 {
        format!("{bytes} bytes")
    } else {
        format!("{} MB", bytes / 1_000_000)
    }
}

/// How large the picture that comes out is at most: a larger one is scaled down while it is decoded,
/// which takes far less memory than scaling it afterwards.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Longest side, in pixels.
    pub side: u32,
    /// Width × height.
    pub pixels: u64,
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
    decode(&read(path, limits)?, id, limits, None)
}

/// [`decode_file`], scaled down to `fit` where it is larger. The picture's region keeps the size the
/// file has.
///
/// # Errors
/// [`DecodeError`], a sentence each.
pub fn decode_file_fitted(
    path: &Path,
    id: PictureId,
    limits: DecodeLimits,
    fit: Fit,
) -> Result<Picture, DecodeError> {
    decode(&read(path, limits)?, id, limits, Some(fit))
}

fn read(path: &Path, limits: DecodeLimits) -> Result<Vec<u8>, DecodeError> {
    let file = open_file(path)?;
    let length = file.metadata()?.len();
    limits.check_bytes(length)?;
    // It may grow while it is read.
    let mut bytes = Vec::with_capacity(length as usize);
    file.take(limits.bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
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

impl Picture {
    /// Reads a still from the bytes of a file, upright.
    ///
    /// # Errors
    /// [`DecodeError`], a sentence each.
    pub fn decode(bytes: &[u8], id: PictureId, limits: DecodeLimits) -> Result<Self, DecodeError> {
        decode(bytes, id, limits, None)
    }

    /// [`Picture::decode`], scaled down to `fit` where it is larger. The picture's region keeps the size
    /// the file has.
    ///
    /// # Errors
    /// [`DecodeError`], a sentence each.
    pub fn decode_fitted(
        bytes: &[u8],
        id: PictureId,
        limits: DecodeLimits,
        fit: Fit,
    ) -> Result<Self, DecodeError> {
        decode(bytes, id, limits, Some(fit))
    }
}

/// What a decoder gives: rows of red, green and blue as they lie in the file, perhaps scaled down.
struct Decoded {
    /// As the file has it.
    source: Size,
    /// Of `rgb`.
    size: Size,
    rgb: Vec<u8>,
    turn: Orientation,
}

fn decode(
    bytes: &[u8],
    id: PictureId,
    limits: DecodeLimits,
    fit: Option<Fit>,
) -> Result<Picture, DecodeError> {
    let decoded = format(bytes, limits).and_then(|format| {
        let fitted = |size: Size| fit.map_or(size, |fit| size.fitted(fit.side, fit.pixels));
        let decoded = match format {
            ImageFormat::Png => png::decode(bytes, limits, fitted)?,
            format => whole::decode(bytes, format, limits, fitted)?,
        };
        upright(decoded, id)
    });
    if let Err(DecodeError::Damaged(detail)) = &decoded {
        // For whoever looks into it: the person can do nothing with it.
        tracing::info!(detail, "a picture could not be decoded");
    }
    decoded
}

fn format(bytes: &[u8], limits: DecodeLimits) -> Result<ImageFormat, DecodeError> {
    if bytes.is_empty() {
        return Err(DecodeError::NoBytes);
    }
    limits.check_bytes(bytes.len() as u64)?;
    ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()?
        .format()
        .ok_or(DecodeError::Unknown)
}

/// Turns the pixels as their tag says.
fn upright(decoded: Decoded, id: PictureId) -> Result<Picture, DecodeError> {
    let Decoded {
        mut source,
        mut size,
        mut rgb,
        turn,
    } = decoded;
    if turn != Orientation::NoTransforms {
        let lying = RgbImage::from_raw(size.width, size.height, rgb)
            .ok_or_else(|| DecodeError::Damaged("its rows do not make a picture".into()))?;
        let mut still = DynamicImage::ImageRgb8(lying);
        still.apply_orientation(turn);
        let still = still.into_rgb8();
        let turned = Size::new(still.width(), still.height());
        // From the fifth on, the tags lay a picture on its side.
        if turn.to_exif() > 4 {
            source = Size::new(source.height, source.width);
        }
        (size, rgb) = (turned, still.into_raw());
    }
    let picture =
        Picture::from_rgb(id, size, rgb).map_err(|e| DecodeError::Damaged(e.to_string()))?;
    Ok(picture.with_region(Region {
        x: 0,
        y: 0,
        size: source,
    }))
}

/// Memory of `length` zeros, where there is room for it.
fn zeroed(length: u64) -> Result<Vec<u8>, DecodeError> {
    let refused = || {
        DecodeError::too_large(
            format!("it needs {} of memory", shown_bytes(length)),
            "what is free on this machine".into(),
        )
    };
    let length = usize::try_from(length).map_err(|_| refused())?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| refused())?;
    bytes.resize(length, 0);
    Ok(bytes)
}

#[cfg(test)]
mod tests;

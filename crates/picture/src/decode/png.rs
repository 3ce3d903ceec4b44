//! PNG, row by row: a large picture never lies in memory as a whole.

use std::io::{self, Cursor};

use image::{ColorType, metadata::Orientation};
use png::{BitDepth, ColorType as Channels, DecodingError, Transformations};

use super::{
    DecodeError, DecodeLimits, Decoded,
    rows::{Layout, Rows},
    whole::WHOLE,
    zeroed,
};
use crate::Size;

/// Bytes of chunks other than pixels that are kept in memory: palettes and tags have a few hundred.
const CHUNKS: usize = 16 << 20;

pub(super) fn decode(
    bytes: &[u8],
    limits: DecodeLimits,
    fitted: impl Fn(Size) -> Size,
) -> Result<Decoded, DecodeError> {
    // Before the decoder looks at it: it would call a picture that is too large a damaged one.
    if let Some(size) = claimed(bytes) {
        limits.check_size(size)?;
    }
    let mut decoder =
        png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: CHUNKS });
    // Both are packed, and a few bytes unpack to gigabytes.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(refused)?;
    let info = reader.info();
    let source = Size::new(info.width, info.height);
    limits.check_size(source)?;
    let turn = info
        .exif_metadata
        .as_deref()
        .and_then(Orientation::from_exif_chunk)
        .unwrap_or(Orientation::NoTransforms);
    let layout = layout(reader.output_color_type())?;
    let size = fitted(source);
    let mut rows = Rows::new(source, size)?;
    let short = || DecodeError::Damaged("a row is missing".into());
    if reader.info().interlaced {
        // Its rows come in seven rounds: it has to lie in memory before it can be scaled.
        let length = reader.output_buffer_size().map_or(u64::MAX, |n| n as u64);
        if length > WHOLE {
            return Err(DecodeError::too_much_memory(WHOLE));
        }
        let mut all = zeroed(length)?;
        reader.next_frame(&mut all).map_err(refused)?;
        rows.push_all(&all, layout)?;
    } else {
        for _ in 0..source.height {
            let row = reader.next_row().map_err(refused)?.ok_or_else(short)?;
            rows.push(row.data(), layout)?;
        }
    }
    Ok(Decoded {
        source,
        size,
        rgb: rows.finish().ok_or_else(short)?,
        turn,
    })
}

/// The size in the header, which is the first chunk.
fn claimed(bytes: &[u8]) -> Option<Size> {
    let header = bytes.get(12..24)?.strip_prefix(b"IHDR")?;
    let side = |at: usize| {
        let side = header.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_be_bytes(side))
    };
    Some(Size::new(side(0)?, side(4)?))
}

fn layout((channels, depth): (Channels, BitDepth)) -> Result<Layout, DecodeError> {
    let color = match (channels, depth) {
        (Channels::Grayscale, BitDepth::Eight) => ColorType::L8,
        (Channels::GrayscaleAlpha, BitDepth::Eight) => ColorType::La8,
        (Channels::Rgb, BitDepth::Eight) => ColorType::Rgb8,
        (Channels::Rgba, BitDepth::Eight) => ColorType::Rgba8,
        other => return Err(DecodeError::Unsupported(format!("{other:?}"))),
    };
    Layout::of(color).ok_or_else(|| DecodeError::Unsupported(format!("{color:?}")))
}

fn refused(error: DecodingError) -> DecodeError {
    match error {
        DecodingError::IoError(why) if why.kind() == io::ErrorKind::UnexpectedEof => {
            DecodeError::Incomplete
        }
        DecodingError::LimitsExceeded => DecodeError::too_much_memory(CHUNKS as u64),
        other => DecodeError::Damaged(other.to_string()),
    }
}

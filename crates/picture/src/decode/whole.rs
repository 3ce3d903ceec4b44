//! The formats whose decoders give a whole picture at once, under a limit on the memory that takes.

use std::io::Cursor;

use image::{ImageDecoder, ImageFormat, ImageReader, Limits, metadata::Orientation};

use super::{
    DecodeError, DecodeLimits, Decoded, complete,
    rows::{Layout, Rows},
    zeroed,
};
use crate::Size;

/// Bytes a decoder may take for pixels: 16,384 × 16,384 in red, green and blue.
pub(super) const WHOLE: u64 = 3 << 28;

pub(super) fn decode(
    bytes: &[u8],
    format: ImageFormat,
    limits: DecodeLimits,
    fitted: impl Fn(Size) -> Size,
) -> Result<Decoded, DecodeError> {
    let refused = |error| DecodeError::from_image(error, WHOLE);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut memory = Limits::default();
    memory.max_alloc = Some(WHOLE);
    reader.limits(memory);
    let complete = complete::is_complete(bytes, format);
    let mut decoder = reader
        .into_decoder()
        .map_err(|error| match refused(error) {
            DecodeError::Damaged(_) if !complete => DecodeError::Incomplete,
            other => other,
        })?;
    let (width, height) = decoder.dimensions();
    let source = Size::new(width, height);
    limits.check_size(source)?;
    let color = decoder.color_type();
    let layout = Layout::of(color).ok_or_else(|| DecodeError::Unsupported(format!("{color:?}")))?;
    let length = decoder.total_bytes();
    if length.saturating_mul(copies(bytes, format)) > WHOLE {
        return Err(DecodeError::too_much_memory(WHOLE));
    }
    // Their decoders make up the rest, which looks like a whole picture.
    if !complete {
        return Err(DecodeError::Incomplete);
    }
    let turn = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut all = zeroed(length)?;
    decoder.read_image(&mut all).map_err(refused)?;
    let size = fitted(source);
    let rgb = if size == source && layout.is_rgb() {
        all
    } else {
        let mut rows = Rows::new(source, size)?;
        rows.push_all(&all, layout)?;
        drop(all);
        rows.finish()
            .ok_or_else(|| DecodeError::Damaged("a row is missing".into()))?
    };
    Ok(Decoded {
        source,
        size,
        rgb,
        turn,
    })
}

/// How many times the decoded pixels take their memory on the way.
fn copies(bytes: &[u8], format: ImageFormat) -> u64 {
    match format {
        // A progressive one keeps two bytes for each of its three values until the end.
        ImageFormat::Jpeg if complete::is_progressive(bytes) => 3,
        ImageFormat::Jpeg | ImageFormat::Bmp | ImageFormat::Qoi => 1,
        _ => 2,
    }
}

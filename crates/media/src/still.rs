//! One picture file.

use std::path::Path;

use alidade_picture::{DecodeLimits, Picture, PictureId, decode_file};

use crate::{SourceError, slot::Slot};

/// Longest side of a picture a source gives, in pixels.
const SIDE: u32 = 8192;

/// Largest area of a picture a source gives, in pixels: a 5K screen fits.
const AREA: u64 = 16_000_000;

pub(crate) fn start(slot: &Slot, path: &Path) -> Result<String, SourceError> {
    slot.publish(read(path)?);
    Ok(name(path))
}

/// Decodes a picture, scaled down where it is larger than anything that is shown.
pub(crate) fn read(path: &Path) -> Result<Picture, SourceError> {
    let picture = decode_file(path, PictureId(0), DecodeLimits::default())
        .map_err(|error| SourceError::picture(path, &error))?;
    let size = picture.size().fitted(SIDE, AREA);
    picture.scaled(size).map_err(|error| SourceError::Picture {
        path: path.display().to_string(),
        why: error.to_string(),
    })
}

/// The last part of a path, as it is shown.
pub(crate) fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

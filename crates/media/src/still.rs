//! One picture file.

use std::path::Path;

use alidade_picture::{DecodeLimits, Fit, Picture, PictureId, decode_file_fitted};

use crate::{SourceError, slot::Slot};

/// How large a picture is that a source gives: a 5K screen fits.
pub(crate) const FIT: Fit = Fit {
    side: 8192,
    pixels: 16_000_000,
};

/// What a picture without a file is called.
const PASTED: &str = "pasted picture";

pub(crate) fn start(slot: &Slot, path: &Path) -> Result<String, SourceError> {
    slot.publish(read(path)?);
    Ok(name(path))
}

/// The picture in these bytes.
pub(crate) fn pasted(slot: &Slot, bytes: &[u8]) -> Result<String, SourceError> {
    let picture = Picture::decode_fitted(bytes, PictureId(0), DecodeLimits::default(), FIT)
        .map_err(|error| SourceError::picture(Path::new(PASTED), &error))?;
    slot.publish(picture);
    // It has no name.
    Ok(String::new())
}

/// Decodes a picture, scaled down where it is larger than anything that is shown.
pub(crate) fn read(path: &Path) -> Result<Picture, SourceError> {
    decode_file_fitted(path, PictureId(0), DecodeLimits::default(), FIT)
        .map_err(|error| SourceError::picture(path, &error))
}

/// The last part of a path, as it is shown.
pub(crate) fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

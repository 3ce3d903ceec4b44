//! One picture file.

use std::path::Path;

use alidade_picture::{DecodeLimits, Picture, PictureId, decode_file};

use crate::{SourceError, slot::Slot};

/// Longest side of a picture a source gives, in pixels.
const SIDE: u32 = 8192;

/// Largest area of a picture a source gives, in pixels: a 5K screen fits.
const AREA: u64 = 16_000_000;

/// What a picture without a file is called.
const PASTED: &str = "pasted picture";

pub(crate) fn start(slot: &Slot, path: &Path) -> Result<String, SourceError> {
    slot.publish(read(path)?);
    Ok(name(path))
}

/// The picture in these bytes.
pub(crate) fn pasted(slot: &Slot, bytes: &[u8]) -> Result<String, SourceError> {
    let path = Path::new(PASTED);
    if bytes.len() as u64 > DecodeLimits::default().bytes {
        return Err(SourceError::Picture {
            path: PASTED.into(),
            why: format!("{} bytes are more than a picture may have", bytes.len()),
        });
    }
    let picture = Picture::decode(bytes, PictureId(0), DecodeLimits::default())
        .map_err(|error| SourceError::picture(path, &error))?;
    slot.publish(shown(picture, path)?);
    Ok(PASTED.into())
}

/// Decodes a picture, scaled down where it is larger than anything that is shown.
pub(crate) fn read(path: &Path) -> Result<Picture, SourceError> {
    let picture = decode_file(path, PictureId(0), DecodeLimits::default())
        .map_err(|error| SourceError::picture(path, &error))?;
    shown(picture, path)
}

fn shown(picture: Picture, path: &Path) -> Result<Picture, SourceError> {
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

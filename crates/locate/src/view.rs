//! The picture as every way of looking takes it: RGB bytes, of bounded size.

use alidade_picture::{Picture, Size};

use crate::LocateError;

/// Longest side looked at, in pixels. Larger pictures are scaled down first.
const SIDE: u32 = 4096;
/// Pixels looked at: a 4K screen fits.
const PIXELS: u64 = 9_000_000;

/// RGB pixels at a bounded size; what follows may rely on [`Picture::rgb`] being borrowed.
pub(crate) fn bounded(picture: &Picture) -> Result<Picture, LocateError> {
    let size: Size = picture.size().fitted(SIDE, PIXELS);
    let picture = picture.clone().into_rgb();
    picture
        .scaled(size)
        .map_err(|e| LocateError::Picture(e.to_string()))
}

//! Files to open, made on the spot.

use std::path::{Path, PathBuf};

use alidade_media::{Source, SourceError};
use alidade_picture::{Picture, PictureId, image};

/// A picture file of one colour.
pub(crate) fn picture(folder: &Path, name: &str, size: (u32, u32), colour: [u8; 3]) -> PathBuf {
    let path = folder.join(name);
    let pixels = image::RgbImage::from_pixel(size.0, size.1, image::Rgb(colour));
    pixels
        .save_with_format(&path, image::ImageFormat::Png)
        .expect("written");
    path
}

/// The next picture, whichever comes after `after`, which is moved on.
pub(crate) async fn next(
    source: &Source,
    after: &mut Option<PictureId>,
) -> Result<Picture, SourceError> {
    let picture = source.next(*after).await?;
    *after = Some(picture.id());
    Ok(picture)
}

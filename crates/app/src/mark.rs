//! Leaving the marked picture behind.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use alidade_draw::{marks::Seen, paint};
use alidade_picture::Picture;
use image::{ExtendedColorType, ImageEncoder, codecs};

/// Why there is no marked picture.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    /// It could not be written.
    #[error("the marked picture could not be written to {}: {why}", file.display())]
    Write {
        /// Where to.
        file: PathBuf,
        /// The system's reason.
        why: io::Error,
    },
    /// It could not be encoded.
    #[error("the marked picture could not be encoded: {0}")]
    Encode(image::ImageError),
}

enum Format {
    Png,
    Jpeg,
}

fn format(file: &Path) -> Option<Format> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "png" => Some(Format::Png),
        "jpg" | "jpeg" => Some(Format::Jpeg),
        _ => None,
    }
}

/// Why a marked picture cannot go there, known before anything is asked.
#[must_use]
pub fn refuses(file: &Path) -> Option<String> {
    if format(file).is_none() {
        return Some(format!(
            "{} must end in .png or .jpg: that says how the picture is written.",
            file.display()
        ));
    }
    if file.is_dir() {
        return Some(format!(
            "{} is a folder; give the name of a file.",
            file.display()
        ));
    }
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty())?;
    (!folder.is_dir()).then(|| {
        format!(
            "The folder {} does not exist; make it first.",
            folder.display()
        )
    })
}

/// Paints the marks on the picture and writes it, whole or not at all: what was there before
/// stays until the new one is complete.
///
/// # Errors
/// [`MarkError`], a sentence each.
pub fn write(picture: &Picture, marks: &[Seen], file: &Path) -> Result<(), MarkError> {
    let marked = paint::paint(picture, marks);
    let failed = |why| MarkError::Write {
        file: file.to_path_buf(),
        why,
    };
    let mut name = file.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = file.with_file_name(name);
    let written =
        encode(&marked, file, &part).and_then(|()| fs::rename(&part, file).map_err(failed));
    if written.is_err() {
        // Half a picture helps nobody; that it may not be removable either changes nothing.
        let _ = fs::remove_file(&part);
    }
    written
}

fn encode(picture: &Picture, file: &Path, part: &Path) -> Result<(), MarkError> {
    let failed = |why| MarkError::Write {
        file: file.to_path_buf(),
        why,
    };
    let size = picture.size();
    let rgb = picture.rgb();
    let refused = |error| match error {
        image::ImageError::IoError(why) => failed(why),
        other => MarkError::Encode(other),
    };
    let mut out = BufWriter::new(fs::File::create(part).map_err(failed)?);
    let how = (size.width, size.height, ExtendedColorType::Rgb8);
    match format(file) {
        Some(Format::Jpeg) => {
            codecs::jpeg::JpegEncoder::new_with_quality(&mut out, 92)
                .write_image(&rgb, how.0, how.1, how.2)
                .map_err(refused)?;
        }
        _ => codecs::png::PngEncoder::new(&mut out)
            .write_image(&rgb, how.0, how.1, how.2)
            .map_err(refused)?,
    }
    out.flush().map_err(failed)?;
    // A full disk is told here at the latest.
    out.get_ref().sync_all().map_err(failed)
}

//! Why a still could not be read.

use std::io;

use image::ImageError;

/// Why a still could not be read. Each is a sentence for people; what a decoder said goes to the log.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// It could not be opened or read.
    #[error("the picture could not be read: {0}")]
    Io(#[from] io::Error),
    /// Not a format that is known here.
    #[error(
        "this is not a picture that can be read here; PNG, JPEG, WebP, GIF, BMP, TIFF, PNM and QOI can"
    )]
    Unknown,
    /// The format is known, this variety of it is not; with what the decoder said.
    #[error(
        "this kind of picture cannot be read here; open it in another program and save it as PNG"
    )]
    Unsupported(String),
    /// The format is known, the contents are broken; with what the decoder said.
    #[error("the picture is damaged or incomplete; copy it again, or save it anew")]
    Damaged(String),
    /// The end of the file is missing.
    #[error("the picture is incomplete: the end of its file is missing; copy it again")]
    Incomplete,
    /// Larger than the limits.
    #[error("the picture is too large: {what}, and {most} is the most; make it smaller")]
    TooLarge {
        /// What is too large about it.
        what: String,
        /// The limit it breaks.
        most: String,
    },
    /// A side of zero pixels.
    #[error("the picture is empty: it has no pixels")]
    Empty,
    /// A file of zero bytes.
    #[error("the file is empty; copy it again")]
    NoBytes,
}

impl DecodeError {
    pub(super) fn too_large(what: String, most: String) -> Self {
        Self::TooLarge { what, most }
    }

    /// A decoder's own limit on memory.
    pub(super) fn too_much_memory(most: u64) -> Self {
        Self::too_large(
            "it takes very much memory to decode".into(),
            super::shown_bytes(most),
        )
    }

    pub(super) fn from_image(error: ImageError, most: u64) -> Self {
        match error {
            ImageError::Unsupported(why) => Self::Unsupported(why.to_string()),
            ImageError::Limits(_) => Self::too_much_memory(most),
            ImageError::IoError(why) if why.kind() == io::ErrorKind::UnexpectedEof => {
                Self::Incomplete
            }
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<crate::PixelError> for DecodeError {
    fn from(error: crate::PixelError) -> Self {
        Self::Damaged(error.to_string())
    }
}

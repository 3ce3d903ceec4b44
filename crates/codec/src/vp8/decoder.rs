//! VP8 to pictures.

use alidade_picture::{I420, Picture, PictureId, Pool, Size};

use super::{
    LARGEST_AREA,
    context::{Context, Refusal},
};

/// Why bytes could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A picture that builds on one that was never decoded: ask the other end for a key picture.
    #[error("the video waits for a key picture")]
    KeyWanted,
    /// Larger than this crate decodes; see [`LARGEST_AREA`].
    #[error("the video is {0}, which is larger than can be shown here")]
    TooLarge(Size),
    /// Not VP8, or damaged: ask the other end for a key picture.
    #[error("the video is damaged: {0}")]
    Damaged(String),
}

impl From<Refusal> for DecodeError {
    fn from(Refusal(text): Refusal) -> Self {
        Self::Damaged(text)
    }
}

/// Decodes the pictures of one stream.
///
/// After any error it answers [`DecodeError::KeyWanted`] until a key picture comes: what builds on a
/// damaged picture would show things that were never there.
pub struct Decoder {
    context: Context,
    pool: Pool,
    waiting: bool,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("vp8::Decoder")
            .field("waiting", &self.waiting)
            .finish_non_exhaustive()
    }
}

impl Decoder {
    /// Begins a stream.
    ///
    /// # Errors
    /// [`DecodeError::Damaged`] where libvpx does not start.
    pub fn new() -> Result<Self, DecodeError> {
        Ok(Self {
            context: Context::decoder()?,
            pool: Pool::new(),
            waiting: true,
        })
    }

    /// Whether only a key picture helps now.
    #[must_use]
    pub fn key_wanted(&self) -> bool {
        self.waiting
    }

    /// Decodes one VP8 frame to a planar picture with id 0, taken now; `None` for a frame that is not
    /// to be shown. The size may change at every key picture.
    ///
    /// # Errors
    /// [`DecodeError`]; none of them ends the stream, and the next key picture is decoded again.
    pub fn decode(&mut self, data: &[u8]) -> Result<Option<Picture>, DecodeError> {
        let done = self.decode_once(data);
        self.waiting = done.is_err();
        done
    }

    fn decode_once(&mut self, data: &[u8]) -> Result<Option<Picture>, DecodeError> {
        if data.is_empty() {
            // libvpx would take no bytes for "the picture was lost, repeat the last one".
            return Err(DecodeError::Damaged("it is empty".into()));
        }
        let (size, key) = Context::peek(data)?;
        if !key && self.waiting {
            return Err(DecodeError::KeyWanted);
        }
        if key && size.pixels() > LARGEST_AREA {
            return Err(DecodeError::TooLarge(size));
        }
        let pool = &self.pool;
        let planes = self.context.decode(data, |shown| {
            let size = shown.size();
            let bytes = pool.filled(I420::length(size) as usize, |to| shown.write(to));
            I420::new(size, bytes)
        })?;
        planes
            .map(|planes| Picture::from_i420(PictureId(0), planes?))
            .transpose()
            .map_err(|e| DecodeError::Damaged(e.to_string()))
    }
}

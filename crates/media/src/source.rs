//! The one type all sources have.

use std::{path::PathBuf, sync::Arc, time::Duration};

use alidade_picture::{Picture, PictureId};

use crate::{
    CameraChoice, ScreenChoice, SourceError, camera, folder, screen, slot::Slot, still, video,
};

/// How long [`Source::stop`] waits at most.
const STOP: Duration = Duration::from_secs(2);

/// What to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceSpec {
    /// One picture file.
    Picture(PathBuf),
    /// The bytes of a picture file, as they are pasted.
    Encoded(Arc<[u8]>),
    /// The pictures of a folder in natural order (`2.png` before `10.png`), again and again.
    Folder {
        /// The folder; folders in it are not entered.
        path: PathBuf,
        /// How long each is shown.
        every: Duration,
    },
    /// A video file or an animated picture, played at its own pace as if a camera saw it.
    Video {
        /// The file.
        path: PathBuf,
        /// Whether it begins again at its end.
        looped: bool,
    },
    /// A camera.
    Camera(CameraChoice),
    /// The screen, a monitor or a window.
    Screen(ScreenChoice),
}

/// A running source. Dropping it stops it without waiting.
pub struct Source {
    slot: Arc<Slot>,
    name: String,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Source").field(&self.name).finish()
    }
}

impl Source {
    /// Opens a source and waits for its first picture: at most ten seconds for videos and cameras, the
    /// time to decode for files. It blocks; async code uses [`Source::opened`].
    ///
    /// # Errors
    /// [`SourceError`], a sentence each.
    pub fn open(spec: SourceSpec) -> Result<Self, SourceError> {
        let slot = Slot::new();
        // From here on whatever was started is stopped when this function fails.
        let mut source = Self {
            slot,
            name: String::new(),
        };
        source.name = match spec {
            SourceSpec::Picture(path) => still::start(&source.slot, &path)?,
            SourceSpec::Encoded(bytes) => still::pasted(&source.slot, &bytes)?,
            SourceSpec::Folder { path, every } => folder::start(&source.slot, &path, every)?,
            SourceSpec::Video { path, looped } => video::start(&source.slot, &path, looped)?,
            SourceSpec::Camera(choice) => camera::start(&source.slot, &choice)?,
            SourceSpec::Screen(choice) => screen::start(&source.slot, choice)?,
        };
        source.slot.wait_first()?;
        Ok(source)
    }

    /// [`Source::open`] for async code, on a thread for blocking work.
    ///
    /// # Errors
    /// [`SourceError`], a sentence each.
    pub async fn opened(spec: SourceSpec) -> Result<Self, SourceError> {
        tokio::task::spawn_blocking(move || Self::open(spec))
            .await
            .map_err(|error| SourceError::NoRoom(error.to_string()))?
    }

    /// The newest picture, as soon as there is one that is not `after`. Ids count up from 1 in every
    /// source. A still picture has no next one: with its own id this waits until the source stops.
    ///
    /// Cancelling is safe. Any number of readers may wait at once.
    ///
    /// # Errors
    /// [`SourceError::Ended`] at the end of a video, [`SourceError::Stopped`] after [`Source::stop`],
    /// or what went wrong, again and again.
    pub async fn next(&self, after: Option<PictureId>) -> Result<Picture, SourceError> {
        self.slot.next(after).await
    }

    /// Why the source gives no more pictures, once that is so: [`SourceError::Ended`] or [`SourceError::Stopped`] in
    /// the ordinary way. Unlike [`Source::next`] it asks for no picture, so none is decoded for it.
    pub async fn ended(&self) -> SourceError {
        self.slot.ended().await
    }

    /// Goes on to the next picture of a folder at once; other sources pay no heed.
    pub fn skip(&self) {
        self.slot.skip();
    }

    /// What the person calls it: the file's name, the camera's, the window's title; empty for what has no name, such
    /// as a pasted picture.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Pictures that were replaced by newer ones before anybody read them.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.slot.missed()
    }

    /// Stops it and waits, at most two seconds, until the file, process or device is let go. False
    /// where a driver hangs and was left behind. It blocks.
    pub fn stop(&self) -> bool {
        self.slot.stop();
        self.slot.wait_gone(STOP)
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.slot.stop();
    }
}

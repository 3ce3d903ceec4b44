//! What can go wrong with a source, each as a sentence that says what to do.

use std::{fmt, io, path::Path, time::Duration};

use alidade_picture::DecodeError;

/// Why a source gives no picture (any more).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// There is no such file or folder.
    #[error("there is no file or folder {0}; check its name")]
    NotFound(String),
    /// An empty name.
    #[error("no file was named; give the path of a picture, a folder or a video")]
    Unnamed,
    /// It is there and cannot be read.
    #[error("{path} cannot be read: {why}")]
    Unreadable {
        /// As it was given.
        path: String,
        /// What the system said.
        why: String,
    },
    /// A folder, a pipe or a device where a file is needed.
    #[error("{path} is not a file; give {wanted}")]
    NotAFile {
        /// As it was given.
        path: String,
        /// What was asked for.
        wanted: Wanted,
    },
    /// A file where a folder is needed.
    #[error("{0} is not a folder; give a folder of pictures")]
    NotAFolder(String),
    /// The file is not a picture that can be shown.
    #[error("{path}: {why}")]
    Picture {
        /// As it was given.
        path: String,
        /// A sentence.
        why: String,
    },
    /// A folder without a single picture in it.
    #[error(
        "there is no picture in {0}; it may hold PNG, JPEG, WebP, GIF, BMP, TIFF, PNM and QOI files"
    )]
    NoPictures(String),
    /// The program that decodes videos is missing.
    #[error(
        "videos need ffmpeg, which was not found; install it (Debian, Ubuntu: sudo apt install ffmpeg; Fedora: sudo dnf install ffmpeg; macOS: brew install ffmpeg; Windows: winget install ffmpeg)"
    )]
    NoVideoProgram,
    /// The file is not a video that can be played.
    #[error("{path} cannot be played: {why}")]
    Video {
        /// As it was given.
        path: String,
        /// A sentence.
        why: String,
    },
    /// No camera is plugged in, or the system shows none.
    #[error("no camera was found; plug one in, or give a picture, a folder or a video instead")]
    NoCamera,
    /// There are cameras, and none is the one that was asked for.
    #[error("there is no camera {wanted}; there is {found}")]
    OtherCamera {
        /// What was asked for.
        wanted: String,
        /// What there is, by name.
        found: String,
    },
    /// Another program has it.
    #[error("{0} is in use by another program; close that program and try again")]
    Busy(String),
    /// The system does not let this person use it.
    #[error(
        "the system does not allow the use of {0}; allow the camera in the privacy settings, or on Linux add yourself to the group video and log in again"
    )]
    Denied(String),
    /// It was there a moment ago.
    #[error("{0} was unplugged; plug it in again")]
    Unplugged(String),
    /// The camera or its driver does something unexpected.
    #[error("{camera} does not work: {why}; unplug it and plug it in again, or choose another one")]
    Camera {
        /// Which one.
        camera: String,
        /// What its driver said.
        why: String,
    },
    /// Nothing came for a long time.
    #[error(
        "{what} gave no picture for {seconds} s; unplug the camera and plug it in again, or choose another source"
    )]
    TimedOut {
        /// The camera.
        what: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// The decoder of a video gave nothing for a long time.
    #[error(
        "{what} gave no picture for {seconds} s; copy the file to this machine if it lies elsewhere, close other programs, or choose another file"
    )]
    VideoTimedOut {
        /// The file.
        what: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// This desktop shows its screen to no program in a way that is understood.
    #[error(
        "this desktop does not show its screen to programs; log in to an X11 session, or open a screenshot instead"
    )]
    NoScreen,
    /// The screen cannot be looked at.
    #[error("the screen cannot be looked at: {0}")]
    Screen(String),
    /// There are monitors, and none is the one that was asked for.
    #[error("there is no monitor {wanted}; there is {found}")]
    NoMonitor {
        /// What was asked for.
        wanted: String,
        /// What there is, by name.
        found: String,
    },
    /// There is no window with these words in its title.
    #[error("there is no window called {0}; open it, or choose another one")]
    NoWindow(String),
    /// It was there a moment ago.
    #[error("the monitor {0} was switched off; choose another one")]
    MonitorGone(String),
    /// It was there a moment ago.
    #[error("the window {0} was closed; choose another one")]
    WindowGone(String),
    /// It would look at itself.
    #[error("this program's own windows are never shown; choose another one")]
    OwnWindow,
    /// A video that is not repeated has come to its end.
    #[error("the video has ended")]
    Ended,
    /// It was stopped on this side.
    #[error("the source was stopped")]
    Stopped,
    /// The system gave no thread or process.
    #[error("the system has no room for another task: {0}; close other programs and try again")]
    NoRoom(String),
}

/// What kind of file or folder a source is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A file with one picture.
    Picture,
    /// A folder of pictures.
    Folder,
    /// A file with a video.
    Video,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Picture => "a picture file",
            Self::Folder => "a folder of pictures",
            Self::Video => "a video file",
        })
    }
}

impl SourceError {
    /// The error for a file or folder that could not be opened.
    pub(crate) fn opening(path: &Path, error: &io::Error, wanted: Wanted) -> Self {
        let shown = path.display().to_string();
        let not_a_file = |path| Self::NotAFile { path, wanted };
        match error.kind() {
            _ if path.as_os_str().is_empty() => Self::Unnamed,
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound(shown),
            io::ErrorKind::InvalidInput if path.exists() => not_a_file(shown),
            io::ErrorKind::IsADirectory => not_a_file(shown),
            io::ErrorKind::PermissionDenied => Self::Unreadable {
                path: shown,
                why: "you are not allowed to; change its permissions".into(),
            },
            _ => Self::Unreadable {
                path: shown,
                why: error.to_string(),
            },
        }
    }

    pub(crate) fn picture(path: &Path, error: &DecodeError) -> Self {
        match error {
            DecodeError::Io(error) => Self::opening(path, error, Wanted::Picture),
            other => Self::Picture {
                path: path.display().to_string(),
                why: other.to_string(),
            },
        }
    }

    pub(crate) fn timed_out(what: &str, waited: Duration) -> Self {
        Self::TimedOut {
            what: what.to_owned(),
            seconds: waited.as_secs(),
        }
    }

    pub(crate) fn video_timed_out(what: &str, waited: Duration) -> Self {
        Self::VideoTimedOut {
            what: what.to_owned(),
            seconds: waited.as_secs(),
        }
    }
}

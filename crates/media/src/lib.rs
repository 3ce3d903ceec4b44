//! Where pictures come from: a picture file, a folder of pictures, a video file played as a camera, a
//! camera. One type, [`Source`], for all of them.
//!
//! What belongs here: opening, pacing, decoding to [`Picture`](alidade_picture::Picture)s, and a
//! sentence for everything that can go wrong. What does not: encoding, drawing, deciding what to show.
//!
//! The newest picture wins: a reader that is slow misses pictures and never sees old ones. Anything
//! that may block for ever (a driver, a child process) runs on a thread of its own under a watchdog and
//! is left behind if it does.
//!
//! ```no_run
//! use alidade_media::{Source, SourceSpec};
//!
//! # async fn shown() -> Result<(), alidade_media::SourceError> {
//! let source = Source::opened(SourceSpec::Picture("shot.png".into())).await?;
//! let picture = source.next(None).await?;
//! println!("{}", picture.size());
//! # Ok(())
//! # }
//! ```

mod camera;
mod error;
mod folder;
mod screen;
mod slot;
mod source;
mod still;
mod video;

pub use camera::{CameraChoice, CameraInfo, cameras};
pub use error::{SourceError, Wanted};
pub use screen::{MonitorInfo, ScreenChoice, Screens, WindowInfo, screens};
pub use source::{Source, SourceSpec};

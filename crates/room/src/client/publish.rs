//! Tracks this side publishes.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};

use super::session::Command;
use crate::media::Sending;
use crate::{EncodedPicture, TrackInfo, TrackSource};

/// How a video track presents itself.
#[derive(Debug, Clone)]
pub struct VideoOptions {
    /// Its name, for example `screen`.
    pub name: String,
    /// Where the pictures come from.
    pub source: TrackSource,
    /// Announced width in pixels.
    pub width: u32,
    /// Announced height in pixels.
    pub height: u32,
}

/// Why a track could not be published.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum PublishError {
    /// The stay is over.
    #[error("the room connection is closed; join again")]
    Closed,
    /// The server did not accept the track.
    #[error("the room server did not accept the track: {0}")]
    Refused(String),
    /// The server did not answer.
    #[error("the room server did not answer the publication in time")]
    Timeout,
    /// The media connection could not take the track.
    #[error("the media connection could not take the track: {0}")]
    Media(String),
}

/// The track was unpublished or the stay is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the track has ended; publish a new one")]
pub struct TrackEnded;

/// A published video track. Clones share it.
#[derive(Debug, Clone)]
pub struct VideoTrack {
    pub(super) info: TrackInfo,
    pub(super) cid: String,
    pub(super) sending: Arc<Sending>,
    pub(super) commands: mpsc::WeakUnboundedSender<Command>,
}

impl VideoTrack {
    /// Identifier given by the server.
    pub fn sid(&self) -> &str {
        &self.info.sid
    }

    /// The track as the server announced it.
    pub fn info(&self) -> &TrackInfo {
        &self.info
    }

    /// Puts a picture in line for sending; never waits. A key picture takes the place of
    /// pictures that have not left yet. When the line is full, the waiting pictures are dropped
    /// ([`VideoTrack::dropped`]) and further ones too until a key picture comes, which
    /// [`VideoTrack::key_frame_wanted`] asks for.
    ///
    /// # Errors
    /// [`TrackEnded`].
    pub fn write(&self, picture: EncodedPicture) -> Result<(), TrackEnded> {
        self.sending.write(picture)
    }

    /// Waits until every picture written so far has been sent or dropped.
    ///
    /// # Errors
    /// [`TrackEnded`].
    pub async fn flush(&self) -> Result<(), TrackEnded> {
        self.sending.flush().await
    }

    /// Number of pictures dropped so far.
    pub fn dropped(&self) -> u64 {
        self.sending.dropped()
    }

    /// Counts the requests for a key picture; each change is a request.
    pub fn key_frame_wanted(&self) -> watch::Receiver<u64> {
        self.sending.wanted()
    }

    /// Whether the track has ended.
    pub fn is_ended(&self) -> bool {
        self.sending.is_over()
    }

    /// Ends the track; returns once it is negotiated. Ending it twice is no fault.
    pub async fn unpublish(&self) {
        self.sending.end();
        let (reply, done) = oneshot::channel();
        let sent = self.commands.upgrade().is_some_and(|commands| {
            commands
                .send(Command::Unpublish {
                    cid: self.cid.clone(),
                    reply,
                })
                .is_ok()
        });
        if sent {
            // An error means that the whole stay is over.
            let _ = done.await;
        }
    }
}

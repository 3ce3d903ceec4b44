//! A source of pictures, published.

use std::sync::Arc;

use alidade_agent::{SessionError, VideoKind};
use alidade_picture::{Picture, PictureId, PixelError};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use crate::painter::Order;

/// What a track shows (R83).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackSource {
    /// A screen, a window, or a picture of one.
    ScreenShare,
    /// A camera, or any other video.
    Camera,
}

impl TrackSource {
    pub(crate) const fn kind(self) -> VideoKind {
        match self {
            Self::ScreenShare => VideoKind::Screen,
            Self::Camera => VideoKind::Camera,
        }
    }
}

/// Why a picture did not leave.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum PublishError {
    /// The session does not take it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The track could not be published.
    #[error("the picture source could not be published: {0}")]
    Refused(String),
    /// The track was stopped or replaced, or the session has ended; nothing was sent (R49).
    #[error("this picture source is no longer published; publish it again")]
    Stopped,
    /// The picture cannot be sent.
    #[error("the picture cannot be sent: {0}")]
    Picture(String),
}

impl From<PixelError> for PublishError {
    fn from(error: PixelError) -> Self {
        Self::Picture(error.to_string())
    }
}

/// A published source of pictures. Clones share it; it ends with [`PictureTrack::stop`], or when the last clone is
/// dropped.
#[derive(Clone)]
pub struct PictureTrack {
    orders: mpsc::Sender<Order>,
    newest: Arc<Mutex<Option<Picture>>>,
}

impl PictureTrack {
    pub(crate) fn new(orders: mpsc::Sender<Order>, newest: Arc<Mutex<Option<Picture>>>) -> Self {
        Self { orders, newest }
    }

    pub(crate) fn weak(&self) -> mpsc::WeakSender<Order> {
        self.orders.downgrade()
    }

    /// Shows a picture from now on; returns once it is on its way, with the name both ends know it by. The first
    /// one publishes the track (R84). Pictures larger than VP8 takes are scaled; the id of the given one is
    /// replaced.
    ///
    /// # Errors
    /// [`PublishError`]; what was shown before is shown on.
    pub async fn show(&self, picture: &Picture) -> Result<PictureId, PublishError> {
        let (done, told) = oneshot::channel();
        let order = Order::Show {
            picture: picture.clone(),
            done,
        };
        self.orders
            .send(order)
            .await
            .map_err(|_| PublishError::Stopped)?;
        told.await.unwrap_or(Err(PublishError::Stopped))
    }

    /// The picture that left last, under the name it left with.
    #[must_use]
    pub fn newest(&self) -> Option<Picture> {
        self.newest.lock().clone()
    }

    /// Takes the source off the room; returns once that is done. Stopping twice is no fault.
    pub async fn stop(&self) {
        let (done, told) = oneshot::channel();
        if self.orders.send(Order::Stop { done }).await.is_ok() {
            // It was stopped already where nobody answers.
            let _ = told.await;
        }
    }
}

impl std::fmt::Debug for PictureTrack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PictureTrack")
            .field("newest", &self.newest())
            .finish_non_exhaustive()
    }
}

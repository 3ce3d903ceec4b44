//! One voice and one video at a time (R39, R48, R49).

use std::sync::Arc;

use alidade_wire::client::ClientFrame;

use super::{SessionError, core::Core};
use crate::transport::Lane;

/// The one voice of a session, until dropped.
pub struct VoiceClaim {
    core: Arc<Core>,
    stopped: bool,
}

impl VoiceClaim {
    pub(super) fn new(core: &Arc<Core>) -> Result<Self, SessionError> {
        core.live_link()?;
        let mut state = core.state.lock();
        if state.voice {
            return Err(SessionError::AudioPublishAlreadyActive);
        }
        state.voice = true;
        Ok(Self {
            core: Arc::clone(core),
            stopped: false,
        })
    }

    /// The audio is published: listen to this participant, and unmute it (R39).
    pub async fn published(&self) {
        self.core.state.lock().bound = true;
        if let Err(error) = self.core.send(ClientFrame::BindInput).await {
            tracing::warn!(%error, "the server was not told whom to listen to");
        }
        if let Err(error) = self.core.mute(false).await {
            tracing::warn!(%error, "the server was not told to listen");
        }
    }

    /// The audio is no longer published.
    pub async fn stop(mut self) {
        self.release();
        if let Err(error) = self.core.mute(true).await {
            tracing::debug!(%error, "the server was not told that the voice is gone");
        }
    }

    fn release(&mut self) {
        if !self.stopped {
            self.stopped = true;
            self.core.state.lock().voice = false;
        }
    }
}

impl Drop for VoiceClaim {
    fn drop(&mut self) {
        self.release();
    }
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VideoKind {
    /// A screen or a window.
    Screen,
    /// A camera, or any other video.
    Camera,
}

/// The one video of a session, until released, dropped or replaced. One that is no longer current does nothing.
pub struct VideoClaim {
    core: Arc<Core>,
    number: u64,
}

impl VideoClaim {
    pub(super) fn new(core: &Arc<Core>, kind: VideoKind) -> Result<Self, SessionError> {
        if core.transport.lane() == Lane::Websocket {
            return Err(SessionError::VideoUnsupported);
        }
        core.live_link()?;
        let mut state = core.state.lock();
        match (state.video, kind) {
            // A screen replaces a screen: the older claim is no longer current.
            (None, _) | (Some((_, VideoKind::Screen)), VideoKind::Screen) => {}
            _ => return Err(SessionError::VideoPublishAlreadyActive),
        }
        state.claims += 1;
        let number = state.claims;
        state.video = Some((number, kind));
        Ok(Self {
            core: Arc::clone(core),
            number,
        })
    }

    /// Whether this claim is the session's video, and the session runs.
    #[must_use]
    pub fn is_current(&self) -> bool {
        let state = self.core.state.lock();
        !state.terminal && state.video.is_some_and(|(number, _)| number == self.number)
    }

    /// Gives the video up. Whether it was this one's to give up.
    pub fn release(&self) -> bool {
        let mut state = self.core.state.lock();
        let current = state.video.is_some_and(|(number, _)| number == self.number);
        if current {
            state.video = None;
        }
        current
    }
}

impl Drop for VideoClaim {
    fn drop(&mut self) {
        self.release();
    }
}

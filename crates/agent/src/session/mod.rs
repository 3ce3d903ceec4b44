//! The session engine: one live run of an agent over a transport (`session-lifecycle.md`, `events.md`).
//!
//! A session is single-use: [`Session::new`] gives the handle and a [`Start`], which is consumed by running. Every
//! end, whoever brings it about, goes through one teardown that runs once.

mod claim;
mod core;
mod inbound;
mod start;
mod teardown;

use std::{fmt, sync::Arc, time::Duration};

use alidade_wire::{
    client::{Channel, ClientFrame},
    server::{Ready, Usage},
    start::{SdkInfo, SessionOptions},
};
use tokio::sync::watch;

use self::core::Core;
use crate::{
    Agent, Backend, EndReason, Events, Gate, Transport, gate::NoApprover, transcript::Items,
};
pub use claim::{VideoClaim, VideoKind, VoiceClaim};
pub use start::Start;

/// Where a session stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// Built, not started.
    Idle,
    /// Being started.
    Connecting,
    /// The carrier is up; the agent may still get ready.
    Connected,
    /// The carrier is lost and recovers by itself.
    Reconnecting,
    /// Over, for good.
    Disconnected {
        /// Why.
        reason: EndReason,
        /// Further words.
        detail: Option<String>,
    },
}

/// The waits of a session. The defaults are those of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Longest time of a join.
    pub join: Duration,
    /// Longest time from the join to `ready` (R35).
    pub ready: Duration,
    /// From a `session-ended` frame to ending without a close (R41).
    pub end_grace: Duration,
    /// Longest time for saying `end` and for leaving the carrier.
    pub leave: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            join: Duration::from_secs(15),
            ready: Duration::from_secs(40),
            end_grace: Duration::from_secs(5),
            leave: Duration::from_secs(3),
        }
    }
}

/// Sees each move of the state, in order. A panic in it is logged and ignored.
pub type StateObserver = Arc<dyn Fn(&SessionState) + Send + Sync>;

/// How a session runs.
#[derive(Clone)]
pub struct Settings {
    /// Who speaks the protocol.
    pub sdk: SdkInfo,
    /// Session options of the start body.
    pub options: SessionOptions,
    /// The person's policy; without one, everything but drawing and skills is denied.
    pub gate: Arc<dyn Gate>,
    /// Sees each move of the state.
    pub observer: Option<StateObserver>,
    /// The waits.
    pub timing: Timing,
}

impl Default for Settings {
    fn default() -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self {
            sdk: SdkInfo {
                name: "alidade".to_owned(),
                version,
            },
            options: SessionOptions::default(),
            gate: Arc::new(NoApprover),
            observer: None,
            timing: Timing::default(),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("sdk", &self.sdk)
            .field("options", &self.options)
            .field("timing", &self.timing)
            .finish_non_exhaustive()
    }
}

/// Why something could not be done in a session as it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The carrier is not up, or the session has ended.
    #[error("the session is not connected; start a new one")]
    NotConnected,
    /// Audio is being published.
    #[error("a voice is being published already; stop it first")]
    AudioPublishAlreadyActive,
    /// Video is being published.
    #[error("a screen or camera is being published already; stop it first")]
    VideoPublishAlreadyActive,
    /// The websocket carries no video.
    #[error("this session has no video; use a backend with rooms")]
    VideoUnsupported,
    /// What was to be sent is wrong.
    #[error("{0}")]
    InvalidPayload(String),
    /// It did not leave.
    #[error("it could not be sent: {0}")]
    SendFailed(String),
}

impl SessionError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotConnected => "not_connected",
            Self::AudioPublishAlreadyActive => "audio_publish_already_active",
            Self::VideoPublishAlreadyActive => "video_publish_already_active",
            Self::VideoUnsupported => "video_unsupported",
            Self::InvalidPayload(_) => "invalid_payload",
            Self::SendFailed(_) => "send_failed",
        }
    }
}

/// A live run of an agent. Clones share it; when the last one is dropped, the session closes.
#[derive(Clone)]
pub struct Session {
    core: Arc<Core>,
    /// Dropped with the last handle.
    _last: Arc<CloseOnDrop>,
}

struct CloseOnDrop(Arc<Core>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        if tokio::runtime::Handle::try_current().is_ok() {
            self.0.finish(EndReason::ClientClosed, None, false);
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

impl Session {
    /// A session that is not started, and what starts it.
    pub fn new(
        agent: Agent,
        backend: Backend,
        transport: Arc<dyn Transport>,
        settings: Settings,
    ) -> (Self, Start) {
        let core = Core::new(agent, backend, transport, settings);
        let session = Self {
            core: Arc::clone(&core),
            _last: Arc::new(CloseOnDrop(Arc::clone(&core))),
        };
        (session, Start::new(core))
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> SessionState {
        self.core.states.borrow().clone()
    }

    /// The state, to be waited on; may skip moves that follow each other at once.
    #[must_use]
    pub fn states(&self) -> watch::Receiver<SessionState> {
        self.core.states.subscribe()
    }

    /// The server's id of the session, once it was started.
    #[must_use]
    pub fn id(&self) -> Option<String> {
        self.core.state.lock().session_id.clone()
    }

    /// What the agent said when it got ready.
    #[must_use]
    pub fn ready(&self) -> Option<Ready> {
        self.core.state.lock().ready.clone()
    }

    /// The newest running totals of tokens.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        self.core.state.lock().usage
    }

    /// The event stream; further readers share it, each event goes to one.
    #[must_use]
    pub fn events(&self) -> Events {
        self.core.events.reader()
    }

    /// The transcript so far; stays readable after the end.
    #[must_use]
    pub fn transcript(&self) -> Items {
        self.core.state.lock().transcript.items()
    }

    /// A user turn. Once sent, it is echoed as a closed user item and a final user transcript event (R67).
    ///
    /// # Errors
    /// [`SessionError`]; then nothing was echoed.
    pub async fn send_text(&self, content: &str) -> Result<(), SessionError> {
        self.send_text_unechoed(content).await?;
        self.core.echo(content);
        Ok(())
    }

    /// A user turn that leaves the transcript alone.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn send_text_unechoed(&self, content: &str) -> Result<(), SessionError> {
        self.core
            .send(ClientFrame::SendText {
                content: content.to_owned(),
            })
            .await
    }

    /// Background text of 1 to 4096 characters: no turn, no speech.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn send_context(&self, content: &str) -> Result<(), SessionError> {
        self.core
            .send(checked(ClientFrame::context(content))?)
            .await
    }

    /// Steers the voice model, or answers a hand-off; 1 to 4096 characters.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn append(
        &self,
        channel: Channel,
        content: &str,
        delegation_id: Option<&str>,
    ) -> Result<(), SessionError> {
        let frame = ClientFrame::append(channel, content, delegation_id.map(str::to_owned));
        self.core.send(checked(frame)?).await
    }

    /// One still image: base64 of `mime_type` (JPEG by default), under a label that keeps sources apart.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn send_image(
        &self,
        base64: &str,
        mime_type: Option<&str>,
        stream_id: Option<&str>,
    ) -> Result<(), SessionError> {
        if base64.len() > alidade_wire::limits::IMAGE_CHARS {
            return Err(SessionError::InvalidPayload(
                "the image is too large; make it smaller".to_owned(),
            ));
        }
        let frame = ClientFrame::image(
            base64,
            mime_type.map(str::to_owned),
            stream_id.map(str::to_owned),
        );
        self.core.send(frame).await
    }

    /// Opens or closes the server's ear. Kept over a reconnect (R40).
    ///
    /// # Errors
    /// [`SessionError`]; then it is not remembered.
    pub async fn set_muted(&self, muted: bool) -> Result<(), SessionError> {
        self.core.mute(muted).await
    }

    /// Manual end of the user's turn.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn activity_end(&self) -> Result<(), SessionError> {
        self.core.send(ClientFrame::ActivityEnd).await
    }

    /// Answered with a `pong` frame.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn ping(&self) -> Result<(), SessionError> {
        self.core.send(ClientFrame::Ping).await
    }

    /// Claims the one voice (R48). Publish, then call [`VoiceClaim::published`].
    ///
    /// # Errors
    /// [`SessionError::AudioPublishAlreadyActive`], [`SessionError::NotConnected`].
    pub fn claim_voice(&self) -> Result<VoiceClaim, SessionError> {
        VoiceClaim::new(&self.core)
    }

    /// Claims the one video (R48). A screen replaces a screen; anything else is refused while something is claimed.
    ///
    /// # Errors
    /// [`SessionError::VideoPublishAlreadyActive`], [`SessionError::NotConnected`], and on the websocket
    /// [`SessionError::VideoUnsupported`] (R85).
    pub fn claim_video(&self, kind: VideoKind) -> Result<VideoClaim, SessionError> {
        VideoClaim::new(&self.core, kind)
    }

    /// Says `end` if the carrier is up and tears the session down (R44). Idempotent.
    pub async fn end(&self) {
        self.core.end(EndReason::ClientEnded, None, true).await;
    }

    /// Tears the session down without a word (R44). Idempotent.
    pub async fn close(&self) {
        self.core.end(EndReason::ClientClosed, None, false).await;
    }

    /// Waits until the session is over and torn down.
    pub async fn closed(&self) {
        self.core.done().await;
    }
}

fn checked(
    frame: Result<ClientFrame, alidade_wire::client::BadContent>,
) -> Result<ClientFrame, SessionError> {
    frame.map_err(|bad| SessionError::InvalidPayload(bad.to_string()))
}

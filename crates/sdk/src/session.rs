//! A session over a room: the engine, and the pictures it is shown.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_agent::{
    Agent, Backend, Events, Items, SessionError, SessionState, Settings, StartError,
};
use alidade_picture::{Picture, PictureId};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use crate::{
    PictureTrack, PublishError, RoomCarrier, TrackSource,
    clock::Clock,
    kept::Kept,
    painter::{Order, Painter},
};

/// A new picture that left this recently may still be on its way or being decoded when a question arrives by the
/// other channel; the question waits so long.
const SETTLE: Duration = Duration::from_millis(60);
/// Longest wait for a fresh picture before a question leaves without one.
const FRESH_WITHIN: Duration = Duration::from_secs(5);
/// Orders that may wait for a track.
const ORDERS: usize = 4;

/// What the tracks of a session share.
#[derive(Debug)]
pub(crate) struct Pictures {
    pub(crate) clock: Clock,
    pub(crate) kept: Mutex<Kept>,
    /// The track that was published last.
    current: Mutex<Option<mpsc::WeakSender<Order>>>,
}

/// A live run of an agent in a room. Clones share it; when the last one is dropped, the session closes.
#[derive(Clone, Debug)]
pub struct Session {
    engine: alidade_agent::Session,
    carrier: RoomCarrier,
    pictures: Arc<Pictures>,
}

impl Session {
    /// Starts an agent with the default settings; returns once it is ready. Dropping the future closes the session.
    ///
    /// # Errors
    /// [`StartError`]; the session is torn down by then.
    pub async fn start(agent: Agent, backend: Backend) -> Result<Self, StartError> {
        Self::start_with(agent, backend, Settings::default()).await
    }

    /// Starts an agent; returns once it is ready. Dropping the future closes the session.
    ///
    /// # Errors
    /// [`StartError`]; the session is torn down by then.
    pub async fn start_with(
        agent: Agent,
        backend: Backend,
        settings: Settings,
    ) -> Result<Self, StartError> {
        let carrier = RoomCarrier::default();
        let (engine, start) =
            alidade_agent::Session::new(agent, backend, Arc::new(carrier.clone()), settings);
        start.run().await?;
        let pictures = Pictures {
            clock: Clock::new(),
            kept: Mutex::default(),
            current: Mutex::new(None),
        };
        Ok(Self {
            engine,
            carrier,
            pictures: Arc::new(pictures),
        })
    }

    /// The session engine, for what is not repeated here.
    #[must_use]
    pub fn engine(&self) -> &alidade_agent::Session {
        &self.engine
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> SessionState {
        self.engine.state()
    }

    /// The server's id of the session.
    #[must_use]
    pub fn id(&self) -> Option<String> {
        self.engine.id()
    }

    /// The event stream; further readers share it, each event goes to one.
    #[must_use]
    pub fn events(&self) -> Events {
        self.engine.events()
    }

    /// The transcript so far.
    #[must_use]
    pub fn transcript(&self) -> Items {
        self.engine.transcript()
    }

    /// Publishes a source of pictures (R48): a screen replaces a screen, anything else is refused while something is
    /// published. The room hears of it with the first picture (R84).
    ///
    /// # Errors
    /// [`PublishError`].
    #[allow(
        clippy::unused_async,
        reason = "publishing may come to wait; callers need not change then"
    )]
    pub async fn publish_pictures(
        &self,
        source: TrackSource,
    ) -> Result<PictureTrack, PublishError> {
        let claim = self.engine.claim_video(source.kind())?;
        let room = self.carrier.room().ok_or(SessionError::NotConnected)?;
        let (orders, taken) = mpsc::channel(ORDERS);
        let newest = Arc::new(Mutex::new(None));
        let painter = Painter {
            source,
            room,
            claim,
            pictures: Arc::clone(&self.pictures),
            newest: Arc::clone(&newest),
            states: self.engine.states(),
        };
        tokio::spawn(painter.paint(taken));
        let track = PictureTrack::new(orders, newest);
        *self.pictures.current.lock() = Some(track.weak());
        Ok(track)
    }

    /// Asks in writing. Where pictures are shown, the question leaves after a fresh one did, so that it is asked about
    /// what is to be seen now. Echoed in the transcript once it left (R67).
    ///
    /// # Errors
    /// [`SessionError`]; then nothing was echoed.
    pub async fn send_text(&self, content: &str) -> Result<(), SessionError> {
        self.show_afresh().await;
        self.engine.send_text(content).await
    }

    /// The picture with that id, if it left within the last ten seconds or is the newest: what a mark belongs to.
    #[must_use]
    pub fn picture(&self, id: PictureId) -> Option<Picture> {
        self.pictures.kept.lock().get(id, Instant::now())
    }

    /// Opens or closes the server's ear.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn set_muted(&self, muted: bool) -> Result<(), SessionError> {
        self.engine.set_muted(muted).await
    }

    /// Answered with a `pong` frame.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn ping(&self) -> Result<(), SessionError> {
        self.engine.ping().await
    }

    /// Says `end` and tears the session down (R44). Idempotent.
    pub async fn end(&self) {
        self.engine.end().await;
    }

    /// Tears the session down without a word (R44). Idempotent.
    pub async fn close(&self) {
        self.engine.close().await;
    }

    /// A fresh picture of what is shown leaves, or it turns out that none can.
    async fn show_afresh(&self) {
        let current = self
            .pictures
            .current
            .lock()
            .as_ref()
            .and_then(mpsc::WeakSender::upgrade);
        let Some(orders) = current else { return };
        let refreshed = async {
            let (done, told) = oneshot::channel();
            orders.send(Order::Refresh { done }).await.ok()?;
            told.await.ok().flatten()
        };
        match tokio::time::timeout(FRESH_WITHIN, refreshed).await {
            Ok(Some(changed)) => tokio::time::sleep(SETTLE.saturating_sub(changed.elapsed())).await,
            Ok(None) => {}
            Err(_) => tracing::warn!(
                "no fresh picture could be sent in time; the question goes without one"
            ),
        }
    }
}

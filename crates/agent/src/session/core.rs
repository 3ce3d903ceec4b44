//! What the parts of a session share.

use std::{panic::AssertUnwindSafe, sync::Arc};

use alidade_wire::{
    chunk,
    client::ClientFrame,
    server::{Ready, Role, ServerFrame, Usage},
};
use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::watch;

use super::{SessionError, SessionState, Settings, VideoKind};
use crate::{
    Agent, Backend, Event, SendFailure, StartError, Transport,
    dispatch::{Dispatcher, Floor},
    event::EventQueue,
    transcript::Transcript,
    transport::{CloseKind, Lane, Link, rules::ReadyAttribute},
};

/// How far a session's end has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Running,
    Ending,
    Done,
}

/// A carrier that closed while it was being joined.
pub(super) struct EarlyClose {
    pub(super) kind: CloseKind,
    pub(super) detail: Option<String>,
}

pub(super) struct State {
    pub(super) session_id: Option<String>,
    pub(super) ready: Option<Ready>,
    pub(super) attribute: ReadyAttribute,
    pub(super) usage: Option<Usage>,
    pub(super) transcript: Transcript,
    pub(super) assembler: chunk::Assembler,
    /// The join has succeeded.
    pub(super) joined: bool,
    /// No event or frame passes any more.
    pub(super) terminal: bool,
    pub(super) early_close: Option<EarlyClose>,
    /// The reason a `session-ended` frame gave.
    pub(super) ended_reason: Option<String>,
    /// Code and message of the newest error frame before `ready`.
    pub(super) early_error: Option<(String, String)>,
    /// Why the start fails, known before the start hears of it.
    pub(super) start_failure: Option<StartError>,
    /// This client published audio in this session.
    pub(super) bound: bool,
    /// The mute state that was sent last, successfully.
    pub(super) muted: Option<bool>,
    pub(super) voice: bool,
    pub(super) video: Option<(u64, VideoKind)>,
    pub(super) claims: u64,
}

pub(crate) struct Core {
    pub(super) agent: Agent,
    pub(super) backend: Backend,
    pub(super) transport: Arc<dyn Transport>,
    pub(super) settings: Settings,
    pub(super) dispatcher: Dispatcher,
    pub(super) state: Mutex<State>,
    pub(super) states: watch::Sender<SessionState>,
    /// Held while the observer sees a move, so that it sees them in order.
    moves: Mutex<()>,
    pub(super) events: EventQueue,
    pub(super) link: Mutex<Option<Arc<dyn Link>>>,
    /// One frame at a time, so that its chunks stay together.
    turn_to_send: tokio::sync::Mutex<()>,
    pub(super) is_ready: watch::Sender<bool>,
    pub(super) over: watch::Sender<Over>,
}

impl Core {
    pub(super) fn new(
        agent: Agent,
        backend: Backend,
        transport: Arc<dyn Transport>,
        settings: Settings,
    ) -> Arc<Self> {
        Arc::new_cyclic(|core: &std::sync::Weak<Self>| {
            let floor = Arc::new(SessionFloor(core.clone()));
            let dispatcher = Dispatcher::new(agent.clone(), Arc::clone(&settings.gate), floor);
            Self {
                agent,
                backend,
                transport,
                settings,
                dispatcher,
                state: Mutex::new(State {
                    session_id: None,
                    ready: None,
                    attribute: ReadyAttribute::default(),
                    usage: None,
                    transcript: Transcript::default(),
                    assembler: chunk::Assembler::new(),
                    joined: false,
                    terminal: false,
                    early_close: None,
                    ended_reason: None,
                    early_error: None,
                    start_failure: None,
                    bound: false,
                    muted: None,
                    voice: false,
                    video: None,
                    claims: 0,
                }),
                states: watch::Sender::new(SessionState::Idle),
                moves: Mutex::new(()),
                events: EventQueue::default(),
                link: Mutex::new(None),
                turn_to_send: tokio::sync::Mutex::new(()),
                is_ready: watch::Sender::new(false),
                over: watch::Sender::new(Over::Running),
            }
        })
    }

    /// Moves on, unless that is no move or the session is over; tells the observer.
    pub(super) fn move_to(&self, next: SessionState) {
        let _in_order = self.moves.lock();
        let moved = self.states.send_if_modified(|now| {
            let allowed = !matches!(now, SessionState::Disconnected { .. }) && *now != next;
            if allowed {
                *now = next.clone();
            }
            allowed
        });
        if let (true, Some(observer)) = (moved, &self.settings.observer)
            && std::panic::catch_unwind(AssertUnwindSafe(|| observer(&next))).is_err()
        {
            tracing::error!("the observer of the session's state panicked");
        }
    }

    /// The carrier, if frames may be sent.
    pub(super) fn live_link(&self) -> Result<Arc<dyn Link>, SessionError> {
        if self.state.lock().terminal {
            return Err(SessionError::NotConnected);
        }
        self.link.lock().clone().ok_or(SessionError::NotConnected)
    }

    pub(super) async fn send(&self, frame: ClientFrame) -> Result<(), SessionError> {
        let link = self.live_link()?;
        self.send_over(&*link, &frame).await
    }

    /// Sends whole, or in chunks where the room needs it (R63).
    pub(super) async fn send_over(
        &self,
        link: &dyn Link,
        frame: &ClientFrame,
    ) -> Result<(), SessionError> {
        let text = frame.encode();
        let packets = match self.transport.lane() {
            Lane::Room => chunk::split(&text),
            Lane::Websocket => vec![text],
        };
        let _turn = self.turn_to_send.lock().await;
        for packet in packets {
            link.send(packet.into())
                .await
                .map_err(|failure| SessionError::SendFailed(failure.0))?;
        }
        Ok(())
    }

    pub(super) async fn mute(&self, muted: bool) -> Result<(), SessionError> {
        self.send(ClientFrame::Mute { muted }).await?;
        self.state.lock().muted = Some(muted);
        Ok(())
    }

    /// Typed text that left: its own closed item, and the event of a final user transcript (R67).
    pub(super) fn echo(&self, content: &str) {
        let mut state = self.state.lock();
        if state.terminal {
            return;
        }
        let changed = state.transcript.typed(content);
        let text = content.to_owned();
        self.events.push(Event::Frame(ServerFrame::Transcript {
            role: Role::User,
            text,
            is_final: true,
        }));
        if changed {
            self.events.push(Event::TranscriptUpdated {
                items: state.transcript.items(),
            });
        }
    }
}

/// What the dispatcher sees of its session; does not keep it alive.
struct SessionFloor(std::sync::Weak<Core>);

#[async_trait]
impl Floor for SessionFloor {
    fn session_id(&self) -> Option<String> {
        self.0.upgrade()?.state.lock().session_id.clone()
    }

    fn open(&self) -> bool {
        self.0
            .upgrade()
            .is_some_and(|core| !core.state.lock().terminal)
    }

    fn defers(&self) -> bool {
        // The websocket has no deferred replies.
        self.0
            .upgrade()
            .is_some_and(|core| core.transport.lane() == Lane::Room)
    }

    async fn send(&self, frame: ClientFrame) -> Result<(), SendFailure> {
        let gone = || SendFailure("the session is over".to_owned());
        let core = self.0.upgrade().ok_or_else(gone)?;
        core.send(frame)
            .await
            .map_err(|error| SendFailure(error.to_string()))
    }
}

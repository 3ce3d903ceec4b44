//! What comes in, in arrival order (`frames.md` §4).

use std::{borrow::Cow, sync::Arc};

use alidade_wire::{
    Value,
    chunk::Assembled,
    client::ClientFrame,
    server::{Incoming, ServerFrame, Unknown},
};
use tokio::sync::mpsc;

use super::{
    SessionState,
    core::{Core, EarlyClose, Over, State},
};
use crate::{
    EndReason, Event, StartCode, StartError,
    transport::{CloseKind, Inbound, Sender, rules},
};

/// Reads the inbox until the session is over or the carrier is gone.
pub(super) async fn pump(core: Arc<Core>, mut inbox: mpsc::Receiver<Inbound>) {
    let mut over = core.over.subscribe();
    loop {
        let inbound = tokio::select! {
            biased;
            _ = over.wait_for(|over| *over != Over::Running) => return,
            inbound = inbox.recv() => inbound,
        };
        match inbound {
            Some(Inbound::Data { sender, payload }) if rules::accepts_data(sender) => {
                core.frame(&payload)
            }
            Some(Inbound::Data { .. }) => {
                tracing::debug!("a data frame that is not the agent's is dropped")
            }
            Some(Inbound::ReadyAttribute { sender, value }) => core.ready_attribute(sender, &value),
            Some(Inbound::Call(call)) => {
                let dispatcher = core.dispatcher.clone();
                tokio::spawn(async move { dispatcher.answer(call).await });
            }
            Some(Inbound::Reconnecting) => core.move_to(SessionState::Reconnecting),
            Some(Inbound::Reconnected) => core.reconnected().await,
            Some(Inbound::Closed { kind, detail }) => return core.carrier_closed(kind, detail),
            None => return core.carrier_closed(CloseKind::TransportError, None),
        }
    }
}

impl Core {
    pub(super) fn ready_attribute(self: &Arc<Self>, sender: Sender, value: &str) {
        // The lock is given back before the frame takes it.
        let first = self.state.lock().attribute.take(sender, value);
        if first {
            self.frame(value.as_bytes());
        }
    }

    /// One data frame.
    pub(super) fn frame(self: &Arc<Self>, bytes: &[u8]) {
        let mut state = self.state.lock();
        if state.terminal {
            return;
        }
        // A whole frame out of chunks may itself be a chunk; it is a quarter shorter each time, so this ends.
        let mut bytes = Cow::Borrowed(bytes);
        loop {
            let chunk = match Incoming::read(&bytes) {
                Incoming::Frame(ServerFrame::EnvelopeChunk(chunk)) => chunk,
                Incoming::Frame(frame) => return self.event(&mut state, frame),
                Incoming::Unknown(unknown) => return self.events.push(Event::Unknown(unknown)),
            };
            match state.assembler.push(chunk) {
                Assembled::Nothing => return,
                Assembled::Frame(whole) => bytes = Cow::Owned(whole),
                Assembled::Undecodable => {
                    return self.events.push(Event::Unknown(undecodable(&bytes)));
                }
            }
        }
    }

    /// A frame becomes at most one event, and one more where it changed the transcript.
    fn event(self: &Arc<Self>, state: &mut State, mut frame: ServerFrame) {
        let mut changed = false;
        match &mut frame {
            ServerFrame::Ready(_) if state.ready.is_some() => return,
            ServerFrame::Ready(ready) => {
                state.ready = Some(ready.clone());
                state
                    .session_id
                    .get_or_insert_with(|| ready.session_id.clone());
            }
            ServerFrame::SessionEnded { reason } => {
                if reason.is_some() {
                    state.ended_reason = reason.take();
                }
                self.grace();
                return;
            }
            ServerFrame::EnvelopeChunk(_) => return,
            ServerFrame::Error { code, message, .. } if state.ready.is_none() => {
                state.early_error = Some((code.clone(), message.clone()));
            }
            ServerFrame::Transcript {
                role,
                text,
                is_final,
            } => {
                changed = state.transcript.delta(*role, text, *is_final);
            }
            ServerFrame::TurnComplete { role } => changed = state.transcript.turn_complete(*role),
            ServerFrame::DelegationCreated {
                delegation_id,
                transcript,
            } => {
                *transcript = state.transcript.hand_off(delegation_id, transcript);
            }
            ServerFrame::Usage(usage) => state.usage = Some(*usage),
            _ => {}
        }
        let ready = matches!(frame, ServerFrame::Ready(_));
        self.events.push(Event::Frame(frame));
        if changed {
            self.events.push(Event::TranscriptUpdated {
                items: state.transcript.items(),
            });
        }
        if ready {
            self.is_ready.send_replace(true);
        }
    }

    /// After a `session-ended` frame the carrier has a while to close by itself (R41).
    fn grace(self: &Arc<Self>) {
        let (core, grace) = (Arc::downgrade(self), self.settings.timing.end_grace);
        tokio::spawn(async move {
            tokio::time::sleep(grace).await;
            if let Some(core) = core.upgrade() {
                let reason = core.state.lock().ended_reason.clone();
                core.carrier_closed(CloseKind::ServerEnded, reason);
            }
        });
    }

    /// The carrier is gone (R34, R43).
    pub(super) fn carrier_closed(self: &Arc<Self>, kind: CloseKind, detail: Option<String>) {
        let (reason, detail) = {
            let mut state = self.state.lock();
            if state.terminal {
                return;
            }
            if !state.joined {
                state.early_close.get_or_insert(EarlyClose { kind, detail });
                return;
            }
            if state.ready.is_none() {
                let (failure, detail) = handshake_failure(&state, detail);
                state.start_failure = Some(failure);
                (EndReason::HandshakeFailed, detail)
            } else if let Some(reason) = state.ended_reason.clone() {
                (EndReason::ServerEnded, Some(reason))
            } else if kind == CloseKind::ServerEnded {
                (EndReason::ServerEnded, detail)
            } else {
                (EndReason::TransportError, detail)
            }
        };
        self.finish(reason, detail, false);
    }

    /// The carrier is back (R40).
    async fn reconnected(self: &Arc<Self>) {
        let link = self.link.lock().clone();
        for value in link.iter().flat_map(|link| link.ready_attributes()) {
            self.ready_attribute(Sender::Agent, &value);
        }
        self.move_to(SessionState::Connected);
        let (bound, muted) = {
            let state = self.state.lock();
            (state.bound, state.muted)
        };
        let mut frames = Vec::new();
        frames.extend(bound.then_some(ClientFrame::BindInput));
        frames.extend(muted.map(|muted| ClientFrame::Mute { muted }));
        for frame in frames {
            if let Err(error) = self.send(frame).await {
                tracing::warn!(%error, "the voice could not be restored after a reconnect");
            }
        }
    }
}

/// The chunk that completed a set in which a piece does not decode (`frames.md` §5.8).
fn undecodable(bytes: &[u8]) -> Unknown {
    let payload = match serde_json::from_slice(bytes) {
        Ok(Value::Object(map)) => Some(map),
        _ => None,
    };
    Unknown {
        raw_type: Some("server-envelope-chunk".to_owned()),
        payload,
        raw_text: None,
    }
}

/// Error and detail of a session that ended before it was ready: the newest error frame's, or the carrier's own.
pub(super) fn handshake_failure(
    state: &State,
    detail: Option<String>,
) -> (StartError, Option<String>) {
    if let Some((code, message)) = &state.early_error {
        let error = StartError::new(StartCode::HandshakeFailed, message.as_str())
            .with_server_code(code.as_str());
        return (error, Some(format!("handshake_failed: {message}")));
    }
    let message = match &detail {
        Some(detail) => format!("the session ended before ready: {detail}"),
        None => "the session ended before ready".to_owned(),
    };
    (StartError::new(StartCode::HandshakeFailed, message), detail)
}

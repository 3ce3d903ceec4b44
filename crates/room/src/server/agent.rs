//! The agent's own side of a room.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc;

use super::state::Shared;
use crate::data::{send_bytes, user_packet};
use crate::media::Order;
use crate::{
    DisconnectReason, EncodedPicture, Participant, RpcCall, RpcError, SendError, TrackInfo,
    UserPacket,
};

/// Longest wait of [`Agent::close`] for a session to end.
const CLOSE_PATIENCE: Duration = Duration::from_secs(3);

/// The agent in a room. Clones share it.
#[derive(Debug, Clone)]
pub struct Agent {
    shared: Arc<Shared>,
}

impl Agent {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Merges `attributes` into the agent's; an empty value removes a key. The client is told.
    pub fn set_attributes(&self, attributes: BTreeMap<String, String>) {
        self.shared.set_agent_attributes(attributes);
    }

    /// The agent's own participant.
    pub fn local(&self) -> Participant {
        Participant::from_wire(&self.shared.agent.lock())
    }

    /// Sends a user packet to the client, reliably and in order. Packets sent before the client's
    /// data channel is open wait for it.
    ///
    /// # Errors
    /// [`SendError`] when the payload is too long, the room is closed, or nothing moves for 10 s.
    pub async fn send_user(&self, payload: Bytes, topic: Option<&str>) -> Result<(), SendError> {
        let packet = user_packet(payload, topic, &[])?;
        self.open()?;
        self.shared.outbox.send(packet).await
    }

    /// Sends `bytes` as a byte stream to the client.
    ///
    /// # Errors
    /// As [`Agent::send_user`].
    pub async fn send_bytes(&self, topic: &str, name: &str, bytes: Bytes) -> Result<(), SendError> {
        self.open()?;
        send_bytes(&self.shared.outbox, topic, name, bytes, &[]).await
    }

    /// Calls a method of the client and waits for the answer, at most `timeout`. A client that is
    /// lost meanwhile is told at once (1503); should it come back and answer after all, that is an
    /// [`AgentEvent::LateAnswer`].
    ///
    /// # Errors
    /// The error of the client, or 1401, 1402, 1501, 1502, 1503, 1505 of this side.
    pub async fn call(
        &self,
        method: &str,
        payload: String,
        timeout: Duration,
    ) -> Result<String, RpcError> {
        let Some(client) = self.client() else {
            return Err(RpcError::recipient_not_found());
        };
        self.shared
            .calls
            .call(
                &self.shared.outbox,
                &client.identity,
                method,
                payload,
                timeout,
                || self.client().is_some_and(|now| now.sid == client.sid),
            )
            .await
    }

    /// Asks the client for a key picture of this track. An unknown track is ignored.
    pub fn request_key_frame(&self, track_sid: &str) {
        if let Some(live) = &*self.shared.live.lock() {
            // The session may be ending just now: then there is nothing left to ask for.
            let _ = live.orders.send(Order::KeyWanted {
                sid: track_sid.to_owned(),
            });
        }
    }

    /// The client, while it is in the room.
    pub fn client(&self) -> Option<Participant> {
        self.shared.client()
    }

    /// Ends the room: the client gets `leave` with the reason, then everything closes. Returns
    /// when it is done. The first reason counts.
    pub async fn close(&self, reason: DisconnectReason) {
        self.shared.closed.send_if_modified(|closed| {
            let first = closed.is_none();
            if first {
                *closed = Some(reason);
            }
            first
        });
        let gone = self
            .shared
            .live
            .lock()
            .as_ref()
            .map(|live| live.gone.clone());
        if let Some(gone) = gone {
            let _ = tokio::time::timeout(CLOSE_PATIENCE, gone.cancelled()).await;
        }
        self.shared.calls.disconnected(None);
    }

    /// The media sections of the client's tracks.
    #[cfg(test)]
    pub(crate) fn sections(&self) -> Vec<String> {
        let client = self.shared.client.lock();
        let tracks = client.iter().flat_map(|client| client.tracks.iter());
        tracks.map(|track| track.mid.clone()).collect()
    }

    /// The ids of the calls that wait for the client's answer.
    #[cfg(test)]
    pub(crate) fn waiting_calls(&self) -> Vec<String> {
        self.shared.calls.waiting()
    }

    /// Puts the request of a call in line that nobody waits for.
    #[cfg(test)]
    pub(crate) async fn queue_call(&self, method: &str) {
        let request = livekit_protocol::RpcRequest {
            id: "left behind".into(),
            method: method.into(),
            version: 1,
            ..Default::default()
        };
        let packet = livekit_protocol::DataPacket {
            value: Some(livekit_protocol::data_packet::Value::RpcRequest(request)),
            ..Default::default()
        };
        let queued = self.shared.outbox.send(packet).await;
        assert_eq!(queued, Ok(()));
    }

    fn open(&self) -> Result<(), SendError> {
        if self.shared.closed.borrow().is_some() {
            Err(SendError::Closed)
        } else {
            Ok(())
        }
    }
}

/// What happens at the agent.
#[derive(Debug)]
#[non_exhaustive]
pub enum AgentEvent {
    /// The client's signalling is up.
    ClientJoined(Participant),
    /// The client's data channel is open.
    DataReady,
    /// A user packet of the client.
    User(UserPacket),
    /// The client calls a method of the agent. Reply with [`RpcError::unsupported_method`] to
    /// names the agent does not have.
    Call(RpcCall),
    /// The client, which was lost or seemed to be while a method of it was called, answers after
    /// all. The call has failed with error 1503 or 1501 long since.
    LateAnswer {
        /// The method that was called.
        method: String,
        /// What the handler answered.
        answer: Result<String, RpcError>,
    },
    /// The client published a track.
    TrackPublished(TrackInfo),
    /// Media of a video track begins to arrive.
    TrackMedia {
        /// The track.
        track: TrackInfo,
        /// Its pictures, complete and in order; ends with the track. When nobody reads, the
        /// oldest are dropped and a key picture is asked for.
        pictures: mpsc::Receiver<EncodedPicture>,
    },
    /// A track ended.
    TrackEnded {
        /// Which.
        sid: String,
    },
    /// The client muted or unmuted a track.
    TrackMuted {
        /// Which.
        sid: String,
        /// Whether it is muted now.
        muted: bool,
    },
    /// A byte stream of the client arrived whole.
    Stream {
        /// Topic of the stream.
        topic: String,
        /// Its name; empty when it has none.
        name: String,
        /// Its media type.
        mime_type: String,
        /// Further key-value data.
        attributes: BTreeMap<String, String>,
        /// The content.
        bytes: Bytes,
    },
    /// The client left or was lost.
    ClientLeft {
        /// Why; [`DisconnectReason::SignalClose`] when the connection just broke.
        reason: DisconnectReason,
    },
}

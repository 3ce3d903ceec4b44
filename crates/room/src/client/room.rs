//! A stay in a room, as the application holds it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::people::People;
use super::publish::{PublishError, VideoOptions, VideoTrack};
use super::session::Command;
use crate::data::{Calls, Outbox, Roster as _, send_bytes, user_packet};
use crate::{
    ByteStream, DisconnectReason, Participant, ParticipantKind, RpcError, SendError, UserPacket,
};

/// Longest wait for a publication.
const PUBLISH_PATIENCE: Duration = Duration::from_secs(10);

/// What happens in a room.
#[derive(Debug)]
#[non_exhaustive]
pub enum RoomEvent {
    /// A user packet arrived.
    User(UserPacket),
    /// A remote participant joined or changed. The ones present at the join are reported too.
    ParticipantChanged(Participant),
    /// A remote participant left.
    ParticipantLeft(Participant),
    /// A byte stream arrived whole.
    Stream(ByteStream),
    /// The connection is lost and is being made anew. Reserved: for now a lost connection ends
    /// the stay.
    Reconnecting,
    /// The connection is back. Reserved, like [`RoomEvent::Reconnecting`].
    Reconnected,
    /// The stay is over. Nothing follows.
    Closed(DisconnectReason),
}

#[derive(Debug)]
struct Inner {
    people: Arc<People>,
    calls: Arc<Calls>,
    outbox: Outbox,
    commands: mpsc::UnboundedSender<Command>,
    over: CancellationToken,
}

/// A stay in a room. Clones share it; [`Room::leave`], the server, or dropping every handle ends
/// it.
#[derive(Debug, Clone)]
pub struct Room {
    inner: Arc<Inner>,
}

impl Room {
    pub(super) fn new(
        people: Arc<People>,
        calls: Arc<Calls>,
        outbox: Outbox,
        commands: mpsc::UnboundedSender<Command>,
        over: CancellationToken,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                people,
                calls,
                outbox,
                commands,
                over,
            }),
        }
    }

    /// Sends a user packet, reliably and in order, to `to`, or to everybody when `to` is empty.
    ///
    /// # Errors
    /// [`SendError`] when the payload is too long, the stay is over, or nothing moves for 10 s.
    pub async fn send_user(
        &self,
        payload: Bytes,
        topic: Option<&str>,
        to: &[String],
    ) -> Result<(), SendError> {
        let packet = user_packet(payload, topic, to)?;
        self.open()?;
        self.inner.outbox.send(packet).await
    }

    /// The remote participants of kind agent, oldest first.
    pub fn agents(&self) -> Vec<Participant> {
        let mut agents = self.participants();
        agents.retain(|participant| participant.kind == ParticipantKind::Agent);
        agents
    }

    /// All remote participants, oldest first.
    pub fn participants(&self) -> Vec<Participant> {
        self.inner.people.remote()
    }

    /// This side's own participant.
    pub fn local(&self) -> Participant {
        self.inner.people.local()
    }

    /// Calls a method of another participant and waits for the answer, at most `timeout`.
    ///
    /// # Errors
    /// The error of the other side, or 1401, 1402, 1501, 1502, 1503, 1505 of this side.
    pub async fn call(
        &self,
        identity: &str,
        method: &str,
        payload: String,
        timeout: Duration,
    ) -> Result<String, RpcError> {
        if self.open().is_err() {
            return Err(RpcError::send_failed());
        }
        if self.inner.people.find(identity).is_none() {
            return Err(RpcError::recipient_not_found());
        }
        self.inner
            .calls
            .call(
                &self.inner.outbox,
                identity,
                method,
                payload,
                timeout,
                || self.open().is_ok() && self.inner.people.find(identity).is_some(),
            )
            .await
    }

    /// Sends `bytes` as a byte stream to `to`, or to everybody when `to` is empty.
    ///
    /// # Errors
    /// As [`Room::send_user`]; at most 16 MiB.
    pub async fn send_bytes(
        &self,
        topic: &str,
        name: &str,
        bytes: Bytes,
        to: &[String],
    ) -> Result<(), SendError> {
        self.open()?;
        send_bytes(&self.inner.outbox, topic, name, bytes, to).await
    }

    /// Publishes a VP8 track; returns once the server has named it and it is negotiated.
    ///
    /// # Errors
    /// [`PublishError`].
    pub async fn publish_video(&self, options: VideoOptions) -> Result<VideoTrack, PublishError> {
        let (reply, answer) = oneshot::channel();
        self.inner
            .commands
            .send(Command::Publish { options, reply })
            .map_err(|_| PublishError::Closed)?;
        match tokio::time::timeout(PUBLISH_PATIENCE, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(PublishError::Closed),
            Err(_) => Err(PublishError::Timeout),
        }
    }

    /// Leaves the room and waits until the connection is closed. What was sent before arrives, as
    /// long as the other side takes it within [`LEAVE_FLUSH`](crate::limits::LEAVE_FLUSH). Leaving
    /// twice is no fault.
    pub async fn leave(&self) {
        let (reply, done) = oneshot::channel();
        if self.inner.commands.send(Command::Leave { reply }).is_ok() {
            // An error means the same: the stay is over.
            let _ = done.await;
        }
    }

    #[cfg(test)]
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.inner.outbox
    }

    fn open(&self) -> Result<(), SendError> {
        if self.inner.over.is_cancelled() {
            Err(SendError::Closed)
        } else {
            Ok(())
        }
    }
}

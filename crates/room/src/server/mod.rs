//! A room for one client and an agent in the same process.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::extract::ws::WebSocket;
use bytes::Bytes;
use tokio::sync::mpsc;

use crate::{
    DisconnectReason, EncodedPicture, Participant, RpcCall, RpcError, SendError, TrackInfo,
    UserPacket,
};

/// Names of a room and of the two in it.
#[derive(Debug, Clone, Default)]
pub struct RoomOptions {
    /// Name of the room.
    pub name: String,
    /// Identity the client gets.
    pub client_identity: String,
    /// Display name the client gets.
    pub client_name: String,
    /// Identity of the agent.
    pub agent_identity: String,
    /// Attributes the agent has from the start.
    pub agent_attributes: BTreeMap<String, String>,
}

/// A join query that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadJoin {
    /// The query is longer than a join can be.
    #[error("the join query is too long")]
    TooLong,
    /// There is no `join_request`.
    #[error("the join query has no join_request")]
    Missing,
    /// `join_request` is not what it should be.
    #[error("the join_request is not readable: {0}")]
    Unreadable(&'static str),
}

/// A parsed query of `/rtc/v1`.
#[derive(Debug, Clone)]
pub struct JoinQuery {}

impl JoinQuery {
    /// Reads the query part of the request, without the question mark.
    ///
    /// # Errors
    /// [`BadJoin`]; none of them contains the token.
    pub fn parse(_query: &str) -> Result<Self, BadJoin> {
        Err(BadJoin::Missing)
    }
}

/// A room. Clones share it.
#[derive(Debug, Clone)]
pub struct ServerRoom {}

impl ServerRoom {
    /// Opens a room with its agent. The room lives until [`Agent::close`] or until every handle
    /// is dropped.
    pub fn open(_options: RoomOptions) -> (Self, Agent, mpsc::Receiver<AgentEvent>) {
        let (_, events) = mpsc::channel(1);
        (Self {}, Agent {}, events)
    }

    /// Serves the client behind `socket` until its signalling ends. The token has been checked
    /// before. A second client takes the place of the first.
    pub async fn serve(&self, _socket: WebSocket, _query: JoinQuery) {}
}

/// The agent in a room. Clones share it.
#[derive(Debug, Clone)]
pub struct Agent {}

impl Agent {
    /// Merges `attributes` into the agent's; an empty value removes a key. The client is told.
    pub fn set_attributes(&self, _attributes: BTreeMap<String, String>) {}

    /// The agent's own participant.
    pub fn local(&self) -> Participant {
        Participant {
            sid: String::new(),
            identity: String::new(),
            kind: crate::ParticipantKind::Agent,
            attributes: Default::default(),
            tracks: Vec::new(),
        }
    }

    /// Sends a user packet to the client, reliably and in order. Packets sent before the client's
    /// data channel is open wait for it.
    ///
    /// # Errors
    /// [`SendError`] when the payload is too long, the room is closed, or nothing moves for 10 s.
    pub async fn send_user(&self, _payload: Bytes, _topic: Option<&str>) -> Result<(), SendError> {
        Err(SendError::Closed)
    }

    /// Calls a method of the client and waits for the answer, at most `timeout`.
    ///
    /// # Errors
    /// The error of the client, or 1401, 1402, 1501, 1502, 1503, 1505 of this side.
    pub async fn call(
        &self,
        _method: &str,
        _payload: String,
        _timeout: Duration,
    ) -> Result<String, RpcError> {
        Err(RpcError::recipient_not_found())
    }

    /// Asks the client for a key picture of this track. An unknown track is ignored.
    pub fn request_key_frame(&self, _track_sid: &str) {}

    /// The client, while it is in the room.
    pub fn client(&self) -> Option<Participant> {
        None
    }

    /// Ends the room: the client gets `leave` with the reason, then everything closes.
    pub async fn close(&self, _reason: DisconnectReason) {}
}

/// What happens at the agent.
#[derive(Debug)]
#[non_exhaustive]
pub enum AgentEvent {
    /// The client's signalling is up.
    ClientJoined(Participant),
    /// The client's data channel is open: what is sent now arrives.
    DataReady,
    /// A user packet of the client.
    User(UserPacket),
    /// The client calls a method of the agent. Reply with [`RpcError::unsupported_method`] to
    /// names the agent does not have.
    Call(RpcCall),
    /// The client published a track.
    TrackPublished(TrackInfo),
    /// Media of a video track begins to arrive.
    TrackMedia {
        /// The track.
        track: TrackInfo,
        /// Its pictures, complete and in order; ends with the track. When nobody reads, the
        /// oldest are dropped.
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

//! Joining a room: the participant's side.

use std::collections::HashSet;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{mpsc, watch};

use crate::{
    ByteStream, DisconnectReason, EncodedPicture, Participant, RpcCall, RpcError, Secret,
    SendError, TrackInfo, TrackSource, UserPacket,
};

/// What a join needs.
#[derive(Debug, Clone)]
pub struct JoinOptions {
    /// Address of the server: `ws`, `wss`, `http` or `https`, with or without a path before `/rtc`.
    pub url: String,
    /// The join token.
    pub token: Secret,
    /// Name of this program.
    pub sdk_name: String,
    /// Version of this program.
    pub sdk_version: String,
    /// Methods answered on this side. A call of another method is answered with error 1400.
    pub methods: HashSet<String>,
    /// Time for the whole join, until the data channel is open.
    pub timeout: Duration,
}

/// A join that came about.
#[derive(Debug)]
pub struct Joined {
    /// The room.
    pub room: Room,
    /// What happens in the room, in order. [`RoomEvent::Closed`] is the last. Keep reading: a full
    /// queue stops the data of the room.
    pub events: mpsc::Receiver<RoomEvent>,
    /// Calls of the methods named in [`JoinOptions::methods`].
    pub calls: mpsc::Receiver<RpcCall>,
}

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
    /// The connection is lost and is being made anew.
    Reconnecting,
    /// The connection is back.
    Reconnected,
    /// The stay is over. Nothing follows.
    Closed(DisconnectReason),
}

/// Why a join did not come about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The address is unusable.
    #[error("the room address is not usable: {0}")]
    BadUrl(String),
    /// The server refused the connection with this HTTP status.
    #[error("the room server refused the join with status {status}: {text}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the server said, shortened.
        text: String,
    },
    /// The server ended the join with a reason.
    #[error("the room server ended the join: {0}")]
    Left(DisconnectReason),
    /// The server could not be reached or spoke something else.
    #[error("the room server cannot be reached: {0}")]
    Signal(String),
    /// The media connection did not come about.
    #[error("the media connection could not be set up: {0}")]
    Media(String),
    /// Time ran out.
    #[error("the room did not answer in time; is the server running and reachable?")]
    Timeout,
}

/// A stay in a room. Clones share it; [`Room::leave`] or the server ends it.
#[derive(Debug, Clone)]
pub struct Room {}

impl Room {
    /// Sends a user packet, reliably and in order, to `to`, or to everybody when `to` is empty.
    ///
    /// # Errors
    /// [`SendError`] when the payload is too long, the stay is over, or nothing moves for 10 s.
    pub async fn send_user(
        &self,
        _payload: Bytes,
        _topic: Option<&str>,
        _to: &[String],
    ) -> Result<(), SendError> {
        Err(SendError::Closed)
    }

    /// The remote participants of kind agent, oldest first.
    pub fn agents(&self) -> Vec<Participant> {
        Vec::new()
    }

    /// All remote participants, oldest first.
    pub fn participants(&self) -> Vec<Participant> {
        Vec::new()
    }

    /// This side's own participant.
    pub fn local(&self) -> Participant {
        Participant {
            sid: String::new(),
            identity: String::new(),
            kind: crate::ParticipantKind::Standard,
            attributes: Default::default(),
            tracks: Vec::new(),
        }
    }

    /// Calls a method of another participant and waits for the answer, at most `timeout`.
    ///
    /// # Errors
    /// The error of the other side, or 1401, 1402, 1501, 1502, 1503, 1505 of this side.
    pub async fn call(
        &self,
        _identity: &str,
        _method: &str,
        _payload: String,
        _timeout: Duration,
    ) -> Result<String, RpcError> {
        Err(RpcError::send_failed())
    }

    /// Sends `bytes` as a byte stream to `to`, or to everybody when `to` is empty.
    ///
    /// # Errors
    /// As [`Room::send_user`].
    pub async fn send_bytes(
        &self,
        _topic: &str,
        _name: &str,
        _bytes: Bytes,
        _to: &[String],
    ) -> Result<(), SendError> {
        Err(SendError::Closed)
    }

    /// Publishes a VP8 track; returns once the server has named it and it is negotiated.
    ///
    /// # Errors
    /// [`PublishError`].
    pub async fn publish_video(&self, _options: VideoOptions) -> Result<VideoTrack, PublishError> {
        Err(PublishError::Closed)
    }

    /// Leaves the room and waits until the connection is closed.
    pub async fn leave(&self) {}
}

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
    info: TrackInfo,
    wanted: watch::Receiver<u64>,
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

    /// Puts a picture in line for sending; never waits. When the line is full, the waiting
    /// pictures are dropped ([`VideoTrack::dropped`]) and pictures are refused until a key
    /// picture comes, which [`VideoTrack::key_frame_wanted`] asks for.
    ///
    /// # Errors
    /// [`TrackEnded`].
    pub fn write(&self, _picture: EncodedPicture) -> Result<(), TrackEnded> {
        Err(TrackEnded)
    }

    /// Waits until every picture written so far has been sent or dropped.
    ///
    /// # Errors
    /// [`TrackEnded`].
    pub async fn flush(&self) -> Result<(), TrackEnded> {
        Err(TrackEnded)
    }

    /// Number of pictures dropped so far.
    pub fn dropped(&self) -> u64 {
        0
    }

    /// Counts the requests for a key picture; each change is a request.
    pub fn key_frame_wanted(&self) -> watch::Receiver<u64> {
        self.wanted.clone()
    }

    /// Ends the track; returns once it is negotiated. Ending it twice is no fault.
    pub async fn unpublish(&self) {}
}

/// Joins a room and returns once data can flow.
///
/// # Errors
/// [`JoinError`]; none of them contains the token.
pub async fn join(_options: JoinOptions) -> Result<Joined, JoinError> {
    Err(JoinError::Timeout)
}

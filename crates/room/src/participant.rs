//! Who is in a room and which tracks they publish.

use std::collections::BTreeMap;

use livekit_protocol as proto;

/// What a participant is, after LiveKit's `ParticipantInfo.Kind`.
///
/// Rules about senders and callers go by the kind, never by the identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParticipantKind {
    /// A person's client.
    Standard,
    /// An ingest process.
    Ingress,
    /// A recording process.
    Egress,
    /// A phone leg.
    Sip,
    /// An agent.
    Agent,
    /// A kind this version does not know, by its number.
    Other(i32),
}

impl ParticipantKind {
    pub(crate) fn from_wire(number: i32) -> Self {
        match number {
            0 => Self::Standard,
            1 => Self::Ingress,
            2 => Self::Egress,
            3 => Self::Sip,
            4 => Self::Agent,
            other => Self::Other(other),
        }
    }
}

/// Sound or picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackKind {
    /// Sound.
    Audio,
    /// Pictures.
    Video,
}

/// Where a track's media comes from, after LiveKit's `TrackSource`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackSource {
    /// Not said.
    Unknown,
    /// A camera, or any other video that is not a screen.
    Camera,
    /// A microphone.
    Microphone,
    /// A screen or a window.
    ScreenShare,
    /// The sound of a shared screen.
    ScreenShareAudio,
}

impl TrackSource {
    pub(crate) fn from_wire(number: i32) -> Self {
        match number {
            1 => Self::Camera,
            2 => Self::Microphone,
            3 => Self::ScreenShare,
            4 => Self::ScreenShareAudio,
            _ => Self::Unknown,
        }
    }

    pub(crate) fn to_wire(self) -> i32 {
        match self {
            Self::Unknown => 0,
            Self::Camera => 1,
            Self::Microphone => 2,
            Self::ScreenShare => 3,
            Self::ScreenShareAudio => 4,
        }
    }
}

/// A published track, as announced. The pictures themselves may have another size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackInfo {
    /// Identifier given by the server, `TR_…`.
    pub sid: String,
    /// Name chosen by the publisher, for example `screen`.
    pub name: String,
    /// Sound or picture.
    pub kind: TrackKind,
    /// Where the media comes from.
    pub source: TrackSource,
    /// Announced width in pixels; 0 for sound.
    pub width: u32,
    /// Announced height in pixels; 0 for sound.
    pub height: u32,
}

impl TrackInfo {
    pub(crate) fn from_wire(info: &proto::TrackInfo) -> Option<Self> {
        let kind = match info.r#type {
            0 => TrackKind::Audio,
            1 => TrackKind::Video,
            _ => return None,
        };
        Some(Self {
            sid: info.sid.clone(),
            name: info.name.clone(),
            kind,
            source: TrackSource::from_wire(info.source),
            width: info.width,
            height: info.height,
        })
    }
}

/// Somebody in the room, as last heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// Identifier of this stay in the room, `PA_…`.
    pub sid: String,
    /// Identifier of the person or process; informative.
    pub identity: String,
    /// What kind of participant it is.
    pub kind: ParticipantKind,
    /// Key-value state that everybody in the room sees.
    pub attributes: BTreeMap<String, String>,
    /// Tracks it publishes.
    pub tracks: Vec<TrackInfo>,
}

impl Participant {
    pub(crate) fn from_wire(info: &proto::ParticipantInfo) -> Self {
        Self {
            sid: info.sid.clone(),
            identity: info.identity.clone(),
            kind: ParticipantKind::from_wire(info.kind),
            attributes: info
                .attributes
                .iter()
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
            tracks: info
                .tracks
                .iter()
                .filter_map(TrackInfo::from_wire)
                .collect(),
        }
    }
}

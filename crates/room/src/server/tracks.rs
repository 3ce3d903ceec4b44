//! Tracks the client publishes.

use livekit_protocol as proto;

use crate::limits::MAX_TRACKS;
use crate::sdp::Section;
use crate::{TrackInfo, TrackKind};

#[derive(Debug)]
struct Track {
    cid: String,
    info: proto::TrackInfo,
    /// Whether a session description has carried it.
    carried: bool,
}

/// The tracks of one stay.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    tracks: Vec<Track>,
}

/// What an `add_track` leads to.
#[derive(Debug)]
pub(super) enum Added {
    /// A new track.
    New(proto::TrackInfo),
    /// The client asked again.
    Known(proto::TrackInfo),
    /// There are too many.
    TooMany,
    /// The request makes no sense.
    Unusable,
}

/// What a description changed.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Streams and the names of the tracks they carry.
    pub(super) carried: Vec<(Vec<u32>, String)>,
    /// Tracks that are gone.
    pub(super) ended: Vec<String>,
}

impl Tracks {
    pub(super) fn add(&mut self, request: &proto::AddTrackRequest) -> Added {
        if request.cid.is_empty() || request.cid.len() > 256 || request.name.len() > 256 {
            return Added::Unusable;
        }
        if let Some(track) = self.tracks.iter().find(|track| track.cid == request.cid) {
            return Added::Known(track.info.clone());
        }
        if self.tracks.len() >= MAX_TRACKS {
            return Added::TooMany;
        }
        let (prefix, mime_type) = match request.r#type {
            0 => ("TR_A", "audio/opus"),
            1 => ("TR_V", "video/VP8"),
            _ => return Added::Unusable,
        };
        #[allow(deprecated, reason = "clients still read the old fields")]
        let info = proto::TrackInfo {
            sid: crate::new_sid(prefix),
            r#type: request.r#type,
            name: request.name.clone(),
            muted: request.muted,
            width: request.width,
            height: request.height,
            source: request.source,
            mime_type: mime_type.to_owned(),
            stream: request.stream.clone(),
            layers: request.layers.iter().take(4).cloned().collect(),
            codecs: vec![proto::SimulcastCodecInfo {
                mime_type: mime_type.to_owned(),
                cid: request.cid.clone(),
                ..Default::default()
            }],
            ..Default::default()
        };
        self.tracks.push(Track {
            cid: request.cid.clone(),
            info: info.clone(),
            carried: false,
        });
        Added::New(info)
    }

    /// Compares with the client's newest offer. A track ends when its name is no longer carried.
    pub(super) fn offered(&mut self, sections: &[Section]) -> Changes {
        let mut changes = Changes::default();
        for track in &mut self.tracks {
            let section = sections.iter().find(|section| {
                section.sends && section.track.as_deref() == Some(track.cid.as_str())
            });
            match section {
                Some(section) => {
                    track.carried = true;
                    track.info.mid.clone_from(&section.mid);
                    changes
                        .carried
                        .push((section.ssrcs.clone(), track.cid.clone()));
                }
                None if track.carried => changes.ended.push(track.info.sid.clone()),
                None => {}
            }
        }
        self.tracks
            .retain(|track| !changes.ended.contains(&track.info.sid));
        changes
    }

    /// Notes a mute; `false` when there is no such track or nothing changes.
    pub(super) fn mute(&mut self, sid: &str, muted: bool) -> bool {
        match self.tracks.iter_mut().find(|track| track.info.sid == sid) {
            Some(track) if track.info.muted != muted => {
                track.info.muted = muted;
                true
            }
            _ => false,
        }
    }

    pub(super) fn infos(&self) -> Vec<proto::TrackInfo> {
        self.tracks.iter().map(|track| track.info.clone()).collect()
    }
}

/// The public face of a track; its kind was checked when it was added.
pub(super) fn info(wire: &proto::TrackInfo) -> TrackInfo {
    TrackInfo::from_wire(wire).unwrap_or_else(|| TrackInfo {
        sid: wire.sid.clone(),
        name: wire.name.clone(),
        kind: TrackKind::Audio,
        source: crate::TrackSource::Unknown,
        width: 0,
        height: 0,
    })
}

//! Whether the client speaks to a session that cannot hear (S24, `frames.md` §1).
//!
//! A session takes pictures and typed text; nothing here turns sound into words. A room of ours has one
//! client, so whom to listen to is never in question: `bind-input` names the one who would be listened
//! to without it. What is left is the gate. While it is open and a voice is published, somebody
//! believes to be heard, and is told once that nobody listens; behind a closed gate there is nothing to
//! say.

use std::collections::BTreeSet;

use alidade_room::{TrackInfo, TrackKind, TrackSource};

/// The gate of one session's client, and the voices behind it.
#[derive(Default)]
pub(super) struct Ear {
    muted: bool,
    voices: BTreeSet<String>,
    told: bool,
}

impl Ear {
    /// A `mute` frame: the gate closes or opens. It stays so when the client has to join anew (R40).
    pub(super) fn mute(&mut self, muted: bool) {
        self.muted = muted;
    }

    /// A track was published. The sound of a shared screen is nobody's voice.
    pub(super) fn published(&mut self, track: &TrackInfo) {
        if track.kind == TrackKind::Audio && track.source != TrackSource::ScreenShareAudio {
            self.voices.insert(track.sid.clone());
        }
    }

    /// A track ended.
    pub(super) fn ended(&mut self, sid: &str) {
        self.voices.remove(sid);
    }

    /// The client is gone, and its tracks with it.
    pub(super) fn forget_tracks(&mut self) {
        self.voices.clear();
    }

    /// Whether the client is to be told now that it speaks in vain; true once.
    pub(super) fn speaks_in_vain(&mut self) -> bool {
        let now = !self.told && !self.muted && !self.voices.is_empty();
        self.told |= now;
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(kind: TrackKind, source: TrackSource) -> TrackInfo {
        TrackInfo {
            sid: "TR_1".to_owned(),
            name: "mic".to_owned(),
            kind,
            source,
            width: 0,
            height: 0,
        }
    }

    #[test]
    fn a_voice_before_an_open_gate_is_told_once() {
        let mut ear = Ear::default();
        assert!(!ear.speaks_in_vain(), "nobody speaks");
        ear.published(&track(TrackKind::Audio, TrackSource::Microphone));
        assert!(ear.speaks_in_vain());
        assert!(!ear.speaks_in_vain(), "it knows");
    }

    #[test]
    fn a_closed_gate_keeps_silence_until_it_opens() {
        let mut ear = Ear::default();
        ear.mute(true);
        ear.published(&track(TrackKind::Audio, TrackSource::Microphone));
        assert!(!ear.speaks_in_vain());
        ear.forget_tracks();
        ear.published(&track(TrackKind::Audio, TrackSource::Microphone));
        assert!(
            !ear.speaks_in_vain(),
            "the gate outlives a broken connection"
        );
        ear.mute(false);
        assert!(ear.speaks_in_vain());
    }

    #[test]
    fn pictures_and_the_sound_of_a_screen_are_no_voice() {
        let mut ear = Ear::default();
        ear.published(&track(TrackKind::Video, TrackSource::Camera));
        ear.published(&track(TrackKind::Audio, TrackSource::ScreenShareAudio));
        assert!(!ear.speaks_in_vain());
        ear.published(&track(TrackKind::Audio, TrackSource::Unknown));
        ear.ended("TR_1");
        assert!(!ear.speaks_in_vain(), "a voice that ended is none");
    }
}

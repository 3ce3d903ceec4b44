//! What a session sees: the newest picture of each track the client publishes, and stills it sent.
//!
//! "One picture, one question, one mark": pictures of a track that ended are dropped at once; a tool
//! looks at the newest picture of the track that was published last, and says which picture it was.

mod ahead;
mod steady;
mod still;
mod tools;
mod track;

use std::{sync::Arc, time::Duration};

use alidade_picture::{Picture, PictureId};
use alidade_room::{EncodedPicture, TrackInfo, TrackSource};
use parking_lot::Mutex;
use tokio::{
    sync::{mpsc, watch},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use crate::Eyes;

/// Where a picture comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Screen,
    Camera,
    /// Sent by `send-image`.
    Image,
}

impl Source {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Screen => "screen",
            Self::Camera => "camera",
            Self::Image => "image",
        }
    }
}

/// A picture and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) picture: Picture,
    pub(crate) source: Source,
}

/// Why there is nothing to look at; sentences for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unseen {
    #[error("I cannot see anything yet; share your screen, a camera or a picture first.")]
    NothingShared,
    #[error("The picture you share has not arrived yet; try again in a moment.")]
    NotYet,
    #[error("The session is ending, so I cannot look any more.")]
    Closed,
}

/// The sight of one session.
pub(crate) struct Sight {
    eyes: Option<Arc<dyn Eyes>>,
    patience: Duration,
    ahead: ahead::Ahead,
    closed: CancellationToken,
    state: Mutex<State>,
    /// Counts up with every change of what can be seen.
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    /// In the order they were published.
    tracks: Vec<Track>,
    still: Option<Picture>,
    /// The still came since the last turn: the next turn is about it.
    still_is_fresh: bool,
    stills: u64,
}

struct Track {
    sid: String,
    source: Source,
    newest: Option<Picture>,
    /// A picture that arrived is not decoded yet.
    decoding: bool,
}

impl Sight {
    pub(crate) fn new(
        eyes: Option<Arc<dyn Eyes>>,
        patience: Duration,
        read_ahead: Option<Duration>,
    ) -> Arc<Self> {
        let sight = Arc::new(Self {
            eyes,
            patience,
            ahead: ahead::Ahead::default(),
            closed: CancellationToken::new(),
            state: Mutex::default(),
            changed: watch::Sender::new(0),
        });
        if let (Some(eyes), Some(after)) = (&sight.eyes, read_ahead) {
            tokio::spawn(ahead::watch(
                Arc::downgrade(&sight),
                Arc::clone(eyes),
                after,
                sight.closed.clone(),
            ));
        }
        sight
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock());
        self.changed
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// A video track was announced: from now on questions are about it.
    pub(crate) fn published(&self, track: &TrackInfo) {
        self.change(|state| {
            if state.tracks.iter().all(|known| known.sid != track.sid) {
                let source = if track.source == TrackSource::ScreenShare {
                    Source::Screen
                } else {
                    Source::Camera
                };
                state.tracks.push(Track {
                    sid: track.sid.clone(),
                    source,
                    newest: None,
                    decoding: false,
                });
            }
        });
    }

    /// Pictures of a track begin to arrive; they are decoded in order on a thread of their own.
    pub(crate) fn watch(
        self: &Arc<Self>,
        track: &TrackInfo,
        pictures: mpsc::Receiver<EncodedPicture>,
        ask_key: impl Fn() + Send + 'static,
    ) {
        self.published(track);
        let (sight, sid) = (Arc::downgrade(self), track.sid.clone());
        tokio::task::spawn_blocking(move || track::decode(&sight, &sid, pictures, &ask_key));
    }

    /// A track ended: its pictures are no longer what the person shows.
    pub(crate) fn ended(&self, sid: &str) {
        self.change(|state| state.tracks.retain(|track| track.sid != sid));
    }

    /// The client is gone; when it comes back it publishes again.
    pub(crate) fn forget_tracks(&self) {
        self.change(|state| state.tracks.clear());
    }

    /// The session is over: nothing is looked at any more, and nothing is kept.
    pub(crate) fn close(&self) {
        self.closed.cancel();
        self.ahead.stop();
        self.change(|state| *state = State::default());
    }

    /// A turn is over; a still sent before it was for it.
    pub(crate) fn turn_over(&self) {
        self.state.lock().still_is_fresh = false;
    }

    /// Takes in a still, base64 of a file, as the next thing to be asked about.
    ///
    /// # Errors
    /// A sentence where it is no picture or too large.
    pub(crate) async fn show_still(&self, data: String) -> Result<(), String> {
        let picture = still::decode(data).await?;
        self.change(|state| {
            state.stills += 1;
            // Above every RTP time stamp, so that no id names two pictures.
            let id = PictureId((1 << 32) + state.stills);
            state.still = Some(picture.with_id(id));
            state.still_is_fresh = true;
        });
        Ok(())
    }

    /// The picture to look at now, waiting for the first one of a live track and for one that has
    /// arrived but is not decoded.
    pub(crate) async fn look(&self) -> Result<Seen, Unseen> {
        let until = Instant::now() + self.patience;
        let mut changed = self.changed.subscribe();
        loop {
            changed.mark_unchanged();
            let (seen, last) = self.glance();
            if let Some(seen) = seen {
                return seen;
            }
            tokio::select! {
                () = self.closed.cancelled() => return Err(Unseen::Closed),
                () = tokio::time::sleep_until(until) => return last,
                changed = changed.changed() => if changed.is_err() { return last; },
            }
        }
    }

    /// What can be answered at once, and what is the answer when waiting is over.
    fn glance(&self) -> (Option<Result<Seen, Unseen>>, Result<Seen, Unseen>) {
        let state = self.state.lock();
        let still = state.still.clone().map(|picture| Seen {
            picture,
            source: Source::Image,
        });
        if state.still_is_fresh
            && let Some(still) = still
        {
            return (Some(Ok(still.clone())), Ok(still));
        }
        match state.tracks.last() {
            Some(track) => match &track.newest {
                Some(picture) => {
                    let seen = Seen {
                        picture: picture.clone(),
                        source: track.source,
                    };
                    ((!track.decoding).then(|| Ok(seen.clone())), Ok(seen))
                }
                None => (None, Err(Unseen::NotYet)),
            },
            None => {
                let answer = still.ok_or(Unseen::NothingShared);
                (Some(answer.clone()), answer)
            }
        }
    }

    /// What the newest live track shows, if it is a screen.
    fn screen(&self) -> Option<Picture> {
        let state = self.state.lock();
        state
            .tracks
            .last()
            .filter(|track| track.source == Source::Screen)?
            .newest
            .clone()
    }

    /// For the decoder: a picture arrived, or none waits any more. False once the track has ended.
    fn decoding(&self, sid: &str, decoding: bool) -> bool {
        let mut live = false;
        self.change(|state| {
            if let Some(track) = state.tracks.iter_mut().find(|track| track.sid == sid) {
                track.decoding = decoding;
                live = true;
            }
        });
        live
    }

    /// For the decoder: this is what the track shows now. False once the track has ended.
    fn shows(&self, sid: &str, picture: Picture) -> bool {
        let mut live = false;
        self.change(|state| {
            if let Some(track) = state.tracks.iter_mut().find(|track| track.sid == sid) {
                track.newest = Some(picture);
                live = true;
            }
        });
        live
    }
}

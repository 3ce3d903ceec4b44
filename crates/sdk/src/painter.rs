//! The one owner of a track: encodes what is shown, sends it again, answers the wish for a key picture.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_agent::{SessionState, VideoClaim};
use alidade_codec::vp8::{self, Content, EncodedVideo, Encoder, Quality, VideoConfig};
use alidade_picture::{Picture, PictureId};
use alidade_room::{
    EncodedPicture, Room, VideoOptions, VideoTrack, client::PublishError as RoomRefusal,
};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};

use crate::{
    session::Pictures,
    track::{PublishError, TrackSource},
};

/// What was shown is sent again this soon, lest its last packets were lost with nothing after them to tell.
const AGAIN_SOON: Duration = Duration::from_millis(150);
/// And from then on at this rate.
const AGAIN: Duration = Duration::from_secs(1);
/// Pictures further apart than this are looked at rather than watched: every letter counts.
const LOOKED_AT: Duration = Duration::from_millis(400);
/// A publish may be refused shortly after the join while rights propagate.
const PUBLISH_TRIES: u32 = 6;
const PUBLISH_PAUSE: Duration = Duration::from_millis(400);

/// What a track is asked to do.
pub(crate) enum Order {
    /// Show this picture from now on.
    Show {
        picture: Picture,
        done: oneshot::Sender<Result<PictureId, PublishError>>,
    },
    /// Send what is shown once more, now; answered with when a new picture left last, if one ever did.
    Refresh {
        done: oneshot::Sender<Option<Instant>>,
    },
    /// End the track.
    Stop { done: oneshot::Sender<()> },
}

pub(crate) struct Painter {
    pub(crate) source: TrackSource,
    pub(crate) room: Room,
    pub(crate) claim: VideoClaim,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) newest: Arc<Mutex<Option<Picture>>>,
    pub(crate) states: watch::Receiver<SessionState>,
}

/// What is shown and how it gets out.
#[derive(Default)]
struct Easel {
    track: Option<VideoTrack>,
    wanted: Option<watch::Receiver<u64>>,
    encoder: Option<Encoder>,
    shown: Option<Picture>,
    /// When a new picture left last.
    changed: Option<Instant>,
    again: Option<tokio::time::Instant>,
}

/// What happens next.
enum Next {
    Order(Order),
    Again { key: bool },
    End,
}

impl Painter {
    pub(crate) async fn paint(mut self, mut orders: mpsc::Receiver<Order>) {
        let mut easel = Easel::default();
        let mut states = self.states.clone();
        let over = async move {
            // A sender that is gone is a session that is gone.
            let ended = |state: &SessionState| matches!(state, SessionState::Disconnected { .. });
            let _ = states.wait_for(ended).await.map(drop);
        };
        tokio::pin!(over);
        let stopped = loop {
            let again = easel.again;
            let next = tokio::select! {
                order = orders.recv() => order.map_or(Next::End, Next::Order),
                () = wanted(easel.wanted.as_mut()) => Next::Again { key: true },
                () = at(again) => Next::Again { key: false },
                () = &mut over => Next::End,
            };
            match next {
                Next::Order(Order::Show { picture, done }) => {
                    let shown = self.show(&mut easel, picture).await;
                    // Whoever asked may have stopped waiting; the picture is shown all the same.
                    let _ = done.send(shown);
                }
                Next::Order(Order::Refresh { done }) => {
                    self.again(&mut easel, false).await;
                    let _ = done.send(easel.changed);
                }
                Next::Order(Order::Stop { done }) => break Some(done),
                Next::Again { key } => self.again(&mut easel, key).await,
                Next::End => break None,
            }
        };
        // Whoever orders something now learns that it is over.
        drop(orders);
        self.claim.release();
        if let Some(track) = easel.track {
            track.unpublish().await;
        }
        if let Some(done) = stopped {
            let _ = done.send(());
        }
    }

    async fn show(
        &mut self,
        easel: &mut Easel,
        picture: Picture,
    ) -> Result<PictureId, PublishError> {
        if !self.claim.is_current() {
            return Err(PublishError::Stopped);
        }
        let size = vp8::fit(picture.size());
        let picture = if size == picture.size() {
            picture
        } else {
            blocking(move || picture.scaled(size)).await??
        };
        if easel.track.is_none() {
            let track = self.publish(&picture).await?;
            easel.wanted = Some(track.key_frame_wanted());
            easel.track = Some(track);
        }
        let looked_at = easel
            .changed
            .is_none_or(|changed| changed.elapsed() >= LOOKED_AT);
        let quality = if looked_at || self.source == TrackSource::ScreenShare {
            Quality::Still
        } else {
            Quality::Live
        };
        let id = self.send(easel, &picture, quality, false).await?;
        easel.shown = Some(picture);
        easel.changed = Some(Instant::now());
        easel.again = Some(tokio::time::Instant::now() + AGAIN_SOON);
        Ok(id)
    }

    /// Sends what is shown once more. Nothing is, and nobody waits for it, where this fails.
    async fn again(&mut self, easel: &mut Easel, key: bool) {
        easel.again = Some(tokio::time::Instant::now() + AGAIN);
        let Some(picture) = easel.shown.clone() else {
            easel.again = None;
            return;
        };
        if let Err(error) = self.send(easel, &picture, Quality::Still, key).await {
            tracing::debug!(%error, "a picture was not sent again");
        }
    }

    async fn send(
        &mut self,
        easel: &mut Easel,
        picture: &Picture,
        quality: Quality,
        key: bool,
    ) -> Result<PictureId, PublishError> {
        let (Some(track), true) = (easel.track.clone(), self.claim.is_current()) else {
            return Err(PublishError::Stopped);
        };
        let now = Instant::now();
        // Encoded as taken now: one sent again would otherwise seem to stand still in time.
        let stamped = picture.clone().with_time(now);
        let content = match self.source {
            TrackSource::ScreenShare => Content::Screen,
            TrackSource::Camera => Content::Camera,
        };
        let encoder = easel
            .encoder
            .take()
            .filter(|encoder| encoder.config().size == picture.size());
        let (encoder, encoded) =
            blocking(move || encode(encoder, &stamped, content, quality, key)).await??;
        easel.encoder = Some(encoder);
        let stamp = self.pictures.clock.stamp(now);
        let id = PictureId(u64::from(stamp));
        let left = picture.clone().with_id(id);
        // Kept before it leaves: a mark may come back at once.
        self.pictures.kept.lock().keep(left.clone(), now);
        *self.newest.lock() = Some(left);
        track
            .write(EncodedPicture::new(encoded.data, stamp, encoded.key))
            .map_err(|_| PublishError::Stopped)?;
        track.flush().await.map_err(|_| PublishError::Stopped)?;
        Ok(id)
    }

    async fn publish(&self, first: &Picture) -> Result<VideoTrack, PublishError> {
        let (name, source) = match self.source {
            TrackSource::ScreenShare => ("screen", alidade_room::TrackSource::ScreenShare),
            TrackSource::Camera => ("camera", alidade_room::TrackSource::Camera),
        };
        let size = first.size();
        let options = VideoOptions {
            name: name.to_owned(),
            source,
            width: size.width,
            height: size.height,
        };
        let mut tries = 0;
        loop {
            match self.room.publish_video(options.clone()).await {
                Ok(track) => return Ok(track),
                Err(RoomRefusal::Refused(_)) if tries + 1 < PUBLISH_TRIES => {
                    tries += 1;
                    tokio::time::sleep(PUBLISH_PAUSE).await;
                }
                Err(error) => return Err(PublishError::Refused(error.to_string())),
            }
        }
    }
}

fn encode(
    encoder: Option<Encoder>,
    picture: &Picture,
    content: Content,
    quality: Quality,
    key: bool,
) -> Result<(Encoder, EncodedVideo), PublishError> {
    let wrong = |error: vp8::EncodeError| PublishError::Picture(error.to_string());
    let mut encoder = match encoder {
        Some(encoder) => encoder,
        None => Encoder::new(VideoConfig::new(picture.size(), content).quality(quality))
            .map_err(wrong)?,
    };
    let kbps = encoder.config().target_kbps;
    encoder.adjust(quality, kbps).map_err(wrong)?;
    let encoded = encoder.encode(picture, key).map_err(wrong)?;
    Ok((encoder, encoded))
}

/// Runs what computes on a thread of its own; a panic there becomes an error here.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PublishError> {
    let broke = |_| PublishError::Picture("it could not be encoded".to_owned());
    tokio::task::spawn_blocking(work).await.map_err(broke)
}

/// Completes when the other side wants a key picture.
async fn wanted(receiver: Option<&mut watch::Receiver<u64>>) {
    match receiver {
        Some(receiver) => {
            if receiver.changed().await.is_err() {
                // The track is gone; the next write says so.
                std::future::pending::<()>().await;
            }
        }
        None => std::future::pending().await,
    }
}

async fn at(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

//! Publishing: from `add_track` over offer and answer to the sending task, and back.

use std::collections::VecDeque;
use std::sync::Arc;

use livekit_protocol as proto;
use proto::signal_request::Message as Request;
use rtc::media_stream::MediaStreamTrack;
use rtc::rtp_transceiver::rtp_sender::{
    RTCRtpCodingParameters, RTCRtpEncodingParameters, RtpCodecKind,
};
use rtc::rtp_transceiver::{RTCRtpTransceiverDirection, RTCRtpTransceiverInit};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use webrtc::media_stream::track_local::TrackLocal;
use webrtc::media_stream::track_local::static_rtp::TrackLocalStaticRTP;
use webrtc::peer_connection::RTCSessionDescription;
use webrtc::rtp_transceiver::RtpSender;

use super::publish::{PublishError, VideoOptions, VideoTrack};
use super::session::{ANSWER_PATIENCE, Command, End, Session};
use crate::limits::MAX_TRACKS;
use crate::media::{Sending, send};
use crate::peer::{VP8_PAYLOAD_TYPE, vp8_codec};
use crate::vp8::Packetiser;
use crate::{DisconnectReason, TrackInfo};

/// A track between `add_track` and its first negotiation.
pub(super) struct Adding {
    options: VideoOptions,
    reply: oneshot::Sender<Result<VideoTrack, PublishError>>,
}

pub(super) struct Published {
    sender: Arc<dyn RtpSender>,
    sending: Arc<Sending>,
    /// Sends, from the first negotiation on.
    task: Option<JoinHandle<()>>,
}

impl Published {
    /// Stops sending; returns when the connection has nothing of this track in its queue.
    pub(super) async fn end(&mut self) {
        self.sending.end();
        if let Some(task) = self.task.take() {
            // An error means that it broke, which ends it as well.
            let _ = task.await;
        }
    }
}

/// Who waits for an answer to the next offer.
pub(super) enum Waiter {
    Published {
        track: Box<VideoTrack>,
        local: Arc<TrackLocalStaticRTP>,
        ssrc: u32,
        reply: oneshot::Sender<Result<VideoTrack, PublishError>>,
    },
    Unpublished(oneshot::Sender<()>),
}

/// The one offer that may be open, and what the next one is for.
pub(super) struct Offers {
    /// Until when the answer is awaited, and by whom.
    pub(super) open: Option<(Instant, VecDeque<Waiter>)>,
    waiting: VecDeque<Waiter>,
    id: u32,
    stale: bool,
    /// Sections whose track has ended.
    idle: usize,
}

impl Offers {
    /// The join's own offer is open.
    pub(super) fn new() -> Self {
        Self {
            open: Some((Instant::now() + ANSWER_PATIENCE, VecDeque::new())),
            waiting: VecDeque::new(),
            id: 1,
            stale: false,
            idle: 0,
        }
    }
}

impl Session {
    pub(super) async fn command(&mut self, command: Command) -> Result<(), End> {
        match command {
            Command::Publish { options, reply } => {
                if self.adding.len() + self.published.len() >= MAX_TRACKS {
                    let refusal = PublishError::Refused("too many tracks are published".into());
                    let _ = reply.send(Err(refusal));
                    return Ok(());
                }
                let cid = uuid::Uuid::new_v4().to_string();
                let request = add_track(&cid, &options);
                self.adding.insert(cid, Adding { options, reply });
                Ok(self.signal.send(request).await?)
            }
            Command::Unpublish { cid, reply } => {
                let Some(mut published) = self.published.remove(&cid) else {
                    let _ = reply.send(());
                    return Ok(());
                };
                // The connection must not find packets of a track that it no longer has.
                published.end().await;
                match self.connection.remove_track(&published.sender).await {
                    Ok(()) => self.offers.idle += 1,
                    Err(error) => {
                        tracing::warn!(%error, "a track could not be taken out of the connection");
                    }
                }
                self.negotiate(Some(Waiter::Unpublished(reply))).await
            }
            Command::Leave { reply } => {
                let _ = reply.send(());
                Ok(())
            }
        }
    }

    pub(super) fn refused(&mut self, response: &proto::RequestResponse) {
        use proto::request_response::{Reason, Request};
        if response.reason == Reason::Ok as i32 || response.reason == Reason::Queued as i32 {
            return;
        }
        let Some(Request::AddTrack(request)) = &response.request else {
            return;
        };
        if let Some(adding) = self.adding.remove(&request.cid) {
            let why = if response.message.is_empty() {
                Reason::try_from(response.reason).map_or("no reason", |reason| reason.as_str_name())
            } else {
                &response.message
            };
            let _ = adding
                .reply
                .send(Err(PublishError::Refused(why.to_owned())));
        }
    }

    pub(super) async fn track_published(
        &mut self,
        published: proto::TrackPublishedResponse,
    ) -> Result<(), End> {
        let cid = published.cid;
        let Some(Adding { options, reply }) = self.adding.remove(&cid) else {
            return Ok(());
        };
        if reply.is_closed() {
            return Ok(());
        }
        let info = published.track.as_ref().and_then(TrackInfo::from_wire);
        let info = info.unwrap_or_else(|| TrackInfo {
            sid: published.track.unwrap_or_default().sid,
            name: options.name.clone(),
            kind: crate::TrackKind::Video,
            source: options.source,
            width: options.width,
            height: options.height,
        });
        let ssrc = rand::random();
        let local = Arc::new(TrackLocalStaticRTP::new(MediaStreamTrack::new(
            self.people.local().sid,
            cid.clone(),
            options.name,
            RtpCodecKind::Video,
            vec![RTCRtpEncodingParameters {
                rtp_coding_parameters: RTCRtpCodingParameters {
                    ssrc: Some(ssrc),
                    ..Default::default()
                },
                codec: vp8_codec(),
                ..Default::default()
            }],
        )));
        let sender = match self.add_to_connection(local.clone()).await {
            Ok(sender) => sender,
            Err(error) => {
                let _ = reply.send(Err(PublishError::Media(error.to_string())));
                return Ok(());
            }
        };
        let sending = Sending::new(self.over.child_token());
        self.published.insert(
            cid.clone(),
            Published {
                sender,
                sending: sending.clone(),
                task: None,
            },
        );
        let track = Box::new(VideoTrack {
            info,
            cid,
            sending,
            commands: self.commands.clone(),
        });
        self.negotiate(Some(Waiter::Published {
            track,
            local,
            ssrc,
            reply,
        }))
        .await
    }

    async fn add_to_connection(
        &mut self,
        local: Arc<TrackLocalStaticRTP>,
    ) -> Result<Arc<dyn RtpSender>, webrtc::error::Error> {
        if self.offers.idle > 0 {
            // The section of a track that ended is used again, or the descriptions would grow
            // with every change of the source.
            let sender = self.connection.add_track(local).await?;
            self.offers.idle -= 1;
            return Ok(sender);
        }
        let init = RTCRtpTransceiverInit {
            direction: RTCRtpTransceiverDirection::Sendonly,
            ..Default::default()
        };
        let transceiver = self
            .connection
            .add_transceiver_from_track(local as Arc<dyn TrackLocal>, Some(init))
            .await?;
        transceiver
            .sender()
            .await?
            .ok_or(webrtc::error::Error::ErrRTPSenderNotExisted)
    }

    pub(super) async fn more_sections(
        &mut self,
        wanted: proto::MediaSectionsRequirement,
    ) -> Result<(), End> {
        let kinds = [
            (RtpCodecKind::Audio, wanted.num_audios),
            (RtpCodecKind::Video, wanted.num_videos),
        ];
        for (kind, count) in kinds {
            for _ in 0..count.min(8) {
                let init = RTCRtpTransceiverInit {
                    direction: RTCRtpTransceiverDirection::Recvonly,
                    ..Default::default()
                };
                if let Err(error) = self
                    .connection
                    .add_transceiver_from_kind(kind, Some(init))
                    .await
                {
                    tracing::warn!(%error, "a media section could not be added");
                }
            }
        }
        self.negotiate(None).await
    }

    /// Offers as soon as no other offer is open.
    async fn negotiate(&mut self, waiter: Option<Waiter>) -> Result<(), End> {
        self.offers.waiting.extend(waiter);
        self.offers.stale = true;
        if self.offers.open.is_some() {
            return Ok(());
        }
        self.offers.stale = false;
        let offer = async {
            let offer = self.connection.create_offer(None).await?;
            let sdp = offer.sdp.clone();
            self.connection.set_local_description(offer).await?;
            Ok::<_, webrtc::error::Error>(sdp)
        };
        let sdp = offer.await.map_err(|error| {
            tracing::error!(%error, "no offer can be made");
            End(DisconnectReason::MediaFailure)
        })?;
        self.offers.id += 1;
        self.offers.open = Some((
            Instant::now() + ANSWER_PATIENCE,
            std::mem::take(&mut self.offers.waiting),
        ));
        let offer = Request::Offer(proto::SessionDescription {
            r#type: "offer".to_owned(),
            sdp,
            id: self.offers.id,
            ..Default::default()
        });
        Ok(self.signal.send(offer).await?)
    }

    pub(super) async fn answer(&mut self, answer: proto::SessionDescription) -> Result<(), End> {
        let Some((_, waiters)) = self.offers.open.take() else {
            tracing::debug!("an answer nobody asked for was passed over");
            return Ok(());
        };
        let answered = async {
            let description = RTCSessionDescription::answer(answer.sdp)?;
            self.connection.set_remote_description(description).await
        };
        if let Err(error) = answered.await {
            tracing::error!(%error, "the server's answer cannot be used");
            return Err(End(DisconnectReason::StateMismatch));
        }
        self.candidates.release(&*self.connection).await;
        for waiter in waiters {
            match waiter {
                Waiter::Published {
                    track,
                    local,
                    ssrc,
                    reply,
                } => self.start(*track, local, ssrc, reply).await,
                Waiter::Unpublished(reply) => {
                    let _ = reply.send(());
                }
            }
        }
        if self.offers.stale {
            self.negotiate(None).await?;
        }
        Ok(())
    }

    async fn start(
        &mut self,
        track: VideoTrack,
        local: Arc<TrackLocalStaticRTP>,
        ssrc: u32,
        reply: oneshot::Sender<Result<VideoTrack, PublishError>>,
    ) {
        let payload_type = match self.published.get(&track.cid) {
            Some(published) => published
                .sender
                .get_parameters()
                .await
                .ok()
                .and_then(|parameters| {
                    let codecs = parameters.rtp_parameters.codecs;
                    codecs.first().map(|codec| codec.payload_type)
                })
                .unwrap_or(VP8_PAYLOAD_TYPE),
            None => VP8_PAYLOAD_TYPE,
        };
        let packetiser = Packetiser::new(ssrc, payload_type, rand::random(), rand::random());
        let cid = track.cid.clone();
        if let Some(published) = self.published.get_mut(&cid) {
            let (sending, taken) = (track.sending.clone(), self.media_taken.clone());
            let task = self.tasks.spawn(send(sending, local, packetiser, taken));
            published.task = Some(task);
        }
        if reply.send(Ok(track)).is_err() {
            // Nobody waited any longer: the track must not stay.
            let (reply, _) = oneshot::channel();
            if let Some(commands) = self.commands.upgrade() {
                let _ = commands.send(Command::Unpublish { cid, reply });
            }
        }
    }
}

fn add_track(cid: &str, options: &VideoOptions) -> Request {
    Request::AddTrack(proto::AddTrackRequest {
        cid: cid.to_owned(),
        name: options.name.clone(),
        r#type: proto::TrackType::Video as i32,
        width: options.width,
        height: options.height,
        source: options.source.to_wire(),
        layers: vec![proto::VideoLayer {
            quality: proto::VideoQuality::High as i32,
            width: options.width,
            height: options.height,
            bitrate: 3_000_000,
            ..Default::default()
        }],
        simulcast_codecs: vec![proto::SimulcastCodec {
            codec: "vp8".to_owned(),
            cid: cid.to_owned(),
            ..Default::default()
        }],
        ..Default::default()
    })
}

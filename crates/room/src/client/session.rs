//! The actor that owns a stay's socket and peer connection.
//!
//! Publications, candidates and answers all pass through here, so that never two offers are open.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use livekit_protocol as proto;
use proto::leave_request::Action;
use proto::signal_request::Message as Request;
use proto::signal_response::Message as Response;
use rtc::media_stream::MediaStreamTrack;
use rtc::rtp_transceiver::rtp_sender::{
    RTCRtpCodingParameters, RTCRtpEncodingParameters, RtpCodecKind,
};
use rtc::rtp_transceiver::{RTCRtpTransceiverDirection, RTCRtpTransceiverInit};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use webrtc::media_stream::track_local::TrackLocal;
use webrtc::media_stream::track_local::static_rtp::TrackLocalStaticRTP;
use webrtc::peer_connection::{PeerConnection, RTCPeerConnectionState, RTCSessionDescription};
use webrtc::rtp_transceiver::RtpSender;

use super::people::{Change, People};
use super::publish::{PublishError, VideoOptions, VideoTrack};
use super::room::RoomEvent;
use super::signal::{Heard, Lost, Signal};
use crate::data::{Calls, Inlet};
use crate::limits::MAX_TRACKS;
use crate::media::{Sending, send};
use crate::peer::{Candidates, PeerEvent, VP8_PAYLOAD_TYPE, vp8_codec};
use crate::vp8::Packetiser;
use crate::{DisconnectReason, TrackInfo};

/// Longest wait for an answer to an offer before the stay counts as broken.
const ANSWER_PATIENCE: Duration = Duration::from_secs(10);
/// Longest wait for the last event to be taken, and for tasks to end.
const END_PATIENCE: Duration = Duration::from_secs(5);

/// What the application wants.
pub(crate) enum Command {
    Publish {
        options: VideoOptions,
        reply: oneshot::Sender<Result<VideoTrack, PublishError>>,
    },
    Unpublish {
        cid: String,
        reply: oneshot::Sender<()>,
    },
    Leave {
        reply: oneshot::Sender<()>,
    },
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Publish { .. } => "Publish",
            Self::Unpublish { .. } => "Unpublish",
            Self::Leave { .. } => "Leave",
        })
    }
}

/// A track between `add_track` and its first negotiation.
struct Adding {
    options: VideoOptions,
    reply: oneshot::Sender<Result<VideoTrack, PublishError>>,
}

struct Published {
    sender: Arc<dyn RtpSender>,
    sending: Arc<Sending>,
}

/// Who waits for an answer to the next offer.
enum Waiter {
    Published {
        track: Box<VideoTrack>,
        local: Arc<TrackLocalStaticRTP>,
        ssrc: u32,
        reply: oneshot::Sender<Result<VideoTrack, PublishError>>,
    },
    Unpublished(oneshot::Sender<()>),
}

/// Why a stay ends.
struct End(DisconnectReason);

impl From<Lost> for End {
    fn from(_: Lost) -> Self {
        Self(DisconnectReason::SignalClose)
    }
}

pub(super) struct Session {
    signal: Signal,
    connection: Arc<dyn PeerConnection>,
    candidates: Candidates,
    people: Arc<People>,
    calls: Arc<Calls>,
    inlet: Arc<Inlet>,
    events: mpsc::Sender<RoomEvent>,
    commands: mpsc::WeakUnboundedSender<Command>,
    tasks: TaskTracker,
    over: CancellationToken,
    ping_interval: Duration,
    ping_timeout: Duration,
    round_trip_ms: i64,
    adding: HashMap<String, Adding>,
    published: HashMap<String, Published>,
    /// Answered by the answer that is awaited.
    answering: Option<(Instant, VecDeque<Waiter>)>,
    /// Answered by the next offer.
    waiting: VecDeque<Waiter>,
    offer_id: u32,
    stale: bool,
}

impl Session {
    #[allow(clippy::too_many_arguments, reason = "called once")]
    pub(super) fn new(
        signal: Signal,
        connection: Arc<dyn PeerConnection>,
        people: Arc<People>,
        calls: Arc<Calls>,
        inlet: Arc<Inlet>,
        events: mpsc::Sender<RoomEvent>,
        commands: mpsc::WeakUnboundedSender<Command>,
        tasks: TaskTracker,
        over: CancellationToken,
        server: &proto::ServerInfo,
        (ping_interval, ping_timeout): (i32, i32),
    ) -> Self {
        tracing::debug!(version = server.version, "joined");
        let seconds = |number: i32, fallback: u64| {
            Duration::from_secs(
                u64::try_from(number)
                    .ok()
                    .filter(|n| *n > 0)
                    .unwrap_or(fallback),
            )
        };
        Self {
            signal,
            connection,
            candidates: Candidates::default(),
            people,
            calls,
            inlet,
            events,
            commands,
            tasks,
            over,
            ping_interval: seconds(ping_interval, 5),
            ping_timeout: seconds(ping_timeout, 15),
            round_trip_ms: 0,
            adding: HashMap::new(),
            published: HashMap::new(),
            answering: Some((Instant::now() + ANSWER_PATIENCE, VecDeque::new())),
            waiting: VecDeque::new(),
            offer_id: 1,
            stale: false,
        }
    }

    /// Runs until the stay ends; the reason is also the last event.
    pub(super) async fn run(
        mut self,
        present: Vec<proto::ParticipantInfo>,
        mut commands: mpsc::UnboundedReceiver<Command>,
        mut peer: mpsc::Receiver<PeerEvent>,
    ) -> DisconnectReason {
        for info in present {
            self.person(info).await;
        }
        let mut leavers = Vec::new();
        let end = self.steps(&mut commands, &mut peer, &mut leavers).await;
        let reason = end.0;
        self.over.cancel();
        self.signal.close().await;
        self.calls.disconnected(None);
        for published in self.published.values() {
            published.sending.end();
        }
        if let Err(error) = self.connection.close().await {
            tracing::debug!(%error, "a peer connection did not close cleanly");
        }
        self.tasks.close();
        if tokio::time::timeout(END_PATIENCE, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!("a task outlives its session");
        }
        let last = self.events.send(RoomEvent::Closed(reason));
        let _ = tokio::time::timeout(END_PATIENCE, last).await;
        for reply in leavers {
            let _: Result<(), ()> = reply.send(());
        }
        reason
    }

    async fn steps(
        &mut self,
        commands: &mut mpsc::UnboundedReceiver<Command>,
        peer: &mut mpsc::Receiver<PeerEvent>,
        leavers: &mut Vec<oneshot::Sender<()>>,
    ) -> End {
        let mut ping = tokio::time::interval(self.ping_interval);
        ping.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let over = self.over.clone();
        loop {
            let silence = heard + self.ping_timeout;
            let answer_deadline = self.answering.as_ref().map_or(silence, |(until, _)| *until);
            let step = tokio::select! {
                message = self.signal.next() => {
                    heard = Instant::now();
                    match message {
                        Heard::Message(message) => self.message(*message).await,
                        Heard::Other => Ok(()),
                        Heard::Closed => Err(Lost.into()),
                    }
                }
                Some(event) = peer.recv() => self.peer(event).await,
                command = commands.recv() => match command {
                    Some(Command::Leave { reply }) => {
                        leavers.push(reply);
                        Err(self.say_goodbye().await)
                    }
                    None => Err(self.say_goodbye().await),
                    Some(command) => self.command(command).await,
                },
                _ = ping.tick() => self.ping().await,
                // A join that was given up.
                () = over.cancelled() => Err(self.say_goodbye().await),
                () = tokio::time::sleep_until(silence.min(answer_deadline)) => {
                    Err(End(DisconnectReason::ConnectionTimeout))
                }
            };
            if let Err(end) = step {
                commands.close();
                while let Ok(command) = commands.try_recv() {
                    if let Command::Leave { reply } = command {
                        leavers.push(reply);
                    }
                }
                return end;
            }
        }
    }

    async fn say_goodbye(&mut self) -> End {
        let leave = Request::Leave(proto::LeaveRequest {
            reason: DisconnectReason::ClientInitiated.number(),
            action: Action::Disconnect as i32,
            ..Default::default()
        });
        let _ = self.signal.send(leave).await;
        End(DisconnectReason::ClientInitiated)
    }

    async fn ping(&mut self) -> Result<(), End> {
        let ping = Request::PingReq(proto::Ping {
            timestamp: crate::now_ms(),
            rtt: self.round_trip_ms,
        });
        Ok(self.signal.send(ping).await?)
    }

    async fn tell(&self, event: RoomEvent) {
        tokio::select! {
            biased;
            _ = self.events.send(event) => {}
            () = self.over.cancelled() => {}
        }
    }

    async fn person(&self, info: proto::ParticipantInfo) {
        match self.people.update(info) {
            Some(Change::Changed(participant)) => {
                self.tell(RoomEvent::ParticipantChanged(participant)).await;
            }
            Some(Change::Left(participant)) => {
                self.calls.disconnected(Some(&participant.identity));
                self.tell(RoomEvent::ParticipantLeft(participant)).await;
            }
            None => {}
        }
    }

    async fn message(&mut self, message: Response) -> Result<(), End> {
        match message {
            Response::Answer(answer) => self.answer(answer).await,
            Response::Trickle(trickle) => {
                self.candidates
                    .take(&*self.connection, &trickle.candidate_init)
                    .await;
                Ok(())
            }
            Response::Update(update) => {
                for info in update.participants {
                    self.person(info).await;
                }
                Ok(())
            }
            Response::TrackPublished(published) => self.track_published(published).await,
            Response::RequestResponse(response) => {
                self.refused(&response);
                Ok(())
            }
            Response::PongResp(pong) => {
                self.round_trip_ms = (crate::now_ms() - pong.last_ping_timestamp).max(0);
                Ok(())
            }
            Response::MediaSectionsRequirement(wanted) => self.more_sections(wanted).await,
            Response::Leave(leave) => Err(End(DisconnectReason::from_number(leave.reason))),
            _ => Ok(()),
        }
    }

    async fn peer(&mut self, event: PeerEvent) -> Result<(), End> {
        match event {
            PeerEvent::Candidate(candidate_init) => {
                let trickle = Request::Trickle(proto::TrickleRequest {
                    candidate_init,
                    target: proto::SignalTarget::Publisher as i32,
                    r#final: false,
                });
                Ok(self.signal.send(trickle).await?)
            }
            PeerEvent::State(RTCPeerConnectionState::Failed) => {
                Err(End(DisconnectReason::MediaFailure))
            }
            PeerEvent::Channel(channel) => {
                // A server may answer on channels of its own.
                let inlet = self.inlet.clone();
                self.tasks
                    .spawn(async move { inlet.read(channel, None).await });
                Ok(())
            }
            PeerEvent::State(_) | PeerEvent::Track(_) => Ok(()),
        }
    }

    async fn command(&mut self, command: Command) -> Result<(), End> {
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
                let Some(published) = self.published.remove(&cid) else {
                    let _ = reply.send(());
                    return Ok(());
                };
                published.sending.end();
                if let Err(error) = self.connection.remove_track(&published.sender).await {
                    tracing::warn!(%error, "a track could not be taken out of the connection");
                }
                self.negotiate(Some(Waiter::Unpublished(reply))).await
            }
            Command::Leave { reply } => {
                let _ = reply.send(());
                Ok(())
            }
        }
    }

    fn refused(&mut self, response: &proto::RequestResponse) {
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

    async fn track_published(
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
        &self,
        local: Arc<TrackLocalStaticRTP>,
    ) -> Result<Arc<dyn RtpSender>, webrtc::error::Error> {
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

    async fn more_sections(&mut self, wanted: proto::MediaSectionsRequirement) -> Result<(), End> {
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
        self.waiting.extend(waiter);
        self.stale = true;
        if self.answering.is_some() {
            return Ok(());
        }
        self.stale = false;
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
        self.offer_id += 1;
        self.answering = Some((
            Instant::now() + ANSWER_PATIENCE,
            std::mem::take(&mut self.waiting),
        ));
        let offer = Request::Offer(proto::SessionDescription {
            r#type: "offer".to_owned(),
            sdp,
            id: self.offer_id,
            ..Default::default()
        });
        Ok(self.signal.send(offer).await?)
    }

    async fn answer(&mut self, answer: proto::SessionDescription) -> Result<(), End> {
        let Some((_, waiters)) = self.answering.take() else {
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
        if self.stale {
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
        self.tasks
            .spawn(send(track.sending.clone(), local, packetiser));
        let cid = track.cid.clone();
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

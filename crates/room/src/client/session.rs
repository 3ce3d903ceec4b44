//! The actor that owns a stay's socket and peer connection.
//!
//! Publications, candidates and answers all pass through here, so that never two offers are open.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use livekit_protocol as proto;
use proto::leave_request::Action;
use proto::signal_request::Message as Request;
use proto::signal_response::Message as Response;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use webrtc::peer_connection::{PeerConnection, RTCPeerConnectionState};

use super::people::{Change, People};
use super::publish::{PublishError, VideoOptions, VideoTrack};
use super::room::RoomEvent;
use super::signal::{Heard, Lost, Signal};
use super::tracks::{Adding, Offers, Published};
use crate::DisconnectReason;
use crate::data::{Calls, Inlet};
use crate::limits::LEAVE_FLUSH;
use crate::peer::{Candidates, PeerEvent, Taken};

/// Longest wait for an answer to an offer before the stay counts as broken.
pub(super) const ANSWER_PATIENCE: Duration = Duration::from_secs(10);
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

/// Why a stay ends.
pub(super) struct End(pub(super) DisconnectReason);

impl From<Lost> for End {
    fn from(_: Lost) -> Self {
        Self(DisconnectReason::SignalClose)
    }
}

pub(super) struct Session {
    pub(super) signal: Signal,
    pub(super) connection: Arc<dyn PeerConnection>,
    pub(super) candidates: Candidates,
    pub(super) people: Arc<People>,
    calls: Arc<Calls>,
    inlet: Arc<Inlet>,
    events: mpsc::Sender<RoomEvent>,
    pub(super) commands: mpsc::WeakUnboundedSender<Command>,
    pub(super) tasks: TaskTracker,
    pub(super) over: CancellationToken,
    ping_interval: Duration,
    ping_timeout: Duration,
    round_trip_ms: i64,
    pub(super) adding: HashMap<String, Adding>,
    pub(super) published: HashMap<String, Published>,
    pub(super) offers: Offers,
    pub(super) media_taken: Taken,
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
        media_taken: Taken,
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
            offers: Offers::new(),
            media_taken,
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
        for published in self.published.values_mut() {
            published.end().await;
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
            let answer_deadline = self
                .offers
                .open
                .as_ref()
                .map_or(silence, |(until, _)| *until);
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
        // The leave goes another way than the data and must not overtake them.
        let flushed = tokio::time::timeout(LEAVE_FLUSH, self.inlet.outbox.flush());
        tokio::select! {
            biased;
            // Nothing is written any more.
            () = self.over.cancelled() => {}
            flushed = flushed => if flushed.is_err() {
                tracing::warn!("the room is left before everything sent has arrived");
            }
        }
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

    async fn tell(&mut self, event: RoomEvent) {
        tokio::select! {
            biased;
            _ = self.events.send(event) => {}
            () = self.over.cancelled() => {}
        }
    }

    async fn person(&mut self, info: proto::ParticipantInfo) {
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
}

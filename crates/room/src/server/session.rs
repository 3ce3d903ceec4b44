//! One client's stay: the actor that owns its socket and its peer connection.
//!
//! Everything that touches the connection happens here, one after the other, so that two offers
//! can never be open at once.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use livekit_protocol as proto;
use prost::Message as _;
use proto::leave_request::Action;
use proto::signal_response::Message as Response;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use webrtc::peer_connection::RTCPeerConnectionState;

use super::AgentEvent;
use super::state::Shared;
use super::tracks::Tracks;
use super::welcome::{binary, client, join};
use crate::data::{Inlet, LOSSY, RELIABLE, Stamp, write};
use crate::limits::{CONNECT_TIMEOUT, LAST_WORDS, MAX_SIGNAL_BYTES, MAX_UNREADABLE, PING_TIMEOUT};
use crate::media::Order;
use crate::peer::{Candidates, PeerEvent, nudge};
use crate::{DisconnectReason, Participant};

/// Longest wait for the socket to take a message.
pub(super) const SOCKET_PATIENCE: Duration = Duration::from_secs(5);

/// Why a stay ends.
pub(super) enum End {
    /// The client said so.
    Left(DisconnectReason),
    /// The socket is gone.
    Lost,
    /// This side ends it, with this reason and advice.
    Dismiss(DisconnectReason, Action),
}

/// Waits until the agent closes the room.
async fn until_closed(closed: &mut watch::Receiver<Option<DisconnectReason>>) -> DisconnectReason {
    match closed.wait_for(Option::is_some).await {
        Ok(reason) => reason.unwrap_or(DisconnectReason::RoomClosed),
        Err(_) => DisconnectReason::RoomClosed,
    }
}

pub(super) struct Session {
    pub(super) shared: Arc<Shared>,
    pub(super) socket: WebSocket,
    pub(super) connection: Arc<dyn webrtc::peer_connection::PeerConnection>,
    pub(super) candidates: Candidates,
    pub(super) tracks: Tracks,
    pub(super) orders: mpsc::UnboundedSender<Order>,
    pub(super) inlet: Arc<Inlet>,
    pub(super) tasks: TaskTracker,
    pub(super) over: CancellationToken,
    pub(super) data_ready: bool,
    /// Cancelled when the data channel opens.
    pub(super) opened: CancellationToken,
    pub(super) stay: u32,
    pub(super) unreadable: u32,
    /// Reads the reliable channel.
    pub(super) reading: Option<JoinHandle<()>>,
}

impl Session {
    /// Reads what a client sent before it said that it leaves: that came another way, and may have
    /// overtaken the last data.
    pub(super) async fn hear_out(&mut self) {
        if let Some(reading) = self.reading.take() {
            let _ = tokio::time::timeout(LAST_WORDS, reading).await;
        }
    }

    /// Runs until the stay ends.
    pub(super) async fn run(
        &mut self,
        offer: proto::SessionDescription,
        mut peer: mpsc::Receiver<PeerEvent>,
        replaced: &CancellationToken,
        abandoned: &CancellationToken,
    ) -> End {
        let mut agent = self.shared.agent_version.subscribe();
        agent.mark_unchanged();
        let mut closed = self.shared.closed.subscribe();
        let (opened_sender, mut opened) = mpsc::channel(1);
        match self.start(offer).await {
            Ok(()) => {}
            Err(end) => return end,
        }
        self.tasks
            .spawn(nudge(self.connection.clone(), self.opened.clone()));
        let connect_deadline = Instant::now() + CONNECT_TIMEOUT;
        let mut heard = Instant::now();
        loop {
            let silence = if self.data_ready {
                heard + PING_TIMEOUT
            } else {
                connect_deadline
            };
            let step = tokio::select! {
                message = self.socket.recv() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(message)) => self.message(message).await,
                        Some(Err(_)) | None => Err(End::Lost),
                    }
                }
                Some(event) = peer.recv() => self.peer(event, &opened_sender).await,
                Some(()) = opened.recv() => {
                    self.data_ready = true;
                    self.opened.cancel();
                    self.tell(AgentEvent::DataReady).await;
                    Ok(())
                }
                Ok(()) = agent.changed() => {
                    agent.mark_unchanged();
                    self.send_agent().await
                }
                reason = until_closed(&mut closed) => {
                    Err(End::Dismiss(reason, Action::Disconnect))
                }
                () = replaced.cancelled() => {
                    Err(End::Dismiss(DisconnectReason::DuplicateIdentity, Action::Disconnect))
                }
                () = abandoned.cancelled() => {
                    Err(End::Dismiss(DisconnectReason::ServerShutdown, Action::Disconnect))
                }
                () = tokio::time::sleep_until(silence) => {
                    Err(End::Dismiss(DisconnectReason::ConnectionTimeout, Action::Disconnect))
                }
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    async fn start(&mut self, offer: proto::SessionDescription) -> Result<(), End> {
        let client = client(&self.shared.options);
        let join = join(&self.shared, client.clone());
        let participant = Participant::from_wire(&client);
        *self.shared.client.lock() = Some(client);
        self.send(Response::Join(join)).await?;
        self.tell(AgentEvent::ClientJoined(participant)).await;
        self.offer(offer).await.map_err(|error| {
            tracing::warn!(%error, "the client's first offer cannot be answered");
            End::Dismiss(DisconnectReason::JoinFailure, Action::Disconnect)
        })?
    }

    pub(super) async fn tell(&mut self, event: AgentEvent) {
        self.shared.tell(event, &self.over).await;
    }

    pub(super) async fn send(&mut self, response: Response) -> Result<(), End> {
        let sent = tokio::time::timeout(SOCKET_PATIENCE, self.socket.send(binary(response))).await;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(End::Lost),
        }
    }

    async fn send_agent(&mut self) -> Result<(), End> {
        let agent = self.shared.agent.lock().clone();
        self.send_update(agent).await
    }

    pub(super) async fn send_update(
        &mut self,
        participant: proto::ParticipantInfo,
    ) -> Result<(), End> {
        self.send(Response::Update(proto::ParticipantUpdate {
            participants: vec![participant],
        }))
        .await
    }

    /// Changes the client's participant and gives its new state.
    pub(super) fn update_client(
        &self,
        change: impl FnOnce(&mut proto::ParticipantInfo),
    ) -> Option<proto::ParticipantInfo> {
        let mut client = self.shared.client.lock();
        let client = client.as_mut()?;
        change(client);
        client.version += 1;
        Some(client.clone())
    }

    pub(super) fn order(&self, order: Order) {
        // The receiving task ends only after this one.
        let _ = self.orders.send(order);
    }

    async fn message(&mut self, message: Message) -> Result<(), End> {
        let bytes = match message {
            Message::Binary(bytes) => bytes,
            Message::Close(_) => return Err(End::Lost),
            _ => return Ok(()),
        };
        let request = if bytes.len() > MAX_SIGNAL_BYTES {
            None
        } else {
            proto::SignalRequest::decode(bytes).ok()
        };
        match request.and_then(|request| request.message) {
            Some(request) => self.request(request).await,
            None => {
                self.unreadable += 1;
                if self.unreadable > MAX_UNREADABLE {
                    tracing::warn!("a client speaks something else and is sent away");
                    return Err(End::Dismiss(
                        DisconnectReason::StateMismatch,
                        Action::Disconnect,
                    ));
                }
                Ok(())
            }
        }
    }

    async fn peer(&mut self, event: PeerEvent, opened: &mpsc::Sender<()>) -> Result<(), End> {
        match event {
            PeerEvent::Candidate(candidate_init) => {
                self.send(Response::Trickle(proto::TrickleRequest {
                    candidate_init,
                    target: proto::SignalTarget::Publisher as i32,
                    r#final: false,
                }))
                .await
            }
            PeerEvent::State(RTCPeerConnectionState::Failed) => Err(End::Dismiss(
                DisconnectReason::MediaFailure,
                Action::Disconnect,
            )),
            PeerEvent::State(_) => Ok(()),
            PeerEvent::Channel(channel) => {
                let label = channel.label().await.unwrap_or_default();
                if label == RELIABLE {
                    self.reliable(channel, opened.clone());
                } else if label == LOSSY {
                    let inlet = self.inlet.clone();
                    self.tasks
                        .spawn(async move { inlet.read(channel, None).await });
                }
                Ok(())
            }
            PeerEvent::Track(track) => {
                self.order(Order::Opened(track));
                Ok(())
            }
        }
    }

    fn reliable(
        &mut self,
        channel: Arc<dyn webrtc::data_channel::DataChannel>,
        opened: mpsc::Sender<()>,
    ) {
        let (open_sender, open) = oneshot::channel();
        let inlet = self.inlet.clone();
        let reading = channel.clone();
        let reading = self
            .tasks
            .spawn(async move { inlet.read(reading, Some(open_sender)).await });
        self.reading = Some(reading);
        let packets = self.shared.packets.clone();
        let over = self.over.clone();
        let agent = self.shared.agent.lock();
        let stamp = Stamp {
            stay: self.stay,
            identity: agent.identity.clone(),
            sid: agent.sid.clone(),
            sequence: self.shared.sequence.clone(),
        };
        drop(agent);
        let writing = async move {
            // Before the channel is open, a message would vanish without a word.
            if open.await.is_err() {
                return;
            }
            let mut packets = packets.lock().await;
            let _ = opened.try_send(());
            write(channel, &mut packets, stamp, &over).await;
        };
        self.tasks
            .spawn(self.over.clone().run_until_cancelled_owned(writing));
    }
}

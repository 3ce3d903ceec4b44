//! Packets on their way in.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use livekit_protocol as proto;
use parking_lot::Mutex;
use proto::data_packet::Value;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use webrtc::data_channel::{DataChannel, DataChannelEvent};

use super::calls::{Late, SharedCalls, acknowledge, granted, respond};
use super::decode;
use super::outbox::Outbox;
use super::sequence::Seen;
use super::streams::Streams;
use crate::limits::{MAX_OPEN_CALLS, MAX_RPC_PAYLOAD_BYTES};
use crate::{AgentEvent, ByteStream, Participant, RoomEvent, RpcCall, RpcError, UserPacket};

/// Who is in the room, as far as a packet's sender is concerned.
pub(crate) trait Roster: Send + Sync {
    /// The participant with this identity.
    fn find(&self, identity: &str) -> Option<Participant>;
}

/// Where packets go.
pub(crate) enum Sink {
    /// To the agent, which sees every call.
    Agent(mpsc::Sender<AgentEvent>),
    /// To a participant, which sees calls of its own methods.
    Room {
        events: mpsc::Sender<RoomEvent>,
        calls: mpsc::Sender<RpcCall>,
        methods: HashSet<String>,
    },
}

impl Sink {
    async fn user(&self, packet: UserPacket) {
        match self {
            Self::Agent(events) => {
                let _ = events.send(AgentEvent::User(packet)).await;
            }
            Self::Room { events, .. } => {
                let _ = events.send(RoomEvent::User(packet)).await;
            }
        }
    }

    async fn stream(&self, stream: ByteStream) {
        match self {
            Self::Agent(events) => {
                let event = AgentEvent::Stream {
                    topic: stream.topic,
                    name: stream.name,
                    mime_type: stream.mime_type,
                    attributes: stream.attributes,
                    bytes: stream.bytes,
                };
                let _ = events.send(event).await;
            }
            Self::Room { events, .. } => {
                let _ = events.send(RoomEvent::Stream(stream)).await;
            }
        }
    }

    async fn late(&self, late: Late) {
        match self {
            Self::Agent(events) => {
                let Late { method, answer } = late;
                let _ = events.send(AgentEvent::LateAnswer { method, answer }).await;
            }
            // A participant's calls end with its stay; here an agent left and came back.
            Self::Room { .. } => tracing::debug!("an answer came after its call had failed"),
        }
    }

    fn knows(&self, method: &str) -> bool {
        match self {
            Self::Agent(_) => true,
            Self::Room { methods, .. } => methods.contains(method),
        }
    }

    async fn call(&self, call: RpcCall) {
        match self {
            Self::Agent(events) => {
                let _ = events.send(AgentEvent::Call(call)).await;
            }
            Self::Room { calls, .. } => {
                let _ = calls.send(call).await;
            }
        }
    }
}

/// Takes packets apart and hands them on. One per session; its channels share it.
pub(crate) struct Inlet {
    pub(crate) sink: Sink,
    pub(crate) roster: Arc<dyn Roster>,
    /// This side's identity: packets addressed to others only are passed over.
    pub(crate) own_identity: String,
    /// The only possible sender, where there is only one; whatever packets say.
    pub(crate) only_sender: Option<String>,
    pub(crate) calls: SharedCalls,
    pub(crate) outbox: Outbox,
    pub(crate) seen: Mutex<Seen>,
    pub(crate) streams: Mutex<Streams>,
    pub(crate) serving: Arc<AtomicUsize>,
    pub(crate) tasks: TaskTracker,
    pub(crate) over: CancellationToken,
}

impl Inlet {
    /// Reads a channel until it ends. `opened` is told once.
    pub(crate) async fn read(
        &self,
        channel: Arc<dyn DataChannel>,
        mut opened: Option<oneshot::Sender<()>>,
    ) {
        loop {
            let event = tokio::select! {
                biased;
                () = self.over.cancelled() => return,
                event = channel.poll() => event,
            };
            match event {
                Some(DataChannelEvent::OnOpen) => {
                    if let Some(opened) = opened.take() {
                        let _ = opened.send(());
                    }
                }
                Some(DataChannelEvent::OnMessage(message)) => {
                    let Some(packet) = decode(message.data.freeze()) else {
                        tracing::debug!("an unreadable data packet was passed over");
                        continue;
                    };
                    tokio::select! {
                        () = self.over.cancelled() => return,
                        () = self.take(packet) => {}
                    }
                }
                Some(DataChannelEvent::OnClose) | None => return,
                Some(_) => {}
            }
        }
    }

    async fn take(&self, packet: proto::DataPacket) {
        let to = &packet.destination_identities;
        if !to.is_empty() && !to.contains(&self.own_identity) {
            return;
        }
        if !self
            .seen
            .lock()
            .is_new(&packet.participant_sid, packet.sequence)
        {
            return;
        }
        let sender = match &self.only_sender {
            Some(identity) => identity.clone(),
            None => packet.participant_identity,
        };
        match packet.value {
            Some(Value::User(user)) => {
                #[allow(deprecated, reason = "older servers name the sender here")]
                let sender = if sender.is_empty() {
                    user.participant_identity
                } else {
                    sender
                };
                self.sink
                    .user(UserPacket {
                        sender: self.roster.find(&sender),
                        sender_identity: sender,
                        payload: user.payload.into(),
                        topic: user.topic.filter(|topic| !topic.is_empty()),
                    })
                    .await;
            }
            Some(Value::RpcRequest(request)) => self.serve(sender, request).await,
            Some(Value::RpcAck(ack)) => self.calls.acknowledged(&sender, &ack),
            Some(Value::RpcResponse(response)) => {
                if let Some(late) = self.calls.answered(&sender, response) {
                    self.sink.late(late).await;
                }
            }
            Some(Value::StreamHeader(header)) => self.streams.lock().header(&sender, header),
            Some(Value::StreamChunk(chunk)) => self.streams.lock().chunk(&sender, &chunk),
            Some(Value::StreamTrailer(trailer)) => {
                let stream = self.streams.lock().trailer(&sender, trailer);
                if let Some(mut stream) = stream {
                    stream.sender = self.roster.find(&sender);
                    self.sink.stream(stream).await;
                }
            }
            _ => {}
        }
    }

    async fn serve(&self, caller: String, request: proto::RpcRequest) {
        if self.serving.fetch_add(1, Ordering::AcqRel) >= MAX_OPEN_CALLS {
            self.serving.fetch_sub(1, Ordering::AcqRel);
            tracing::warn!("a call was passed over: too many are open");
            return;
        }
        let slot = Slot(self.serving.clone());
        let refusal = if request.version != 1 {
            Some(RpcError::unsupported_version())
        } else if request.payload.len() > MAX_RPC_PAYLOAD_BYTES {
            Some(RpcError::request_too_large())
        } else if !self.sink.knows(&request.method) {
            Some(RpcError::unsupported_method())
        } else {
            None
        };
        let outbox = self.outbox.clone();
        let over = self.over.clone();
        if let Some(error) = refusal {
            self.tasks.spawn(over.run_until_cancelled_owned(async move {
                let _slot = slot;
                acknowledge(&outbox, &caller, &request.id).await;
                respond(&outbox, &caller, request.id, Err(error).into()).await;
            }));
            return;
        }
        let (answer_sender, answer) = oneshot::channel();
        let timeout = granted(&request);
        let call = RpcCall {
            caller: self.roster.find(&caller),
            caller_identity: caller.clone(),
            method: request.method,
            payload: request.payload,
            response_timeout: timeout,
            answer: Some(answer_sender),
        };
        // Acknowledged by a task of its own, so that a slow application cannot hold it up.
        self.tasks.spawn(over.run_until_cancelled_owned(async move {
            let _slot = slot;
            acknowledge(&outbox, &caller, &request.id).await;
            let Ok(answer) = tokio::time::timeout(timeout, answer).await else {
                // The caller has given up.
                return;
            };
            let answer = answer.unwrap_or_else(|_| {
                Err(RpcError::application("The handler gave no answer")).into()
            });
            respond(&outbox, &caller, request.id, answer).await;
        }));
        self.sink.call(call).await;
    }
}

/// One of the open calls.
struct Slot(Arc<AtomicUsize>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

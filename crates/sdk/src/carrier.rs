//! The agent's transport over a room.

use std::{collections::HashSet, sync::Arc};

use alidade_agent::{
    JoinFailure, SendFailure, Transport,
    transport::{
        Call, Inbound, Inbox, JoinRequest, Link, ReplySlot, RpcFailure, Sender, rules::close_kind,
    },
};
use alidade_room::{
    DisconnectReason, Joined, Participant, ParticipantKind, Room, RoomEvent, RpcCall, RpcError,
    Secret, UserPacket,
    client::{JoinOptions, join},
};
use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// The attribute that carries the `ready` frame.
const READY: &str = "cosmo.ready";

/// Joins rooms. One per session: the room it joined last is where tracks are published.
#[derive(Clone, Debug, Default)]
pub struct RoomCarrier {
    room: Arc<Mutex<Option<Room>>>,
}

impl RoomCarrier {
    pub(crate) fn room(&self) -> Option<Room> {
        self.room.lock().clone()
    }
}

#[async_trait]
impl Transport for RoomCarrier {
    async fn join(&self, request: JoinRequest, inbox: Inbox) -> Result<Box<dyn Link>, JoinFailure> {
        let options = JoinOptions {
            url: request.url,
            token: Secret::new(request.token.expose()),
            sdk_name: request.sdk.name,
            sdk_version: request.sdk.version,
            methods: request.methods.into_iter().collect::<HashSet<_>>(),
            timeout: request.timeout,
        };
        let joined = join(options)
            .await
            .map_err(|error| JoinFailure(error.to_string()))?;
        let Joined {
            room,
            events,
            calls,
        } = joined;
        *self.room.lock() = Some(room.clone());
        tokio::spawn(carry(events, calls, inbox));
        Ok(Box::new(RoomLink(room)))
    }
}

/// Hands on what the room brings, in order, until it closes or the session no longer reads.
async fn carry(
    mut events: mpsc::Receiver<RoomEvent>,
    mut calls: mpsc::Receiver<RpcCall>,
    inbox: Inbox,
) {
    let mut calling = true;
    loop {
        let inbound = tokio::select! {
            // Frames before calls: what announces a call should be known before the call runs.
            biased;
            event = events.recv() => match event {
                Some(RoomEvent::Closed(reason)) => {
                    inbox.put(closed(reason)).await;
                    return;
                }
                Some(event) => heard(event),
                // Without a reason the room is simply gone.
                None => return,
            },
            call = calls.recv(), if calling => match call {
                Some(call) => Some(asked(call)),
                None => {
                    calling = false;
                    None
                }
            },
            () = inbox.closed() => return,
        };
        if let Some(inbound) = inbound
            && !inbox.put(inbound).await
        {
            return;
        }
    }
}

fn closed(reason: DisconnectReason) -> Inbound {
    let name = reason.name();
    Inbound::Closed {
        kind: close_kind(Some(name)),
        detail: Some(name.to_owned()),
    }
}

fn kind(participant: &Participant) -> Sender {
    if participant.kind == ParticipantKind::Agent {
        Sender::Agent
    } else {
        Sender::Other
    }
}

/// Who sent a packet: nobody named is the server's API, somebody unknown is nobody we listen to.
fn sender(packet: &UserPacket) -> Sender {
    match &packet.sender {
        Some(participant) => kind(participant),
        None if packet.sender_identity.is_empty() => Sender::Server,
        None => Sender::Other,
    }
}

fn heard(event: RoomEvent) -> Option<Inbound> {
    match event {
        RoomEvent::User(packet) => Some(Inbound::Data {
            sender: sender(&packet),
            payload: packet.payload,
        }),
        RoomEvent::ParticipantChanged(participant) => {
            participant
                .attributes
                .get(READY)
                .map(|value| Inbound::ReadyAttribute {
                    sender: kind(&participant),
                    value: value.clone(),
                })
        }
        RoomEvent::Reconnecting => Some(Inbound::Reconnecting),
        RoomEvent::Reconnected => Some(Inbound::Reconnected),
        _ => None,
    }
}

fn asked(call: RpcCall) -> Inbound {
    let caller = call.caller.as_ref().map_or(Sender::Other, kind);
    Inbound::Call(Call {
        caller,
        method: call.method.clone(),
        payload: call.payload.clone(),
        slot: Box::new(RoomReply(call)),
        // A room does not withdraw calls: when the caller stops waiting, the handler goes on.
        withdrawn: CancellationToken::new(),
    })
}

struct RoomReply(RpcCall);

#[async_trait]
impl ReplySlot for RoomReply {
    async fn reply(self: Box<Self>, reply: Result<String, RpcFailure>) {
        // What follows on the same channel must not overtake it (T45).
        self.0
            .reply_written(reply.map_err(|failure| RpcError::new(failure.code, failure.message)))
            .await;
    }
}

struct RoomLink(Room);

#[async_trait]
impl Link for RoomLink {
    async fn send(&self, frame: Bytes) -> Result<(), SendFailure> {
        self.0
            .send_user(frame, None, &[])
            .await
            .map_err(|error| SendFailure(error.to_string()))
    }

    fn ready_attributes(&self) -> Vec<String> {
        self.0
            .agents()
            .iter()
            .filter_map(|agent| agent.attributes.get(READY).cloned())
            .collect()
    }

    async fn send_bytes(&self, topic: &str, bytes: Bytes) -> Result<(), SendFailure> {
        let agents: Vec<String> = self
            .0
            .agents()
            .into_iter()
            .map(|agent| agent.identity)
            .collect();
        if agents.is_empty() {
            return Err(SendFailure("no agent is in the room".to_owned()));
        }
        self.0
            .send_bytes(topic, topic, bytes, &agents)
            .await
            .map_err(|error| SendFailure(error.to_string()))
    }

    async fn leave(&self) {
        self.0.leave().await;
    }
}

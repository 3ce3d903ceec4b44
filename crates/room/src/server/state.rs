//! What the agent's handles and the client's session share.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use livekit_protocol as proto;
use parking_lot::Mutex;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::{AgentEvent, RoomOptions};
use crate::data::{Calls, Outbox, Queued, Roster};
use crate::limits::{EVENT_QUEUE, MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTES};
use crate::media::Order;
use crate::{DisconnectReason, Participant};

/// The client's running session.
pub(super) struct Live {
    pub(super) orders: mpsc::UnboundedSender<Order>,
    /// Tells the session that another one takes its place.
    pub(super) replaced: CancellationToken,
    /// Told when the session is completely gone.
    pub(super) gone: CancellationToken,
}

pub(crate) struct Shared {
    pub(super) options: RoomOptions,
    pub(super) room_sid: String,
    pub(super) agent: Mutex<proto::ParticipantInfo>,
    /// Changes with every change of the agent.
    pub(super) agent_version: watch::Sender<u32>,
    pub(super) client: Mutex<Option<proto::ParticipantInfo>>,
    pub(super) live: Mutex<Option<Live>>,
    pub(super) joining: tokio::sync::Mutex<()>,
    pub(super) calls: Arc<Calls>,
    pub(super) outbox: Outbox,
    /// Taken by the session whose data channel is open.
    pub(super) packets: Arc<tokio::sync::Mutex<mpsc::Receiver<Queued>>>,
    pub(super) sequence: Arc<AtomicU32>,
    pub(super) events: mpsc::Sender<AgentEvent>,
    pub(super) closed: watch::Sender<Option<DisconnectReason>>,
    #[cfg(test)]
    pub(super) weather: Mutex<Option<Arc<crate::peer::weather::Weather>>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("options", &self.options.name)
            .field("closed", &*self.closed.borrow())
            .finish_non_exhaustive()
    }
}

impl Shared {
    pub(super) fn new(options: RoomOptions) -> (Self, mpsc::Receiver<AgentEvent>) {
        let (events, reader) = mpsc::channel(EVENT_QUEUE);
        let (outbox, packets) = Outbox::new();
        let mut attributes = options.agent_attributes.clone();
        bound(&mut attributes);
        let now = crate::now_ms();
        let agent = proto::ParticipantInfo {
            sid: crate::new_sid("PA"),
            identity: options.agent_identity.clone(),
            name: options.agent_identity.clone(),
            state: proto::participant_info::State::Active as i32,
            kind: proto::participant_info::Kind::Agent as i32,
            attributes: attributes.into_iter().collect(),
            joined_at: now / 1_000,
            joined_at_ms: now,
            version: 1,
            permission: Some(proto::ParticipantPermission {
                can_subscribe: true,
                can_publish: true,
                can_publish_data: true,
                can_update_metadata: true,
                ..Default::default()
            }),
            // Left at 0, so that calls come as packets.
            client_protocol: 0,
            ..Default::default()
        };
        let shared = Self {
            options,
            room_sid: crate::new_sid("RM"),
            agent: Mutex::new(agent),
            agent_version: watch::Sender::new(1),
            client: Mutex::new(None),
            live: Mutex::new(None),
            joining: tokio::sync::Mutex::default(),
            calls: Arc::default(),
            outbox,
            packets: Arc::new(tokio::sync::Mutex::new(packets)),
            sequence: Arc::default(),
            events,
            closed: watch::Sender::new(None),
            #[cfg(test)]
            weather: Mutex::new(None),
        };
        (shared, reader)
    }

    pub(super) fn client(&self) -> Option<Participant> {
        self.client.lock().as_ref().map(Participant::from_wire)
    }

    pub(super) fn set_agent_attributes(&self, attributes: BTreeMap<String, String>) {
        let mut agent = self.agent.lock();
        merge(&mut agent, attributes);
        agent.version += 1;
        let version = agent.version;
        drop(agent);
        self.agent_version.send_replace(version);
    }

    /// Sends an event, unless nobody takes it for very long.
    pub(super) async fn tell(&self, event: AgentEvent, over: &CancellationToken) {
        tokio::select! {
            biased;
            _ = self.events.send(event) => {}
            () = over.cancelled() => {}
        }
    }
}

impl Roster for Shared {
    fn find(&self, identity: &str) -> Option<Participant> {
        self.client().filter(|client| client.identity == identity)
    }
}

/// Merges attributes into a participant's; an empty value removes a key.
pub(super) fn merge(
    participant: &mut proto::ParticipantInfo,
    attributes: impl IntoIterator<Item = (String, String)>,
) {
    let mut merged: BTreeMap<String, String> = std::mem::take(&mut participant.attributes)
        .into_iter()
        .collect();
    for (key, value) in attributes {
        if value.is_empty() {
            merged.remove(&key);
        } else {
            merged.insert(key, value);
        }
    }
    bound(&mut merged);
    participant.attributes = merged.into_iter().collect();
}

fn bound(attributes: &mut BTreeMap<String, String>) {
    let mut bytes = 0;
    let mut count = 0;
    attributes.retain(|key, value| {
        bytes += key.len() + value.len();
        count += 1;
        let fits = bytes <= MAX_ATTRIBUTE_BYTES && count <= MAX_ATTRIBUTES;
        if !fits {
            tracing::warn!(key, "an attribute was left out: too many or too long");
        }
        fits
    });
}

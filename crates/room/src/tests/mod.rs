//! Client and server of this crate against each other, on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod calls;
mod corpus;
mod manners;
mod pictures;
mod socket;
mod stays;
mod storm;
mod strangers;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::mpsc;
use tokio_util::task::TaskTracker;

use crate::client::{JoinError, JoinOptions, Joined, join};
use crate::peer::weather::Weather;
use crate::{
    Agent, AgentEvent, DisconnectReason, JoinQuery, Room, RoomEvent, RoomOptions, RpcCall,
    ServerRoom, UserPacket,
};

/// A wait that no healthy machine reaches.
const LONG: Duration = Duration::from_secs(60);

/// A room behind a listening socket.
struct House {
    url: String,
    room: ServerRoom,
    agent: Agent,
    events: mpsc::Receiver<AgentEvent>,
    serving: TaskTracker,
    listener: tokio::task::JoinHandle<()>,
}

impl Drop for House {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

#[derive(Clone)]
struct Served {
    room: ServerRoom,
    serving: TaskTracker,
}

async fn rtc(
    State(served): State<Served>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Response {
    let query = match JoinQuery::parse(&query.unwrap_or_default()) {
        Ok(query) => query,
        Err(error) => {
            return (axum::http::StatusCode::BAD_REQUEST, error.to_string()).into_response();
        }
    };
    upgrade
        .max_message_size(crate::limits::MAX_SIGNAL_BYTES)
        .on_upgrade(move |socket| {
            let task = served.serving.token();
            async move {
                let _task = task;
                served.room.serve(socket, query).await;
            }
        })
}

impl House {
    async fn open() -> Self {
        let (room, agent, events) = ServerRoom::open(RoomOptions {
            name: "room".into(),
            client_identity: "user:1".into(),
            client_name: "A person".into(),
            agent_identity: "agent:1".into(),
            agent_attributes: BTreeMap::from([("cosmo.ready".to_owned(), "{}".to_owned())]),
        });
        let serving = TaskTracker::new();
        let router = Router::new().route("/rtc/v1", get(rtc)).with_state(Served {
            room: room.clone(),
            serving: serving.clone(),
        });
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", socket.local_addr().unwrap());
        let listener = tokio::spawn(async move {
            axum::serve(socket, router).await.unwrap();
        });
        Self {
            url,
            room,
            agent,
            events,
            serving,
            listener,
        }
    }

    /// The next event, which must come.
    async fn next(&mut self) -> AgentEvent {
        tokio::time::timeout(LONG, self.events.recv())
            .await
            .expect("an event of the agent")
            .expect("the agent lives")
    }

    /// The first event that `pick` takes; others are passed over.
    async fn until<T>(&mut self, mut pick: impl FnMut(AgentEvent) -> Option<T>) -> T {
        loop {
            if let Some(picked) = pick(self.next().await) {
                return picked;
            }
        }
    }

    /// The next user packet.
    async fn user(&mut self) -> UserPacket {
        self.until(|event| match event {
            AgentEvent::User(packet) => Some(packet),
            _ => None,
        })
        .await
    }

    /// Waits until the guest is gone and gives the reason.
    async fn left(&mut self) -> DisconnectReason {
        self.until(|event| match event {
            AgentEvent::ClientLeft { reason } => Some(reason),
            _ => None,
        })
        .await
    }

    async fn ready(&mut self) {
        self.until(|event| matches!(event, AgentEvent::DataReady).then_some(()))
            .await;
    }

    /// Waits until no session is left.
    async fn empty(&self) {
        self.serving.close();
        tokio::time::timeout(LONG, self.serving.wait())
            .await
            .expect("sessions end");
        self.serving.reopen();
    }
}

/// A joined client.
struct Guest {
    room: Room,
    events: mpsc::Receiver<RoomEvent>,
    calls: mpsc::Receiver<RpcCall>,
}

fn options(house: &House) -> JoinOptions {
    JoinOptions {
        url: house.url.clone(),
        token: "token-canary".into(),
        sdk_name: "test".into(),
        sdk_version: "0".into(),
        methods: HashSet::from(["echo".to_owned(), "silent".to_owned()]),
        timeout: LONG,
    }
}

impl Guest {
    async fn join(house: &House) -> Self {
        Self::from(join(options(house)).await.expect("a join"))
    }

    async fn join_through(house: &House, weather: Arc<Weather>) -> Result<Self, JoinError> {
        crate::client::join_in(options(house), Some(weather))
            .await
            .map(Self::from)
    }

    async fn until<T>(&mut self, mut pick: impl FnMut(RoomEvent) -> Option<T>) -> T {
        loop {
            let event = tokio::time::timeout(LONG, self.events.recv())
                .await
                .expect("an event of the room")
                .expect("the room lives");
            if let Some(picked) = pick(event) {
                return picked;
            }
        }
    }

    /// The next user packet.
    async fn user(&mut self) -> UserPacket {
        self.until(|event| match event {
            RoomEvent::User(packet) => Some(packet),
            _ => None,
        })
        .await
    }

    /// Waits for the end and gives its reason.
    async fn closed(&mut self) -> DisconnectReason {
        let reason = self
            .until(|event| match event {
                RoomEvent::Closed(reason) => Some(reason),
                _ => None,
            })
            .await;
        assert!(
            self.events.recv().await.is_none(),
            "nothing follows the end"
        );
        reason
    }

    /// Answers every call with its own payload, for ever.
    fn echo(&mut self) {
        let (_, empty) = mpsc::channel(1);
        let mut calls = std::mem::replace(&mut self.calls, empty);
        tokio::spawn(async move {
            while let Some(call) = calls.recv().await {
                let payload = call.payload.clone();
                call.reply(Ok(payload));
            }
        });
    }
}

impl From<Joined> for Guest {
    fn from(joined: Joined) -> Self {
        Self {
            room: joined.room,
            events: joined.events,
            calls: joined.calls,
        }
    }
}

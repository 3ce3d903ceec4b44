//! A room for one client and an agent in the same process.
//!
//! The host checks the token, upgrades the socket (with
//! [`MAX_SIGNAL_BYTES`](crate::limits::MAX_SIGNAL_BYTES) as its message limit) and hands it to
//! [`ServerRoom::serve`]; the agent's side works through [`Agent`] and [`AgentEvent`].

mod agent;
mod join;
mod requests;
mod serve;
mod session;
mod state;
mod tracks;
mod welcome;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::ws::WebSocket;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

pub use agent::{Agent, AgentEvent};
pub(crate) use join::wrap;
pub use join::{BadJoin, JoinQuery};
use state::Shared;

/// Names of a room and of the two in it.
#[derive(Debug, Clone, Default)]
pub struct RoomOptions {
    /// Name of the room.
    pub name: String,
    /// Identity the client gets.
    pub client_identity: String,
    /// Display name the client gets.
    pub client_name: String,
    /// Identity of the agent.
    pub agent_identity: String,
    /// Attributes the agent has from the start.
    pub agent_attributes: BTreeMap<String, String>,
}

/// A room. Clones share it.
#[derive(Debug, Clone)]
pub struct ServerRoom {
    shared: Arc<Shared>,
}

impl ServerRoom {
    /// Opens a room with its agent. It lives until [`Agent::close`].
    ///
    /// Keep reading the events: a full queue stops the data of the room.
    pub fn open(options: RoomOptions) -> (Self, Agent, mpsc::Receiver<AgentEvent>) {
        let (shared, events) = Shared::new(options);
        let shared = Arc::new(shared);
        let room = Self {
            shared: shared.clone(),
        };
        (room, Agent::new(shared), events)
    }

    /// Serves the client behind `socket` until its signalling ends. The token has been checked
    /// before. A second client takes the place of the first; a client that wants to resume is
    /// told to join anew. Dropping the future ends the client's stay.
    pub async fn serve(&self, socket: WebSocket, query: JoinQuery) {
        // A task of its own, so that a stay ends in good order even when nobody waits for it.
        let abandoned = CancellationToken::new();
        let guard = abandoned.clone().drop_guard();
        let session = tokio::spawn(serve::serve(self.shared.clone(), socket, query, abandoned));
        if let Err(error) = session.await {
            tracing::error!(%error, "a room session broke");
        }
        drop(guard);
    }

    #[cfg(test)]
    pub(crate) fn set_weather(&self, weather: Arc<crate::peer::weather::Weather>) {
        *self.shared.weather.lock() = Some(weather);
    }
}

//! What faces the network: connections, headers, credentials, REST, and the way into a room.
//!
//! A local server is reachable from any web page on the machine. So: loopback only, the Host header
//! must be ours, an Origin must be listed, every REST call needs the key of this run, and a room opens
//! to a join token that works once. All of it is checked before a body is read or a socket upgraded.

mod answer;
mod guard;
mod lane;
mod listen;
mod rest;
mod ticket;

use std::sync::Arc;

use alidade_room::Secret;
use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{any, get, post},
};
use rand::RngCore;

pub(crate) use listen::{Proof, serve};
pub(crate) use ticket::Tickets;

use crate::{HostOptions, Limits, session::Sessions};

/// All that answering a request needs.
pub(crate) struct Door {
    port: u16,
    api_key: Secret,
    origins: Vec<String>,
    models: Vec<String>,
    limits: Limits,
    sessions: Arc<Sessions>,
    tickets: Tickets,
}

impl Door {
    pub(crate) fn new(
        options: &HostOptions,
        port: u16,
        api_key: Secret,
        sessions: Arc<Sessions>,
    ) -> Self {
        Self {
            port,
            api_key,
            origins: options.origins.clone(),
            models: options.models.clone(),
            limits: options.limits.clone(),
            sessions,
            tickets: Tickets::new(options.limits.token),
        }
    }
}

/// Every path there is. `/api` asks for the key; the room's paths ask for their token themselves.
fn router(door: Arc<Door>) -> Router {
    use alidade_wire::rest::path;
    let api = Router::new()
        .route(path::START, post(rest::start))
        .route(path::WS_START, any(rest::ws_start))
        .route(path::PREPARE_ROOM, any(rest::prepare_room))
        .route(path::VERIFY, get(rest::verify))
        .route(path::MINT, any(rest::mint))
        .route(
            "/api/v1/external/realtime/session/{id}/dial",
            post(rest::dial),
        )
        .route("/api/v1/external/sessions", get(rest::list))
        .route(
            "/api/v1/external/sessions/capabilities",
            get(rest::capabilities),
        )
        .route(
            "/api/v1/external/sessions/{id}",
            get(rest::one).delete(rest::delete),
        )
        .route("/api/v1/external/sessions/{id}/usage", get(rest::usage))
        .method_not_allowed_fallback(answer::wrong_method)
        .layer(from_fn_with_state(Arc::clone(&door), guard::key));
    Router::new()
        .route("/rtc/v1", get(lane::join))
        .route("/rtc/v1/validate", get(lane::validate))
        .route("/rtc/validate", get(lane::validate))
        .route("/rtc", any(lane::two_connections))
        .merge(api)
        .fallback(answer::nothing_here)
        .layer(from_fn_with_state(Arc::clone(&door), guard::request))
        .with_state(door)
}

/// A key nobody can guess, for one run.
pub(crate) fn random_key() -> Secret {
    let mut bytes = [0; 32];
    rand::rng().fill_bytes(&mut bytes);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Secret::new(format!("cosmo_local_{hex}"))
}

/// Whether a given key can be sent in a header and is worth checking.
pub(crate) fn usable_key(key: &str) -> bool {
    (16..=512).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
}

//! Key and join token reach no log, neither ours nor that of a library below, over a whole session.
//!
//! The only test of its program, because a log is of the whole process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{collections::BTreeMap, sync::Mutex, time::Duration};

use alidade_room::{AgentEvent, JoinQuery, RoomOptions, ServerRoom};
use alidade_sdk::{
    Session,
    agent::{Agent, Backend, Endpoint},
};
use axum::{
    Json, Router,
    extract::{RawQuery, State, WebSocketUpgrade},
    http::{HeaderMap, header::AUTHORIZATION},
    response::{IntoResponse, Response},
    routing::{any, get},
};
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

const KEY: &str = "canary-key-0123456789";
const TOKEN: &str = "canary.token-of-a-join.0123456789";

/// What was logged.
static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn bearer(headers: &HeaderMap) -> &str {
    headers[AUTHORIZATION].to_str().unwrap()
}

async fn rtc(
    State((room, _)): State<(ServerRoom, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    assert_eq!(bearer(&headers), format!("Bearer {TOKEN}"));
    match JoinQuery::parse(&query.unwrap_or_default()) {
        Ok(query) => {
            upgrade.on_upgrade(move |socket| async move { room.serve(socket, query).await })
        }
        Err(error) => panic!("{error}"),
    }
    .into_response()
}

async fn start(State((_, url)): State<(ServerRoom, String)>, headers: HeaderMap) -> Response {
    assert_eq!(bearer(&headers), format!("Bearer {KEY}"));
    Json(json!({"livekit_url": url, "token": TOKEN, "room_name": "test", "session_id": "s-1"}))
        .into_response()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_writes_neither_key_nor_token_into_any_log() {
    // This also takes what goes through the `log` facade.
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(|| LOG.make_writer())
        .init();
    let ready = json!({"type": "ready", "session_id": "s-1"}).to_string();
    let (room, _agent, mut events) = ServerRoom::open(RoomOptions {
        name: "test".into(),
        client_identity: "user:1".into(),
        agent_identity: "agent:1".into(),
        agent_attributes: BTreeMap::from([("cosmo.ready".to_owned(), ready)]),
        ..RoomOptions::default()
    });
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let router = Router::new()
        .route("/rtc/v1", get(rtc))
        .fallback(any(start))
        .with_state((room, format!("ws://{address}")));
    tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });

    let endpoint = Endpoint::new(&format!("http://{address}"), KEY).unwrap();
    let session = Session::start(
        Agent::inline().build().unwrap(),
        Backend::new(endpoint).unwrap(),
    )
    .await
    .unwrap();
    session.send_text("Where is Save?").await.unwrap();
    session.end().await;
    let ended = tokio::time::timeout(Duration::from_secs(60), async {
        loop {
            match events.recv().await.expect("the room is open") {
                AgentEvent::ClientLeft { .. } => return,
                _ => continue,
            }
        }
    });
    ended.await.expect("the client leaves in time");

    let log = String::from_utf8_lossy(&LOG.lock().unwrap()).into_owned();
    for target in ["alidade_room", "tungstenite", "reqwest", "hyper_util"] {
        assert!(log.contains(target), "{target} was not caught");
    }
    for line in log.lines() {
        assert!(!line.contains("canary"), "{line}");
    }
}

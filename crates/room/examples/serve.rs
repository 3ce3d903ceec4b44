//! Serves one room on 127.0.0.1 and says what happens in it. Any LiveKit client that knows
//! `/rtc/v1` can join; the token is not looked at, so this is for trying things out only.
//!
//! ```text
//! cargo run -p alidade-room --example serve -- [PORT]
//! ```

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an example talks to a person"
)]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::{Duration, Instant};

use alidade_room::{AgentEvent, DisconnectReason, JoinQuery, RoomOptions, RpcError, ServerRoom};
use axum::Router;
use axum::extract::{RawQuery, State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

async fn rtc(
    State(room): State<ServerRoom>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Response {
    match JoinQuery::parse(&query.unwrap_or_default()) {
        Ok(query) => upgrade
            .max_message_size(alidade_room::limits::MAX_SIGNAL_BYTES)
            .on_upgrade(move |socket| async move { room.serve(socket, query).await }),
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

fn say(line: &str) {
    println!("{line}");
    std::io::stdout().flush().unwrap();
}

#[tokio::main]
async fn main() {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .init();
    let port = std::env::args().nth(1).unwrap_or_else(|| "0".to_owned());
    let (room, agent, mut events) = ServerRoom::open(RoomOptions {
        name: "example".into(),
        client_identity: "user:1".into(),
        client_name: "You".into(),
        agent_identity: "agent:1".into(),
        agent_attributes: BTreeMap::from([("state".to_owned(), "waiting".to_owned())]),
    });
    let router = Router::new().route("/rtc/v1", get(rtc)).with_state(room);
    let socket = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}"))
        .await
        .unwrap();
    say(&format!("url ws://{}", socket.local_addr().unwrap()));
    tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });
    while let Some(event) = events.recv().await {
        match event {
            AgentEvent::DataReady => {
                say("data ready");
                agent.set_attributes(BTreeMap::from([("state".into(), "ready".into())]));
                agent.send_user("hello".into(), None).await.unwrap();
            }
            AgentEvent::User(packet) if &packet.payload[..] == b"call me" => {
                let agent = agent.clone();
                tokio::spawn(async move {
                    let mut times = Vec::new();
                    for number in 0..200 {
                        let start = Instant::now();
                        let answer = agent
                            .call("echo", number.to_string(), Duration::from_secs(5))
                            .await;
                        assert_eq!(answer, Ok(number.to_string()));
                        times.push(start.elapsed());
                    }
                    times.sort();
                    say(&format!("called p50 {:?} p99 {:?}", times[100], times[198]));
                    let nobody = agent.call("nobody", String::new(), Duration::from_secs(5));
                    say(&format!("nobody: {:?}", nobody.await));
                    agent.send_user("called".into(), None).await.unwrap();
                });
            }
            AgentEvent::User(packet) if &packet.payload[..] == b"close" => {
                agent.close(DisconnectReason::RoomDeleted).await;
                say("closed");
                return;
            }
            AgentEvent::User(packet) => {
                say(&format!("user {} bytes", packet.payload.len()));
                agent.send_user(packet.payload, None).await.unwrap();
            }
            AgentEvent::Call(call) if call.method == "double" => {
                let payload = call.payload.repeat(2);
                call.reply(Ok(payload));
            }
            AgentEvent::Call(call) => call.reply(Err(RpcError::unsupported_method())),
            AgentEvent::TrackMedia {
                track,
                mut pictures,
            } => {
                say(&format!("media {} {:?}", track.name, track.source));
                let agent = agent.clone();
                tokio::spawn(async move {
                    let mut count = 0;
                    while let Some(picture) = pictures.recv().await {
                        count += 1;
                        if count <= 3 || count % 30 == 0 || picture.key {
                            say(&format!("picture {count} {picture:?}"));
                        }
                        if count == 20 {
                            agent.request_key_frame(&track.sid);
                        }
                        if let Ok(folder) = std::env::var("PICTURES") {
                            let name = format!("{folder}/{count:05}.vp8");
                            std::fs::write(name, &picture.data).unwrap();
                        }
                    }
                    say(&format!("media ended after {count}"));
                });
            }
            AgentEvent::Stream { topic, bytes, .. } => {
                say(&format!("stream {topic} {} bytes", bytes.len()));
            }
            other => say(&format!("{other:?}")),
        }
    }
}

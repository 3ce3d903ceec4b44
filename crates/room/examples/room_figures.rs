//! Figures of a room on this machine: connecting, calls, large pictures.
//!
//! ```text
//! cargo run -p alidade-room --example room_figures
//! ```

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "an example talks to a person"
)]

use std::collections::HashSet;
use std::time::{Duration, Instant};

use alidade_room::client::{JoinOptions, join};
use alidade_room::{
    Agent, AgentEvent, EncodedPicture, JoinQuery, RoomOptions, ServerRoom, TrackSource,
    VideoOptions,
};
use axum::Router;
use axum::extract::{RawQuery, State, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use tokio::sync::mpsc;

async fn rtc(
    State(room): State<ServerRoom>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Response {
    let query = JoinQuery::parse(&query.unwrap_or_default()).unwrap();
    upgrade.on_upgrade(move |socket| async move { room.serve(socket, query).await })
}

async fn house() -> (String, Agent, mpsc::Receiver<AgentEvent>) {
    let (room, agent, events) = ServerRoom::open(RoomOptions {
        client_identity: "user:1".into(),
        agent_identity: "agent:1".into(),
        ..RoomOptions::default()
    });
    let router = Router::new().route("/rtc/v1", get(rtc)).with_state(room);
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", socket.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });
    (url, agent, events)
}

fn options(url: &str) -> JoinOptions {
    JoinOptions {
        url: url.to_owned(),
        token: "none".into(),
        sdk_name: "measure".into(),
        sdk_version: "0".into(),
        methods: HashSet::from(["echo".to_owned()]),
        timeout: Duration::from_secs(10),
    }
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{what}: p50 {:?} p95 {:?} p99 {:?} (n = {})",
        at(0.5),
        at(0.95),
        at(0.99),
        times.len()
    );
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let (url, agent, mut events) = house().await;
    let mut times = Vec::new();
    for _ in 0..50 {
        let start = Instant::now();
        let joined = join(options(&url)).await.unwrap();
        times.push(start.elapsed());
        joined.room.leave().await;
    }
    report("connect until the data channel is open", times);

    let mut joined = join(options(&url)).await.unwrap();
    tokio::spawn(async move {
        while let Some(call) = joined.calls.recv().await {
            let payload = call.payload.clone();
            call.reply(Ok(payload));
        }
    });
    let mut times = Vec::new();
    for _ in 0..2_000 {
        let start = Instant::now();
        agent
            .call("echo", "{}".into(), Duration::from_secs(5))
            .await
            .unwrap();
        times.push(start.elapsed());
    }
    report("call and answer", times);

    let start = Instant::now();
    let track = joined
        .room
        .publish_video(VideoOptions {
            name: "screen".into(),
            source: TrackSource::ScreenShare,
            width: 1_920,
            height: 1_080,
        })
        .await
        .unwrap();
    println!("publish: {:?}", start.elapsed());
    let mut reader = None;
    for bytes in [30_000, 300_000, 1_000_000, 1_500_000] {
        let mut times = Vec::new();
        for number in 0..40u32 {
            let mut data = vec![0; bytes];
            data[..10].copy_from_slice(&[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 7, 0x38, 4]);
            let start = Instant::now();
            track
                .write(EncodedPicture::new(
                    data,
                    number * 90_000 + bytes as u32,
                    true,
                ))
                .unwrap();
            if reader.is_none() {
                while let Some(event) = events.recv().await {
                    if let AgentEvent::TrackMedia { pictures, .. } = event {
                        reader = Some(pictures);
                        break;
                    }
                }
            }
            let Some(pictures) = &mut reader else {
                panic!("the agent is gone");
            };
            let wait = tokio::time::timeout(Duration::from_secs(10), pictures.recv());
            wait.await.unwrap().unwrap();
            times.push(start.elapsed());
        }
        report(&format!("picture of {bytes} bytes"), times);
    }
    joined.room.leave().await;
}

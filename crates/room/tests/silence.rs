//! What a whole stay writes into a log, ours and that of every library below: no token, and no error.
//!
//! The only test of its program, because a log is of the whole process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use alidade_room::client::{JoinOptions, Joined, join};
use alidade_room::{
    AgentEvent, EncodedPicture, JoinQuery, Room, RoomOptions, Secret, ServerRoom, TrackSource,
    VideoOptions, VideoTrack,
};
use axum::Router;
use axum::extract::{RawQuery, State, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::mpsc;
use tracing_subscriber::fmt::MakeWriter;

/// A wait that no healthy machine reaches.
const LONG: Duration = Duration::from_secs(60);
const TOKEN: &str = "canary.token-of-a-join.0123456789";

/// What was logged.
static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Where the token came, and the way into the room.
async fn rtc(
    State((room, seen)): State<(ServerRoom, mpsc::Sender<(String, String)>)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let query = query.unwrap_or_default();
    let bearer = headers[AUTHORIZATION].to_str().unwrap().to_owned();
    seen.send((query.clone(), bearer)).await.unwrap();
    match JoinQuery::parse(&query) {
        Ok(query) => {
            upgrade.on_upgrade(move |socket| async move { room.serve(socket, query).await })
        }
        Err(error) => panic!("{error}"),
    }
    .into_response()
}

async fn until<T>(
    events: &mut mpsc::Receiver<AgentEvent>,
    mut pick: impl FnMut(AgentEvent) -> Option<T>,
) -> T {
    tokio::time::timeout(LONG, async {
        loop {
            if let Some(picked) = pick(events.recv().await.expect("the room is open")) {
                return picked;
            }
        }
    })
    .await
    .expect("it happens in time")
}

async fn publish(room: &Room) -> VideoTrack {
    room.publish_video(VideoOptions {
        name: "screen".into(),
        source: TrackSource::ScreenShare,
        width: 1_920,
        height: 1_080,
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stay_writes_no_token_and_no_error_into_any_log() {
    // This also takes what goes through the `log` facade.
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(|| LOG.make_writer())
        .init();
    let (room, agent, mut events) = ServerRoom::open(RoomOptions {
        name: "room".into(),
        client_identity: "user:1".into(),
        agent_identity: "agent:1".into(),
        ..RoomOptions::default()
    });
    let (seen_sender, mut seen) = mpsc::channel(1);
    let router = Router::new()
        .route("/rtc/v1", get(rtc))
        .with_state((room, seen_sender));
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", socket.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });

    let Joined {
        room,
        events: _room_events,
        calls: _calls,
    } = join(JoinOptions {
        url,
        token: Secret::new(TOKEN),
        sdk_name: "test".into(),
        sdk_version: "0".into(),
        methods: HashSet::new(),
        timeout: LONG,
    })
    .await
    .unwrap();
    let (query, bearer) = seen.recv().await.unwrap();
    assert_eq!(bearer, format!("Bearer {TOKEN}"));
    assert!(!query.contains("access_token") && !query.contains("canary"));

    // Withdrawn in the middle of a picture, over and over: the connection must not be left with
    // packets of a track that it no longer has.
    let mut picture = vec![7; 400_000];
    picture[..10].copy_from_slice(&[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x07, 0x38, 0x04]);
    for round in 0..10u32 {
        let track = publish(&room).await;
        for number in 0..3 {
            let picture = EncodedPicture::new(picture.clone(), round * 10 + number, true);
            track.write(picture).unwrap();
        }
        if round % 2 == 0 {
            track.flush().await.unwrap();
        }
        track.unpublish().await;
    }
    // Withdrawn before anything was written, and left in the middle of a picture.
    publish(&room).await.unpublish().await;
    let track = publish(&room).await;
    track
        .write(EncodedPicture::new(picture, 1_000, true))
        .unwrap();
    room.send_user("said".into(), None, &[]).await.unwrap();
    room.leave().await;
    until(&mut events, |event| {
        matches!(event, AgentEvent::ClientLeft { .. }).then_some(())
    })
    .await;
    agent
        .close(alidade_room::DisconnectReason::RoomClosed)
        .await;

    let log = String::from_utf8_lossy(&LOG.lock().unwrap()).into_owned();
    for target in ["alidade_room", "tungstenite", "webrtc"] {
        assert!(log.contains(target), "{target} was not caught");
    }
    for line in log.lines() {
        assert!(!line.contains("canary"), "{line}");
        assert!(!line.contains(" ERROR "), "{line}");
        assert!(!line.contains("packets that did not leave"), "{line}");
    }
}

//! The SDK in a real room over WebRTC on this machine, against a server that is written out here.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use alidade_picture::{Picture, PictureId, Size};
use alidade_room::{
    Agent as ServerAgent, AgentEvent, DisconnectReason, EncodedPicture, JoinQuery, RoomOptions,
    ServerRoom, TrackInfo,
};
use alidade_sdk::{
    PublishError, Session, SessionState, Settings, TrackSource,
    agent::{
        Agent, AllowList, Backend, EndReason, Endpoint, Event, Events, SessionError, StartCode,
        Tool,
        rest::{Answer, Http, Request, Unreachable},
        tool::draw,
    },
    wire::server::ServerFrame,
};
use async_trait::async_trait;
use axum::{
    Router,
    extract::{RawQuery, State, WebSocketUpgrade},
    response::IntoResponse,
    routing::get,
};
use parking_lot::Mutex;
use serde_json::json;
use tokio::sync::mpsc;

/// A wait that no healthy machine reaches.
const LONG: Duration = Duration::from_secs(60);

/// A server of one room that is begun by one start request.
struct Server {
    url: String,
    agent: ServerAgent,
    events: mpsc::Receiver<AgentEvent>,
}

impl Server {
    async fn open(attributes: &[(&str, String)]) -> Self {
        let attributes: BTreeMap<String, String> = attributes
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()))
            .collect();
        let (room, agent, events) = ServerRoom::open(RoomOptions {
            name: "test".into(),
            client_identity: "user:1".into(),
            client_name: "You".into(),
            agent_identity: "agent:1".into(),
            agent_attributes: attributes,
        });
        let rtc = |State(room): State<ServerRoom>,
                   RawQuery(query): RawQuery,
                   upgrade: WebSocketUpgrade| async move {
            match JoinQuery::parse(&query.unwrap_or_default()) {
                Ok(query) => {
                    upgrade.on_upgrade(move |socket| async move { room.serve(socket, query).await })
                }
                Err(error) => error.to_string().into_response(),
            }
        };
        let router = Router::new().route("/rtc/v1", get(rtc)).with_state(room);
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", socket.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });
        Self { url, agent, events }
    }

    fn backend(&self) -> Backend {
        let http = Arc::new(Granted(self.url.clone()));
        Backend::over(Endpoint::new("http://127.0.0.1:1", "key").unwrap(), http)
    }

    /// The next event that is wanted; others are passed over.
    async fn next<T>(&mut self, want: impl Fn(AgentEvent) -> Option<T>) -> T {
        tokio::time::timeout(LONG, async {
            loop {
                if let Some(wanted) = want(self.events.recv().await.expect("the room is open")) {
                    return wanted;
                }
            }
        })
        .await
        .expect("it happens in time")
    }

    async fn media(&mut self) -> (TrackInfo, mpsc::Receiver<EncodedPicture>) {
        self.next(|event| match event {
            AgentEvent::TrackMedia { track, pictures } => Some((track, pictures)),
            _ => None,
        })
        .await
    }

    /// The next frame of that type the client sends.
    async fn frame(&mut self, kind: &'static str) -> serde_json::Value {
        self.next(|event| match event {
            AgentEvent::User(packet) => {
                let frame: serde_json::Value = serde_json::from_slice(&packet.payload).unwrap();
                (frame["type"] == kind).then_some(frame)
            }
            _ => None,
        })
        .await
    }
}

/// A network on which every start is granted.
struct Granted(String);

#[async_trait]
impl Http for Granted {
    async fn post(&self, _: Request) -> Result<Answer, Unreachable> {
        let answer = json!({"livekit_url": self.0, "token": "canary-token", "room_name": "test", "session_id": "s-1"});
        Ok(Answer {
            status: 200,
            retry_after: None,
            body: answer.to_string().into(),
        })
    }
}

fn ready() -> (&'static str, String) {
    (
        "cosmo.ready",
        json!({"type": "ready", "session_id": "s-1"}).to_string(),
    )
}

fn picture(shade: u8) -> Picture {
    Picture::from_rgb(PictureId(0), Size::new(64, 48), vec![shade; 64 * 48 * 3]).unwrap()
}

async fn recv(pictures: &mut mpsc::Receiver<EncodedPicture>) -> EncodedPicture {
    tokio::time::timeout(LONG, pictures.recv())
        .await
        .expect("in time")
        .expect("the track lives")
}

/// Reads until the wanted event.
async fn until(events: &Events, wanted: impl Fn(&Event) -> bool) -> Event {
    tokio::time::timeout(LONG, async {
        loop {
            let event = events.next().await.expect("the stream goes on");
            if wanted(&event) {
                return event;
            }
        }
    })
    .await
    .expect("it happens in time")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_picture_one_question_one_mark() {
    let marks = Arc::new(Mutex::new(Vec::new()));
    let drawn = Arc::clone(&marks);
    let agent = Agent::inline()
        .tool(draw::draw_box(move |request| {
            drawn.lock().push(request);
            async { Ok(draw::Shown::yes()) }
        }))
        .build()
        .unwrap();
    let mut server = Server::open(&[ready()]).await;
    let session = Session::start(agent, server.backend()).await.unwrap();
    let events = session.events();

    let screen = session
        .publish_pictures(TrackSource::ScreenShare)
        .await
        .unwrap();
    let id = screen.show(&picture(200)).await.unwrap();
    let (track, mut pictures) = server.media().await;
    assert_eq!(
        (track.name.as_str(), track.source),
        ("screen", alidade_room::TrackSource::ScreenShare)
    );
    let first = recv(&mut pictures).await;
    assert!(first.key);
    assert_eq!(
        PictureId(first.rtp_time.into()),
        id,
        "both ends know the picture by one name"
    );

    session.send_text("Where is Save?").await.unwrap();
    assert_eq!(server.frame("send-text").await["content"], "Where is Save?");
    let fresh = recv(&mut pictures).await;
    let asked_about = PictureId(fresh.rtp_time.into());
    assert_ne!(asked_about, id, "a fresh picture left before the question");

    let payload = json!({"box": {"x": 0.1, "y": 0.2, "width": 0.3, "height": 0.4}, "label": "Save", "frame": asked_about.0});
    let reply = server
        .agent
        .call("cosmo_sdk_draw_box", payload.to_string(), LONG)
        .await
        .unwrap();
    assert_eq!(reply, r#"{"ok":true,"result":{"shown":true},"error":null}"#);
    let mark = marks.lock().pop().unwrap();
    let marked = session
        .picture(mark.frame.unwrap())
        .expect("the picture the mark belongs to is kept");
    assert!(marked.shares_pixels_with(&screen.newest().unwrap()));
    assert_eq!(
        (mark.area.width, mark.label.as_deref()),
        (0.3, Some("Save"))
    );

    session.end().await;
    assert_eq!(server.frame("end").await, json!({"type": "end"}));
    let last = until(&events, |event| matches!(event, Event::SessionEnded { .. })).await;
    assert_eq!(
        last,
        Event::SessionEnded {
            reason: Some("client ended".into())
        }
    );
    assert!(matches!(
        screen.show(&picture(1)).await,
        Err(PublishError::Stopped)
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_still_picture_is_sent_again_and_the_wish_for_a_key_picture_is_met() {
    let mut server = Server::open(&[ready()]).await;
    let session = Session::start(Agent::inline().build().unwrap(), server.backend())
        .await
        .unwrap();
    let camera = session.publish_pictures(TrackSource::Camera).await.unwrap();
    camera.show(&picture(90)).await.unwrap();
    let (track, mut pictures) = server.media().await;
    assert_eq!(track.source, alidade_room::TrackSource::Camera);
    let first = recv(&mut pictures).await;
    // A receiver that missed something may ask for a key picture of its own accord.
    let mut again = recv(&mut pictures).await;
    while again.key {
        again = recv(&mut pictures).await;
    }
    assert_ne!(again.rtp_time, first.rtp_time);
    server.agent.request_key_frame(&track.sid);
    let mut keyed = recv(&mut pictures).await;
    while !keyed.key {
        keyed = recv(&mut pictures).await;
    }
    // What was shown is what is sent: the decoder sees the shade at once.
    let shown = alidade_codec_decoded(&keyed.data);
    assert!(shown.rgb().iter().all(|level| level.abs_diff(90) <= 4));
    session.close().await;
}

fn alidade_codec_decoded(data: &[u8]) -> Picture {
    alidade_codec::vp8::Decoder::new()
        .unwrap()
        .decode(data)
        .unwrap()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r48_one_source_at_a_time_and_a_stopped_one_leaves_the_room() {
    let mut server = Server::open(&[ready()]).await;
    let session = Session::start(Agent::inline().build().unwrap(), server.backend())
        .await
        .unwrap();
    let camera = session.publish_pictures(TrackSource::Camera).await.unwrap();
    let second = session.publish_pictures(TrackSource::ScreenShare).await;
    assert!(matches!(
        second,
        Err(PublishError::Session(
            SessionError::VideoPublishAlreadyActive
        ))
    ));
    camera.show(&picture(10)).await.unwrap();
    let (track, _pictures) = server.media().await;
    camera.stop().await;
    camera.stop().await;
    let ended = server
        .next(|event| match event {
            AgentEvent::TrackEnded { sid } => Some(sid),
            _ => None,
        })
        .await;
    assert_eq!(ended, track.sid);
    let screen = session
        .publish_pictures(TrackSource::ScreenShare)
        .await
        .unwrap();
    screen.show(&picture(20)).await.unwrap();
    let (track, _pictures) = server.media().await;
    assert_eq!(track.name, "screen");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c3_and_t45_background_jobs_answer_first_and_finish_later() {
    let tool = Tool::background(
        "export_report",
        "d",
        json!({"type": "object"}),
        |_, job| async move {
            job.ack("begun");
            job.complete(None, Some("done".into())).await?;
            Ok(())
        },
    );
    let agent = Agent::inline().tool(tool.unwrap()).build().unwrap();
    let mut server = Server::open(&[ready()]).await;
    let settings = Settings {
        gate: Arc::new(AllowList::new(["export_*"]).unwrap()),
        ..Settings::default()
    };
    let session = Session::start_with(agent, server.backend(), settings)
        .await
        .unwrap();
    let reply = server
        .agent
        .call("export_report", String::new(), LONG)
        .await
        .unwrap();
    let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
    let result = server.frame("tool_job_result").await;
    assert_eq!(
        (&result["job_id"], &result["status"]),
        (&reply["job_id"], &json!("completed"))
    );
    session.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r33_ready_arrives_as_a_data_frame_too_and_r43_a_deleted_room_ends_the_session() {
    let mut server = Server::open(&[]).await;
    let backend = server.backend();
    let starting = tokio::spawn(Session::start(Agent::inline().build().unwrap(), backend));
    server
        .next(|event| matches!(event, AgentEvent::DataReady).then_some(()))
        .await;
    server
        .agent
        .send_user(ready().1.into(), None)
        .await
        .unwrap();
    let session = starting.await.unwrap().unwrap();
    server.frame("connect-timings").await;
    session.ping().await.unwrap();
    server.frame("ping").await;
    server
        .agent
        .send_user(r#"{"type":"pong"}"#.into(), None)
        .await
        .unwrap();
    let events = session.events();
    until(&events, |event| *event == Event::Frame(ServerFrame::Pong)).await;
    server.agent.close(DisconnectReason::RoomDeleted).await;
    let last = until(&events, |event| matches!(event, Event::SessionEnded { .. })).await;
    assert_eq!(
        last,
        Event::SessionEnded {
            reason: Some("ROOM_DELETED".into())
        }
    );
    // The state follows the last event (`session-lifecycle.md` §8).
    session.engine().closed().await;
    assert_eq!(
        session.state(),
        SessionState::Disconnected {
            reason: EndReason::ServerEnded,
            detail: Some("ROOM_DELETED".into())
        }
    );
}

#[tokio::test]
async fn a_room_that_is_not_there_is_a_failed_join_without_the_token_in_its_words() {
    let http = Arc::new(Granted("ws://127.0.0.1:9".into()));
    let backend = Backend::over(Endpoint::new("http://127.0.0.1:1", "key").unwrap(), http);
    let error = Session::start(Agent::inline().build().unwrap(), backend)
        .await
        .unwrap_err();
    assert_eq!(error.code, StartCode::JoinFailed);
    assert!(!format!("{error} {error:?}").contains("canary"));
}

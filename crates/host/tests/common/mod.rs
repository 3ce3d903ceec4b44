//! A host with a scripted brain and made-up eyes, and a client on our own room.
#![allow(dead_code, reason = "each test file uses its part of it")]

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use alidade_codec::vp8::{Content, Encoder, VideoConfig};
use alidade_host::{
    Eyes, Host, HostOptions, Limits,
    brain::{Brain, BrainError, Desk, JobResult, ToolOutcome},
};
use alidade_locate::{Cancel, Findings, Found, Line, LocateError, Object, Reading, Way};
use alidade_picture::{Area, Picture, PictureId, Size};
use alidade_room::{
    DisconnectReason, EncodedPicture, Room, RoomEvent, RpcCall, Secret, TrackSource, VideoOptions,
    VideoTrack,
    client::{JoinError, JoinOptions, join},
};
use alidade_wire::{
    chunk::{Assembled, Assembler, split},
    server::{ServerFrame, Usage},
};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

/// Longest wait of any test for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Does what the turn says, a word a command:
/// `say …`, `call NAME ARGS`, `notes`, `big N`, `sleep MS`, `blank`, `fail …`, `panic`, `tokens`.
#[derive(Default)]
pub(crate) struct Scripted {
    notes: Vec<String>,
}

#[async_trait]
impl Brain for Scripted {
    async fn turn(&mut self, text: &str, desk: &dyn Desk) -> Result<(), BrainError> {
        let (command, rest) = text.split_once(' ').unwrap_or((text, ""));
        match command {
            "say" => {
                for piece in rest.split_inclusive(' ') {
                    desk.say(piece).await;
                }
            }
            "call" => {
                let (name, args) = rest.split_once(' ').unwrap_or((rest, "{}"));
                let args: Map<String, Value> = serde_json::from_str(args).unwrap();
                let said = match desk.call(name, args).await {
                    ToolOutcome::Ok(value) => format!("ok {value}"),
                    ToolOutcome::Failed(why) => format!("failed {why}"),
                    ToolOutcome::Deferred { note, job_id } => format!("deferred {note} {job_id}"),
                };
                desk.say(&said).await;
            }
            "tools" => {
                let names: Vec<_> = desk.tools().iter().map(|tool| tool.name.as_str()).collect();
                desk.say(&names.join(",")).await;
            }
            "instructions" => desk.say(desk.instructions()).await,
            "notes" => desk.say(&self.notes.join("|")).await,
            "big" => desk.say(&"é".repeat(rest.parse().unwrap())).await,
            "sleep" => tokio::time::sleep(Duration::from_millis(rest.parse().unwrap())).await,
            "blank" => desk.say("  ").await,
            "fail" => return Err(BrainError::Turn(rest.to_owned())),
            "panic" => panic!("scripted"),
            "tokens" => desk.used(Usage {
                input_text_tokens: 3,
                output_text_tokens: 4,
                total_tokens: 7,
                ..Usage::default()
            }),
            _ => desk.say("?").await,
        }
        Ok(())
    }

    fn note(&mut self, context: &str) {
        self.notes.push(context.to_owned());
    }

    async fn job(&mut self, job: &JobResult, desk: &dyn Desk) -> Result<(), BrainError> {
        desk.say(&format!(
            "job {} {} {} {}",
            job.job_id, job.tool_name, job.ok, job.says
        ))
        .await;
        Ok(())
    }
}

/// Finds whatever is asked for where the picture is brightest, as the brightness says.
#[derive(Default)]
pub(crate) struct MadeUp {
    pub(crate) reads: AtomicUsize,
    /// A find blocks until it is cancelled.
    pub(crate) stuck: std::sync::atomic::AtomicBool,
    pub(crate) cancelled: AtomicUsize,
}

fn brightness(picture: &Picture) -> u8 {
    let rgb = picture.rgb();
    let sum: u64 = rgb.iter().map(|v| u64::from(*v)).sum();
    (sum / rgb.len() as u64) as u8
}

impl Eyes for MadeUp {
    fn find(
        &self,
        picture: &Picture,
        phrase: &str,
        cancel: &Cancel,
    ) -> Result<Findings, LocateError> {
        while self.stuck.load(Ordering::SeqCst) {
            if cancel.is_cancelled() {
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                return Err(LocateError::Cancelled);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        match phrase {
            "nothing" => Ok(Findings::default()),
            "panic" => panic!("made up"),
            _ => Ok(Findings {
                found: vec![Found {
                    area: Area::new(0.25, 0.5, 0.1, 0.2),
                    says: format!("{phrase} at {}", brightness(picture)),
                    way: Way::Text,
                    sure: 0.875,
                }],
                ambiguous: false,
            }),
        }
    }

    fn read(&self, picture: &Picture, _cancel: &Cancel) -> Result<Reading, LocateError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let mut reading = Reading::default();
        reading.lines.push(Line {
            text: format!("brightness {}", brightness(picture)),
            area: Area::new(0.1, 0.1, 0.5, 0.1),
            words: Vec::new(),
            sure: 1.0,
        });
        Ok(reading)
    }

    fn objects(&self, _picture: &Picture, _cancel: &Cancel) -> Result<Vec<Object>, LocateError> {
        Ok(vec![Object {
            name: "lamp".to_owned(),
            area: Area::new(0.0, 0.0, 1.0, 1.0),
            sure: 0.5,
        }])
    }

    fn similarity(&self, _phrase: &str, others: &[&str]) -> Result<Vec<f32>, LocateError> {
        Ok(vec![0.0; others.len()])
    }
}

/// A host with the scripted brain.
pub(crate) struct Place {
    pub(crate) host: Host,
    pub(crate) http: reqwest::Client,
    pub(crate) eyes: Arc<MadeUp>,
}

/// Options with the scripted brain and made-up eyes.
pub(crate) fn options(limits: Limits) -> (HostOptions, Arc<MadeUp>) {
    let eyes = Arc::new(MadeUp::default());
    let options = HostOptions {
        locator: Some(Arc::clone(&eyes) as Arc<dyn Eyes>),
        brain: Some(Arc::new(|| Ok(Box::<Scripted>::default()))),
        limits,
        ..HostOptions::default()
    };
    (options, eyes)
}

impl Place {
    pub(crate) async fn new() -> Self {
        Self::with(Limits::default()).await
    }

    pub(crate) async fn with(limits: Limits) -> Self {
        let (options, eyes) = options(limits);
        Self {
            host: Host::start(options).await.unwrap(),
            http: client(),
            eyes,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.host.base_url())
    }

    /// A start request with the right key.
    pub(crate) async fn post_start(&self, body: &Value) -> (u16, Value) {
        let answer = self
            .http
            .post(self.url(alidade_wire::rest::path::START))
            .bearer_auth(self.host.api_key().reveal())
            .json(body)
            .send()
            .await
            .unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let asked = self
            .http
            .get(self.url(path))
            .bearer_auth(self.host.api_key().reveal());
        let answer = asked.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    /// A started session.
    pub(crate) async fn start(&self, agent: Value) -> Started {
        self.start_for(agent, json!({})).await
    }

    pub(crate) async fn start_for(&self, agent: Value, session: Value) -> Started {
        let (status, answer) = self.post_start(&start_body(agent, session)).await;
        assert_eq!(status, 200, "{answer}");
        let text = |key: &str| answer[key].as_str().unwrap().to_owned();
        Started {
            id: text("session_id"),
            url: text("livekit_url"),
            token: Secret::new(text("token")),
        }
    }

    /// A session that is ready, with these client tools' methods.
    pub(crate) async fn session(&self, agent: Value, methods: &[&str]) -> Client {
        let started = self.start(agent).await;
        let mut client = started.join(methods).await.unwrap();
        client.ready().await;
        client
    }

    pub(crate) async fn until_none_is_active(&self) {
        let until = Instant::now() + PATIENCE;
        while self.host.active_sessions() > 0 {
            assert!(Instant::now() < until, "a session is still active");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

pub(crate) fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .no_proxy()
        .timeout(PATIENCE)
        .build()
        .unwrap()
}

pub(crate) fn start_body(mut agent: Value, session: Value) -> Value {
    if let Some(agent) = agent.as_object_mut() {
        agent.entry("type").or_insert_with(|| "inline".into());
    }
    json!({ "type": "session-config", "sdk": { "name": "test", "version": "1" }, "agent": agent, "session": session })
}

pub(crate) fn client_tool(name: &str) -> Value {
    json!({ "kind": "client", "name": name, "description": "Does something.", "parameters": { "type": "object" } })
}

/// What a start was answered with.
pub(crate) struct Started {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) token: Secret,
}

impl Started {
    pub(crate) async fn join(&self, methods: &[&str]) -> Result<Client, JoinError> {
        let joined = join(JoinOptions {
            url: self.url.clone(),
            token: self.token.clone(),
            sdk_name: "test".to_owned(),
            sdk_version: "1".to_owned(),
            methods: methods
                .iter()
                .map(|&name| name.to_owned())
                .collect::<HashSet<_>>(),
            timeout: Duration::from_secs(15),
        })
        .await?;
        Ok(Client {
            id: self.id.clone(),
            room: joined.room,
            events: joined.events,
            calls: joined.calls,
            chunks: Assembler::new(),
            whole: Vec::new(),
            closed: None,
        })
    }
}

/// A client in a room.
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) room: Room,
    pub(crate) events: mpsc::Receiver<RoomEvent>,
    pub(crate) calls: mpsc::Receiver<RpcCall>,
    chunks: Assembler,
    /// Sizes of the packets that came, in bytes.
    pub(crate) whole: Vec<usize>,
    pub(crate) closed: Option<DisconnectReason>,
}

impl Client {
    pub(crate) async fn send(&self, frame: Value) {
        for packet in split(&frame.to_string()) {
            self.room.send_user(packet.into(), None, &[]).await.unwrap();
        }
    }

    pub(crate) async fn send_text(&self, content: &str) {
        self.send(json!({ "type": "send-text", "content": content }))
            .await;
    }

    /// The next frame; `None` once the room is closed.
    pub(crate) async fn next(&mut self) -> Option<ServerFrame> {
        loop {
            let event = tokio::time::timeout(PATIENCE, self.events.recv())
                .await
                .expect("nothing came");
            match event? {
                RoomEvent::User(packet) => {
                    self.whole.push(packet.payload.len());
                    match ServerFrame::decode(&packet.payload).unwrap() {
                        ServerFrame::EnvelopeChunk(chunk) => {
                            if let Assembled::Frame(whole) = self.chunks.push(chunk) {
                                return Some(ServerFrame::decode(&whole).unwrap());
                            }
                        }
                        frame => return Some(frame),
                    }
                }
                RoomEvent::Closed(reason) => {
                    self.closed = Some(reason);
                    return None;
                }
                _ => {}
            }
        }
    }

    /// Frames up to the one that `stop` is true for, that one included.
    pub(crate) async fn until(&mut self, stop: impl Fn(&ServerFrame) -> bool) -> Vec<ServerFrame> {
        let mut frames = Vec::new();
        loop {
            let frame = self
                .next()
                .await
                .unwrap_or_else(|| panic!("the room closed after {frames:?}"));
            let stops = stop(&frame);
            frames.push(frame);
            if stops {
                return frames;
            }
        }
    }

    pub(crate) async fn ready(&mut self) -> alidade_wire::server::Ready {
        match self
            .until(|frame| matches!(frame, ServerFrame::Ready(_)))
            .await
            .pop()
        {
            Some(ServerFrame::Ready(ready)) => ready,
            other => panic!("{other:?}"),
        }
    }

    /// The frames of one turn, to its end.
    pub(crate) async fn turn(&mut self) -> Vec<ServerFrame> {
        self.until(|frame| matches!(frame, ServerFrame::TurnComplete { .. }))
            .await
    }

    /// What the agent says to this text, as its final transcript.
    pub(crate) async fn ask(&mut self, content: &str) -> String {
        self.send_text(content).await;
        said(&self.turn().await)
    }

    /// Everything until the room closes; answers the reason of `session-ended`.
    pub(crate) async fn end(&mut self) -> Option<String> {
        let mut reason = None;
        while let Some(frame) = self.next().await {
            if let ServerFrame::SessionEnded { reason: said } = frame {
                reason = said;
            }
        }
        reason
    }

    pub(crate) async fn call(&mut self) -> RpcCall {
        tokio::time::timeout(PATIENCE, self.calls.recv())
            .await
            .expect("no call came")
            .unwrap()
    }

    pub(crate) async fn publish(&self, source: TrackSource) -> Show {
        let size = Size::new(64, 48);
        let options = VideoOptions {
            name: "shown".to_owned(),
            source,
            width: size.width,
            height: size.height,
        };
        let track = self.room.publish_video(options).await.unwrap();
        let encoder = Encoder::new(VideoConfig::new(size, Content::Screen)).unwrap();
        Show {
            track: Arc::new(track),
            encoder: Arc::new(Mutex::new(encoder)),
            size,
        }
    }
}

/// The text of the final transcript.
pub(crate) fn said(frames: &[ServerFrame]) -> String {
    frames
        .iter()
        .find_map(|frame| match frame {
            ServerFrame::Transcript {
                text,
                is_final: true,
                ..
            } => Some(text.clone()),
            _ => None,
        })
        .unwrap_or_else(|| panic!("nothing was said: {frames:?}"))
}

/// A published track that shows one grey.
#[derive(Clone)]
pub(crate) struct Show {
    pub(crate) track: Arc<VideoTrack>,
    encoder: Arc<Mutex<Encoder>>,
    size: Size,
}

impl Show {
    /// Shows a grey under this RTP time.
    pub(crate) fn show(&self, grey: u8, rtp_time: u32) {
        let rgb = vec![grey; self.size.pixels() as usize * 3];
        let picture = Picture::from_rgb(PictureId(0), self.size, rgb).unwrap();
        let encoded = self.encoder.lock().encode(&picture, true).unwrap();
        self.track
            .write(EncodedPicture::new(encoded.data, rtp_time, encoded.key))
            .unwrap();
    }
}

/// The JSON that `ok …` is followed by.
pub(crate) fn result_of(said: &str) -> Value {
    serde_json::from_str(said.strip_prefix("ok ").unwrap_or_else(|| panic!("{said}"))).unwrap()
}

/// A number in words like `Save at 128`, within what the codec changes.
pub(crate) fn shows(label: &str, grey: u8) -> bool {
    label
        .rsplit(' ')
        .next()
        .and_then(|n| n.parse::<i32>().ok())
        .is_some_and(|n| (n - i32::from(grey)).abs() <= 3)
}

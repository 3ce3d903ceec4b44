//! A host with a scripted brain and made-up eyes, and a client on our own room.

mod client;
mod made_up;
mod path;
mod scripted;

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_host::{Eyes, Host, HostOptions, Limits};
use alidade_room::{
    Secret,
    client::{JoinError, JoinOptions, join},
};
use alidade_wire::chunk::Assembler;
use serde_json::{Value, json};

pub(crate) use client::{Client, result_of, said, shows};
pub(crate) use made_up::MadeUp;
pub(crate) use path::{Path, Weather};
pub(crate) use scripted::Scripted;

/// Longest wait of any test for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

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

    pub(crate) fn port(&self) -> u16 {
        self.host
            .base_url()
            .rsplit(':')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    }

    /// A way to this host in fair weather.
    pub(crate) async fn path(&self) -> Path {
        Path::to(self.port(), Weather::new(0, Duration::ZERO)).await
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
        self.started(&answer)
    }

    /// What a start was answered with.
    pub(crate) fn started(&self, answer: &Value) -> Started {
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
    /// The same session, joined by another way.
    pub(crate) fn through(&self, path: &Path) -> Self {
        Self {
            id: self.id.clone(),
            url: path.url(),
            token: self.token.clone(),
        }
    }

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

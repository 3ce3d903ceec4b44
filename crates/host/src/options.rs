//! What a host is started with.

use std::{sync::Arc, time::Duration};

use alidade_room::Secret;

use crate::{
    Eyes,
    brain::{BrainMaker, offline::OfflineBrain},
};

/// How to run the backend. The default listens on a random port, makes its own key and answers with
/// the offline brain, without a locator.
#[derive(Clone, Default)]
pub struct HostOptions {
    /// The port on 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// The key that opens the REST calls; without one, a random key for this run is made.
    pub api_key: Option<Secret>,
    /// Origins of web pages that may call, such as `https://app.example`; none by default. Programs
    /// send no origin.
    pub origins: Vec<String>,
    /// What looks at pictures; without it the tools that look are rejected and named in `ready`.
    pub locator: Option<Arc<dyn Eyes>>,
    /// What answers; without it, the offline brain.
    pub brain: Option<BrainMaker>,
    /// Names a start body may ask for in `agent.model`, besides `offline`. Any other is refused.
    pub models: Vec<String>,
    /// Every cap and every wait.
    pub limits: Limits,
}

impl HostOptions {
    pub(crate) fn brain_maker(&self) -> BrainMaker {
        if let Some(maker) = &self.brain {
            return maker.clone();
        }
        let likeness = self.locator.clone().map(crate::eyes::as_likeness);
        Arc::new(move || Ok(Box::new(OfflineBrain::new(likeness.clone()))))
    }
}

impl std::fmt::Debug for HostOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostOptions")
            .field("port", &self.port)
            .field("api_key", &self.api_key)
            .field("origins", &self.origins)
            .field("locator", &self.locator.is_some())
            .field("brain", &self.brain.is_some())
            .field("models", &self.models)
            .field("limits", &self.limits)
            .finish()
    }
}

/// Every cap and every wait of a host. The defaults are those of the protocol where it names one.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Sessions at a time (S6).
    pub sessions: usize,
    /// Longest session; a start body may ask for less (S10).
    pub session: Duration,
    /// How long before that end the client is warned.
    pub ending_soon: Duration,
    /// From the start request until somebody must have joined.
    pub join: Duration,
    /// A session that nobody has joined for this long gives way to a new one where as many run as may.
    pub unjoined: Duration,
    /// How long a client whose connection broke may take to come back.
    pub rejoin: Duration,
    /// A client tool that has not answered by then is given up (S30).
    pub client_tool: Duration,
    /// Longest turn of the brain.
    pub turn: Duration,
    /// Turns and notes that may wait while a turn runs.
    pub waiting_turns: usize,
    /// How long a server tool waits for the first picture of a live track.
    pub picture: Duration,
    /// A screen that has not changed for this long is read ahead of any question; `None` reads only
    /// when asked.
    pub read_ahead: Option<Duration>,
    /// Life of a join token.
    pub token: Duration,
    /// Bytes of a request body.
    pub body: usize,
    /// Bytes of all request headers together.
    pub headers: usize,
    /// From an accepted connection until its request headers are complete, and from there until its
    /// body is.
    pub request: Duration,
    /// Connections at a time, besides the one signalling socket of each session. For one more, the
    /// oldest that has shown neither key nor join token is closed; where all have, the new one is.
    pub connections: usize,
    /// Longest wait of [`crate::Host::shutdown`].
    pub shutdown: Duration,
    /// From the `session-ended` frame to the close, so that the frame arrives first (S34).
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sessions: 8,
            session: Duration::from_secs(4 * 60 * 60),
            ending_soon: Duration::from_secs(60),
            join: Duration::from_secs(60),
            unjoined: Duration::from_secs(3),
            rejoin: Duration::from_secs(15),
            client_tool: Duration::from_secs(10),
            turn: Duration::from_secs(180),
            waiting_turns: 64,
            picture: Duration::from_secs(2),
            read_ahead: Some(Duration::from_secs(1)),
            token: Duration::from_secs(120),
            body: 1 << 20,
            headers: 16 << 10,
            request: Duration::from_secs(10),
            connections: 256,
            shutdown: Duration::from_secs(5),
            farewell: Duration::from_millis(150),
        }
    }
}

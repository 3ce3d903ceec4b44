//! The REST calls of a client, and how their answers are understood.
//!
//! [`Http`] is the outermost edge: a test puts a fake there. [`Reqwest`] is the real one.

mod error;
mod http;

use std::{sync::Arc, time::Duration};

use alidade_wire::{
    base_url,
    error::StartCode,
    rest::{
        Secret, StartAnswer, Timings, WsStartAnswer, classify_start, header, path, read_failure,
        retry_after,
    },
    start::{SdkInfo, StartBody},
};

use crate::transport::Lane;
pub use error::StartError;
pub use http::{Answer, Http, Request, Reqwest, Unreachable};

/// Longest time a request may take.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(40);
/// Largest answer that is read, in bytes.
pub const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Where the backend is and with what it is spoken to.
#[derive(Clone, Debug)]
pub struct Endpoint {
    base_url: String,
    credential: Secret,
}

/// The address is not safe to send a credential to.
pub use alidade_wire::base_url::InsecureBaseUrl;

impl Endpoint {
    /// A backend by base URL and API key or token.
    ///
    /// # Errors
    /// [`InsecureBaseUrl`] unless it is https or on this machine (R8).
    pub fn new(base: &str, credential: impl Into<Secret>) -> Result<Self, InsecureBaseUrl> {
        Ok(Self {
            base_url: base_url::resolve(Some(base))?,
            credential: credential.into(),
        })
    }

    /// The base URL, without trailing slashes.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }
}

/// A session the server has begun.
#[derive(Clone, Debug)]
pub struct Started {
    /// Its id.
    pub session_id: String,
    /// Where the carrier is.
    pub url: String,
    /// What lets us in: the room's token, or the socket's sub-protocol.
    pub token: Secret,
    /// How long the server took, if it says so.
    pub timings: Option<Timings>,
}

/// The REST client.
#[derive(Clone)]
pub struct Backend {
    endpoint: Endpoint,
    http: Arc<dyn Http>,
}

impl std::fmt::Debug for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Backend")
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

impl Backend {
    /// A client over the real network.
    ///
    /// # Errors
    /// [`Unreachable`] where no TLS client can be set up on this machine.
    pub fn new(endpoint: Endpoint) -> Result<Self, Unreachable> {
        Ok(Self::over(endpoint, Arc::new(Reqwest::new()?)))
    }

    /// A client over any edge.
    pub fn over(endpoint: Endpoint, http: Arc<dyn Http>) -> Self {
        Self { endpoint, http }
    }

    /// POSTs the start body; one request, never repeated.
    ///
    /// # Errors
    /// [`StartError`], classified by `errors.md` §3.
    pub async fn start(
        &self,
        lane: Lane,
        sdk: &SdkInfo,
        body: &StartBody,
    ) -> Result<Started, StartError> {
        let path = match lane {
            Lane::Room => path::START,
            Lane::Websocket => path::WS_START,
        };
        let request = Request {
            url: format!("{}{path}", self.endpoint.base_url),
            bearer: self.endpoint.credential.clone(),
            headers: vec![(header::SDK, format!("{}/{}", sdk.name, sdk.version))],
            body: body.encode(),
            timeout: REQUEST_TIMEOUT,
        };
        let answer = self
            .http
            .post(request)
            .await
            .map_err(|error| StartError::new(StartCode::Transport, error.0))?;
        understand(lane, &answer)
    }
}

fn understand(lane: Lane, answer: &Answer) -> Result<Started, StartError> {
    let unusable =
        |what: String| StartError::new(StartCode::InvalidResponse, what).with_status(answer.status);
    match answer.status {
        200..=299 => match lane {
            Lane::Room => StartAnswer::parse(&answer.body).map(|start| Started {
                session_id: start.session_id,
                url: start.livekit_url,
                token: start.token,
                timings: start.timings,
            }),
            Lane::Websocket => WsStartAnswer::parse(&answer.body).map(|start| Started {
                session_id: start.session_id,
                url: start.ws_url,
                token: start.ws_subprotocol,
                timings: start.timings,
            }),
        }
        .map_err(|bad| unusable(bad.0)),
        0..=399 => Err(unusable(
            "the server's answer is not one of a session start".to_owned(),
        )),
        404 if lane == Lane::Websocket => Err(StartError::new(
            StartCode::Config,
            "this server does not offer the websocket transport",
        )
        .with_status(404)),
        status => {
            let failure = read_failure(status, &answer.body);
            let code = classify_start(status, &failure.server_code);
            Err(StartError {
                status: Some(status),
                server_code: Some(failure.server_code),
                retry_after_seconds: answer.retry_after.as_deref().and_then(retry_after),
                detail: failure.detail.map(Box::new),
                ..StartError::new(code, failure.message)
            })
        }
    }
}

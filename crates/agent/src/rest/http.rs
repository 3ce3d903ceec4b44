//! The edge to the network: one POST.

use std::time::Duration;

use alidade_wire::rest::Secret;
use async_trait::async_trait;
use bytes::Bytes;

use super::ANSWER_BYTES_MAX;

/// A request with a JSON body and a credential.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to.
    pub url: String,
    /// Goes into `Authorization: Bearer`.
    pub bearer: Secret,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// JSON.
    pub body: String,
    /// Longest time until the whole answer is there.
    pub timeout: Duration,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The `Retry-After` header as written.
    pub retry_after: Option<String>,
    /// The body, at most [`ANSWER_BYTES_MAX`].
    pub body: Bytes,
}

/// No answer came. The text holds neither credential nor URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreachable(pub String);

/// One POST. Must not follow redirects (R10).
#[async_trait]
pub trait Http: Send + Sync {
    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// [`Unreachable`].
    async fn post(&self, request: Request) -> Result<Answer, Unreachable>;
}

/// [`Http`] over the real network.
#[derive(Clone, Debug)]
pub struct Reqwest(reqwest::Client);

impl Reqwest {
    /// A client that follows no redirects.
    ///
    /// # Errors
    /// [`Unreachable`] where TLS cannot be set up.
    pub fn new() -> Result<Self, Unreachable> {
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|_| {
                Unreachable("secure connections cannot be set up on this machine".to_owned())
            })?;
        Ok(Self(client))
    }
}

/// In words of our own: an error of the library could name the URL.
fn words(error: &reqwest::Error) -> Unreachable {
    let words = if error.is_timeout() {
        "the backend did not answer in time"
    } else if error.is_connect() {
        "the backend cannot be reached"
    } else {
        "the request to the backend failed"
    };
    Unreachable(words.to_owned())
}

#[async_trait]
impl Http for Reqwest {
    async fn post(&self, request: Request) -> Result<Answer, Unreachable> {
        let mut builder = self
            .0
            .post(&request.url)
            .bearer_auth(request.bearer.expose())
            .header(reqwest::header::CONTENT_TYPE, "application/json")
            .timeout(request.timeout)
            .body(request.body);
        for (name, value) in request.headers {
            builder = builder.header(name, value);
        }
        let mut response = builder.send().await.map_err(|error| words(&error))?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get(reqwest::header::RETRY_AFTER);
        let retry_after = retry_after
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| words(&error))? {
            if body.len() + part.len() > ANSWER_BYTES_MAX {
                return Err(Unreachable("the backend's answer is too large".to_owned()));
            }
            body.extend_from_slice(&part);
        }
        Ok(Answer {
            status,
            retry_after,
            body: body.into(),
        })
    }
}

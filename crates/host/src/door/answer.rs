//! How refusals are written (S1, S2).

use std::time::Duration;

use alidade_wire::rest::{AuthFailure, ErrorBody};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

/// A refusal in the envelope of the protocol.
pub(crate) struct Refusal {
    status: StatusCode,
    body: Box<ErrorBody>,
    retry_after: Option<Duration>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, body: ErrorBody) -> Self {
        Self {
            status,
            body: Box::new(body),
            retry_after: None,
        }
    }

    /// The same may be accepted after that time; told in whole seconds, rounded up.
    pub(crate) fn retry_after(self, after: Duration) -> Self {
        Self {
            retry_after: Some(after),
            ..self
        }
    }

    pub(crate) fn api(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self::new(status, ErrorBody::api(code, message))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut answer = (self.status, Json(self.body.to_value())).into_response();
        if let Some(after) = self.retry_after {
            let seconds = after.as_millis().div_ceil(1000).max(1);
            if let Ok(value) = HeaderValue::from_str(&seconds.to_string()) {
                answer.headers_mut().insert(header::RETRY_AFTER, value);
            }
        }
        answer
    }
}

/// A failed authentication: 401 without the envelope (S1).
pub(crate) fn unauthorised(detail: &str) -> Response {
    let mut answer = (
        StatusCode::UNAUTHORIZED,
        Json(AuthFailure {
            detail: detail.to_owned(),
        }),
    )
        .into_response();
    answer
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    answer
}

pub(crate) async fn nothing_here() -> Refusal {
    Refusal::api(
        StatusCode::NOT_FOUND,
        "not_found",
        "there is nothing at this path; check the base URL",
    )
}

pub(crate) async fn wrong_method() -> Refusal {
    Refusal::api(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "this path does not take that method",
    )
}

//! What every request must pass before anything else looks at it.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use subtle::ConstantTimeEq;

use super::{
    Door, Proof,
    answer::{Refusal, unauthorised},
};

/// Longest path and query of a REST call, in bytes. The room's query holds an SDP and is capped by the
/// room itself.
const REST_URI_BYTES: usize = 2 << 10;

/// Host, Origin and sizes, for every path.
pub(crate) async fn request(
    State(door): State<Arc<Door>>,
    request: Request,
    next: Next,
) -> Response {
    if let Err(refusal) = passes(&door, &request) {
        return refusal.into_response();
    }
    // The page's origin is listed, or it would not have come so far.
    let Some(origin) = request.headers().get(header::ORIGIN).cloned() else {
        return next.run(request).await;
    };
    let asks_first = request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut answer = if asks_first {
        permission()
    } else {
        next.run(request).await
    };
    answer
        .headers_mut()
        .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    answer
        .headers_mut()
        .insert(header::VARY, HeaderValue::from_static("Origin"));
    answer
}

/// What a browser wants to hear before it lets a listed page call; the call itself still needs the key.
fn permission() -> Response {
    let mut answer = StatusCode::NO_CONTENT.into_response();
    for (name, value) in [
        ("access-control-allow-methods", "GET, POST, DELETE"),
        (
            "access-control-allow-headers",
            "authorization, content-type, x-cosmo-sdk, x-cosmo-prepared-room-name, x-cosmo-prepared-room-grant",
        ),
        ("access-control-allow-private-network", "true"),
        ("access-control-max-age", "600"),
    ] {
        answer
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    answer
}

fn passes(door: &Door, request: &Request) -> Result<(), Refusal> {
    let headers = request.headers();
    let bytes: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + 4)
        .sum();
    if bytes > door.limits.headers {
        return Err(Refusal::api(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "headers_too_large",
            format!(
                "the request headers are longer than {} bytes",
                door.limits.headers
            ),
        ));
    }
    if !host_is_ours(headers, door.port) || request.uri().authority().is_some() {
        return Err(Refusal::api(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong_host",
            format!(
                "the Host header must be 127.0.0.1:{0} or localhost:{0}",
                door.port
            ),
        ));
    }
    if !origin_is_listed(headers, &door.origins) {
        return Err(Refusal::api(
            StatusCode::FORBIDDEN,
            "origin_not_allowed",
            "web pages of this origin may not call the local backend; list it when starting the backend",
        ));
    }
    let uri = request
        .uri()
        .path_and_query()
        .map_or(0, |whole| whole.as_str().len());
    if !request.uri().path().starts_with("/rtc/") && uri > REST_URI_BYTES {
        return Err(Refusal::api(
            StatusCode::URI_TOO_LONG,
            "uri_too_long",
            "the path is too long",
        ));
    }
    Ok(())
}

/// Exactly one Host header, and it names this server: a page that had its own name resolved to
/// 127.0.0.1 is turned away here.
fn host_is_ours(headers: &HeaderMap, port: u16) -> bool {
    let Some(host) = only(headers, header::HOST) else {
        return false;
    };
    let host = host.to_ascii_lowercase();
    host == format!("127.0.0.1:{port}") || host == format!("localhost:{port}")
}

fn origin_is_listed(headers: &HeaderMap, origins: &[String]) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    only(headers, header::ORIGIN)
        .is_some_and(|origin| origins.iter().any(|listed| listed == origin))
}

fn only(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// The text behind `Bearer`, where there is exactly one.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = only(headers, header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The key of this run, for every path below `/api` (S1).
pub(crate) async fn key(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let Some(given) = bearer(request.headers()) else {
        return unauthorised(
            "the request carries no API key; send it as Authorization: Bearer <key>",
        );
    };
    // The time it takes does not tell how much of a guess was right.
    if bool::from(given.as_bytes().ct_eq(door.api_key.reveal().as_bytes())) {
        if let Some(proof) = request.extensions().get::<Proof>() {
            proof.show();
        }
        next.run(request).await
    } else {
        unauthorised(
            "the API key is not the one of this run; take the key the backend printed when it started",
        )
    }
}

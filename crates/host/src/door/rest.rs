//! The REST calls (`rest.md`).

use std::{sync::Arc, time::Instant};

use alidade_wire::{
    error::slug,
    phone,
    rest::{ErrorBody, StartAnswer, Timings, VerifyAnswer, Workspace},
    start::{self, AgentBlock, Model, StartBody},
};
use axum::{
    Json,
    body::Body,
    extract::{Path, RawQuery, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Value, json};

use super::{Door, answer::Refusal};
use crate::session::OpenError;

/// The name of the model that answers when none is asked for.
pub(crate) const MODEL: &str = "offline";

fn api(status: StatusCode, code: &str, message: impl Into<String>) -> Refusal {
    Refusal::api(status, code, message)
}

/// The whole body, capped in bytes and in time.
async fn whole(door: &Door, body: Body) -> Result<Vec<u8>, Refusal> {
    let most = door.limits.body;
    let read = Limited::new(body, most).collect();
    match tokio::time::timeout(door.limits.request, read).await {
        Ok(Ok(read)) => Ok(read.to_bytes().to_vec()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(api(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            format!("the request body is longer than {most} bytes"),
        )),
        Ok(Err(_)) => Err(api(
            StatusCode::BAD_REQUEST,
            "body_unreadable",
            "the request body broke off",
        )),
        Err(_) => Err(api(
            StatusCode::REQUEST_TIMEOUT,
            "body_too_slow",
            "the request body did not arrive in time",
        )),
    }
}

async fn json_body(door: &Door, body: Body) -> Result<Value, Refusal> {
    let bytes = whole(door, body).await?;
    serde_json::from_slice(&bytes).map_err(|_| {
        let body = ErrorBody {
            message: "the request body is not one JSON document".to_owned(),
            ..ErrorBody::validation(Vec::new())
        };
        Refusal::new(StatusCode::BAD_REQUEST, body)
    })
}

/// Starts a session in a room.
pub(crate) async fn start(State(door): State<Arc<Door>>, body: Body) -> Result<Response, Refusal> {
    let began = Instant::now();
    let body = json_body(&door, body).await?;
    let body = start::check(&body).map_err(|refusal| {
        let status =
            StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
        Refusal::new(status, refusal.body)
    })?;
    can_run(&door, &body)?;
    let resolved = began.elapsed();
    let session = door.sessions.open(body).map_err(|error| match error {
        OpenError::Full {
            limit,
            active,
            retry_after,
        } => {
            let refusal = Refusal::new(
                StatusCode::TOO_MANY_REQUESTS,
                ErrorBody::api(
                    slug::CONCURRENT_SESSION_LIMIT,
                    format!("{active} of {limit} sessions are running; end one first."),
                )
                .with("limit", limit)
                .with("active", active),
            );
            match retry_after {
                Some(after) => refusal.retry_after(after),
                None => refusal,
            }
        }
        OpenError::Stopping => api(
            StatusCode::SERVICE_UNAVAILABLE,
            "server_stopping",
            "the local backend is stopping; start it again",
        ),
    })?;
    let opened = began.elapsed();
    let Some(token) = door
        .tickets
        .issue(&session.id, &session.room_name, &session.identity)
    else {
        session.end(crate::session::Ending::Internal);
        return Err(Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            ErrorBody::internal("the join token could not be made"),
        ));
    };
    let ms = |span: std::time::Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    let answer = StartAnswer {
        livekit_url: format!("ws://127.0.0.1:{}", door.port),
        token: token.reveal().into(),
        room_name: session.room_name.clone(),
        session_id: session.id.clone(),
        timings: Some(Timings {
            provider_resolve_ms: ms(resolved),
            dispatch_ms: ms(opened.saturating_sub(resolved)),
            mint_tokens_ms: ms(began.elapsed().saturating_sub(opened)),
            total_ms: ms(began.elapsed()),
            resolve_ms: Some(ms(resolved)),
            ..Timings::default()
        }),
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

/// What is well formed but cannot run here.
fn can_run(door: &Door, body: &StartBody) -> Result<(), Refusal> {
    let unprocessable =
        |code: &str, message: String| Err(api(StatusCode::UNPROCESSABLE_ENTITY, code, message));
    match &body.agent {
        AgentBlock::Catalog(agent) => {
            return Err(api(
                StatusCode::NOT_FOUND,
                "agent_not_found",
                format!(
                    "this backend has no catalog agent named {}; describe the agent inline",
                    agent.name
                ),
            ));
        }
        AgentBlock::Inline(agent) => {
            let runs = match &agent.model {
                None => true,
                Some(Model::Named(name)) => name == MODEL || door.models.contains(name),
                Some(Model::Options(_)) => false,
            };
            if !runs {
                let known: Vec<&str> = std::iter::once(MODEL)
                    .chain(door.models.iter().map(String::as_str))
                    .collect();
                return unprocessable(
                    slug::MODEL_UNAVAILABLE,
                    format!(
                        "this backend cannot run that model; leave agent.model out, or name one of: {}",
                        known.join(", ")
                    ),
                );
            }
        }
    }
    if let Some(experimental) = &body.session.experimental {
        if experimental.resume_session_id.is_some() {
            return unprocessable(
                "resume_unavailable",
                "this backend cannot resume a session; start a new one".to_owned(),
            );
        }
        if experimental.avatar.is_some() {
            return unprocessable(
                "avatar_unavailable",
                "this backend has no avatars; leave experimental.avatar out".to_owned(),
            );
        }
    }
    Ok(())
}

/// The websocket lane is not offered (S8).
pub(crate) async fn ws_start() -> Refusal {
    api(
        StatusCode::NOT_FOUND,
        "websocket_unavailable",
        "this backend offers rooms only; start with the webrtc transport",
    )
}

/// Rooms are not reserved: one is open before a reservation could save anything (S9).
pub(crate) async fn prepare_room() -> Refusal {
    api(
        StatusCode::NOT_FOUND,
        "prepare_room_unavailable",
        "this backend reserves no rooms; start the session directly",
    )
}

/// There are no users but the one at this machine.
pub(crate) async fn mint() -> Refusal {
    api(
        StatusCode::NOT_FOUND,
        "user_tokens_unavailable",
        "this backend makes no user tokens; use the API key",
    )
}

pub(crate) async fn verify() -> Json<VerifyAnswer> {
    Json(VerifyAnswer {
        credential: "api_key".to_owned(),
        workspace: Some(Workspace {
            name: "This machine".to_owned(),
            slug: "local".to_owned(),
        }),
        scopes: vec!["realtime:use".to_owned()],
        can_start_sessions: true,
        realtime_voice_available: false,
        external_user_id: None,
    })
}

fn unknown_session() -> Refusal {
    api(
        StatusCode::NOT_FOUND,
        "session_not_found",
        "there is no such session, or it ended long ago",
    )
}

pub(crate) async fn usage(
    State(door): State<Arc<Door>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let session = door.sessions.any(&id).ok_or_else(unknown_session)?;
    Ok(Json(session.usage()).into_response())
}

/// No phone is connected; what is asked is checked in the order of S11.
pub(crate) async fn dial(
    State(door): State<Arc<Door>>,
    Path(id): Path<String>,
    body: Body,
) -> Result<Response, Refusal> {
    let body = json_body(&door, body).await?;
    let number = body.get("phone_number").and_then(Value::as_str);
    if number.is_none_or(|number| phone::normalise(number).is_err()) {
        return Err(api(
            StatusCode::BAD_REQUEST,
            "invalid_request",
            "phone_number must be + and 8 to 15 digits",
        ));
    }
    let session = door.sessions.any(&id).ok_or_else(unknown_session)?;
    if !session.is_live() {
        return Err(api(
            StatusCode::CONFLICT,
            "session_not_live",
            "the session has ended",
        ));
    }
    Err(api(
        StatusCode::FORBIDDEN,
        "phone_calls_disabled",
        "this backend has no phone",
    ))
}

pub(crate) async fn capabilities() -> Json<Value> {
    Json(json!({ "openai_provider_available": false }))
}

pub(crate) async fn list(
    State(door): State<Arc<Door>>,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, Refusal> {
    let wrong = |what: &str| {
        api(
            StatusCode::BAD_REQUEST,
            "invalid_request",
            format!("{what} is not usable"),
        )
    };
    let (mut limit, mut before) = (20_usize, f64::INFINITY);
    for pair in query.as_deref().unwrap_or_default().split('&') {
        match pair.split_once('=') {
            Some(("limit", value)) => {
                limit = value
                    .parse()
                    .ok()
                    .filter(|n| (1..=100).contains(n))
                    .ok_or_else(|| wrong("limit (1 to 100)"))?;
            }
            Some(("before_started_at", value)) => {
                before = value
                    .parse()
                    .ok()
                    .filter(|at: &f64| !at.is_nan())
                    .ok_or_else(|| wrong("before_started_at"))?;
            }
            _ => {}
        }
    }
    let sessions = door.sessions.newest(limit, before);
    Ok(Json(
        sessions.iter().map(|session| session.listed()).collect(),
    ))
}

pub(crate) async fn one(
    State(door): State<Arc<Door>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    Ok(Json(
        door.sessions.any(&id).ok_or_else(unknown_session)?.listed(),
    ))
}

/// Ends a session and forgets it.
pub(crate) async fn delete(
    State(door): State<Arc<Door>>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    if door.sessions.delete(&id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(unknown_session())
    }
}

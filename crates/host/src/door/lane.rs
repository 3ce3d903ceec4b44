//! The way into a room: `/rtc/v1`, one peer connection.

use std::sync::Arc;

use alidade_room::{JoinQuery, limits::MAX_SIGNAL_BYTES};
use axum::{
    Extension,
    extract::{RawQuery, State, WebSocketUpgrade, ws::rejection::WebSocketUpgradeRejection},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};

use super::{Door, Proof, guard};
use crate::session::{Admission, Session};

/// What refuses a join: clients of rooms read the status and show the text.
fn refuse(status: StatusCode, why: impl Into<String>) -> Response {
    (status, why.into()).into_response()
}

/// The session that the token of this request opens. The token never reaches a log: only its claims
/// are looked at from here on.
fn session_of(
    door: &Door,
    query: Option<&str>,
    headers: &HeaderMap,
) -> Result<Arc<Session>, Box<Response>> {
    let in_query = query.and_then(|query| {
        query
            .split('&')
            .find_map(|pair| pair.strip_prefix("access_token="))
    });
    let Some(token) = in_query.or_else(|| guard::bearer(headers)) else {
        return Err(Box::new(refuse(
            StatusCode::UNAUTHORIZED,
            "the join carries no token",
        )));
    };
    let id = door
        .tickets
        .check(token)
        .map_err(|bad| Box::new(refuse(StatusCode::UNAUTHORIZED, bad.to_string())))?;
    door.sessions.live(&id).ok_or_else(|| {
        Box::new(refuse(
            StatusCode::FORBIDDEN,
            "the session of this token has ended; start a new one",
        ))
    })
}

/// A second use of a token that has let somebody in.
const USED: &str = "the join token was used before; start a new session";

pub(crate) async fn join(
    State(door): State<Arc<Door>>,
    RawQuery(query): RawQuery,
    proof: Option<Extension<Proof>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let session = match session_of(&door, query.as_deref(), &headers) {
        Ok(session) => session,
        Err(refusal) => return *refusal,
    };
    if let Some(Extension(proof)) = proof {
        proof.show();
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let query = match JoinQuery::parse(query.as_deref().unwrap_or_default()) {
        Ok(query) => query,
        Err(bad) => return refuse(StatusCode::BAD_REQUEST, bad.to_string()),
    };
    // The token is spent last, when nothing else can refuse the join.
    let Some(admission) = session.admit().await else {
        return refuse(StatusCode::FORBIDDEN, USED);
    };
    upgrade
        .max_message_size(MAX_SIGNAL_BYTES)
        .max_frame_size(MAX_SIGNAL_BYTES)
        .on_upgrade(move |socket| async move {
            let Admission { room, until, .. } = &admission;
            tokio::select! {
                () = room.serve(socket, query) => {}
                () = until.cancelled() => {}
            }
        })
}

/// Says why a join would be refused, or that it would not; spends nothing.
pub(crate) async fn validate(
    State(door): State<Arc<Door>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    match session_of(&door, query.as_deref(), &headers) {
        Ok(session) if session.admits() => (StatusCode::OK, "success").into_response(),
        Ok(_) => refuse(StatusCode::FORBIDDEN, USED),
        Err(refusal) => *refusal,
    }
}

/// The older join with two peer connections.
pub(crate) async fn two_connections() -> Response {
    refuse(
        StatusCode::NOT_FOUND,
        "this backend speaks the single peer connection of /rtc/v1 only; use a newer LiveKit client",
    )
}

//! The first and the last word to a client.

use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use livekit_protocol as proto;
use prost::Message as _;
use proto::leave_request::Action;
use proto::signal_response::Message as Response;

use super::RoomOptions;
use super::state::Shared;
use crate::DisconnectReason;
use crate::limits::{PING_INTERVAL, PING_TIMEOUT};

/// Version of the server claimed toward clients; below 1.8 they refuse calls.
const SERVER_VERSION: &str = "1.9.0";
/// Signal protocol claimed: a higher one makes clients use pre-negotiated data channels, whose
/// first message is lost now and then.
const SIGNAL_PROTOCOL: i32 = 16;

/// A client as it begins its stay.
pub(super) fn client(options: &RoomOptions) -> proto::ParticipantInfo {
    let now = crate::now_ms();
    proto::ParticipantInfo {
        sid: crate::new_sid("PA"),
        identity: options.client_identity.clone(),
        name: options.client_name.clone(),
        state: proto::participant_info::State::Active as i32,
        kind: proto::participant_info::Kind::Standard as i32,
        joined_at: now / 1_000,
        joined_at_ms: now,
        version: 1,
        permission: Some(proto::ParticipantPermission {
            can_subscribe: true,
            can_publish: true,
            can_publish_data: true,
            can_update_metadata: true,
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// The join message: room, participants, pings and versions have to be there, or the official
/// client fails.
pub(super) fn join(shared: &Shared, client: proto::ParticipantInfo) -> proto::JoinResponse {
    let codec = |mime: &str| proto::Codec {
        mime: mime.to_owned(),
        fmtp_line: String::new(),
    };
    proto::JoinResponse {
        room: Some(proto::Room {
            sid: shared.room_sid.clone(),
            name: shared.options.name.clone(),
            num_participants: 2,
            creation_time: client.joined_at,
            creation_time_ms: client.joined_at_ms,
            ..Default::default()
        }),
        participant: Some(client),
        other_participants: vec![shared.agent.lock().clone()],
        server_version: SERVER_VERSION.to_owned(),
        ping_interval: seconds(PING_INTERVAL),
        ping_timeout: seconds(PING_TIMEOUT),
        server_info: Some(proto::ServerInfo {
            version: SERVER_VERSION.to_owned(),
            protocol: SIGNAL_PROTOCOL,
            node_id: "local".to_owned(),
            ..Default::default()
        }),
        enabled_publish_codecs: vec![codec("audio/opus"), codec("video/VP8")],
        ..Default::default()
    }
}

/// Says goodbye and closes; a client that takes neither is left to itself.
pub(super) async fn dismiss(socket: &mut WebSocket, reason: DisconnectReason, action: Action) {
    let leave = Response::Leave(proto::LeaveRequest {
        can_reconnect: action == Action::Reconnect,
        reason: reason.number(),
        action: action as i32,
        regions: None,
    });
    let goodbye = async {
        if socket.send(binary(leave)).await.is_ok() {
            let _ = socket.send(Message::Close(None)).await;
            // The client closes when it has read: closing first could cut the message off.
            while let Some(Ok(message)) = socket.recv().await {
                if matches!(message, Message::Close(_)) {
                    break;
                }
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_millis(500), goodbye).await;
}

pub(super) fn binary(response: Response) -> Message {
    let response = proto::SignalResponse {
        message: Some(response),
    };
    Message::Binary(response.encode_to_vec().into())
}

fn seconds(duration: Duration) -> i32 {
    i32::try_from(duration.as_secs()).unwrap_or(i32::MAX)
}

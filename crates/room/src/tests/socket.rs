//! A bare signalling socket: what any client can say and hear.

use futures_util::{SinkExt as _, StreamExt as _};
use livekit_protocol as proto;
use prost::Message as _;
use proto::signal_request::Message as Request;
use proto::signal_response::Message as Response;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{House, LONG};
use crate::server::wrap;

pub(super) type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

/// An offer as a data-only client makes it.
pub(super) async fn offer() -> String {
    let peer = crate::peer::Peer::open(Default::default()).await.unwrap();
    peer.connection
        .create_data_channel("_reliable", None)
        .await
        .unwrap();
    let offer = peer.connection.create_offer(None).await.unwrap();
    peer.connection.close().await.unwrap();
    offer.sdp
}

pub(super) fn request(sdp: &str) -> proto::JoinRequest {
    proto::JoinRequest {
        publisher_offer: Some(proto::SessionDescription {
            r#type: "offer".into(),
            sdp: sdp.into(),
            ..Default::default()
        }),
        ..Default::default()
    }
}

pub(super) async fn socket(house: &House, request: &proto::JoinRequest) -> Socket {
    let url = format!("{}/rtc/v1?join_request={}", house.url, wrap(request));
    connect_async(url).await.expect("a socket").0
}

pub(super) async fn say(socket: &mut Socket, request: Request) {
    let request = proto::SignalRequest {
        message: Some(request),
    };
    socket
        .send(Message::Binary(request.encode_to_vec().into()))
        .await
        .unwrap();
}

/// The next message that `pick` takes.
pub(super) async fn hear<T>(socket: &mut Socket, mut pick: impl FnMut(Response) -> Option<T>) -> T {
    loop {
        let message = tokio::time::timeout(LONG, socket.next())
            .await
            .expect("a message");
        if let Message::Binary(bytes) = message.expect("an open socket").expect("a message")
            && let Some(message) = proto::SignalResponse::decode(bytes).unwrap().message
            && let Some(picked) = pick(message)
        {
            return picked;
        }
    }
}

pub(super) fn leave(message: Response) -> Option<proto::LeaveRequest> {
    match message {
        Response::Leave(leave) => Some(leave),
        _ => None,
    }
}

//! Clients that do not behave.

use futures_util::SinkExt as _;
use livekit_protocol as proto;
use proto::signal_request::Message as Request;
use proto::signal_response::Message as Response;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::socket::{hear, leave, offer, request, say, socket};
use super::{Guest, House, options};
use crate::client::{JoinError, join};
use crate::limits::MAX_UNREADABLE;
use crate::{AgentEvent, DisconnectReason};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_torn_socket_is_a_guest_who_left() {
    let mut house = House::open().await;
    let mut socket = socket(&house, &request(&offer().await)).await;
    hear(&mut socket, |message| {
        matches!(message, Response::Join(_)).then_some(())
    })
    .await;
    drop(socket);
    assert_eq!(house.left().await, DisconnectReason::SignalClose);
    house.empty().await;
    assert!(house.agent.client().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_offer_nobody_can_answer_ends_the_stay() {
    let mut house = House::open().await;
    for sdp in [
        "nonsense",
        "v=0\r\n",
        "v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=\r\n",
    ] {
        let mut socket = socket(&house, &request(sdp)).await;
        let leave = hear(&mut socket, leave).await;
        assert_eq!(
            leave.reason,
            DisconnectReason::JoinFailure.number(),
            "{sdp}"
        );
        assert_eq!(house.left().await, DisconnectReason::JoinFailure);
    }
    let mut socket = socket(&house, &request(&offer().await)).await;
    say(
        &mut socket,
        Request::Offer(proto::SessionDescription {
            r#type: "offer".into(),
            sdp: "later nonsense".into(),
            ..Default::default()
        }),
    )
    .await;
    assert_eq!(
        hear(&mut socket, leave).await.reason,
        DisconnectReason::StateMismatch.number()
    );
    house.empty().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_on_the_socket_is_borne_for_a_while() {
    let mut house = House::open().await;
    let mut socket = socket(&house, &request(&offer().await)).await;
    let garbage = 20;
    for number in 0..garbage {
        socket
            .send(Message::Binary(vec![number as u8, 0xff, 0xff, 1].into()))
            .await
            .unwrap();
    }
    socket.send(Message::Text("{}".into())).await.unwrap();
    let candidates = ["", "{", "{}", r#"{"candidate":5}"#, r#"{"candidate":"x"}"#];
    for text in candidates {
        say(
            &mut socket,
            Request::Trickle(proto::TrickleRequest {
                candidate_init: text.into(),
                ..Default::default()
            }),
        )
        .await;
    }
    for number in 0..30 {
        say(
            &mut socket,
            Request::AddTrack(proto::AddTrackRequest {
                cid: format!("c{number}"),
                r#type: 1,
                ..Default::default()
            }),
        )
        .await;
    }
    say(
        &mut socket,
        Request::PingReq(proto::Ping {
            timestamp: 1,
            rtt: 0,
        }),
    )
    .await;
    let mut refused = 0;
    hear(&mut socket, |message| match message {
        Response::RequestResponse(_) => {
            refused += 1;
            None
        }
        Response::PongResp(_) => Some(()),
        _ => None,
    })
    .await;
    assert_eq!(refused, 30 - crate::limits::MAX_TRACKS);
    // One more than is borne; behind it the socket may be closed at any time.
    for _ in garbage..=MAX_UNREADABLE {
        socket
            .send(Message::Binary(vec![0xff; 9].into()))
            .await
            .unwrap();
    }
    assert_eq!(
        hear(&mut socket, leave).await.reason,
        DisconnectReason::StateMismatch.number()
    );
    assert_eq!(house.left().await, DisconnectReason::StateMismatch);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_too_long_ends_the_stay() {
    let mut house = House::open().await;
    let mut socket = socket(&house, &request(&offer().await)).await;
    let long = vec![0; crate::limits::MAX_SIGNAL_BYTES + 1];
    // The server may close before it has read everything.
    let _ = socket.send(Message::Binary(long.into())).await;
    house.left().await;
    house.empty().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_join_that_is_no_join_is_refused_before_the_upgrade() {
    let house = House::open().await;
    for query in ["", "join_request=", "join_request=AAAA", "access_token=x"] {
        let refused = connect_async(format!("{}/rtc/v1?{query}", house.url)).await;
        let Err(Error::Http(response)) = refused else {
            panic!("{query} was not refused");
        };
        assert_eq!(response.status(), 400, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_error_of_a_join_shows_the_token() {
    let house = House::open().await;
    let mut options = options(&house);
    options.url = format!("{}/elsewhere", house.url);
    let refused = join(options.clone()).await.unwrap_err();
    assert!(
        matches!(refused, JoinError::Refused { status: 404, .. }),
        "{refused:?}"
    );
    options.url = "ws://127.0.0.1:1".into();
    let unreachable = join(options.clone()).await.unwrap_err();
    // Nobody speaks TLS there.
    options.url = house.url.replace("ws://", "wss://");
    let insecure = join(options.clone()).await.unwrap_err();
    assert!(matches!(insecure, JoinError::Signal(_)), "{insecure:?}");
    options.url = "nonsense".into();
    let unusable = join(options.clone()).await.unwrap_err();
    for error in [refused, unreachable, insecure, unusable] {
        assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
    }
    assert!(!format!("{options:?}").contains("canary"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_in_the_data_channel_harms_nobody() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    // Packets of every kind that refer to nothing, and repeats.
    let outbox = guest.room.outbox();
    use proto::data_packet::Value;
    let values = [
        Value::RpcAck(proto::RpcAck {
            request_id: "x".into(),
        }),
        Value::RpcResponse(proto::RpcResponse {
            request_id: "x".into(),
            value: None,
        }),
        Value::StreamChunk(proto::data_stream::Chunk {
            stream_id: "x".into(),
            chunk_index: u64::MAX,
            content: vec![1; 100],
            ..Default::default()
        }),
        Value::StreamTrailer(proto::data_stream::Trailer {
            stream_id: "x".into(),
            ..Default::default()
        }),
        Value::StreamHeader(proto::data_stream::Header::default()),
        Value::RpcRequest(proto::RpcRequest {
            version: 7,
            ..Default::default()
        }),
        Value::User(proto::UserPacket {
            payload: b"end".to_vec(),
            ..Default::default()
        }),
    ];
    for value in values {
        outbox
            .send(proto::DataPacket {
                value: Some(value),
                ..Default::default()
            })
            .await
            .unwrap();
    }
    let payload = house
        .until(|event| match event {
            AgentEvent::User(packet) => Some(packet.payload),
            AgentEvent::Call(call) => panic!("a call of another version came through: {call:?}"),
            _ => None,
        })
        .await;
    assert_eq!(&payload[..], b"end");
}

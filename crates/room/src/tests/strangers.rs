//! Clients that do not behave.

use futures_util::{SinkExt as _, StreamExt as _};
use livekit_protocol as proto;
use prost::Message as _;
use proto::signal_request::Message as Request;
use proto::signal_response::Message as Response;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{Guest, House, LONG, options};
use crate::client::{JoinError, join};
use crate::server::wrap;
use crate::{AgentEvent, DisconnectReason};

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

/// An offer as a data-only client makes it.
async fn offer() -> String {
    let peer = crate::peer::Peer::open(Default::default()).await.unwrap();
    peer.connection
        .create_data_channel("_reliable", None)
        .await
        .unwrap();
    let offer = peer.connection.create_offer(None).await.unwrap();
    peer.connection.close().await.unwrap();
    offer.sdp
}

fn request(sdp: &str) -> proto::JoinRequest {
    proto::JoinRequest {
        publisher_offer: Some(proto::SessionDescription {
            r#type: "offer".into(),
            sdp: sdp.into(),
            ..Default::default()
        }),
        ..Default::default()
    }
}

async fn socket(house: &House, request: &proto::JoinRequest) -> Socket {
    let url = format!("{}/rtc/v1?join_request={}", house.url, wrap(request));
    connect_async(url).await.expect("a socket").0
}

async fn say(socket: &mut Socket, request: Request) {
    let request = proto::SignalRequest {
        message: Some(request),
    };
    socket
        .send(Message::Binary(request.encode_to_vec().into()))
        .await
        .unwrap();
}

/// The next message that `pick` takes.
async fn hear<T>(socket: &mut Socket, mut pick: impl FnMut(Response) -> Option<T>) -> T {
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

fn leave(message: Response) -> Option<proto::LeaveRequest> {
    match message {
        Response::Leave(leave) => Some(leave),
        _ => None,
    }
}

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
async fn the_join_has_what_the_official_client_needs() {
    let house = House::open().await;
    let mut socket = socket(&house, &request(&offer().await)).await;
    let join = hear(&mut socket, |message| match message {
        Response::Join(join) => Some(join),
        _ => None,
    })
    .await;
    assert_eq!(join.room.unwrap().name, "room");
    assert!(join.participant.unwrap().sid.starts_with("PA_"));
    assert!(join.ping_interval > 0 && join.ping_timeout > join.ping_interval);
    assert_eq!(join.server_info.unwrap().protocol, 16);
    assert_eq!(join.other_participants[0].client_protocol, 0);
    assert_eq!(join.other_participants[0].kind, 4);
    let candidate = hear(&mut socket, |message| match message {
        Response::Trickle(trickle) => Some(trickle.candidate_init),
        _ => None,
    })
    .await;
    let candidate: serde_json::Value = serde_json::from_str(&candidate).unwrap();
    assert!(
        candidate["candidate"]
            .as_str()
            .unwrap()
            .contains("127.0.0.1")
    );
    assert!(candidate["sdpMid"].is_string() && candidate["sdpMLineIndex"].is_number());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pings_attributes_tracks_and_mutes_are_answered_as_livekit_does() {
    let mut house = House::open().await;
    let mut socket = socket(&house, &request(&offer().await)).await;
    say(
        &mut socket,
        Request::PingReq(proto::Ping {
            timestamp: 42,
            rtt: 0,
        }),
    )
    .await;
    let pong = hear(&mut socket, |message| match message {
        Response::PongResp(pong) => Some(pong),
        _ => None,
    })
    .await;
    assert_eq!(pong.last_ping_timestamp, 42);
    let update = proto::UpdateParticipantMetadata {
        attributes: [("a".to_owned(), "b".to_owned())].into(),
        request_id: 9,
        ..Default::default()
    };
    say(&mut socket, Request::UpdateMetadata(update)).await;
    let updated = hear(&mut socket, |message| match message {
        Response::Update(update) => Some(update.participants),
        _ => None,
    })
    .await;
    assert_eq!(updated[0].attributes["a"], "b");
    let response = hear(&mut socket, |message| match message {
        Response::RequestResponse(response) => Some(response),
        _ => None,
    })
    .await;
    assert_eq!((response.request_id, response.reason), (9, 0));
    assert_eq!(house.agent.client().unwrap().attributes["a"], "b");

    let add = proto::AddTrackRequest {
        cid: "c".into(),
        name: "mic".into(),
        source: 2,
        ..Default::default()
    };
    say(&mut socket, Request::AddTrack(add.clone())).await;
    say(&mut socket, Request::AddTrack(add)).await;
    let published = |message| match message {
        Response::TrackPublished(published) => Some(published),
        _ => None,
    };
    let first = hear(&mut socket, published).await;
    let second = hear(&mut socket, published).await;
    assert_eq!(first, second);
    let sid = first.track.unwrap().sid;
    say(
        &mut socket,
        Request::Mute(proto::MuteTrackRequest {
            sid: sid.clone(),
            muted: true,
        }),
    )
    .await;
    say(&mut socket, Request::Ping(1)).await;
    let next = hear(&mut socket, |message| match message {
        Response::Trickle(_) | Response::Answer(_) => None,
        other => Some(other),
    })
    .await;
    assert!(
        matches!(next, Response::Pong(_)),
        "a mute is not echoed: {next:?}"
    );
    let muted = house
        .until(|event| match event {
            AgentEvent::TrackMuted { sid, muted } => Some((sid, muted)),
            _ => None,
        })
        .await;
    assert_eq!(muted, (sid, true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resume_is_told_to_join_anew() {
    let house = House::open().await;
    let mut socket = socket(
        &house,
        &proto::JoinRequest {
            reconnect: true,
            participant_sid: "PA_x".into(),
            ..Default::default()
        },
    )
    .await;
    let leave = hear(&mut socket, leave).await;
    assert_eq!(leave.action, proto::leave_request::Action::Reconnect as i32);
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
    for number in 0..20u8 {
        socket
            .send(Message::Binary(vec![number, 0xff, 0xff, 1].into()))
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
    for _ in 0..20 {
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

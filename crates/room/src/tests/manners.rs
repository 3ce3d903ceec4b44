//! What the server says to a client of the official kind, message by message.

use livekit_protocol as proto;
use proto::signal_request::Message as Request;
use proto::signal_response::Message as Response;

use super::House;
use super::socket::{hear, leave, offer, request, say, socket};
use crate::AgentEvent;

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

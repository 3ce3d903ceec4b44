//! Joining, attributes, packets, streams, leaving.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;

use super::{Guest, House, LONG, options};
use crate::client::{JoinError, join};
use crate::limits::MAX_USER_BYTES;
use crate::peer::weather::Weather;
use crate::{AgentEvent, DisconnectReason, ParticipantKind, RoomEvent, SendError};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_sees_the_agent_and_its_attributes() {
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    let agents = guest.room.agents();
    assert_eq!(agents.len(), 1);
    assert_eq!(agents[0].identity, "agent:1");
    assert_eq!(agents[0].kind, ParticipantKind::Agent);
    assert_eq!(agents[0].attributes["cosmo.ready"], "{}");
    assert_eq!(guest.room.local().identity, "user:1");
    let joined = house
        .until(|event| match event {
            AgentEvent::ClientJoined(client) => Some(client),
            _ => None,
        })
        .await;
    assert_eq!(joined.identity, "user:1");
    let ready = r#"{"type":"ready"}"#;
    house
        .agent
        .set_attributes(BTreeMap::from([("cosmo.ready".into(), ready.into())]));
    guest
        .until(|event| match event {
            RoomEvent::ParticipantChanged(agent) => {
                (agent.attributes["cosmo.ready"] == ready).then_some(())
            }
            _ => None,
        })
        .await;
    assert_eq!(guest.room.agents()[0].attributes["cosmo.ready"], ready);
    house
        .agent
        .set_attributes(BTreeMap::from([("cosmo.ready".into(), String::new())]));
    guest
        .until(|event| match event {
            RoomEvent::ParticipantChanged(agent) => agent.attributes.is_empty().then_some(()),
            _ => None,
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn packets_go_both_ways_in_order() {
    let mut house = House::open().await;
    // Before anybody is there: it waits.
    house.agent.send_user("early".into(), None).await.unwrap();
    let mut guest = Guest::join(&house).await;
    house
        .agent
        .send_user("late".into(), Some("t"))
        .await
        .unwrap();
    let early = guest.user().await;
    assert_eq!((&early.payload[..], early.topic), (&b"early"[..], None));
    assert_eq!(early.sender.unwrap().kind, ParticipantKind::Agent);
    let late = guest.user().await;
    assert_eq!(
        (&late.payload[..], late.topic.as_deref()),
        (&b"late"[..], Some("t"))
    );
    for number in 0..500u32 {
        let payload = Bytes::copy_from_slice(&number.to_be_bytes());
        guest.room.send_user(payload, None, &[]).await.unwrap();
    }
    for number in 0..500u32 {
        let packet = house
            .until(|event| match event {
                AgentEvent::User(packet) => Some(packet),
                _ => None,
            })
            .await;
        assert_eq!(packet.payload[..], number.to_be_bytes());
        assert_eq!(packet.sender.unwrap().identity, "user:1");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_packet_has_a_longest_length_and_an_address() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    let longest = Bytes::from(vec![7; MAX_USER_BYTES]);
    let long = Bytes::from(vec![7; MAX_USER_BYTES + 1]);
    assert!(matches!(
        guest.room.send_user(long.clone(), None, &[]).await,
        Err(SendError::TooLarge { .. })
    ));
    assert!(matches!(
        house.agent.send_user(long, None).await,
        Err(SendError::TooLarge { .. })
    ));
    let elsewhere = ["agent:2".to_owned()];
    guest
        .room
        .send_user("x".into(), None, &elsewhere)
        .await
        .unwrap();
    let here = ["agent:1".to_owned()];
    guest.room.send_user(longest, None, &here).await.unwrap();
    let first = house
        .until(|event| match event {
            AgentEvent::User(packet) => Some(packet.payload.len()),
            _ => None,
        })
        .await;
    assert_eq!(first, MAX_USER_BYTES);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_byte_stream_arrives_whole() {
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    let bytes: Bytes = (0..100_003u32).map(|n| n as u8).collect::<Vec<_>>().into();
    guest
        .room
        .send_bytes(
            "screen_capture",
            "screen_capture",
            bytes.clone(),
            &["agent:1".into()],
        )
        .await
        .unwrap();
    let (topic, arrived) = house
        .until(|event| match event {
            AgentEvent::Stream { topic, bytes, .. } => Some((topic, bytes)),
            _ => None,
        })
        .await;
    assert_eq!((topic.as_str(), arrived == bytes), ("screen_capture", true));
    house
        .agent
        .send_bytes("t", "n", Bytes::new())
        .await
        .unwrap();
    let stream = guest
        .until(|event| match event {
            RoomEvent::Stream(stream) => Some(stream),
            _ => None,
        })
        .await;
    assert_eq!((stream.name.as_str(), stream.bytes.len()), ("n", 0));
    assert_eq!(stream.sender.unwrap().identity, "agent:1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_ends_both_sides() {
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    guest.room.leave().await;
    assert_eq!(guest.closed().await, DisconnectReason::ClientInitiated);
    assert_eq!(house.left().await, DisconnectReason::ClientInitiated);
    assert!(house.agent.client().is_none());
    assert_eq!(
        guest.room.send_user("x".into(), None, &[]).await,
        Err(SendError::Closed)
    );
    guest.room.leave().await;
    house.empty().await;
    // The room is still open for another one.
    let mut again = Guest::join(&house).await;
    house.agent.send_user("again".into(), None).await.unwrap();
    assert_eq!(&again.user().await.payload[..], b"again");
}

/// How a guest goes away.
#[derive(Debug, Clone, Copy)]
enum Goes {
    Leaves,
    DropsItsHandles,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_sent_before_a_leave_arrives() {
    const PACKETS: u32 = 200;
    for (goes, lost) in [
        (Goes::Leaves, 0),
        (Goes::DropsItsHandles, 0),
        (Goes::Leaves, 50),
    ] {
        let weather = Weather::new(0, Duration::ZERO, 3);
        let mut house = House::open().await;
        house.room.set_weather(weather.clone());
        let guest = Guest::join_through(&house, weather.clone()).await.unwrap();
        weather.lost_of_1000.store(lost, Ordering::Relaxed);
        for number in 0..PACKETS {
            let payload = number.to_be_bytes().repeat(250);
            guest
                .room
                .send_user(payload.into(), None, &[])
                .await
                .unwrap();
        }
        // What was lost is sent again within the time a leave has for it.
        weather.lost_of_1000.store(0, Ordering::Relaxed);
        if matches!(goes, Goes::Leaves) {
            guest.room.leave().await;
        }
        drop(guest);
        let mut arrived = Vec::new();
        let reason = house
            .until(|event| match event {
                AgentEvent::User(packet) => {
                    arrived.push(packet.payload);
                    None
                }
                AgentEvent::ClientLeft { reason } => Some(reason),
                _ => None,
            })
            .await;
        assert_eq!(reason, DisconnectReason::ClientInitiated);
        assert_eq!(arrived.len(), PACKETS as usize, "{goes:?} {lost}");
        for (number, payload) in (0..PACKETS).zip(arrived) {
            assert_eq!(payload[..4], number.to_be_bytes());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leave_does_not_wait_for_ever_for_what_cannot_arrive() {
    let weather = Weather::new(0, Duration::ZERO, 4);
    let house = House::open().await;
    house.room.set_weather(weather.clone());
    let guest = Guest::join_through(&house, weather.clone()).await.unwrap();
    weather.lost_of_1000.store(1_000, Ordering::Relaxed);
    guest.room.send_user("x".into(), None, &[]).await.unwrap();
    tokio::time::timeout(LONG, guest.room.leave())
        .await
        .expect("the leave ends");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_tells_the_guest_why() {
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    house.ready().await;
    house.agent.close(DisconnectReason::RoomDeleted).await;
    assert_eq!(guest.closed().await, DisconnectReason::RoomDeleted);
    assert_eq!(house.left().await, DisconnectReason::RoomDeleted);
    house.empty().await;
    assert_eq!(
        house.agent.send_user("x".into(), None).await,
        Err(SendError::Closed)
    );
    let refused = join(options(&house)).await;
    assert!(
        matches!(refused, Err(JoinError::Left(DisconnectReason::RoomDeleted))),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropping_every_handle_leaves() {
    let mut house = House::open().await;
    drop(Guest::join(&house).await);
    assert_eq!(house.left().await, DisconnectReason::ClientInitiated);
    house.empty().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_guest_takes_the_place_of_the_first() {
    let mut house = House::open().await;
    let mut first = Guest::join(&house).await;
    let mut second = Guest::join(&house).await;
    assert_eq!(first.closed().await, DisconnectReason::DuplicateIdentity);
    house.agent.send_user("hello".into(), None).await.unwrap();
    assert_eq!(&second.user().await.payload[..], b"hello");
    let mut order = Vec::new();
    while order.len() < 4 {
        match house.next().await {
            AgentEvent::ClientJoined(_) => order.push("joined"),
            AgentEvent::ClientLeft { .. } => order.push("left"),
            AgentEvent::DataReady if order.len() == 3 => order.push("ready"),
            _ => {}
        }
    }
    assert_eq!(order, ["joined", "left", "joined", "ready"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_packet_is_never_lost() {
    for _ in 0..50 {
        let mut house = House::open().await;
        let mut guest = Guest::join(&house).await;
        guest.room.send_user("up".into(), None, &[]).await.unwrap();
        house.agent.send_user("down".into(), None).await.unwrap();
        assert_eq!(&house.user().await.payload[..], b"up");
        assert_eq!(&guest.user().await.payload[..], b"down");
        guest.room.leave().await;
    }
}

/// Tasks of this test's own runtime: every test has one.
fn alive() -> usize {
    tokio::runtime::Handle::current()
        .metrics()
        .num_alive_tasks()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stays_leave_no_tasks_behind() {
    let mut house = House::open().await;
    let mut before = 0;
    for round in 0..30 {
        let guest = Guest::join(&house).await;
        house.ready().await;
        let track = super::pictures::publish(&guest, "screen").await;
        if round % 3 == 0 {
            track.unpublish().await;
        }
        if round % 2 == 0 {
            guest.room.leave().await;
        }
        drop((guest, track));
        house
            .until(|event| matches!(event, AgentEvent::ClientLeft { .. }).then_some(()))
            .await;
        house.empty().await;
        let mut waited = Duration::ZERO;
        if round == 4 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            before = alive();
        }
        while round > 4 && alive() > before + 3 {
            assert!(waited < LONG, "{} tasks where {before} were", alive());
            tokio::time::sleep(Duration::from_millis(50)).await;
            waited += Duration::from_millis(50);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_of_an_earlier_stay_does_not_reach_the_next_guest() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    house.ready().await;
    drop(guest);
    house
        .until(|event| matches!(event, AgentEvent::ClientLeft { .. }).then_some(()))
        .await;
    house.empty().await;
    house.agent.queue_call("echo").await;
    house.agent.send_user("kept".into(), None).await.unwrap();
    let mut guest = Guest::join(&house).await;
    assert_eq!(&guest.user().await.payload[..], b"kept");
    assert!(guest.calls.try_recv().is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_once_a_guest_is_gone_waits_for_the_next() {
    let mut house = House::open().await;
    for _ in 0..5 {
        let guest = Guest::join(&house).await;
        house.ready().await;
        let agent = house.agent.clone();
        let sending = async {
            house.left().await;
            agent.send_user("kept".into(), None).await.unwrap();
        };
        tokio::join!(sending, guest.room.leave());
        let mut next = Guest::join(&house).await;
        assert_eq!(&next.user().await.payload[..], b"kept");
        next.room.leave().await;
        house.left().await;
    }
}

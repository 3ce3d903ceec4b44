//! How a session begins, how it ends, and what is counted meanwhile.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_host::{Host, Limits, brain::BrainError};
use alidade_room::{DisconnectReason, Room};
use alidade_wire::server::{Ready, ServerFrame};
use serde_json::json;

use crate::common::{self, PATIENCE, Place, client_tool, options, said};

/// The `cosmo.ready` attribute, once it is there.
async fn ready_attribute(room: &Room) -> String {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(text) = room
            .agents()
            .first()
            .and_then(|agent| agent.attributes.get("cosmo.ready").cloned())
        {
            return text;
        }
        assert!(Instant::now() < until, "the attribute never came");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn s20_ready_comes_as_a_frame_and_as_the_same_text_in_the_attribute() {
    let place = Place::new().await;
    let agent = json!({ "tools": [{ "kind": "web_search" }, { "kind": "detect_objects" }, client_tool("lookup")] });
    let started = place
        .start_for(agent, json!({ "max_session_seconds": 90 }))
        .await;
    let mut client = started.join(&["lookup"]).await.unwrap();
    let ready = client.ready().await;
    assert_eq!(ready.session_id, started.id);
    assert_eq!(ready.max_session_seconds, Some(90.0), "S10");
    assert_eq!(
        ready
            .rejected_tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect::<Vec<_>>(),
        ["web_search"],
        "S5"
    );
    let attribute = ready_attribute(&client.room).await;
    assert_eq!(attribute, ServerFrame::Ready(Ready { ..ready }).encode());
    assert_eq!(client.ask("tools").await, "cosmo_detect_objects,lookup");
}

#[tokio::test]
async fn s10_the_cap_is_the_smaller_of_both() {
    let place = Place::with(Limits {
        session: Duration::from_secs(100),
        ..Limits::default()
    })
    .await;
    let mut client = place
        .start_for(json!({}), json!({ "max_session_seconds": 600 }))
        .await
        .join(&[])
        .await
        .unwrap();
    assert_eq!(client.ready().await.max_session_seconds, Some(100.0));
}

#[tokio::test]
async fn s34_s40_end_cancels_the_turn_and_frees_the_slot() {
    let place = Place::with(Limits {
        sessions: 1,
        ..Limits::default()
    })
    .await;
    let mut client = place.session(json!({}), &[]).await;
    let (status, answer) = place
        .post_start(&common::start_body(json!({}), json!({})))
        .await;
    let error = &answer["error"];
    assert_eq!(
        (status, error["code"].as_str()),
        (429, Some("concurrent_session_limit")),
        "S6"
    );
    assert_eq!(
        (error["limit"].as_u64(), error["active"].as_u64()),
        (Some(1), Some(1))
    );
    client.send_text("sleep 600000").await;
    client
        .until(|frame| *frame == ServerFrame::BotLlmStarted)
        .await;
    client.send(json!({ "type": "end" })).await;
    assert_eq!(client.end().await.as_deref(), Some("client_ended"));
    assert_eq!(client.closed, Some(DisconnectReason::RoomDeleted));
    place.start(json!({})).await;
}

#[tokio::test]
async fn a_client_that_leaves_ends_its_session() {
    let place = Place::new().await;
    let client = place.session(json!({}), &[]).await;
    client.room.leave().await;
    place.until_none_is_active().await;
    let (_, usage) = place
        .get(&alidade_wire::rest::path::usage(&client.id))
        .await;
    assert_eq!(usage["status"], "completed");
}

#[tokio::test]
async fn a_session_nobody_joins_expires() {
    let place = Place::with(Limits {
        join: Duration::from_millis(50),
        ..Limits::default()
    })
    .await;
    let started = place.start(json!({})).await;
    place.until_none_is_active().await;
    let (_, usage) = place
        .get(&alidade_wire::rest::path::usage(&started.id))
        .await;
    assert_eq!(usage["status"], "error");
}

#[tokio::test]
async fn s6_sessions_nobody_joins_give_way_to_new_ones_and_others_never() {
    let place = Place::with(Limits {
        sessions: 2,
        unjoined: Duration::ZERO,
        ..Limits::default()
    })
    .await;
    let oldest = place.start(json!({})).await;
    let mut inside = place.session(json!({}), &[]).await;
    let newer = place.start(json!({})).await;
    assert!(oldest.join(&[]).await.is_err(), "it gave way");
    let (_, usage) = place
        .get(&alidade_wire::rest::path::usage(&oldest.id))
        .await;
    assert_ne!(usage["status"], "completed");
    assert_eq!(inside.ask("say here").await, "here");
    let mut second = newer.join(&[]).await.unwrap();
    second.ready().await;
    let body = common::start_body(json!({}), json!({}));
    let (status, answer) = place.post_start(&body).await;
    assert_eq!(
        (status, answer["error"]["active"].as_u64()),
        (429, Some(2)),
        "those who are inside stay"
    );
    assert_eq!(second.ask("say here too").await, "here too");
}

#[tokio::test]
async fn s6_a_session_may_be_joined_for_a_while_and_the_refusal_says_how_long_to_wait() {
    let place = Place::with(Limits {
        sessions: 1,
        unjoined: PATIENCE,
        join: 2 * PATIENCE,
        ..Limits::default()
    })
    .await;
    let started = place.start(json!({})).await;
    let answer = place
        .http
        .post(place.url(alidade_wire::rest::path::START))
        .bearer_auth(place.host.api_key().reveal())
        .json(&common::start_body(json!({}), json!({})))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status().as_u16(), 429);
    let after: u64 = answer.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=PATIENCE.as_secs()).contains(&after), "{after}");
    started.join(&[]).await.unwrap().ready().await;
}

#[tokio::test]
async fn a_session_at_its_cap_warns_and_ends_with_its_reason() {
    let limits = Limits {
        session: Duration::from_secs(8),
        ending_soon: Duration::from_secs(1),
        ..Limits::default()
    };
    let place = Place::with(limits).await;
    let mut client = place.session(json!({}), &[]).await;
    let frames = client
        .until(|frame| matches!(frame, ServerFrame::SessionEndingSoon { .. }))
        .await;
    assert!(
        matches!(frames.last(), Some(ServerFrame::SessionEndingSoon { seconds_remaining, reason })
        if *seconds_remaining <= 1.0 && reason == "max_session_duration")
    );
    assert_eq!(client.end().await.as_deref(), Some("max_session_duration"));
    assert_eq!(
        client.closed,
        Some(DisconnectReason::RoomDeleted),
        "a client counts it as ended by the server"
    );
}

#[tokio::test]
async fn s21_a_boot_that_fails_is_told_and_then_the_room_closes() {
    let (mut options, _) = options(Limits::default());
    options.brain = Some(Arc::new(|| {
        Err(BrainError::Turn("The model cannot be loaded.".to_owned()))
    }));
    let host = Host::start(options).await.unwrap();
    let place = Place {
        host,
        http: common::client(),
        eyes: Arc::default(),
    };
    let mut client = place.start(json!({})).await.join(&[]).await.unwrap();
    match client.next().await {
        Some(ServerFrame::Error {
            message,
            fatal: true,
            ..
        }) => assert_eq!(message, "The model cannot be loaded."),
        other => panic!("{other:?}"),
    }
    assert_eq!(client.end().await.as_deref(), Some("internal_error"));
    assert!(client.closed.is_some());
}

#[tokio::test]
async fn two_sessions_at_once_know_nothing_of_each_other() {
    let place = Place::new().await;
    let mut one = place.session(json!({}), &[]).await;
    let mut two = place.session(json!({}), &[]).await;
    one.send(json!({ "type": "send-context", "content": "of one" }))
        .await;
    let (first, second) = tokio::join!(one.ask("notes"), two.ask("say two"));
    assert_eq!((first.as_str(), second.as_str()), ("of one", "two"));
    one.send(json!({ "type": "end" })).await;
    one.end().await;
    assert_eq!(two.ask("say here").await, "here");
}

#[tokio::test]
async fn a_backend_that_stops_in_the_middle_says_so_and_stops_in_time() {
    let place = Place::new().await;
    let mut one = place.session(json!({}), &[]).await;
    let mut two = place.session(json!({}), &[]).await;
    place.start(json!({})).await;
    one.send_text("sleep 600000").await;
    one.until(|frame| *frame == ServerFrame::BotLlmStarted)
        .await;
    let (verify, key) = (
        place.url(alidade_wire::rest::path::VERIFY),
        place.host.api_key().clone(),
    );
    let stopping = tokio::spawn(place.host.shutdown());
    let (first, second) = tokio::join!(one.end(), two.end());
    assert_eq!(
        (first.as_deref(), second.as_deref()),
        (Some("server_shutdown"), Some("server_shutdown"))
    );
    tokio::time::timeout(PATIENCE, stopping)
        .await
        .expect("it does not stop")
        .unwrap();
    // The port may be somebody else's by now.
    let asked = common::client().get(verify).bearer_auth(key.reveal());
    assert!(
        !asked
            .send()
            .await
            .is_ok_and(|answer| answer.status().is_success()),
        "nothing listens any more"
    );
}

#[tokio::test]
async fn s36_usage_is_a_running_total_and_what_nobody_measured_is_not_told() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    let mut totals = Vec::new();
    for _ in 0..2 {
        client.send_text("tokens").await;
        for frame in client.turn().await {
            if let ServerFrame::Usage(usage) = frame {
                totals.push(usage.total_tokens);
            }
        }
    }
    assert_eq!(totals, [7, 14]);
    let (_, usage) = place
        .get(&alidade_wire::rest::path::usage(&client.id))
        .await;
    assert_eq!(
        (
            usage["usage_status"].as_str(),
            usage["tokens"]["total_tokens"].as_i64()
        ),
        (Some("pending"), Some(14))
    );
    assert_eq!(usage["turn_count"], 2);
}

#[tokio::test]
async fn s35_silence_is_noticed_and_may_end_the_session() {
    let place = Place::new().await;
    let hooks = json!([
        { "trigger": "user.speech.timeout", "timeout_seconds": 1, "action": { "type": "say", "text": "Still there?" }, "max_count": 1 },
        { "trigger": "user.speech.timeout", "timeout_seconds": 2, "action": { "type": "end_call", "farewell": "Bye." }, "max_count": 1 },
    ]);
    let mut client = place.session(json!({ "hooks": hooks }), &[]).await;
    let frames = client.turn().await;
    assert_eq!(said(&frames), "Still there?");
    assert!(frames.iter().any(|frame| matches!(frame, ServerFrame::UserSpeechTimeout { trigger_count: 1, max_count: 1, silence_ms, session_id, .. }
        if *silence_ms >= 1000 && *session_id == client.id)));
    assert_eq!(said(&client.turn().await), "Bye.");
    assert_eq!(client.end().await.as_deref(), Some("user_silent"));
}

#[tokio::test]
async fn the_brain_may_hang_up_after_its_goodbye() {
    let place = Place::new().await;
    let mut client = place
        .session(json!({ "tools": [{ "kind": "end_call" }] }), &[])
        .await;
    assert_eq!(client.ask("call end_call").await, "ok null");
    assert_eq!(client.end().await.as_deref(), Some("end_call"));
}

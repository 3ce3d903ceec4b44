//! The life of a session over a real room on the loopback interface.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

mod common;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_host::{Host, Limits, brain::BrainError};
use alidade_room::{DisconnectReason, Room};
use alidade_wire::server::{Ready, Role, ServerFrame};
use common::{PATIENCE, Place, client_tool, options, said};
use serde_json::json;

fn limits() -> Limits {
    Limits::default()
}

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
        ..limits()
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
async fn s26_s27_s28_a_turn_is_answered_in_deltas_and_closed_with_the_whole_text() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    client.send_text("say Save is at the top").await;
    let frames = client.turn().await;
    let deltas: Vec<_> = frames
        .iter()
        .filter_map(|frame| match frame {
            ServerFrame::Transcript {
                role: Role::Assistant,
                text,
                is_final: false,
            } => Some(text.as_str()),
            ServerFrame::Transcript {
                role: Role::User, ..
            } => panic!("the person's text was echoed"),
            _ => None,
        })
        .collect();
    assert_eq!(deltas, ["Save ", "is ", "at ", "the ", "top"]);
    assert_eq!(said(&frames), "Save is at the top");
    assert_eq!(frames.first(), Some(&ServerFrame::BotLlmStarted));
    assert_eq!(
        frames[frames.len() - 2..],
        [
            ServerFrame::BotLlmStopped,
            ServerFrame::TurnComplete {
                role: Role::Assistant
            }
        ]
    );
}

#[tokio::test]
async fn s27_a_turn_of_blanks_is_retracted_with_an_empty_final() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    assert_eq!(client.ask("blank").await, "");
}

#[tokio::test]
async fn the_greeting_opens_the_conversation_and_instructions_reach_the_brain() {
    let place = Place::new().await;
    let mut client = place
        .session(
            json!({ "greeting": "Hello there.", "instructions": "Be brief." }),
            &[],
        )
        .await;
    assert_eq!(said(&client.turn().await), "Hello there.");
    assert_eq!(client.ask("instructions").await, "Be brief.");
}

#[tokio::test]
async fn s26_context_opens_no_turn_and_is_known_to_the_next() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    client
        .send(json!({ "type": "send-context", "content": "On page 3" }))
        .await;
    client
        .send(json!({ "type": "delegation-append", "channel": "thinking", "content": "hm" }))
        .await;
    client.send_text("notes").await;
    let frames = client.turn().await;
    assert_eq!(said(&frames), "On page 3|hm");
    assert_eq!(
        frames.first(),
        Some(&ServerFrame::BotLlmStarted),
        "the context said nothing by itself"
    );
}

#[tokio::test]
async fn s25_ping_is_answered_also_while_a_turn_runs() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    client.send_text("sleep 60000").await;
    client
        .until(|frame| *frame == ServerFrame::BotLlmStarted)
        .await;
    client.send(json!({ "type": "ping" })).await;
    client.until(|frame| *frame == ServerFrame::Pong).await;
}

#[tokio::test]
async fn s37_frames_that_cannot_be_used_are_answered_and_end_nothing() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    let bad: [&[u8]; 9] = [
        b"nonsense",
        b"\xff\xfe",
        b"{}",
        b"[]",
        br#"{"type":"ready","session_id":"x"}"#,
        br#"{"type":"unheard-of"}"#,
        br#"{"type":"send-text"}"#,
        br#"{"type":"send-context","content":""}"#,
        br#"{"type":"envelope-chunk","envelope_id":"e","seq":0,"total":1,"data":"*"}"#,
    ];
    for bytes in bad {
        client
            .room
            .send_user(bytes.to_vec().into(), None, &[])
            .await
            .unwrap();
        match client.next().await {
            Some(ServerFrame::Error {
                code,
                fatal: false,
                message,
            }) => {
                assert_eq!(code, "invalid_message", "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
    for quiet in [
        json!({ "type": "mute", "muted": true }),
        json!({ "type": "bind-input" }),
        json!({ "type": "activity-end" }),
        json!({ "type": "connect-timings", "request_ms": 3 }),
        json!({ "type": "tool_job_result", "job_id": "unknown", "tool_name": "x", "status": "completed" }),
        json!({ "type": "envelope-chunk", "envelope_id": "e", "seq": 5, "total": 1, "data": "" }),
    ] {
        client.send(quiet).await;
    }
    client.send_text("say fine").await;
    let frames = client.turn().await;
    assert_eq!(
        frames.first(),
        Some(&ServerFrame::BotLlmStarted),
        "accepted frames are not answered"
    );
    assert_eq!(said(&frames), "fine");
}

#[tokio::test]
async fn s32_s33_long_frames_go_both_ways_in_pieces() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    let long = "x".repeat(30_000);
    assert_eq!(client.ask(&format!("say {long}")).await, long);
    assert_eq!(client.ask("big 20000").await, "é".repeat(20_000));
    assert!(
        client.whole.iter().all(|bytes| *bytes <= 12_000),
        "no packet is longer than it may be"
    );
}

#[tokio::test]
async fn a_failed_turn_and_a_panic_are_told_and_the_next_turn_is_answered() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    for (command, code) in [
        ("fail The model is gone.", "turn_failed"),
        ("panic", "internal_error"),
    ] {
        client.send_text(command).await;
        let frames = client.turn().await;
        let error = frames.iter().find_map(|frame| match frame {
            ServerFrame::Error { code, fatal, .. } => Some((code.as_str(), *fatal)),
            _ => None,
        });
        assert_eq!(error, Some((code, false)));
        assert_eq!(client.ask("say on").await, "on");
    }
}

#[tokio::test]
async fn a_turn_that_takes_too_long_is_given_up() {
    let place = Place::with(Limits {
        turn: Duration::from_millis(100),
        ..limits()
    })
    .await;
    let mut client = place.session(json!({}), &[]).await;
    client.send_text("sleep 600000").await;
    let frames = client.turn().await;
    assert!(
        frames.iter().any(
            |frame| matches!(frame, ServerFrame::Error { code, .. } if code == "turn_timeout")
        )
    );
    assert_eq!(client.ask("say on").await, "on");
}

#[tokio::test]
async fn turns_that_come_meanwhile_wait_in_order_and_their_number_is_bounded() {
    let place = Place::with(Limits {
        waiting_turns: 3,
        ..limits()
    })
    .await;
    let mut client = place.session(json!({}), &[]).await;
    client.send_text("sleep 500").await;
    client
        .until(|frame| *frame == ServerFrame::BotLlmStarted)
        .await;
    for n in 0..4 {
        client.send_text(&format!("say {n}")).await;
    }
    let mut finals = Vec::new();
    let mut dropped = 0;
    while finals.len() < 3 {
        match client.next().await.unwrap() {
            ServerFrame::Transcript {
                text,
                is_final: true,
                ..
            } => finals.push(text),
            ServerFrame::Error {
                code, fatal: false, ..
            } if code == "too_many_messages" => dropped += 1,
            _ => {}
        }
    }
    assert_eq!(
        (finals, dropped),
        (vec!["0".to_owned(), "1".to_owned(), "2".to_owned()], 1)
    );
}

#[tokio::test]
async fn s34_s40_end_cancels_the_turn_and_frees_the_slot() {
    let place = Place::with(Limits {
        sessions: 1,
        ..limits()
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
        ..limits()
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
async fn a_session_at_its_cap_warns_and_ends_with_its_reason() {
    let limits = Limits {
        session: Duration::from_secs(2),
        ending_soon: Duration::from_secs(1),
        ..limits()
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
    let (mut options, _) = options(limits());
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
    let address = place.host.base_url();
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
    assert!(
        common::client().get(address).send().await.is_err(),
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

//! Turns and the frames of a conversation.

use std::time::Duration;

use alidade_host::Limits;
use alidade_wire::{
    reply,
    server::{Role, ServerFrame},
};
use serde_json::json;

use crate::common::{Place, client_tool, said};

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
        turn: Duration::from_secs(3),
        ..Limits::default()
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

/// Whether this says that a message was dropped for want of room.
fn too_many(frame: &ServerFrame) -> bool {
    matches!(frame, ServerFrame::Error { code, fatal: false, .. } if code == "too_many_messages")
}

#[tokio::test]
async fn turns_that_come_meanwhile_wait_in_order_and_their_number_is_bounded() {
    let place = Place::with(Limits {
        waiting_turns: 3,
        ..Limits::default()
    })
    .await;
    let agent = json!({ "tools": [client_tool("hold")] });
    let mut client = place.session(agent, &["hold"]).await;
    client.send_text("call hold").await;
    let held = client.call().await;
    for n in 0..4 {
        client.send_text(&format!("say {n}")).await;
    }
    // Frames are handled in order: all four have come once this is answered.
    client.send(json!({ "type": "ping" })).await;
    let before = client.until(|frame| *frame == ServerFrame::Pong).await;
    held.reply(Ok(reply::failure("enough")));
    let over = client.turn().await;
    assert_eq!(said(&over), "failed enough");
    let mut finals = Vec::new();
    let mut dropped = before
        .iter()
        .chain(&over)
        .filter(|frame| too_many(frame))
        .count();
    while finals.len() < 3 {
        match client.next().await.unwrap() {
            ServerFrame::Transcript {
                text,
                is_final: true,
                ..
            } => finals.push(text),
            frame if too_many(&frame) => dropped += 1,
            _ => {}
        }
    }
    assert_eq!(
        (finals, dropped),
        (vec!["0".to_owned(), "1".to_owned(), "2".to_owned()], 1)
    );
}

#[tokio::test]
async fn which_of_several_is_state_of_the_session_until_the_next_turn() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    let states = |frames: &[ServerFrame]| -> Vec<ServerFrame> {
        frames
            .iter()
            .filter(|frame| matches!(frame, ServerFrame::SessionState { .. }))
            .cloned()
            .collect()
    };
    let state = |state: serde_json::Value| ServerFrame::SessionState {
        state: state.as_object().unwrap().clone(),
        updated_keys: vec!["asked".to_owned(), "choices".to_owned()],
        warnings: Vec::new(),
        stage: None,
    };
    client.send_text("which 3").await;
    // The turn's frames end with `turn-complete`: the state came before it.
    let asked = states(&client.turn().await);
    assert_eq!(asked, [state(json!({ "asked": "which", "choices": 3 }))]);
    client.send_text("which 2").await;
    let asked = states(&client.turn().await);
    assert_eq!(
        asked,
        [
            state(json!({})),
            state(json!({ "asked": "which", "choices": 2 }))
        ]
    );
    client.send_text("say there").await;
    assert_eq!(states(&client.turn().await), [state(json!({}))]);
    client.send_text("say more").await;
    assert!(states(&client.turn().await).is_empty());
}

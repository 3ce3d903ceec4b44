//! What the golden data does not show of a session (R38–R47, R63, R64).

use std::sync::Arc;

use crate::support::{
    carrier::{Fake, OneAnswer, data},
    running::{ready, running},
    settle,
};
use alidade_agent::{
    Agent, Event, Hook, Session, SessionError, SessionState, Settings, StartCode, VideoKind,
    transport::{Inbound, Lane, Sender},
};
use alidade_wire::server::ServerFrame;
use parking_lot::Mutex;
use serde_json::{Value, json};

fn plain() -> Agent {
    Agent::inline().build().unwrap()
}

fn new(agent: Agent, carrier: &Fake, network: &Arc<OneAnswer>) -> (Session, alidade_agent::Start) {
    Session::new(
        agent,
        network.backend(),
        Arc::new(carrier.clone()),
        Settings::default(),
    )
}

fn granted() -> Arc<OneAnswer> {
    OneAnswer::new(200, &crate::support::start_answer(&Value::Null))
}

#[tokio::test(start_paused = true)]
async fn r9_and_r20_the_start_request_carries_key_sdk_and_body() {
    let (carrier, network) = (Fake::new(Lane::Room), granted());
    carrier.during_join(data(&ready()));
    let (_session, start) = new(plain(), &carrier, &network);
    start.run().await.unwrap();
    let asked = network.asked.lock();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        asked[0].url,
        "https://cosmo.example/api/v1/external/realtime/session/start"
    );
    assert_eq!(asked[0].bearer.expose(), "canary-key");
    assert_eq!(asked[0].headers[0].0, "x-cosmo-sdk");
    assert!(!format!("{:?}", asked[0]).contains("canary"));
    let body: Value = serde_json::from_str(&asked[0].body).unwrap();
    assert_eq!(body["type"], "session-config");
    assert_eq!(body["agent"], json!({"type": "inline"}));
    assert_eq!(body["session"], json!({}));
}

#[tokio::test(start_paused = true)]
async fn r33_readiness_is_taken_once_from_frame_or_attribute() {
    let carrier = Fake::new(Lane::Room);
    let attribute = |sender, value: Value| Inbound::ReadyAttribute {
        sender,
        value: value.to_string(),
    };
    carrier.during_join(attribute(
        Sender::Other,
        json!({"type": "ready", "session_id": "liar"}),
    ));
    carrier.during_join(attribute(Sender::Agent, json!({"type": "pong"})));
    carrier.during_join(attribute(Sender::Agent, ready()));
    carrier.during_join(data(&json!({"type": "ready", "session_id": "late"})));
    let (session, start) = new(plain(), &carrier, &granted());
    start.run().await.unwrap();
    settle().await;
    assert_eq!(session.ready().unwrap().session_id, "s-1");
    let events = session.events();
    assert!(matches!(
        events.try_next(),
        Some(Event::Frame(ServerFrame::Ready(_)))
    ));
    assert_eq!(events.try_next(), None);
}

#[tokio::test(start_paused = true)]
async fn r40_a_reconnect_reads_the_attribute_again_before_anything_else() {
    let carrier = Fake::new(Lane::Room);
    let (session, start) = new(plain(), &carrier, &granted());
    let starting = tokio::spawn(start.run());
    settle().await;
    carrier.comes(Inbound::Reconnecting).await;
    carrier.set_attributes(vec!["nonsense".into(), ready().to_string()]);
    carrier.comes(Inbound::Reconnected).await;
    starting.await.unwrap().unwrap();
    assert_eq!(session.state(), SessionState::Connected);
}

#[tokio::test(start_paused = true)]
async fn r64_frames_of_others_are_dropped() {
    let run = running(plain()).await;
    let pong = || json!({"type": "pong"}).to_string().into();
    run.carrier
        .comes(Inbound::Data {
            sender: Sender::Other,
            payload: pong(),
        })
        .await;
    settle().await;
    assert!(matches!(
        run.events.try_next(),
        Some(Event::Frame(ServerFrame::Ready(_)))
    ));
    assert_eq!(run.events.try_next(), None);
    run.carrier
        .comes(Inbound::Data {
            sender: Sender::Server,
            payload: pong(),
        })
        .await;
    settle().await;
    assert_eq!(run.events.try_next(), Some(Event::Frame(ServerFrame::Pong)));
}

#[tokio::test(start_paused = true)]
async fn r63_a_long_frame_leaves_in_chunks_that_stay_together() {
    let run = running(plain()).await;
    let text = "é".repeat(20_000);
    let (long, other) = tokio::join!(run.session.send_text(&text), run.session.send_text(&text));
    long.unwrap();
    other.unwrap();
    assert!(run.carrier.packets().iter().all(|bytes| *bytes <= 12_000));
    let chunks: Vec<Value> = run
        .carrier
        .sent()
        .into_iter()
        .filter(|frame| frame["type"] == "envelope-chunk")
        .collect();
    let ids: Vec<&Value> = chunks.iter().map(|chunk| &chunk["envelope_id"]).collect();
    let turns = ids.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!(turns, 1, "the chunks of two frames are not mixed");
}

#[tokio::test(start_paused = true)]
async fn r62_a_frame_in_pieces_arrives_as_one() {
    let run = running(plain()).await;
    let text = "x".repeat(30_000);
    let frame = json!({"type": "transcript", "role": "ASSISTANT", "text": text, "is_final": true})
        .to_string();
    let mut pieces = alidade_wire::chunk::split_server(&frame);
    pieces.reverse();
    for piece in pieces {
        run.carrier
            .comes(Inbound::Data {
                sender: Sender::Agent,
                payload: piece.into(),
            })
            .await;
    }
    settle().await;
    assert_eq!(run.session.transcript()[0].text, text);
}

#[tokio::test(start_paused = true)]
async fn r61_what_is_no_frame_is_shown_as_unknown_and_ends_nothing() {
    let run = running(plain()).await;
    assert!(run.events.try_next().is_some());
    for bytes in [
        &b"\xff\xfe"[..],
        b"{",
        b"[]",
        b"{\"type\":\"no-such\"}",
        b"{\"type\":\"error\"}",
    ] {
        run.carrier
            .comes(Inbound::Data {
                sender: Sender::Agent,
                payload: bytes.to_vec().into(),
            })
            .await;
        settle().await;
        assert!(
            matches!(run.events.try_next(), Some(Event::Unknown(_))),
            "{bytes:?}"
        );
    }
    assert_eq!(run.session.state(), SessionState::Connected);
}

#[tokio::test(start_paused = true)]
async fn r45_a_fatal_error_alone_does_not_end_the_session() {
    let run = running(plain()).await;
    run.carrier
        .frame(&json!({"type": "error", "code": "internal_error", "message": "m", "fatal": true}))
        .await;
    settle().await;
    assert_eq!(run.session.state(), SessionState::Connected);
    run.session.ping().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn r47_session_end_hooks_run_once_whatever_ends_it_and_however_often() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let hook = |seen: &Arc<Mutex<Vec<_>>>| {
        let seen = Arc::clone(seen);
        Hook::session_end(move |over| {
            seen.lock().push((over.reason.as_str(), over.session_id));
            async { Ok(()) }
        })
    };
    let run = running(Agent::inline().hook(hook(&seen)).build().unwrap()).await;
    let again = run.session.clone();
    tokio::join!(run.session.end(), again.close(), again.end());
    run.session.closed().await;
    assert_eq!(*seen.lock(), [("client_ended", Some("s-1".to_owned()))]);
    assert!(run.carrier.left());

    // A start that was refused: no session, but a hook (H22).
    seen.lock().clear();
    let network = OneAnswer::new(
        503,
        &json!({"error": {"type": "api_error", "message": "no"}}),
    );
    let (_session, start) = new(
        Agent::inline().hook(hook(&seen)).build().unwrap(),
        &Fake::new(Lane::Room),
        &network,
    );
    assert_eq!(
        start.run().await.unwrap_err().code,
        StartCode::VoiceDisabled
    );
    assert_eq!(*seen.lock(), [("handshake_failed", None)]);
}

#[tokio::test(start_paused = true)]
async fn a_session_end_hook_may_end_the_session_without_waiting_for_itself() {
    let own: Arc<Mutex<Option<Session>>> = Arc::default();
    let held = Arc::clone(&own);
    let hook = Hook::session_end(move |_| {
        let session = held.lock().clone();
        async move {
            if let Some(session) = session {
                session.end().await;
            }
            Ok(())
        }
    });
    let run = running(Agent::inline().hook(hook).build().unwrap()).await;
    *own.lock() = Some(run.session.clone());
    run.session.end().await;
    assert!(matches!(
        run.session.state(),
        SessionState::Disconnected { .. }
    ));
    own.lock().take();
}

#[tokio::test(start_paused = true)]
async fn the_last_handle_dropped_closes_the_session() {
    let run = running(plain()).await;
    let clone = run.session.clone();
    drop(run.session);
    settle().await;
    assert_eq!(clone.state(), SessionState::Connected);
    drop(clone);
    settle().await;
    assert!(run.carrier.left());
    let mut last = None;
    while let Some(event) = run.events.next().await {
        last = Some(event);
    }
    assert_eq!(
        last,
        Some(Event::SessionEnded {
            reason: Some("client closed".into())
        })
    );
}

#[tokio::test(start_paused = true)]
async fn ending_while_the_join_hangs_ends_the_start_too() {
    let carrier = Fake::new(Lane::Room);
    let _never = carrier.hold_join();
    let (session, start) = new(plain(), &carrier, &granted());
    let starting = tokio::spawn(start.run());
    settle().await;
    session.close().await;
    assert_eq!(
        starting.await.unwrap().unwrap_err().code,
        StartCode::HandshakeFailed
    );
    assert!(carrier.sent().is_empty());
}

#[tokio::test(start_paused = true)]
async fn r36_a_close_with_a_reason_during_the_join_explains_its_failure() {
    let carrier = Fake::new(Lane::Room);
    carrier.during_join(Inbound::Closed {
        kind: alidade_agent::transport::CloseKind::ServerEnded,
        detail: Some("ROOM_DELETED".into()),
    });
    carrier.fail_join("socket closed");
    let (_session, start) = new(plain(), &carrier, &granted());
    let error = start.run().await.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (
            StartCode::HandshakeFailed,
            "the session ended before ready: ROOM_DELETED"
        )
    );
}

#[tokio::test(start_paused = true)]
async fn r38_the_server_s_timings_come_back_and_a_failure_to_send_them_is_ignored() {
    let carrier = Fake::new(Lane::Room);
    carrier.during_join(data(&ready()));
    carrier.fail_sends(true);
    let (session, start) = new(plain(), &carrier, &granted());
    start.run().await.unwrap();
    carrier.fail_sends(false);
    session.ping().await.unwrap();
    let sent: Vec<Value> = carrier
        .sent()
        .iter()
        .map(|frame| frame["type"].clone())
        .collect();
    assert_eq!(sent, ["ping"], "once, and never again");
}

#[tokio::test(start_paused = true)]
async fn r48_and_r49_one_video_at_a_time_and_a_stale_claim_does_nothing() {
    let run = running(plain()).await;
    let camera = run.session.claim_video(VideoKind::Camera).unwrap();
    for kind in [VideoKind::Camera, VideoKind::Screen] {
        assert_eq!(
            run.session.claim_video(kind).err(),
            Some(SessionError::VideoPublishAlreadyActive)
        );
    }
    assert!(camera.release() && !camera.is_current());
    let screen = run.session.claim_video(VideoKind::Screen).unwrap();
    let newer = run.session.claim_video(VideoKind::Screen).unwrap();
    assert!(
        !screen.is_current() && newer.is_current(),
        "a screen replaces a screen"
    );
    assert!(!screen.release() && !camera.release());
    drop(screen);
    assert!(newer.is_current(), "a stale claim takes nothing with it");
    assert_eq!(
        run.session.claim_video(VideoKind::Camera).err(),
        Some(SessionError::VideoPublishAlreadyActive)
    );
    run.session.end().await;
    assert!(!newer.is_current());
}

#[tokio::test(start_paused = true)]
async fn r85_the_websocket_has_no_video() {
    let carrier = Fake::new(Lane::Websocket);
    carrier.during_join(data(&ready()));
    let network = OneAnswer::new(
        200,
        &json!({"session_id": "s-1", "ws_url": "wss://x", "ws_subprotocol": "p"}),
    );
    let (session, start) = new(plain(), &carrier, &network);
    start.run().await.unwrap();
    assert_eq!(
        session.claim_video(VideoKind::Camera).err(),
        Some(SessionError::VideoUnsupported)
    );
    assert!(network.asked.lock()[0].url.ends_with("/ws-start"));
}

#[tokio::test(start_paused = true)]
async fn context_and_hand_offs_are_measured_before_they_are_sent() {
    let run = running(plain()).await;
    let before = run.carrier.sent().len();
    for text in [String::new(), "x".repeat(4097)] {
        assert_eq!(
            run.session.send_context(&text).await.unwrap_err().code(),
            "invalid_payload"
        );
    }
    assert_eq!(run.carrier.sent().len(), before);
    run.session.send_context(&"🛶".repeat(4096)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_session_closed_before_its_start_asks_the_server_for_nothing() {
    let (carrier, network) = (Fake::new(Lane::Room), granted());
    let (session, start) = new(plain(), &carrier, &network);
    session.close().await;
    assert_eq!(
        start.run().await.unwrap_err().code,
        StartCode::HandshakeFailed
    );
    assert!(network.asked.lock().is_empty());
}

//! Connections that break: who may come back, and what becomes of what was under way.

use std::time::{Duration, Instant};

use alidade_host::Limits;
use alidade_wire::{reply, server::ServerFrame};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::common::{Client, PATIENCE, Place, Started, client_tool, said};

fn lookup() -> Value {
    json!({ "tools": [client_tool("lookup")] })
}

/// Joins again once the host has noticed the break.
async fn back(started: &Started, methods: &[&str]) -> Client {
    let until = Instant::now() + PATIENCE;
    loop {
        match started.join(methods).await {
            Ok(client) => return client,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The outcome frames of calls among these.
fn results(frames: &[ServerFrame]) -> usize {
    frames
        .iter()
        .filter(|frame| matches!(frame, ServerFrame::ToolResult { .. }))
        .count()
}

#[tokio::test]
async fn a_client_whose_connection_broke_comes_back_to_its_session() {
    let place = Place::new().await;
    let started = place.start(json!({})).await;
    let path = place.path().await;
    let mut client = started.through(&path).join(&[]).await.unwrap();
    client.ready().await;
    client
        .send(json!({ "type": "send-context", "content": "before" }))
        .await;
    assert_eq!(client.ask("say here").await, "here");
    path.cut();
    let mut client = back(&started, &[]).await;
    assert_eq!(client.ready().await.session_id, started.id);
    assert_eq!(
        client.ask("notes").await,
        "before",
        "it is the same session"
    );
}

#[tokio::test]
async fn two_who_come_back_at_a_time_are_not_both_let_in_and_nobody_beside_the_one() {
    let place = Place::new().await;
    let started = place.start(json!({})).await;
    let path = place.path().await;
    let mut client = started.through(&path).join(&[]).await.unwrap();
    client.ready().await;
    assert!(started.join(&[]).await.is_err(), "the connection lives");
    path.cut();
    let until = Instant::now() + PATIENCE;
    let mut inside = loop {
        let (one, two) = tokio::join!(started.join(&[]), started.join(&[]));
        match (one, two) {
            (Ok(_), Ok(_)) => panic!("both were let in"),
            (Ok(client), Err(_)) | (Err(_), Ok(client)) => break client,
            (Err(error), Err(_)) => assert!(Instant::now() < until, "{error}"),
        }
    };
    inside.ready().await;
    assert!(started.join(&[]).await.is_err(), "the new connection lives");
    assert_eq!(inside.ask("say still here").await, "still here");
}

#[tokio::test]
async fn who_left_of_its_own_will_does_not_come_back() {
    let place = Place::new().await;
    for _ in 0..5 {
        let started = place.start(json!({})).await;
        let mut client = started.join(&[]).await.unwrap();
        client.ready().await;
        client.room.leave().await;
        assert!(
            started.join(&[]).await.is_err(),
            "not even before the session is over"
        );
    }
}

#[tokio::test]
async fn who_stays_away_too_long_finds_the_session_over() {
    let place = Place::with(Limits {
        rejoin: Duration::from_millis(50),
        ..Limits::default()
    })
    .await;
    let started = place.start(json!({})).await;
    let path = place.path().await;
    let mut client = started.through(&path).join(&[]).await.unwrap();
    client.ready().await;
    path.cut();
    place.until_none_is_active().await;
    assert!(started.join(&[]).await.is_err());
}

#[tokio::test]
async fn a_try_to_resume_lets_nobody_in_and_spends_nothing() {
    let place = Place::new().await;
    let started = place.start(json!({})).await;
    // A wrapped join request without anything in it.
    let request = format!(
        "GET /rtc/v1?reconnect=1&join_request= HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        place.port(),
        started.token.reveal()
    );
    for _ in 0..3 {
        let mut stream = TcpStream::connect(("127.0.0.1", place.port()))
            .await
            .unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // The advice to join anew follows the head; who follows it at once is let in.
        while answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .is_none_or(|end| answer.len() == end + 4)
        {
            let read = tokio::time::timeout(PATIENCE, stream.read_buf(&mut answer))
                .await
                .expect("no answer");
            assert!(read.unwrap() > 0, "{}", String::from_utf8_lossy(&answer));
        }
        assert!(answer.starts_with(b"HTTP/1.1 101"));
        drop(stream);
    }
    let mut client = back(&started, &[]).await;
    client.ready().await;
}

#[tokio::test]
async fn a_call_that_was_cut_off_has_one_outcome_and_what_comes_later_is_conversation() {
    let place = Place::new().await;
    let started = place.start(lookup()).await;
    let path = place.path().await;
    let mut client = started.through(&path).join(&["lookup"]).await.unwrap();
    client.ready().await;
    client.send_text("call lookup").await;
    let call = client.call().await;
    path.cut();
    let mut client = back(&started, &["lookup"]).await;
    let frames = client.turn().await;
    assert_eq!(
        said(&frames),
        "failed The connection was lost while lookup ran; whether it was done is not known."
    );
    assert_eq!(results(&frames), 1);
    // The handler goes on: its reply goes nowhere, the result of its job is told.
    call.reply(Ok(reply::deferred("", "job-9")));
    let result = json!({ "type": "tool_job_result", "job_id": "job-9", "tool_name": "lookup", "status": "completed", "summary": "It rains." });
    client.send(result.clone()).await;
    let frames = client.turn().await;
    assert_eq!(said(&frames), "job job-9 lookup true It rains.");
    assert_eq!(results(&frames), 0, "the call has had its outcome");
    client.send(result).await;
    assert_eq!(client.ask("say next").await, "next", "it is told once");
    client.send_text("call lookup").await;
    client
        .call()
        .await
        .reply(Ok(reply::success(&json!({ "n": 1 }))));
    let frames = client.turn().await;
    assert_eq!(
        (said(&frames).as_str(), results(&frames)),
        (r#"ok {"n":1}"#, 1)
    );
}

#[tokio::test]
async fn a_job_outlives_a_broken_connection() {
    let place = Place::new().await;
    let started = place.start(lookup()).await;
    let path = place.path().await;
    let mut client = started.through(&path).join(&["lookup"]).await.unwrap();
    client.ready().await;
    client.send_text("call lookup").await;
    client.call().await.reply(Ok(reply::deferred("", "job-1")));
    assert_eq!(said(&client.turn().await), "deferred  job-1");
    path.cut();
    let mut client = back(&started, &["lookup"]).await;
    client.ready().await;
    client.send(json!({ "type": "tool_job_result", "job_id": "job-1", "tool_name": "lookup", "status": "completed", "summary": "Done." })).await;
    assert_eq!(said(&client.turn().await), "job job-1 lookup true Done.");
}

#[tokio::test]
async fn a_call_while_nobody_is_there_was_not_run_and_is_told_so() {
    let place = Place::new().await;
    let started = place.start(lookup()).await;
    let path = place.path().await;
    let mut client = started.through(&path).join(&["lookup"]).await.unwrap();
    client.ready().await;
    // The first call ends when the connection breaks; the second begins while nobody is there.
    client.send_text("call lookup").await;
    let _call = client.call().await;
    client.send_text("call lookup").await;
    client.send_text("say both are over").await;
    // Frames are handled in order: the other turns wait once this is answered.
    client.send(json!({ "type": "ping" })).await;
    client.until(|frame| *frame == ServerFrame::Pong).await;
    path.cut();
    let until = Instant::now() + PATIENCE;
    let usage = alidade_wire::rest::path::usage(&started.id);
    // The third turn begins when the second is over.
    while place.get(&usage).await.1["turn_count"] != 3 {
        assert!(Instant::now() < until, "the calls never ended");
    }
    let mut client = back(&started, &["lookup"]).await;
    let first = client.turn().await;
    assert!(said(&first).starts_with("failed The connection was lost"));
    let second = client.turn().await;
    let told = said(&second);
    assert_eq!(
        told,
        "failed The app is not connected just now, so lookup was not run."
    );
    assert_eq!((results(&first), results(&second)), (1, 1));
}

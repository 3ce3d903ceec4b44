//! What faces the network refuses everything it should, in the protocol's words.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

mod common;

use std::time::{Duration, Instant};

use alidade_host::{Host, HostOptions, Limits, Secret};
use alidade_room::client::JoinError;
use alidade_wire::rest::{UsageAnswer, VerifyAnswer, path};
use common::{PATIENCE, Place, client, options, start_body};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

fn port(place: &Place) -> u16 {
    place
        .host
        .base_url()
        .rsplit(':')
        .next()
        .unwrap()
        .parse()
        .unwrap()
}

/// Sends bytes as they are and reads the status of the answer; 0 where the connection just closed.
async fn raw(place: &Place, request: &str) -> u16 {
    let mut stream = TcpStream::connect(("127.0.0.1", port(place)))
        .await
        .unwrap();
    let _ = stream.write_all(request.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer))
        .await
        .expect("no answer");
    String::from_utf8_lossy(&answer)
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0)
}

fn verify(place: &Place, headers: &str) -> String {
    format!(
        "GET {} HTTP/1.1\r\nAuthorization: Bearer {}\r\nConnection: close\r\n{headers}\r\n",
        path::VERIFY,
        place.host.api_key().reveal()
    )
}

#[tokio::test]
async fn s1_a_missing_or_wrong_key_is_401_with_detail_alone() {
    let place = Place::new().await;
    let right = place.host.api_key().reveal().to_owned();
    let wrong = [
        None,
        Some(String::new()),
        Some("Bearer".to_owned()),
        Some("Bearer wrong".to_owned()),
        Some(format!("Basic {right}")),
        Some(format!("Bearer {}", &right[1..])),
        Some(format!("Bearer {right}x")),
        Some(format!("Bearer {}", right.to_uppercase())),
    ];
    for header in wrong {
        for path in [
            path::START,
            path::VERIFY,
            path::WS_START,
            "/api/v1/external/sessions/x/usage",
        ] {
            let mut request = place.http.post(place.url(path));
            if let Some(header) = &header {
                request = request.header("authorization", header);
            }
            let answer = request.body("{}").send().await.unwrap();
            assert_eq!(answer.status(), 401, "{header:?} {path}");
            let body: Value = answer.json().await.unwrap();
            let body = body.as_object().unwrap();
            assert_eq!(body.keys().collect::<Vec<_>>(), ["detail"]);
            assert!(
                body["detail"].is_string() && !body["detail"].as_str().unwrap().contains(&right)
            );
        }
    }
}

#[tokio::test]
async fn a_host_header_that_is_not_ours_is_turned_away() {
    let place = Place::new().await;
    let port = port(&place);
    for good in [
        format!("Host: 127.0.0.1:{port}\r\n"),
        format!("Host: localhost:{port}\r\n"),
        format!("host: LOCALHOST:{port}\r\n"),
    ] {
        assert_eq!(raw(&place, &verify(&place, &good)).await, 200, "{good}");
    }
    let bad = [
        String::new(),
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1:{}\r\n", port.wrapping_add(1)),
        format!("Host: 127.0.0.1:{port}.evil.example\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"),
        format!("Host: [::1]:{port}\r\n"),
    ];
    for bad in bad {
        let status = raw(&place, &verify(&place, &bad)).await;
        assert!(matches!(status, 400 | 421), "{bad} {status}");
    }
    let absolute = format!(
        "GET http://evil.example{} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n",
        path::VERIFY
    );
    assert_eq!(raw(&place, &absolute).await, 421);
}

#[tokio::test]
async fn an_origin_must_be_listed_before_anything_else_is_looked_at() {
    let (mut options, _) = options(Limits::default());
    options.origins = vec!["https://app.example".to_owned()];
    let host = Host::start(options).await.unwrap();
    let http = client();
    let ask = async |path: &str, origin: &str| {
        let request = http
            .get(format!("{}{path}", host.base_url()))
            .bearer_auth(host.api_key().reveal());
        request
            .header("origin", origin)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(ask(path::VERIFY, "https://app.example").await, 200);
    for origin in [
        "https://evil.example",
        "null",
        "https://app.example.evil",
        "http://app.example",
        "",
    ] {
        assert_eq!(ask(path::VERIFY, origin).await, 403, "{origin}");
        assert_eq!(ask("/rtc/v1?access_token=x", origin).await, 403, "{origin}");
        assert_eq!(ask("/nowhere", origin).await, 403, "{origin}");
    }
    let first = async |origin: &str| {
        let request = http.request(
            reqwest::Method::OPTIONS,
            format!("{}{}", host.base_url(), path::START),
        );
        let request = request
            .header("access-control-request-method", "POST")
            .header("origin", origin);
        request.send().await.unwrap()
    };
    let permission = first("https://app.example").await;
    assert_eq!(
        (
            permission.status().as_u16(),
            permission.headers()["access-control-allow-origin"].as_bytes()
        ),
        (204, &b"https://app.example"[..])
    );
    let refusal = first("https://evil.example").await;
    assert_eq!(
        (
            refusal.status().as_u16(),
            refusal.headers().get("access-control-allow-origin")
        ),
        (403, None)
    );
    host.shutdown().await;
}

#[tokio::test]
async fn heads_and_bodies_are_capped() {
    let place = Place::new().await;
    let host = format!("Host: 127.0.0.1:{}\r\n", port(&place));
    let many: String = (0..80).map(|n| format!("X-{n}: 1\r\n")).collect();
    assert_eq!(
        raw(&place, &verify(&place, &format!("{host}{many}"))).await,
        431
    );
    let long = format!("{host}X-Long: {}\r\n", "a".repeat(20_000));
    assert_eq!(raw(&place, &verify(&place, &long)).await, 431);
    let uri = format!(
        "GET {}?{} HTTP/1.1\r\n{host}Connection: close\r\n\r\n",
        path::VERIFY,
        "a".repeat(5_000)
    );
    assert_eq!(raw(&place, &uri).await, 414);
    let endless = format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(300_000));
    assert!(matches!(raw(&place, &endless).await, 0 | 414 | 431));

    let body = start_body(json!({ "instructions": "a".repeat(1 << 20) }), json!({}));
    let (status, answer) = place.post_start(&body).await;
    assert_eq!(
        (status, answer["error"]["code"].as_str()),
        (413, Some("body_too_large"))
    );
    assert_eq!(place.host.active_sessions(), 0);
}

#[tokio::test]
async fn a_slow_head_and_a_slow_body_are_cut_off_and_others_are_served_meanwhile() {
    let limits = Limits {
        request: Duration::from_millis(300),
        connections: 4,
        ..Limits::default()
    };
    let place = Place::with(limits).await;
    let mut slow = Vec::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(("127.0.0.1", port(&place)))
            .await
            .unwrap();
        stream
            .write_all(b"POST /api HTTP/1.1\r\nHost:")
            .await
            .unwrap();
        slow.push(stream);
    }
    assert_eq!(place.get(path::VERIFY).await.0, 200);
    for mut stream in slow {
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer))
            .await
            .expect("it was not cut off");
    }
    let body = format!(
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n{{",
        path::START,
        port(&place),
        place.host.api_key().reveal()
    );
    assert_eq!(raw(&place, &body).await, 408);
}

#[tokio::test]
async fn one_connection_too_many_is_closed_and_the_next_is_served() {
    let place = Place::with(Limits {
        connections: 2,
        ..Limits::default()
    })
    .await;
    let address = ("127.0.0.1", port(&place));
    let first = TcpStream::connect(address).await.unwrap();
    let second = TcpStream::connect(address).await.unwrap();
    let mut third = TcpStream::connect(address).await.unwrap();
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE, third.read_to_end(&mut answer))
        .await
        .expect("it was not closed");
    assert!(read.is_err() || answer.is_empty());
    drop((first, second));
    let until = Instant::now() + PATIENCE;
    let host = format!("Host: 127.0.0.1:{}\r\n", port(&place));
    while raw(&place, &verify(&place, &host)).await != 200 {
        assert!(Instant::now() < until, "no place became free");
    }
}

#[tokio::test]
async fn every_malformed_start_is_refused_with_its_status_and_slug_and_opens_nothing() {
    let place = Place::new().await;
    let tool = |name: &str, parameters: Value| json!({ "tools": [{ "kind": "client", "name": name, "description": "Does it.", "parameters": parameters }] });
    let object = || json!({ "type": "object" });
    let rows = [
        (
            start_body(json!({ "unheard_of": 1 }), json!({})),
            422,
            "validation_error",
        ),
        (
            start_body(json!({ "voice": { "pitch": 1 } }), json!({})),
            422,
            "validation_error",
        ),
        (
            start_body(
                json!({ "tools": [{ "kind": "detect_objects", "more": 1 }] }),
                json!({}),
            ),
            422,
            "validation_error",
        ),
        (
            start_body(json!({ "instructions": 5 }), json!({})),
            422,
            "validation_error",
        ),
        (
            start_body(json!({ "greeting": "g".repeat(4001) }), json!({})),
            422,
            "validation_error",
        ),
        (
            start_body(json!({}), json!({ "max_session_seconds": 59 })),
            422,
            "validation_error",
        ),
        (
            start_body(json!({ "type": "other" }), json!({})),
            422,
            "validation_error",
        ),
        (json!({ "type": "session-config" }), 422, "validation_error"),
        (json!([]), 422, "validation_error"),
        (
            start_body(
                json!({ "tools": [{ "kind": "server", "name": "x" }] }),
                json!({}),
            ),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(
                json!({ "tools": [{ "kind": "catalog", "name": "x" }] }),
                json!({}),
            ),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(tool("cosmo_mine", object()), json!({})),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(tool("mine", json!({ "type": "array" })), json!({})),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(
                json!({ "tools": [common::client_tool("twice"), common::client_tool("twice")] }),
                json!({}),
            ),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(json!({ "model": "gpt-unknown" }), json!({})),
            422,
            "model_unavailable",
        ),
        (
            start_body(json!({ "model": { "provider": "gemini" } }), json!({})),
            422,
            "model_unavailable",
        ),
        (
            start_body(json!({ "type": "catalog", "name": "desk" }), json!({})),
            404,
            "agent_not_found",
        ),
        (
            start_body(
                json!({}),
                json!({ "experimental": { "resume_session_id": "2b0c6a8e-0d56-4a0f-9f0a-3f6f2a7d1c11" } }),
            ),
            422,
            "resume_unavailable",
        ),
        (
            start_body(
                json!({}),
                json!({ "experimental": { "avatar": { "provider": "tavus", "face_id": "f" } } }),
            ),
            422,
            "avatar_unavailable",
        ),
    ];
    for (body, status, slug) in rows {
        let (got, answer) = place.post_start(&body).await;
        let error = &answer["error"];
        let code = error["code"].as_str().or(error["type"].as_str());
        assert_eq!((got, code), (status, Some(slug)), "{body} {answer}");
        assert!(
            error["message"].is_string(),
            "S2: the message is text: {answer}"
        );
    }
    for garbage in ["", "{", "nonsense", "{}{}", "\u{0}"] {
        let answer = place
            .http
            .post(place.url(path::START))
            .bearer_auth(place.host.api_key().reveal())
            .body(garbage)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 400, "{garbage:?}");
        assert_eq!(
            answer.json::<Value>().await.unwrap()["error"]["type"],
            "validation_error"
        );
    }
    assert_eq!(place.host.active_sessions(), 0);
}

#[tokio::test]
async fn start_bodies_of_the_golden_data_are_understood() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/session_config.json"
    ))
    .unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let place = Place::with(Limits {
        sessions: 1000,
        ..Limits::default()
    })
    .await;
    let mut seen = 0;
    for case in &cases {
        let Some(body) = case["expect"]
            .get("body")
            .or_else(|| case["expect"].get("wire"))
            .and_then(Value::as_object)
        else {
            continue;
        };
        let mut body = body.clone();
        body.insert("sdk".to_owned(), json!({ "name": "test", "version": "1" }));
        let text = Value::Object(body.clone()).to_string();
        if text.contains("$repeat") {
            continue;
        }
        seen += 1;
        let (status, answer) = place.post_start(&Value::Object(body)).await;
        let refusal = answer["error"]["code"].as_str().unwrap_or_default();
        let not_here = [
            "model_unavailable",
            "agent_not_found",
            "resume_unavailable",
            "avatar_unavailable",
        ];
        let checked_by_servers = ["invalid_tool_config", "turn_detection_knob_mismatch"];
        assert!(
            status == 200 || not_here.contains(&refusal) || checked_by_servers.contains(&refusal),
            "{}: {status} {answer}",
            case["name"]
        );
    }
    assert!(seen > 20, "only {seen} bodies were found");
}

#[tokio::test]
async fn s8_s9_s11_what_is_not_offered_is_answered_as_the_protocol_says() {
    let place = Place::new().await;
    let key = place.host.api_key().reveal();
    let post = async |path: &str, body: Value| {
        let answer = place
            .http
            .post(place.url(path))
            .bearer_auth(key)
            .json(&body)
            .send()
            .await
            .unwrap();
        (
            answer.status().as_u16(),
            answer.json::<Value>().await.unwrap(),
        )
    };
    assert_eq!(
        post(path::WS_START, start_body(json!({}), json!({})))
            .await
            .0,
        404
    );
    assert_eq!(post(path::PREPARE_ROOM, json!({})).await.0, 404);
    assert_eq!(
        post(path::MINT, json!({ "external_user_id": "u" })).await.0,
        404
    );

    let number = json!({ "phone_number": "+14155550199" });
    let slug = |answer: &Value| answer["error"]["code"].as_str().unwrap().to_owned();
    let (status, answer) = post(&path::dial("nobody"), number.clone()).await;
    assert_eq!(
        (status, slug(&answer)),
        (404, "session_not_found".to_owned())
    );
    let started = place.start(json!({})).await;
    let (status, answer) = post(&path::dial(&started.id), number.clone()).await;
    assert_eq!(
        (status, slug(&answer)),
        (403, "phone_calls_disabled".to_owned())
    );
    let (status, answer) = post(&path::dial(&started.id), json!({ "phone_number": "12" })).await;
    assert_eq!((status, slug(&answer)), (400, "invalid_request".to_owned()));
    let mut client = started.join(&[]).await.unwrap();
    client.send(json!({ "type": "end" })).await;
    client.end().await;
    place.until_none_is_active().await;
    let (status, answer) = post(&path::dial(&started.id), number).await;
    assert_eq!(
        (status, slug(&answer)),
        (409, "session_not_live".to_owned())
    );
}

#[tokio::test]
async fn verify_and_usage_have_the_required_members() {
    let place = Place::new().await;
    let (_, answer) = place.get(path::VERIFY).await;
    let verified = VerifyAnswer::parse(answer.to_string().as_bytes()).unwrap();
    assert!(
        verified.can_start_sessions
            && verified.credential == "api_key"
            && verified.workspace.is_some()
    );
    assert_eq!(place.get(&path::usage("nobody")).await.0, 404);
    let started = place.start(json!({})).await;
    let (status, answer) = place.get(&path::usage(&started.id)).await;
    let usage = UsageAnswer::parse(answer.to_string().as_bytes()).unwrap();
    assert_eq!(
        (status, usage.status.as_str(), usage.usage_status.as_str()),
        (200, "active", "unavailable")
    );
    assert_eq!(usage.tokens, None, "nothing is invented");
}

#[tokio::test]
async fn sessions_are_listed_newest_first_and_can_be_deleted() {
    let place = Place::new().await;
    let first = place.start(json!({})).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let second = place.start(json!({})).await;
    let (_, list) = place.get("/api/v1/external/sessions?limit=1").await;
    assert_eq!(
        (list.as_array().unwrap().len(), list[0]["id"].as_str()),
        (1, Some(second.id.as_str()))
    );
    assert_eq!(list[0]["status"], "active");
    for wrong in ["limit=0", "limit=101", "limit=x", "before_started_at=NaN"] {
        assert_eq!(
            place
                .get(&format!("/api/v1/external/sessions?{wrong}"))
                .await
                .0,
            400,
            "{wrong}"
        );
    }
    let one = format!("/api/v1/external/sessions/{}", first.id);
    let deleted = place
        .http
        .delete(place.url(&one))
        .bearer_auth(place.host.api_key().reveal())
        .send()
        .await
        .unwrap();
    assert_eq!(deleted.status(), 204);
    let until = Instant::now() + PATIENCE;
    while place.get(&one).await.0 != 404 {
        assert!(Instant::now() < until, "it is still there");
    }
}

#[tokio::test]
async fn unknown_paths_and_methods_are_refused_in_the_envelope() {
    let place = Place::new().await;
    let (status, answer) = place.get("/api/v1/external/realtime/session/start").await;
    assert_eq!(
        (status, answer["error"]["type"].as_str()),
        (405, Some("api_error"))
    );
    let (status, answer) = place.get("/api/v2/whatever").await;
    assert_eq!(
        (status, answer["error"]["code"].as_str()),
        (404, Some("not_found"))
    );
}

#[tokio::test]
async fn a_join_token_lets_one_client_in_once() {
    let place = Place::new().await;
    let started = place.start(json!({})).await;
    let validate = async |token: &str| {
        let answer = place
            .http
            .get(place.url(&format!("/rtc/v1/validate?access_token={token}")))
            .send()
            .await
            .unwrap();
        answer.status().as_u16()
    };
    assert_eq!(validate(started.token.reveal()).await, 200);
    assert_eq!(
        validate(started.token.reveal()).await,
        200,
        "asking spends nothing"
    );
    let mut inside = started.join(&[]).await.unwrap();
    inside.ready().await;
    assert_eq!(validate(started.token.reveal()).await, 403);
    let again = started
        .join(&[])
        .await
        .err()
        .expect("a token was used twice");
    assert!(!format!("{again} {again:?}").contains(started.token.reveal()));
    assert_eq!(
        inside.ask("say still here").await,
        "still here",
        "a replay disturbs nobody"
    );
    inside.room.leave().await;
    place.until_none_is_active().await;
    assert!(
        started.join(&[]).await.is_err(),
        "a token outlives its session by nothing"
    );
    assert_eq!(validate(started.token.reveal()).await, 403);
}

#[tokio::test]
async fn foreign_expired_and_bent_tokens_open_nothing() {
    let place = Place::with(Limits {
        token: Duration::from_secs(1),
        ..Limits::default()
    })
    .await;
    let other = Place::new().await;
    let started = place.start(json!({})).await;
    let foreign = other.start(json!({})).await;
    let parts: Vec<&str> = started.token.reveal().split('.').collect();
    // {"alg":"none"} and the claims of a good token.
    let unsigned = format!("eyJhbGciOiJub25lIn0.{}.", parts[1]);
    let bent = format!("{}.{}.{}", parts[0], parts[1], &parts[2][1..]);
    for token in [
        foreign.token.reveal(),
        &unsigned,
        &bent,
        "",
        "x",
        &"a".repeat(5000),
    ] {
        let answer = place
            .http
            .get(place.url(&format!("/rtc/v1?access_token={token}")))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 401, "{token:.40}");
    }
    assert_eq!(
        place
            .http
            .get(place.url("/rtc/v1"))
            .send()
            .await
            .unwrap()
            .status(),
        401
    );
    assert_eq!(
        place
            .http
            .get(place.url("/rtc?access_token=x"))
            .send()
            .await
            .unwrap()
            .status(),
        404
    );
    tokio::time::sleep(Duration::from_millis(2100)).await;
    let answer = place
        .http
        .get(place.url("/rtc/v1/validate"))
        .bearer_auth(started.token.reveal())
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 401);
    assert!(answer.text().await.unwrap().contains("expired"));
    let refused: Result<_, JoinError> = started.join(&[]).await;
    assert!(refused.is_err());
}

#[tokio::test]
async fn a_given_key_must_be_usable_and_a_used_port_is_named() {
    let refused = Host::start(HostOptions {
        api_key: Some(Secret::new("short")),
        ..HostOptions::default()
    })
    .await;
    assert!(refused.is_err_and(|error| error.to_string().contains("API key")));
    let place = Place::new().await;
    let port = port(&place);
    let refused = Host::start(HostOptions {
        port,
        ..HostOptions::default()
    })
    .await;
    assert!(refused.is_err_and(|error| error.to_string().contains(&port.to_string())));
}

//! What the door turns away before it looks at a request: keys, hosts, origins, sizes, slowness.

use std::time::{Duration, Instant};

use alidade_host::{Host, HostOptions, Limits, Secret};
use alidade_wire::rest::path;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::common::{PATIENCE, Place, client, options, start_body};

/// Sends bytes as they are and reads the status of the answer; 0 where the connection just closed.
async fn raw(place: &Place, request: &str) -> u16 {
    let mut stream = TcpStream::connect(("127.0.0.1", place.port()))
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
    let port = place.port();
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
    let host = format!("Host: 127.0.0.1:{}\r\n", place.port());
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
        request: Duration::from_secs(2),
        connections: 8,
        ..Limits::default()
    };
    let place = Place::with(limits).await;
    let mut slow = Vec::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(("127.0.0.1", place.port()))
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
        place.port(),
        place.host.api_key().reveal()
    );
    assert_eq!(raw(&place, &body).await, 408);
}

/// Reads from a connection that stays open until an answer to [`verify`] is there.
async fn verified(stream: &mut TcpStream) {
    let mut answer = Vec::new();
    while !String::from_utf8_lossy(&answer).contains("can_start_sessions") {
        let read = tokio::time::timeout(PATIENCE, stream.read_buf(&mut answer))
            .await
            .expect("no answer");
        assert!(read.unwrap() > 0, "{}", String::from_utf8_lossy(&answer));
    }
}

/// Whether the other side closes this connection; waits for it.
async fn closes(stream: &mut TcpStream) -> bool {
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer))
        .await
        .expect("it was not closed");
    read.is_err() || answer.is_empty()
}

#[tokio::test]
async fn connections_that_ask_nothing_keep_nobody_out_and_the_oldest_goes_first() {
    let place = Place::with(Limits {
        connections: 4,
        request: PATIENCE,
        ..Limits::default()
    })
    .await;
    let address = ("127.0.0.1", place.port());
    let host = format!("Host: 127.0.0.1:{}\r\n", place.port());
    let mut known = TcpStream::connect(address).await.unwrap();
    let lasting = verify(&place, &host).replace("Connection: close\r\n", "");
    known.write_all(lasting.as_bytes()).await.unwrap();
    verified(&mut known).await;
    let mut strangers = Vec::new();
    for number in 0..40 {
        let mut stranger = TcpStream::connect(address).await.unwrap();
        if number % 2 == 0 {
            // It may be closed already.
            let _ = stranger.write_all(b"GET / HTTP/1.1\r\n").await;
        }
        strangers.push(stranger);
    }
    assert_eq!(raw(&place, &verify(&place, &host)).await, 200);
    for stranger in &mut strangers[..30] {
        assert!(closes(stranger).await);
    }
    // Who showed the key stays.
    known.write_all(lasting.as_bytes()).await.unwrap();
    verified(&mut known).await;
    // The newest still may ask.
    let newest = strangers.last_mut().unwrap();
    newest.write_all(lasting.as_bytes()).await.unwrap();
    verified(newest).await;
}

#[tokio::test]
async fn one_connection_too_many_is_closed_where_all_have_shown_the_key_and_the_next_is_served() {
    let place = Place::with(Limits {
        connections: 2,
        request: PATIENCE,
        ..Limits::default()
    })
    .await;
    let address = ("127.0.0.1", place.port());
    let host = format!("Host: 127.0.0.1:{}\r\n", place.port());
    let lasting = verify(&place, &host).replace("Connection: close\r\n", "");
    let mut known = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(lasting.as_bytes()).await.unwrap();
        verified(&mut stream).await;
        known.push(stream);
    }
    let mut third = TcpStream::connect(address).await.unwrap();
    assert!(closes(&mut third).await);
    for stream in &mut known {
        stream.write_all(lasting.as_bytes()).await.unwrap();
        verified(stream).await;
    }
    drop(known);
    let until = Instant::now() + PATIENCE;
    while raw(&place, &verify(&place, &host)).await != 200 {
        assert!(Instant::now() < until, "no place became free");
    }
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
    let port = place.port();
    let refused = Host::start(HostOptions {
        port,
        ..HostOptions::default()
    })
    .await;
    assert!(refused.is_err_and(|error| error.to_string().contains(&port.to_string())));
}

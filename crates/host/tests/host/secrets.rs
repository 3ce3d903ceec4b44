//! Keys and tokens reach no log, whatever happens to them: neither ours nor that of a library below.
//!
//! A log is of the whole process. Where other tests run in it, they are in the log as well; none of them
//! says what this one looks for.

use std::sync::Mutex;

use alidade_host::{Host, Limits, Secret};
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

use crate::common::{self, Place, client_tool, options};

/// What was logged.
static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

#[tokio::test]
async fn no_key_no_token_and_nothing_people_say_is_ever_logged() {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(|| LOG.make_writer())
        .init();

    let (mut options, eyes) = options(Limits::default());
    options.api_key = Some(Secret::new("canary-key-0123456789"));
    assert!(!format!("{options:?}").contains("canary-key"));
    let host = Host::start(options).await.unwrap();
    assert!(!format!("{host:?}").contains("canary-key"));
    let place = Place {
        host,
        http: common::client(),
        eyes,
    };

    let started = place
        .start(json!({ "instructions": "canary-instructions", "tools": [client_tool("lookup")] }))
        .await;
    let token = started.token.reveal().to_owned();
    let mut client = started.join(&["lookup"]).await.unwrap();
    client.ready().await;
    assert!(started.join(&[]).await.is_err());
    client.ask("say canary-said").await;
    client
        .send_text(r#"call lookup {"q":"canary-argument"}"#)
        .await;
    client.call().await.reply(Ok(alidade_wire::reply::success(
        &json!({ "a": "canary-result" }),
    )));
    client.turn().await;
    client
        .send(json!({ "type": "canary-type", "x": "canary-frame" }))
        .await;
    client.next().await;
    for path in ["/rtc/v1/validate", "/rtc/v1", "/rtc", "/nowhere"] {
        for token in [token.as_str(), "canary-bent-token"] {
            let _ = place
                .http
                .get(place.url(&format!("{path}?access_token={token}")))
                .send()
                .await
                .unwrap();
        }
    }
    let wrong = place
        .http
        .get(place.url(alidade_wire::rest::path::VERIFY))
        .bearer_auth("canary-wrong-key-000");
    assert_eq!(wrong.send().await.unwrap().status(), 401);
    client.send(json!({ "type": "end" })).await;
    client.end().await;
    place.host.shutdown().await;

    let log = String::from_utf8_lossy(&LOG.lock().unwrap()).into_owned();
    for target in [
        "alidade_host",
        "alidade_room",
        "hyper",
        "tungstenite",
        "webrtc",
    ] {
        assert!(log.contains(target), "{target} was not caught");
    }
    assert!(log.contains("the session begins"), "the log was not caught");
    // What opens something is in no line at all; what people say is in none of ours.
    let signature = token.rsplit('.').next().unwrap();
    let opens = [
        signature,
        "canary-key",
        "canary-wrong-key",
        "canary-bent-token",
    ];
    for line in log.lines() {
        assert!(!opens.iter().any(|secret| line.contains(secret)), "{line}");
        let ours = line.contains("alidade_host") || line.contains("alidade_room");
        assert!(!(ours && line.contains("canary")), "{line}");
    }
}

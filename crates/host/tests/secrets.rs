//! Keys and tokens reach no log, whatever happens to them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

mod common;

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use alidade_host::{Host, Limits, Secret};
use common::{Place, client_tool, options};
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn no_key_no_token_and_nothing_people_say_is_ever_logged() {
    let log = Log::default();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(log.clone())
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

    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    let ours: String = log
        .lines()
        .filter(|line| line.contains("alidade_host") || line.contains("alidade_room"))
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        ours.contains("the session begins"),
        "the log was not caught"
    );
    assert!(
        !ours.contains("canary"),
        "{}",
        ours.lines()
            .find(|line| line.contains("canary"))
            .unwrap_or_default()
    );
    let signature = token.rsplit('.').next().unwrap();
    // Client and server share this process and its log. What the libraries of the client's side write
    // at their lowest level is for whoever sets up a client's log to hold back.
    let of_the_client = ["tungstenite::", "reqwest::", "hyper_util::client"];
    for line in log.lines().filter(|line| line.contains(signature)) {
        assert!(
            of_the_client.iter().any(|name| line.contains(name)),
            "{line}"
        );
    }
}

//! A whole session over a bad connection.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use alidade_host::{Host, HostOptions, Limits};
use alidade_room::{DisconnectReason, TrackSource};
use alidade_wire::reply;
use serde_json::{Value, json};

use crate::common::{self, PATIENCE, Path, Place, Weather, said};

/// Losses after which the weather counts as bad.
const ENOUGH: u64 = 5;

#[tokio::test]
async fn a_session_through_loss_and_delay_loses_nothing_that_was_said() {
    let (options, eyes) = common::options(Limits {
        // A tool is answered late where its packets are repeated; that is another test's matter.
        client_tool: PATIENCE,
        ..Limits::default()
    });
    let host = Host::start(HostOptions {
        brain: None,
        ..options
    })
    .await
    .unwrap();
    let place = Place {
        host,
        http: common::client(),
        eyes,
    };
    let agent = json!({ "tools": [{ "kind": "detect_objects" }, common::client_tool("cosmo_sdk_draw_box")] });
    let started = place.start(agent).await;
    let path = Path::to(place.port(), Weather::new(30, Duration::from_millis(15))).await;
    let mut client = started
        .through(&path)
        .join(&["cosmo_sdk_draw_box"])
        .await
        .unwrap();
    client.ready().await;
    let screen = client.publish(TrackSource::ScreenShare).await;
    let showing = {
        let screen = screen.clone();
        tokio::spawn(async move {
            // A picture whose datagram was lost is made up for by the next.
            for rtp_time in (1_u32..).map(|n| n * 9_000) {
                screen.show(128, rtp_time);
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        })
    };
    let weather = Arc::clone(&path.weather);
    let until = Instant::now() + PATIENCE;
    let mut marks = 0;
    while marks < 3 || weather.lost.load(Ordering::Relaxed) < ENOUGH {
        assert!(Instant::now() < until, "{marks} marks");
        client.send_text("Where is Save?").await;
        let drawing = async {
            let call = client.calls.recv().await.unwrap();
            let args: Value = serde_json::from_str(&call.payload).unwrap();
            call.reply(Ok(reply::success(&json!({ "shown": true }))));
            args
        };
        let args = tokio::time::timeout(PATIENCE, drawing)
            .await
            .expect("no mark was drawn");
        assert_eq!(
            args["box"],
            json!({ "x": 0.25, "y": 0.5, "width": 0.1, "height": 0.2 })
        );
        assert!(
            args["frame"]
                .as_u64()
                .is_some_and(|frame| frame > 0 && frame % 9_000 == 0),
            "it names the picture: {args}"
        );
        let said = said(&client.turn().await);
        assert!(said.starts_with("Here it is: “Save at "), "{said}");
        marks += 1;
    }
    showing.abort();
    client.send(json!({ "type": "end" })).await;
    assert_eq!(client.end().await.as_deref(), Some("client_ended"));
    assert_eq!(client.closed, Some(DisconnectReason::RoomDeleted));
    place.until_none_is_active().await;
    assert!(
        weather.seen.load(Ordering::Relaxed) > weather.lost.load(Ordering::Relaxed),
        "the session went through the weather"
    );
}

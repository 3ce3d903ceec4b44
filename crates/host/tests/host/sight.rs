//! Server tools that look at pictures, and which picture they look at.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use alidade_host::Limits;
use alidade_room::TrackSource;
use alidade_wire::server::ServerFrame;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::common::{self, Client, PATIENCE, Place, result_of, said, shows};

fn eyes() -> Value {
    json!({ "tools": [{ "kind": "detect_objects" }, { "kind": "point_at_object" }, { "kind": "examine_image" }] })
}

async fn looking(place: &Place) -> Client {
    place.session(eyes(), &[]).await
}

const DETECT: &str = r#"call cosmo_detect_objects {"query":"Save"}"#;

#[tokio::test]
async fn without_a_picture_the_tools_say_what_to_do() {
    let place = Place::new().await;
    let mut client = looking(&place).await;
    for tool in [
        DETECT,
        r#"call cosmo_point_at_object {"query":"x"}"#,
        "call examine_image",
    ] {
        assert_eq!(
            client.ask(tool).await,
            "failed I cannot see anything yet; share your screen, a camera or a picture first."
        );
    }
    let unnamed = client
        .ask(r#"call cosmo_detect_objects {"query":"  "}"#)
        .await;
    assert!(unnamed.contains("query is missing"), "{unnamed}");
}

#[tokio::test]
async fn the_newest_picture_is_asked_about_and_named_by_its_rtp_time() {
    let place = Place::new().await;
    let mut client = looking(&place).await;
    let screen = client.publish(TrackSource::ScreenShare).await;
    for (grey, rtp_time) in [(40_u8, 90_000_u32), (120, 180_000), (200, u32::MAX - 5)] {
        screen.show(grey, rtp_time);
        screen.track.flush().await.unwrap();
        let found = until_shown(&mut client, DETECT, grey).await;
        assert_eq!(
            (found["frame"].as_u64(), found["source"].as_str()),
            (Some(u64::from(rtp_time)), Some("screen"))
        );
        assert_eq!(found["ambiguous"], false);
        let place = &found["found"][0];
        assert_eq!(
            place["box"],
            json!({ "x": 0.25, "y": 0.5, "width": 0.1, "height": 0.2 })
        );
        assert_eq!(
            (place["way"].as_str(), place["sure"].as_f64()),
            (Some("text"), Some(0.875))
        );
    }
    let pointed = result_of(
        &client
            .ask(r#"call cosmo_point_at_object {"query":"Save"}"#)
            .await,
    );
    assert_eq!(pointed["found"][0]["point"], json!({ "x": 0.3, "y": 0.6 }));
    assert_eq!(pointed["found"][0].get("box"), None);
    let examined = result_of(&client.ask("call examine_image").await);
    assert_eq!(examined["frame"].as_u64(), Some(u64::from(u32::MAX - 5)));
    assert!(shows(examined["text"].as_str().unwrap(), 200));
    assert_eq!(examined["objects"][0]["name"], "lamp");
    assert_eq!(examined["lines"][0]["box"]["x"], 0.1);
    let nothing = result_of(
        &client
            .ask(r#"call cosmo_detect_objects {"query":"nothing"}"#)
            .await,
    );
    assert_eq!(nothing["found"], json!([]));
}

/// Asks until the answer is about this grey: a picture and a question take two ways through the room.
async fn until_shown(client: &mut Client, question: &str, grey: u8) -> Value {
    let until = Instant::now() + PATIENCE;
    loop {
        let said = client.ask(question).await;
        if said.starts_with("ok ") {
            let result = result_of(&said);
            if result["found"][0]["label"]
                .as_str()
                .is_some_and(|label| shows(label, grey))
            {
                return result;
            }
        }
        assert!(Instant::now() < until, "{said} is not {grey}");
    }
}

#[tokio::test]
async fn a_tool_waits_for_the_first_picture_of_a_live_track() {
    let place = Place::new().await;
    let mut client = looking(&place).await;
    let camera = client.publish(TrackSource::Camera).await;
    client.send_text(DETECT).await;
    client
        .until(|frame| matches!(frame, ServerFrame::ToolDispatchStarted { .. }))
        .await;
    camera.show(77, 90_000);
    let found = result_of(&said(&client.turn().await));
    assert_eq!(
        (found["frame"].as_u64(), found["source"].as_str()),
        (Some(90_000), Some("camera"))
    );
}

#[tokio::test]
async fn a_track_without_pictures_is_waited_for_only_so_long() {
    let place = Place::with(Limits {
        picture: Duration::from_millis(100),
        ..Limits::default()
    })
    .await;
    let mut client = looking(&place).await;
    let _track = client.publish(TrackSource::Camera).await;
    let said = client.ask(DETECT).await;
    assert!(said.contains("has not arrived yet"), "{said}");
}

#[tokio::test]
async fn the_pictures_of_a_track_that_ended_are_gone_and_the_newest_track_is_asked_about() {
    let place = Place::with(Limits {
        picture: Duration::from_millis(500),
        ..Limits::default()
    })
    .await;
    let mut client = looking(&place).await;
    let camera = client.publish(TrackSource::Camera).await;
    camera.show(50, 1_000);
    assert_eq!(
        until_shown(&mut client, DETECT, 50).await["source"],
        "camera"
    );
    let screen = client.publish(TrackSource::ScreenShare).await;
    screen.show(150, 2_000);
    assert_eq!(
        until_shown(&mut client, DETECT, 150).await["source"],
        "screen"
    );
    screen.track.unpublish().await;
    assert_eq!(
        until_shown(&mut client, DETECT, 50).await["source"],
        "camera",
        "the older track still runs"
    );
    camera.track.unpublish().await;
    let until = Instant::now() + PATIENCE;
    loop {
        let said = client.ask(DETECT).await;
        if said.contains("cannot see anything") {
            break;
        }
        assert!(Instant::now() < until, "{said}");
    }
}

fn png(grey: u8) -> String {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::GrayImage::from_pixel(8, 8, image::Luma([grey]))
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    STANDARD.encode(bytes.into_inner())
}

#[tokio::test]
async fn a_still_is_what_the_next_turn_is_about_and_the_only_sight_without_a_track() {
    let place = Place::new().await;
    let mut client = looking(&place).await;
    let still = |grey: u8| json!({ "type": "send-image", "mime_type": "image/png", "data": png(grey), "stream_id": "s" });
    client.send(still(100)).await;
    let found = result_of(&client.ask(DETECT).await);
    assert_eq!(found["source"], "image");
    assert!(
        found["frame"].as_u64().unwrap() > u64::from(u32::MAX),
        "no picture of a track has that id"
    );
    assert!(shows(found["found"][0]["label"].as_str().unwrap(), 100));
    let camera = client.publish(TrackSource::Camera).await;
    camera.show(30, 1_000);
    assert_eq!(
        until_shown(&mut client, DETECT, 30).await["source"],
        "camera"
    );
    client.send(still(220)).await;
    assert!(shows(
        result_of(&client.ask(DETECT).await)["found"][0]["label"]
            .as_str()
            .unwrap(),
        220
    ));
    assert!(
        shows(
            result_of(&client.ask(DETECT).await)["found"][0]["label"]
                .as_str()
                .unwrap(),
            30
        ),
        "the live view again"
    );
    for bad in ["*", &STANDARD.encode("no picture"), ""] {
        client
            .send(json!({ "type": "send-image", "data": bad }))
            .await;
        let frame = client.next().await;
        assert!(
            matches!(&frame, Some(ServerFrame::Error { fatal: false, .. })),
            "{frame:?}"
        );
    }
}

#[tokio::test]
async fn a_search_that_runs_is_cancelled_by_the_end_and_a_panic_in_it_is_told() {
    let place = Place::new().await;
    let mut client = looking(&place).await;
    client
        .send(json!({ "type": "send-image", "data": png(9) }))
        .await;
    let said = client
        .ask(r#"call cosmo_detect_objects {"query":"panic"}"#)
        .await;
    assert!(said.starts_with("failed Something went wrong"), "{said}");
    place.eyes.stuck.store(true, Ordering::SeqCst);
    client.send_text(DETECT).await;
    client
        .until(|frame| matches!(frame, ServerFrame::ToolDispatchStarted { .. }))
        .await;
    // The search begins a moment after it was announced; the end may come before or after that.
    client.send(json!({ "type": "end" })).await;
    client.end().await;
    place.until_none_is_active().await;
    let shut = tokio::time::timeout(PATIENCE, place.host.shutdown()).await;
    assert!(shut.is_ok());
}

#[tokio::test]
async fn a_screen_that_stands_still_is_read_once_before_anybody_asks_and_a_camera_is_not() {
    let place = Place::with(Limits {
        read_ahead: Some(Duration::from_millis(100)),
        ..Limits::default()
    })
    .await;
    let client = looking(&place).await;
    let camera = client.publish(TrackSource::Camera).await;
    camera.show(10, 500);
    let screen = client.publish(TrackSource::ScreenShare).await;
    let until = Instant::now() + PATIENCE;
    let mut rtp_time = 1_000;
    while place.eyes.reads.load(Ordering::SeqCst) == 0 {
        screen.show(60, rtp_time);
        rtp_time += 4_500;
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(Instant::now() < until, "it was not read");
    }
    for _ in 0..10 {
        screen.show(60, rtp_time);
        rtp_time += 4_500;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(
        place.eyes.reads.load(Ordering::SeqCst),
        1,
        "the same screen is not read twice"
    );
}

#[tokio::test]
async fn without_a_locator_the_looking_tools_are_rejected_and_named() {
    let (mut options, _) = common::options(Limits::default());
    options.locator = None;
    let host = alidade_host::Host::start(options).await.unwrap();
    let place = Place {
        host,
        http: common::client(),
        eyes: std::sync::Arc::default(),
    };
    let mut client = place.start(eyes()).await.join(&[]).await.unwrap();
    let ready = client.ready().await;
    let names: Vec<_> = ready
        .rejected_tools
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["detect_objects", "point_at_object", "examine_image"]
    );
    assert!(
        client
            .ask(DETECT)
            .await
            .starts_with("failed There is no tool")
    );
}

//! Voices in a session that does not hear.

use alidade_wire::server::ServerFrame;
use serde_json::json;

use crate::common::{Client, Path, Place};

/// `add_track` (4): a cid, a name, of type audio, from a microphone.
const MICROPHONE: &[u8] = b"\x22\x0c\x0a\x03cid\x12\x03mic\x40\x02";

/// The name of that track in the answer, with its length before it.
const MICROPHONE_IS_THERE: &[u8] = b"\x03mic";

async fn speaking(place: &Place, before: bool) -> (Client, Path) {
    let started = place.start(json!({})).await;
    let path = place.path().await;
    let mut client = started.through(&path).join(&[]).await.unwrap();
    client.ready().await;
    client
        .send(json!({ "type": "mute", "muted": before }))
        .await;
    // Frames are handled in order: the gate is set once this is answered.
    client.send(json!({ "type": "ping" })).await;
    client.until(|frame| *frame == ServerFrame::Pong).await;
    path.say(MICROPHONE);
    path.heard(MICROPHONE_IS_THERE).await;
    (client, path)
}

/// The codes of the errors up to the answer to a turn.
async fn errors(client: &mut Client) -> Vec<String> {
    client.send_text("say on").await;
    let frames = client.turn().await;
    frames
        .into_iter()
        .filter_map(|frame| match frame {
            ServerFrame::Error { code, fatal, .. } => {
                assert!(!fatal, "a session goes on without a voice");
                Some(code)
            }
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn who_speaks_before_an_open_gate_is_told_once_that_nobody_hears() {
    let place = Place::new().await;
    let (mut client, _path) = speaking(&place, false).await;
    match client.next().await {
        Some(ServerFrame::Error {
            code,
            message,
            fatal: false,
        }) => assert_eq!(
            (code.as_str(), message.as_str()),
            (
                "voice_disabled",
                "This backend does not hear; type what you want to ask."
            )
        ),
        other => panic!("{other:?}"),
    }
    // R39: what a client sends after it published a voice.
    client.send(json!({ "type": "bind-input" })).await;
    client.send(json!({ "type": "mute", "muted": false })).await;
    assert!(errors(&mut client).await.is_empty(), "it was told");
}

#[tokio::test]
async fn a_closed_gate_says_nothing_until_it_opens() {
    let place = Place::new().await;
    let (mut client, _path) = speaking(&place, true).await;
    assert!(errors(&mut client).await.is_empty());
    client.send(json!({ "type": "bind-input" })).await;
    assert!(
        errors(&mut client).await.is_empty(),
        "binding opens no gate"
    );
    client.send(json!({ "type": "mute", "muted": false })).await;
    assert_eq!(errors(&mut client).await, ["voice_disabled"]);
}

#[tokio::test]
async fn typed_text_and_silence_go_their_way_whatever_the_gate() {
    let place = Place::new().await;
    let mut client = place.session(json!({}), &[]).await;
    for muted in [true, false] {
        client.send(json!({ "type": "mute", "muted": muted })).await;
        assert!(errors(&mut client).await.is_empty(), "nobody speaks");
    }
}

//! What happens in the page: a question, a mark in its place, text that stays text, and nothing else.

use std::time::Duration;

use serde_json::json;
use tokio::process::Command;

use crate::harness::{Window, file};

/// The picture settings.png and the Cancel button in it, in the picture's pixels.
const PICTURE: (f64, f64) = (1280.0, 800.0);
const CANCEL: [f64; 4] = [880.0, 672.0, 110.0, 36.0];

/// Whether a pixel has the accent of the newest mark.
fn is_brass(pixel: &[u8]) -> bool {
    let [red, green, blue] = [0, 1, 2].map(|i| i32::from(pixel[i]));
    red > 170 && red - blue > 80 && red - green > 25 && green - blue > 30
}

#[tokio::test]
#[ignore = "needs a display: tests/desktop/run"]
async fn a_question_ends_as_a_mark_painted_where_the_thing_is() {
    let window = Window::open(&[file("settings.png")]).await;
    window.picture().await;
    window.ask("Where is the Cancel button?").await;
    window.answered("Cancel").await;
    window
        .until(
            "a mark",
            "return document.querySelectorAll('svg .mark').length === 1 ? true : null",
        )
        .await;
    // Motion lasts 150 ms at most.
    tokio::time::sleep(Duration::from_millis(400)).await;
    let place = window
        .until(
            "where the view is",
            "const r = document.querySelector('canvas').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]",
        )
        .await;
    let view: Vec<f64> = place
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_f64().unwrap())
        .collect();
    // The picture lies whole and centred in the view.
    let scale = (view[2] / PICTURE.0).min(view[3] / PICTURE.1);
    let left = view[0] + (view[2] - PICTURE.0 * scale) / 2.0;
    let top = view[1] + (view[3] - PICTURE.1 * scale) / 2.0;
    let [x, y, width, height] = CANCEL;
    let (from_x, to_x) = (left + x * scale, left + (x + width) * scale);
    let (from_y, to_y) = (top + y * scale, top + (y + height) * scale);

    let shot = window.screenshot().await;
    let (columns, rgb) = (shot.size().width as usize, shot.rgb());
    let at = |x: f64, y: f64| &rgb[(y as usize * columns + x as usize) * 3..][..3];
    let middle = ((from_x + to_x) / 2.0, (from_y + to_y) / 2.0);
    assert!(
        !is_brass(at(middle.0, middle.1)),
        "the thing itself is free"
    );
    // From the middle of the thing outwards, the outline is crossed near its edge on every side.
    let near = 16.0;
    let crosses = |dx: f64, dy: f64, edge: f64| {
        let mut away = 0.0;
        while away < edge + near {
            if is_brass(at(middle.0 + dx * away, middle.1 + dy * away)) {
                return true;
            }
            away += 0.5;
        }
        false
    };
    let (aside, up) = ((to_x - from_x) / 2.0, (to_y - from_y) / 2.0);
    for (dx, dy, edge) in [
        (-1.0, 0.0, aside),
        (1.0, 0.0, aside),
        (0.0, -1.0, up),
        (0.0, 1.0, up),
    ] {
        assert!(crosses(dx, dy, edge), "no outline towards {dx}, {dy}");
    }
    if let Some(out) = std::env::var_os("ALIDADE_SCREENSHOT") {
        std::fs::write(out, window.client.screenshot().await.unwrap()).unwrap();
    }

    // The page may be loaded anew at any time: it shows what was there.
    window.client.refresh().await.unwrap();
    window.picture().await;
    window.answered("Where is the Cancel button?").await;
    window.answered("found").await;
    window.close().await;
}

#[tokio::test]
#[ignore = "needs a display: tests/desktop/run"]
async fn a_file_that_cannot_be_shown_is_a_sentence_in_the_window() {
    let window = Window::open(&["/nowhere/shot.png".into()]).await;
    let script = "return document.body.innerText.includes('shot.png') ? true : null";
    window.until("a sentence", script).await;
    window.close().await;
}

#[tokio::test]
#[ignore = "needs a display: tests/desktop/run"]
async fn what_people_and_models_write_is_only_text() {
    let window = Window::open(&[file("settings.png")]).await;
    window.picture().await;
    let hostile = "<img src=x onerror=document.title='pwned'><b>where is</b> Save?";
    window.ask(hostile).await;
    window.answered(hostile).await;
    let made = "return document.querySelectorAll('[role=log] img, [role=log] b').length";
    assert_eq!(window.until("a count", made).await, json!(0));
    assert_ne!(window.client.title().await.unwrap(), "pwned");
    window.close().await;
}

#[tokio::test]
#[ignore = "needs a display: tests/desktop/run"]
async fn the_page_may_do_nothing_but_what_it_was_granted() {
    let window = Window::open(&[]).await;
    window
        .until(
            "the page",
            "return document.querySelector('textarea') ? true : null",
        )
        .await;
    let client = &window.client;
    // Scripts that are injected into the page do not run, and nothing remote is loaded.
    let injected = "const s = document.createElement('script'); s.textContent = 'document.title = \"injected\"'; \
                    document.head.append(s); return document.title";
    assert_ne!(
        client.execute(injected, vec![]).await.unwrap(),
        json!("injected")
    );
    let remote = "const done = arguments[arguments.length - 1]; \
                  fetch('https://example.com/').then(() => done('loaded'), () => done('refused'))";
    assert_eq!(
        client.execute_async(remote, vec![]).await.unwrap(),
        json!("refused")
    );
    assert_eq!(
        client
            .execute("return typeof window.__TAURI__", vec![])
            .await
            .unwrap(),
        json!("undefined")
    );
    // Commands that were not granted are refused, whoever asks.
    for command in [
        "plugin:window|close",
        "plugin:webview|create_webview_window",
        "plugin:app|version",
    ] {
        let script = "const done = arguments[arguments.length - 1]; \
                      window.__TAURI_INTERNALS__.invoke(arguments[0]).then(() => done('done'), (e) => done(String(e)))";
        let answer = client
            .execute_async(script, vec![json!(command)])
            .await
            .unwrap();
        assert!(
            answer.as_str().unwrap().contains("not allowed"),
            "{command}: {answer}"
        );
    }
    window.close().await;
}

#[tokio::test]
#[ignore = "needs a display: tests/desktop/run"]
async fn the_marked_picture_is_copied_and_a_picture_is_pasted() {
    let window = Window::open(&[file("settings.png")]).await;
    window.picture().await;
    window.ask("Where is the Cancel button?").await;
    window.only_mark().await;
    window.press("Copy the marked picture").await;
    window
        .until(
            "that it was copied",
            "return document.body.innerText.includes('Copied') ? true : null",
        )
        .await;
    let named = |there: bool| {
        format!(
            "return document.querySelector('header').innerText.includes('settings.png') === {there} ? true : null"
        )
    };
    window.until("the picture's name", &named(true)).await;
    // A real key: what a script sends is not let near the clipboard.
    let pasted = Command::new("xdotool")
        .args([
            "search",
            "--onlyvisible",
            "--name",
            "^Alidade$",
            "windowfocus",
            "--sync",
            "key",
            "ctrl+v",
        ])
        .status()
        .await
        .unwrap();
    assert!(pasted.success());
    window.until("another picture", &named(false)).await;
    window.picture().await;
    // The marks were painted on it, so the answer reads them no worse than before.
    window.ask("Where is Save?").await;
    window.only_mark().await;
    window.close().await;
}

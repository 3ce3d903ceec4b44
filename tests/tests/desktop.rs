//! The real program in its real web view, driven as a person would: `tests/desktop/run` gives it a screen.
//!
//! Needs a display, a web driver and the built program, so it is left out of a plain test run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use alidade_picture::{DecodeLimits, Picture, PictureId};
use fantoccini::{Client, ClientBuilder, Locator, error::CmdError, key::Key};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

const LONG: Duration = Duration::from_secs(90);

/// The window's view of the picture settings.png and the Cancel button in it, in the picture's pixels.
const PICTURE: (f64, f64) = (1280.0, 800.0);
const CANCEL: [f64; 4] = [880.0, 672.0, 110.0, 36.0];

fn file(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "pictures", name]
        .iter()
        .collect();
    path.to_str().unwrap().to_owned()
}

/// A running program and the driver that moves it.
struct Window {
    client: Client,
    _driver: Child,
}

impl Window {
    async fn open(arguments: &[String]) -> Self {
        let program = std::env::var("ALIDADE_WINDOW").expect("tests/desktop/run sets this");
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let driver = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("WebKitWebDriver; Debian has it in webkit2gtk-driver");
        let wanted = json!({
            "webkitgtk:browserOptions": {"binary": program, "args": arguments},
        });
        let Value::Object(wanted) = wanted else {
            unreachable!()
        };
        let begun = Instant::now();
        let client = loop {
            let tried =
                ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
                    .capabilities(wanted.clone())
                    .connect(&format!("http://127.0.0.1:{port}"))
                    .await;
            match tried {
                Ok(client) => break client,
                Err(error) if begun.elapsed() > LONG => panic!("no window: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        };
        Self {
            client,
            _driver: driver,
        }
    }

    async fn close(self) {
        self.client.close().await.unwrap();
    }

    /// What a script answers, once that is not null.
    async fn until(&self, what: &str, script: &str) -> Value {
        let begun = Instant::now();
        loop {
            let answer = self.client.execute(script, vec![]).await;
            match answer {
                Ok(Value::Null) | Err(CmdError::Standard(_)) => {}
                Ok(value) => return value,
                Err(error) => panic!("{what}: {error}"),
            }
            if begun.elapsed() > LONG {
                let page = self.client.source().await.unwrap_or_default();
                panic!("never: {what}\n{page}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the picture is painted.
    async fn picture(&self) {
        self.until(
            "a picture",
            "const c = document.querySelector('canvas'); return c && c.width > 1 && c.getBoundingClientRect().width > 1 ? true : null",
        )
        .await;
    }

    async fn ask(&self, question: &str) {
        let field = self
            .client
            .wait()
            .at_most(LONG)
            .for_element(Locator::Css("textarea"))
            .await
            .unwrap();
        self.until(
            "an open composer",
            "return document.querySelector('textarea').disabled ? null : true",
        )
        .await;
        field.send_keys(question).await.unwrap();
        self.until(
            "a button to ask with",
            "return document.querySelector('form button').disabled ? null : true",
        )
        .await;
        field
            .send_keys(&char::from(Key::Enter).to_string())
            .await
            .unwrap();
    }

    async fn answered(&self, word: &str) {
        let script = format!(
            "const log = document.querySelector('[role=log]'); return log && log.innerText.includes({}) ? true : null",
            json!(word)
        );
        self.until(&format!("an answer with “{word}”"), &script)
            .await;
    }

    async fn screenshot(&self) -> Picture {
        let png = self.client.screenshot().await.unwrap();
        Picture::decode(&png, PictureId(0), DecodeLimits::default()).unwrap()
    }
}

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

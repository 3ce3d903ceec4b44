//! The program, the driver that moves it, and what tests ask of both.

use std::{
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use alidade_picture::{DecodeLimits, Picture, PictureId};
use fantoccini::{Client, ClientBuilder, Locator, error::CmdError, key::Key};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

/// Longest wait for anything: a busy machine is no fault.
pub(crate) const LONG: Duration = Duration::from_secs(90);

pub(crate) fn file(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "pictures", name]
        .iter()
        .collect();
    path.to_str().unwrap().to_owned()
}

/// The program under test.
pub(crate) fn program() -> String {
    std::env::var("ALIDADE_WINDOW").expect("tests/desktop/run sets this")
}

/// A message bus of its own, so that programs of one test do not meet those of another.
pub(crate) struct Bus {
    _daemon: Child,
    pub(crate) address: String,
}

impl Bus {
    pub(crate) async fn start() -> Self {
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("dbus-daemon; Debian has it in dbus");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap())
            .read_line(&mut address)
            .await
            .unwrap();
        Self {
            _daemon: daemon,
            address: address.trim().to_owned(),
        }
    }
}

/// A running program and the driver that moves it.
pub(crate) struct Window {
    pub(crate) client: Client,
    pub(crate) bus: Bus,
    _driver: Child,
}

impl Window {
    pub(crate) async fn open(arguments: &[String]) -> Self {
        let bus = Bus::start().await;
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let driver = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("DBUS_SESSION_BUS_ADDRESS", &bus.address)
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("WebKitWebDriver; Debian has it in webkit2gtk-driver");
        let wanted = json!({
            "webkitgtk:browserOptions": {"binary": program(), "args": arguments},
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
            bus,
            _driver: driver,
        }
    }

    pub(crate) async fn close(self) {
        self.client.close().await.unwrap();
    }

    /// Clicks a button by its accessible name.
    pub(crate) async fn press(&self, name: &str) {
        let found = format!("button[aria-label={}]", json!(name));
        let button = self
            .client
            .wait()
            .at_most(LONG)
            .for_element(Locator::Css(&found))
            .await;
        button.unwrap().click().await.unwrap();
    }

    /// Chooses the entry of an open menu that has these words in it.
    pub(crate) async fn choose(&self, words: &str) {
        let script = format!(
            "return [...document.querySelectorAll('[role^=menuitem]')].find((i) => i.ariaDisabled !== 'true' && i.textContent.includes({})) ?? null",
            json!(words)
        );
        self.until(&format!("an entry “{words}”"), &script).await;
        let click = script
            .replace("return ", "(")
            .replace(" ?? null", ").click()");
        self.client.execute(&click, vec![]).await.unwrap();
    }

    /// Where the only mark lies, as shares of the picture: x, y, width, height.
    pub(crate) async fn only_mark(&self) -> [f64; 4] {
        let script = "
            const marks = document.querySelectorAll('svg .mark');
            if (marks.length !== 1) return null;
            const m = marks[0].getBoundingClientRect(), c = document.querySelector('canvas');
            const v = c.getBoundingClientRect();
            const scale = Math.min(v.width / c.width, v.height / c.height);
            const [w, h] = [c.width * scale, c.height * scale];
            const [x, y] = [v.x + (v.width - w) / 2, v.y + (v.height - h) / 2];
            return [(m.x - x) / w, (m.y - y) / h, m.width / w, m.height / h]";
        let place = self.until("one mark", script).await;
        let place: Vec<f64> = serde_json::from_value(place).unwrap();
        place.try_into().unwrap()
    }

    /// What a script answers, once that is not null.
    pub(crate) async fn until(&self, what: &str, script: &str) -> Value {
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
    pub(crate) async fn picture(&self) {
        self.until(
            "a picture",
            "const c = document.querySelector('canvas'); return c && c.width > 1 && c.getBoundingClientRect().width > 1 ? true : null",
        )
        .await;
    }

    pub(crate) async fn ask(&self, question: &str) {
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

    pub(crate) async fn answered(&self, word: &str) {
        let script = format!(
            "const log = document.querySelector('[role=log]'); return log && log.innerText.includes({}) ? true : null",
            json!(word)
        );
        self.until(&format!("an answer with “{word}”"), &script)
            .await;
    }

    pub(crate) async fn screenshot(&self) -> Picture {
        let png = self.client.screenshot().await.unwrap();
        Picture::decode(&png, PictureId(0), DecodeLimits::default()).unwrap()
    }
}

//! A desk with a small world: things with a name and a place, and text.

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use alidade_host::brain::{
    Brain, BrainError, Desk, Likeness, ToolDecl, ToolOutcome, offline::OfflineBrain,
};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

/// Something that a locator finds when its name is in the query.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) area: [f64; 4],
    pub(crate) way: &'static str,
    pub(crate) sure: f64,
}

pub(crate) fn item(name: &'static str, label: &'static str, x: f64, y: f64) -> Item {
    Item {
        name,
        label,
        area: [x, y, 0.08, 0.04],
        way: "text",
        sure: 0.95,
    }
}

/// Three cups side by side, the middle one the largest.
pub(crate) fn tray() -> Vec<Item> {
    vec![
        Item {
            area: [0.05, 0.4, 0.1, 0.1],
            way: "object",
            ..item("cup", "cup", 0.0, 0.0)
        },
        Item {
            area: [0.45, 0.4, 0.2, 0.2],
            way: "object",
            ..item("cup", "cup", 0.0, 0.0)
        },
        Item {
            area: [0.85, 0.4, 0.1, 0.1],
            way: "object",
            ..item("cup", "cup", 0.0, 0.0)
        },
    ]
}

type Answers = Box<dyn Fn(&str, &Map<String, Value>) -> Option<ToolOutcome> + Send + Sync>;

/// A brain at its desk.
pub(crate) struct Talk {
    pub(crate) brain: OfflineBrain,
    pub(crate) desk: Script,
}

/// The desk.
pub(crate) struct Script {
    pub(crate) tools: Vec<ToolDecl>,
    pub(crate) instructions: String,
    pub(crate) items: Mutex<Vec<Item>>,
    pub(crate) lines: Mutex<Vec<(&'static str, [f64; 4])>>,
    pub(crate) objects: Mutex<Vec<&'static str>>,
    pub(crate) source: Mutex<&'static str>,
    pub(crate) frame: AtomicU64,
    /// Answers that come before the world's own.
    pub(crate) answers: Mutex<Option<Answers>>,
    pub(crate) calls: Mutex<Vec<(String, Map<String, Value>)>>,
    pub(crate) said: Mutex<Vec<String>>,
    pub(crate) count: AtomicUsize,
    /// Choices of the question of the last turn; 0 where it asked for none.
    pub(crate) asked: AtomicUsize,
}

pub(crate) fn declared(name: &str, server: bool) -> ToolDecl {
    ToolDecl {
        name: name.to_owned(),
        description: String::new(),
        parameters: json!({"type": "object"}),
        server,
    }
}

/// A tool of the client's own with example phrases.
pub(crate) fn client(name: &str, description: &str, parameters: Value) -> ToolDecl {
    ToolDecl {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
        server: false,
    }
}

impl Talk {
    pub(crate) fn new() -> Self {
        Self::with(&["cosmo_sdk_draw_box", "cosmo_sdk_draw_point"], None)
    }

    pub(crate) fn with(renderers: &[&str], likeness: Option<Arc<dyn Likeness>>) -> Self {
        let mut tools = vec![
            declared("cosmo_detect_objects", true),
            declared("cosmo_point_at_object", true),
            declared("examine_image", true),
        ];
        tools.extend(renderers.iter().map(|name| declared(name, false)));
        Self {
            brain: OfflineBrain::new(likeness),
            desk: Script {
                tools,
                instructions: String::new(),
                items: Mutex::default(),
                lines: Mutex::default(),
                objects: Mutex::default(),
                source: Mutex::new("screen"),
                frame: AtomicU64::new(9000),
                answers: Mutex::default(),
                calls: Mutex::default(),
                said: Mutex::default(),
                count: AtomicUsize::new(0),
                asked: AtomicUsize::new(0),
            },
        }
    }

    pub(crate) fn seeing(self, items: &[Item]) -> Self {
        *self.desk.items.lock() = items.to_vec();
        self
    }

    pub(crate) fn reading(self, lines: &[(&'static str, [f64; 4])]) -> Self {
        *self.desk.lines.lock() = lines.to_vec();
        self
    }

    pub(crate) fn tool(mut self, tool: ToolDecl) -> Self {
        self.desk.tools.push(tool);
        self
    }

    pub(crate) fn answering(
        self,
        answers: impl Fn(&str, &Map<String, Value>) -> Option<ToolOutcome> + Send + Sync + 'static,
    ) -> Self {
        *self.desk.answers.lock() = Some(Box::new(answers));
        self
    }

    /// One turn; what was said in it.
    pub(crate) async fn say(&mut self, text: &str) -> String {
        self.desk.calls.lock().clear();
        self.desk.said.lock().clear();
        self.desk.asked.store(0, Ordering::Relaxed);
        self.brain
            .turn(text, &self.desk)
            .await
            .expect("the offline brain answers every turn");
        let said = self.desk.said.lock().concat();
        assert!(!said.trim().is_empty(), "nothing was said to {text:?}");
        said
    }

    /// The calls of the last turn, by name.
    pub(crate) fn called(&self) -> Vec<String> {
        self.desk
            .calls
            .lock()
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// The query of the first locator call of the last turn.
    pub(crate) fn query(&self) -> String {
        let calls = self.desk.calls.lock();
        let query = calls
            .iter()
            .find_map(|(_, args)| args.get("query"))
            .and_then(Value::as_str);
        query.unwrap_or_default().to_owned()
    }

    /// The marks of the last turn: tool and arguments.
    pub(crate) fn marks(&self) -> Vec<(String, Map<String, Value>)> {
        self.desk
            .calls
            .lock()
            .iter()
            .filter(|(name, _)| name.starts_with("cosmo_sdk_draw"))
            .cloned()
            .collect()
    }

    /// The labels of the marks of the last turn.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.marks()
            .iter()
            .map(|(_, args)| {
                args.get("label")
                    .and_then(Value::as_str)
                    .unwrap_or("")
                    .to_owned()
            })
            .collect()
    }
}

impl Script {
    fn world(&self, name: &str, args: &Map<String, Value>) -> ToolOutcome {
        let frame = self.frame.load(Ordering::Relaxed);
        match name {
            "cosmo_detect_objects" | "cosmo_point_at_object" => {
                let query = args["query"].as_str().unwrap().to_lowercase();
                let items = self.items.lock();
                let found: Vec<&Item> = items
                    .iter()
                    .filter(|item| query.contains(item.name))
                    .collect();
                let ambiguous =
                    found.len() > 1 && found.iter().all(|item| item.sure == found[0].sure);
                let found: Vec<Value> = found
                    .iter()
                    .map(|item| {
                        let [x, y, width, height] = item.area;
                        let mut entry =
                            json!({"label": item.label, "way": item.way, "sure": item.sure});
                        if name == "cosmo_detect_objects" {
                            entry["box"] =
                                json!({"x": x, "y": y, "width": width, "height": height});
                        } else {
                            entry["point"] = json!({"x": x + width / 2.0, "y": y + height / 2.0});
                        }
                        entry
                    })
                    .collect();
                ToolOutcome::Ok(
                    json!({"frame": frame, "source": *self.source.lock(), "found": found, "ambiguous": ambiguous}),
                )
            }
            "examine_image" => {
                let lines: Vec<Value> = self
                    .lines
                    .lock()
                    .iter()
                    .map(|(text, [x, y, width, height])| json!({"text": text, "box": {"x": x, "y": y, "width": width, "height": height}}))
                    .collect();
                let objects: Vec<Value> = self
                    .objects
                    .lock()
                    .iter()
                    .map(|name| json!({"name": name, "sure": 0.9}))
                    .collect();
                ToolOutcome::Ok(
                    json!({"frame": frame, "lines": lines, "objects": objects, "text": ""}),
                )
            }
            "cosmo_sdk_draw_box" | "cosmo_sdk_draw_point" => {
                ToolOutcome::Ok(json!({"shown": true}))
            }
            other => ToolOutcome::Failed(format!("there is no {other}")),
        }
    }
}

#[async_trait]
impl Desk for Script {
    fn tools(&self) -> &[ToolDecl] {
        &self.tools
    }

    fn instructions(&self) -> &str {
        &self.instructions
    }

    fn asked_which(&self, choices: usize) {
        self.asked.store(choices, Ordering::Relaxed);
    }

    async fn say(&self, delta: &str) {
        assert!(!delta.is_empty(), "an empty piece was said");
        self.said.lock().push(delta.to_owned());
    }

    async fn call(&self, name: &str, args: Map<String, Value>) -> ToolOutcome {
        self.count.fetch_add(1, Ordering::Relaxed);
        assert!(
            self.tools.iter().any(|tool| tool.name == name),
            "{name} was never declared"
        );
        self.calls.lock().push((name.to_owned(), args.clone()));
        let scripted = self
            .answers
            .lock()
            .as_ref()
            .and_then(|answers| answers(name, &args));
        scripted.unwrap_or_else(|| self.world(name, &args))
    }
}

/// Word vectors by hand: pairs that mean the same.
pub(crate) struct Pairs(pub(crate) &'static [(&'static str, &'static str)]);

impl Likeness for Pairs {
    fn likeness(&self, phrase: &str, others: &[&str]) -> Result<Vec<f32>, BrainError> {
        Ok(others
            .iter()
            .map(|other| {
                if self
                    .0
                    .iter()
                    .any(|(a, b)| phrase.eq_ignore_ascii_case(a) && other.eq_ignore_ascii_case(b))
                {
                    0.9
                } else {
                    0.1
                }
            })
            .collect())
    }
}

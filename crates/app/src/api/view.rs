//! What a face of the application sees: plain data, the same for the window, the command line and tests.
//!
//! Coordinates are shares of the picture, 0 to 1, x to the right and y downwards, never mirrored. Times are
//! milliseconds. `ui/src/lib/api.ts` is written from these types by a test.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What went wrong, for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Trouble {
    /// What happened and what to do next, as sentences.
    pub says: String,
}

impl Trouble {
    pub(crate) fn new(error: impl std::fmt::Display) -> Self {
        let mut says = error.to_string();
        if let Some(first) = says.chars().next() {
            let upper: String = first.to_uppercase().collect();
            says.replace_range(..first.len_utf8(), &upper);
        }
        if !says.ends_with(['.', '!', '?']) {
            says.push('.');
        }
        Self { says }
    }
}

/// The server that answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(
    tag = "state",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum BackendView {
    /// The local backend is being started.
    Starting,
    /// The local backend answers; nothing leaves this machine.
    Local,
    /// There is none.
    Failed {
        /// Why.
        trouble: Trouble,
    },
}

/// The session with the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(
    tag = "state",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum SessionView {
    /// None yet; the first question starts one.
    Idle,
    /// On its way.
    Starting,
    /// It hears questions.
    Ready,
    /// It is over; the next question starts another.
    Ended {
        /// Why, where it did not end by itself.
        trouble: Option<Trouble>,
    },
}

/// An agent one can choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// Its name, unique.
    pub name: String,
    /// One line.
    pub description: String,
    /// Why it cannot be chosen: every fault with file, line and a sentence.
    pub faults: Vec<String>,
}

/// What kind of thing is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    /// One picture file.
    Picture,
    /// The pictures of a folder.
    Folder,
    /// A video file.
    Video,
    /// A camera.
    Camera,
    /// The whole screen or a monitor.
    Screen,
    /// A window of another program.
    Window,
}

/// A camera as it is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct CameraOffer {
    /// Its number.
    pub index: u32,
    /// What its maker calls it.
    pub name: String,
}

/// A monitor as it is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct MonitorOffer {
    /// The name of its output.
    pub name: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

/// A window of another program as it is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct WindowOffer {
    /// What the system calls it.
    pub id: u32,
    /// What stands in its title bar.
    pub title: String,
    /// The program, as it names itself.
    pub program: String,
}

/// What of the screen can be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ScreenOffers {
    /// The monitors, the first one first.
    pub monitors: Vec<MonitorOffer>,
    /// Windows of other programs, the uppermost first.
    pub windows: Vec<WindowOffer>,
}

/// What a face may ask to be shown by itself. Files are not among it: they come from the person's own hand, by
/// dialog, drop, paste or command line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Wanted {
    /// A camera.
    Camera {
        /// Its number.
        index: u32,
    },
    /// All monitors.
    Screen,
    /// One monitor.
    Monitor {
        /// The name of its output.
        name: String,
    },
    /// One window.
    Window {
        /// What the system calls it.
        id: u32,
    },
}

/// What is looked at, and sent to the agent while a session lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct SourceView {
    /// Grows with every source; pictures carry it.
    pub id: u32,
    /// What kind it is.
    pub kind: SourceKind,
    /// What the person calls it; empty where it has no name of its own.
    pub name: String,
    /// How it is doing.
    #[serde(flatten)]
    pub state: SourceState,
}

/// How a source is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(
    tag = "state",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum SourceState {
    /// It is being opened.
    Opening,
    /// It gives pictures.
    Showing,
    /// It gives none any more; the last one stays.
    Ended {
        /// Why, where it is not simply at its end.
        trouble: Option<Trouble>,
    },
}

/// One thing in the conversation, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Unique in the application's life.
    pub id: String,
    /// What it is.
    #[serde(flatten)]
    pub what: EntryView,
}

/// What stands in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum EntryView {
    /// Something the person asked.
    Asked {
        /// In these words.
        text: String,
    },
    /// Something the agent says.
    Said {
        /// So far.
        text: String,
        /// Whether more comes.
        done: bool,
    },
    /// A tool at work.
    Tool {
        /// Its name on the wire.
        name: String,
        /// How it is doing.
        outcome: ToolOutcome,
        /// How long it took, once it is over.
        took_ms: Option<u32>,
        /// What it came to, in a line.
        summary: Option<String>,
    },
    /// Something that went wrong.
    Trouble {
        /// What.
        trouble: Trouble,
    },
}

/// How a tool call is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum ToolOutcome {
    /// It runs.
    Running,
    /// It is done.
    Done,
    /// It failed or was refused.
    Failed,
    /// The session ended before it was over.
    Cut,
}

/// A mark on the picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct MarkView {
    /// Unique in a session.
    pub id: u32,
    /// What is marked.
    #[serde(flatten)]
    pub shape: ShapeView,
    /// What is written beside it.
    pub label: Option<String>,
    /// 1 for full, towards 0 as it fades.
    pub strength: f32,
    /// Whether it belongs to the newest answer.
    pub newest: bool,
}

/// A place in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "shape", rename_all = "camelCase")]
pub enum ShapeView {
    /// A rectangle.
    Box {
        /// Left edge.
        x: f64,
        /// Upper edge.
        y: f64,
        /// Extent to the right.
        width: f64,
        /// Extent downwards.
        height: f64,
    },
    /// A single place.
    Point {
        /// From the left.
        x: f64,
        /// From above.
        y: f64,
    },
}

/// Everything there is to see at one moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Changes up to this number are in it.
    pub revision: u32,
    /// The server that answers.
    pub backend: BackendView,
    /// The session.
    pub session: SessionView,
    /// Agents one can choose.
    pub agents: Vec<AgentView>,
    /// The chosen one's name.
    pub agent: String,
    /// What is looked at.
    pub source: Option<SourceView>,
    /// The conversation, oldest first.
    pub entries: Vec<Entry>,
    /// The marks, oldest first: the newest is painted on top.
    pub marks: Vec<MarkView>,
    /// Whether an answer is on its way.
    pub thinking: bool,
}

/// Something that is otherwise now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(
    tag = "what",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Change {
    /// The backend.
    Backend {
        /// Now.
        backend: BackendView,
    },
    /// The session.
    Session {
        /// Now.
        session: SessionView,
    },
    /// The agents one can choose, and the chosen one.
    Agents {
        /// All of them.
        agents: Vec<AgentView>,
        /// The chosen one's name.
        agent: String,
    },
    /// The source.
    Source {
        /// Now.
        source: Option<SourceView>,
    },
    /// A new entry, or one that replaces the entry of the same id in its place.
    Entry {
        /// The entry.
        entry: Entry,
    },
    /// More words at the end of something the agent says.
    More {
        /// Of which entry.
        id: String,
        /// What comes after what was there.
        text: String,
    },
    /// The marks.
    Marks {
        /// All of them, oldest first.
        marks: Vec<MarkView>,
    },
    /// Whether an answer is on its way.
    Thinking {
        /// Now.
        thinking: bool,
    },
}

/// A change with its place among all changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Counts up by one.
    pub revision: u32,
    /// What is otherwise.
    #[serde(flatten)]
    pub change: Change,
}
